"""The basket of a visitor, signed in or not."""

from dataclasses import dataclass, field

from shop import db

MOST_OF_ONE_PLANT = 12


@dataclass
class Line:
    product_id: int
    quantity: int
    price_cents: int
    weight_grams: int


@dataclass
class Cart:
    id: str
    lines: list[Line] = field(default_factory=list)
    discount_code: str | None = None

    @property
    def subtotal(self) -> int:
        return sum(line.quantity * line.price_cents for line in self.lines)

    @property
    def weight(self) -> int:
        return sum(line.quantity * line.weight_grams for line in self.lines)


def load(cart_id: str) -> Cart:
    with db.connection() as one:
        rows = one.execute(
            "select p.id, l.quantity, p.price_cents, p.weight_grams"
            " from cart_lines l join products p on p.id = l.product_id where l.cart_id = %s",
            [cart_id],
        ).fetchall()
    return Cart(cart_id, [Line(*row) for row in rows])


def set_quantity(cart_id: str, product_id: int, quantity: int) -> None:
    quantity = min(max(quantity, 0), MOST_OF_ONE_PLANT)
    with db.transaction() as tx:
        tx.execute("update carts set touched_at = now() where id = %s", [cart_id])
        tx.execute(
            "insert into cart_lines values (%s, %s, %s)"
            " on conflict (cart_id, product_id) do update set quantity = excluded.quantity",
            [cart_id, product_id, quantity],
        )
