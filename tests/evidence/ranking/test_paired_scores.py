"""Two scores of the same examples: areas and DeLong's covariance, against all pairs written out."""

from __future__ import annotations

import numpy as np
import pytest

from holdfast.bounds.ranking import delong_variance
from holdfast.errors import InvalidEvidence
from holdfast.evidence import Scores
from holdfast.evidence.ranking.distance import PairedScores, _summed


def sample(n: int = 80, seed: int = 0, digits: int = 1) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    positive = rng.random(n) < 0.4
    shared = rng.normal(size=n)
    return *(np.round(positive * size + shared + rng.normal(size=n), digits) for size in (1.5, 1.0)), positive


def written_out(scores: np.ndarray, positive: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For each example of either class the share of the other class that is on the right side of it."""
    own, others = scores[positive], scores[~positive]
    won = np.sign(own[:, None] - others) / 2 + 0.5
    return won.mean(axis=1), won.mean(axis=0)


@pytest.mark.parametrize("digits", [0, 1, 9])
def test_difference_and_variance_are_those_of_all_pairs(digits: int) -> None:
    first, second, positive = sample(digits=digits)
    found = PairedScores(first, second, positive)
    (own, others), (own_too, others_too) = (written_out(each, positive) for each in (first, second))
    assert float(found.estimate) == pytest.approx(own.mean() - own_too.mean(), abs=1e-15)
    wanted = np.var(own - own_too, ddof=1) / own.size + np.var(others - others_too, ddof=1) / others.size
    assert found.variance == pytest.approx(wanted, rel=1e-12)
    assert (int(found.n), found.n_positive, found.n_negative) == (80, own.size, others.size)


def test_against_scores_that_know_nothing_it_is_the_variance_of_one() -> None:
    first, _, positive = sample()
    found = PairedScores(first, np.zeros(80), positive)
    assert found.variance == pytest.approx(delong_variance(Scores(first, positive)), rel=1e-13)
    assert float(found.estimate) == float(Scores(first, positive).mean) - 0.5


def test_swapping_models_or_rows_turns_the_sign_and_nothing_else() -> None:
    first, second, positive = sample(digits=9)
    here, there = PairedScores(first, second, positive), PairedScores(second, first, positive)
    assert (float(here.estimate), here.variance) == (-float(there.estimate), there.variance)
    assert (float(here.mean), float(here.complement)) == (float(there.complement), float(there.mean))
    assert float(here.mirror().estimate) == float(there.estimate)
    order = np.random.default_rng(3).permutation(80)
    mixed = PairedScores(first[order], second[order], positive[order])
    assert (float(here.estimate), here.variance) == (float(mixed.estimate), mixed.variance)


def test_only_the_order_of_the_scores_matters() -> None:
    first, second, positive = sample()
    bent = PairedScores(np.exp(first), second * 7 - 3, positive)
    assert bent.variance == PairedScores(first, second, positive).variance


def test_gini_is_twice_the_area() -> None:
    found = PairedScores(*sample())
    assert float(found.gini.estimate) == 2 * float(found.estimate)
    assert float(found.gini.units(np.asarray(1.0))) == 2.0
    assert "gini-difference=" in repr(found.gini)
    assert found.gini.mirror().most == 2.0


def test_a_million_examples_overflow_nothing() -> None:
    """The two scores place everything the other way round: the largest squares there can be."""
    n = 10**6
    positive = np.arange(n) >= n // 2
    found = PairedScores(np.arange(n), -np.arange(n), positive)
    assert (float(found.estimate), found.variance) == (1.0, 0.0)
    assert found.positives.squares == n // 2 * n**2
    assert _summed(np.full(9, 2**31)).squares == 9 * 2**62  # as of a billion


def test_without_both_classes_nothing_is_known() -> None:
    for positive in ([True, True], [False, False], []):
        found = PairedScores(*[np.arange(len(positive))] * 2, np.array(positive, bool))
        assert not found.known
        assert np.isnan(found.variance)
        assert "unknown" in repr(found)
    assert np.isnan(PairedScores([1, 2, 3], [2, 1, 3], [True, False, False]).variance)


def test_what_is_no_score_is_refused() -> None:
    with pytest.raises(InvalidEvidence, match=r"got shapes \(2,\), \(3,\) and \(2,\)"):
        PairedScores([1, 2], [1, 2, 3], [True, False])
    with pytest.raises(InvalidEvidence, match="by true/false which examples are of the class"):
        PairedScores([1, 2], [1, 2], [1, 0])
    with pytest.raises(InvalidEvidence, match="finite numbers"):
        PairedScores([1, np.nan], [1, 2], [True, False])
