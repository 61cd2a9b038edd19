"""Sensors that close a reed contact: rain gauge and wind cups."""

import threading
import time

from gpiozero import Button


class Counter:
    def __init__(self, pin, bounce=None):
        self.lock = threading.Lock()
        self.count = 0
        self.button = Button(pin, bounce_time=bounce)
        self.button.when_pressed = self._hit

    def _hit(self):
        with self.lock:
            self.count += 1

    def take(self):
        with self.lock:
            count, self.count = self.count, 0
        return count


class RainGauge:
    name = "rain"
    interval = 60

    def __init__(self, config):
        self.per_tip = config.mm_per_tip
        # The bucket swings back a little and would count twice.
        self.counter = Counter(config.pin, config.debounce_ms / 1000)

    def read(self):
        return {"rain": self.counter.take() * self.per_tip}


class WindCups:
    name = "wind"

    def __init__(self, config, interval):
        self.interval = interval
        self.factor = config.factor
        self.counter = Counter(config.pin)
        self.since = time.monotonic()

    def read(self):
        now = time.monotonic()
        elapsed, self.since = now - self.since, now
        if elapsed <= 0:
            return {}
        return {"wind": self.counter.take() / elapsed * self.factor}
