import pytest

from lockers.allocation import NoRoom, choose
from lockers.models import Compartment, Resident, Size, State

ANYBODY = Resident(1, "3B", "000")
WHEELCHAIR = Resident(2, "1A", "000", needs_accessible=True)


def test_smallest_that_fits():
    hall = [Compartment(1, Size.LARGE), Compartment(2, Size.SMALL)]
    assert choose((30, 8, 20), ANYBODY, hall).number == 2


def test_accessible_ones_are_kept():
    hall = [Compartment(1, Size.SMALL, accessible=True), Compartment(2, Size.SMALL)]
    assert choose((30, 8, 20), ANYBODY, hall).number == 2
    assert choose((30, 8, 20), WHEELCHAIR, hall).number == 1


def test_full():
    with pytest.raises(NoRoom):
        choose((30, 8, 20), ANYBODY, [Compartment(1, Size.SMALL, state=State.OCCUPIED)])
