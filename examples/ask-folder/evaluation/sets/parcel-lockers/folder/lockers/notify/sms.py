"""Sends text messages through the gateway in the building's router."""

import logging
import queue
import threading
from datetime import datetime, time

import httpx

from lockers.notify import texts

log = logging.getLogger("hatchway.sms")

GATEWAY = "http://192.0.2.1:9090/send"


def quiet(now: time, start: time, end: time) -> bool:
    """Whether now is in the quiet hours, which usually go over midnight."""
    if start <= end:
        return start <= now < end
    return now >= start or now < end


class SmsNotifier:
    def __init__(self, sender: str, quiet_from: str, quiet_until: str) -> None:
        self._sender = sender
        self._from = time.fromisoformat(quiet_from)
        self._until = time.fromisoformat(quiet_until)
        self._queue: queue.Queue = queue.Queue()
        self._stop = threading.Event()
        threading.Thread(target=self._run, name="sms", daemon=True).start()

    def arrived(self, parcel) -> None:
        self._queue.put((parcel.resident.phone, texts.arrived(parcel.code)))

    def reminder(self, parcel) -> None:
        self._queue.put((parcel.resident.phone, texts.reminder(parcel.code, parcel.reminded)))

    def _run(self) -> None:
        while True:
            phone, text = self._queue.get()
            while quiet(datetime.now().time(), self._from, self._until):
                self._stop.wait(60)
            try:
                httpx.post(GATEWAY, json={"from": self._sender, "to": phone, "text": text}, timeout=12)
            except httpx.HTTPError as error:
                # The modem reboots now and then. Put it back and give it time.
                log.warning("message not sent: %s", type(error).__name__)
                self._queue.put((phone, text))
                self._stop.wait(45)
