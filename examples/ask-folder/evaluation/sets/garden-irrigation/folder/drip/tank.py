"""The rain water tank behind the shed."""

from __future__ import annotations

import logging

from .config import Section

log = logging.getLogger(__name__)

# The ultrasonic sensor sits this far above the full mark.
SENSOR_OFFSET_CM = 18
DEPTH_CM = 160


class Tank:
    def __init__(self, config: Section) -> None:
        self._config = config
        self._distance_cm: float | None = None

    def measured(self, distance_cm: float) -> None:
        # Spiders live in the tube. A distance below the offset is one of them.
        if distance_cm < SENSOR_OFFSET_CM:
            log.debug("ignored: %.1f cm", distance_cm)
            return
        self._distance_cm = distance_cm

    def litres(self) -> float | None:
        if self._distance_cm is None:
            return None
        level = DEPTH_CM - (self._distance_cm - SENSOR_OFFSET_CM)
        return max(level, 0) / DEPTH_CM * float(self._config.capacity_l)

    def enough(self, wanted: float) -> bool:
        available = self.litres()
        if available is None or self._config.switch_to_mains:
            return True
        return available - wanted >= self._config.reserve_l
