"""Assessing rows in clusters: who answers, what is refused, and what the reader is told."""

from __future__ import annotations

import json
from math import comb
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.special import bdtrc

import holdfast as hf
from holdfast.catalog import find, find_measure
from holdfast.claims import Assumption, Guarantee
from holdfast.errors import HoldfastError, InvalidEvidence, UnfitMethod
from holdfast.evidence import Array, Counts, Losses
from holdfast.evidence.draws import Ratio
from holdfast.predictions import Predictions
from holdfast.render.page import page_html
from holdfast.report import Report
from holdfast.verbs import subject
from holdfast.verbs.assess import notes
from tests.snapshots import matches, messages

BY_CHANCE = 1e-6


def of(rows: Predictions, **asked: Any) -> Report:
    return hf.assess(rows, **{"resamples": 400, **asked})


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
    direct = find("squares")(losses)
    claim = report["error-rate"]
    assert (claim.estimate, claim.lower, claim.upper) == pytest.approx((direct.estimate, direct.lower, direct.upper))
    assert (claim.method, claim.guarantee, claim.n) == ("squares", Guarantee.FINITE, 60)
    assert any("average cluster" in note for note in report.details["notes"])
    assert (report.details["clusters"], report.details["largest_cluster"]) == (60, 5)
    assert report.details["errors"] == sum(ERRORS)


def test_with_a_cap_it_is_all_rows() -> None:
    report = of(passes(ERRORS, SIZES), max_cluster=6)
    direct = find("squares")(Ratio.of_counts(Counts(ERRORS, SIZES), most=6))
    claim = report["error-rate"]
    assert (claim.estimate, claim.lower, claim.upper) == (direct.estimate, direct.lower, direct.upper)
    assert claim.estimate == sum(ERRORS) / sum(SIZES)
    assert (claim.method, claim.guarantee) == ("squares", Guarantee.FINITE)
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
        reports = of(labelled(), max_cluster=cap, pass_at=[1]), of(passes([5, 4, 0], [5] * 3), pass_at=[5])
        for line in (*reports[0].lines, *reports[1].lines):
            assert Assumption.CLUSTERS in line.claim.assumes
            assert Assumption.INDEPENDENT not in line.claim.assumes


@pytest.mark.parametrize("cap", [None, 9])
def test_what_a_claim_rests_on_is_counted_in_clusters(cap: int | None) -> None:
    truth, predicted, cluster = [0, 0, 1, 0, 1, 1, 0], [0, 1, 1, 0, 0, 0, 0], [*"aabbccd"]
    report = of(Predictions.from_arrays(truth, predicted, clusters=cluster), max_cluster=cap)
    for name in ("error-rate", "accuracy", "mcc", "kappa", "balanced-accuracy"):
        assert report[name].n == 4
    assert (report["recall", "0"].n, report["recall", "1"].n) == (3, 2)  # clusters that hold any row of the class
    assert (report["precision", "0"].n, report["precision", "1"].n) == (4, 2)


def test_all_else_is_told_by_what_each_cluster_adds() -> None:
    report = of(labelled())
    for line in report.lines:
        expected = "squares" if line.claim.per == "cluster" else "influence"
        assert line.claim.method == expected, line.measure
        assert line.claim.guarantee is (Guarantee.FINITE if expected == "squares" else Guarantee.ASYMPTOTIC)
    assert {"mcc", "kappa", "macro-f1", "balanced-accuracy", "recall"} <= {line.measure for line in report.lines}


def test_a_rate_is_told_of_the_average_cluster_and_of_the_average_row() -> None:
    rows = passes(ERRORS, SIZES)
    shares, share = np.mean(np.divide(ERRORS, SIZES)), sum(ERRORS) / sum(SIZES)
    for name, cluster, row in (("error-rate", shares, share), ("accuracy", 1 - shares, 1 - share)):
        first, second = (line.claim for line in of(rows, only=name).lines)
        assert (first.per, first.guarantee) == ("cluster", Guarantee.FINITE)
        assert (second.per, second.guarantee) == ("row", Guarantee.ASYMPTOTIC)
        assert (first.estimate, second.estimate) == (pytest.approx(cluster), pytest.approx(row))
        assert second.lower <= row <= second.upper
    assert of(rows)["error-rate"].per == "cluster"  # the one with a guarantee is the answer
    assert of(rows, method="bca")["error-rate"].per == "cluster"


