"""Numbers that others have published about counts: Langford's program, BlakerCI, contingencytables, plans and coverage.

Expected values keep the digits of their source; half a unit in the last of them is the tolerance.
"""

from __future__ import annotations

from math import ceil, exp, log, sqrt

import numpy as np
import pytest
from scipy import stats

import holdfast as hf


def agrees(found: float, printed: str) -> bool:
    digits = len(printed.partition(".")[2])
    return abs(found - float(printed)) <= 0.5 * 10.0**-digits * (1 + 1e-9)


# One-sided limits -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("side", "delta", "printed"), [("upper", 0.025, "0.358976828"), ("lower", 0.5, "0.319267175")])
def test_langfords_program(side: str, delta: float, printed: str) -> None:
    """192 errors in 600, from the README of bound-0.9."""
    claim = hf.bound(hf.Counts(192, 600), delta=delta, side=side)
    assert agrees(getattr(claim, side), printed)


def test_langfords_program_counts_the_observed_error() -> None:
    """With P(X > k), as Theorem 2 of Shah and Shanian is printed, the lower limit would be that of 193 errors."""
    assert not agrees(hf.bound(hf.Counts(193, 600), delta=0.5, side="lower").lower, "0.319267175")


# Two-sided intervals --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "k", "n", "printed"),
    [
        ("blaker", 3, 10, ("0.08726443", "0.61941066")),  # BlakerCI
        ("blaker", 1, 100, ("0.0005", "0.0513")),
        ("blaker", 0, 9, ("0", "0.3161")),
        ("mid-p", 13, 16, ("0.5699", "0.9500")),  # contingencytables
        ("wilson", 13, 16, ("0.5699", "0.9341")),
        ("jeffreys", 13, 16, ("0.5792", "0.9442")),
        ("clopper-pearson", 13, 16, ("0.543543", "0.959526")),
    ],
)
def test_two_sided_intervals(method: str, k: int, n: int, printed: tuple[str, str]) -> None:
    claim = hf.bound(hf.Counts(k, n), method)
    assert agrees(claim.lower, printed[0])
    assert agrees(claim.upper, printed[1])


# method: (least coverage at n = 100, at n = 30, expected length at p = .05, n = 100)
COVERAGE = {
    "clopper-pearson": ("0.9503", "0.9506", "0.0942"),
    "blaker": ("0.9500", "0.9500", "0.0887"),
    "mid-p": ("0.9209", "0.9246", "0.0867"),
    "wilson": ("0.8382", "0.8381", "0.0884"),
    "agresti-coull": ("0.9390", "0.9338", "0.0944"),
    "jeffreys": ("0.8802", "0.8886", "0.0846"),
}
GRID_MISSES = 0.0012  # the table looked at a grid of rates, enumeration at the very rates where coverage is least


@pytest.mark.parametrize("method", COVERAGE)
@pytest.mark.parametrize(("column", "n"), [(0, 100), (1, 30)])
def test_least_coverage(method: str, column: int, n: int) -> None:
    printed = float(COVERAGE[method][column])
    least = hf.worst_coverage(method, n, delta=0.05).coverage
    assert printed - GRID_MISSES <= least <= printed + 0.5e-4


@pytest.mark.parametrize("method", COVERAGE)
@pytest.mark.parametrize("n", [30, 100])
def test_least_coverage_by_brute_force(method: str, n: int) -> None:
    """A hair to either side of every limit, and a grid besides, with scipy's binomial instead of ours."""
    k = np.arange(n + 1)
    claim = hf.bound(hf.Counts(k, n), method, delta=0.05)
    ends = np.concatenate([claim.lower, claim.upper])
    rates = np.concatenate([ends - 1e-9, ends + 1e-9, np.linspace(0.001, 0.999, 999)])
    rates = rates[(rates > 0) & (rates < 1)][:, np.newaxis]
    covered = np.sum(stats.binom.pmf(k, n, rates) * ((claim.lower <= rates) & (rates <= claim.upper)), axis=1)
    assert hf.worst_coverage(method, n, delta=0.05).coverage == pytest.approx(covered.min(), abs=2e-7)


@pytest.mark.parametrize(("n", "printed"), [(100, "0.0010"), (30, "0.0003")])
def test_the_normal_interval_covers_nothing_near_zero(n: int, printed: str) -> None:
    """The table's least rate was 1e-5; at the limit of 0 nothing is covered at all."""
    assert agrees(float(hf.coverage("normal", n, 1e-5)), printed)
    assert hf.worst_coverage("normal", n, delta=0.05).coverage == 0.0


@pytest.mark.parametrize("method", [*COVERAGE, "normal"])
def test_expected_length(method: str) -> None:
    k = np.arange(101)
    claim = hf.bound(hf.Counts(k, 100), method)
    # The table's normal interval is the one that was not cut off at 0: twice its upper half.
    width = 2 * claim.slack if method == "normal" else claim.width
    printed = "0.0829" if method == "normal" else COVERAGE[method][2]
    assert agrees(float(stats.binom.pmf(k, 100, 0.05) @ width), printed)


