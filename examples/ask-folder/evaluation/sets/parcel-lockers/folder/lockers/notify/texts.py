"""What residents read. Keep every text in one message: 160 characters including the code."""


def arrived(code: str) -> str:
    return f"A parcel is waiting for you in the hall. Your code: {code}"


def reminder(code: str, times: int) -> str:
    if times == 0:
        return f"Your parcel is still in the hall. Your code: {code}"
    return f"Last reminder: your parcel goes back to the sender soon. Your code: {code}"
