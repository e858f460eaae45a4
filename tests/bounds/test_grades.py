"""Three declared values: as the reference has it, and the promise by enumeration."""

from __future__ import annotations

from itertools import product
from math import factorial

import numpy as np
import pytest

from holdfast.bounds.paired import nested_fisher, paired_fisher
from holdfast.errors import InvalidEvidence
from holdfast.evidence import Paired
from holdfast.evidence.losses import Grades
from tests.reference.designs import cases
from tests.tries import tries


@pytest.mark.parametrize("case", cases("three levels"), ids=lambda case: str(case["inputs"]))
def test_limits_are_those_of_the_reference(case: dict) -> None:
    given = case["inputs"]
    claim = nested_fisher(Grades.of(given["counts"], given["levels"]), 2 * given["delta_each_side"])
    assert (claim.lower, claim.upper) == pytest.approx((case["expect"]["lower"], case["expect"]["upper"]), abs=1e-11)


def test_of_wins_and_losses_it_is_paired_fisher() -> None:
    for won, lost in product((0, 3, 20), repeat=2):
        pair, grades = Paired(won, lost, 50), Grades.of([won, 50 - won - lost, lost], (-1, 0, 1))
        one, other = paired_fisher(pair), nested_fisher(grades)
        assert (one.estimate, one.lower, one.upper) == pytest.approx(
            (other.estimate, other.lower, other.upper), abs=1e-13
        )


def coverage(n: int, levels: tuple[float, float, float], delta: float, side: str) -> float:
    """The least over many laws of three values."""
    counts = np.array([(a, b, n - a - b) for a in range(n + 1) for b in range(n + 1 - a)])
    claims = nested_fisher(Grades.of(counts, levels), delta, side)  # type: ignore[arg-type]
    ways = np.array([factorial(n) / np.prod([factorial(k) for k in row]) for row in counts.tolist()])
    least = 1.0
    for first, second in product(np.linspace(0, 1, 41), repeat=2):
        law = np.array([first, (1 - first) * second, (1 - first) * (1 - second)])
        mean = law @ np.array(levels)
        chance = ways * np.prod(law**counts, axis=1)
        held = (np.asarray(claims.lower) <= mean + 1e-12) & (mean - 1e-12 <= np.asarray(claims.upper))
        least = min(least, float(chance[held].sum()))
    return least


@tries("nested-fisher", how="enumerated")
@pytest.mark.parametrize("levels", [(0, 0.5, 1), (0, 0.1, 1), (0, 0.9, 1)], ids=str)
@pytest.mark.parametrize("side", ["upper", "lower", "both"])
def test_the_promise_is_kept_in_every_sample_that_can_be_drawn(levels: tuple[float, float, float], side: str) -> None:
    for n, delta in ((1, 0.3), (4, 0.3), (9, 0.05)):
        assert coverage(n, levels, delta, side) >= 1 - delta - 1e-12


def test_the_promise_is_not_kept_by_silence() -> None:
    assert coverage(9, (0, 0.5, 1), 0.3, "upper") < 0.95


def test_the_mirror_and_arrays() -> None:
    several = Grades.of([[7, 2, 1], [1, 2, 7], [0, 0, 0]], (1, 2, 4))
    claims = nested_fisher(several, 0.1)
    one = nested_fisher(Grades.of([7, 2, 1], (1, 2, 4)), 0.1)
    assert (claims.lower[0], claims.upper[0]) == (one.lower, one.upper)  # type: ignore[index]
    turned = nested_fisher(Grades.of([1, 2, 7], (-4, -2, -1)), 0.1)
    assert (-turned.upper, -turned.lower) == pytest.approx((one.lower, one.upper), rel=1e-12)
    assert (claims.lower[2], claims.upper[2]) == (1.0, 4.0)  # type: ignore[index]
    assert one.estimate == pytest.approx(1.5)


@pytest.mark.parametrize(
    ("counts", "levels"), [([1, 2], (0, 1)), ([1, 2, 3], (0, 1, 1)), ([1, 2, 3], (0, 0.5)), ([1, 2], (0, 0.5, 1))]
)
def test_what_are_no_three_rising_values_is_refused(counts: list[int], levels: tuple[float, ...]) -> None:
    with pytest.raises(InvalidEvidence, match="three rising values"):
        Grades.of(counts, levels)
