"""Reads the settings: the file first, then the environment."""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from .models import Bed

PREFIX = "DRIP_"


class ConfigError(Exception):
    """Something in the settings is missing or makes no sense."""


@dataclass
class Section:
    values: dict[str, Any]

    def __getattr__(self, name: str) -> Any:
        try:
            return self.values[name]
        except KeyError:
            raise ConfigError(f"setting {name} is missing") from None


@dataclass
class Config:
    schedule: Section
    weather: Section
    tank: Section
    sensors: Section
    notify: Section
    api: Section
    storage: Section
    beds: list[Bed]


def load(path: Path) -> Config:
    raw = tomllib.loads(path.read_text(encoding="utf-8"))
    for section, values in raw.items():
        for key, old in values.items():
            text = os.environ.get(f"{PREFIX}{section}_{key}".upper())
            if text is not None:
                values[key] = _like(old, text)
    beds = _beds(path.with_name("beds.toml"))
    names = [f.name for f in fields(Config) if f.name != "beds"]
    return Config(**{n: Section(raw.get(n, {})) for n in names}, beds=beds)


def _like(old: Any, text: str) -> Any:
    # bool is a kind of int in Python, so it has to come first.
    if isinstance(old, bool):
        return text.lower() in ("1", "true", "yes", "on")
    return type(old)(text)


def _beds(path: Path) -> list[Bed]:
    tables = tomllib.loads(path.read_text(encoding="utf-8")).get("bed", {})
    beds = [Bed(name=name, **table) for name, table in tables.items()]
    relays = [bed.relay for bed in beds]
    if len(set(relays)) != len(relays):
        raise ConfigError("two beds share one relay")
    return beds
