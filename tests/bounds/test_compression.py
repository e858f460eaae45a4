"""The sample-compression bound: its arithmetic, its shares of delta, and its promise over every search."""

from __future__ import annotations

import itertools
from math import comb, pi

import mpmath
import numpy as np
import pytest

from holdfast.bounds.binomial import clopper_pearson
from holdfast.bounds.panel import log_choices, log_share_of_size, log_weight, sample_compression
from holdfast.evidence import Counts
from holdfast.evidence.pools.pool import Compressed
from holdfast.invert import solve_for_delta
from holdfast.verify.simulated import outcome
from tests.tries import tries

mpmath.mp.dps = 60


def exact_tail(k: int, n: int, p: float) -> mpmath.mpf:
    p = mpmath.mpf(p)
    return mpmath.fsum(comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(k + 1))


def exact_share(m: int, d: int, log_message: float, delta: float) -> mpmath.mpf:
    return mpmath.mpf(delta) * 6 / (mpmath.pi**2 * (d + 1) ** 2) / comb(m, d) * mpmath.exp(log_message)


@pytest.mark.parametrize(("k", "m", "d"), [(0, 30, 2), (3, 200, 6), (40, 200, 10), (0, 500, 60), (7, 12, 4)])
@pytest.mark.parametrize("log_message", [0.0, -7.5, -1000.0])
def test_the_limit_is_where_the_tail_has_its_share(k: int, m: int, d: int, log_message: float) -> None:
    """In logarithms: the last share is far below the smallest float. The limit is never too small."""
    limit = sample_compression(Compressed(k, m, d, log_message), 0.05, "upper").upper
    share = exact_share(m, d, log_message, 0.05)
    assert exact_tail(k, m - d, limit) <= share
    if limit < 1:
        assert exact_tail(k, m - d, limit * (1 - 1e-12)) > share


@pytest.mark.parametrize(("k", "m", "d"), [(30, 30, 0), (27, 30, 2), (150, 200, 6)])
def test_the_lower_limit_is_its_mirror(k: int, m: int, d: int) -> None:
    model = Compressed(k, m, d, -2.0)
    limit, share = sample_compression(model, 0.05, "lower").lower, exact_share(m, d, -2.0, 0.05)
    at_least = exact_tail(m - d - k, m - d, 1 - mpmath.mpf(limit))
    assert share * (1 - mpmath.mpf(1e-11)) < at_least <= share
    both = sample_compression(model, 0.1)
    assert (both.lower, both.upper) == (limit, sample_compression(model, 0.05, "upper").upper)


def test_nothing_kept_and_nothing_said_costs_only_the_choice_of_sizes() -> None:
    claim = sample_compression(Compressed(5, 100, 0), 0.05, "upper")
    assert claim.upper == pytest.approx(clopper_pearson(Counts(5, 100), 0.05 * 6 / pi**2, "upper").upper, rel=1e-13)


def test_a_share_below_every_float_still_gives_a_limit() -> None:
    claim = sample_compression(Compressed([0, 0, 3], [4000, 1, 4000], [0, 0, 300], [-1500.0, -5000.0, -900.0]), 1e-9)
    assert np.all(claim.lower < 1e-290)
    assert claim.upper[0] == pytest.approx(-np.expm1((np.log(1e-9 / 2 * 6 / pi**2) - 1500) / 4000), rel=1e-12)
    assert claim.upper[1] == 1
    assert 0.3 < claim.upper[2] < 0.7


def test_nothing_outside_says_nothing() -> None:
    claim = sample_compression(Compressed([0, 0], [0, 5], [0, 5]))
    assert (claim.lower.tolist(), claim.upper.tolist()) == ([0, 0], [1, 1])
    assert sample_compression(Compressed(0, 5, 5)).estimate is None


def test_it_is_the_test_of_its_own_interval() -> None:
    model = Compressed(2, 300, 4, -6.0)
    limit = sample_compression(model, 0.03, "upper").upper
    assert solve_for_delta(sample_compression, model, limit, "upper") == pytest.approx(0.03, rel=1e-9)  # type: ignore[arg-type]
    assert solve_for_delta(sample_compression, Compressed(2, 6, 4, -6.0), 0.5, "upper") == 1  # type: ignore[arg-type]


def test_an_array_gives_what_its_elements_give() -> None:
    k, d = np.array([0, 3, 50, 94]), np.array([0, 4, 6, 6])
    together = sample_compression(Compressed(k, 100, d, -3.0))
    alone = [sample_compression(Compressed(a, 100, b, -3.0)) for a, b in zip(k, d, strict=True)]
    assert together.lower.tolist() == pytest.approx([claim.lower for claim in alone], rel=1e-13)
    assert together.upper.tolist() == pytest.approx([claim.upper for claim in alone], rel=1e-13)


