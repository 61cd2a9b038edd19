"""Reads the settings: defaults, then the environment's file, then variables."""

import os
import tomllib
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "config"


def load() -> dict:
    environment = os.environ.get("SHOP_ENVIRONMENT", "development")
    settings = _read("default.toml")
    for section, values in _read(f"{environment}.toml").items():
        settings.setdefault(section, {}).update(values)
    settings["database"]["url"] = os.environ["SHOP_DATABASE_URL"]
    settings["payments"]["api_key"] = os.environ.get("PAYBRIDGE_API_KEY", "")
    settings["payments"]["webhook_secret"] = os.environ.get("PAYBRIDGE_WEBHOOK_SECRET", "")
    return settings


def _read(name: str) -> dict:
    path = FOLDER / name
    if not path.exists():
        return {}
    return tomllib.loads(path.read_text())
