"""Removes what nobody needs any more."""

from shop import db


def remove_stale_carts() -> None:
    """Visitors come back for a plant they liked, but hardly ever after six weeks."""
    with db.transaction() as tx:
        tx.execute("delete from carts where customer_id is null and touched_at < now() - interval '45 days'")


def remove_old_sessions() -> None:
    with db.transaction() as tx:
        tx.execute("delete from sessions where created_at < now() - interval '14 days'")
        tx.execute("delete from login_failures where at < now() - interval '1 day'")
