"""Hears from Paybridge what became of a payment."""

import hashlib
import hmac

from flask import Blueprint, abort, current_app, request

from shop import db
from shop.jobs import outbox
from shop.orders import states

routes = Blueprint("paybridge", __name__)


@routes.post("/")
def receive():
    if not is_authentic(request.get_data(), request.headers.get("Paybridge-Signature", "")):
        abort(401)
    event = request.get_json()
    with db.transaction() as tx:
        known = tx.execute("insert into webhook_events values (%s) on conflict do nothing", [event["id"]])
        if known.rowcount == 0:
            return {"status": "seen"}
        if event["type"] == "payment.succeeded":
            states.move(tx, int(event["reference"]), "paid")
            outbox.write(tx, "order_paid", {"order": int(event["reference"])})
        elif event["type"] == "payment.expired":
            states.move(tx, int(event["reference"]), "cancelled")
    return {"status": "ok"}


def is_authentic(body: bytes, signature: str) -> bool:
    """Compares the HMAC of the body, in constant time, with what Paybridge sent along."""
    secret = current_app.config["SHOP"]["payments"]["webhook_secret"].encode()
    return hmac.compare_digest(hmac.new(secret, body, hashlib.sha256).hexdigest(), signature)
