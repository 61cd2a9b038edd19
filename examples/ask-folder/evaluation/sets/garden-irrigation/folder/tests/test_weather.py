from drip.weather import parse


def test_tenths_of_a_millimetre() -> None:
    assert parse({"precip": {"hourly": [0, 5, 12]}}) == [0, 0.5, 1.2]


def test_unknown_hours_count_as_dry() -> None:
    assert parse({"precip": {"hourly": [-1, 10]}}) == [0, 1]
