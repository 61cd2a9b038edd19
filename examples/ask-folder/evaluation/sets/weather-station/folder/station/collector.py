"""Polls the sensors, each at its own pace."""

import logging
import time

from station.quality import Gate
from station.sensors import build

log = logging.getLogger("collector")

# After this many failed reads in a row a sensor counts as dead and
# the display shows a dash in place of the value.
DEAD_AFTER = 6


class Collector:
    def __init__(self, config, store, simulate=False, clock=time.monotonic):
        self.store = store
        self.clock = clock
        self.gate = Gate()
        self.sensors = build(config, simulate)
        self.failures = {sensor.name: 0 for sensor in self.sensors}
        self.due = {sensor.name: 0.0 for sensor in self.sensors}

    def run(self, stop):
        while not stop.is_set():
            self.step()
            stop.wait(0.25)

    def step(self):
        now = self.clock()
        for sensor in self.sensors:
            if now < self.due[sensor.name]:
                continue
            self.due[sensor.name] = now + sensor.interval
            self._read(sensor)

    def _read(self, sensor):
        try:
            values = sensor.read()
        except OSError as error:
            self.failures[sensor.name] += 1
            if self.failures[sensor.name] == DEAD_AFTER:
                log.error("%s is dead: %s", sensor.name, error)
                self.store.mark_dead(sensor.name)
            return
        if self.failures[sensor.name] >= DEAD_AFTER:
            log.info("%s is back", sensor.name)
        self.failures[sensor.name] = 0
        for quantity, value in values.items():
            verdict = self.gate.check(quantity, value, time.time())
            self.store.add(quantity, value, verdict)
