"""Products: what is sold and how many there are."""

from flask import Blueprint, request

from shop import db
from shop.errors import NotFound, OutOfStock

routes = Blueprint("products", __name__)

MANY_AT_ONCE = 50


@routes.get("/<slug>")
def one(slug: str):
    with db.connection() as connection:
        row = connection.execute(
            "select id, name, botanical_name, price_cents, stock from products where slug = %s and not hidden", [slug]
        ).fetchone()
    if row is None:
        raise NotFound(f"no product {slug}")
    return {"id": row[0], "name": row[1], "botanicalName": row[2], "priceCents": row[3], "available": row[4] > 0}


@routes.get("/")
def many():
    slugs = request.args.getlist("slug")[:MANY_AT_ONCE]
    return {"products": [one(slug) for slug in slugs]}


def reserve(tx, product_id: int, quantity: int) -> None:
    """Takes plants off the shelf; the caller's transaction gives them back when it fails."""
    taken = tx.execute(
        "update products set stock = stock - %s where id = %s and stock >= %s", [quantity, product_id, quantity]
    )
    if taken.rowcount == 0:
        raise OutOfStock(f"fewer than {quantity} left of product {product_id}")
