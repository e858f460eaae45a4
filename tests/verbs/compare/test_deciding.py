"""The first measure asked for decides: verdict, margin, p-value and the best are about it, and say how firmly."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import holdfast as hf
from holdfast.claims import Assumption, Guarantee
from holdfast.evidence.pools.panel import Panel
from holdfast.render.kinds import headline_of
from tests.render.contests import best_first, compared
from tests.shapes import validate
from tests.snapshots import matches, messages

SHAPE = json.loads((Path(hf.__file__).parent / "schemas" / "report-1.json").read_text(encoding="utf-8"))
N = 400


@pytest.fixture(scope="module")
def data() -> dict[str, Any]:
    """One model ranks better, and by its threshold errs more often."""
    random = np.random.default_rng(0)
    truth = random.integers(0, 2, N)
    scores = {"ranks": np.clip(0.35 * truth + random.normal(0.1, 0.12, N), 0, 1)}
    scores["errs less"] = np.clip(0.3 * truth + random.normal(0.35, 0.24, N), 0, 1)
    return {
        "truth": truth,
        "predicted": {name: (each > 0.5).astype(int) for name, each in scores.items()},
        "scores": scores,
        "positive": 1,
    }


def test_the_verdict_is_about_the_measure_that_was_asked_for(data: dict[str, Any]) -> None:
    errors, areas = hf.compare(**data), hf.compare(**data, only="auc")
    assert errors.verdict == "errs less is better than ranks: it errs less often (p = 0.0024)."
    assert (areas.verdict.outcome, areas.verdict.about.measure) == ("better", "auc")
    assert areas.verdict.startswith("ranks is better than errs less: its auc is higher (p = ")
    assert areas.verdict.endswith(" by paired-delong, which holds only as the sample grows).")
    assert (errors.details["may_be_best"], areas.details["may_be_best"]) == (["errs less"], ["ranks"])
    assert (best_first(errors)[0], best_first(areas)[0]) == ("errs less", "ranks")
    assert "the auc of ranks minus that of errs less is between 0.1398" in str(headline_of(areas))
    told = areas.to_dict()["verdict"]
    assert (told["measure"], told["better"], told["guarantee"]) == ("auc", "higher", "ASYMPTOTIC")
    assert any("about auc" in note for note in areas.details["notes"])
    assert not areas.details["next"]


@pytest.mark.crossing(3)
@pytest.mark.parametrize(("margin", "clusters"), [(0.0, None), (0.02, np.arange(N) // 4)])
@pytest.mark.parametrize("measure", ["accuracy", "recall", "f1", "auc", "average-precision", "ks", "brier", "ece"])
def test_every_measure_decides_and_swapping_mirrors_it(
    data: dict[str, Any], measure: str, margin: float, clusters: Any
) -> None:
    turned = {"better": "worse", "worse": "better", "not inferior": "not superior", "not superior": "not inferior"}
    one = hf.compare(**data, only=measure, margin=margin, clusters=clusters)
    backwards = {name: dict(reversed(data[name].items())) for name in ("predicted", "scores")}
    other = hf.compare(**{**data, **backwards}, only=measure, margin=margin, clusters=clusters)
    assert other.verdict.outcome == turned.get(one.verdict.outcome, one.verdict.outcome)
    assert one.details["pairs"][0]["p"] == pytest.approx(other.details["pairs"][0]["p"], rel=1e-9)
    assert one.verdict.about.measure == measure
    (line, *_) = compared(one).differences(one.whole)
    assert one.verdict.about.guarantee is compared(one).firmness(one.whole)
    if one.verdict.outcome in ("better", "worse"):
        higher = (line.claim.estimate > 0) == (one.verdict.about.better == "higher")  # type: ignore[operator]
        assert higher == (one.verdict.outcome == "better")
    proven = one.verdict.about.guarantee is Guarantee.FINITE
    assert proven == (one.verdict.about.guarantee.sentence not in one.verdict)
    validate(json.loads(one.to_json()), SHAPE)


def test_the_p_value_is_the_delta_at_which_the_interval_ends_at_no_difference(data: dict[str, Any]) -> None:
    p = hf.compare(**data, only="mcc").details["pairs"][0]["p"]
    for delta, outcome in ((p * 1.001, True), (p * 0.999, False)):
        report = hf.compare(**data, only="mcc", delta=delta)
        (line, *_) = compared(report).differences(report.whole)
        assert (line.claim.lower > 0 or line.claim.upper < 0) == report.verdict.decided == outcome


def test_a_class_decides_where_it_is_the_positive_one(data: dict[str, Any]) -> None:
    report = hf.compare(**data, only="recall")
    assert report.verdict.about.label == "1"
    assert "its recall of 1 is higher" in report.verdict
    assert report.verdict.rule == "mcnemar-exact"  # among the examples of the class it is who was right
    pair, truth = report.details["pairs"][0], data["truth"] == 1
    right = [np.asarray(each)[truth] == 1 for each in data["predicted"].values()]
    assert (pair["won"], pair["lost"]) == (np.sum(right[0] & ~right[1]), np.sum(right[1] & ~right[0]))
    assert {line.label for line in compared(report).differences(report.whole)} == {"1"}
    assert {line.label for line in report.whole if line.measure == "recall-difference"} == {"0", "1"}


def test_a_method_that_can_decides_unless_a_test_is_named() -> None:
    wrong = np.zeros((2, 161), bool)
    wrong[1, :6] = wrong[0, 6:22] = True
    panel = Panel(("a", "b"), wrong, rows=161, fingerprint="0" * 64)
    usual, tango = hf.compare(panel), hf.compare(panel, method="tango")
    assert (usual.verdict.rule, usual.verdict.outcome) == ("mcnemar-exact", "not settled")
    assert (tango.verdict.rule, tango.verdict.outcome) == ("tango", "worse")
    assert tango.verdict.endswith("(p = 0.033 by tango, which holds only as the sample grows).")
    assert tango.details["test"]["guarantee"] == "ASYMPTOTIC"
    assert hf.compare(panel, method="tango", test="exact").verdict.rule == "mcnemar-exact"
    assert hf.compare(panel, method="betting").verdict.rule == "betting"
    two = hf.compare(panel, method=["tango", "paired-fisher"])
    assert "this holds only as the sample grows" in str(headline_of(two))  # the interval of what decided, not another's


def test_of_many_models_the_best_is_in_that_measure(data: dict[str, Any]) -> None:
    third = {"third": data["scores"]["ranks"] * 0.5 + 0.2}
    scores = {**data["scores"], **third}
    predicted = {name: (each > 0.5).astype(int) for name, each in scores.items()}
    report = hf.compare(data["truth"], predicted, scores, positive=1, only=["auc", "f1"])
    assert report.details["may_be_best"] == ["ranks", "third"]  # which rank alike
    assert "the best in auc is not settled: it may be ranks or third (by paired-delong" in report.verdict
    assert report.details["pairs"][1]["outcome"] == "not settled"
    drawn = {row["measure"] for row in _rows(report.charts["differences"])}
    assert drawn == {"auc-difference"}
    assert "may be the best in auc" in str(report)


def _rows(chart: Any) -> list[dict[str, Any]]:
    found = [row for values in chart.to_dict()["datasets"].values() for row in values]
    return [row for row in found if "measure" in row]


def test_passing_at_k_decides_where_it_is_asked_for() -> None:
    random = np.random.default_rng(2)
    tries = np.full((2, 80), 5)
    right = random.binomial(5, np.array([[0.3], [0.75]]), (2, 80))
    panel = Panel(("a", "b"), 1 - right / tries, tries=tries, right=right, rows=800, fingerprint="0" * 64)
    assert hf.compare(panel, pass_at=[3, 1]).verdict.about.measure == "error-rate"
    report = hf.compare(panel, only="pass-at-k", pass_at=[3, 1])
    assert report.verdict.startswith("b is better than a: its pass@3 is higher (p = ")
    assert [line.label for line in report.whole if line.measure == "pass-at-k-difference"] == [
        "k=3",
        "k=3",
        "k=1",
        "k=1",
    ]


@pytest.mark.parametrize("margin", [0.0, 0.05])
def test_bets_on_rows_in_no_stated_order_do_not_decide_as_proven(margin: float) -> None:
    truth = [1, 0] * 30
    models = {"old": [1, 1] * 20 + [1, 0] * 10, "new": truth}
    report = hf.compare(truth, models, method="betting", margin=margin)
    assert report["error-rate-difference"].guarantee is Guarantee.HEURISTIC
    assert report.verdict.about.guarantee is Guarantee.HEURISTIC
    assert report.details["test"]["guarantee"] == "HEURISTIC"
    assert hf.compare(truth, models, method="squares", margin=margin).verdict.about.guarantee is Guarantee.FINITE
    told = hf.compare(truth, models, method="betting", margin=margin, require="better")
    assert told.decision is not None
    assert str(told.decision.answer) not in ("proven", "refuted")


def test_passing_at_all_samples_is_decided_by_counts() -> None:
    random = np.random.default_rng(2)
    tries = np.full((3, 80), 2)
    right = random.binomial(2, np.array([[0.2], [0.75], [0.7]]), (3, 80))
    panel = Panel(("a", "b", "c"), 1 - right / tries, tries=tries, right=right, rows=480, fingerprint="0" * 64)
    report = hf.compare(panel, only="pass-at-k", pass_at=[2, 1])
    assert report.details["test"]["test"] == "mcnemar-exact"
    both, one = ([line for line in report.whole if line.label == f"k={k}"] for k in (2, 1))
    assert [line.claim.method for line in both] == ["paired-fisher", "tango"] * 3
    assert [line.claim.method for line in one] == ["squares", "influence"] * 3
    for line in (*both, *one):
        assert line.claim.per == "cluster"
        assert {Assumption.CLUSTERS, Assumption.FIXED_SAMPLES} <= {*line.claim.assumes}
        assert Assumption.INDEPENDENT not in line.claim.assumes
    passed = right > 0
    pair = report.details["pairs"][0]
    assert (pair["won"], pair["lost"]) == (int(np.sum(passed[0] & ~passed[1])), int(np.sum(passed[1] & ~passed[0])))
    assert float(both[0].claim.estimate) == pytest.approx(passed[0].mean() - passed[1].mean())


def test_the_margin_is_in_the_units_of_the_measure() -> None:
    truth = [0, 1] * 50
    models = {"a": truth, "b": [0] * 100}
    costs = hf.Costs([[0, 9], [1, 0]], labels=[0, 1], rows="predicted")
    assert hf.compare(truth, models, costs=costs, only="expected-cost", margin=4).verdict.outcome == "better"
    assert hf.compare(truth, models, costs=costs, only="expected-cost", margin=8.5).verdict.outcome == "equivalent"


def test_what_cannot_decide_is_refused(data: dict[str, Any]) -> None:
    truth, models = [0, 1, 2, 0], {"a": [0, 1, 2, 0], "b": [0, 1, 1, 0]}
    costs = hf.Costs([[0, 9], [1, 0]], labels=[0, 1], rows="predicted")
    binary = {"truth": [0, 1, 1], "predicted": {"a": [0, 1, 1], "b": [0, 0, 1]}}
    calls = {
        "a class of several": lambda: hf.compare(truth, models, only="f1"),
        "a class without an average": lambda: hf.compare(truth, models, only="specificity"),
        "a test of who was right": lambda: hf.compare(**data, only="auc", test="mid-p"),
        "a test of clusters": lambda: hf.compare(**data, clusters=np.arange(N) // 2, test="exact"),
        "a margin beyond the costs": lambda: hf.compare(**binary, costs=costs, only="expected-cost", margin=9),
        "a margin beyond the measure": lambda: hf.compare(**data, only="auc", margin=1),
        "a method of another measure": lambda: hf.compare(**binary, only="accuracy", method="jackknife"),
    }
    matches("errors_of_deciding", messages(calls))


def test_options_of_a_bootstrap_reach_its_p_value(data: dict[str, Any]) -> None:
    one, same, other = (
        hf.compare(**data, only="mcc", method="percentile", seed=seed).details["pairs"][0]["p"] for seed in (1, 1, 2)
    )
    assert one == same
    assert 0 < one <= 1
    assert other <= 1
