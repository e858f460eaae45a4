"""Answers that may be partly right: their mean, what is told of it, and by which method."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

import holdfast as hf
from holdfast.bounds.paired import nested_fisher
from holdfast.bounds.squares import squares
from holdfast.claims import Assumption, Claim, Guarantee
from holdfast.errors import HoldfastError
from holdfast.evidence import Counts, Losses
from holdfast.evidence.losses import Grades
from tests.tries import tries

RANDOM = np.random.default_rng(6)
MARKS = RANDOM.choice([1, 2, 3, 4, 5], 80, p=[0.1, 0.2, 0.2, 0.3, 0.2])
HALVES = RANDOM.choice([0.0, 0.5, 1.0], 80, p=[0.2, 0.3, 0.5])
PATIENT, WEIGHT = np.sort(RANDOM.integers(0, 20, 80)), RANDOM.choice([1.0, 2.0], 80)


def finite(report: hf.Report, measure: str) -> Claim:
    (claim,) = (line.claim for line in report.lines if line.measure == measure and line.claim.guarantee == "FINITE")
    return claim


def limits(claim: Claim) -> list[Any]:
    return [claim.estimate, claim.lower, claim.upper]


# ---- What is told


def test_a_share_of_all_that_answers_could_be_worth_and_the_mean_in_its_own_units() -> None:
    report = hf.assess(value=MARKS, value_range=(1, 5))
    right, wrong, mean = (finite(report, name) for name in ("accuracy", "error-rate", "mean-value"))
    assert mean.estimate == pytest.approx(MARKS.mean())
    assert limits(mean) == pytest.approx([1 + 4 * each for each in limits(right)])
    assert [wrong.estimate, wrong.upper, wrong.lower] == pytest.approx([1 - each for each in limits(right)])
    assert "of all that they could be worth" in " ".join(str(report).split())


def test_values_from_zero_to_one_are_their_own_units() -> None:
    report = hf.assess(value=HALVES)
    assert {line.measure for line in report.lines} == {"accuracy", "error-rate"}
    assert report["accuracy"].estimate == pytest.approx(HALVES.mean())


def test_right_and_wrong_are_values_of_two_levels() -> None:
    right = (HALVES == 1) * 1.0
    graded, plain = hf.assess(value=right, levels=(0, 1)), hf.assess(correct=right == 1)
    for name in ("accuracy", "error-rate"):
        assert limits(finite(graded, name)) == limits(finite(plain, name))
        assert finite(graded, name).method == "clopper-pearson"


def test_values_that_happen_to_be_two_are_not_taken_for_levels() -> None:
    """Which method answers is decided by what was declared, and never by the values."""
    right = (HALVES == 1) * 1.0
    assert finite(hf.assess(value=right), "accuracy").method == "squares"


def test_three_levels_go_to_the_chain_of_two_binomials() -> None:
    claim = finite(hf.assess(value=HALVES, levels=(0, 0.5, 1)), "accuracy")
    counts = [int(np.sum(each == HALVES)) for each in (0, 0.5, 1)]
    assert claim.method == "nested-fisher"
    assert limits(claim) == pytest.approx(limits(nested_fisher(Grades.of(counts, (0, 0.5, 1)))))
    assert limits(hf.bound(Losses(HALVES, levels=(0, 0.5, 1)))) == pytest.approx(limits(claim))
    assert claim.width < finite(hf.assess(value=HALVES), "accuracy").width


def test_more_levels_and_none_go_to_squares() -> None:
    for levels in (None, (1, 2, 3, 4, 5)):
        claim = finite(hf.assess(value=MARKS, value_range=(1, 5), levels=levels), "mean-value")
        assert claim.method == "squares"
        assert limits(claim) == pytest.approx(limits(squares(Losses(MARKS, 1, 5))))


@pytest.mark.parametrize(
    ("design", "method"),
    [
        ({"clusters": PATIENT, "max_cluster": 12}, "squares"),
        ({"weights": WEIGHT, "max_weight": 2}, "squares"),
        ({"strata": PATIENT % 2, "shares": {0: 0.5, 1: 0.5}}, "strata-bets"),
    ],
)
def test_levels_under_a_design(design: dict[str, Any], method: str) -> None:
    """Draws of several rows, or of unequal weight, can add more than three things."""
    report = hf.assess(value=HALVES, levels=(0, 0.5, 1), **design)
    assert finite(report, "accuracy").method == method
    assert {line.claim.method for line in report.lines if line.claim.guarantee is Guarantee.ASYMPTOTIC} == {"influence"}


def test_levels_of_clusters_of_one_row_are_those_of_rows() -> None:
    one_by_one = hf.assess(value=HALVES, levels=(0, 0.5, 1), clusters=np.arange(80), max_cluster=1)
    plain = hf.assess(value=HALVES, levels=(0, 0.5, 1))
    assert limits(finite(one_by_one, "accuracy")) == limits(finite(plain, "accuracy"))


def test_what_is_assumed_of_values() -> None:
    stated = {Assumption.KNOWN_RANGE, Assumption.KNOWN_LEVELS}
    assert stated & {*finite(hf.assess(value=HALVES), "accuracy").assumes} == {Assumption.KNOWN_RANGE}
    declared = finite(hf.assess(value=HALVES, levels=(0, 0.5, 1)), "accuracy").assumes
    assert Assumption.KNOWN_LEVELS in declared
    soft = [line.claim for line in hf.assess(value=MARKS, value_range=(1, 5), clusters=PATIENT).lines]
    assert all(Assumption.CLUSTERS in claim.assumes for claim in soft)
    assert not [claim for claim in soft if Assumption.INDEPENDENT in claim.assumes]


def test_groups_and_their_gaps() -> None:
    country = np.array(["DE", "FR"])[RANDOM.integers(0, 2, 80)]
    report = hf.assess(value=MARKS, value_range=(1, 5), clusters=PATIENT, max_cluster=12, groups={"country": country})
    for name in ("DE", "FR"):
        own, rest = MARKS[country == name].mean(), MARKS[country != name].mean()
        assert report["error-rate", None, f"country={name}"].estimate == pytest.approx((5 - own) / 4)
        assert report["error-rate-gap", None, f"country={name}"].estimate == pytest.approx((rest - own) / 4)


def test_missing_values_are_refused_left_out_or_wrong() -> None:
    gone = HALVES.copy()
    gone[:5] = np.nan
    with pytest.raises(HoldfastError, match="5 without value"):
        hf.assess(value=gone)
    assert hf.assess(value=gone, missing="drop")["accuracy"].estimate == pytest.approx(HALVES[5:].mean())
    assert hf.assess(value=gone, missing="wrong")["accuracy"].estimate == pytest.approx(HALVES[5:].sum() / 80)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"value": [0, 2]}, "outside of the range from 0 to 1"),
        ({"value": [0.2, 1], "levels": (0, 0.5, 1)}, "none of the levels"),
        ({"value": [0, 1], "levels": (0, 0.5)}, "begin and end where the range does"),
        ({"value": [0, 1], "levels": (0, 1, 0.5)}, "rising"),
        ({"value": [0, 1], "levels": (0,)}, "two or more rising"),
        ({"value": [0, 1], "value_range": (1, 0)}, "two rising numbers"),
        ({"value": [0, 1], "value_range": (0, float("inf"))}, "two rising numbers"),
        ({"value": [0, 1], "value_range": "01"}, "2 numbers"),
        ({"value": [0, 1], "correct": [1, 0]}, "leave out truth, predicted and correct"),
        ({"correct": [0, 1], "levels": (0, 1)}, "value="),
        ({"value": ["good", "bad"]}, "number"),
        ({"value": []}, "no rows"),
    ],
)
def test_values_that_make_no_sense_are_refused(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(HoldfastError) as error:
        hf.assess(**given)
    assert sentence in str(error.value)


def test_losses_have_levels_too() -> None:
    two = hf.bound(Losses([0.0, 1.0, 1.0], levels=(0, 1)))
    assert limits(two) == limits(hf.bound(Counts(2, 3)))
    assert Assumption.KNOWN_LEVELS in two.assumes
    with pytest.raises(HoldfastError, match=r"0\.3"):
        Losses([0.3, 1.0], levels=(0, 0.5, 1))


# ---- The promise


@tries("nested-fisher", "squares", how="simulated")
@pytest.mark.parametrize("method", ["nested-fisher", "squares"])
@pytest.mark.parametrize("law", [(0.2, 0.3, 0.5), (0.02, 0.08, 0.9)])
def test_the_mean_is_missed_no_more_often_than_said(law: tuple[float, ...], method: str) -> None:
    """Three levels, as they are declared or not; a kept promise fails this less than once in a million times."""
    random, levels, missed = np.random.default_rng(9), np.array([0.0, 0.5, 1.0]), 0
    stated = {"levels": (0, 0.5, 1)} if method == "nested-fisher" else {}
    for _ in range(60):
        report = hf.assess(value=random.choice(levels, 40, p=law), **stated, delta=0.4, side="lower", only="accuracy")
        claim = finite(report, "accuracy")
        assert claim.method == method
        missed += claim.lower > np.dot(law, levels)
    assert missed <= binom.isf(1e-6, 60, 0.4)