def test_of_clusters_alike_in_size_and_with_a_cap_there_is_one_average() -> None:
    (line,) = of(passes([0, 1, 2], [4, 4, 4]), only="error-rate").lines
    assert line.claim.per == "cluster"
    firm, approximate = of(passes(ERRORS, SIZES), only="error-rate", max_cluster=6).lines
    assert (firm.claim.per, firm.claim.guarantee) == ("row", Guarantee.FINITE)
    assert (approximate.claim.per, approximate.claim.guarantee) == ("row", Guarantee.ASYMPTOTIC)
    assert firm.claim.estimate == approximate.claim.estimate
    assert "hold equally many rows" in of(passes([0, 1, 2], [4, 4, 4])).details["notes"][0]


def test_the_large_sample_limits_of_the_average_row_cover() -> None:
    """Half of the clusters are large and bad: the average row errs far more often than the average cluster."""
    random, misses, repeats = np.random.default_rng(4), 0, 80
    for _ in range(repeats):
        large = random.random(150) < 0.5
        sizes = np.where(large, 8, 2)
        errors = random.binomial(sizes, np.where(large, 0.4, 0.1))
        claim = next(q.claim for q in of(passes([*errors], [*sizes]), only="error-rate").lines if q.claim.per == "row")
        misses += not claim.lower <= (8 * 0.4 + 2 * 0.1) / 10 <= claim.upper
    assert misses <= 0.05 * repeats + 4.9 * np.sqrt(0.05 * 0.95 * repeats)
    assert claim.lower > 0.25  # and the average cluster's true rate is 0.25


def test_without_any_error_the_average_row_is_not_said_to_be_known() -> None:
    (_, row) = (line.claim for line in of(passes([0] * 12, SIZES[:12]), only="error-rate").lines)
    assert (row.estimate, row.upper) == (0.0, 1.0)


def test_whatever_shows_a_report_says_what_each_line_averages_over() -> None:
    report = of(labelled())
    assert {line["per"] for line in report.to_dict()["claims"]} == {"row", "cluster"}
    text = str(report)
    assert "the true error rate of the average cluster is" in " ".join(text.split())
    shown = [line.split()[:2] for line in text.splitlines() if line.startswith(("error-rate ", "accuracy ", "mcc "))]
    assert shown == [
        *(["error-rate", "cluster"], ["error-rate", "row"]),
        *(["accuracy", "cluster"], ["accuracy", "row"], ["mcc", "row"]),
    ]
    assert "error-rate, per cluster" in page_html(report)
    assert "recall, per row" in page_html(report)
    assert '<th style="text-align:left">per</th>' in report._repr_html_()
    assert ", per cluster, " in str(report["error-rate"])
    plain = of(labelled(), max_cluster=9)
    assert "per cluster" not in str(plain) + page_html(plain) + plain._repr_html_()


def test_with_a_cap_rates_hold_at_every_size_and_the_rest_does_not() -> None:
    report = of(labelled(), max_cluster=9)
    table = np.array(report.details["contingency"]["table"])
    assert report["recall", "1"].estimate == table[1, 1] / table[:, 1].sum()
    assert report["f1", "1"].estimate == pytest.approx(2 * table[1, 1] / (table[:, 1].sum() + table[1].sum()))
    for name in ("recall", "precision", "f1", "npv", "prevalence"):
        assert report[name, "1"].method == "squares"
    assert (report["mcc"].method, report["mcc"].guarantee) == ("influence", Guarantee.ASYMPTOTIC)


@pytest.mark.parametrize("method", ["bca", "percentile", "jackknife", "influence"])
def test_methods_that_draw_again_or_leave_out_do_so_with_clusters_where_they_are_named(method: str) -> None:
    for cap in (None, 9):
        report = of(labelled(), method=method, max_cluster=cap)
        for name, label in (("mcc", None), ("recall", "0"), ("error-rate", None)):
            claims = [line.claim for line in report.lines if (line.measure, line.label) == (name, label)]
            assert method in {claim.method for claim in claims}


