"""Errors among the unlabelled: against a search over every count, and the promise itself, counted out."""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np
import pytest
from scipy.stats import hypergeom

import holdfast as hf
from holdfast.bounds.binomial import hypergeometric
from holdfast.evidence import Counts
from tests.tries import tries

MOST = 12


def cases() -> tuple[Any, Any, Any]:
    """k errors among d labelled, d' unlabelled: every combination up to MOST."""
    found = [(k, d, rest) for d in range(MOST + 1) for rest in range(1, MOST + 1) for k in range(d + 1)]
    k, d, rest = np.array(found).T
    return k, d, rest


def at_most(k: int, pool: int, marked: int, drawn: int) -> float:
    ways = sum(comb(marked, j) * comb(pool - marked, drawn - j) for j in range(k + 1))
    return ways / comb(pool, drawn)


@pytest.mark.parametrize("delta", [0.29, 0.049, 1e-4])  # none of these is any tail's exact value
def test_both_limits_against_a_search_over_every_count(delta: float) -> None:
    k, d, rest = cases()
    claim = hypergeometric(Counts(k, d), 2 * delta, unlabelled=rest)
    for i in range(0, k.size, 7):
        a, n, m = int(k[i]), int(d[i]), int(rest[i])
        if n == 0:
            assert (claim.lower[i], claim.upper[i]) == (0.0, 1.0)
            continue
        most = max(c for c in range(m + 1) if at_most(a, n + m, a + c, n) > delta)
        # The fewest: so many successes among the labelled must not be too surprising either.
        fewest = min(c for c in range(m + 1) if at_most(n - a, n + m, n - a + m - c, n) > delta)
        widened = (min(fewest / m, a / n), max(most / m, a / n))
        assert (claim.lower[i], claim.upper[i]) == pytest.approx(widened, abs=1e-15)


@tries("hypergeometric", how="enumerated")
@pytest.mark.parametrize("side", ["upper", "lower", "both"])
@pytest.mark.parametrize("delta", [0.5, 0.2, 0.05, 0.01, 1e-4])
def test_the_promise_is_kept_whatever_the_total(side: Any, delta: float) -> None:
    k, d, rest = cases()
    claim = hypergeometric(Counts(k, d), delta, side, unlabelled=rest)
    limits = dict(zip(zip(k, d, rest, strict=True), zip(claim.lower, claim.upper, strict=True), strict=True))
    for labelled in range(1, MOST + 1):
        for unlabelled in range(1, MOST + 1):
            pool = labelled + unlabelled
            for total in range(pool + 1):
                missed = 0
                for seen in range(max(0, total - unlabelled), min(labelled, total) + 1):
                    lower, upper = limits[seen, labelled, unlabelled]
                    rate = (total - seen) / unlabelled
                    if not lower <= rate <= upper:
                        missed += comb(total, seen) * comb(pool - total, labelled - seen)
                assert missed / comb(pool, labelled) <= delta * (1 + 1e-12), f"{labelled}, {unlabelled}, {total}"


def test_the_promise_is_not_kept_with_room_to_spare_everywhere() -> None:
    # One error fewer at each upper limit would break it, so the limit cannot be improved on its own.
    claim = hypergeometric(Counts(3, 30), 0.05, "upper", unlabelled=40)
    most = round(claim.upper * 40)
    assert hypergeom.cdf(3, 70, 3 + most, 30) > 0.05
    assert hypergeom.cdf(3, 70, 3 + most + 1, 30) <= 0.05


@pytest.mark.parametrize(("k", "d", "rest"), [(0, 10**6, 10**6), (50_000, 10**6, 10**6), (999_990, 10**6, 1000)])
@pytest.mark.parametrize("delta", [0.05, 1e-12])
def test_large_numbers(k: int, d: int, rest: int, delta: float) -> None:
    claim = hypergeometric(Counts(k, d), delta, "upper", unlabelled=rest)
    most = round(claim.upper * rest)
    assert claim.upper == most / rest
    if most / rest > k / d:  # else the limit was widened to the estimate
        assert hypergeom.cdf(k, d + rest, k + most, d) > delta * (1 - 1e-6)
    if most < rest:
        assert hypergeom.cdf(k, d + rest, k + most + 1, d) <= delta * (1 + 1e-6)


def test_a_tail_of_exactly_delta_is_excluded() -> None:
    # Of six, three labelled: were all three others errors, no error among the labelled has a chance of 1/20.
    claim = hypergeometric(Counts(0, 3), 0.05, "upper", unlabelled=3)
    assert claim.upper == 2 / 3


def test_the_contracts_example() -> None:
    claim = hf.bound(Counts(50, 1000), unlabelled=1000)
    assert (claim.lower, claim.upper, claim.estimate) == (0.032, 0.071, 0.05)
    assert (claim.method, claim.measure) == ("hypergeometric", "unlabelled-error-rate")
    assert "which examples were labelled" in claim.assumes[0]


def test_arrays_broadcast_over_counts_delta_and_unlabelled() -> None:
    claim = hf.bound(Counts([[1], [2]], 10), delta=[0.1, 0.2, 0.3], unlabelled=np.array([[[4]], [[9]]]))
    assert claim.upper.shape == (2, 2, 3)
    alone = hf.bound(Counts(2, 10), delta=0.3, unlabelled=9)
    assert (claim.lower[1, 1, 2], claim.upper[1, 1, 2]) == pytest.approx((alone.lower, alone.upper), rel=1e-13)


def test_many_unlabelled_approach_the_population() -> None:
    finite = hf.bound(Counts(8, 30), unlabelled=10**9)
    whole = hf.bound(Counts(8, 30), "clopper-pearson")
    assert (finite.lower, finite.upper) == pytest.approx((whole.lower, whole.upper), abs=1e-6)


@pytest.mark.parametrize("unlabelled", [0, -1, 2.5, "many", None, True, [], [1.5], float("nan"), [[1], [1, 2]], 10**30])
def test_no_other_exception_for_a_strange_number_of_unlabelled(unlabelled: Any) -> None:
    if unlabelled == []:
        assert hf.bound(Counts([], 30), unlabelled=np.array([], int)).upper.shape == (0,)
        return
    with pytest.raises(hf.HoldfastError):
        hypergeometric(Counts(8, 30), unlabelled=unlabelled)
