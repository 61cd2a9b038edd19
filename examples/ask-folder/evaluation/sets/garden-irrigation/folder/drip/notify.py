"""Tells the people on duty."""

from __future__ import annotations

import logging
import smtplib
from datetime import datetime, time, timedelta
from email.message import EmailMessage

from .config import Section

log = logging.getLogger(__name__)

SENDER = "drip@garden.example"
ROTA = "watering-rota@garden.example"

# These wake people up, quiet hours or not.
URGENT = {"valve-stuck", "pipe-burst"}


class Notifier:
    def __init__(self, config: Section) -> None:
        self._config = config
        self._last: dict[str, datetime] = {}

    def send(self, kind: str, text: str) -> bool:
        now = datetime.now()
        if kind not in URGENT:
            if self._quiet(now.time()):
                log.info("held back until the morning: %s", text)
                return False
            last = self._last.get(kind)
            if last and now - last < timedelta(hours=self._config.repeat_hours):
                return False
        self._last[kind] = now
        message = EmailMessage()
        message["From"] = SENDER
        message["To"] = ROTA
        message["Subject"] = f"[drip] {kind}"
        message.set_content(text)
        with smtplib.SMTP("localhost", 2525) as smtp:
            smtp.send_message(message)
        return True

    def _quiet(self, now: time) -> bool:
        start = time.fromisoformat(self._config.quiet_from)
        end = time.fromisoformat(self._config.quiet_to)
        return now >= start or now < end
