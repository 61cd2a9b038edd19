"""From raw counts to percent."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from statistics import median

from .config import Config
from .models import Bed, Reading

# What a new sensor reads in air and in water, until it is calibrated.
FACTORY_DRY = 340
FACTORY_WET = 1015


def calibration_file(config: Config) -> Path:
    return Path(config.storage.path).with_name("calibration.json")


def save_calibration(config: Config, bed: str, dry: int, wet: int) -> None:
    if wet <= dry:
        raise ValueError("the wet count has to be higher than the dry one")
    path = calibration_file(config)
    known = json.loads(path.read_text()) if path.exists() else {}
    known[bed] = [dry, wet]
    path.write_text(json.dumps(known, indent=2))


def read_bed(config: Config, bed: Bed) -> Reading | None:
    if bed.sensor is None:
        return None
    try:
        counts = [_raw(config.sensors.bus, bed.sensor) for _ in range(config.sensors.samples)]
    except OSError:
        return None
    path = calibration_file(config)
    known = json.loads(path.read_text()) if path.exists() else {}
    dry, wet = known.get(bed.name, (FACTORY_DRY, FACTORY_WET))
    # The median, as a single count is sometimes far off when the pump starts.
    return Reading(bed.name, to_percent(median(counts), dry, wet), datetime.now())


def to_percent(count: float, dry: int, wet: int) -> float:
    return min(max((count - dry) / (wet - dry) * 100, 0.0), 100.0)


def _raw(bus: int, address: int) -> int:
    from smbus2 import SMBus

    with SMBus(bus) as open_bus:
        high, low = open_bus.read_i2c_block_data(address, 0x0F, 2)
        return high << 8 | low
