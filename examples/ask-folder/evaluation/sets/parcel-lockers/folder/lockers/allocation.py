"""Chooses a compartment for a parcel."""

from lockers.models import Compartment, Resident, Size, State

ORDER = [Size.SMALL, Size.MEDIUM, Size.LARGE, Size.BULKY]


class NoRoom(Exception):
    """No compartment fits. The courier is asked to deliver to the door."""


def fits(measures: tuple[int, int, int], size: Size) -> bool:
    """A parcel may be turned, so only the sorted measures count."""
    return all(a <= b for a, b in zip(sorted(measures), sorted(size.value)))


def choose(
    measures: tuple[int, int, int],
    resident: Resident,
    compartments: list[Compartment],
) -> Compartment:
    free = [c for c in compartments if c.state is State.FREE]
    if resident.needs_accessible:
        free = [c for c in free if c.accessible]
    else:
        # Leave the accessible ones to those who need them, as long as there are others.
        free.sort(key=lambda c: c.accessible)
    for size in ORDER:
        if not fits(measures, size):
            continue
        for compartment in free:
            if compartment.size is size:
                return compartment
    raise NoRoom