@pytest.mark.parametrize("method", [None, "bca", "jackknife"])
def test_whole_clusters_wrong_widen_the_interval(method: str | None) -> None:
    truth = np.tile([0, 1], 200)
    wrong = np.repeat(np.arange(40) % 5 == 0, 10)
    predicted = np.where(wrong, 1 - truth, truth)
    asked: dict[str, Any] = {"method": method, "only": ["mcc", "error-rate"]}
    apart = of(Predictions.from_arrays(truth, predicted, clusters=np.arange(400)), **asked)
    together = of(Predictions.from_arrays(truth, predicted, clusters=np.repeat(np.arange(40), 10)), **asked)
    assert together["mcc"].method == apart["mcc"].method == (method or "influence")
    assert together["mcc"].width > 2 * apart["mcc"].width
    assert together["error-rate"].width > 2 * apart["error-rate"].width


def test_no_method_is_said_to_hold_at_every_size_that_does_not_where_resamples_are_all_the_same() -> None:
    rows = Predictions.from_arrays([0, 1] * 20, [0, 1] * 19 + [1, 0], clusters=np.arange(40) // 2)
    with pytest.raises(UnfitMethod, match=r"prevalence of 1 needs resamples that differ.*no method with a guarantee"):
        of(rows, method="bca", only="prevalence", labels=[0, 1])
    with pytest.raises(UnfitMethod, match="use squares, which holds at every sample size"):
        of(rows, method="bca", only="prevalence", labels=[0, 1], max_cluster=2)


def test_each_side() -> None:
    both, upper = of(labelled(), delta=0.1), of(labelled(), side="upper")
    assert upper["error-rate"].upper == both["error-rate"].upper
    assert upper["error-rate"].lower == 0


def test_all_claims_together_share_delta() -> None:
    each, together = (of(labelled(), max_cluster=7, labels=[0, 1], simultaneous=both) for both in (False, True))
    number = len(each.lines)
    assert together["error-rate"].delta == pytest.approx(0.05 / number, rel=0.01)
    assert together["error-rate"].width > each["error-rate"].width
    assert together.details["simultaneous"]["delta"] == 0.05
    assert "simultaneous" not in each.details
    assert f"All {number} intervals hold together" in str(together)


# ---- Several samples a question


def test_pass_at_k() -> None:
    report = of(passes([7, 10, 0, 2], [10] * 4), pass_at=[1, 5], only="pass-at-k")
    assert [line.label for line in report.lines] == ["k=1", "k=1", "k=5", "k=5"]
    claim = report["pass-at-k", "k=5"]
    assert claim.estimate == pytest.approx((1 - 21 / 252 + 0 + 1 + 1) / 4)
    assert (claim.method, claim.guarantee, claim.n, claim.per) == ("squares", Guarantee.FINITE, 4, "cluster")
    beside = report.lines[-1].claim
    assert (beside.method, beside.estimate, beside.per) == ("influence", claim.estimate, "cluster")
    assert any("over the questions" in note for note in report.details["notes"])
    assert not any("Error rate" in note for note in report.details["notes"])


def test_all_of_k_samples() -> None:
    report = of(passes([7, 10, 0, 2], [10] * 4), pass_at=[1, 5])
    every, one = report["pass-all-k", "k=5"], report["pass-all-k", "k=1"]
    assert every.estimate == pytest.approx((0 + 0 + 1 + comb(8, 5) / comb(10, 5)) / 4)
    assert (every.method, every.guarantee, every.per) == ("squares", Guarantee.FINITE, "cluster")
    assert one.to_dict() == {**report["pass-at-k", "k=1"].to_dict(), "measure": "pass-all-k"}
    assert {line.measure for line in of(passes([1, 0], [2, 2]), pass_at=[1], only="pass-all-k").lines} == {"pass-all-k"}


def test_pass_at_k_of_just_k_samples_counts_questions() -> None:
    report = of(passes([5, 4, 0, 5, 1, 5], [5] * 6), pass_at=[5, 2], only="pass-at-k")
    counted, averaged = (report["pass-at-k", f"k={k}"] for k in (5, 2))
    exact = find("clopper-pearson")(Counts(3, 6), 0.05)
    assert (counted.method, counted.lower, counted.upper) == ("clopper-pearson", exact.lower, exact.upper)
    assert averaged.method == "squares"
    # How many samples there are decides, and one more of a single question leaves no counts.
    two = [passes([5, 4, 0, 5, 1, 5], [5] * 6), passes([5, 4, 0, 5, 1, 6], [5, 5, 5, 5, 5, 6])]
    methods = [of(rows, pass_at=[5], only="pass-at-k")["pass-at-k", "k=5"].method for rows in two]
    assert methods == ["clopper-pearson", "squares"]


def test_pass_at_k_says_that_samples_are_exchangeable_and_their_number_fixed() -> None:
    report = of(passes([7, 10, 0, 2], [10] * 4), pass_at=[1, 10])
    for line in report.lines:
        assert (Assumption.FIXED_SAMPLES in line.claim.assumes) is line.measure.startswith("pass-")
    sentence = "how many there are was fixed before any was drawn"
    assert sentence in " ".join(str(report).split())
    assert sentence in report.to_json()
    assert "sampling a question until an answer is right" in page_html(report)


def test_whoever_samples_until_success_breaks_that_assumption() -> None:
    """Every question is solved by one sample in ten; sampled until one is right, pass@1 seems far higher."""
    random = np.random.default_rng(5)
    missed = 0
    for _ in range(20):
        tries = random.geometric(0.1, 60)
        claim = of(passes((tries - 1).tolist(), tries.tolist()), pass_at=[1], only="pass-at-k")["pass-at-k", "k=1"]
        missed += claim.lower > 0.1
    assert missed == 20


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
    with pytest.raises(UnfitMethod, match=rf"{method} takes every example for an independent draw.*Use squares"):
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
    with pytest.raises(HoldfastError, match="do not bear auc, which is read off scores"):
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
    assert report["error-rate"].method == "squares"
    assert "change nothing" not in told(of(labelled()))


def test_scores_of_a_cluster_that_says_everything_thrice_count_once() -> None:
    random = np.random.default_rng(3)
    truth, score = random.integers(0, 2, 50), random.random(50)
    once = of(Predictions.from_arrays(truth, truth, score, clusters=np.arange(50)))
    rows = (np.repeat(each, 3) for each in (truth, truth, score))
    thrice = of(Predictions.from_arrays(*rows, clusters=np.repeat(np.arange(50), 3)))
    for name in ("auc", "gini", "average-precision", "ks", "log-loss", "brier"):
        one, other = once[name], thrice[name]
        assert (one.estimate, one.lower, one.upper) == pytest.approx((other.estimate, other.lower, other.upper))
        assert Assumption.CLUSTERS in one.assumes
    assert once["auc"].guarantee is Guarantee.ASYMPTOTIC
    assert once["brier"].guarantee is Guarantee.FINITE


def test_what_is_missing_is_told() -> None:
    rows = Predictions.from_arrays([0, 1, 1], [0, None, 0], clusters=[1, 1, 2], missing="wrong")
    assert "Counted as errors: 1 without predicted." in told(of(rows))
    rows = Predictions.from_arrays([0, 1, 1], [0, 1, 0], clusters=[1, None, 2], missing="drop")
    report = of(rows)
    assert "Left out: 1 row, 1 without cluster." in told(report)
    assert report.details["missing"] == {"cluster": 1}


def test_many_labels_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (subject, notes):
        monkeypatch.setattr(module, "MOST_CLASSES", 2)
    rows = Predictions.from_arrays(list("abcabc"), list("abcacb"), clusters=[1, 1, 2, 2, 3, 3])
    report = of(rows)
    assert "There are 3 labels: measures of each class are left out" in told(report)
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
    assert "squares" in text
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


# ---- Samples of questions that come in clusters


def asked(passages: int = 20, seed: int = 5, **changed: Any) -> dict[str, Any]:
    """Two models on questions of passages, some questions with more samples than others; a row a sample."""
    random = np.random.default_rng(seed)
    question = np.repeat(np.arange(3 * passages), random.integers(3, 6, 3 * passages))
    right = random.random((2, question.size)) < np.clip(random.random(passages)[question // 3] + [[0.1], [-0.1]], 0, 1)
    return {"ids": question, "clusters": question // 3, "a": right[0], "b": right[1], **changed}


@pytest.mark.parametrize("within", [True, False])
@pytest.mark.parametrize("labels", [True, False])
def test_passing_is_as_in_a_comparison(within: bool, labels: bool) -> None:
    data = asked()
    beside = {"clusters": data["clusters"]} if within else {}
    long = {"id": np.tile(data["ids"], 2), "model": ["a"] * data["ids"].size + ["b"] * data["ids"].size}
    long |= {"correct": np.concatenate([data["a"], data["b"]]), "passage": np.tile(data["clusters"], 2)}
    panel = hf.read_models(pl.DataFrame(long), cluster="passage" if within else None)
    compared = hf.compare(panel, pass_at=[1, 3])
    reports = []
    for model in "ab":
        rows = (np.ones(data["ids"].size, int), data[model].astype(int)) if labels else ()
        answers: dict[str, Any] = {} if labels else {"correct": data[model]}
        reports.append(hf.assess(*rows, **answers, ids=data["ids"], pass_at=[1, 3], **beside))
    for k in (1, 3):
        one, other = (report["pass-at-k", f"k={k}"] for report in reports)
        assert _gap(compared, k) == pytest.approx(one.estimate - other.estimate, abs=1e-12)  # type: ignore[operator]
        assert one.n == (20 if within else 60)
    assert reports[0].provenance["examples"] == 60
    assert f"answers to {60} questions" in str(reports[0])


def _gap(report: Report, k: int) -> float:
    return next(float(line.claim.estimate) for line in report.whole if line.label == f"k={k}")  # type: ignore[arg-type]


def test_questions_are_the_draws_where_nothing_else_is() -> None:
    data = asked()
    by_question = hf.assess(correct=data["a"], ids=data["ids"])
    assert by_question["error-rate"].n == 60
    assert by_question["error-rate"].upper == hf.assess(correct=data["a"], clusters=data["ids"])["error-rate"].upper
    alone = hf.assess(correct=data["a"], ids=np.arange(data["a"].size))
    assert alone["error-rate"].method == "clopper-pearson"  # each question has one answer: they are plain draws
    assert "examples" not in alone.provenance


def test_which_rows_are_of_one_question_is_part_of_the_data() -> None:
    data = asked()
    order = np.random.default_rng(0).permutation(data["ids"].size)
    marks = [
        hf.assess(correct=data["a"][o], clusters=data["clusters"][o], ids=ids[o]).provenance["fingerprint"]
        for o, ids in (
            (slice(None), data["ids"]),
            (order, data["ids"]),
            (slice(None), data["clusters"]),
        )
    ]
    assert marks[0] == marks[1] != marks[2]


def test_ids_that_cannot_be_are_refused() -> None:
    data = asked()
    answers, missing = {"correct": data["a"], "clusters": data["clusters"]}, [None, *data["ids"][1:].tolist()]
    calls = {
        "a question of several clusters": lambda: hf.assess(**answers, ids=data["ids"] % 5),
        "no question": lambda: hf.assess(**answers, ids=missing),
        "neither question nor cluster": lambda: hf.assess(correct=data["a"], pass_at=2),
        "too few samples": lambda: hf.assess(**answers, ids=data["ids"], pass_at=9),
    }
    matches("errors_of_ids", messages(calls))
    assert hf.assess(**answers, ids=missing, missing="drop").provenance["rows"] == data["ids"].size - 1


def test_of_rows_within_strata_nothing_is_said_of_weights_that_nobody_gave() -> None:
    strata = {"strata": ["x", "y"] * 20, "shares": {"x": 0.5, "y": 0.5}}
    notes = " ".join(hf.assess(["a", "b"] * 20, ["a"] * 40, **strata).facts.notes)  # type: ignore[arg-type]
    assert "There are 2 strata" in notes
    assert "weigh" not in notes.replace("weighs the same", "")
