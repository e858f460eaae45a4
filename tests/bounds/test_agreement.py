"""MCC and kappa of two labels: box and region hold everywhere, and are no larger than they must be."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.special import betaincinv, gammainccinv
from scipy.stats import binom

from holdfast.bounds import strata as room
from holdfast.catalog import Bound, find, find_measure
from holdfast.claims import SIDES
from holdfast.evidence import Array, Contingency, MonotoneInRecalls
from holdfast.numerics.limit import Upper
from holdfast.verbs.bound import default_methods
from tests.bounds import tables
from tests.bounds.tables import Truth, broken
from tests.bounds.test_strata import at
from tests.tries import tries

BOX, REGION = find("box"), find("fisher-region")
TRUTHS = [("mcc", tables.true_mcc), ("kappa", tables.true_kappa)]
both = pytest.mark.parametrize(("name", "truth"), TRUTHS, ids=["mcc", "kappa"])
methods = pytest.mark.parametrize("bound", [BOX, REGION], ids=["box", "fisher-region"])


def evidence(name: str, table: object) -> MonotoneInRecalls:
    found = find_measure(name)(Contingency(table, rows="predicted"))  # type: ignore[arg-type]
    assert isinstance(found, MonotoneInRecalls)
    return found


@tries("box", how="enumerated")
@pytest.mark.long
@both
def test_the_promise_is_kept_in_every_world(name: str, truth: Truth) -> None:
    assert broken(BOX, find_measure(name), truth, range(5, 15), (0.5, 0.2, 0.05, 0.01, 1e-3, 1e-6)) == []


def _beside(rate: Array, given: Array) -> Array:
    """A rate of each table, for as many cells as are asked about."""
    return rate if rate.ndim == given.ndim else np.broadcast_to(rate[..., np.newaxis], given.shape)


def seen_as_true(which: str, bound: Bound = BOX) -> Bound:
    """The bound with one of its three limits replaced by what was seen."""

    def tight(formula: Any) -> Any:
        def wrong(quantity: MonotoneInRecalls, delta: Array) -> Upper:
            share = np.where(quantity.prevalence.known, quantity.prevalence.mean, 0.5)
            odds = np.divide(share, 1 - share, out=np.full(share.shape, np.inf), where=share < 1)
            of_rates, steepest = quantity.of_rates, quantity.steepest
            first, second = quantity.recalls
            seen = first.mean, 1 - first.mean, second.mean, 1 - second.mean
            if which == "prevalence":
                changed = lambda _, *rates: of_rates(odds, *rates)  # noqa: E731
            else:
                changed = lambda at, *given: of_rates(  # noqa: E731
                    at, *(_beside(rate, given[0]) for rate in seen)
                )
            fields = {"of_rates": changed, "steepest": steepest}
            return formula(
                MonotoneInRecalls(quantity.source, quantity.reading, quantity.low, quantity.high, **fields), delta
            )

        return wrong

    return replace(bound, upper=tight(bound.upper), two_sided=bound.two_sided and tight(bound.two_sided))


@both
@pytest.mark.parametrize("side", SIDES)
def test_enumeration_catches(name: str, truth: Truth, side: Any) -> None:
    measure = find_measure(name)
    assert broken(at(BOX, 6.0), measure, truth, (9, 14), (0.2, 0.05), (side,))
    assert broken(seen_as_true("recalls"), measure, truth, (9,), (0.2, 0.05), (side,))
    assert broken(replace(BOX, lower=lambda quantity, _: quantity.mean), measure, truth, (9,), (0.05,), ("lower",))


@both
def test_the_limits_are_the_extremes_over_the_box(name: str, truth: Truth) -> None:
    """Every corner and a dense grid of the three exact intervals: none beyond the limits, some right at them."""
    rng = np.random.default_rng(0)
    for _ in range(60):
        counts = rng.integers(0, rng.choice([4, 30, 400]), (2, 2))
        if not counts.sum():
            continue
        claim = BOX(evidence(name, counts), 0.05)
        each = (1 - 0.95 ** (1 / 3)) / 2
        (hits, alarms), (misses, rejects) = counts.tolist()
        rates = [
            np.linspace(*exact(k, n, each), 41)
            for k, n in ((hits + misses, counts.sum()), (hits, hits + misses), (rejects, alarms + rejects))
        ]
        low, high = (np.log(end / (1 - end)) for end in np.clip(rates[0][[0, -1]], 1e-15, 1 - 1e-15))
        rates[0] = 1 / (1 + np.exp(-np.linspace(low, high, 4001)))
        corners = [grid.ravel() for grid in np.meshgrid(rates[0], rates[1][[0, 20, 40]], rates[2][[0, 20, 40]])]
        values = truth(tables.World(*corners), evidence(name, counts).source)
        lowest, highest = np.nanmin(values), np.nanmax(values)
        assert claim.lower <= lowest + 1e-9
        assert highest <= claim.upper + 1e-9
        if 0 < hits + misses < counts.sum():
            assert (claim.lower, claim.upper) == pytest.approx((lowest, highest), abs=2e-3)


def exact(k: int, n: int, delta: float) -> tuple[float, float]:
    lower = 0.0 if k == 0 else float(betaincinv(k, n - k + 1, delta))
    return lower, 1.0 if k == n else float(betaincinv(k + 1, n - k, 1 - delta))


@both
def test_one_box_for_both_ends_is_no_wider_than_two_halves(name: str, truth: Truth) -> None:
    counts = np.random.default_rng(1).integers(0, 60, (100, 2, 2))
    together = BOX(evidence(name, counts), 0.05)
    halves = replace(BOX, two_sided=None)(evidence(name, counts), 0.05)
    assert np.all(together.width <= np.asarray(halves.width) + 1e-12)
    assert np.mean(np.asarray(halves.width) - together.width) > 1e-3


@both
@methods
@pytest.mark.parametrize("counts", [[[5, 0], [0, 0]], [[3, 4], [0, 0]], [[0, 0], [2, 9]], [[0, 3], [0, 0]]])
def test_an_unknown_value_still_has_limits(bound: Bound, name: str, truth: Truth, counts: list[list[int]]) -> None:
    claim = bound(evidence(name, counts))
    known = bool(evidence(name, counts).known)
    assert (claim.estimate is None) is not known
    assert -1 <= claim.lower < 0 < claim.upper <= 1
    assert claim.width < 2


@both
@methods
def test_no_examples_say_nothing(bound: Bound, name: str, truth: Truth) -> None:
    claim = bound(evidence(name, [[0, 0], [0, 0]]))
    assert (claim.estimate, claim.lower, claim.upper) == (None, -1.0, 1.0)


@both
@methods
def test_zero_errors_are_no_certainty(bound: Bound, name: str, truth: Truth) -> None:
    claim = bound(evidence(name, [[50, 0], [0, 50]]))
    assert (claim.estimate, claim.upper) == (1.0, 1.0)
    assert 0.7 < claim.lower < 0.9


def test_kappa_of_three_labels_has_neither() -> None:
    three = find_measure("kappa")(Contingency(np.eye(3, dtype=int), rows="predicted"))
    assert not BOX.fits(three)
    assert not REGION.fits(three)
    assert [bound for bound in ("percentile", "bca") if find(bound).fits(three)] == ["percentile", "bca"]


@both
@methods
def test_more_confidence_never_narrows_the_interval(bound: Bound, name: str, truth: Truth) -> None:
    deltas = np.array([1e-12, 1e-6, 1e-3, 0.01, 0.05, 0.1, 0.3, 0.5, 0.8, 0.99])
    for counts in ([[8, 5], [3, 84]], [[0, 5], [3, 0]], [[9, 0], [0, 9]]):
        for side in SIDES:
            claim = bound(evidence(name, counts), deltas, side)
            assert np.all(np.diff(claim.lower) >= -1e-13)
            assert np.all(np.diff(claim.upper) <= 1e-13)


@both
@methods
def test_a_rare_label_among_many_examples(bound: Bound, name: str, truth: Truth) -> None:
    """Odds of one in a thousand million: neither they nor their inverse may lose digits."""
    few, turned = [[3, 2], [1, 10**9]], [[10**9, 1], [2, 3]]
    one, other = bound(evidence(name, few)), bound(evidence(name, turned))
    assert (one.lower, one.upper) == pytest.approx((other.lower, other.upper), rel=1e-9)
    assert 0 < one.lower < one.estimate < one.upper < 1


# ---- Fisher's region


@tries("fisher-region", how="enumerated")
@both
def test_the_promise_of_the_region_is_kept_in_small_samples(name: str, truth: Truth) -> None:
    assert broken(REGION, find_measure(name), truth, (1, 5), (0.2,)) == []


@tries("fisher-region", how="enumerated")
@pytest.mark.long
@both
def test_the_promise_of_the_region_is_kept_in_every_world(name: str, truth: Truth) -> None:
    assert broken(REGION, find_measure(name), truth, (3, 6, 8, 11), (0.5, 0.05, 1e-3)) == []


@both
def test_enumeration_catches_a_region_that_is_too_small(
    name: str, truth: Truth, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One tail's worth of surprise for all three; or one recall taken for what was seen."""
    measure = find_measure(name)
    with monkeypatch.context() as patch:
        patch.setattr(room, "gammainccinv", lambda _, delta: -np.log(delta) / 3)
        assert broken(REGION, measure, truth, (6,), (0.2,), ("upper",))
        assert broken(REGION, measure, truth, (6,), (0.2,), ("lower",))
    assert broken(seen_as_true("recalls", REGION), measure, truth, (6,), (0.2,), ("upper",))


