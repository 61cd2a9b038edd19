"""Plausibility of single readings.

A reading is never dropped: it is stored with a verdict, and the page and
the uplink leave out what is not "ok".
"""

# Physical limits at this site, lower and upper.
LIMITS = {
    "temperature": (-35.0, 45.0),
    "humidity": (2.0, 100.0),
    "pressure": (870.0, 1060.0),
    "wind": (0.0, 60.0),
    "rain": (0.0, 12.0),
}

# Largest believable change within one minute.
STEPS = {
    "temperature": 3.0,
    "humidity": 15.0,
    "pressure": 0.8,
}


class Gate:
    def __init__(self):
        self.last = {}

    def check(self, quantity, value, at):
        low, high = LIMITS[quantity]
        if not low <= value <= high:
            return "range"
        step = STEPS.get(quantity)
        before = self.last.get(quantity)
        self.last[quantity] = (value, at)
        if step is not None and before is not None:
            minutes = max((at - before[1]) / 60.0, 0.5)
            if abs(value - before[0]) / minutes > step:
                return "jump"
        return "ok"
