"""Made-up values for working on the software at a desk."""

import math
import random
import time


class SimulatedSensor:
    interval = 5

    def __init__(self, name, clock=time.time):
        self.name = name
        self.clock = clock

    def read(self):
        wave = math.sin((self.clock() % 86400) / 86400 * 2 * math.pi - 2.0)
        if self.name == "climate":
            return {"temperature": 12 + 7 * wave, "humidity": 65 - 20 * wave}
        if self.name == "barometer":
            return {"pressure": 968 + random.uniform(-0.1, 0.1)}
        if self.name == "wind":
            return {"wind": max(0.0, random.gauss(3, 1.5))}
        return {"rain": 0.2794 if random.random() < 0.02 else 0.0}