def region_by_grid(name: str, counts: Array, delta: float, truth: Truth) -> float:
    """The largest value over a dense grid of recalls and prevalences whose three tails are no surprise together."""
    (hits, alarms), (misses, rejects) = counts.tolist()
    first, second, n = hits + misses, alarms + rejects, int(counts.sum())
    budget = float(gammainccinv(3, delta))
    prevalence = np.linspace(*exact(first, n, np.exp(-budget) / 2), 62)[1:-1]
    a, b = (np.linspace(0, exact(k, m, np.exp(-budget))[1], 62)[1:-1] for k, m in ((hits, first), (rejects, second)))
    tails = 2 * np.minimum(binom.cdf(first, n, prevalence), binom.sf(first - 1, n, prevalence))
    spent = -np.log(np.minimum(tails, 1))[:, np.newaxis, np.newaxis] - binom.logcdf(hits, first, a)[:, np.newaxis]
    inside = np.nonzero(spent - binom.logcdf(rejects, second, b) <= budget)
    world = tables.World(*(each[where] for each, where in zip((prevalence, a, b), inside, strict=True)))
    return float(np.nanmax(truth(world, evidence(name, counts).source)))


@both
def test_the_limit_is_the_extreme_over_the_region(name: str, truth: Truth) -> None:
    generator = np.random.default_rng(2)
    for most in (5, 30, 200):
        counts = generator.integers(1, most, (2, 2))
        upper = float(REGION(evidence(name, counts), 0.025, "upper").upper)
        lower = float(REGION(evidence(name, counts), 0.025, "lower").lower)
        highest = region_by_grid(name, counts, 0.025, truth)
        lowest = -region_by_grid(name, counts[::-1], 0.025, truth)  # every prediction turned over
        assert highest - 1e-9 <= upper <= highest + 0.05
        assert lowest - 0.05 <= lower <= lowest + 1e-9


