"""What the other modules pass around."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import Enum


@dataclass(frozen=True)
class Bed:
    name: str
    relay: int
    litres_per_minute: float
    sensor: int | None = None
    target: int | None = None
    every_days: int | None = None
    minutes: int | None = None


@dataclass(frozen=True)
class Reading:
    bed: str
    percent: float
    at: datetime


class Outcome(Enum):
    WATERED = "watered"
    WET_ENOUGH = "wet_enough"
    RAIN_EXPECTED = "rain_expected"
    OUT_OF_TIME = "out_of_time"
    NO_WATER = "no_water"
    PAUSED = "paused"


@dataclass(frozen=True)
class Run:
    bed: str
    outcome: Outcome
    started: datetime
    seconds: int
    litres: float
