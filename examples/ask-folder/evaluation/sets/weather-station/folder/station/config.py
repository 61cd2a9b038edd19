"""Reads station.toml into plain objects."""

import os
import tomllib
from types import SimpleNamespace

REQUIRED = ("site", "polling", "rain", "wind", "store", "web")


class ConfigError(Exception):
    """The configuration cannot be used."""


def _section(value):
    if isinstance(value, dict):
        return SimpleNamespace(**{key: _section(item) for key, item in value.items()})
    return value


def load(path):
    try:
        with open(path, "rb") as file:
            raw = tomllib.load(file)
    except FileNotFoundError:
        raise ConfigError(f"no configuration at {path}") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: {error}") from None

    missing = [name for name in REQUIRED if name not in raw]
    if missing:
        raise ConfigError(f"{path}: missing section {', '.join(missing)}")

    raw.setdefault("uplink", {"enabled": False})

    # The only value that may come from the environment: the token for
    # the regional network never goes into the file.
    raw["uplink"]["token"] = os.environ.get("STATION_UPLINK_TOKEN", "")

    if raw["polling"]["wind_s"] > 5:
        raise ConfigError("polling.wind_s: gusts are missed above 5 seconds")
    return _section(raw)
