"""Votes are what they say, and no inequality about them is ever violated."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import numpy as np
import pytest

from holdfast.bounds.binomial import hypergeometric
from holdfast.claims import Assumption, Claim
from holdfast.errors import InvalidEvidence
from holdfast.evidence import Counts, Losses
from holdfast.selection.cores.committee import (
    by_members,
    c_bound,
    factor_two,
    largest_c_bound,
    tandem,
    tied_votes,
    vote,
)
from tests.tries import tries

Table = np.ndarray[Any, Any]


def test_the_vote_is_the_label_with_most_votes_and_of_several_the_first() -> None:
    said = np.random.default_rng(0).integers(0, 4, (6, 300))
    for column, found in zip(said.T, vote(said, 4), strict=True):
        votes = Counter(column.tolist())
        assert found == min(label for label in votes if votes[label] == max(votes.values()))


@pytest.mark.parametrize("weights", [None, [1, 2, 2, 5]])
def test_more_labels_than_models_cost_nothing(weights: list[int] | None) -> None:
    said = np.random.default_rng(0).integers(0, 4, (4, 300))
    far_apart = said * 10**12
    np.testing.assert_array_equal(vote(far_apart, 10**15, weights), vote(said, 4, weights) * 10**12)
    assert tied_votes(far_apart, 10**15, weights) == tied_votes(said, 4, weights) > 0
    few, many = (by_members(known(0.2), *each, weights) for each in ((said, 4), (far_apart, 10**15)))
    assert [claim.upper for claim in many] == pytest.approx([claim.upper for claim in few])


def test_weights_decide_and_rounding_breaks_no_tie() -> None:
    said = np.array([[1, 1], [1, 0], [1, 0], [0, 1]])
    assert vote(said, 2, [0.1, 0.1, 0.1, 0.3]).tolist() == [0, 1]
    assert vote(said, 2, [1, 1, 1, 4]).tolist() == [0, 1]
    assert vote(said[:, :0], 2).tolist() == []


def test_many_inputs_are_counted_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    said = np.random.default_rng(1).integers(0, 3, (5, 100))
    whole = vote(said, 3, [1, 2, 3, 4, 5])
    monkeypatch.setattr("holdfast.numerics.voting.BLOCK", 35)
    assert np.array_equal(vote(said, 3, [1, 2, 3, 4, 5]), whole)


def known(rate: float) -> Claim:
    """A claim that leaves nothing open."""
    claim = hypergeometric(Counts(1, 10), unlabelled=10)
    return Claim(**{**vars(claim), "lower": rate, "upper": rate})


@pytest.mark.long
@pytest.mark.parametrize(
    ("labels", "inputs", "weights"), [(2, 8, None), (3, 5, None), (3, 5, [1, 2, 2]), (2, 7, [3, 1, 1])]
)
def test_what_members_say_of_the_vote_is_true_whatever_the_labels(labels: int, inputs: int, weights: Any) -> None:
    said = np.random.default_rng(2).integers(0, labels, (3, inputs))
    share = np.full(3, 1 / 3) if weights is None else np.array(weights) / sum(weights)
    together = vote(said, labels, weights)
    for truth in product(range(labels), repeat=inputs):
        wrong = share @ (said != np.array(truth))
        errors = np.mean(together != np.array(truth))
        claims = by_members(known(wrong.mean()), said, labels, weights)
        assert [claim.method for claim in claims] == ["factor-two", "c-bound", "tandem"]
        assert all(errors <= claim.upper + 1e-12 for claim in claims)
        if labels == 2:
            assert claims[2].upper == pytest.approx(min(4 * (wrong**2).mean(), 1))
            if wrong.mean() < 0.5:
                exact = 1 - (1 - 2 * wrong.mean()) ** 2 / ((1 - 2 * wrong) ** 2).mean()
                assert claims[1].upper == pytest.approx(exact)


def test_two_members_may_be_wrong_together_and_yet_differ() -> None:
    said = np.array([[0, 0, 0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0, 0], [2, 0, 0, 0, 0, 0, 0, 0]])
    wrong = (said != 0).mean(axis=0)  # where the truth is always 0
    factor, c, pairs = by_members(known(wrong.mean()), said, labels=3)
    assert pairs.upper >= 4 * (wrong**2).mean()
    assert c.upper >= 1 - (1 - 2 * wrong.mean()) ** 2 / ((1 - 2 * wrong) ** 2).mean()
    assert factor.upper == pytest.approx(2 * wrong.mean())
    assert Assumption.TWO_LABELS not in c.assumes
    assert Assumption.TWO_LABELS in by_members(known(0.1), said[:2], labels=2)[1].assumes


def test_the_largest_c_bound_is_the_largest_in_its_box() -> None:
    random = np.random.default_rng(3)
    for _ in range(200):
        lower, upper = np.sort(random.random(2) / 2)
        second = random.random() * upper
        means = np.linspace(lower, upper, 201)
        moments = np.linspace(0, second, 101)[:, None]
        possible = (moments >= means**2) & (moments <= means)
        with np.errstate(invalid="ignore", divide="ignore"):
            value = 1 - (1 - 2 * means) ** 2 / (1 - 4 * means + 4 * moments)
        found = largest_c_bound(np.asarray(lower), np.asarray(upper), np.asarray(second))
        if possible.any():
            assert found >= value[possible].max() - 1e-12
            assert found <= value[possible].max() + 0.02
    assert largest_c_bound(np.asarray(0.3), np.asarray(0.5), np.asarray(0.2)) == 1


@pytest.mark.long
@tries("factor-two", "tandem", "c-bound", how="simulated")
@pytest.mark.parametrize("bound", [factor_two, tandem, c_bound])
def test_votes_err_no_more_often_than_was_claimed(bound: Any) -> None:
    random, repeats, examples, delta = np.random.default_rng(4), 150, 60, 0.2
    # Three independent members: the vote errs at 3 p^2 - 2 p^3, and E z^2 = (p + 2 p^2) / 3.
    p = 0.2
    truth = {factor_two: 2 * p, tandem: 4 * (p + 2 * p * p) / 3}
    truth[c_bound] = 1 - (1 - 2 * p) ** 2 / (1 - 4 * p + truth[tandem])
    misses = 0
    for _ in range(repeats):
        z = (random.random((3, examples)) < p).mean(axis=0)
        misses += bound(Losses(z), delta).upper < truth[bound]
    assert misses <= delta * repeats + 4.9 * np.sqrt(delta * (1 - delta) * repeats)


def largest_within(mean: float, divergence: float) -> float:
    """The largest q with kl(mean || q) at most the divergence, by bisection."""
    low, high = mean, 1.0 - 1e-12
    for _ in range(100):
        q = (low + high) / 2
        kl = mean * np.log(mean / q) + (1 - mean) * np.log((1 - mean) / (1 - q))
        low, high = (q, high) if kl <= divergence else (low, q)
    return low


def test_weights_that_saw_the_labels_are_paid_for_once_and_by_pairs_twice() -> None:
    z, n, delta, divergence = np.array([0.0, 0.25, 0.0, 0.5] * 100), 400, 0.05, 3.0
    room = np.log(2 * np.sqrt(n) / delta)
    once, twice = ((times * divergence + room) / n for times in (1, 2))
    assert factor_two(Losses(z), delta, divergence).upper == pytest.approx(2 * largest_within(z.mean(), once))
    assert tandem(Losses(z), delta, divergence).upper == pytest.approx(4 * largest_within((z**2).mean(), twice))


def test_a_model_selected_by_its_labels_errs_no_more_often_than_was_claimed() -> None:
    random, models, examples, delta, p = np.random.default_rng(5), 200, 200, 0.1, 0.2
    misses = 0
    for _ in range(60):
        # All weight goes to the model that erred least here: it errs at p as all do, and z is its error.
        wrong = random.random((models, examples)) < p
        z = Losses(wrong[np.argmin(wrong.sum(axis=1))].astype(float))
        misses += bool(factor_two(z, delta, float(np.log(models))).upper < 2 * p)
    assert misses <= delta * 60 + 4.9 * np.sqrt(delta * (1 - delta) * 60)


def test_a_claim_about_the_vote_says_what_it_is() -> None:
    z = Losses([0.0, 0.25, 0.0, 0.5] * 100)
    for bound in (factor_two, tandem, c_bound):
        claim = bound(z, 0.05)
        assert (claim.measure, claim.side, claim.estimate, claim.delta) == ("vote-error-rate", "upper", None, 0.05)
    with pytest.raises(InvalidEvidence, match="one claim"):
        by_members(hypergeometric(Counts([1, 2], 10), unlabelled=10), np.zeros((2, 3), int), 2)
