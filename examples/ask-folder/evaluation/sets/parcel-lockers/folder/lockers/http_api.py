"""The HTTP interface for the courier apps and the door panel."""

import json
import logging
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from lockers.allocation import NoRoom, choose
from lockers.codes import Lockout, new_code, normalise

log = logging.getLogger("hatchway.http")

# Couriers send a photo of the label; nothing else is ever this big.
MAX_BODY = 3 * 1024 * 1024


def serve(http, database, controller, notifier, stop) -> None:
    lockout = Lockout()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path == "/healthz":
                self._answer(200, {"controller": controller.alive(), "stored": len(database.stored())})
            else:
                self._answer(404, {"error": "not found"})

        def do_POST(self) -> None:
            length = int(self.headers.get("content-length", "0"))
            if length > MAX_BODY:
                self._answer(413, {"error": "too large"})
                return
            body = json.loads(self.rfile.read(length))
            if self.path == "/drop":
                self._drop(body)
            elif self.path == "/pickup":
                self._pickup(body)
            else:
                self._answer(404, {"error": "not found"})

        def _drop(self, body) -> None:
            resident = database.resident(body["flat"])
            if resident is None:
                self._answer(422, {"error": "no such flat"})
                return
            try:
                compartment = choose(tuple(body["measures"]), resident, database.compartments())
            except NoRoom:
                # The courier apps show the text of a 409 as it is.
                self._answer(409, {"error": "Lockers are full. Please deliver to the door."})
                return
            code = new_code(database.codes())
            parcel = database.store(resident, compartment, code)
            controller.open(compartment.number)
            notifier.arrived(parcel)
            self._answer(201, {"compartment": compartment.number})

        def _pickup(self, body) -> None:
            now = time.monotonic()
            if lockout.blocked(now):
                self._answer(429, {"error": "wait"})
                return
            parcel = database.by_code(normalise(body["code"]))
            if parcel is None:
                lockout.wrong(now)
                self._answer(403, {"error": "wrong code"})
                return
            lockout.right()
            controller.open(parcel.compartment.number)
            database.collected(parcel)
            self._answer(200, {"compartment": parcel.compartment.number})

        def _answer(self, status: int, value) -> None:
            data = json.dumps(value).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args) -> None:
            log.debug(format, *args)

    server = ThreadingHTTPServer((http.host, http.port), Handler)
    server.timeout = 0.5
    while not stop.is_set():
        server.handle_request()
    server.server_close()
