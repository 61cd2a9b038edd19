"""What happens without anybody asking: reminders, returns, housekeeping."""

import logging
import threading
from datetime import datetime, timedelta

from lockers.models import Parcel, State

log = logging.getLogger("hatchway.scheduler")

TICK = 60.0

# A parcel is announced at once; these come on top.
REMIND_AFTER = [timedelta(hours=20), timedelta(hours=44)]

# Then the courier takes it back. The contract with the couriers says five days; we give a bit more.
RETURN_AFTER = timedelta(days=5, hours=8)

# Collected parcels are forgotten for the sake of the residents' privacy.
FORGET_AFTER = timedelta(days=30)


class Scheduler:
    def __init__(self, database, controller, notifier) -> None:
        self._database = database
        self._controller = controller
        self._notifier = notifier
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="scheduler", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self._thread.join(timeout=10)

    def _run(self) -> None:
        while not self._stop.wait(TICK):
            try:
                self.tick(datetime.now())
            except Exception:
                # One bad row must not stop the reminders of all others.
                log.exception("tick failed")

    def tick(self, now: datetime) -> None:
        for parcel in self._database.stored():
            self._remind(parcel, now)
            self._return(parcel, now)
        self._database.forget(before=now - FORGET_AFTER)

    def _remind(self, parcel: Parcel, now: datetime) -> None:
        if parcel.reminded >= len(REMIND_AFTER):
            return
        if now - parcel.stored_at >= REMIND_AFTER[parcel.reminded]:
            self._notifier.reminder(parcel)
            self._database.reminded(parcel)

    def _return(self, parcel: Parcel, now: datetime) -> None:
        if now - parcel.stored_at < RETURN_AFTER:
            return
        if parcel.compartment.state is State.JAMMED:
            log.warning("parcel %s is due for return, but compartment %s is jammed", parcel.id, parcel.compartment.number)
            return
        self._database.mark_for_return(parcel)
