"""What a discount code takes off a cart."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from shop.cart.cart import Cart
from shop.errors import InvalidDiscount
from shop.money import percent_of

# Marketing may not go further without a signature from finance.
LARGEST_PERCENTAGE = Decimal(35)


@dataclass
class Discount:
    code: str
    percentage: Decimal
    valid_until: date
    least_subtotal: int = 0
    once_per_customer: bool = False


def reduction(cart: Cart, discount: Discount, today: date, used_before: bool) -> int:
    if today > discount.valid_until:
        raise InvalidDiscount(f"{discount.code} has expired")
    if discount.once_per_customer and used_before:
        raise InvalidDiscount(f"{discount.code} has been used")
    if cart.subtotal < discount.least_subtotal:
        raise InvalidDiscount(f"{discount.code} needs a larger order")
    return percent_of(cart.subtotal, min(discount.percentage, LARGEST_PERCENTAGE))
