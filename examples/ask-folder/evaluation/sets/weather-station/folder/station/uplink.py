"""Sends summaries to the regional network."""

import http.client
import json
import logging
import time
from collections import deque

log = logging.getLogger("uplink")

QUANTITIES = ("temperature", "humidity", "pressure", "wind", "rain")

# Summaries that could not be sent are kept in memory, oldest dropped first.
BACKLOG = 432


class Uplink:
    def __init__(self, config, store):
        self.config = config.uplink
        self.site = config.site.name
        self.store = store
        self.waiting = deque(maxlen=BACKLOG)
        self.pause = 0

    def run(self, stop):
        while not stop.wait(self.config.interval_min * 60 + self.pause):
            self.waiting.append(self.summary())
            self.flush()

    def summary(self):
        body = {"site": self.site, "at": int(time.time())}
        for quantity in QUANTITIES:
            row = self.store.latest(quantity)
            if row is not None:
                body[quantity] = round(row[0], 2)
        return body

    def flush(self):
        while self.waiting:
            status = self._post(self.waiting[0])
            if status == 429:
                # They ban stations that hammer them, so back off generously.
                self.pause = min(self.pause * 2 or 300, 3600)
                log.warning("told to slow down, pausing %d s more", self.pause)
                return
            if status is None or status >= 500:
                return
            if status >= 400:
                log.error("summary refused with %d, thrown away", status)
            self.pause = 0
            self.waiting.popleft()

    def _post(self, body):
        try:
            link = http.client.HTTPSConnection(self.config.host, self.config.port, timeout=15)
            link.request(
                "POST", "/v2/observations", json.dumps(body),
                {"Content-Type": "application/json", "Authorization": f"Bearer {self.config.token}"},
            )
            return link.getresponse().status
        except OSError as error:
            log.info("network not reachable: %s", error)
            return None