def test_more_errors_more_kept_and_longer_messages_never_lower_the_limit() -> None:
    def upper(model: Compressed) -> np.ndarray:
        return sample_compression(model, 0.05, "upper").upper

    assert np.all(np.diff(upper(Compressed(np.arange(97), 100, 4, -3.0))) >= 0)
    assert np.all(np.diff(upper(Compressed(2, 100, np.arange(40), -3.0))) > 0)
    assert np.all(np.diff(upper(Compressed(2, 100, 4, -np.arange(40.0)))) > 0)


def test_the_shares_are_those_of_one_delta() -> None:
    """Over all sizes and all choices of what is kept they add up to at most 1: then the promise is a union bound."""
    sizes = np.arange(10**6)
    assert 0.999999 <= np.exp(log_share_of_size(sizes)).sum() < 1
    m = 12
    kept = np.arange(m + 1)
    subsets = np.array([comb(m, d) for d in kept])
    total = np.sum(subsets * np.exp(log_weight(Compressed(0, m, kept))))
    assert total == pytest.approx(np.exp(log_share_of_size(kept)).sum(), rel=1e-12)
    assert total < 1


@pytest.mark.parametrize(("n", "k"), [(0, 0), (1, 1), (5, 2), (60, 30), (2000, 40), (10**9, 3)])
def test_choices_are_counted_exactly(n: int, k: int) -> None:
    assert log_choices(np.asarray(n), np.asarray(k)) == pytest.approx(
        float(mpmath.log(comb(n, k))), rel=1e-12, abs=1e-14
    )


def nearest_of_few(x: np.ndarray, y: np.ndarray, most: int) -> list[tuple[int, int]]:
    """Kept and errors elsewhere of the best nearest-neighbour rule on each number of examples, all subsets searched."""
    apart = np.abs(x[:, np.newaxis] - x)
    found = []
    for d in range(1, most + 1):
        subsets = np.array(list(itertools.combinations(range(len(x)), d)))
        nearest = np.take_along_axis(subsets, apart[:, subsets].argmin(axis=2).T, axis=1)
        wrong = y[nearest] != y
        np.put_along_axis(wrong, subsets, False, axis=1)
        found.append((d, int(wrong.sum(axis=1).min())))
    return found


@tries("sample-compression", how="simulated")
def test_the_promise_is_kept_however_the_model_was_chosen() -> None:
    """Labels are coin tosses, so that every rule errs half of the time, and the best of hundreds of rules is reported.

    Clopper-Pearson on the same examples, as if the rule had been fixed before, claims less than half most of the time.
    """
    rng, delta, repeats, m = np.random.default_rng(0), 0.2, 300, 18
    rules = np.array([nearest_of_few(rng.random(m), rng.integers(0, 2, m), 3) for _ in range(repeats)])
    kept, errors = rules[..., 0], rules[..., 1]
    honest = sample_compression(Compressed(errors, m, kept), delta, "upper").upper.min(axis=1) < 0.5
    careless = clopper_pearson(Counts(errors, m - kept), delta, "upper").upper.min(axis=1) < 0.5
    assert outcome(sample_compression, m, delta, "upper", 0.5, "coins", int(honest.sum()), repeats).kept
    assert not outcome(clopper_pearson, m, delta, "upper", 0.5, "coins", int(careless.sum()), repeats).kept
    assert careless.mean() > 0.5


@tries("sample-compression", how="simulated")
def test_the_promise_is_kept_but_not_by_far() -> None:
    """A hundred rules that keep nothing, unrelated to each other, and a message that names one: the hardest case.

    At a rate just above the limit of some count, the chance to claim less is the whole share spent on keeping nothing.
    """
    rng, delta, repeats, m, rules = np.random.default_rng(1), 0.4, 20_000, 200, 100
    limits = sample_compression(Compressed(np.arange(m + 1), m, 0, -np.log(rules)), delta, "upper").upper
    truth = limits[20] * (1 + 1e-9)
    missed = int((limits[rng.binomial(m, truth, (repeats, rules)).min(axis=1)] < truth).sum())
    assert outcome(sample_compression, m, delta, "upper", truth, "unrelated rules", missed, repeats).kept
    spent = delta * 6 / pi**2
    assert missed / repeats == pytest.approx(1 - (1 - spent / rules) ** rules, abs=5 * np.sqrt(spent / repeats))
