"""What measures read off rows as they were drawn: as the reference has it, as scikit-learn, and as a derivative."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from sklearn import metrics

from holdfast.catalog import find_measure, measures
from holdfast.evidence import Contingency, Costs, Forecasts, Scores
from holdfast.evidence.draws import Draws, Influence, Ratio
from holdfast.evidence.ranking.calibration import FixedBins
from holdfast.evidence.ranking.forecasts import Margins
from holdfast.tally.designs.areas import calibrated
from holdfast.tally.designs.drawn import Drawn
from holdfast.tally.designs.reading import readings
from tests.reference.designs import ROWS, cases

HELD = {name: np.array(values) for name, values in ROWS.items()}
NAMES = {
    "error rate": ("error-rate", None),
    "recall": ("recall", "1"),
    "precision": ("precision", "1"),
    "F1": ("f1", "1"),
    "balanced accuracy": ("balanced-accuracy", None),
    "macro F1 (3 classes)": ("macro-f1", None),
    "MCC": ("mcc", None),
    "MCC (3 classes)": ("mcc", None),
    "kappa (3 classes)": ("kappa", None),
    "AUC": ("auc", "1"),
    "average precision": ("average-precision", "1"),
    "Brier": ("brier", None),
    "log loss": ("log-loss", None),
}


def drawn(design: str = "rows", labels: int = 2, second: bool = False) -> Drawn:
    """The rows of the reference under one of its designs."""
    draw = np.arange(40) if design.startswith("rows") else np.unique(HELD["cluster"], return_inverse=True)[1]
    stratum = HELD["stratum_of_cluster"] if "in strata" in design else HELD["y"] if "classes" in design else None
    truth, predicted = (HELD[name] for name in (("y", "predicted") if labels == 2 else ("y3", "predicted3")))
    given = np.where(HELD["y"] == 1, HELD["confidence"], 1 - HELD["confidence"])
    return Drawn(
        Draws(np.ones(draw.max() + 1), stratum),
        draw,
        HELD["weight"] if "weights" in design else np.ones(40),
        truth=truth,
        predicted=predicted,
        margin=HELD["score"] * np.where(HELD["y"] == 1, 1, -1),
        probability=given,
        square=(1 - given) ** 2,
        scores={"1": HELD["score2" if second else "score"]},
        labels=tuple("012"[:labels]),
        truths=np.arange(labels),
    )


def one(name: str, rows: Drawn, label: str | None = None, **stated: Any) -> Ratio | Influence:
    return dict(readings(find_measure(name), rows, **stated))[label]


def survey_variance(found: Influence) -> float:
    """With n / (n - 1) within each stratum, in place of a correction for leverage."""
    stratum = np.zeros(found.values.size) if found.draws.stratum is None else found.draws.stratum
    parts = [found.values[stratum == each] for each in np.unique(stratum)]
    return float(sum(part.size * np.var(part, ddof=1) for part in parts))


@pytest.mark.parametrize("case", cases("influence"), ids=lambda case: str(case["inputs"]))
def test_estimates_and_variances_are_those_of_the_reference(case: dict[str, Any]) -> None:
    measure, design = case["inputs"]["measure"], case["inputs"]["design"]
    if measure.startswith("ECE"):
        rows = replace(drawn(design), scores={"1": HELD["confidence"]})
        (found,) = (each for _, each in calibrated(find_measure("ece"), rows, "1", FixedBins.of(10)))
    elif measure == "AUC difference":
        found = (one("auc", drawn(design), "1") - one("auc", drawn(design, second=True), "1")).influence
    else:
        name, label = NAMES[measure]
        found = one(name, drawn(design, 3 if "3 classes" in measure else 2), label).influence
    assert found.value == pytest.approx(case["expect"]["estimate"], rel=1e-12)
    assert survey_variance(found) == pytest.approx(case["expect"]["V"], rel=1e-10)


COSTS = Costs([[0, 1, 4], [10, 0, 2], [3, 5, 0]], ["0", "1", "2"], rows="predicted")
PARAMETERS: dict[str, dict[str, Any]] = {
    "expected-cost": {"costs": COSTS},
    "squared-loss": {"classes": [0, 1, 2]},
    "absolute-loss": {"classes": [0, 1, 2]},
}
READ = [m for m in measures() if m.takes in (Contingency, Scores, Forecasts, Margins) and m.name != "hard-loss"]


def bearing(name: str) -> tuple[Drawn, dict[str, Any]]:
    stated = PARAMETERS.get(name, {})
    return drawn("clusters, weights", 3 if stated or "macro" in name or name in ("mcc", "kappa") else 2), stated


@pytest.mark.parametrize("measure", READ, ids=lambda measure: measure.name)
def test_what_a_draw_adds_is_the_derivative_by_its_weight(measure: Any) -> None:
    rows, stated = bearing(measure.name)
    found = [*readings(measure, rows, **stated)]
    assert found
    step = 1e-5
    for place in range(0, rows.draws.times.size, 5):
        ends = []
        for way in (step, -step):
            times = rows.draws.times + way * (np.arange(rows.draws.times.size) == place)
            moved = replace(rows, draws=Draws(times))
            ends.append([float(each.estimate) for _, each in readings(measure, moved, **stated)])
        for (_, evidence), more, less in zip(found, *ends, strict=True):
            if measure.smooth:
                assert evidence.influence.values[place] == pytest.approx((more - less) / (2 * step), abs=1e-6)


def sklearn_values(rows: Drawn) -> dict[tuple[str, str | None], float]:
    truth, predicted, weight = rows.truth, rows.predicted, rows.rows
    by = {"sample_weight": weight}
    per_class = metrics.precision_recall_fscore_support(truth, predicted, **by)
    values: dict[tuple[str, str | None], float] = {
        ("accuracy", None): metrics.accuracy_score(truth, predicted, **by),
        ("error-rate", None): metrics.zero_one_loss(truth, predicted, **by),
        ("balanced-accuracy", None): metrics.balanced_accuracy_score(truth, predicted, **by),
        ("mcc", None): metrics.matthews_corrcoef(truth, predicted, **by),
        ("kappa", None): metrics.cohen_kappa_score(truth, predicted, **by),
    }
    for name, each in zip(("precision", "recall", "f1"), per_class, strict=False):
        values |= {(name, str(label)): value for label, value in enumerate(each)}
    for average in ("macro", "weighted"):
        found = metrics.precision_recall_fscore_support(truth, predicted, average=average, **by)
        names = ("precision", "recall", "f1")
        values |= {(f"{average}-{name}", None): value for name, value in zip(names, found, strict=False)}
    del values["macro-recall", None]  # another name of balanced accuracy
    if len(rows.labels) == 2:
        score, chance = rows.scores["1"], np.where(rows.truth == 1, rows.probability, 1 - rows.probability)
        values["auc", "1"] = metrics.roc_auc_score(truth, score, **by)
        values["average-precision", "1"] = metrics.average_precision_score(truth, score, **by)
        values["brier", None] = metrics.brier_score_loss(truth, chance, **by)
        values["log-loss", None] = metrics.log_loss(truth, chance, **by)
    return values


@pytest.mark.parametrize("labels", [2, 3])
@pytest.mark.parametrize("design", ["rows", "clusters, weights"])
def test_estimates_are_those_of_scikit_learn_with_its_sample_weight(design: str, labels: int) -> None:
    rows = drawn(design, labels)
    for (name, label), value in sklearn_values(rows).items():
        assert float(one(name, rows, label).estimate) == pytest.approx(value, rel=1e-12), name


def test_a_group_is_its_rows_filtered() -> None:
    rows = drawn("clusters, weights")
    inside = HELD["score2"] > 0.3
    group = rows.kept(inside, "group")
    for name, label in (("error-rate", None), ("recall", "1"), ("mcc", None), ("auc", "1"), ("brier", None)):
        part = one(name, group, label)
        names, draw = np.unique(rows.draw[inside], return_inverse=True)
        filtered = replace(group, draws=Draws(np.ones(names.size)), draw=draw)
        again = one(name, filtered, label)
        assert float(part.estimate) == pytest.approx(float(again.estimate), rel=1e-13)
        assert part.influence.spread == pytest.approx(again.influence.spread, rel=1e-10)
        assert int(part.n) == int(again.n)


def test_of_the_average_cluster_every_cluster_weighs_the_same() -> None:
    rows = drawn("clusters")
    shares = [np.mean((HELD["y"] != HELD["predicted"])[HELD["cluster"] == each]) for each in np.unique(HELD["cluster"])]
    found = one("error-rate", rows)
    assert isinstance(found, Ratio)
    average = found.of_average_draw
    assert average.values == pytest.approx(np.sort(shares))
    assert float(average.estimate) == pytest.approx(np.mean(shares))


TABLES = [("error-rate", None), ("recall", "2"), ("f1", "0"), ("macro-f1", None), ("weighted-f1", None), ("mcc", None)]


@pytest.mark.parametrize(("name", "label"), TABLES)
def test_leaving_out_each_cluster_is_reading_the_others(name: str, label: str | None) -> None:
    rows = drawn("clusters", 3)
    found = one(name, rows, label)
    left = []
    for each in range(found.draws.number):
        kept = rows.kept(rows.draw != each, rows.part)
        left.append(float(one(name, replace(kept, truths=np.unique(kept.truth)), label).estimate))
    low, high = find_measure(name).range
    for turned in (False, True):
        again = found.influence.mirror().redrawn if turned else found.redrawn
        shares = (np.array(left) - low) / (high - low)
        assert again.left_out()[0] == pytest.approx(1 - shares if turned else shares, rel=1e-12)
        assert again.standard_error == pytest.approx(np.std(shares) * np.sqrt(len(left) - 1), rel=1e-9)
        assert int(again.n) == len(left)


def test_a_class_of_which_one_cluster_holds_rows_says_nothing_of_others() -> None:
    """Where a measure is undefined without that cluster, what it changes is not known from any other."""
    rows = drawn("clusters")
    rare = replace(rows, truth=np.where(rows.draw == 3, rows.truth, 0))
    assert rows.holders(rare.truth, 2)[1] == 1
    for name, label in (("balanced-accuracy", None), ("mcc", None), ("auc", "1"), ("average-precision", "1")):
        found, before = one(name, rare, label).influence, one(name, rows, label).influence
        assert not np.isnan(found.value)
        assert np.isnan(found.spread.variance)
        assert np.isfinite(before.spread.variance)
    for name, label in (("error-rate", None), ("recall", "0"), ("kappa", None), ("weighted-f1", None)):
        assert np.isfinite(one(name, rare, label).influence.spread.variance)


def test_what_is_unknown_of_a_class_stays_unknown() -> None:
    rows = drawn("clusters")
    found = one("recall", replace(rows, truth=np.zeros(40, np.int64)), "1")
    assert not found.known
    assert np.isnan(found.redrawn.standard_error)


def test_partial_credit_counts_as_it_is() -> None:
    rows = Drawn(
        Draws(np.ones(2), most=3.0), np.array([0, 0, 1]), np.array([1.0, 2.0, 1.0]), value=np.array([1, 0.5, 0])
    )
    assert float(one("accuracy", rows).estimate) == pytest.approx(0.5)
    assert float(one("error-rate", rows).estimate) == pytest.approx(0.5)
    assert one("accuracy", rows).graded  # type: ignore[union-attr]
    assert not [*readings(find_measure("recall"), rows)]
