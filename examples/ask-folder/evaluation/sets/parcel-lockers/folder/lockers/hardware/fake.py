"""A controller without doors, for development and tests."""


class FakeController:
    def __init__(self) -> None:
        self.opened: list[int] = []

    def alive(self) -> bool:
        return True

    def open(self, number: int) -> None:
        self.opened.append(number)
        print(f"*clack* compartment {number} is open")
