"""Everything that is screwed to the mast."""

from station.sensors.simulated import SimulatedSensor


def build(config, simulate):
    if simulate:
        return [SimulatedSensor(name) for name in ("climate", "rain", "wind", "barometer")]

    # Imported late: the GPIO library only exists on the Pi.
    from station.sensors.barometer import Barometer
    from station.sensors.climate import Climate
    from station.sensors.pulses import RainGauge, WindCups

    return [
        Climate(config.polling.temperature_s),
        RainGauge(config.rain),
        WindCups(config.wind, config.polling.wind_s),
        Barometer(config.polling.pressure_s),
    ]
