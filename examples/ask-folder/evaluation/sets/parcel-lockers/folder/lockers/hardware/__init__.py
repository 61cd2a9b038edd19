"""Door controllers."""

from lockers.hardware.fake import FakeController
from lockers.hardware.serial_bus import SerialController


def open_controller(hardware):
    if hardware.driver == "fake":
        return FakeController()
    if hardware.driver == "serial":
        return SerialController(hardware.device, hardware.baud)
    raise ValueError(f"unknown driver {hardware.driver!r}")
