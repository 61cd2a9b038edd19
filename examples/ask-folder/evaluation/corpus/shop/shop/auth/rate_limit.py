"""Slows down whoever guesses passwords."""

from datetime import timedelta

from shop import db
from shop.errors import AccountLocked

MAX_WRONG_PASSWORDS = 6
LOCKED_FOR = timedelta(minutes=20)


def check(email: str) -> None:
    with db.connection() as one:
        row = one.execute(
            "select count(*) from login_failures where email = lower(%s) and at > now() - %s::interval",
            [email, LOCKED_FOR],
        ).fetchone()
    if row[0] >= MAX_WRONG_PASSWORDS:
        raise AccountLocked("too many wrong passwords; try again later")


def count_failure(email: str) -> None:
    with db.transaction() as tx:
        tx.execute("insert into login_failures (email) values (lower(%s))", [email])


def forget(email: str) -> None:
    with db.transaction() as tx:
        tx.execute("delete from login_failures where email = lower(%s)", [email])
