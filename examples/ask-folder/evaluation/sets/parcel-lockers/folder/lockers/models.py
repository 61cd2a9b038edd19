"""The things the service talks about."""

from dataclasses import dataclass
from datetime import datetime
from enum import Enum


class Size(Enum):
    """Inner measures of a compartment in centimetres: width, height, depth."""

    SMALL = (38, 10, 56)
    MEDIUM = (38, 22, 56)
    LARGE = (38, 46, 56)
    BULKY = (60, 90, 56)


class State(Enum):
    FREE = "free"
    RESERVED = "reserved"
    OCCUPIED = "occupied"
    # A door that did not report back after opening. A person has to look at it.
    JAMMED = "jammed"


@dataclass
class Compartment:
    number: int
    size: Size
    state: State = State.FREE
    # Compartments at knee height or above can be reached from a wheelchair.
    accessible: bool = False


@dataclass
class Resident:
    id: int
    flat: str
    phone: str
    needs_accessible: bool = False


@dataclass
class Parcel:
    id: int
    resident: Resident
    compartment: Compartment
    code: str
    stored_at: datetime
    reminded: int = 0
    collected_at: datetime | None = None
