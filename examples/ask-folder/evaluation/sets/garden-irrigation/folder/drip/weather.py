"""Fetches the forecast. It is a hint: without it, watering goes on."""

from __future__ import annotations

import logging
import time
from typing import Any

import httpx

from .config import Section

log = logging.getLogger(__name__)

ATTEMPTS = 3
USER_AGENT = "drip/2 (garden association)"


class Forecast:
    def __init__(self, config: Section) -> None:
        self._config = config
        self._cached: list[float] | None = None
        self._fetched_at = 0.0

    async def next_hours(self, hours: int) -> float | None:
        """Millimetres of rain expected, or None when nobody knows."""
        hourly = await self._hourly()
        return None if hourly is None else sum(hourly[:hours])

    async def _hourly(self) -> list[float] | None:
        age = time.monotonic() - self._fetched_at
        if self._cached is not None and age < self._config.cache_minutes * 60:
            return self._cached
        async with httpx.AsyncClient(timeout=self._config.timeout_s, headers={"user-agent": USER_AGENT}) as client:
            for attempt in range(ATTEMPTS):
                try:
                    response = await client.get(self._config.url)
                    response.raise_for_status()
                except httpx.HTTPError as error:
                    log.info("forecast, attempt %d: %s", attempt + 1, error)
                    continue
                self._cached = parse(response.json())
                self._fetched_at = time.monotonic()
                return self._cached
        # Yesterday's forecast is worse than none.
        return None


def parse(body: dict[str, Any]) -> list[float]:
    """The service reports tenths of a millimetre, and -1 for an hour it knows nothing of."""
    return [max(value, 0) / 10 for value in body["precip"]["hourly"]]
