"""The page on the screen in the hall."""

import json
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

PAGE = Path(__file__).with_name("page.html")

# A value older than this is shown in grey.
STALE_S = 900


def handler(store):
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            if self.path == "/":
                self._send(200, "text/html; charset=utf-8", PAGE.read_bytes())
            elif self.path == "/now.json":
                self._send(200, "application/json", json.dumps(current(store)).encode())
            elif self.path == "/healthz":
                fresh = store.latest("temperature")
                ok = fresh is not None and time.time() - fresh[1] < STALE_S
                self._send(200 if ok else 503, "text/plain", b"ok\n" if ok else b"stale\n")
            else:
                self._send(404, "text/plain", b"not here\n")

        def _send(self, status, kind, body):
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    return Handler


def current(store):
    now = time.time()
    values = {}
    for quantity in ("temperature", "humidity", "pressure", "wind"):
        row = store.latest(quantity)
        if row is not None:
            values[quantity] = {"value": round(row[0], 1), "stale": now - row[1] > STALE_S}
    # The meteorological day starts at seven in the morning.
    start = time.localtime(now - 7 * 3600)
    midnight = time.mktime((start.tm_year, start.tm_mon, start.tm_mday, 7, 0, 0, 0, 0, -1))
    values["rain_today"] = {"value": round(store.total("rain", midnight), 1), "stale": False}
    return values


def serve(config, store, stop):
    server = ThreadingHTTPServer((config.bind, config.port), handler(store))
    server.timeout = 1
    while not stop.is_set():
        server.handle_request()
    server.server_close()
