"""Assessing rows in clusters: who answers, what is refused, and what the reader is told."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from scipy.special import bdtrc

from holdfast.catalog import find, find_measure, measures
from holdfast.claims import Assumption, Guarantee
from holdfast.errors import HoldfastError, InvalidEvidence, UnfitMethod
from holdfast.evidence import Array, Counts, Losses
from holdfast.evidence.clusters import Clusters
from holdfast.predictions import Predictions
from holdfast.report import Report
from holdfast.verbs import clusters as room
from holdfast.verbs.answers import Ask
from holdfast.verbs.clusters import assess_clusters

BY_CHANCE = 1e-6


def of(
    rows: Predictions,
    *,
    delta: float = 0.05,
    side: Any = "both",
    method: str | None = None,
    only: str | None = None,
    **asked: Any,
) -> Report:
    chosen = () if method is None else (find(method),)
    ask = Ask(np.asarray(delta), side, chosen, {"resamples": 400, "seed": 0})
    wanted = measures() if only is None else [find_measure(only)]
    return assess_clusters(rows, ask=ask, wanted=wanted, command="here", seed=0, **asked)


def labelled(clusters: int = 40, seed: int = 0, **columns: Any) -> Predictions:
    random = np.random.default_rng(seed)
    sizes = random.integers(1, 8, clusters)
    cluster = np.repeat(np.arange(clusters), sizes)
    truth = random.integers(0, 2, cluster.size)
    wrong = (random.random(clusters) < 0.3)[cluster] & (random.random(cluster.size) < 0.6)
    return Predictions.from_arrays(truth, np.where(wrong, 1 - truth, truth), clusters=cluster, **columns)


def passes(errors: list[int], sizes: list[int]) -> Predictions:
    correct = [i >= k for k, n in zip(errors, sizes, strict=True) for i in range(n)]
    return Predictions.from_arrays(correct=correct, clusters=np.repeat(np.arange(len(sizes)), sizes))


ERRORS, SIZES = [0, 2, 0, 1, 0, 4, 0, 0, 1, 0, 0, 3] * 5, [2, 3, 1, 1, 4, 4, 5, 2, 2, 3, 1, 5] * 5


# ---- Who answers


def test_without_a_cap_it_is_the_average_cluster_that_is_bet_on() -> None:
    report = of(passes(ERRORS, SIZES))
    losses = Losses(np.array(ERRORS) / np.array(SIZES))
    direct = find("betting")(losses)
    claim = report["error-rate"]
    assert (claim.estimate, claim.lower, claim.upper) == pytest.approx((direct.estimate, direct.lower, direct.upper))
    assert (claim.method, claim.guarantee, claim.n) == ("betting", Guarantee.FINITE, 60)
    assert any("average cluster" in note for note in report.details["notes"])
    assert (report.details["clusters"], report.details["largest_cluster"]) == (60, 5)
    assert report.details["errors"] == sum(ERRORS)


def test_with_a_cap_it_is_all_rows() -> None:
    report = of(passes(ERRORS, SIZES), max_cluster=6)
    direct = find("cluster-betting")(Clusters(Counts(ERRORS, SIZES), most=6))
    claim = report["error-rate"]
    assert (claim.estimate, claim.lower, claim.upper) == (direct.estimate, direct.lower, direct.upper)
    assert claim.estimate == sum(ERRORS) / sum(SIZES)
    assert (claim.method, claim.guarantee) == ("cluster-betting", Guarantee.FINITE)
    assert Assumption.CAPPED_CLUSTERS in claim.assumes
    assert any("over all rows, which came in 60 clusters of at most 6" in note for note in report.details["notes"])


@pytest.mark.parametrize("cap", [None, 6])
def test_the_accuracy_is_the_mirror_image(cap: int | None) -> None:
    report = of(passes(ERRORS, SIZES), max_cluster=cap)
    wrong, right = report["error-rate"], report["accuracy"]
    assert (right.estimate, right.lower, right.upper) == pytest.approx(
        (1 - wrong.estimate, 1 - wrong.upper, 1 - wrong.lower), abs=1e-12
    )


def test_no_claim_says_that_examples_are_independent() -> None:
    for cap in (None, 9):
        for line in of(labelled(), max_cluster=cap, pass_at=[1]).lines:
            assert Assumption.CLUSTERS in line.claim.assumes
            assert Assumption.INDEPENDENT not in line.claim.assumes
            assert line.claim.n == 40


def test_all_else_is_drawn_again_cluster_by_cluster() -> None:
    report = of(labelled())
    for line in report.lines:
        expected = "betting" if line.measure in ("error-rate", "accuracy") else "bca"
        assert line.claim.method == expected, line.measure
        assert line.claim.guarantee is (Guarantee.FINITE if expected == "betting" else Guarantee.ASYMPTOTIC)
    assert {"mcc", "kappa", "macro-f1", "balanced-accuracy", "recall"} <= {line.measure for line in report.lines}


def test_with_a_cap_rates_hold_at_every_size_and_the_rest_does_not() -> None:
    report = of(labelled(), max_cluster=9)
    table = np.array(report.details["contingency"]["table"])
    assert report["recall", "1"].estimate == table[1, 1] / table[:, 1].sum()
    assert report["f1", "1"].estimate == pytest.approx(2 * table[1, 1] / (table[:, 1].sum() + table[1].sum()))
    for name in ("recall", "precision", "f1", "npv", "prevalence"):
        assert report[name, "1"].method == "cluster-betting"
    assert report["mcc"].method == "bca"


def test_many_clusters_are_left_out_one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "MANY", 30)
    assert of(labelled())["mcc"].method == "jackknife"
    assert of(labelled(), method="bca")["mcc"].method == "bca"
    assert of(labelled(), method="percentile")["recall", "0"].method == "percentile"


def test_whole_clusters_wrong_widen_the_interval() -> None:
    truth = np.tile([0, 1], 200)
    wrong = np.repeat(np.arange(40) % 5 == 0, 10)
    predicted = np.where(wrong, 1 - truth, truth)
    apart = of(Predictions.from_arrays(truth, predicted, clusters=np.arange(400)))
    together = of(Predictions.from_arrays(truth, predicted, clusters=np.repeat(np.arange(40), 10)))
    assert together["mcc"].width > 2 * apart["mcc"].width
    assert together["error-rate"].width > 2 * apart["error-rate"].width


def test_each_side() -> None:
    both, upper = of(labelled(), delta=0.1), of(labelled(), side="upper")
    assert upper["error-rate"].upper == both["error-rate"].upper
    assert upper["error-rate"].lower == 0


def test_all_claims_together_share_delta() -> None:
    each, together = of(labelled(), max_cluster=7), of(labelled(), max_cluster=7, simultaneous=True)
    number = len(each.lines)
    assert together["error-rate"].delta == pytest.approx(0.05 / number, rel=0.01)
    assert together["error-rate"].width > each["error-rate"].width
    assert together.details["simultaneous"]["delta"] == 0.05
    assert "simultaneous" not in each.details
    assert f"All {number} intervals hold together" in str(together)


# ---- Several samples a question


def test_pass_at_k() -> None:
    report = of(passes([7, 10, 0, 2], [10] * 4), pass_at=[1, 5], only="pass-at-k")
    assert [line.label for line in report.lines] == ["k=1", "k=5"]
    claim = report["pass-at-k", "k=5"]
    assert claim.estimate == pytest.approx((1 - 21 / 252 + 0 + 1 + 1) / 4)
    assert (claim.method, claim.guarantee, claim.n) == ("betting", Guarantee.FINITE, 4)
    assert any("over the questions" in note for note in report.details["notes"])
    assert not any("Error rate" in note for note in report.details["notes"])


def test_pass_at_k_needs_so_many_samples() -> None:
    with pytest.raises(InvalidEvidence, match="2 of the 3 questions"):
        of(passes([0, 0, 0], [3, 3, 9]), pass_at=[5])


def test_pass_at_k_is_asked_only_with_k() -> None:
    assert not [line for line in of(passes([1, 0], [2, 2])).lines if line.measure == "pass-at-k"]
    with pytest.raises(HoldfastError, match="pass_at="):
        of(passes([1, 0], [2, 2]), only="pass-at-k")


# ---- Refusals


@pytest.mark.parametrize("method", ["clopper-pearson", "blaker", "fisher", "box", "delong"])
def test_methods_for_independent_examples_are_refused(method: str) -> None:
    with pytest.raises(UnfitMethod, match=rf"{method} takes every example for an independent draw.*use betting"):
        of(labelled(), method=method)


def test_cluster_betting_without_a_cap_is_refused() -> None:
    with pytest.raises(UnfitMethod, match="max_cluster="):
        of(labelled(), method="cluster-betting")
    assert of(labelled(), method="cluster-betting", max_cluster=8)["error-rate"].method == "cluster-betting"


def test_other_methods_for_losses_answer_for_the_average_cluster() -> None:
    assert of(passes(ERRORS, SIZES), method="hoeffding")["error-rate"].method == "hoeffding"
    with pytest.raises(UnfitMethod, match="fits none"):
        of(passes(ERRORS, SIZES), method="hoeffding", max_cluster=9)


def test_a_cluster_beyond_the_cap_is_refused() -> None:
    with pytest.raises(InvalidEvidence, match="holds 5 examples, more than the 4"):
        of(passes(ERRORS, SIZES), max_cluster=4)


def test_what_clusters_do_not_bear_is_refused() -> None:
    with pytest.raises(HoldfastError, match="not auc"):
        of(labelled(), only="auc")


# ---- What the reader is told


def told(report: Report) -> str:
    return " ".join(report.details["notes"])


def test_few_clusters_are_told() -> None:
    assert "There are 9 clusters" in told(of(labelled(9)))
    assert "There is one cluster" in told(of(passes([1], [4])))
    assert "little can be said" not in told(of(labelled(10)))


@pytest.mark.parametrize("cap", [None, 4])
@pytest.mark.parametrize("wrong", [0, 2, 4])
def test_one_cluster_says_nothing_and_says_so(wrong: int, cap: int | None) -> None:
    truth = [0, 1, 0, 1]
    predicted = [1 - y if i < wrong else y for i, y in enumerate(truth)]
    report = of(Predictions.from_arrays(truth, predicted, clusters=["p"] * 4), max_cluster=cap)
    for line in report.lines:
        ends = find_measure(line.measure).range
        assert line.claim.lower <= ends[0] + 0.06
        assert line.claim.upper >= ends[1] - 0.06
    assert "NaN" not in report.to_json()


def test_clusters_of_one_row_are_told() -> None:
    report = of(passes([0, 1, 0, 0] * 5, [1] * 20))
    assert "change nothing" in told(report)
    assert report["error-rate"].method == "betting"
    assert "change nothing" not in told(of(labelled()))


def test_scores_are_not_used_and_that_is_told() -> None:
    rows = Predictions.from_arrays([0, 1, 1], [0, 1, 0], [0.1, 0.9, 0.4], clusters=[1, 1, 2])
    assert "scores were not used" in told(of(rows))
    assert "scores were not used" not in told(of(rows, only="error-rate"))


def test_what_is_missing_is_told() -> None:
    rows = Predictions.from_arrays([0, 1, 1], [0, None, 0], clusters=[1, 1, 2], missing="wrong")
    assert "Counted as errors: 1 without predicted." in told(of(rows))
    rows = Predictions.from_arrays([0, 1, 1], [0, 1, 0], clusters=[1, None, 2], missing="drop")
    report = of(rows)
    assert "Left out: 1 row, 1 without cluster." in told(report)
    assert report.details["missing"] == {"cluster": 1}


def test_many_labels_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "MOST_CLASSES", 2)
    rows = Predictions.from_arrays(list("abcabc"), list("abcacb"), clusters=[1, 1, 2, 2, 3, 3])
    report = of(rows)
    assert "Measures of each class are left out" in told(report)
    assert not [line for line in report.lines if line.label]
    assert {line.label for line in of(rows, positive="b").lines} == {None, "b", "a"}
    assert {line.label for line in of(rows, labels=list("abc")).lines} == {None, "a", "b", "c"}


def test_the_report_is_plain_and_printed() -> None:
    report = of(labelled(), max_cluster=7, pass_at=[1])
    plain = json.loads(report.to_json())
    assert plain["clusters"] == 40
    assert report.provenance["rows"] == plain["provenance"]["rows"]
    assert len(report.provenance["fingerprint"]) == 64
    text = str(report)
    assert "cluster-betting" in text
    assert "the clusters are independent draws" in text
    assert "the examples are independent draws" not in text


# ---- The promise of the whole verb, where the rows of a cluster are identical


@pytest.mark.long
def test_claims_about_identical_questions_cover_where_pooled_ones_do_not() -> None:
    random = np.random.default_rng(11)
    missed = {"ours": 0, "capped": 0, "pooled": 0}
    runs, truth = 100, 0.3

    def misses(lower: float | Array, upper: float | Array) -> int:
        return int(not lower <= truth <= upper)

    for _ in range(runs):
        sizes = random.integers(1, 11, 30)
        wrong = np.repeat(random.random(30) < truth, sizes)
        rows = Predictions.from_arrays(correct=~wrong, clusters=np.repeat(np.arange(30), sizes))
        for name, cap in (("ours", None), ("capped", 10)):
            claim = of(rows, max_cluster=cap, only="error-rate")["error-rate"]
            missed[name] += misses(claim.lower, claim.upper)
        pooled = find("clopper-pearson")(Counts(int(wrong.sum()), wrong.size))
        missed["pooled"] += misses(pooled.lower, pooled.upper)
    assert bdtrc(max(missed["ours"], missed["capped"]) - 1, runs, 0.05) > BY_CHANCE
    assert bdtrc(missed["pooled"] - 1, runs, 0.05) < BY_CHANCE
