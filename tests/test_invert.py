"""A bound solved for delta: against scipy's tails, and against the bound itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

import holdfast as hf
from holdfast.bounds.betting import betting_p_value
from holdfast.bounds.squares import sum_of_limits
from holdfast.catalog import Bound, find, methods
from holdfast.claims import SIDES
from holdfast.evidence import Counts, Losses, Sample
from holdfast.evidence.draws import Draws, Ratio, combined
from holdfast.invert import solve_for_delta
from tests.snapshots import matches, messages

NULLS = (0.01, 0.1, 0.2, 0.3, 0.5, 0.8, 0.99)
VALUES = [0.1, 0.3, 0.2, 0.25, 0.0, 0.4, 0.2, 0.9, 0.1, 0.2] * 3
NOT_NESTED = ("betting", "star", "mixture", "squares")  # sized for their delta: their p-value is another test's
OWN_TESTS = (*NOT_NESTED, "blaker")
EVIDENCE = {"counts": Counts(80, 300), "losses": Losses(VALUES * 10)}


def combinations() -> list[Any]:
    """Every method whose limits are nested, with every side and evidence that fits."""
    return [
        pytest.param(bound, side, evidence, id=f"{bound.name}-{side}-{kind}")
        for bound in methods()
        for side in SIDES
        for kind, evidence in EVIDENCE.items()
        if bound.fits(evidence, side) and bound.name not in OWN_TESTS
    ]


# ---- Against scipy


@pytest.mark.parametrize("null", NULLS)
@pytest.mark.parametrize(("k", "n"), [(0, 10), (8, 30), (10, 10), (3, 500)])
def test_clopper_pearsons_test_is_the_binomial_tail(k: int, n: int, null: float) -> None:
    few, many = binom.cdf(k, n, null), binom.sf(k - 1, n, null)
    found = [hf.p_value(Counts(k, n), null, side) for side in SIDES]
    assert found == pytest.approx([few, many, min(1.0, 2 * min(few, many))], rel=1e-9)


@pytest.mark.parametrize("null", [0.1, 0.5])
def test_the_mid_p_value_counts_the_observed_half(null: float) -> None:
    k, n = 8, 30
    few = binom.cdf(k - 1, n, null) + binom.pmf(k, n, null) / 2
    many = binom.sf(k, n, null) + binom.pmf(k, n, null) / 2
    found = [hf.p_value(Counts(k, n), null, side, "mid-p") for side in SIDES]
    assert found == pytest.approx([few, many, 2 * min(few, many)], rel=1e-9)


@pytest.mark.parametrize("null", NULLS)
@pytest.mark.parametrize(("k", "n"), [(0, 10), (8, 30), (5, 10), (25, 25)])
def test_blakers_p_value_is_its_definition(k: int, n: int, null: float) -> None:
    x = np.arange(n + 1)
    tails = np.minimum(binom.cdf(x, n, null), binom.sf(x - 1, n, null))
    expected = binom.pmf(x, n, null)[tails <= tails[k] * (1 + 1e-11)].sum()
    assert hf.p_value(Counts(k, n), null, method="blaker") == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(("k", "null"), [(3, 1e-9), (10**9 - 3, 1 - 1e-9), (20, 1e-9)])
@pytest.mark.parametrize("side", ["upper", "lower"])
def test_rare_events_among_very_many_trials_keep_their_digits(k: int, null: float, side: Any) -> None:
    n = 10**9
    if k > n // 2:  # seen from the other end, where scipy keeps its digits too
        few = binom.sf(n - k - 1, n, 1 - null)
        many = binom.cdf(n - k, n, 1 - null)
    else:
        few, many = binom.cdf(k, n, null), binom.sf(k - 1, n, null)
    assert hf.p_value(Counts(k, n), null, side) == pytest.approx(few if side == "upper" else many, rel=1e-9)


# ---- By duality: the null leaves the interval just where delta passes the p-value


@pytest.mark.parametrize(("bound", "side", "evidence"), combinations())
def test_the_p_value_is_where_the_null_leaves_the_interval(bound: Bound, side: Any, evidence: Sample) -> None:
    looked_at = 0
    for null in (0.1, 0.2, 0.3, 0.45, 0.8):
        p = hf.p_value(evidence, null, side, bound)
        assert 0 <= p <= 1
        # From one half on, limits are widened to the estimate; below 1e-250 the search ends.
        if not 1e-250 < p < (0.9 if side == "both" else 0.45):
            continue
        wide, narrow = (bound(evidence, p * step, side) for step in (1 - 1e-6, 1 + 1e-6))
        assert wide.lower <= null <= wide.upper, f"excluded too early at {null}"
        assert not narrow.lower <= null <= narrow.upper, f"excluded too late at {null}"
        looked_at += 1
    assert looked_at


def test_blakers_interval_contains_every_null_that_is_accepted() -> None:
    nulls = np.linspace(0.001, 0.999, 999)
    accepted = nulls[hf.p_value(Counts(8, 30), nulls, method="blaker") > 0.05]
    claim = hf.bound(Counts(8, 30), "blaker")
    assert claim.lower <= accepted.min() <= claim.lower + 0.002
    assert claim.upper - 0.002 <= accepted.max() <= claim.upper


# ---- Betting has a test of its own


def test_bettings_own_p_value() -> None:
    losses = Losses(VALUES)
    few = float(betting_p_value(losses, np.asarray(0.5), np.asarray(0.5)))
    many = float(betting_p_value(losses.mirror(), np.asarray(0.5), np.asarray(0.5)))
    found = [hf.p_value(losses, 0.5, side, "betting") for side in SIDES]
    assert few < 0.05 < many
    assert found == pytest.approx([few, many, 2 * few])


def test_bettings_p_value_falls_as_the_null_moves_away() -> None:
    above = hf.p_value(Losses(VALUES), np.linspace(0.25, 0.99, 60), "upper", "betting")
    below = hf.p_value(Losses(VALUES), np.linspace(0.01, 0.25, 60), "lower", "betting")
    assert np.all(np.diff(above) <= 1e-12)
    assert np.all(np.diff(below) >= -1e-12)
    assert above[-1] < 1e-6


def test_bettings_p_value_is_rarely_small_under_the_null() -> None:
    rng = np.random.default_rng(11)
    p = hf.p_value(Losses(rng.beta(0.5, 0.5, (2000, 40))), 0.5, "upper", "betting")
    # A valid p-value is at most delta with chance delta; binom.sf says how far chance may go, once in a million.
    for delta in (0.2, 0.05, 0.01):
        assert binom.sf(np.sum(p <= delta) - 1, 2000, delta) > 1e-6


# ---- Units, arrays, defaults, refusals


@pytest.mark.parametrize("name", ["betting", "hoeffding", "wilson", "bernstein"])
@pytest.mark.parametrize("side", SIDES)
def test_the_null_is_in_the_units_of_the_losses(name: str, side: Any) -> None:
    values = np.array(VALUES)
    plain = hf.p_value(Losses(values), 0.5, side, name)
    scaled = hf.p_value(Losses(20 * values - 10, low=-10, high=10), 0.0, side, name)
    assert 0 < plain <= 1
    assert scaled == pytest.approx(plain, rel=1e-9)


def test_arrays_of_evidence_and_of_nulls_broadcast() -> None:
    found = hf.p_value(Counts([[0], [3], [9]], 10), [0.1, 0.5], "upper")
    assert found.shape == (3, 2)
    assert found[1, 1] == pytest.approx(hf.p_value(Counts(3, 10), 0.5, "upper"), rel=1e-13)


@pytest.mark.parametrize("name", ["maurer-pontil", "guttman", "GUT", "MAU", "clopper-pearson", "blaker", "wilson"])
def test_too_few_examples_speak_against_nothing(name: str) -> None:
    assert hf.p_value(Counts(0, 0), 0.5, method=name) == 1.0


def test_the_default_is_the_default_bound() -> None:
    assert hf.p_value(Counts(8, 30), 0.5) == hf.p_value(Counts(8, 30), 0.5, "both", "clopper-pearson")
    assert hf.p_value(Losses(VALUES), 0.5) == hf.p_value(Losses(VALUES), 0.5, "both", "squares")


@pytest.mark.parametrize("name", NOT_NESTED)
def test_what_is_not_solved_for_delta_is_said(name: str) -> None:
    assert f"`{name}`" in (hf.p_value.__doc__ or "")
    assert find(name).p_value is not None


def test_the_p_value_of_squares_is_not_its_limit_solved_for_delta() -> None:
    losses, small = Losses([0.0, 0.5, 0.25, 1.0] * 25), 1e-4
    limit = hf.bound(losses, "squares", delta=small, side="upper").upper
    assert hf.p_value(losses, limit, "upper", "squares") != pytest.approx(small, rel=0.05)


def test_the_contracts_call() -> None:
    assert hf.p_value(hf.Counts(8, 30), null=0.5, side="upper", method=None) == pytest.approx(binom.cdf(8, 30, 0.5))


def test_every_refusal_says_what_to_do() -> None:
    sideways: Any = "left"
    matches(
        "errors_of_p_value",
        messages(
            {
                "null=0": lambda: hf.p_value(Counts(8, 30), 0),
                "null=1.5": lambda: hf.p_value(Counts(8, 30), 1.5),
                "null=nan": lambda: hf.p_value(Counts(8, 30), float("nan")),
                "blaker, upper": lambda: hf.p_value(Counts(8, 30), 0.5, "upper", "blaker"),
                "side=left": lambda: hf.p_value(Counts(8, 30), 0.5, sideways),
            }
        ),
    )


@pytest.mark.parametrize(
    "null",
    ["half", None, [[0.1], [0.1, 0.2]], 10**400, 1j, {}],
    ids=["word", "none", "ragged", "huge", "complex", "mapping"],
)
@pytest.mark.parametrize("evidence", [Counts(8, 30), Losses(VALUES)], ids=["counts", "losses"])
def test_no_other_exception_for_a_strange_null(evidence: Any, null: Any) -> None:
    with pytest.raises(hf.HoldfastError):
        hf.p_value(evidence, null)


def test_a_null_outside_the_range_is_told_in_the_users_units() -> None:
    with pytest.raises(hf.HoldfastError, match=r"between 0 and 10; got 12"):
        hf.p_value(Losses([5.0, 6.0], low=0, high=10), 12)


def test_a_p_value_needs_evidence() -> None:
    junk: Any = (8, 30)
    with pytest.raises(hf.HoldfastError, match=r"Counts\(.*Losses\(.*got"):
        hf.p_value(junk, 0.5)


@pytest.mark.parametrize("n", [2**53, 2**53 - 1])
def test_a_p_value_at_the_mean_of_the_largest_counts(n: int) -> None:
    """Half of them or fewer: one half, and half of the largest term of the binomial law."""
    chance = hf.p_value(Counts(n // 2, n), 0.5, side="upper")
    assert chance == pytest.approx(0.5 + (n % 2 == 0) / (2 * np.pi * n) ** 0.5, abs=1e-9)


def test_where_limits_are_not_nested_halves_of_delta_are_tried() -> None:
    """Less delta may narrow them: what is told is the least half below which all that were tried exclude the null."""
    drawn = Draws(np.array([12.0, 3.0, 2.0]), most=2.0)
    parts = [Ratio(np.array(above, float), np.ones(3), drawn) for above in ((0, 1, 1), (0, 0, 1))]
    evidence = combined((0.5, 0.5), parts)
    p = solve_for_delta(sum_of_limits, evidence, 0.9, "upper").item()
    assert 1e-9 < p < 0.5
    assert np.log2(p) == round(np.log2(p))
    limits = [sum_of_limits(evidence, p / 2 * times, "upper").upper for times in (1.0, 0.5)]
    assert limits[0] <= 0.9 < limits[1]
