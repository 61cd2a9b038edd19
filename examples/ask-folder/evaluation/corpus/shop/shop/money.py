"""Arithmetic with cents."""

from decimal import ROUND_HALF_EVEN, Decimal


def percent_of(cents: int, percent: Decimal) -> int:
    exact = Decimal(cents) * percent / 100
    return int(exact.quantize(Decimal(1), rounding=ROUND_HALF_EVEN))


def share(total: int, weights: list[int]) -> list[int]:
    """Splits a total without losing a cent; the first parts take the remainder."""
    whole = sum(weights)
    parts = [total * weight // whole for weight in weights]
    for index in range(total - sum(parts)):
        parts[index] += 1
    return parts


def as_text(cents: int) -> str:
    return f"€ {cents // 100}.{cents % 100:02d}"
