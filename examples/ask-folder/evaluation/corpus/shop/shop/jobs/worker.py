"""Runs the jobs, each at its pace, until it is told to stop."""

import signal
import time

from shop import db, settings
from shop.jobs import cleanup, outbox
from shop.mail import sender

EVERY_SECONDS = {
    outbox.send_pending: 5,
    sender.send_pending: 30,
    cleanup.remove_stale_carts: 3600,
    cleanup.remove_old_sessions: 86_400,
}

_stopping = False


def stop(_number, _frame) -> None:
    global _stopping
    _stopping = True


def main() -> None:
    db.open_pool(settings.load()["database"])
    signal.signal(signal.SIGTERM, stop)
    due = dict.fromkeys(EVERY_SECONDS, 0.0)
    while not _stopping:
        for job, seconds in EVERY_SECONDS.items():
            if time.monotonic() >= due[job]:
                job()
                due[job] = time.monotonic() + seconds
        time.sleep(1)


if __name__ == "__main__":
    main()
