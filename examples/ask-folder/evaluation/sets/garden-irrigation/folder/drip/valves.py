"""The relay board, and one that only pretends."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Protocol

log = logging.getLogger(__name__)

BOARD_ADDRESS = 0x20

# The valves hammer the pipe when two of them switch in the same instant.
GAP_SECONDS = 1.5


class Board(Protocol):
    def open(self, relay: int) -> "AsyncIterator[None]": ...


class RelayBoard:
    def __init__(self, bus: int) -> None:
        from smbus2 import SMBus  # not installed on laptops

        self._bus = SMBus(bus)
        self._state = 0
        self._lock = asyncio.Lock()
        self._write(0)

    @asynccontextmanager
    async def open(self, relay: int) -> AsyncIterator[None]:
        await self._switch(relay, True)
        try:
            yield
        finally:
            # Also when the task is cancelled: a valve must never stay open because of us.
            await asyncio.shield(self._switch(relay, False))

    async def _switch(self, relay: int, on: bool) -> None:
        async with self._lock:
            bit = 1 << (relay - 1)
            self._state = self._state | bit if on else self._state & ~bit
            self._write(self._state)
            await asyncio.sleep(GAP_SECONDS)

    def _write(self, state: int) -> None:
        # The outputs are active low.
        self._bus.write_byte(BOARD_ADDRESS, ~state & 0xFF)


class SimulatedBoard:
    @asynccontextmanager
    async def open(self, relay: int) -> AsyncIterator[None]:
        log.info("relay %d on", relay)
        try:
            yield
        finally:
            log.info("relay %d off", relay)
