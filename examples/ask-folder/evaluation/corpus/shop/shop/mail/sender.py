"""Sends the mails that wait in the table."""

import smtplib
from email.message import EmailMessage
from pathlib import Path
from string import Template

from shop import db

TEMPLATES = Path(__file__).parent / "templates"


def queue(tx, address: str, template: str, values: dict) -> None:
    text = Template((TEMPLATES / f"{template}.txt").read_text()).substitute(values)
    subject, _, body = text.partition("\n\n")
    tx.execute("insert into mails (address, subject, body) values (%s, %s, %s)", [address, subject, body])


def send_pending() -> None:
    with db.transaction() as tx, smtplib.SMTP("localhost", 1025) as smtp:
        for mail_id, address, subject, body in tx.execute("select id, address, subject, body from mails where sent_at is null"):
            message = EmailMessage()
            message["To"], message["Subject"] = address, subject
            message.set_content(body)
            smtp.send_message(message)
            tx.execute("update mails set sent_at = now() where id = %s", [mail_id])
