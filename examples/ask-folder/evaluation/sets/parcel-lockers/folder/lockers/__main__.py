"""The command line entry point."""

import argparse
import logging
import signal
import sys
import threading

from lockers.config import ConfigError, load
from lockers.http_api import serve
from lockers.hardware import open_controller
from lockers.notify import make_notifier
from lockers.scheduler import Scheduler
from lockers.storage.database import Database

log = logging.getLogger("hatchway")


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="hatchway")
    parser.add_argument("--config", required=True, help="path of the TOML file")
    parser.add_argument("--check", action="store_true", help="read the configuration, report, and stop")
    args = parser.parse_args(argv)

    try:
        config = load(args.config)
    except ConfigError as error:
        print(f"hatchway: {error}", file=sys.stderr)
        # 78 is EX_CONFIG of sysexits.h; the unit file does not restart us on it.
        return 78

    if args.check:
        print(f"configuration of {config.building.name} is fine")
        return 0

    logging.basicConfig(level=config.log.level.upper())
    stop = threading.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, lambda *_: stop.set())

    database = Database(config.database.path)
    controller = open_controller(config.hardware)
    notifier = make_notifier(config.notify)
    scheduler = Scheduler(database, controller, notifier)
    scheduler.start()
    serve(config.http, database, controller, notifier, stop)
    scheduler.stop()
    log.info("stopped")
    return 0


if __name__ == "__main__":
    sys.exit(main())
