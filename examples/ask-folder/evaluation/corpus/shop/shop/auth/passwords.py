"""Hashes and checks passwords."""

from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError

MINIMUM_LENGTH = 10

_hasher = PasswordHasher(memory_cost=64 * 1024, time_cost=3, parallelism=1)


def hash_password(password: str) -> str:
    if len(password) < MINIMUM_LENGTH:
        raise ValueError(f"a password has at least {MINIMUM_LENGTH} characters")
    return _hasher.hash(password)


def matches(password: str, stored: str) -> bool:
    try:
        return _hasher.verify(stored, password)
    except VerifyMismatchError:
        return False


def is_outdated(stored: str) -> bool:
    return stored.startswith("$2b$") or _hasher.check_needs_rehash(stored)
