"""Combined temperature and humidity probe on the I2C bus."""

import time

from smbus2 import SMBus

ADDRESS = 0x44
MEASURE_HIGH = (0x24, 0x00)
HEATER_ON = (0x30, 0x6D)
HEATER_OFF = (0x30, 0x66)


def crc(data):
    value = 0xFF
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = ((value << 1) ^ 0x31) & 0xFF if value & 0x80 else (value << 1) & 0xFF
    return value


class Climate:
    name = "climate"

    def __init__(self, interval, bus=1):
        self.interval = interval
        self.bus = SMBus(bus)
        self.wet_since = None

    def read(self):
        self.bus.write_byte_data(ADDRESS, *MEASURE_HIGH)
        time.sleep(0.016)
        raw = bytes(self.bus.read_i2c_block_data(ADDRESS, 0, 6))
        if crc(raw[0:2]) != raw[2] or crc(raw[3:5]) != raw[5]:
            raise OSError("checksum of the probe is wrong, is the cable wet?")
        temperature = -45 + 175 * int.from_bytes(raw[0:2]) / 65535
        humidity = 100 * int.from_bytes(raw[3:5]) / 65535
        self._dry_out(humidity)
        return {"temperature": temperature, "humidity": humidity}

    def _dry_out(self, humidity):
        """In fog the probe sticks at 100 %; three hours of that and it is heated for a moment."""
        if humidity < 99.5:
            self.wet_since = None
            return
        now = time.monotonic()
        if self.wet_since is None:
            self.wet_since = now
        elif now - self.wet_since > 3 * 3600:
            self.bus.write_byte_data(ADDRESS, *HEATER_ON)
            time.sleep(20)
            self.bus.write_byte_data(ADDRESS, *HEATER_OFF)
            self.wet_since = now
