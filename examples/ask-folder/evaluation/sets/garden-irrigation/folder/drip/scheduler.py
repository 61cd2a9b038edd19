"""Decides which bed is watered, and for how long."""

from __future__ import annotations

import asyncio
import logging
from datetime import datetime, timedelta

from .config import Config
from .models import Bed, Outcome, Reading, Run
from .moisture import read_bed
from .notify import Notifier
from .storage import Store
from .tank import Tank
from .valves import Board
from .weather import Forecast

log = logging.getLogger(__name__)

# A dry bed takes up about this much water for each percent, in minutes at full flow.
MINUTES_PER_PERCENT = 0.7

# Longer than this and the water only runs off into the path.
MAX_MINUTES = 22

# A failed sensor must not let a bed dry out: half of what it got the last time.
FALLBACK_SHARE = 0.5


class Scheduler:
    def __init__(self, config: Config, board: Board) -> None:
        self.config = config
        self.board = board
        self.store = Store(config.storage.path)
        self.forecast = Forecast(config.weather)
        self.tank = Tank(config.tank)
        self.notifier = Notifier(config.notify)
        self._paused_until: datetime | None = None

    def pause(self, hours: int) -> datetime:
        """Nobody can pause for longer than three days: it was forgotten once, in July."""
        self._paused_until = datetime.now() + timedelta(hours=min(hours, 72))
        return self._paused_until

    async def run_once(self) -> list[Run]:
        rain = await self.forecast.next_hours(12)
        wet = rain is not None and rain >= self.config.weather.skip_above_mm
        slots = asyncio.Semaphore(self.config.schedule.max_parallel)

        async def one(bed: Bed) -> Run:
            async with slots:
                return await self._water(bed, wet)

        # The thirstiest first, so that what falls off the end is what needed it least.
        runs = await asyncio.gather(*(one(bed) for bed in sorted(self.config.beds, key=self._thirst, reverse=True)))
        for run in runs:
            self.store.add(run)
        return list(runs)

    async def _water(self, bed: Bed, wet: bool) -> Run:
        now = datetime.now()
        if self._paused_until and now < self._paused_until:
            return Run(bed.name, Outcome.PAUSED, now, 0, 0.0)
        if wet:
            return Run(bed.name, Outcome.RAIN_EXPECTED, now, 0, 0.0)
        minutes = self.minutes_for(bed, read_bed(self.config, bed))
        if minutes <= 0:
            return Run(bed.name, Outcome.WET_ENOUGH, now, 0, 0.0)
        if not self.tank.enough(minutes * bed.litres_per_minute):
            self.notifier.send("no-water", f"{bed.name}: not enough water")
            return Run(bed.name, Outcome.NO_WATER, now, 0, 0.0)
        seconds = int(minutes * 60)
        async with self.board.open(bed.relay):
            await asyncio.sleep(seconds)
        return Run(bed.name, Outcome.WATERED, now, seconds, minutes * bed.litres_per_minute)

    def minutes_for(self, bed: Bed, reading: Reading | None) -> float:
        if bed.target is None:
            due = self.store.days_since_watered(bed.name) >= (bed.every_days or 1)
            return float(bed.minutes or 0) if due else 0.0
        if reading is None:
            log.warning("%s: no reading, falling back", bed.name)
            return self.store.last_minutes(bed.name) * FALLBACK_SHARE
        missing = bed.target - reading.percent
        return min(max(missing, 0) * MINUTES_PER_PERCENT, MAX_MINUTES)

    def _thirst(self, bed: Bed) -> float:
        reading = read_bed(self.config, bed)
        return (bed.target or 0) - reading.percent if reading else 0.0

    async def blow_out(self) -> None:
        for bed in self.config.beds:
            async with self.board.open(bed.relay):
                await asyncio.sleep(40)
