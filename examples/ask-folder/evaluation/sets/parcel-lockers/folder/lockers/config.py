"""Reads and checks the configuration."""

import tomllib
from dataclasses import dataclass, field
from pathlib import Path


class ConfigError(Exception):
    """The configuration cannot be used. The message is for the person who wrote it."""


@dataclass(frozen=True)
class Building:
    name: str
    timezone: str


@dataclass(frozen=True)
class Hardware:
    driver: str
    device: str = ""
    baud: int = 38400


@dataclass(frozen=True)
class DatabaseFile:
    path: str


@dataclass(frozen=True)
class Http:
    host: str
    port: int


@dataclass(frozen=True)
class Notify:
    channel: str
    sender: str = ""
    quiet_from: str = ""
    quiet_until: str = ""


@dataclass(frozen=True)
class Log:
    level: str = "info"


@dataclass(frozen=True)
class Config:
    building: Building
    hardware: Hardware
    database: DatabaseFile
    http: Http
    notify: Notify
    log: Log = field(default_factory=Log)


SECTIONS = {
    "building": Building,
    "hardware": Hardware,
    "database": DatabaseFile,
    "http": Http,
    "notify": Notify,
    "log": Log,
}


def load(path: str) -> Config:
    try:
        raw = tomllib.loads(Path(path).read_text("utf-8"))
    except FileNotFoundError:
        raise ConfigError(f"there is no file {path}") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is not TOML: {error}") from None

    unknown = set(raw) - set(SECTIONS)
    if unknown:
        # A misspelt section was ignored once and a building ran with the defaults for a week.
        raise ConfigError(f"unknown sections: {', '.join(sorted(unknown))}")

    parts = {}
    for name, kind in SECTIONS.items():
        try:
            parts[name] = kind(**raw.get(name, {}))
        except TypeError as error:
            raise ConfigError(f"section {name}: {error}") from None
    return Config(**parts)
