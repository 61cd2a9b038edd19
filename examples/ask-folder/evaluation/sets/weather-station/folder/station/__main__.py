"""Command line entry point."""

import argparse
import logging
import signal
import sys
import threading

from station.collector import Collector
from station.config import ConfigError, load
from station.store import Store
from station.uplink import Uplink
from station.web.server import serve


def main(argv=None):
    parser = argparse.ArgumentParser(prog="station")
    parser.add_argument("--config", default="config/station.toml")
    parser.add_argument("--simulate", action="store_true", help="do not touch any hardware")
    parser.add_argument("-v", "--verbose", action="store_true")
    args = parser.parse_args(argv)

    logging.basicConfig(
        level=logging.DEBUG if args.verbose else logging.INFO,
        format="%(asctime)s %(levelname)s %(name)s %(message)s",
    )

    try:
        config = load(args.config)
    except ConfigError as error:
        print(f"station: {error}", file=sys.stderr)
        # systemd is told not to restart us on this status
        return 78

    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    signal.signal(signal.SIGINT, lambda *_: stop.set())

    store = Store(config.store)
    collector = Collector(config, store, simulate=args.simulate)
    workers = [threading.Thread(target=collector.run, args=(stop,), name="collector")]
    if config.uplink.enabled:
        workers.append(threading.Thread(target=Uplink(config, store).run, args=(stop,), name="uplink"))
    workers.append(threading.Thread(target=serve, args=(config.web, store, stop), name="web"))

    for worker in workers:
        worker.start()
    stop.wait()
    for worker in workers:
        worker.join(timeout=5)
    store.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