def test_one_end_of_a_two_sided_interval_is_no_bound() -> None:
    """Blaker's 95 % upper limits, taken for 97.5 % bounds, cover .9665 at the table's rates up to 1/2."""
    k = np.arange(100)
    upper = np.asarray(hf.bound(hf.Counts(k, 100), "blaker").upper)
    covered = 1 - stats.binom.cdf(k, 100, upper)  # just above the limit of k, the counts above k cover
    assert 0.9665 - GRID_MISSES <= covered[upper <= 0.5].min() <= 0.9665 + 0.5e-4
    assert covered.min() == pytest.approx(0.95, abs=1e-6)  # and beyond 1/2 no more than the interval promises


# Labelled examples and the rest ---------------------------------------------------------------------------------------

POOLS = [  # labelled, unlabelled, errors; Bax's Eq. 8, Hoeffding's difference, hypergeometric limits
    (1000, 1000, 50, "0.0936", "0.0607", ("0.0320", "0.0710")),
    (1000, 200, 50, "0.2093", "0.1052", ("0.0200", "0.0850")),
    (200, 1000, 10, "0.2093", "0.1052", ("0.0220", "0.0930")),
    (500, 500, 0, "0.1324", "0.0859", ("0", "0.0100")),
]


@pytest.mark.parametrize(("labelled", "rest", "errors", "bax", "direct", "printed"), POOLS)
def test_hypergeometric_limits(
    labelled: int, rest: int, errors: int, bax: str, direct: str, printed: tuple[str, str]
) -> None:
    claim = hf.bound(hf.Counts(errors, labelled), unlabelled=rest)
    assert agrees(claim.lower, printed[0])
    assert agrees(claim.upper, printed[1])
    # 4 exp(-D e^2 / 2) = .05 with D the smaller number, and 2 exp(-2 e^2 / (1/d + 1/d')) = .05
    assert agrees(sqrt(2 * log(4 / 0.05) / min(labelled, rest)), bax)
    assert agrees(sqrt(log(2 / 0.05) * (1 / labelled + 1 / rest) / 2), direct)
    assert claim.width < 2 * float(direct) < 2 * float(bax)


def test_hypergeometric_limits_miss_as_often_as_said() -> None:
    """40 labelled, 25 not: over every number of errors among the 65, at most .0499 are missed at .05."""
    drawn, rest = 40, 25
    seen = np.arange(drawn + 1)
    upper = np.asarray(hf.bound(hf.Counts(seen, drawn), delta=0.05, side="upper", unlabelled=rest).upper)
    total = np.arange(drawn + rest + 1)[:, np.newaxis]
    missed = total - seen > np.rint(upper * rest)
    worst = np.max(np.sum(stats.hypergeom.pmf(seen, drawn + rest, total, drawn) * missed, axis=1))
    assert agrees(float(worst), "0.0499")


# Plans ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("at_most", "n"), [(0.05, 59), (0.01, 299), (0.001, 2995)])
def test_plans_without_errors(at_most: float, n: int) -> None:
    assert hf.plan(at_most=at_most).n == n == ceil(log(0.05) / log(1 - at_most))


def test_the_rule_of_three_is_an_approximation() -> None:
    exact = hf.bound(hf.Counts(0, 30), delta=0.05, side="upper").upper
    assert agrees(exact, "0.0950")
    assert exact == pytest.approx(1 - exp(log(0.05) / 30), rel=1e-12)
    assert exact < 3 / 30


@pytest.mark.parametrize(
    ("at_most", "expect", "n", "always"), [(0.10, 0.05, 239, 263), (0.05, 0.03, 832, 900), (0.02, 0.01, 1271, 1390)]
)
def test_acceptance_plans(at_most: float, expect: float, n: int, always: int) -> None:
    """The smallest n, and the n from which the saw-tooth of the power stays above .9, by looking at every n."""
    made = hf.plan(at_most=at_most, expect=expect, power=0.9)
    assert (made.n, made.n_always) == (n, always)
    sizes = np.arange(1, 2 * always)
    accept = stats.binom.ppf(0.05, sizes, at_most)
    accept -= stats.binom.cdf(accept, sizes, at_most) > 0.05  # the largest count whose tail is at most delta
    enough = stats.binom.cdf(accept, sizes, expect) >= 0.9
    assert sizes[enough][0] == n
    assert sizes[~enough][-1] + 1 == always
    assert made.accept == accept[n - 1]


@pytest.mark.parametrize("half_width", [0.02, 0.05, 0.1])
def test_hoeffding_is_a_ceiling_for_half_width_plans(half_width: float) -> None:
    made = hf.plan(half_width=half_width)
    assert made.n <= made.n_always <= ceil(log(2 / 0.05) / (2 * half_width**2))
    for size, enough in ((made.n, True), (made.n - 1, False)):
        k = np.arange(size + 1)
        claim = hf.bound(hf.Counts(k, size))
        farthest = max(np.max(claim.upper - k / size), np.max(k / size - claim.lower))
        assert bool(farthest <= half_width) is enough
