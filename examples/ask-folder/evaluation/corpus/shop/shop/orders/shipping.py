"""What it costs to send plants."""

from shop.cart.cart import Cart

FREE_SHIPPING_FROM = 6_500
HEAVY_FROM_GRAMS = 15_000
HEAVY_SURCHARGE = 900

BASE_COST = {
    "NL": 495,
    "BE": 595,
    "DE": 695,
    "FR": 895,
}


def shipping_cost(cart: Cart, country: str) -> int:
    """In cents. Raises KeyError for a country that we do not serve."""
    cost = BASE_COST[country]
    if cart.subtotal >= FREE_SHIPPING_FROM:
        cost = 0
    if cart.weight >= HEAVY_FROM_GRAMS:
        cost += HEAVY_SURCHARGE
    return cost


def needs_heat_pack(country: str, lowest_celsius: float) -> bool:
    """Tropical plants die below five degrees on the way; a heat pack is added to the box."""
    return lowest_celsius < (5 if country == "NL" else 7)
