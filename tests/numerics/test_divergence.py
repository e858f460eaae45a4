"""The inverse of the Bernoulli divergence, against mpmath with fifty digits."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.evidence import Array
from holdfast.numerics.divergence import kl_inverse

DIGITS = 50


def divergence(p: mpmath.mpf, q: mpmath.mpf) -> mpmath.mpf:
    total = mpmath.mpf(0)
    if p > 0:
        total += p * mpmath.log(p / q)
    if p < 1:
        total += (1 - p) * mpmath.log((1 - p) / (1 - q))
    return total


def oracle(p: mpmath.mpf, wanted: float) -> tuple[mpmath.mpf, mpmath.mpf]:
    """q and 1 - q, by bisection on the log-odds, sharing no line with what is tested."""
    low, high = mpmath.log(p / (1 - p)), mpmath.mpf(10**6)
    for _ in range(200):
        middle = (low + high) / 2
        q, room = 1 / (1 + mpmath.exp(-middle)), 1 / (1 + mpmath.exp(middle))
        found = p * mpmath.log(p / q) + (1 - p) * mpmath.log((1 - p) / room)
        low, high = (middle, high) if found < wanted else (low, middle)
    return 1 / (1 + mpmath.exp(-low)), 1 / (1 + mpmath.exp(low))


def at(value: float) -> Array:
    return np.asarray(value)


@pytest.mark.parametrize("wanted", [1e-12, 0.001, 0.5, 40.0])
@pytest.mark.parametrize("p", [1e-12, 0.001, 0.25, 0.5, 0.999, 1 - 2.0**-40])
def test_against_fifty_digits(p: float, wanted: float) -> None:
    with mpmath.workdps(DIGITS):
        limit, room = oracle(mpmath.mpf(p), wanted)
        found = kl_inverse(at(p), at(1 - p), at(wanted))  # 1 - p is exact for each of these, or is taken as given
        exact = mpmath.mpf(1) - mpmath.mpf(p) == mpmath.mpf(1 - p)
        assert abs(found.limit.item() / limit - 1) < 1e-13
        if room > 1e-290:
            assert abs(found.room.item() / room - 1) < (1e-12 if exact else 1e-9)
        else:
            assert found.room.item() <= 1e-290


@given(st.floats(0.001, 0.999), st.floats(1e-9, 20.0))
@settings(deadline=None, derandomize=True)
def test_the_divergence_of_the_answer_is_the_one_asked_for(p: float, wanted: float) -> None:
    found = kl_inverse(at(p), at(1 - p), at(wanted))
    assert found.limit.item() >= p
    assert found.limit.item() + found.room.item() == pytest.approx(1.0, abs=1e-15)
    with mpmath.workdps(DIGITS):
        # By how far the rate is off, from how far the divergence is off and its slope there.
        q = mpmath.mpf(found.limit.item())
        if q < 1 - 1e-12:
            slope = (q - p) / (q * (1 - q))
            assert abs((divergence(mpmath.mpf(p), q) - wanted) / slope) < 1e-15


@pytest.mark.parametrize("n", [1, 10, 10**9])
def test_no_loss_at_all_has_a_closed_form(n: int) -> None:
    found = kl_inverse(at(0.0), at(1.0), at(-np.log(0.05) / n))
    with mpmath.workdps(DIGITS):
        room = mpmath.mpf(0.05) ** (mpmath.mpf(1) / n)
        assert abs(found.limit.item() / (1 - room) - 1) < 1e-14
        assert abs(found.room.item() / room - 1) < 1e-15


def test_nothing_but_losses_leave_no_room() -> None:
    found = kl_inverse(at(1.0), at(0.0), at(0.1))
    assert (found.limit.item(), found.room.item()) == (1.0, 0.0)


def test_arrays_and_their_elements_agree() -> None:
    p = np.array([[0.0], [0.2], [1.0]])
    wanted = np.array([0.01, 0.1, 1.0, 10.0])
    together = kl_inverse(p, 1 - p, wanted)
    assert together.limit.shape == (3, 4)
    for (i, j), limit in np.ndenumerate(together.limit):
        assert limit == pytest.approx(kl_inverse(p[i, 0], 1 - p[i, 0], wanted[j]).limit.item(), rel=1e-15)


def test_a_larger_divergence_reaches_further() -> None:
    wanted = np.geomspace(1e-9, 100, 200)
    limits = kl_inverse(np.full(200, 0.3), np.full(200, 0.7), wanted).limit
    assert np.all(np.diff(limits) >= 0)
    assert np.all(np.diff(limits[:150]) > 0)
