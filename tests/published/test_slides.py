"""The slides' numbers: the z table, two intervals at 80 % and one at 90 %, each with a status that is computed.

Printed numbers stay strings, so that their digits say how far they were meant. A number is reproduced where the exact
value rounds to it: the slides round (2.576 is printed as 2.58), they do not truncate. Else it is a misprint.
"""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple

import numpy as np
import pytest
from studies.slides.numbers import EIGHTY, NINETY, Z_TABLE, cut, rounded_before

import holdfast as hf
from holdfast.bounds.binomial import normal_quantile


class Status(NamedTuple):
    """Whether a printed number is right, and how it came about."""

    reproduced: bool
    reason: str


def status(printed: str, value: float) -> Status:
    """How `value` became `printed`, or what it should have become."""
    wanted = Decimal(printed)
    digits = -int(wanted.as_tuple().exponent)
    if cut(value, digits) == wanted:
        return Status(True, "rounded")
    if cut(cut(value, digits + 1), digits) == wanted:
        way = f"{value:.5f}, {cut(value, digits + 1)}, {wanted}"
        return Status(False, f"rounded twice: {way}; it is {cut(value, digits)}")
    return Status(False, f"it is {value:.5f}")


def by_method(k: int, n: int, printed: tuple[str, str], confidence: str, unit: float = 1.0) -> dict[str, list[Status]]:
    """The status of both limits under each of the two formulas that might be behind them."""
    claims = {name: hf.bound(hf.Counts(k, n), name, confidence=confidence) for name in ("normal", "wilson")}
    return {
        name: [status(text, unit * limit) for text, limit in zip(printed, (claim.lower, claim.upper), strict=True)]
        for name, claim in claims.items()
    }


@pytest.mark.parametrize(("tail", "printed"), Z_TABLE)
def test_z_table(tail: str, printed: str) -> None:
    z = float(normal_quantile(np.asarray(float(tail))))
    assert abs(z - float(printed)) < 0.01
    assert status(printed, z).reproduced or status(printed, z).reason.startswith("rounded twice")


def test_only_one_line_of_the_z_table_is_a_misprint() -> None:
    found = {tail: status(printed, float(normal_quantile(np.asarray(float(tail))))) for tail, printed in Z_TABLE}
    wrong = {tail: each.reason for tail, each in found.items() if not each.reproduced}
    assert wrong == {"0.05": "rounded twice: 1.64485, 1.645, 1.65; it is 1.64"}


@pytest.mark.parametrize(("k", "n", "printed"), EIGHTY)
def test_the_80_per_cent_examples_are_wilson_intervals(k: int, n: int, printed: tuple[str, str]) -> None:
    """The slides derive only the normal interval, but it does not give their numbers.

    Truncated it would give the first pair as well; for the second pair no way of cutting it short will do.
    """
    found = by_method(k, n, printed, "0.8", unit=100.0)
    assert all(each.reproduced for each in found["wilson"]), found
    assert not all(each.reproduced for each in found["normal"]), found


def test_no_way_of_cutting_makes_the_second_80_per_cent_example_normal() -> None:
    k, n, printed = EIGHTY[1]
    claim = hf.bound(hf.Counts(k, n), "normal", confidence="0.8")
    for text, limit in zip(printed, (claim.lower, claim.upper), strict=True):
        assert abs(100 * limit - float(text)) > 0.1


def test_the_90_per_cent_example_is_neither_as_it_stands() -> None:
    found = by_method(*NINETY, "0.9")
    assert not any(each.reproduced for name in found for each in found[name]), found
    claim = hf.bound(hf.Counts(70, 100), "normal", confidence="0.9")
    assert (cut(claim.lower, 3), cut(claim.upper, 3)) == (Decimal("0.625"), Decimal("0.775"))


def test_rounding_on_the_way_explains_the_90_per_cent_example() -> None:
    """Either number rounded before use would do; the slide shows that both were."""
    printed = tuple(Decimal(text) for text in NINETY[2])
    for z, error in ((True, False), (False, True), (True, True)):
        assert rounded_before(z, error) == printed
    assert rounded_before(False, False) == (Decimal("0.625"), Decimal("0.775"))


@pytest.mark.parametrize(
    ("printed", "value", "expected"),
    [
        ("1.64", 1.6449, Status(True, "rounded")),
        ("1.64", 1.6479, Status(False, "it is 1.64790")),
        ("1.66", 1.6449, Status(False, "it is 1.64490")),
    ],
)
def test_a_status_can_go_either_way(printed: str, value: float, expected: Status) -> None:
    assert status(printed, value) == expected
