from decimal import Decimal

from shop.money import as_text, percent_of, share


def test_rounds_half_to_even():
    assert percent_of(250, Decimal(1)) == 2
    assert percent_of(350, Decimal(1)) == 4


def test_shares_every_cent():
    assert share(100, [1, 1, 1]) == [34, 33, 33]


def test_writes_euros():
    assert as_text(1_905) == "€ 19.05"
