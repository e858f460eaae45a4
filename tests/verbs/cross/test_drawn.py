"""Cross-validation of rows with weights, in groups, of classes drawn apart, and of a part of the rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

import holdfast as hf
from holdfast.claims import Assumption, Guarantee
from holdfast.errors import HoldfastError

N = 120
DRAW = np.random.default_rng(53)
Y = DRAW.choice(["no", "yes"], N)
X = np.where(Y == "yes", 0.8, 0.0)[:, None] + DRAW.normal(size=(N, 2))
PLACE = DRAW.choice(["north", "south"], N)
SITE = np.arange(N) // 3
WEIGHTS = 1.0 + np.arange(N) % 3


def crossed(**how: Any) -> hf.Report:
    from sklearn.naive_bayes import GaussianNB

    return hf.cross_assess(GaussianNB(), X, Y, **{"folds": 4, "only": ("error-rate", "recall"), **how}).report


def limits(report: hf.Report, group: str | None = None) -> list[tuple[Any, ...]]:
    lines = [line for line in report.lines if line.group == group]
    return [
        (line.measure, line.label, line.claim.method, float(line.claim.lower), float(line.claim.upper))
        for line in lines
    ]


def test_a_group_of_all_rows_is_all_rows() -> None:
    report = crossed(by={"all": ["x"] * N})
    assert limits(report, "all=x") == limits(report)
    assert {group for block in report.blocks for group in block.groups} == {"all=x"}


def test_a_group_is_told_by_its_rows_alone() -> None:
    report = crossed(by={"place": PLACE}, only="error-rate")
    errors = crossed(only="error-rate")
    for name in ("north", "south"):
        claim = report["error-rate", None, f"place={name}"]
        assert claim.n == int(np.sum(name == PLACE))
        assert claim.guarantee is Guarantee.FINITE
        assert claim.width > errors["error-rate"].width
    rows = hf.cross_assess(_learner(), X, Y, folds=4).predictions
    wrong = np.zeros(N)
    wrong[rows["row"].to_numpy()] = (rows["truth"] != rows["predicted"]).to_numpy()
    fold = np.zeros(N, int)
    fold[rows["row"].to_numpy()] = rows["fold"].to_numpy()
    north = PLACE == "north"
    seen = np.mean([wrong[north & (fold == each)].mean() for each in range(4)])
    assert report["error-rate", None, "place=north"].estimate == pytest.approx(seen)


def _learner() -> Any:
    from sklearn.naive_bayes import GaussianNB

    return GaussianNB()


def test_weights_that_are_one_are_groups_of_one_row() -> None:
    one: dict[str, Any] = {"scheme": "grouped", "groups": np.arange(N), "max_group": 1}
    rows, alone = crossed(**one, weights=np.ones(N), max_weight=1.0), crossed(**one)
    for weighed, each in zip(limits(rows), limits(alone), strict=True):
        assert weighed[:3] == each[:3]
        assert weighed[3:] == pytest.approx(each[3:], abs=1e-12)
    assert {line.claim.method for line in rows.lines} == {"fold-bets", "influence"}


def test_a_factor_of_all_weights_changes_nothing() -> None:
    once, thrice = crossed(weights=WEIGHTS, max_weight=3.0), crossed(weights=3 * WEIGHTS, max_weight=9.0)
    for one, other in zip(limits(once), limits(thrice), strict=True):
        assert one[:3] == other[:3]
        assert one[3:] == pytest.approx(other[3:], abs=1e-9)


def test_a_rate_of_weighted_rows_is_their_share() -> None:
    report = crossed(weights=WEIGHTS, max_weight=3.0)
    rows = hf.cross_assess(_learner(), X, Y, folds=4).predictions.sort("row")
    wrong, fold = (rows["truth"] != rows["predicted"]).to_numpy(), rows["fold"].to_numpy()
    share = [np.average(wrong[fold == each], weights=WEIGHTS[fold == each]) for each in range(4)]
    assert report["error-rate"].estimate == pytest.approx(np.mean(share))
    yes = (rows["truth"] == "yes").to_numpy()
    found = [np.average(~wrong[yes & (fold == each)], weights=WEIGHTS[yes & (fold == each)]) for each in range(4)]
    assert report["recall", "yes"].estimate == pytest.approx(np.mean(found))
    assert Assumption.KNOWN_WEIGHTS in report["error-rate"].assumes
    assert Assumption.CAPPED_WEIGHTS in report["error-rate"].assumes
    assert Assumption.CLUSTERS not in report["error-rate"].assumes


def test_without_the_most_that_a_row_can_weigh_nothing_is_proven() -> None:
    report = crossed(weights=WEIGHTS)
    assert {line.claim.guarantee for line in report.lines} == {Guarantee.ASYMPTOTIC}
    assert "a row that was not drawn could outweigh all others" in str(report).replace("\n    ", " ")


def test_measures_of_groups_that_are_named_are_told() -> None:
    report = crossed(scheme="grouped", groups=SITE, max_group=3, only=("recall", "precision", "error-rate"))
    assert {line.measure for line in report.lines} == {"recall", "precision", "error-rate"}
    assert report["recall", "yes"].method == "fold-bets"
    usual = crossed(scheme="grouped", groups=SITE, max_group=3, only=None)
    assert {line.measure for line in usual.lines} <= {"error-rate", "accuracy", "weighted-recall"}


def test_groups_of_rows_and_weights_within_groups_that_were_drawn() -> None:
    how: dict[str, Any] = {"scheme": "grouped", "groups": SITE, "max_group": 3, "weights": WEIGHTS, "max_weight": 3.0}
    report = crossed(**how, by={"place": PLACE}, simultaneous=True, only="error-rate")
    assert report["error-rate", None, "place=north"].guarantee is Guarantee.FINITE
    assert {Assumption.CLUSTERS, Assumption.KNOWN_WEIGHTS} <= {*report["error-rate"].assumes}
    together = report.facts.simultaneous
    assert together is not None
    assert together.each <= 0.05 / 6 + 1e-9
    assert hf.Report.from_json(report.to_json()).to_json() == report.to_json()


def test_classes_that_were_drawn_apart_count_for_how_frequent_they_are() -> None:
    report = crossed(sampling="by-class", prevalence={"yes": 0.1, "no": 0.9})
    claim = report["error-rate"]
    assert claim.guarantee is Guarantee.ASYMPTOTIC
    assert {Assumption.WITHIN_CLASSES, Assumption.STATED_PREVALENCE} <= {*claim.assumes}
    rows = hf.cross_assess(_learner(), X, Y, folds=4).predictions.sort("row")
    wrong, fold = (rows["truth"] != rows["predicted"]).to_numpy(), rows["fold"].to_numpy()
    weight = np.where(Y == "yes", 0.1 / np.sum(Y == "yes"), 0.9 / np.sum(Y == "no"))
    share = [np.average(wrong[fold == each], weights=weight[fold == each]) for each in range(4)]
    assert claim.estimate == pytest.approx(np.mean(share))


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"weights": [1.0] * 3}, "one number from 0 on for each of the 120 rows"),
        ({"weights": -WEIGHTS}, "one number from 0 on"),
        ({"weights": WEIGHTS, "max_weight": 2.0}, "A row weighs 3, more than the 2"),
        ({"max_weight": 2.0}, "give weights= too"),
        ({"sampling": "by-class"}, "say that by prevalence="),
        ({"sampling": "by-class", "prevalence": {"yes": 0.1}, "weights": WEIGHTS}, "leave out weights="),
        ({"prevalence": {"yes": 0.1}}, "goes with sampling='by-class'"),
        ({"by": {"place": ["a"]}}, "one value of place for each"),
    ],
)
def test_what_does_not_fit_together_is_refused(how: dict[str, Any], said: str) -> None:
    with pytest.raises(HoldfastError, match=said):
        crossed(**how)


@pytest.mark.long
def test_weighted_folds_cover_as_often_as_they_promise() -> None:
    """A learner that always says the same: the true rate of its models is the weighted share of the other class."""
    from sklearn.dummy import DummyClassifier

    draw, misses, repeats, delta = np.random.default_rng(7), 0, 400, 0.3
    for _ in range(repeats):
        labels = np.where(draw.random(60) < 0.25, "yes", "no")
        weights = np.where(labels == "yes", 3.0, 1.0)
        learner = DummyClassifier(strategy="constant", constant="no")
        report = hf.cross_assess(
            learner, np.zeros((60, 1)), labels, folds=3, only="error-rate", weights=weights, max_weight=3.0, delta=delta
        ).report
        claim = next(line.claim for line in report.lines if line.claim.guarantee is Guarantee.FINITE)
        misses += not claim.lower <= 0.75 / 1.5 <= claim.upper
    assert misses <= binom.ppf(1 - 1e-7, repeats, delta)


@pytest.mark.parametrize("by", [[1, 2], ("place",), 3, "place", {"x": 3}])
def test_a_division_is_named_with_its_column(by: Any) -> None:
    with pytest.raises(HoldfastError, match=r"by"):
        crossed(by=by)


def test_weights_without_labels_are_refused() -> None:
    from sklearn.naive_bayes import GaussianNB

    with pytest.raises(HoldfastError):
        hf.cross_assess(GaussianNB(), X, 3, folds=3, weights={"x": 3})
