"""What is stated beside the answers (costs, margins, bins, clusters, how the rows were drawn) and what comes of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import holdfast as hf
from holdfast.claims import Assumption
from tests.snapshots import matches, messages

ROWS = 240
RANDOM = np.random.default_rng(12)
TRUTH = RANDOM.choice(["fraud", "fine"], ROWS, p=[0.4, 0.6])
SCORE = np.clip(np.where(TRUTH == "fraud", 0.7, 0.3) + 0.2 * RANDOM.normal(size=ROWS), 0, 1)
PREDICTED = np.where(SCORE > 0.5, "fraud", "fine")
COSTS = hf.Costs([[0, 1], [10, 0]], ["fraud", "fine"], rows="predicted")
PASSAGE = np.arange(ROWS) // 4
COUNTRY = np.where(np.arange(ROWS) % 3 == 0, "DE", "FR")


def report(**more: Any) -> hf.Report:
    return hf.assess(TRUTH, PREDICTED, SCORE, positive="fraud", **more)


def names(told: hf.Report) -> set[str]:
    return {line.measure for line in told.lines}


def test_costs_add_what_answers_cost_and_what_the_model_believes() -> None:
    told = report(costs=COSTS)
    charged = np.where(PREDICTED == TRUTH, 0, np.where(PREDICTED == "fraud", 1, 10))
    assert told["expected-cost"].estimate == pytest.approx(charged.mean())
    believed = np.where(PREDICTED == "fraud", 1 - SCORE, 10 * SCORE)
    assert told["posterior-loss"].estimate == pytest.approx(believed.mean())
    assert not {"expected-cost", "posterior-loss"} & names(report())
    alone = report(only="posterior-loss")["posterior-loss"]
    assert alone.estimate == pytest.approx(np.where(PREDICTED == "fraud", 1 - SCORE, SCORE).mean())


def test_numeric_classes_add_distances() -> None:
    truth, predicted = RANDOM.integers(1, 6, 50), RANDOM.integers(1, 6, 50)
    told = hf.assess(truth, predicted, classes=range(1, 6))
    assert told["squared-loss"].estimate == pytest.approx(np.mean((truth - predicted) ** 2))
    assert told["absolute-loss"].upper <= 4
    assert "squared-loss" not in names(hf.assess(truth, predicted))


def test_a_margin_adds_the_losses_of_the_survey_and_will_do_alone() -> None:
    margin = RANDOM.normal(1, 1, ROWS)
    losses = {"hard-loss", "logistic-loss", "linear-loss"}
    beside, alone = report(margin=margin), hf.assess(margin=margin, alpha=2.0)
    assert losses <= names(beside)
    assert names(alone) == losses | {"error-rate", "accuracy"}
    assert alone["error-rate"].estimate == pytest.approx(np.mean(margin <= 0))
    assert alone["logistic-loss"].estimate == pytest.approx(np.mean(1 / (1 + np.exp(2 * margin))))
    assert beside["logistic-loss"].estimate == pytest.approx(np.mean(1 / (1 + np.exp(margin))))
    marks = {each.provenance["fingerprint"] for each in (beside, alone, report())}
    assert len(marks) == 3
    assert hf.assess(margin=margin[::-1]).provenance["fingerprint"] == alone.provenance["fingerprint"]


def test_bins_hold_together_and_say_what_they_assume() -> None:
    told = report(bins=4)
    bins = [line for line in told.lines if line.measure == "calibration"]
    assert [line.label for line in bins] == ["[0, 0.25)", "[0.25, 0.5)", "[0.5, 0.75)", "[0.75, 1]"]
    first = SCORE < 0.25
    counts = hf.Counts(int(np.sum(TRUTH[first] == "fraud")), int(first.sum()))
    assert bins[0].claim.upper == hf.bound(counts, delta=0.0125).upper
    assert Assumption.FIXED_BINS in bins[0].claim.assumes
    assert sum(row["n"] for row in told.details["calibration"]["bins"]) == ROWS


def test_sampling_by_class_leaves_what_holds() -> None:
    told = report(sampling="by-class")
    assert {"recall", "specificity", "balanced-accuracy", "auc"} <= names(told)
    assert not {"precision", "accuracy", "error-rate", "f1", "mcc", "log-loss", "prevalence"} & names(told)
    assert all(Assumption.WITHIN_CLASSES in line.claim.assumes for line in told.lines)
    assert all(Assumption.INDEPENDENT not in line.claim.assumes for line in told.lines)
    assert "precision-recall" not in told.curves
    assert "roc" in told.curves


def test_a_stated_prevalence_brings_back_what_depends_on_it() -> None:
    told = report(sampling="by-class", prevalence={"fraud": 0.002}, costs=COSTS)
    a = np.mean(PREDICTED[TRUTH == "fraud"] == "fraud")
    b = np.mean(PREDICTED[TRUTH == "fine"] == "fine")
    assert told["precision"].estimate == pytest.approx(0.002 * a / (0.002 * a + 0.998 * (1 - b)))
    assert told["expected-cost"].estimate == pytest.approx(0.002 * (1 - a) * 10 + 0.998 * (1 - b))
    assert told["error-rate"].estimate == pytest.approx(0.002 * (1 - a) + 0.998 * (1 - b))
    assert Assumption.STATED_PREVALENCE in told["expected-cost"].assumes


def test_clusters_are_the_examples() -> None:
    told = report(clusters=PASSAGE)
    assert told["error-rate"].n == ROWS // 4
    assert told["error-rate"].method == "squares"
    assert report(clusters=PASSAGE, max_cluster=4)["error-rate"].method == "squares"
    assert all(Assumption.CLUSTERS in line.claim.assumes for line in told.lines)
    passed = hf.assess(correct=TRUTH == PREDICTED, clusters=PASSAGE, pass_at=[1, 2])
    assert passed["pass-at-k", "k=1"].estimate == pytest.approx(np.mean(TRUTH == PREDICTED))
    together = hf.assess(correct=TRUTH == PREDICTED, clusters=PASSAGE, simultaneous=True)
    assert together.details["simultaneous"] == {"delta": 0.05, "each": 0.025}


def test_all_that_is_stated_holds_together_on_request() -> None:
    told = report(costs=COSTS, bins=4, simultaneous=True, labels=sorted({*TRUTH}))
    each = told.details["simultaneous"]["each"]
    bins = [line for line in told.lines if line.measure == "calibration"]
    others = len(told.lines) - len(bins)
    statements = others + 1 + len(told.curves)
    assert each * statements <= 0.05 < 1.01 * each * statements
    assert [float(line.claim.delta) for line in bins] == [pytest.approx(each / 4, rel=0.01)] * 4


def test_refusals() -> None:
    calls = {
        "weights twice": lambda: report(sample_weight=np.ones(ROWS), weights=np.ones(ROWS)),
        "a weight below nothing": lambda: report(weights=np.arange(ROWS) - 1.0),
        "a weight beyond the most": lambda: report(weights=np.arange(ROWS), max_weight=100),
        "the most of no weights": lambda: report(max_weight=2),
        "strata without shares": lambda: report(strata=PASSAGE),
        "shares of no strata": lambda: report(shares={"a": 1.0}),
        "strata of classes": lambda: report(strata=TRUTH, shares={"fraud": 0.1, "fine": 0.9}, sampling="by-class"),
        "a way of sampling": lambda: report(sampling="by-clas"),
        "a prevalence of nobody": lambda: report(prevalence={"fruad": 0.1}),
        "a prevalence beyond one": lambda: report(prevalence={"fraud": 1.5}),
        "precision by class": lambda: report(sampling="by-class", only="precision"),
        "bins by class": lambda: report(sampling="by-class", bins=4),
        "bins in clusters": lambda: report(clusters=PASSAGE, bins="quantiles"),
        "bins of weighted rows": lambda: report(weights=np.ones(ROWS), bins="grades"),
        "binomials in clusters": lambda: report(clusters=PASSAGE, method="clopper-pearson"),
        "a cap without clusters": lambda: report(max_cluster=3),
        "a cluster beyond the cap": lambda: report(clusters=PASSAGE, max_cluster=3),
        "bins of no probabilities": lambda: hf.assess([0, 1], [0, 1], [-3.0, 4.0], bins=3),
        "costs of other labels": lambda: hf.assess([0, 1], [0, 1], costs=COSTS),
        "groups of margins": lambda: hf.assess(margin=[1, 2], groups={"g": [1, 2]}),
        "costs not asked for": lambda: report(only="expected-cost"),
    }
    matches("errors_stated", messages(calls))


@pytest.mark.parametrize(
    "idle",
    [
        {"costs": COSTS},
        {"classes": [0, 1]},
        {"alpha": 2.0},
        {"pass_at": 0},
        {"only": "pass-at-k", "simultaneous": True},
    ],
)
def test_what_could_say_nothing_is_refused(idle: dict[str, Any]) -> None:
    with pytest.raises(hf.errors.HoldfastError):
        hf.assess(correct=TRUTH == PREDICTED, **idle)


@pytest.mark.parametrize("bins", [0, "quantiles", "grades", "sum"])
@pytest.mark.parametrize("design", [{"clusters": PASSAGE}, {"weights": np.ones(ROWS)}])
def test_bins_that_scores_choose_are_refused_where_rows_are_no_draws_alike(bins: Any, design: dict[str, Any]) -> None:
    with pytest.raises(hf.errors.HoldfastError, match=r"give a number of bins|bins must be a number|no way to choose"):
        report(bins=bins, **design)


@pytest.mark.parametrize("design", [{"clusters": PASSAGE, "max_cluster": 4}, {"sample_weight": np.ones(ROWS)}])
def test_whatever_rows_say_besides_is_answered_under_a_design(design: dict[str, Any]) -> None:
    plain = report(margin=SCORE - 0.4, costs=COSTS, groups={"country": COUNTRY})
    told = report(margin=SCORE - 0.4, costs=COSTS, groups={"country": COUNTRY}, **design)
    for name in ("expected-cost", "hard-loss", "logistic-loss", "linear-loss", "auc", "brier", "recall", "error-rate"):
        assert told[name].estimate == pytest.approx(plain[name].estimate), name
    for country in {*COUNTRY}:
        for name in ("error-rate", "precision", "recall", "error-rate-gap", "recall-gap"):
            one, other = (each[name, None, f"country={country}"] for each in (told, plain))
            assert one.estimate == pytest.approx(other.estimate), name
    assumed = Assumption.CLUSTERS if "clusters" in design else Assumption.KNOWN_WEIGHTS
    assert all(assumed in line.claim.assumes for line in told.lines)


def test_costs_and_prevalence_must_be_what_they_are_called() -> None:
    with pytest.raises(hf.errors.HoldfastError, match=r"takes hf.Costs"):
        report(costs=[[0, 1], [10, 0]])
    with pytest.raises(hf.errors.HoldfastError, match=r"'fraud': 0.002"):
        report(prevalence=0.002)


def test_pass_at_takes_any_whole_number() -> None:
    asked = {"clusters": PASSAGE, "only": "pass-at-k"}
    one, listed = (report(pass_at=k, **asked).with_command("as told") for k in (np.int64(2), [2]))
    assert one.to_json() == listed.to_json()
    with pytest.raises(hf.errors.HoldfastError, match="whole number"):
        report(clusters=PASSAGE, pass_at=2.5)


def test_calibration_by_name_has_bins() -> None:
    told = report(only="calibration")
    assert sum(line.measure == "calibration" for line in told.lines) == 10
    assert names(report(only="ece")) == {"ece"}
