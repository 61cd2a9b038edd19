"""The command line."""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
from pathlib import Path

from .api import serve
from .config import ConfigError, load
from .moisture import save_calibration
from .scheduler import Scheduler
from .valves import RelayBoard, SimulatedBoard

EXIT_BAD_CONFIG = 3
EXIT_NO_BOARD = 4


def parser() -> argparse.ArgumentParser:
    p = argparse.ArgumentParser(prog="drip")
    p.add_argument("--config", type=Path, default=Path("/etc/drip/default.toml"))
    p.add_argument("--simulate", action="store_true", help="log instead of switching relays")
    p.add_argument("--once", action="store_true", help="water what needs it now, then exit")
    p.add_argument("--blow-out", action="store_true", help="open each valve for 40 seconds, for the compressor")
    p.add_argument("--calibrate", nargs=3, metavar=("BED", "DRY", "WET"))
    p.add_argument("-v", "--verbose", action="store_true")
    return p


def main(argv: list[str] | None = None) -> int:
    args = parser().parse_args(argv)
    logging.basicConfig(level=logging.DEBUG if args.verbose else logging.INFO)
    try:
        config = load(args.config)
    except ConfigError as error:
        print(f"drip: {error}", file=sys.stderr)
        return EXIT_BAD_CONFIG

    if args.calibrate:
        bed, dry, wet = args.calibrate
        save_calibration(config, bed, int(dry), int(wet))
        return 0

    try:
        board = SimulatedBoard() if args.simulate else RelayBoard(config.sensors.bus)
    except OSError as error:
        print(f"drip: the relay board does not answer: {error}", file=sys.stderr)
        return EXIT_NO_BOARD

    scheduler = Scheduler(config, board)
    if args.blow_out:
        asyncio.run(scheduler.blow_out())
    elif args.once:
        asyncio.run(scheduler.run_once())
    else:
        asyncio.run(serve(config, scheduler))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