@pytest.mark.crossing(1)
@both
def test_blocks_that_are_not_looked_into_hold_nothing_larger(
    name: str, truth: Truth, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = np.random.default_rng(3).integers(0, 40, (40, 2, 2))
    pruned = REGION(evidence(name, counts))
    monkeypatch.setattr(room, "BLOCKS", (room.LEVELS, 1))  # one block on each side, and all of its cells
    monkeypatch.setattr(room, "_blocks", room._blocks.__wrapped__)
    whole = REGION(evidence(name, counts))
    assert np.array_equal(pruned.lower, whole.lower)
    assert np.array_equal(pruned.upper, whole.upper)
    monkeypatch.setattr(room, "AT_ONCE", 1)  # a block at a time
    apart = REGION(evidence(name, counts[:3]))
    assert np.array_equal(apart.upper, pruned.upper[:3])  # type: ignore[index]


@both
def test_the_region_is_a_fifth_narrower_than_the_box(name: str, truth: Truth) -> None:
    for counts in ([[430, 60], [70, 440]], [[80, 45], [20, 855]]):
        box, region = BOX(evidence(name, counts)), REGION(evidence(name, counts))
        assert region.width < 0.82 * box.width  # type: ignore[operator]
        assert [bound.name for bound in default_methods(evidence(name, counts))] == ["fisher-region"]
