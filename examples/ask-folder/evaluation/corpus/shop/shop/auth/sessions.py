"""Signs customers in and recognises them by a cookie."""

import secrets

from flask import g, request

from shop import db
from shop.auth import passwords, rate_limit
from shop.errors import NotFound


def sign_in(email: str, password: str) -> str:
    rate_limit.check(email)
    with db.transaction() as tx:
        row = tx.execute("select id, password_hash from customers where email = lower(%s)", [email]).fetchone()
        if row is None or not passwords.matches(password, row[1]):
            rate_limit.count_failure(email)
            raise NotFound("no customer with this address and password")
        if passwords.is_outdated(row[1]):
            tx.execute("update customers set password_hash = %s where id = %s", [passwords.hash_password(password), row[0]])
        token = secrets.token_urlsafe(32)
        tx.execute("insert into sessions (token, customer_id) values (%s, %s)", [token, row[0]])
    rate_limit.forget(email)
    return token


def load_current_customer() -> None:
    token = request.cookies.get("fh_session")
    g.customer = None
    if token is None:
        return
    with db.connection() as one:
        g.customer = one.execute("select customer_id from sessions where token = %s", [token]).fetchone()


def sign_out_everywhere(customer_id: int) -> None:
    with db.transaction() as tx:
        tx.execute("delete from sessions where customer_id = %s", [customer_id])
