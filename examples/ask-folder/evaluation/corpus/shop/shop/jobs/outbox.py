"""Messages that must reach the warehouse."""

import json

import requests

from shop import db

WAREHOUSE = "https://warehouse.fernhill.example/messages"
AT_ONCE = 100


def write(tx, kind: str, body: dict) -> None:
    tx.execute("insert into outbox (kind, body) values (%s, %s)", [kind, json.dumps(body)])


def send_pending() -> None:
    with db.transaction() as tx:
        rows = tx.execute(
            "select id, kind, body from outbox where sent_at is null order by id limit %s for update skip locked", [AT_ONCE]
        ).fetchall()
        for message_id, kind, body in rows:
            answer = requests.post(WAREHOUSE, json={"messageId": message_id, "kind": kind, "body": body}, timeout=10)
            if not answer.ok:
                return
            tx.execute("update outbox set sent_at = now() where id = %s", [message_id])
