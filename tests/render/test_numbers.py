"""Printed limits never promise more than the computed ones."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.render.phrases import UNKNOWN, confidence, digits_for, p_value, percent, rounded, significant

anywhere = st.floats(allow_nan=False, allow_infinity=False)
unit = st.floats(0, 1)
places = st.integers(0, 15)
careful = settings(deadline=None, derandomize=True)


@given(anywhere | unit, places)
@careful
def test_a_printed_upper_limit_is_never_below_the_value(value: float, digits: int) -> None:
    # The float read back, and even the decimal as written, against the shortest decimal that means the value.
    assert float(rounded(value, digits, "up")) >= value
    assert Fraction(rounded(value, digits, "up")) >= Fraction(repr(value))


@given(anywhere | unit, places)
@careful
def test_a_printed_lower_limit_is_never_above_the_value(value: float, digits: int) -> None:
    assert float(rounded(value, digits, "down")) <= value
    assert Fraction(rounded(value, digits, "down")) <= Fraction(repr(value))


@given(unit, places)
@careful
def test_a_printed_number_is_within_one_unit_of_its_last_place(value: float, digits: int) -> None:
    unit_of_last_place = Fraction(1, 10**digits)
    for way in ("up", "down", "nearest"):
        off = abs(Fraction(rounded(value, digits, way)) - Fraction(repr(value)))
        assert off < unit_of_last_place
        if way == "nearest":
            assert off <= unit_of_last_place / 2


@given(anywhere | unit, st.integers(2, 15))
@careful
def test_percentages_are_rounded_the_same_way(value: float, digits: int) -> None:
    assert percent(value, digits, "up").endswith(" %")
    assert Fraction(percent(value, digits, "up")[:-2]) >= 100 * Fraction(repr(value))
    assert Fraction(percent(value, digits, "down")[:-2]) <= 100 * Fraction(repr(value))


@pytest.mark.parametrize(
    ("value", "digits", "way", "expected"),
    [
        (0.1, 3, "up", "0.100"),  # 0.1 the float is more than 0.1, but means 0.1
        (0.1, 3, "down", "0.100"),
        (0.45888, 3, "up", "0.459"),
        (0.12279, 3, "down", "0.122"),
        (1e-9, 3, "up", "0.001"),
        (1e-9, 3, "down", "0.000"),
        (1.0, 3, "up", "1.000"),
        (0.0, 3, "down", "0.000"),
        (-0.0004, 3, "down", "-0.001"),
        (0.0005, 3, "nearest", "0.000"),
        (1e16, 3, "up", "10000000000000000.000"),
        (None, 3, "up", UNKNOWN),
        (float("nan"), 3, "up", UNKNOWN),
    ],
)
def test_rounded(value: float | None, digits: int, way: str, expected: str) -> None:
    assert rounded(value, digits, way) == expected


def test_percent() -> None:
    assert percent(0.12279, 3, "down") == "12.2 %"
    assert percent(0.45888, 3, "up") == "45.9 %"
    assert percent(None, 3, "up") == UNKNOWN
    assert percent(float("nan"), 3, "up") == UNKNOWN


@given(st.floats(1e-12, 2))
@careful
def test_enough_digits_to_see_the_width(width: float) -> None:
    digits = digits_for(width)
    assert 3 <= digits <= 15
    assert width * 10**digits >= 10 or digits == 15  # two figures of it, at least


def test_no_width_needs_no_more_than_three_digits() -> None:
    assert digits_for(0.0) == 3
    assert digits_for(1e-300) == 15


@pytest.mark.parametrize(
    ("delta", "expected"),
    [
        (0.05, "95 %"),
        (0.1, "90 %"),
        (1e-12, "99.9999999999 %"),
        (0.025, "97.5 %"),
        (0.5, "50 %"),
        (0.999, "0.1 %"),
        (0.9, "10 %"),
    ],
)
def test_confidence(delta: float, expected: str) -> None:
    assert confidence(delta) == expected


@given(st.integers(1, 10**12 - 1))
@careful
def test_confidence_neither_invents_nor_loses_digits(part: int) -> None:
    delta = part / 10**12
    assert Fraction(confidence(delta)[:-2]) == 100 * (1 - Fraction(part, 10**12))


@given(st.floats(0, 1, exclude_min=True, exclude_max=True))
@careful
def test_a_printed_confidence_is_never_above_the_real_one(delta: float) -> None:
    said, real = Fraction(confidence(delta)[:-2]), 100 * (1 - Fraction(repr(delta)))
    assert said <= real
    assert real - said < Fraction(1, 10**12)
    assert said < 100


@pytest.mark.parametrize("value", [0.7, 0.7000000000000044, 0.6999999999999952])
def test_the_last_places_do_not_decide_a_digit_that_is_shown(value: float) -> None:
    assert significant(value, 2, "up") == significant(value, 3, "down") == "0.7"
    assert p_value(value) == "0.7000"
