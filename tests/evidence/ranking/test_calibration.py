"""Scores in bins: every score in its bin, whatever way the scores came, and honest where they came in steps."""

from __future__ import annotations

import numpy as np
import pytest

from holdfast.catalog import find, find_measure
from holdfast.errors import HoldfastError
from holdfast.evidence import Array, Scores
from holdfast.evidence.ranking.calibration import CalibrationError, ChosenBins, Reliability

SIGNS = find("signs")


def drawn(n: int, digits: int | None = None, seed: int = 0) -> tuple[Array, Array]:
    rng = np.random.default_rng(seed)
    scores = rng.beta(0.5, 1.0, n)
    return (scores if digits is None else np.round(scores, digits)), rng.random(n) < scores**1.3


def plain(scores: Array, truth: Array, edges: Array) -> tuple[list[int], list[int], list[float]]:
    """The same by a loop."""
    place = [max(i for i in range(len(edges) - 1) if edges[i] <= score) for score in scores]
    here = [np.array(place) == b for b in range(len(edges) - 1)]
    return [int(h.sum()) for h in here], [int(truth[h].sum()) for h in here], [float(scores[h].sum()) for h in here]


@pytest.mark.parametrize("digits", [None, 1, 2])
@pytest.mark.parametrize("bins", [10, 3, [0, 0.05, 0.5, 1]])
def test_every_score_is_in_its_bin(digits: int | None, bins: int | list[float]) -> None:
    scores, truth = drawn(2000, digits)
    found = Reliability.of(Scores(scores.copy(), truth), bins)
    edges = np.array([i / bins for i in range(bins + 1)]) if isinstance(bins, int) else np.array(bins)
    n, positives, sums = plain(scores, truth, edges)
    assert found.n.tolist() == n
    assert found.positives.tolist() == positives
    assert found.forecasts == pytest.approx(sums, rel=1e-12)
    assert float(found.squares) == pytest.approx(float(np.sum((truth - scores) ** 2)), rel=1e-12)
    assert found.mean_forecast == pytest.approx([s / k for s, k in zip(sums, n, strict=True)])


def test_an_edge_belongs_to_the_bin_above_it_and_one_to_the_last() -> None:
    found = Reliability.of(Scores([0.3, 0.7, 1.0, 0.0], [True, True, True, False]))
    assert [name for name, n in zip(found.names, found.n, strict=True) if n] == [
        *("[0, 0.1)", "[0.3, 0.4)", "[0.7, 0.8)", "[0.9, 1]")
    ]


def test_counts_of_scores_are_read_the_same() -> None:
    scores, truth = drawn(5000, 2)
    values, place = np.unique(scores, return_inverse=True)
    hits = np.bincount(place, truth).astype(int)
    counted = Scores.from_counts(values, hits, np.bincount(place) - hits)
    one, other = Reliability.of(Scores(scores.copy(), truth)), Reliability.of(counted)
    for name in ("n", "positives", "forecasts", "squares"):
        assert np.array_equal(getattr(one, name), getattr(other, name))


def test_many_blocks_are_read_like_one() -> None:
    scores, truth = drawn(100_000)
    found = Reliability.of(Scores(scores.copy(), truth))
    assert found.n.tolist() == np.histogram(scores, np.arange(11) / 10)[0].tolist()
    assert found.positives.tolist() == np.histogram(scores[truth], np.arange(11) / 10)[0].tolist()


def test_the_error_by_hand() -> None:
    # 0.1 and 0.2 come true once and never: 0.7 missing; 0.9 is right and 0.6 is not: 0.5 too much.
    found = find_measure("ece")(Reliability.of(Scores([0.1, 0.2, 0.9, 0.6], [True, False, True, False]), 2))
    assert isinstance(found, CalibrationError)
    assert float(found.mean) == pytest.approx((0.7 + 0.5) / 4)
    assert float(found.square) == pytest.approx((0.81 + 0.04 + 0.01 + 0.36) / 4)
    assert float(found.mean + found.complement) == 1.0
    assert float(found.mirror().mean) == float(found.complement)


