"""The states of an order and the steps between them."""

from shop.errors import StepNotAllowed

STEPS = {
    "awaiting_payment": {"paid", "cancelled"},
    "paid": {"packed", "refunded"},
    "packed": {"shipped"},
    "shipped": {"delivered", "lost"},
    "delivered": {"refunded"},
    "lost": {"refunded"},
    "cancelled": set(),
    "refunded": set(),
}


def move(tx, order_id: int, target: str) -> None:
    (state,) = tx.execute("select state from orders where id = %s for update", [order_id]).fetchone()
    if target not in STEPS[state]:
        raise StepNotAllowed(f"order {order_id} is {state} and cannot become {target}")
    tx.execute("update orders set state = %s where id = %s", [target, order_id])
    tx.execute("insert into order_history (order_id, state) values (%s, %s)", [order_id, target])
