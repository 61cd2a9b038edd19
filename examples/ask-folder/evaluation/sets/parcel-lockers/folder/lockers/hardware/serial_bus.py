"""The wire protocol of the door controller.

A frame is: start byte, command, compartment, checksum. The answer has the same form. The checksum is the exclusive or of the
three bytes before it.
"""

import logging
import threading
import time

import serial

log = logging.getLogger("hatchway.serial")

START = 0xA7
OPEN = 0x10
STATUS = 0x21
PING = 0x3F

ANSWER_TIMEOUT = 0.8
RETRIES = 3

# The coils share one power supply. Two at once make the voltage drop and neither bolt moves.
PAUSE_BETWEEN_DOORS = 0.35


class Jammed(Exception):
    pass


def checksum(data: bytes) -> int:
    value = 0
    for byte in data:
        value ^= byte
    return value


def frame(command: int, compartment: int = 0) -> bytes:
    head = bytes([START, command, compartment])
    return head + bytes([checksum(head)])


class SerialController:
    def __init__(self, device: str, baud: int) -> None:
        self._port = serial.Serial(device, baud, timeout=ANSWER_TIMEOUT)
        self._lock = threading.Lock()
        self._last_open = 0.0

    def alive(self) -> bool:
        try:
            self._ask(PING)
        except Jammed:
            return False
        return True

    def open(self, number: int) -> None:
        with self._lock:
            wait = self._last_open + PAUSE_BETWEEN_DOORS - time.monotonic()
            if wait > 0:
                time.sleep(wait)
            self._ask(OPEN, number)
            self._last_open = time.monotonic()

    def _ask(self, command: int, compartment: int = 0) -> bytes:
        for attempt in range(RETRIES):
            self._port.reset_input_buffer()
            self._port.write(frame(command, compartment))
            answer = self._port.read(4)
            if len(answer) == 4 and checksum(answer[:3]) == answer[3]:
                return answer
            log.warning("no good answer from compartment %s, attempt %s", compartment, attempt + 1)
        raise Jammed(f"compartment {compartment} does not answer")
