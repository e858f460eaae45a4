"""Bets on two models: fixtures, an oracle, and the chance of ever being wrong, counted out or simulated."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import comb

import numpy as np
import pytest
from mpmath import mp
from scipy.special import bdtrc

from holdfast.bounds.sequential import CountSequence
from holdfast.evidence import Array, Integers
from holdfast.streams import bets
from holdfast.streams.bets import (
    NEAREST,
    DifferenceSequence,
    PairSequence,
    log_wealth,
    paired_bets,
    sequential_bets,
)
from holdfast.streams.losses import Grid, LossSequence
from holdfast.streams.machine import Track
from tests.tries import tries

BY_CHANCE = 1e-6
LOOKS = 2000
DELTA = 0.05


def ternary(seed: int, won: float, lost: float, size: int) -> tuple[Integers, Integers, Integers]:
    drawn = np.random.default_rng(seed).random(size)
    return (
        (drawn < won).astype(np.int64),
        ((drawn >= won) & (drawn < won + lost)).astype(np.int64),
        np.ones(size, np.int64),
    )


# ---- One look


def test_published_e_values() -> None:
    first, second = np.exp(log_wealth(15, 5, 20)), np.exp(log_wealth(5, 15, 20))
    assert first == pytest.approx(6.3555, abs=5e-5)
    assert (first + second) / 2 == pytest.approx(3.2206, abs=5e-5)  # bets on both sides
    assert log_wealth(0, 0, 1000) == pytest.approx(0, abs=1e-12)


@pytest.mark.crossing(3)
@pytest.mark.parametrize(("a", "b"), [(0, 0), (1, 0), (0, 1), (7, 30), (60, 30), (520, 480), (2600, 2400)])
def test_bets_spread_evenly_are_the_beta_binomial_mixture(a: int, b: int) -> None:
    below = sum(comb(a + b + 1, j) for j in range(b + 1, a + b + 2))  # P(Bin(a + b + 1, 1/2) > b), in whole numbers
    exact = Fraction(below, (a + b + 1) * comb(a + b, a))
    assert float(log_wealth(a, b, a + b)) == pytest.approx(
        float(mp.log(mp.mpf(exact.numerator) / exact.denominator)), abs=1e-11
    )


def test_wealth_falls_with_the_mean_bet_against() -> None:
    means = np.linspace(-0.999, 1, 400)
    for rises, falls, n in ((0, 0, 10), (3, 1, 10), (40, 50, 1000), (0, 7, 7)):
        assert np.all(np.diff(log_wealth(rises, falls, n, means)) < 1e-12)
        assert log_wealth(rises, falls, n, 1.0) <= 1e-12
        assert log_wealth(rises, falls, n, (rises - falls) / n if rises > falls else 0.0) <= np.log(n)


def test_a_limit_is_the_last_mean_refuted() -> None:
    sequence = PairSequence(0.1).after(*(np.array([value]) for value in (40, 10, 500)))
    target = np.log(2 / 0.1)
    assert log_wealth(10, 40, 500, sequence.lower) >= target > log_wealth(10, 40, 500, sequence.lower + 1e-7)
    assert log_wealth(40, 10, 500, -sequence.upper) >= target > log_wealth(40, 10, 500, -sequence.upper + 1e-7)
    assert sequence.lower % NEAREST == sequence.upper % NEAREST == 0


def test_no_difference_seen_leaves_little_room() -> None:
    for n in (1, 10, 10**6, 10**9):
        sequence = PairSequence(DELTA).after(np.array([0]), np.array([0]), np.array([n]))
        assert sequence.alike
        assert sequence.logs == sequence.peaks == (pytest.approx(0, abs=1e-12),) * 2
        assert sequence.upper == -sequence.lower
        assert sequence.upper * n < 60 + 2 * n * NEAREST
    assert PairSequence(DELTA).after(np.array([0]), np.array([0]), np.array([0])).n == 0


# ---- Every look


def deciding(delta: float) -> Integers:
    """For each number of examples that tell apart, the fewest won that refute "the first is no better"."""
    t = np.arange(1, LOOKS + 1)
    low, high = np.zeros(LOOKS, np.int64), t + 1  # not at low, at high
    while np.any(high - low > 1):
        middle = (low + high) // 2
        yes = log_wealth(middle, t - middle, t, -NEAREST) >= bets._target(delta)
        low, high = np.where((high - low > 1) & ~yes, middle, low), np.where((high - low > 1) & yes, middle, high)
    return high


def chance_of_ever_deciding(theta: float, delta: float) -> tuple[float, float]:
    """Counted out over all streams of 2,000 looks, for the first model and for the second.

    `theta` is the chance that an example that tells the models apart is won; with both nulls true it is one half.
    """
    needed = deciding(delta)
    chances = []
    for wins in (theta, 1 - theta):
        alive, decided = np.zeros(LOOKS + 2), 0.0
        alive[0] = 1.0
        for t in range(1, LOOKS + 1):
            alive[1:] = alive[1:] * (1 - wins) + alive[:-1] * wins
            alive[0] *= 1 - wins
            decided += alive[needed[t - 1] :].sum()
            alive[needed[t - 1] :] = 0.0
        assert decided + alive.sum() == pytest.approx(1, abs=1e-12)
        chances.append(float(decided))
    return chances[0], chances[1]


@tries("sequential-bets", how="enumerated")
def test_the_chance_of_ever_calling_equal_models_better_over_2000_looks() -> None:
    won, n = int(deciding(DELTA)[199]), 200  # what is counted below are p-values of at most delta
    for more, small in ((0, True), (-1, False)):
        end = PairSequence(DELTA).after(np.array([won + more]), np.array([n - won - more]), np.array([n]))
        assert (sequential_bets(end) <= DELTA) == small
    first, second = chance_of_ever_deciding(0.5, DELTA)
    assert first == second
    assert 0.3 * DELTA < first + second <= DELTA
    for theta in (0.1, 0.3, 0.45, 0.49):  # the first model is worse
        wrong, right = chance_of_ever_deciding(theta, DELTA)
        assert wrong <= DELTA / 2
        assert right > first


MUTANTS = {
    "the prior is not truncated": ("_bets", lambda: (np.polynomial.legendre.leggauss(128)[0], np.full(128, 1 / 128))),
    "delta is doubled": ("_target", lambda delta: float(np.log(2 / (2 * delta)))),
    "e-values are compared with 1/(2 delta)": ("_target", lambda delta: float(np.log(1 / (2 * delta)))),
    "all of delta for each model": ("_target", lambda delta: float(np.log(1 / delta))),
}


@pytest.mark.parametrize("mutant", MUTANTS)
def test_what_would_break_the_promise_is_seen(mutant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bets, *MUTANTS[mutant])
    if "truncated" in mutant:
        wealth = np.exp(log_wealth(np.arange(100), 100 - np.arange(100), 100))
        assert wealth[0] > 2 / DELTA  # a hundred lost are evidence for the first model
    else:
        assert sum(chance_of_ever_deciding(0.5, DELTA)) > DELTA


def test_the_prior_is_on_one_side_and_sums_to_one() -> None:
    sizes, parts = bets._bets()
    assert np.all((sizes > 0) & (sizes < 1))
    assert np.all(parts > 0)
    assert np.sum(parts) == pytest.approx(1, abs=1e-15)
    assert np.exp(log_wealth(0, 100, 100)) < 0.05


def chance_of_ever_missing(won: float, lost: float, looks: int, delta: float) -> float:
    """Counted out over all streams: the probability that some of the first intervals misses the true difference."""
    true = lost - won
    most = [int(looks * p + 8 * (looks * p) ** 0.5 + 20) for p in (won, lost)]
    n, target = np.arange(1, looks + 1), bets._target(delta)

    def fewest(size: int, other: int, mean: float) -> Integers:
        """By n and how many falls there are: the fewest rises that refute "the mean is at most this"."""
        t, falls = np.meshgrid(n, np.arange(other + 1), indexing="ij")
        low, high = np.full(t.shape, -1), np.full(t.shape, size + 1)
        while np.any(high - low > 1):
            middle = (low + high) // 2
            fit = np.clip(middle, 0, np.maximum(t - falls, 0))
            yes = np.concatenate(
                [log_wealth(*(part[i : i + 40] for part in (fit, falls, np.maximum(t, falls))), mean) >= target
                 for i in range(0, looks, 40)]
            )  # fmt: skip
            open_ = high - low > 1
            low, high = np.where(open_ & ~yes, middle, low), np.where(open_ & yes, middle, high)
        return high

    needed = fewest(most[1], most[0], true), fewest(most[0], most[1], -true)  # lost refute from below, won from above
    w, v = np.meshgrid(np.arange(most[0] + 1), np.arange(most[1] + 1), indexing="ij")
    alive, missed = np.zeros(w.shape), 0.0
    alive[0, 0] = 1.0
    for t in range(looks):
        after = alive * (1 - won - lost)
        after[1:] += alive[:-1] * won
        after[:, 1:] += alive[:, :-1] * lost
        alive = after
        out = (v >= needed[0][t][w]) | (w >= needed[1][t][v])
        missed += float(alive[out].sum())
        alive[out] = 0.0
    assert missed + alive.sum() == pytest.approx(1, abs=1e-9)
    return missed


@tries("paired-bets", how="enumerated")
@pytest.mark.parametrize(("won", "lost"), [(0.02, 0.02), (0.1, 0.03), (0.0, 0.05), (0.01, 0.15)])
def test_the_chance_of_ever_missing_the_difference(won: float, lost: float) -> None:
    for more in range(0, 60, 5):  # what is counted below are limits beyond the difference
        counts = int(150 * won) + more, int(150 * lost), 150
        _, upper = paired_bets(PairSequence(0.2).after(*(np.array([each]) for each in counts)))
        assert (upper <= lost - won) == (log_wealth(*counts, won - lost) >= bets._target(0.2))
    missed = chance_of_ever_missing(won, lost, 150, 0.2)
    assert 0.02 < missed <= 0.2


@pytest.mark.long
@pytest.mark.parametrize(("won", "lost"), [(0.01, 0.01), (0.03, 0.01), (0.0, 0.02)])
def test_the_chance_of_ever_missing_the_difference_over_2000_looks(won: float, lost: float) -> None:
    assert 0.005 < chance_of_ever_missing(won, lost, LOOKS, DELTA) <= DELTA


def test_the_sequence_intersects_the_limits_of_every_look() -> None:
    rng = np.random.default_rng(5)
    n = rng.integers(0, 4, 300)
    won = rng.binomial(n, 0.25)
    lost = rng.binomial(n - won, 0.2)
    together, apart, singly = PairSequence(0.1).after(won, lost, n), PairSequence(0.1), []
    for i in range(300):
        apart = apart.after(won[i : i + 1], lost[i : i + 1], n[i : i + 1])
        singly.append(PairSequence(0.1).after(*(np.array([np.sum(part[: i + 1])]) for part in (won, lost, n))))
    assert together.to_dict() == apart.to_dict()
    assert together.lower == max(look.lower for look in singly)
    assert together.upper == min(look.upper for look in singly)
    assert together.peaks == (max(look.peaks[0] for look in singly), max(look.peaks[1] for look in singly))
    assert (together.won, together.lost, together.n) == (won.sum(), lost.sum(), n.sum())


@pytest.mark.parametrize(
    "looks",
    [
        [(1, 0, 1)] * 30 + [(0, 0, 1)] * 500,  # ties speak against a model that is better by much
        [(1, 0, 1)] * 30 + [(1, 0, 500)],
        [(0, 0, 1)] * 500 + [(0, 1, 1)] * 5,  # and for one that is not worse by much
        [(0, 0, 1)] * 500 + [(3, 2, 5), (0, 0, 300), (0, 2, 2)],
    ],
)
def test_no_look_that_refutes_most_is_passed_over(looks: list[tuple[int, int, int]]) -> None:
    won, lost, n = np.array(looks).T
    together, apart = PairSequence(DELTA).after(won, lost, n), PairSequence(DELTA)
    for i in range(len(looks)):
        apart = apart.after(won[i : i + 1], lost[i : i + 1], n[i : i + 1])
    last = PairSequence(DELTA).after(*(np.array([part.sum()]) for part in (won, lost, n)))
    assert together.to_dict() == apart.to_dict()
    assert together.upper < last.upper  # an earlier look said more


@pytest.mark.parametrize(("won", "lost"), [(0.03, 0.02), (0.4, 0.2), (0.0, 0.01), (0.9, 0.1)])
def test_cutting_or_swapping_changes_nothing(won: float, lost: float) -> None:
    a, b, one = ternary(1, won, lost, 4000)
    whole, parts = PairSequence(DELTA).after(a, b, one), PairSequence(DELTA)
    for cut in np.split(np.arange(4000), [1, 2, 3, 50, 51, 1023, 1024, 1025, 2500]):
        parts = PairSequence(DELTA).resumed(parts.after(a[cut], b[cut], one[cut]).to_dict())
    assert parts.to_dict() == whole.to_dict()
    swapped = PairSequence(DELTA).after(b, a, one)
    assert (swapped.lower, swapped.upper) == (-whole.upper, -whole.lower)
    assert (swapped.peaks, swapped.logs) == (whole.peaks[::-1], whole.logs[::-1])
    assert np.array_equal(swapped.track.logs, whole.track.logs[::-1])


def test_intervals_are_narrower_than_those_of_both_counts_apart() -> None:
    """The rule, fixed in advance: differences of right and wrong are bet on together, whatever they are."""
    for won, lost, size, at_most in ((0.04, 0.02, 1000, 0.056), (0.2, 0.1, 1000, 0.125), (0.01, 0.01, 10_000, 0.0105)):
        a, b, one = ternary(2, won, lost, size)
        together = PairSequence(DELTA).after(a, b, one)
        of_won, of_lost = (CountSequence(DELTA / 2).after(part, one) for part in (a, b))
        apart = (of_won.upper - of_won.lower) + (of_lost.upper - of_lost.lower)
        assert together.upper - together.lower < min(at_most, 0.85 * apart)
        assert together.lower < lost - won < together.upper


# ---- Losses


def small_grid(*means: float) -> Grid:
    """Means are bet against apart from each other: those that matter are enough."""
    half = np.unique(np.abs([NEAREST, 1.0, *means]))
    points = np.concatenate([-half[::-1], [0.0], half])
    return Grid(points, 1 + points, 1 - points, 0.0, 1.0)


def correlated(rng: np.random.Generator, size: int) -> Array:
    """Two losses that share most of their noise."""
    common, own = rng.beta(1, 2, size), rng.random((2, size))
    return np.asarray((own[0] - own[1]) * common)


def skewed(rng: np.random.Generator, size: int) -> Array:
    return np.where(rng.random(size) < 0.02, 0.98, -0.02)


def rare(rng: np.random.Generator, size: int) -> Array:
    return np.where(rng.random(size) < 0.95, 0.0, rng.uniform(-1, 1, size))


def two_points(rng: np.random.Generator, size: int) -> Array:
    return rng.choice([-1.0, 1.0], size)


def wandering(rng: np.random.Generator, size: int) -> Array:
    """Never in favour of either model at any moment, but of changing noise."""
    return np.asarray(rng.uniform(-1, 1, size) * (0.05 + np.abs(np.sin(np.arange(size) / 100))) / 1.05)


LAWS = [correlated, skewed, rare, two_points, wandering]
laws = pytest.mark.parametrize("law", LAWS, ids=[law.__name__ for law in LAWS])


@pytest.mark.long
@pytest.mark.parametrize(("law", "margin"), [*((law, 0.0) for law in LAWS), (correlated, 0.1), (two_points, 0.1)])
def test_equal_models_are_rarely_ever_told_apart(law: Callable[..., Array], margin: float) -> None:
    """With a margin: a first model that is worse by just that is rarely ever called not inferior."""
    rng, streams, first, second = np.random.default_rng(0), 250, 0, 0
    for _ in range(streams):
        d = law(rng, LOOKS) * (1 - margin) + margin
        end = DifferenceSequence(
            LossSequence.start(0.2, grid=small_grid(margin, margin - NEAREST, margin + NEAREST))
        ).after(d)
        first += end.upper < margin
        second += end.lower > margin
        if not margin:
            assert (end.upper < 0) == (end.peaks[0] >= np.log(10))  # the e-value and the interval are one game
    assert bdtrc(max(first, second) - 1, streams, 0.1) >= BY_CHANCE
    assert bdtrc(first + second - 1, streams, 0.2) >= BY_CHANCE
    assert first + second > 3


def test_bets_on_losses_as_written_down() -> None:
    d = np.random.default_rng(2).uniform(-1, 0.8, 300)
    log, most, total, squares = 0.0, 0.0, 0.0, 0.0
    for t, value in enumerate(d.tolist(), start=1):
        variance = (1 + squares) / t
        bet = min((np.log(2 / DELTA) / (2 * t * variance)) ** 0.5, 0.65)
        log += np.log1p(-bet * value)
        most = max(most, log)
        total += value
        squares += (value - total / (t + 1)) ** 2
    end = DifferenceSequence.start(DELTA).after(d)
    assert (end.logs[0], end.peaks[0]) == pytest.approx((log, most))
    assert end.lower < -0.1 < end.upper


@pytest.mark.crossing(3)
@laws
def test_cutting_or_swapping_losses_changes_nothing(law: Callable[..., Array]) -> None:
    d = law(np.random.default_rng(3), 1500) - np.where(np.arange(1500) < 800, 0.01, -0.01)
    whole, parts = DifferenceSequence.start(DELTA, 0.05).after(d), DifferenceSequence.start(DELTA, 0.05)
    for part in np.split(d, [1, 2, 3, 700, 701, 1025]):
        parts = DifferenceSequence.start(DELTA, 0.05).resumed(parts.after(part).to_dict())
    assert parts.to_dict() == whole.to_dict()
    swapped = DifferenceSequence.start(DELTA, 0.05).after(-d)
    assert (swapped.lower, swapped.upper, swapped.mean) == (-whole.upper, -whole.lower, -whole.mean)
    assert (swapped.logs, swapped.peaks) == (whole.logs[::-1], whole.peaks[::-1])
    assert np.array_equal(swapped.track.logs, whole.track.logs[::-1])


# ---- History


def test_a_history_is_thinned_the_same_way_however_it_came() -> None:
    a, b, one = ternary(7, 0.1, 0.05, 20_000)
    whole, parts = PairSequence(DELTA).after(a, b, one).track, PairSequence(DELTA)
    for start in range(0, 20_000, 777):
        parts = parts.after(a[start : start + 777], b[start : start + 777], one[start : start + 777])
    assert whole.n.tolist() == parts.track.n.tolist() == [1, *range(32, 20_001, 32)]
    assert np.array_equal(whole.logs, parts.track.logs)
    at = 32 * 100
    assert whole.logs[0][100] == log_wealth(a[:at].sum(), b[:at].sum(), at)
    for size in (1, 1023, 1024, 2047, 2048, 10**6):
        assert PairSequence(DELTA).after(one[:0], one[:0], one[:0]).track.n.size == 0
        track = Track().extended(np.arange(1, size + 1), lambda kept: np.zeros((2, kept.size)))
        assert min(size, 512) <= track.n.size <= 1024
