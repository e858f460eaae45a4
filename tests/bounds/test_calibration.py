"""Limits on calibration: kept by enumeration and simulation, and the very ones that the bets allow."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np
import pytest
from scipy import stats
from scipy.special import gammaln, xlogy

from holdfast.catalog import Bound, find, find_measure
from holdfast.claims import SIDES, Assumption, Guarantee, Side
from holdfast.evidence import Array, Counts, Integers, Scores
from holdfast.evidence.ranking.calibration import CalibrationError, ChosenBins, Reliability
from holdfast.numerics.limit import Upper
from holdfast.verify.simulated import outcome
from tests.tries import tries

SIGNS, MCDIARMID, CHOSEN, EXACT = (find(n) for n in ("signs", "mcdiarmid", "chosen-bins", "clopper-pearson"))
both_methods = pytest.mark.parametrize("bound", [SIGNS, MCDIARMID], ids=["signs", "mcdiarmid"])


class World(NamedTuple):
    """Grades that forecast `said`, occur as often as `share`, and come true as often as `true`; bins of grades."""

    said: tuple[float, ...]
    share: tuple[float, ...]
    true: tuple[float, ...]
    bins: tuple[int, ...]

    @property
    def cells(self) -> Array:
        """The chance of each grade coming true, then of each not."""
        share, true = np.array(self.share), np.array(self.true)
        return np.concatenate([share * true, share * (1 - true)])

    @property
    def error(self) -> float:
        gaps = np.array(self.share) * (np.array(self.true) - np.array(self.said))
        return float(np.sum(np.abs([gaps[np.array(self.bins) == b].sum() for b in set(self.bins)])))

    def evidence(self, counts: Integers) -> CalibrationError:
        """From counts of the cells, along the last axis."""
        hits, misses = np.split(counts, 2, axis=-1)
        said, n = np.array(self.said), counts.sum(axis=-1)
        one_hot = np.array(self.bins)[:, None] == np.unique(self.bins)
        gaps = (hits - (hits + misses) * said) @ one_hot / n[..., None]
        square = (hits * (1 - said) ** 2 + misses * said**2).sum(axis=-1) / n
        return CalibrationError(gaps, square, n)


WORLDS = {
    "calibrated": World((0.1, 0.5, 0.9), (0.3, 0.4, 0.3), (0.1, 0.5, 0.9), (0, 1, 2)),
    "over-confident": World((0.02, 0.5, 0.98), (0.4, 0.2, 0.4), (0.2, 0.5, 0.75), (0, 1, 2)),
    "errors that cancel in a bin": World((0.3, 0.4, 0.9), (0.4, 0.4, 0.2), (0.1, 0.6, 0.9), (0, 0, 1)),
    "always wrong": World((0.0, 0.5, 1.0), (0.5, 0.0, 0.5), (1.0, 0.5, 0.0), (0, 1, 2)),
    "a hair off": World((0.001, 0.002, 0.999), (0.5, 0.3, 0.2), (0.0, 0.004, 0.995), (0, 0, 1)),
    "one bin, all half": World((0.5, 0.5, 0.5), (0.3, 0.3, 0.4), (0.5, 0.6, 0.5), (0, 0, 0)),
}
every_world = pytest.mark.parametrize("world", WORLDS.values(), ids=list(WORLDS))


@cache
def all_counts(cells: int, n: int) -> Integers:
    """Every way to share n examples out among cells."""
    if cells == 1:
        return np.array([[n]])
    return np.concatenate(
        [
            np.column_stack([np.full(len(rest), k), rest])
            for k in range(n + 1)
            for rest in [all_counts(cells - 1, n - k)]
        ]
    )


def chances(counts: Integers, cells: Array) -> Array:
    logs = gammaln(counts.sum(axis=-1) + 1) - gammaln(counts + 1).sum(axis=-1) + xlogy(counts, cells).sum(axis=-1)
    return np.exp(logs)


def missed(bound: Bound, world: World, counts: Integers, delta: float, side: Side) -> Array:
    claim = bound(world.evidence(counts), delta, side)
    return (np.asarray(claim.lower) > world.error + 1e-12) | (np.asarray(claim.upper) < world.error - 1e-12)


@tries("signs", "mcdiarmid", how="enumerated")
@both_methods
@every_world
def test_the_promise_is_kept_by_enumeration(bound: Bound, world: World) -> None:
    for n in (1, 2, 5, 8):
        counts = all_counts(6, n)
        chance = chances(counts, world.cells)
        assert chance.sum() == pytest.approx(1.0)
        for delta, side in product((0.9, 0.5, 0.2, 0.05), SIDES):
            assert chance[missed(bound, world, counts, delta, side)].sum() <= delta


@tries("signs", "mcdiarmid", how="simulated")
@pytest.mark.long
@both_methods
@every_world
def test_the_promise_is_kept_by_simulation(bound: Bound, world: World) -> None:
    for n, delta, side in product((30, 300, 10_000), (0.5, 0.05), SIDES):
        counts = np.random.default_rng(n).multinomial(n, world.cells, size=1000)
        wrong = int(missed(bound, world, counts, delta, side).sum())
        assert outcome(bound, n, delta, side, world.error, "grades", wrong, 1000).kept, (n, delta, side, wrong)


@pytest.mark.parametrize("side", ["upper", "lower"])
def test_simulation_catches_limits_that_forget_a_half(side: Side) -> None:
    """The lower limit of signs taken for known, the upper one with no room: some world must show either."""
    upper = lambda error, _: Upper(error.mean, error.complement)  # noqa: E731
    lower = lambda error, delta: error.mean - np.sqrt(-2 * np.log(delta) * error.square / error.n) / 4  # noqa: E731
    careless, caught = replace(SIGNS, upper=upper, lower=lower), 0
    for world in WORLDS.values():
        counts = np.random.default_rng(1).multinomial(1000, world.cells, size=1000)
        wrong = int(missed(careless, world, counts, 0.05, side).sum())
        caught += not outcome(careless, 1000, 0.05, side, world.error, "grades", wrong, 1000).kept
    assert caught


def bets(error: CalibrationError, m: float, delta: float, side: Side) -> float:
    """The capital of the bets of `signs`, from their definition: one by one over stakes, and over all signs."""
    n, b = int(error.n), error.gaps.shape[-1]
    spreads, weights = (1.0, 0.15, 0.02, 0.003, 4e-4, 5e-5), (0.1, 0.5, 0.1, 0.1, 0.1, 0.1)
    total = 0.0
    for spread, weight in zip(spreads, weights, strict=True):
        price = -np.log(delta) + (b * np.log(2) / 2 if side == "lower" else 0.0)
        stake = min(np.sqrt(2 * price / (n * spread)), 0.35 if side == "lower" else 0.5)
        if side == "upper":
            cost, x = -np.log(1 - stake) - stake, float(np.abs(error.gaps).sum())
            total += weight * np.exp(n * (stake * (m - x) - cost * (m * m - 2 * m * x + float(error.square))))
            continue
        cost = (-np.log(1 - 2 * stake) - 2 * stake) / 4
        for signs in product((-1, 1), repeat=b):
            x = float(np.sum(np.array(signs) * error.gaps))
            total += weight * 2.0**-b * np.exp(n * (stake * (x - m) - cost * (m * m - 2 * m * x + float(error.square))))
    return total


@pytest.mark.parametrize("delta", [0.3, 0.05, 1e-4])
def test_the_limits_are_where_the_capital_is_one_over_delta(delta: float) -> None:
    rng = np.random.default_rng(3)
    tight = 0
    for _ in range(25):
        n, b = int(rng.integers(20, 3000)), int(rng.integers(1, 6))
        gaps = rng.normal(0, rng.choice([0.02, 0.1]), b)
        gaps /= max(1.0, np.abs(gaps).sum() / 0.7)
        error = CalibrationError(gaps, np.asarray(max(0.1, np.abs(gaps).sum() ** 2)), np.asarray(n))
        lower, upper = SIGNS(error, delta, "lower").lower, SIGNS(error, delta, "upper").upper
        assert 0 <= lower <= np.abs(gaps).sum() <= upper <= 1
        if lower > 0:
            assert bets(error, float(lower), delta, "lower") == pytest.approx(1 / delta, rel=1e-6)
            tight += 1
        else:
            assert bets(error, 0.0, delta, "lower") < 1 / delta
        if upper < 1:
            assert bets(error, float(upper), delta, "upper") == pytest.approx(1 / delta, rel=1e-6)
            tight += 1
    assert tight > 20


def test_the_inequality_behind_the_bets() -> None:
    x, stake = np.linspace(-1, 3, 4001)[:, None], np.linspace(0, 0.99, 100)
    cost = -np.log1p(-stake) - stake
    assert np.all(np.exp(stake * x - cost * x**2) <= (1 + stake * x) * (1 + 1e-12) + 1e-15)


def test_a_stack_gives_what_its_elements_give() -> None:
    world = WORLDS["over-confident"]
    counts = np.random.default_rng(5).multinomial(400, world.cells, size=20)
    together = SIGNS(world.evidence(counts), 0.05)
    alone = [SIGNS(world.evidence(each), 0.05) for each in counts]
    assert np.asarray(together.upper) == pytest.approx([claim.upper for claim in alone], rel=1e-12)
    assert np.asarray(together.lower) == pytest.approx([claim.lower for claim in alone], rel=1e-12)


def test_bets_beat_bounded_differences() -> None:
    world = WORLDS["over-confident"]
    counts = np.random.default_rng(5).multinomial(1000, world.cells, size=50)
    bet, plain = (np.asarray(bound(world.evidence(counts)).width) for bound in (SIGNS, MCDIARMID))
    assert np.mean(bet / plain) < 0.6


def test_mcdiarmid_by_hand() -> None:
    claim = MCDIARMID(CalibrationError(np.array([0.2, -0.3]), np.array(0.3), np.array(400)), 0.1)
    slack = np.sqrt(2 * np.log(20) / 400)
    assert (claim.lower, claim.upper) == pytest.approx((0.5 - np.sqrt(2 / 400) - slack, 0.5 + slack), rel=1e-12)


@both_methods
def test_no_examples_say_nothing(bound: Bound) -> None:
    claim = bound(find_measure("ece")(Reliability.of(Scores([], []))))
    assert (claim.estimate, claim.lower, claim.upper) == (None, 0.0, 1.0)


@both_methods
def test_more_confidence_never_narrows_the_interval(bound: Bound) -> None:
    deltas = np.array([1e-12, 1e-6, 1e-3, 0.01, 0.05, 0.1, 0.3])
    error = CalibrationError(np.array([0.1, -0.05, 0.1]), np.array(0.2), np.array(500))
    for side in SIDES:
        claim = bound(error, deltas, side)
        assert np.all(np.diff(claim.lower) >= -1e-13)
        assert np.all(np.diff(claim.upper) <= 1e-13)


@both_methods
def test_what_it_assumes(bound: Bound) -> None:
    assert bound.guarantee is Guarantee.FINITE
    assert Assumption.FIXED_BINS in bound.assumes


@pytest.mark.parametrize("delta", [0.5, 0.2, 0.05])
def test_all_bins_of_a_reliability_diagram_hold_together(delta: float) -> None:
    """Three fixed bins enumerated; which of them is how full is chance."""
    n = 7
    counts = all_counts(6, n)
    for share, true in product(
        ((0.2, 0.3, 0.5), (0.9, 0.09, 0.01)), ((0.1, 0.5, 0.9), (0.0, 0.02, 1.0), (0.4, 0.4, 0.4))
    ):
        cells = np.concatenate([np.array(share) * true, np.array(share) * (1 - np.array(true))])
        hits, misses = np.split(counts, 2, axis=-1)
        for side in SIDES:
            claim = EXACT(Counts(hits, hits + misses), delta / 3, side)
            wrong = (np.asarray(claim.lower) > np.array(true) + 1e-12) | (
                np.asarray(claim.upper) < np.array(true) - 1e-12
            )
            assert chances(counts, cells)[wrong.any(axis=-1)].sum() <= delta


def test_the_bins_of_a_whole_diagram_need_their_share_of_delta() -> None:
    """Beside it: ten bins at the whole delta each, and some interval is wrong far more often."""
    true = np.linspace(0.05, 0.95, 10)
    drawn = np.random.default_rng(6).binomial(40, true, (4000, 10))
    share = []
    for delta in (0.05, 0.005):
        claim = EXACT(Counts(drawn, 40), delta)
        share.append(np.mean(np.any((np.asarray(claim.lower) > true) | (np.asarray(claim.upper) < true), axis=-1)))
    assert share[0] > 0.15
    assert share[1] <= 0.05


def test_grades_seen_hold_together_given_the_scores() -> None:
    """Which grades occur is read off the scores; given them, every count is binomial and independent."""
    true, delta = np.array([0.05, 0.3, 0.8]), 0.2
    for sizes in ((5, 4, 0), (1, 1, 1), (0, 9, 3)):
        seen = [g for g in range(3) if sizes[g]]
        counts = np.array(list(product(*(range(sizes[g] + 1) for g in seen))))
        chance = stats.binom.pmf(counts, [sizes[g] for g in seen], true[seen]).prod(axis=-1)
        claim = EXACT(Counts(counts, np.array([sizes[g] for g in seen])), delta / len(seen))
        wrong = (np.asarray(claim.lower) > true[seen]) | (np.asarray(claim.upper) < true[seen])
        assert chance[wrong.any(axis=-1)].sum() <= delta


def test_chosen_bins_have_the_same_numbers_and_no_proof() -> None:
    counts = Counts([0, 3, 9], [10, 10, 10])
    chosen, fixed = CHOSEN(ChosenBins(counts)), EXACT(counts)
    assert (chosen.guarantee, fixed.guarantee) == (Guarantee.HEURISTIC, Guarantee.FINITE)
    assert np.array_equal(chosen.lower, fixed.lower)
    assert np.array_equal(chosen.upper, fixed.upper)