def test_scores_in_steps_stay_within_what_they_may_be() -> None:
    scores, truth = drawn(3000)
    exact = find_measure("ece")(Reliability.of(Scores(scores.copy(), truth)))
    for steps in (64, 1000, 4096):
        places = np.floor(scores * steps).astype(int)
        hits = np.bincount(places[truth], minlength=steps)
        others = np.bincount(places[~truth], minlength=steps)
        read = Reliability.of(Scores.from_counts(np.arange(steps) / steps, hits, others, width=1 / steps))
        error = find_measure("ece")(read)
        assert float(error.at_least().mean) <= float(exact.mean) <= float(error.at_most().mean)
        assert float(error.square) >= float(exact.square)
        assert read.exact is (steps == 1000)
        claim, true = SIGNS(error), SIGNS(exact)
        assert claim.lower <= true.lower
        assert true.upper <= claim.upper
        assert claim.upper - true.upper < 25 / steps


def test_aligned_bins_of_steps_are_exact() -> None:
    read = Reliability.of(Scores.from_counts(np.arange(8) / 8, [1] * 8, [2] * 8, width=1 / 8), 4)
    assert read.exact
    assert read.n.tolist() == [6, 6, 6, 6]


def test_grades_by_value_and_by_name() -> None:
    scores = Scores([0.01, 0.2, 0.2, 0.05], [False, True, False, False])
    found = Reliability.of(scores, "grades")
    assert (found.names, found.n.tolist(), found.positives.tolist(), found.fixed) == (
        ("0.01", "0.05", "0.2"),
        [1, 1, 2],
        [0, 0, 1],
        True,
    )
    named = Reliability.of(scores, {"C": 0.2, "A": 0.01, "B": 0.05, "D": 0.5})
    assert (named.names, named.n.tolist()) == (("A", "B", "C", "D"), [1, 1, 2, 0])
    with pytest.raises(HoldfastError, match=r"The score 0.05 is of none of the grades A, C"):
        Reliability.of(scores, {"A": 0.01, "C": 0.2})


def test_grades_a_hair_apart_keep_their_names() -> None:
    found = Reliability.of(Scores([0.2, 0.2 + 1e-9], [True, False]), "grades")
    assert found.names == ("0.2", "0.200000001")


def test_quantiles_hold_about_equally_many_and_are_not_fixed() -> None:
    scores, truth = drawn(5000)
    found = Reliability.of(Scores(scores.copy(), truth), "quantiles")
    assert not found.fixed
    assert found.n.sum() == 5000
    assert found.n.min() > 450
    assert found.n.max() < 550
    assert isinstance(find_measure("calibration")(found), ChosenBins)


def test_quantiles_of_few_scores() -> None:
    for scores in ([], [0.5], [0.0, 1.0], [0.2] * 30 + [0.9]):
        found = Reliability.of(Scores(scores, np.zeros(len(scores), bool)), "quantiles")
        assert found.n.sum() == len(scores)


@pytest.mark.parametrize(
    ("bins", "message"),
    [
        (0, "a number from 1 to 1,000"),
        (2.5, "a number from 1 to 1,000"),
        (10**6, "a number from 1 to 1,000"),
        ([0.5], "rising numbers"),
        ([0, 0.5, 0.5, 1], "rising numbers"),
        ([0, 0.5], "reach from 0 to 1"),
        ("quantile", "did you mean 'quantiles'"),
        ({"A": 0.1, "B": 0.1}, "a probability of its own"),
        ({"A": 1.1}, "a probability of its own"),
        ("ten", "choose from"),
    ],
)
def test_bins_that_are_none(bins: object, message: str) -> None:
    with pytest.raises(HoldfastError, match=message):
        Reliability.of(Scores([0.1], [True]), bins)  # type: ignore[arg-type]


def test_scores_that_are_no_probabilities() -> None:
    with pytest.raises(HoldfastError, match="Only scores in \\[0, 1\\]"):
        Reliability.of(Scores([3.0], [True]))


def test_too_many_grades() -> None:
    scores, truth = drawn(2000)
    with pytest.raises(HoldfastError, match="too many to be grades"):
        Reliability.of(Scores(scores.copy(), truth), "grades")


def test_bins_narrower_than_the_steps() -> None:
    with pytest.raises(HoldfastError, match="widen the bins"):
        Reliability.of(Scores.from_counts([0.0, 0.5], [1, 1], [1, 1], width=0.5), 10)
