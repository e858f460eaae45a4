"""Limits on a stream of losses: right at every moment, whatever the stream and however it is cut."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy.special import bdtrc

from holdfast.evidence import Array
from holdfast.streams.losses import SHARES, Grid, LossSequence, betting_sequence
from tests.tries import tries

BY_CHANCE = 1e-6
LOOKS = 2000


def mostly_zero(rng: np.random.Generator, size: int) -> Array:
    return np.where(rng.random(size) < 0.95, 0.0, rng.random(size))


def two_points(rng: np.random.Generator, size: int) -> Array:
    return np.where(rng.random(size) < 0.03, 1.0, 0.1)


def uniform(rng: np.random.Generator, size: int) -> Array:
    return rng.random(size)


def nearly_constant(rng: np.random.Generator, size: int) -> Array:
    return rng.uniform(0.2, 0.3, size)


def coins(rng: np.random.Generator, size: int) -> Array:
    return (rng.random(size) < 0.02).astype(float)


def extremes(rng: np.random.Generator, size: int) -> Array:
    return rng.beta(0.1, 0.1, size)


LAWS = {mostly_zero: 0.025, two_points: 0.127, uniform: 0.5, nearly_constant: 0.25, coins: 0.02, extremes: 0.5}
losses = pytest.mark.parametrize(("law", "mean"), list(LAWS.items()), ids=[law.__name__ for law in LAWS])


def grid_around(mean: float) -> Grid:
    """Means are bet against apart from each other: those next to the truth are enough to see whether it is missed."""
    means = np.array([0.0, mean - 1e-9, mean + 1e-9, 1.0])
    return Grid(means, means, 1 - means, 0.5, 0.25)


def missed(law: Callable[..., Array], mean: float, streams: int, delta: float) -> tuple[int, int]:
    """How many streams of 2,000 losses ever had a lower limit above their mean, and an upper one below."""
    rng = np.random.default_rng(0)
    above = below = 0
    for _ in range(streams):
        end = LossSequence.start(delta, grid=grid_around(mean)).after(law(rng, LOOKS))
        lower, upper = betting_sequence(end)
        above += lower > mean
        below += upper < mean
    return above, below


@pytest.mark.long
@tries("betting-sequence", how="simulated")
@losses
def test_the_mean_is_rarely_ever_missed(law: Callable[..., Array], mean: float) -> None:
    above, below = missed(law, mean, 600, delta=0.2)
    assert bdtrc(max(above, below) - 1, 600, 0.1) >= BY_CHANCE
    assert bdtrc(above + below - 1, 600, 0.2) >= BY_CHANCE
    assert above + below > 10  # limits that are never wrong would be too wide


@losses
def test_all_means_of_the_grid_say_what_two_of_them_would(law: Callable[..., Array], mean: float) -> None:
    x = law(np.random.default_rng(1), 500)
    full = LossSequence.start(0.05).after(x)
    assert full.lower < mean < full.upper
    for place in (full.first, full.first + 1, full.last - 1, full.last):  # the last refuted, the first that is not
        m = float(SHARES.means[place])
        alone = LossSequence.start(0.05, at_most=m).after(x)
        assert (alone.broken == "above") == (place <= full.first)
        alone = LossSequence.start(0.05, at_least=m).after(x)
        assert (alone.broken == "below") == (place >= full.last)


def by_hand(x: list[float], m: float, delta: float) -> float:
    """The largest wealth against "the mean is at most m", written out."""
    wealth, most, total, squares = 1.0, 1.0, 0.0, 0.0
    for t, value in enumerate(x, start=1):
        variance = (0.25 + squares) / t
        bet = min((np.log(2 / delta) / (2 * t * variance)) ** 0.5, 0.65 / m)
        wealth *= 1 + bet * (value - m)
        most = max(most, wealth)
        total += value
        squares += (value - (0.5 + total) / (t + 1)) ** 2
    return most


def test_the_bets_as_written_down() -> None:
    x = np.random.default_rng(2).beta(1, 5, 300)
    end = LossSequence.start(0.05).after(x)
    means = SHARES.means
    assert by_hand(x.tolist(), means[end.first], 0.05) >= 40 > by_hand(x.tolist(), means[end.first + 1], 0.05)
    y = (1 - x).tolist()
    assert by_hand(y, 1 - means[end.last], 0.05) >= 40 > by_hand(y, 1 - means[end.last - 1], 0.05)


@losses
def test_cutting_the_stream_anywhere_changes_nothing(law: Callable[..., Array], mean: float) -> None:
    rng = np.random.default_rng(3)
    x = np.concatenate([law(rng, 400), 1 - law(rng, 400)])  # it changes on the way
    whole = LossSequence.start(0.05, at_most=0.6, at_least=0.1).after(x)
    for cuts in ([1, 2, 3], [399, 400, 401, 640], np.sort(rng.integers(0, 800, 60)).tolist()):
        parts = LossSequence.start(0.05, at_most=0.6, at_least=0.1)
        for part in np.split(x, cuts):
            parts = parts.after(part)
        assert parts.to_dict() == whole.to_dict()


def test_losses_that_change_contradict_themselves_and_still_break_a_limit() -> None:
    rng = np.random.default_rng(4)
    steady = LossSequence.start(0.05, at_most=0.3).after(rng.beta(2, 18, 100))
    assert (steady.contradictory, steady.broken) == (False, "")
    jumped = steady.after(rng.beta(18, 2, 100))
    assert jumped.contradictory
    assert jumped.broken == ""
    assert jumped.after(rng.beta(18, 2, 900)).broken == "above"


def test_limits_narrow_as_a_stream_goes_on() -> None:
    rng = np.random.default_rng(7)
    sequence, widths = LossSequence.start(0.05), []
    for size in (30, 70, 900, 9000):
        sequence = sequence.after(rng.random(size))
        widths.append(sequence.upper - sequence.lower)
    assert widths == pytest.approx([0.3, 0.14, 0.055, 0.022], rel=0.35)
    assert sequence.mean == pytest.approx(0.5, abs=0.02)
