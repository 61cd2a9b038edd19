from datetime import date
from decimal import Decimal

import pytest

from shop.cart.cart import Cart, Line
from shop.cart.discounts import Discount, reduction
from shop.errors import InvalidDiscount

CART = Cart("c1", [Line(product_id=1, quantity=2, price_cents=1_999, weight_grams=800)])
TODAY = date(2026, 3, 2)


def test_takes_a_percentage_off():
    assert reduction(CART, Discount("SPRING", Decimal(10), date(2026, 4, 30)), TODAY, False) == 400


def test_refuses_an_expired_code():
    with pytest.raises(InvalidDiscount):
        reduction(CART, Discount("WINTER", Decimal(10), date(2026, 2, 28)), TODAY, False)


def test_refuses_a_second_use():
    with pytest.raises(InvalidDiscount):
        reduction(CART, Discount("HELLO", Decimal(15), date(2026, 12, 31), once_per_customer=True), TODAY, True)
