"""Differences of what is read off scores: which evidence, of examples and of clusters, and what a report says of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import holdfast as hf
from holdfast.catalog import find_measure
from holdfast.claims import Assumption
from holdfast.evidence import Scores
from holdfast.evidence.draws import Influence
from holdfast.evidence.pairs.paired import LossDifferences, Paired
from holdfast.evidence.pairs.separate import SeparateEstimates
from holdfast.evidence.pools.panel import Panel
from holdfast.evidence.ranking.calibration import Reliability
from holdfast.evidence.ranking.distance import PairedScores
from holdfast.evidence.ranking.forecasts import Margins
from holdfast.measures.calibration import ece
from holdfast.predictions.design import Design
from holdfast.verbs.compare.differences import Differences

RANKED = ("auc", "gini", "average-precision", "ks")


def panel(n: int = 240, seed: int = 0, *, clusters: bool = False) -> Panel:
    rng = np.random.default_rng(seed)
    truth, shared = rng.integers(0, 2, n), rng.normal(size=n)
    scores = np.stack([1 / (1 + np.exp(-(truth * gain + shared + rng.normal(size=n)))) for gain in (2.0, 1.0)])
    where = rng.integers(0, n // 4, n) if clusters else None
    return Panel(("a", "b"), (scores > 0.5) != truth, ("n", "y"), truth, (scores > 0.5) * 1, scores, "y", where)


def decided(**more: Any) -> Panel:
    """Decision values in place of probabilities; some are just 0."""
    rows = panel(**more)
    assert rows.scores is not None
    return replace(rows, scores=np.round(4 * rows.scores - 2))


def evidence(rows: Panel, name: str, **stated: Any) -> Any:
    """That of the question which decides."""
    return next(Differences(rows, stated).about(0, 1, find_measure(name))).evidence


def test_rankings_of_examples_and_of_clusters_have_evidence_of_their_own() -> None:
    kinds = {name: type(evidence(panel(), name)) for name in (*RANKED, "ece")}
    assert kinds == {
        "auc": PairedScores,
        "gini": PairedScores,
        "average-precision": Influence,
        "ks": SeparateEstimates,
        "ece": SeparateEstimates,
    }
    clustered = {name: evidence(panel(clusters=True), name) for name in (*RANKED, "ece")}
    assert {name: type(each) for name, each in clustered.items()} == {
        **dict.fromkeys(RANKED, Influence),
        "ece": SeparateEstimates,
    }
    assert [clustered[name].smooth for name in RANKED] == [True, True, True, False]


@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("name", RANKED)
def test_every_row_of_a_ranking_weighs_the_same(name: str, clustered: bool) -> None:
    rows = panel(clusters=clustered)
    assert rows.scores is not None
    one, other = (find_measure(name)(Scores(scores, rows.truth == 1)) for scores in rows.scores)
    found = evidence(rows, name)
    assert float(found.estimate) == pytest.approx(float(one.units(one.mean) - other.units(other.mean)), abs=1e-14)
    most = float(found.units(np.asarray(1.0)))
    assert most == (2.0 if name == "gini" else 1.0)
    assert int(found.n) == (np.unique(rows.clusters).size if clustered else 240)  # type: ignore[arg-type]


def test_calibration_errors_are_on_ten_bins_and_weigh_clusters_alike() -> None:
    rows = panel()
    assert rows.scores is not None
    one, other = (ece(Reliability.of(Scores(scores, rows.truth == 1), 10)) for scores in rows.scores)
    assert float(evidence(rows, "ece").estimate) == float(one.mean - other.mean)
    pairs = replace(rows, clusters=np.arange(240) // 2)
    doubled = Panel(*(each for each in (rows.models, np.repeat(rows.wrong, 2, axis=1), rows.labels)),
                    np.repeat(rows.truth, 2), None, np.repeat(rows.scores, 2, axis=1), "y",
                    np.repeat(np.arange(240), 2))  # type: ignore[arg-type]  # fmt: skip
    assert float(evidence(doubled, "ece").estimate) == pytest.approx(float(evidence(rows, "ece").estimate), abs=1e-14)
    assert (int(evidence(doubled, "ece").n), int(evidence(pairs, "ece").n)) == (240, 120)


@pytest.mark.parametrize("name", ["hard-loss", "linear-loss", "logistic-loss"])
def test_decision_values_are_compared_by_their_margins(name: str) -> None:
    rows = decided()
    assert rows.scores is not None
    assert np.any(rows.scores == 0)
    one, other = (
        find_measure(name)(Margins.of_decisions(rows.truth == 1, decision)).mean
        for decision in rows.scores  # type: ignore[arg-type]
    )
    found = evidence(rows, name)
    assert float(found.estimate) == pytest.approx(float(one - other), abs=1e-14)
    assert type(found) is (Paired if name == "hard-loss" else LossDifferences)
    assert type(evidence(decided(clusters=True), name)) is LossDifferences
    assert Differences(rows, {}).why_not(find_measure(name)) is None
    assert Differences(panel(), {}).why_not(find_measure(name)) is not None


def test_the_steepness_of_the_logistic_loss_may_be_stated() -> None:
    rows = decided()
    assert rows.scores is not None
    margins = np.where(rows.truth == 1, rows.scores, -rows.scores)
    one, other = np.mean(1 / (1 + np.exp(3.0 * margins)), axis=1)
    assert float(evidence(rows, "logistic-loss", alpha=3.0).estimate) == pytest.approx(one - other, abs=1e-14)


def test_only_one_class_says_nothing_and_breaks_nothing() -> None:
    for clustered in (False, True):
        rows = replace(panel(clusters=clustered), truth=np.ones(240, np.int64))
        report = hf.compare(rows, only=[*RANKED, "ece"])
        for line in report.lines:
            claim = line.claim
            if claim.measure in {f"{name}-difference" for name in RANKED}:
                most = 2.0 if claim.measure.startswith("gini") else 1.0
                assert (claim.lower, claim.upper) == (-most, most)
            assert claim.estimate is None or not np.isnan(claim.estimate)


@pytest.mark.parametrize("clustered", [False, True])
def test_a_report_tells_every_measure_of_scores_that_is_asked_for(clustered: bool) -> None:
    rows = panel(clusters=clustered)
    asked = [*RANKED, "ece", "log-loss", "brier"]
    report = hf.compare(rows, only=asked)
    told = {line.claim.measure: line for line in reversed(report.lines) if line.against}  # of each the first
    assert {*told} == {"error-rate-difference", *(f"{name}-difference" for name in asked)}
    assert told["average-precision-difference"].label == "y"
    bins = told["ece-difference"].claim
    assert Assumption.FIXED_BINS in bins.assumes
    assert Assumption.FIXED_BINS not in told["ks-difference"].claim.assumes
    for line in report.lines:
        assert (Assumption.CLUSTERS in line.claim.assumes) == clustered
        assert (Assumption.INDEPENDENT in line.claim.assumes) != clustered
    guarantees = {name: str(told[f"{name}-difference"].claim.guarantee) for name in (*RANKED, "ece")}
    assert guarantees == {
        **dict.fromkeys(("auc", "gini", "average-precision"), "ASYMPTOTIC"),
        "ks": "HEURISTIC" if clustered else "FINITE",
        "ece": "FINITE",
    }
    notes = [note for note in report.details["notes"] if "every row weighs the same" in note]
    assert notes == (
        [
            "Per cluster, each cluster counts once, whatever its size. Per row, every row weighs the same, which holds "
            "only as clusters grow many.",
            "In auc, gini, average-precision, ks every row weighs the same, however large its cluster.",
        ]
        if clustered
        else []
    )


def test_notes_say_what_weighs_the_same_in_the_lines_that_are_there() -> None:
    def notes(rows: Panel, **more: Any) -> list[str]:
        return [note for note in hf.compare(rows, **more).details["notes"] if "cluster" in note and "test" not in note]

    rows = panel(clusters=True)
    means = "Rates are means over the clusters: each counts once, whatever its size."
    for margin in (0.0, 0.1):
        assert notes(replace(rows, clusters=np.arange(240) // 4), margin=margin) == [means]
        assert notes(rows, margin=margin)[0].startswith("Per cluster, each cluster counts once")
    capped = replace(rows, design=Design(max_cluster=30))
    assert notes(capped, only=["error-rate", "auc"]) == [
        "In error-rate, auc every row weighs the same, however large its cluster."
    ]
    assert {line.claim.per for line in hf.compare(capped).lines} == {"row"}


def test_what_is_told_unasked_has_not_grown() -> None:
    def told(rows: Panel) -> set[str]:
        return {line.claim.measure for line in hf.compare(rows).lines if line.against}

    assert told(panel(clusters=True)) == {"error-rate-difference"}
    means = {"log-loss-difference", "brier-difference"}
    assert told(panel()) == {"error-rate-difference", "auc-difference", *means}


@pytest.mark.parametrize(
    ("name", "lacking", "why"),
    [
        ("brier", {"row_losses": None}, "what each example loses is not declared."),
        ("linear-loss", {"row_losses": None}, "what each example loses is not declared."),
        ("auc", {"influence": None}, "how much each example changes it is not declared."),
    ],
)
def test_a_measure_that_does_not_say_what_a_row_does_to_it_is_not_taken_for_another(
    name: str, lacking: dict[str, None], why: str
) -> None:
    rows = decided() if name == "linear-loss" else panel()
    pair, measure = Differences(rows, {}), find_measure(name)
    assert pair.why_not(measure) is None
    assert pair.why_not(replace(measure, **lacking)) == why
