from datetime import datetime

from drip.models import Bed, Reading
from drip.scheduler import MAX_MINUTES, Scheduler

BED = Bed(name="beans", relay=2, litres_per_minute=5.5, sensor=0x37, target=50)


def reading(percent: float) -> Reading:
    return Reading("beans", percent, datetime(2031, 6, 1, 4, 30))


def bare() -> Scheduler:
    return Scheduler.__new__(Scheduler)


def test_wet_soil_gets_nothing() -> None:
    assert bare().minutes_for(BED, reading(70)) == 0


def test_dry_soil_gets_a_share() -> None:
    assert bare().minutes_for(BED, reading(40)) == 7


def test_never_longer_than_the_limit() -> None:
    assert bare().minutes_for(BED, reading(0)) == MAX_MINUTES
