import pytest

from shop.cart.cart import Cart, Line
from shop.orders.shipping import needs_heat_pack, shipping_cost


def cart(price: int, grams: int) -> Cart:
    return Cart("c1", [Line(product_id=1, quantity=1, price_cents=price, weight_grams=grams)])


def test_a_small_order_pays_for_its_country():
    assert shipping_cost(cart(2_000, 900), "DE") == 695


def test_a_heavy_pot_costs_more():
    assert shipping_cost(cart(9_000, 18_000), "NL") == 900


def test_an_unknown_country_is_refused():
    with pytest.raises(KeyError):
        shipping_cost(cart(2_000, 900), "US")


def test_cold_nights_need_a_heat_pack():
    assert needs_heat_pack("NL", 3.5)
    assert not needs_heat_pack("NL", 6.0)
