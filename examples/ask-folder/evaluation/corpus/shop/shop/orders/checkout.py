"""Turns a cart into an order that waits for its payment."""

from datetime import date

from flask import Blueprint, g, request

from shop import db
from shop.cart import cart, discounts
from shop.catalog import products
from shop.jobs import outbox
from shop.orders.shipping import shipping_cost
from shop.payments import gateway

routes = Blueprint("checkout", __name__)


@routes.post("/")
def checkout():
    body = request.get_json()
    basket = cart.load(body["cartId"])
    with db.transaction() as tx:
        total = basket.subtotal
        if body.get("discountCode"):
            discount, used = _find_discount(tx, body["discountCode"])
            total -= discounts.reduction(basket, discount, date.today(), used)
        total += shipping_cost(basket, body["country"])
        for line in basket.lines:
            products.reserve(tx, line.product_id, line.quantity)
        (order_id,) = tx.execute(
            "insert into orders (customer_id, total_cents, country, note, state)"
            " values (%s, %s, %s, %s, 'awaiting_payment') returning id",
            [g.customer, total, body["country"], body.get("note", "")],
        ).fetchone()
        outbox.write(tx, "order_placed", {"order": order_id})
    return {"order": order_id, "payAt": gateway.start_payment(order_id, total)}


def _find_discount(tx, code: str):
    row = tx.execute(
        "select code, percentage, valid_until, least_subtotal, once_per_customer from discounts where code = upper(%s)",
        [code],
    ).fetchone()
    used = tx.execute("select 1 from discount_uses where code = %s and customer_id = %s", [code, g.customer]).fetchone()
    return discounts.Discount(*row), used is not None
