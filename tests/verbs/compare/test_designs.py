"""Differences of two models under weights, strata, sampling by class and in groups, whatever route leads there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from sklearn import metrics

import holdfast as hf
from holdfast.catalog import find_measure
from holdfast.claims import Assumption, Claim, Guarantee
from holdfast.errors import HoldfastError, InvalidEvidence
from holdfast.evidence.costs import Costs
from holdfast.evidence.pairs.paired import Paired
from holdfast.evidence.pools.panel import Panel
from holdfast.predictions.design import Design
from holdfast.report import Line
from holdfast.verbs.asking import Inquiry, Question
from holdfast.verbs.compare.differences import Differences, Part

LABELS = ("n", "y")
COSTS = Costs([[0, 4], [1, 0.5]], LABELS, rows="predicted")
GIVEN = {"costs": COSTS, "clip": 0.01}
OVER_ROWS = ("error-rate", "accuracy", "weighted-recall", "expected-cost", "brier", "log-loss")
OF_CLASSES = ("recall", "precision", "f1", "specificity", "npv", "false-positive-rate", "false-negative-rate")
OF_TABLES = ("balanced-accuracy", "macro-f1", "macro-precision", "weighted-f1", "weighted-precision", "mcc", "kappa")
RANKED = ("auc", "gini", "average-precision", "ks", "ece")
EVERY = (*OVER_ROWS, *OF_CLASSES, *OF_TABLES, *RANKED)


def panel(n: int = 240, seed: int = 0, **design: Any) -> Panel:
    """Two correlated models of two labels, with probabilities."""
    rng = np.random.default_rng(seed)
    truth, shared = rng.integers(0, 2, n), rng.normal(size=n)
    scores = np.stack([1 / (1 + np.exp(1 - (2 * truth * gain + shared + rng.normal(size=n)))) for gain in (1.2, 0.7)])
    predicted = (scores > 0.5).astype(np.int64)
    return Panel(("a", "b"), predicted != truth, LABELS, truth, predicted, scores, "y", **design)


def weights(n: int = 240, seed: int = 3) -> Any:
    return np.random.default_rng(seed).integers(1, 5, n) / 2.0


def asked(rows: Panel, name: str, part: Part | None = None, *, swapped: bool = False) -> list[Question]:
    return [*Differences(rows, GIVEN).about(int(swapped), 1 - int(swapped), find_measure(name), part)]


def answered(questions: list[Question], delta: float = 0.05) -> list[Line]:
    return Inquiry(np.asarray(delta), "both", (), {"resamples": 200, "seed": 0}).lines(questions)


def lines(rows: Panel, name: str, guarantee: Guarantee | None = None, part: Part | None = None) -> list[Line]:
    """Those of the average row, with this guarantee or with any."""
    all_lines = answered([question for question in asked(rows, name, part) if question.per == "row"])
    return [line for line in all_lines if guarantee is None or line.claim.guarantee is guarantee]


def limits(claim: Claim) -> tuple[float, float]:
    return float(claim.lower), float(claim.upper)


def of_sklearn(name: str, rows: Panel, model: int, weight: Any, label: str | None) -> float:
    """What scikit-learn says of one model."""
    assert rows.predicted is not None
    assert rows.scores is not None
    truth, predicted, scores = rows.truth, rows.predicted[model], rows.scores[model]
    place, known = LABELS.index(label or "y"), {"sample_weight": weight}
    own = {**known, "pos_label": place}
    every: dict[str, Any] = {
        "error-rate": lambda: 1 - metrics.accuracy_score(truth, predicted, **known),
        "accuracy": lambda: metrics.accuracy_score(truth, predicted, **known),
        "weighted-recall": lambda: metrics.recall_score(truth, predicted, average="weighted", **known),
        "expected-cost": lambda: np.average(np.array([[0, 4], [1, 0.5]])[predicted, truth], weights=weight),
        "brier": lambda: metrics.brier_score_loss(truth, scores, **known),
        "log-loss": lambda: metrics.log_loss(truth, np.clip(scores, 0.01, 0.99), **known),
        "recall": lambda: metrics.recall_score(truth, predicted, **own),
        "precision": lambda: metrics.precision_score(truth, predicted, **own),
        "f1": lambda: metrics.f1_score(truth, predicted, **own),
        "specificity": lambda: metrics.recall_score(truth, predicted, pos_label=1 - place, **known),
        "npv": lambda: metrics.precision_score(truth, predicted, pos_label=1 - place, **known),
        "false-positive-rate": lambda: 1 - metrics.recall_score(truth, predicted, pos_label=1 - place, **known),
        "false-negative-rate": lambda: 1 - metrics.recall_score(truth, predicted, **own),
        "balanced-accuracy": lambda: metrics.balanced_accuracy_score(truth, predicted, **known),
        "macro-f1": lambda: metrics.f1_score(truth, predicted, average="macro", **known),
        "macro-precision": lambda: metrics.precision_score(truth, predicted, average="macro", **known),
        "weighted-f1": lambda: metrics.f1_score(truth, predicted, average="weighted", **known),
        "weighted-precision": lambda: metrics.precision_score(truth, predicted, average="weighted", **known),
        "mcc": lambda: metrics.matthews_corrcoef(truth, predicted, **known),
        "kappa": lambda: metrics.cohen_kappa_score(truth, predicted, **known),
        "auc": lambda: metrics.roc_auc_score(truth, scores, **known),
        "gini": lambda: 2 * metrics.roc_auc_score(truth, scores, **known) - 1,
        "average-precision": lambda: metrics.average_precision_score(truth, scores, **known),
        "ks": lambda: np.max(np.subtract(*metrics.roc_curve(truth, scores, **known)[1::-1])),
        "ece": lambda: _calibration_error(truth, scores, weight),
    }
    return float(every[name]())


def _calibration_error(truth: Any, scores: Any, weight: Any) -> float:
    place = np.searchsorted(np.arange(1, 10) / 10, scores, side="right")
    return float(np.sum(np.abs(np.bincount(place, weight * (truth - scores)))) / np.sum(weight))


@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("name", EVERY)
def test_estimates_under_weights_are_those_of_scikit_learn(name: str, clustered: bool) -> None:
    clusters = np.arange(240) // 3 if clustered else None
    rows = panel(clusters=clusters, weights=weights())
    questions = asked(rows, name)
    assert questions
    for question in questions:
        one, other = (of_sklearn(name, rows, model, weights(), question.labels[0]) for model in (0, 1))
        assert float(question.evidence.estimate) == pytest.approx(one - other, abs=1e-12)
        assert question.per == "row"


@pytest.mark.parametrize("name", EVERY)
def test_known_shares_of_strata_are_weights_that_undo_how_many_were_drawn(name: str) -> None:
    strata = np.repeat([0, 1], [60, 180])
    rows = panel(strata=strata, stratum_names=("east", "west"), design=Design(shares={"east": 0.7, "west": 0.3}))
    undone = np.where(strata == 0, 0.7 / 60, 0.3 / 180)
    for question in asked(rows, name):
        one, other = (of_sklearn(name, rows, model, undone, question.labels[0]) for model in (0, 1))
        assert float(question.evidence.estimate) == pytest.approx(one - other, abs=1e-12)
        for line in answered([question]):
            assert {Assumption.WITHIN_STRATA, Assumption.STATED_SHARES} <= {*line.claim.assumes}
            assert Assumption.INDEPENDENT not in line.claim.assumes


@pytest.mark.parametrize("name", EVERY)
def test_weights_of_one_and_one_stratum_change_nothing_that_holds_as_the_sample_grows(name: str) -> None:
    clusters = np.random.default_rng(1).integers(0, 60, 240)
    rows = panel(clusters=clusters)
    weighed = replace(rows, weights=np.ones(240))
    stratified = replace(
        rows, strata=np.zeros(240, np.int64), stratum_names=("all",), design=Design(shares={"all": 1.0})
    )
    soft = Guarantee.HEURISTIC if name in ("ks", "ece") else Guarantee.ASYMPTOTIC
    here, of_weights, of_stratum = (lines(each, name, soft) for each in (rows, weighed, stratified))
    assert len(here) == len(of_weights) == len(of_stratum) > 0
    for line, weight, stratum in zip(here, of_weights, of_stratum, strict=True):
        assert weight.claim.estimate == pytest.approx(line.claim.estimate, abs=1e-13)
        assert stratum.claim.estimate == pytest.approx(line.claim.estimate, abs=1e-13)
        assert limits(weight.claim) == pytest.approx(limits(line.claim), abs=1e-12)
        assert limits(stratum.claim) == pytest.approx(limits(line.claim), abs=1e-12)


@pytest.mark.parametrize("name", EVERY)
def test_clusters_of_one_row_are_rows(name: str) -> None:
    rows = panel()
    alone = replace(rows, clusters=np.random.default_rng(2).permutation(240), design=Design(max_cluster=1))
    here, there = (answered(asked(each, name)) for each in (rows, alone))
    assert [line.claim.to_dict() for line in here] == [line.claim.to_dict() for line in there]
    two = replace(rows, clusters=np.arange(240) // 2, design=Design(max_cluster=1))
    with pytest.raises(InvalidEvidence, match="A cluster holds 2 examples, more than the 1"):
        asked(two, name)
    with pytest.raises(InvalidEvidence, match="A cluster holds 2 examples, more than the 1"):
        hf.compare(two)


DESIGNS: dict[str, dict[str, Any]] = {
    "rows": {},
    "clusters": {"clusters": np.arange(240) % 70},
    "weights": {"weights": weights()},
    "clusters and weights": {"clusters": np.arange(240) % 70, "weights": weights(), "design": Design(max_weight=2)},
    "capped": {"clusters": np.arange(240) % 70, "weights": weights(), "design": Design(max_cluster=4, max_weight=2)},
    "strata": {
        "clusters": np.arange(240) // 4,
        "strata": np.repeat([0, 1], 120),
        "stratum_names": ("east", "west"),
        "design": Design(shares={"east": 0.7, "west": 0.3}, max_cluster=4),
    },
    "classes": {"design": Design(prevalence={"y": 0.2})},
}


@pytest.mark.parametrize("design", DESIGNS)
def test_a_model_and_itself_differ_by_nothing_under_any_design(design: str) -> None:
    rows = panel(**DESIGNS[design])
    assert rows.predicted is not None
    assert rows.scores is not None
    twice = replace(rows, wrong=rows.wrong[[0, 0]], predicted=rows.predicted[[0, 0]], scores=rows.scores[[0, 0]])
    for name in EVERY:
        for line in answered(asked(twice, name)):
            assert line.claim.estimate == 0.0
            assert line.claim.lower == -line.claim.upper < 0


@pytest.mark.crossing(3)
@pytest.mark.parametrize("design", DESIGNS)
def test_swapping_the_models_mirrors_every_claim_under_any_design(design: str) -> None:
    rows = panel(**DESIGNS[design])
    assert rows.predicted is not None
    assert rows.scores is not None
    turned = replace(
        rows, wrong=rows.wrong[::-1], predicted=rows.predicted[::-1], scores=rows.scores[::-1], models=("b", "a")
    )
    for name in EVERY:
        every = asked(rows, name), asked(turned, name), asked(rows, name, swapped=True)
        here, there, back = (answered(questions) for questions in every)
        assert len(here) == len(there) == len(back) > 0
        for one, other, swapped in zip(here, there, back, strict=True):
            mirrored = -other.claim.estimate, -other.claim.upper, -other.claim.lower  # type: ignore[operator]
            assert (one.claim.estimate, *limits(one.claim)) == mirrored, one.claim
            assert limits(other.claim) == limits(swapped.claim)


@pytest.mark.crossing(3)
@pytest.mark.parametrize("design", ["rows", "clusters", "weights", "clusters and weights", "capped"])
@pytest.mark.parametrize("whole", [False, True])
def test_a_group_is_its_rows_filtered(design: str, whole: bool) -> None:
    known = dict(DESIGNS[design])
    rows = panel(**known)
    held = known.get("clusters", np.arange(240)) % 3 == 0 if whole else np.random.default_rng(7).random(240) < 0.6
    every = ("truth", "clusters", "weights")
    own = {name: getattr(rows, name)[held] for name in every if getattr(rows, name) is not None}
    assert rows.predicted is not None
    assert rows.scores is not None
    filtered = replace(
        rows, wrong=rows.wrong[:, held], predicted=rows.predicted[:, held], scores=rows.scores[:, held], **own
    )
    for name in EVERY:
        here, there = answered(asked(rows, name, ("group=one", held))), answered(asked(filtered, name))
        assert len(here) == len(there) > 0
        for one, other in zip(here, there, strict=True):
            assert one.group == "group=one"
            for told in ("method", "n", "per"):
                assert getattr(one.claim, told) == getattr(other.claim, told)
            assert (one.claim.estimate, *limits(one.claim)) == pytest.approx(
                (other.claim.estimate, *limits(other.claim)), abs=1e-9
            ), one.claim


def test_without_a_largest_weight_nothing_is_said_that_holds_at_every_sample_size() -> None:
    clusters = np.arange(240) % 70
    for known in ({}, {"clusters": clusters}, {"clusters": clusters, "design": Design(max_cluster=4)}):
        rows = panel(weights=weights(), **known)
        for name in EVERY:
            for line in answered(asked(rows, name)):
                assert line.claim.guarantee is not Guarantee.FINITE, line.claim
                assert Assumption.KNOWN_WEIGHTS in line.claim.assumes
    assert any("max_weight" in note for note in hf.compare(panel(weights=weights())).details["notes"])
    capped = panel(weights=weights(), design=Design(max_weight=2))
    assert not any("max_weight" in note for note in hf.compare(capped).details["notes"])
    first, second = answered(asked(capped, "error-rate"))
    assert (first.claim.guarantee, second.claim.guarantee) == (Guarantee.FINITE, Guarantee.ASYMPTOTIC)
    assert Assumption.CAPPED_WEIGHTS in first.claim.assumes


def test_rates_of_a_class_that_was_sampled_are_counted_on_its_own_examples() -> None:
    rows = panel(design=Design(sampling="by-class"))
    plain = panel()
    for name in ("recall", "false-negative-rate", "specificity", "false-positive-rate"):
        here, there = asked(rows, name), asked(plain, name)
        for one, other in zip(here, there, strict=True):
            assert isinstance(one.evidence, Paired)
            assert isinstance(other.evidence, Paired)
            assert (one.evidence.won, one.evidence.lost, one.evidence.n) == (
                other.evidence.won,
                other.evidence.lost,
                other.evidence.n,
            )
        for line in answered(here):
            assert Assumption.WITHIN_CLASSES in line.claim.assumes
            assert Assumption.INDEPENDENT not in line.claim.assumes
    for name in ("error-rate", "precision", "f1", "brier", "mcc"):
        with pytest.raises(HoldfastError, match="depends on how frequent the classes are, which was chosen"):
            asked(rows, name)
    for line in answered(asked(replace(rows, design=Design(prevalence={"y": 0.2})), "error-rate")):
        assert Assumption.STATED_PREVALENCE in line.claim.assumes


def test_a_stated_prevalence_weighs_the_classes() -> None:
    rows = panel(design=Design(prevalence={"y": 0.2}))
    assert rows.truth is not None
    undone = np.where(rows.truth == 1, 0.2 / np.sum(rows.truth == 1), 0.8 / np.sum(rows.truth == 0))
    for name in EVERY:
        for question in asked(rows, name):
            one, other = (of_sklearn(name, rows, model, undone, question.labels[0]) for model in (0, 1))
            assert float(question.evidence.estimate) == pytest.approx(one - other, abs=1e-12), name


def test_a_weight_above_the_largest_that_was_stated_is_refused() -> None:
    with pytest.raises(InvalidEvidence, match="A row weighs 2, more than the 1"):
        asked(panel(weights=weights(), design=Design(max_weight=1)), "error-rate")
    with pytest.raises(InvalidEvidence, match="weights are finite numbers from 0 on"):
        asked(panel(weights=-weights()), "error-rate")


# ---- Promises


def of_clusters(rng: np.random.Generator, design: str, number: int = 50) -> Panel:
    """Clusters of one to six rows, alike in how hard they are; perhaps weighed, or drawn within three strata."""
    sizes = rng.integers(1, 7, number)
    cluster = np.repeat(np.arange(number), sizes)
    stratum = np.arange(number) % 3
    hard = rng.normal(size=number) + (0.5 * stratum if design == "strata" else 0.0)
    truth = (rng.random(cluster.size) < 0.4).astype(np.int64)
    shared = 0.6 * hard[cluster] + 0.6 * rng.normal(size=cluster.size)
    values = np.stack([2 * truth * gain + shared + rng.normal(size=cluster.size) - 1 for gain in (1.2, 0.8)])
    scores = 1 / (1 + np.exp(-values))
    more: dict[str, Any] = {"clusters": cluster}
    if design == "weights":
        more["weights"] = rng.integers(1, 4, cluster.size) / 1.0
    if design == "strata":
        shares = {"a": 0.5, "b": 0.3, "c": 0.2}
        more |= {"strata": stratum[cluster], "stratum_names": (*shares,), "design": Design(shares=shares)}
    predicted = (scores > 0.5).astype(np.int64)
    return Panel(("a", "b"), predicted != truth, LABELS, truth, predicted, scores, "y", **more)


PROMISED = ("error-rate", "recall", "precision", "f1", "balanced-accuracy", "mcc", "auc", "brier")


def drawn(design: str, repeats: int) -> Iterator[Panel]:
    rng = np.random.default_rng(11)
    for _ in range(repeats):
        yield of_clusters(rng, design)


@pytest.mark.long
@pytest.mark.parametrize("design", ["clusters", "weights", "strata"])
def test_what_holds_as_clusters_grow_many_holds_at_fifty(design: str) -> None:
    """The truth from a hundred thousand clusters; the law of weights is that of the rows, which they do not change."""
    whole, repeats = of_clusters(np.random.default_rng(5), design, 99_999), 600
    truths = {name: float(lines(whole, name)[0].claim.estimate or 0.0) for name in PROMISED}
    hits = dict.fromkeys(PROMISED, 0)
    for rows in drawn(design, repeats):
        for name in PROMISED:
            (claim, *_) = (line.claim for line in lines(rows, name, Guarantee.ASYMPTOTIC) if line.label in (None, "y"))
            hits[name] += bool(claim.lower <= truths[name] <= claim.upper)
    for name, number in hits.items():
        assert 0.92 <= number / repeats <= 0.98, (name, number / repeats)
