"""What unlabelled inputs make certain: never violated by any labelling of a few inputs, and the evidence of a panel."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from holdfast.bounds.spread import bounded_differences, spread_pool
from holdfast.errors import InvalidEvidence
from holdfast.evidence.pools.averages import certain
from holdfast.evidence.pools.panel import Panel, Unlabelled
from holdfast.evidence.pools.spread import contention, drawing_variance, largest_variance, spread, spread_on

WEIGHTS = [None, np.array([0.4, 0.3, 0.2, 0.1])]


def labellings(labels: int, n: int) -> np.ndarray:
    return np.array(list(product(range(labels), repeat=n)))


def made(seed: int = 0, labels: int = 2, n: int = 30, models: int = 4) -> Panel:
    random = np.random.default_rng(seed)
    truth = random.integers(0, labels, n)
    predicted = np.where(random.random((models, n)) < 0.7, truth, random.integers(0, labels, (models, n)))
    names = tuple("abcdefgh"[:models])
    return Panel(names, predicted != truth, tuple("0123"[:labels]), truth, predicted)


@pytest.mark.parametrize("weights", WEIGHTS, ids=["equal", "weighted"])
@pytest.mark.parametrize(("labels", "n"), [(2, 1), (2, 8), (3, 5), (4, 4)])
@pytest.mark.parametrize("seed", range(4))
def test_no_labelling_violates_what_is_certain(seed: int, labels: int, n: int, weights: np.ndarray | None) -> None:
    said = np.random.default_rng(seed).integers(0, labels, (4, n))
    share = np.full(4, 0.25) if weights is None else weights
    wrong = said[None] != labellings(labels, n)[:, None]
    rates = wrong.mean(axis=2)
    average = np.einsum("m,lmj->lj", share, wrong)
    low, high = (each.mean() for each in certain(said, labels, weights))
    assert average.mean(axis=1).min() == pytest.approx(low)
    assert average.mean(axis=1).max() == pytest.approx(high)
    variance = (rates**2) @ share - (rates @ share) ** 2
    assert variance.max() <= largest_variance(said, weights) + 1e-12
    drawn = (average * (1 - average)).sum(axis=1) / n**2
    least, most = drawing_variance(said, labels, weights)
    assert drawn.min() >= least - 1e-12
    assert drawn.max() == pytest.approx(most)
    assert labels > 2 or drawn.min() == pytest.approx(least)


def test_the_published_case_of_four_inputs() -> None:
    """p = .1, .2, .9, .6: Eq. 19 gives .03625 and Eq. 24 the range [.2, .8]."""
    said = np.zeros((10, 4), np.int64)
    for place, ones in enumerate((1, 2, 9, 6)):
        said[:ones, place] = 1
    assert drawing_variance(said, labels=2) == pytest.approx((0.03625, 0.03625))
    low, high = certain(said, labels=2)
    assert (low.mean(), high.mean()) == (pytest.approx(0.2), pytest.approx(0.8))


def test_disagreement_is_never_worse_than_contention() -> None:
    for seed in range(20):
        said = np.random.default_rng(seed).integers(0, 2, (6, 15))
        _, most = contention(said, labels=2)
        assert largest_variance(said) <= np.sqrt(most).mean() ** 2 + 1e-12


@pytest.mark.parametrize("weights", WEIGHTS, ids=["equal", "weighted"])
def test_the_estimate_is_the_mean_over_pairs_of_different_examples(weights: np.ndarray | None) -> None:
    panel, share = made(), np.full(4, 0.25) if weights is None else weights
    wrong = panel.wrong - share @ panel.wrong
    pairs = np.einsum("m,mi,mj->ij", share, wrong, wrong)
    off = pairs[~np.eye(panel.n, dtype=bool)]
    assert spread(panel, weights).unbiased == pytest.approx(off.mean())


def test_the_estimate_on_the_unlabelled_is_what_their_labels_would_give_on_average() -> None:
    """Over random splits of a pool, the estimate of the variance has the mean of the variance on the unlabelled."""
    whole, random, found, true = made(n=60), np.random.default_rng(1), [], []
    assert whole.predicted is not None
    assert whole.truth is not None
    for _ in range(2000):
        order = random.permutation(60)
        here, there = order[:30], order[30:]
        panel = Panel(whole.models, whole.wrong[:, here], whole.labels, whole.truth[here], whole.predicted[:, here])
        on = spread_on(panel, Unlabelled(whole.models, whole.labels, whole.predicted[:, there]))
        found.append(on.unbiased * (1 - 1 / 30) + on.inner / 30)
        true.append(whole.wrong[:, there].mean(axis=1).var())
    apart = np.array(found) - true
    assert abs(apart.mean()) < 5 * apart.std() / np.sqrt(2000)


@pytest.mark.parametrize("labels", [2, 3])
def test_the_contention_of_the_pool_is_no_less_than_what_the_true_labels_give(labels: int) -> None:
    panel, rest = made(labels=labels), made(seed=9, labels=labels)
    assert rest.predicted is not None
    on = spread_on(panel, Unlabelled(panel.models, panel.labels, rest.predicted))
    average = np.concatenate([panel.wrong, rest.wrong], axis=1).mean(axis=0)
    true = (average * (1 - average)).mean()
    assert on.contention == pytest.approx(true) if labels == 2 else on.contention >= true
    assert spread_pool(on).upper >= rest.wrong.mean(axis=1).std()


def test_a_share_of_wrong_samples_counts_as_it_is() -> None:
    panel = Panel(("a", "b"), np.array([[0.0, 0.5, 1.0], [0.5, 0.5, 0.0]]))
    found = spread(panel)
    assert found.within == pytest.approx(np.var(panel.wrong, axis=0).mean())
    assert found.variance == pytest.approx(np.var([0.5, 1 / 3]))


def test_models_that_are_always_right_do_not_spread() -> None:
    claim = bounded_differences(spread(Panel(("a", "b"), np.zeros((2, 100), bool))))
    assert (claim.estimate, claim.lower, claim.measure) == (0.0, 0.0, "error-rate-spread")


def test_what_cannot_be_answered_says_why() -> None:
    panel = made()
    assert panel.predicted is not None
    with pytest.raises(InvalidEvidence, match="same models"):
        spread_on(panel, Unlabelled(("x", *panel.models[1:]), panel.labels, panel.predicted))
    with pytest.raises(InvalidEvidence, match="only known as"):
        spread_on(Panel(panel.models, panel.wrong), Unlabelled(panel.models, panel.labels, panel.predicted))
    with pytest.raises(InvalidEvidence, match="clusters"):
        spread(Panel(panel.models, panel.wrong, clusters=np.zeros(30, np.int64)))
