"""Pickup codes."""

import secrets

# No 0/O, 1/I/L, 5/S: residents read the codes from cracked phone screens.
ALPHABET = "2346789ABCDEFGHJKMNPQRTUVWXYZ"
LENGTH = 6


def new_code(taken: set[str]) -> str:
    """A code that no stored parcel has."""
    while True:
        code = "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))
        if code not in taken:
            return code


def normalise(typed: str) -> str:
    """What the resident meant: case and blanks do not matter."""
    return "".join(typed.split()).upper()


class Lockout:
    """Counts wrong codes at the keypad."""

    MAX_WRONG = 4
    SECONDS = 90

    def __init__(self) -> None:
        self._wrong = 0
        self._until = 0.0

    def blocked(self, now: float) -> bool:
        return now < self._until

    def wrong(self, now: float) -> None:
        self._wrong += 1
        if self._wrong >= self.MAX_WRONG:
            self._until = now + self.SECONDS
            self._wrong = 0

    def right(self) -> None:
        self._wrong = 0
