"""What each way can say about a vote: which there are, what they rest on, and that they hold."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import holdfast as hf
from holdfast.bounds.binomial import clopper_pearson, hypergeometric
from holdfast.errors import HoldfastError
from holdfast.evidence import Counts
from holdfast.verbs.panel.committee import WAYS, committee
from tests.verbs.panel.test_panel import Labels, drawn, part

HERE, THERE = slice(200), slice(200, None)


def voted(answers: dict[str, Labels], labels: int, weights: Any = None) -> Labels:
    """The label with most votes, and of several the first, counted one by one."""
    rows = np.array([*answers.values()])
    share = np.ones(len(rows)) if weights is None else np.asarray(weights)
    votes = np.array([[share[column == label].sum() for label in range(labels)] for column in rows.T])
    return np.asarray(votes.argmax(axis=1))


def by_way(report: hf.Report, measure: str = "unlabelled-vote-error-rate") -> dict[str | None, hf.Claim]:
    return {line.label: line.claim for line in report.whole if line.measure == measure}


def test_all_ways_stand_in_a_fixed_order_the_direct_one_first() -> None:
    answers, truth = drawn(5, 400, 0.3, 1)
    report = committee(truth[HERE], part(answers, HERE), unlabelled=part(answers, THERE))
    assert [*by_way(report)] == [*WAYS]
    assert [*by_way(report, "vote-error-rate")] == ["tested directly", "factor two", "C-bound", "tandem"]
    assert report.whole[0].label == "tested directly"
    assert [*report.details["committee"]["ways"]] == [*WAYS]
    alone = committee(truth, answers)
    assert {line.measure for line in alone.whole} == {"vote-error-rate"}


@pytest.mark.parametrize("labels", [2, 4])
@pytest.mark.parametrize("weights", [None, [3, 1, 1, 1, 1]])
def test_the_vote_is_tested_as_one_classifier(labels: int, weights: Any) -> None:
    answers, truth = drawn(5, 400, 0.3, 2, labels)
    report = committee(truth[HERE], part(answers, HERE), unlabelled=part(answers, THERE), share=weights)
    errors = int((voted(part(answers, HERE), labels, weights) != truth[HERE]).sum())
    direct = by_way(report)["tested directly"]
    exact = hypergeometric(Counts(errors, 200), 0.05, unlabelled=200)
    assert (direct.estimate, direct.lower, direct.upper) == (exact.estimate, exact.lower, exact.upper)
    at_large, plain = by_way(report, "vote-error-rate")["tested directly"], clopper_pearson(Counts(errors, 200), 0.05)
    assert (at_large.lower, at_large.upper) == (plain.lower, plain.upper)


def test_the_programme_is_what_infer_says() -> None:
    answers, truth = drawn(5, 400, 0.3, 3)
    seen = hf.Panel(part(answers, HERE), truth[HERE])
    report = committee(seen, unlabelled=part(answers, THERE))
    target = voted(part(answers, THERE), 2)
    for way, method in (("linear programme", "programme"), ("nearest member", "nearest")):
        claim = hf.infer(target, seen, part(answers, THERE), method=method)  # type: ignore[arg-type]
        told = by_way(report)[way]
        assert (told.lower, told.upper, told.method) == (claim.lower, claim.upper, claim.method)


def test_weights_that_saw_the_labels_leave_only_what_holds_for_all_weights() -> None:
    answers, truth = drawn(5, 400, 0.3, 4)
    report = committee(
        truth[HERE], part(answers, HERE), unlabelled=part(answers, THERE), share=[0, 1, 0, 1, 1], fitted=True
    )
    assert "tested directly" not in {line.label for line in report.whole}
    assert all(hf.Assumption.FIXED_MODEL not in line.claim.assumes for line in report.whole)
    fixed = committee(truth[HERE], part(answers, HERE), unlabelled=part(answers, THERE), share=[0, 1, 0, 1, 1])
    for measure in ("vote-error-rate", "unlabelled-vote-error-rate"):
        for way in ("factor two", "C-bound", "tandem"):
            assert by_way(report, measure)[way].upper > by_way(fixed, measure)[way].upper
    for way in ("linear programme", "nearest member"):
        assert str(by_way(report)[way]) == str(by_way(fixed)[way])


def test_a_target_needs_no_labels_of_its_own() -> None:
    answers, truth = drawn(5, 400, 0.3, 5)
    target = answers.pop("m4")
    report = committee(truth[HERE], part(answers, HERE), unlabelled=part(answers, THERE), target=target[THERE])
    assert [(line.measure, line.label) for line in report.whole] == [
        ("unlabelled-target-error-rate", "linear programme"),
        ("unlabelled-target-error-rate", "nearest member"),
    ]
    true = float((target[THERE] != truth[THERE]).mean())
    assert all(line.claim.lower <= true <= line.claim.upper for line in report.whole)
    with pytest.raises(HoldfastError, match="give unlabelled= with it"):
        committee(truth, answers, target=target)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"vote": "loudest"}, "loudest"),
        ({"vote": "weighted"}, "needs share"),
        ({"vote": "majority", "share": [1, 1, 1]}, "one vote in a majority"),
        ({"fitted": True}, "give share"),
        ({"share": [1, 1]}, "each of 3 models"),
    ],
)
def test_what_is_wrong_is_said(options: dict[str, Any], said: str) -> None:
    answers, truth = drawn(3, 30, 0.3, 6)
    with pytest.raises(HoldfastError, match=said):
        committee(truth, answers, **options)


def test_a_vote_needs_what_was_said() -> None:
    with pytest.raises(HoldfastError, match="give predictions"):
        committee(hf.Panel(_passes()))


def _passes() -> Any:
    from holdfast.tally.panel.panel import panel_of_arrays

    return panel_of_arrays(correct={"a": [True, False, True], "b": [True, True, False]})


@pytest.mark.parametrize(
    ("alike", "labels", "rounds"),
    [
        (0.4, 2, 15),
        *(pytest.param(alike, labels, 60, marks=pytest.mark.long) for alike, labels in ((0.05, 2), (0.9, 2), (0.4, 3))),
    ],
)
def test_every_way_holds_on_random_splits(alike: float, labels: int, rounds: int) -> None:
    answers, truth = drawn(5, 300, alike, 7, labels)
    wrong = voted(answers, labels) != truth
    draw, missed = np.random.default_rng(8), dict.fromkeys(WAYS, 0)
    for _ in range(rounds):
        order = draw.permutation(300)
        here, there = order[:150], order[150:]
        report = committee(truth[here], part(answers, here), unlabelled=part(answers, there), delta=0.2)
        rate = wrong[there].mean()
        for way, claim in by_way(report).items():
            missed[str(way)] += not claim.lower <= rate <= claim.upper
    assert max(missed.values()) <= 0.2 * rounds


def test_a_target_is_asked_about_in_place_of_a_vote() -> None:
    answers, truth = drawn(4, 400, 0.3, 1)
    given: Any = {"unlabelled": part(answers, THERE), "target": answers["m3"][THERE]}
    for vote in ({"share": [1, 1, 1, 1]}, {"vote": "majority"}, {"share": [1, 2, 1, 1], "fitted": True}):
        with pytest.raises(HoldfastError, match="in place of a vote"):
            committee(truth[HERE], part(answers, HERE), **given, **vote)
    told = committee(truth[HERE], part(answers, HERE), **given).details["committee"]["ways"]
    assert all("classifier" in words and "vote" not in words for words in told.values())


def test_ties_are_counted_and_said_to_go_to_the_first_label() -> None:
    truth = ["no", "yes", "yes", "yes"] * 5
    said = {"a": truth, "b": ["no", "no", "yes", "yes"] * 5}
    (told,) = committee(truth, said, unlabelled={"a": ["no", "yes"], "b": ["yes", "yes"]}).details["notes"]
    assert "first in order wins, 'no', 'yes': so it was on 5 labelled examples, and on 1 unlabelled input." in told
    assert not committee(truth, said | {"c": truth}).details["notes"]
