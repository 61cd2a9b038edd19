"""Quantities that no sensor measures."""

import math


def sea_level_pressure(pressure, temperature, altitude):
    """Barometric formula, good to about 0.3 hPa below 1000 m."""
    lapse = 0.0065 * altitude
    return pressure * (1 - lapse / (temperature + lapse + 273.15)) ** -5.257


def dew_point(temperature, humidity):
    """Magnus formula with the constants for water."""
    a, b = 17.62, 243.12
    gamma = math.log(humidity / 100.0) + a * temperature / (b + temperature)
    return b * gamma / (a - gamma)


def wind_chill(temperature, wind):
    """Felt temperature; only meant for cold and moving air.

    Above 10 degrees or in wind of less than 4.8 km/h the air temperature
    itself is returned.
    """
    kmh = wind * 3.6
    if temperature > 10 or kmh < 4.8:
        return temperature
    power = kmh ** 0.16
    return 13.12 + 0.6215 * temperature - 11.37 * power + 0.3965 * temperature * power


def beaufort(wind):
    bounds = (0.3, 1.6, 3.4, 5.5, 8.0, 10.8, 13.9, 17.2, 20.8, 24.5, 28.5, 32.7)
    return sum(wind >= bound for bound in bounds)
