"""Calls Paybridge."""

import requests
from flask import current_app

from shop.errors import PaymentDeclined


def start_payment(order_id: int, cents: int) -> str:
    answer = _post("/v2/payments", {"reference": str(order_id), "amount": cents, "currency": "EUR"})
    return answer["redirectUrl"]


def give_back(order_id: int, cents: int) -> None:
    _post(f"/v2/payments/{order_id}/refunds", {"amount": cents})


def _post(path: str, body: dict) -> dict:
    settings = current_app.config["SHOP"]["payments"]
    response = requests.post(
        settings["base_url"] + path,
        json=body,
        headers={"Authorization": f"Bearer {settings['api_key']}"},
        timeout=settings["timeout_seconds"],
    )
    if response.status_code == 402:
        raise PaymentDeclined(response.json().get("reason", "declined"))
    response.raise_for_status()
    return response.json()
