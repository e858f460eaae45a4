"""The root that Wilson, Chebyshev, Guttman and Bernstein share, against exact arithmetic."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import numpy as np
import pytest

from holdfast.evidence import Counts, Losses
from holdfast.numerics.roots import score_root, score_root_at


def larger_root(mean: Fraction, a: Fraction, spread: Fraction) -> tuple[mpmath.mpf, mpmath.mpf]:
    """Of (1 + a) L^2 - (2 mean + a) L + mean^2 - spread = 0, with sixty digits; and one minus it."""
    with mpmath.workdps(60):
        as_mp = [mpmath.mpf(x.numerator) / x.denominator for x in (mean, a, spread)]
        m, slope, s = as_mp
        half = mpmath.sqrt((2 * m + slope) ** 2 - 4 * (1 + slope) * (m * m - s))
        root = (2 * m + slope + half) / (2 * (1 + slope))
        return root, 1 - root


@pytest.mark.parametrize(("k", "n"), [(0, 10), (1, 10), (5, 10), (9, 10), (1, 10**9), (10**9 - 1, 10**9), (3, 10**6)])
@pytest.mark.parametrize("a", [Fraction(1, 2**40), Fraction(1, 1024), Fraction(1, 4), Fraction(3), Fraction(10**6)])
def test_the_root_and_its_room_keep_their_digits(k: int, n: int, a: Fraction) -> None:
    found = score_root(Counts(k, n), np.asarray(float(a)))
    limit, room = larger_root(Fraction(k, n), a, Fraction(0))
    assert abs(found.limit.item() / limit - 1) < 1e-14
    assert abs(found.room.item() / room - 1) < 1e-14


@pytest.mark.parametrize("spread", [Fraction(1, 1024), Fraction(1, 64)])
def test_a_spread_enters(spread: Fraction) -> None:
    sample, a = Losses.from_moments(100, 0.25), Fraction(1, 128)
    found = score_root(sample, np.asarray(float(a)), float(spread))
    limit, room = larger_root(Fraction(1, 4), a, spread)
    assert abs(found.limit.item() / limit - 1) < 1e-14
    assert abs(found.room.item() / room - 1) < 1e-13


def test_no_loss_and_no_slack_is_no_limit_above_zero() -> None:
    found = score_root(Counts(0, 10), np.asarray(0.0))
    assert (found.limit.item(), found.room.item()) == (0.0, 1.0)


def test_nothing_but_losses_leave_no_room() -> None:
    found = score_root(Counts(10, 10), np.asarray(0.5))
    assert (found.limit.item(), found.room.item()) == (1.0, 0.0)


def test_nothing_known_and_no_slack_divides_nothing_by_nothing() -> None:
    zero = np.asarray(0.0)
    assert score_root_at(zero, zero, zero, 0.0, zero).room.item() == 0.0


def test_arrays_broadcast() -> None:
    found = score_root(Counts([[0], [5]], 10), np.array([0.1, 0.2, 0.3]))
    assert found.limit.shape == found.room.shape == (2, 3)
    assert found.limit[1, 2] == pytest.approx(score_root(Counts(5, 10), np.asarray(0.3)).limit, rel=1e-14)
