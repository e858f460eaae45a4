"""Two models known each by itself: the difference, its mirror, and what is unknown."""

from __future__ import annotations

import numpy as np
import pytest

from holdfast.evidence import Scores
from holdfast.evidence.pairs.separate import SeparateEstimates
from holdfast.measures.ranking import ks


def pair(seed: int = 0, n: int = 60) -> SeparateEstimates:
    rng = np.random.default_rng(seed)
    positive = rng.random(n) < 0.4
    return SeparateEstimates(*(ks(Scores(positive * size + rng.normal(size=n), positive)) for size in (1.5, 0.7)))


def test_the_estimate_is_the_difference() -> None:
    found = pair()
    assert float(found.estimate) == float(found.first.mean - found.second.mean)
    assert float(found.units(found.mean)) == pytest.approx(float(found.estimate), abs=1e-15)
    assert (int(found.n), bool(found.known)) == (60, True)
    assert [float(found.units(np.asarray(end))) for end in (0.0, 1.0)] == [-1.0, 1.0]


def test_swapping_turns_the_sign_and_nothing_else() -> None:
    found = pair()
    turned = found.mirror()
    assert (turned.first, turned.second) == (found.second, found.first)
    assert float(turned.estimate) == -float(found.estimate)
    assert (float(turned.mean), float(turned.complement)) == (float(found.complement), float(found.mean))


def test_what_is_unknown_of_one_is_unknown_of_both() -> None:
    one = ks(Scores([1.0, 2.0], [True, True]))
    assert not SeparateEstimates(one, one).known
