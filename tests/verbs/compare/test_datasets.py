from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from holdfast.claims import Guarantee
from holdfast.comparisons.signed_rank import MOST_EXACT
from holdfast.errors import HoldfastError
from holdfast.evidence.scoreboard import Scoreboard
from holdfast.verbs.compare.datasets import compare_datasets
from tests.snapshots import matches, messages

UNDECIDED = ("not settled", "no difference", "equivalent")


def table(seed: int = 0, n: int = 20, k: int = 4, spread: float = 0.6, decimals: int = 2) -> dict[str, Any]:
    generator = np.random.default_rng(seed)
    scores = np.round(generator.normal(size=(n, k)) + np.linspace(0, spread * k, k), decimals)
    return {"dataset": [f"d{row}" for row in range(n)], **{f"m{place}": scores[:, place] for place in range(k)}}


def pairs(report: Any, test: str) -> dict[tuple[str, str], dict[str, Any]]:
    return {
        (t["first"], t["second"]): t for t in report.details["tests"] if t["test"].startswith(test) and "first" in t
    }


def test_the_report_holds_ranks_tests_and_a_verdict() -> None:
    report = compare_datasets(table(), better="lower", rope=0.1, samples=1000, seed=5)
    told = report.details
    assert [*told["ranks"]] == told["models"] == ["m0", "m1", "m2", "m3"]
    assert len(told["datasets"]) == 20
    assert [test["test"] for test in told["tests"][:2]] == ["friedman", "iman-davenport"]
    for test in ("wilcoxon", "sign", "nemenyi"):
        assert [*pairs(report, test)] == [(f"m{i}", f"m{j}") for i in range(4) for j in range(i + 1, 4)]
    assert len(told["practical"]) == 6
    assert {row["guarantee"] for row in told["practical"]} == {"HEURISTIC"}
    assert report.verdict == "m0 is the best of the 4 models over data sets like these 20: it beats each other one."
    assert (report.verdict.outcome, report.verdict.models) == ("better", ("m0",))
    assert report.verdict.rule == "wilcoxon-exact, holm"
    assert report.provenance["rows"] == 20
    assert report.provenance["seed"] == 5
    called = "holdfast.compare_datasets(better='lower', rope=0.1, samples=1000, seed=5)"
    assert report.provenance["command"] == called
    json.loads(json.dumps(report.to_dict(), allow_nan=False))
    assert any("random sample of data sets" in note for note in told["notes"])


def test_every_pair_is_corrected_for_all_of_them() -> None:
    report = compare_datasets(table(4, 12, 4, 0.2), better="lower")
    for test in ("wilcoxon", "sign"):
        rows = sorted(pairs(report, test).values(), key=lambda row: row["p"])
        steps = np.maximum.accumulate([row["p"] * (6 - place) for place, row in enumerate(rows)])
        np.testing.assert_allclose([row["adjusted"] for row in rows], np.minimum(steps, 1.0), rtol=1e-12)


def test_rank_differences_carry_the_critical_difference() -> None:
    report = compare_datasets(table(), better="lower")
    limit = report.details["critical_difference"]["value"]
    claim = report["rank-difference", ("m0", "m1")]
    gap = report.details["ranks"]["m0"] - report.details["ranks"]["m1"]
    assert claim.estimate == pytest.approx(gap)
    assert claim.lower == pytest.approx(max(gap - limit, -3))
    assert claim.upper == pytest.approx(min(gap + limit, 3))
    assert (claim.guarantee, claim.n, claim.method) == (Guarantee.HEURISTIC, 20, "nemenyi")
    assert len(report.whole) == 6


def test_what_holds_only_as_data_sets_grow_says_so() -> None:
    report = compare_datasets(table(n=120), better="lower")
    found = {test["test"]: test["guarantee"] for test in report.details["tests"]}
    assert found == {
        "friedman": "ASYMPTOTIC",
        "iman-davenport": "ASYMPTOTIC",
        "wilcoxon-normal": "ASYMPTOTIC",
        "sign": "FINITE",
        "nemenyi": "ASYMPTOTIC",
    }
    assert any("approximations" in note for note in report.details["notes"])
    assert pairs(compare_datasets(table(), better="lower"), "wilcoxon")["m0", "m1"]["guarantee"] == "FINITE"


def test_higher_and_lower_are_mirrors() -> None:
    given = table()
    turned = {name: column if name == "dataset" else -column for name, column in given.items()}
    one, other = compare_datasets(given, better="lower"), compare_datasets(turned, better="higher")
    assert one.details["ranks"] == other.details["ranks"]
    assert one.verdict == other.verdict
    assert one.details["tests"] == other.details["tests"]


@pytest.mark.parametrize("n", [8, 150])
def test_swapping_two_models_mirrors_everything_to_the_last_digit(n: int) -> None:
    given = table(1, n, 2, 0.2)
    swapped = {"dataset": given["dataset"], "m1": given["m1"], "m0": given["m0"]}
    one, other = (compare_datasets(each, better="lower", rope=0.2, samples=500) for each in (given, swapped))
    assert one.details["ranks"] == other.details["ranks"]
    for test in ("wilcoxon", "sign", "nemenyi"):
        here, there = pairs(one, test)["m0", "m1"], pairs(other, test)["m1", "m0"]
        assert (here["p"], here["adjusted"]) == (there["p"], there["adjusted"])
    assert one.details["tests"][:2] == other.details["tests"][:2]
    claims = one["rank-difference"], other["rank-difference"]
    assert (claims[0].estimate, claims[0].lower, claims[0].upper) == (
        -claims[1].estimate,  # type: ignore[operator]
        -claims[1].upper,
        -claims[1].lower,
    )
    here, there = one.details["practical"][0], other.details["practical"][0]
    assert (here["first_better"], here["equivalent"]) == (there["second_better"], there["equivalent"])
    assert one.verdict.decided == other.verdict.decided
    mirrored = {"better": "worse", "worse": "better"}
    assert one.verdict.outcome == mirrored.get(other.verdict.outcome, other.verdict.outcome)


def test_the_order_of_models_changes_no_number() -> None:
    given = table(2, 15, 5, 0.3, decimals=1)
    turned = {name: given[name] for name in ("dataset", "m3", "m1", "m4", "m0", "m2")}
    one, other = compare_datasets(given, better="lower"), compare_datasets(turned, better="lower")
    assert one.details["ranks"] == other.details["ranks"]
    assert one.details["tests"][:2] == other.details["tests"][:2]
    assert sorted(one.verdict.models) == sorted(other.verdict.models)
    assert one.provenance["fingerprint"] == other.provenance["fingerprint"]
    for test in ("wilcoxon", "sign", "nemenyi"):
        here, there = pairs(one, test), pairs(other, test)
        assert {frozenset(pair): row["adjusted"] for pair, row in here.items()} == {
            frozenset(pair): row["adjusted"] for pair, row in there.items()
        }


@pytest.mark.parametrize("k", [2, 5])
@pytest.mark.parametrize("n", [1, 7, 130])
def test_equal_scores_are_no_difference_and_p_is_one(n: int, k: int) -> None:
    report = compare_datasets(np.full((n, k), 0.7), better="higher", rope=0.0, samples=200)
    assert report.verdict.outcome == "no difference"
    assert "no difference" in report.verdict
    for test in report.details["tests"]:
        assert test["p"] == pytest.approx(1.0, abs=1e-12)
        assert test.get("adjusted", 1.0) == pytest.approx(1.0, abs=1e-12)
    assert all(row["equivalent"] == 1.0 for row in report.details["practical"])
    json.dumps(report.to_dict(), allow_nan=False)


@pytest.mark.parametrize("seed", range(12))
def test_verdicts_say_which_kind_they_are(seed: int) -> None:
    report = compare_datasets(table(seed, 12, 2 + seed % 3, 0.25), better="lower")
    verdict = report.verdict
    assert verdict.decided == (not any(word in verdict for word in UNDECIDED))
    assert verdict.decided or verdict.outcome in verdict
    beaten = {
        pair[1] if report.details["ranks"][pair[0]] < report.details["ranks"][pair[1]] else pair[0]
        for pair, row in pairs(report, "wilcoxon").items()
        if row["adjusted"] <= 0.05
    }
    if len(report.details["models"]) > 2:
        assert set(report.details["may_be_best"]) == set(report.details["models"]) - beaten


def test_the_direction_of_two_models() -> None:
    scores = {"a": np.arange(8.0), "b": np.arange(8.0) + np.linspace(0.5, 1, 8)}
    assert compare_datasets(scores, better="lower").verdict.outcome == "better"
    assert compare_datasets(scores, better="higher").verdict.outcome == "worse"
    assert compare_datasets(scores, better="higher").verdict.startswith("b is better than a")


def test_one_data_set_settles_nothing_and_says_how_many_could() -> None:
    report = compare_datasets({"a": [0.9], "b": [0.1]}, better="higher")
    assert report.verdict.outcome == "not settled"
    assert {test["p"] for test in report.details["tests"] if test["test"] != "nemenyi"} == {1.0}
    assert "at least 6" in report.details["next"][0]
    six = np.arange(1.0, 7.0)
    assert compare_datasets({"a": six, "b": six + 1}, better="lower").verdict.decided
    five = compare_datasets({"a": six[:5], "b": six[:5] + 1}, better="lower")
    assert not five.verdict.decided
    assert five.details["next"]


def test_a_ring_in_which_each_beats_the_next_has_no_best() -> None:
    ring = np.array([[1.0, 2.0, 9.0], [9.0, 1.0, 2.0], [2.0, 9.0, 1.0]])
    scores = np.repeat(ring, 40, axis=0) + np.random.default_rng(0).normal(0, 0.01, (120, 3))
    report = compare_datasets(scores, better="lower")
    assert report.verdict.outcome == "not settled"
    assert json.dumps(report.to_dict(), allow_nan=False)


def test_dropped_data_sets_are_told() -> None:
    given = table(n=9)
    given["m2"][4] = np.nan
    report = compare_datasets(given, better="lower", missing="drop")
    assert "1 of 9 data sets were dropped, for some model has no score there: d4." in report.details["notes"][0]
    assert report.provenance["rows"] == 8


def test_a_name_that_contradicts_what_is_stated_is_noted() -> None:
    report = compare_datasets(table(), better="higher", measure="error rate")
    assert any("as stated" in note for note in report.details["notes"])
    assert not any("as stated" in note for note in compare_datasets(table(), measure="error").details["notes"])


def test_the_confidence_moves_the_verdict_and_the_critical_difference() -> None:
    given = table(3, 12, 2, 0.4)
    p = pairs(compare_datasets(given, better="lower"), "wilcoxon")["m0", "m1"]["p"]
    assert compare_datasets(given, better="lower", delta=p * 1.01).verdict.decided
    assert not compare_datasets(given, better="lower", delta=p * 0.99).verdict.decided
    limits = [
        compare_datasets(given, better="lower", confidence=level).details["critical_difference"]["value"]
        for level in (0.9, 0.99)
    ]
    assert limits[0] < limits[1]


def test_arrays_lists_and_scoreboards_are_tables() -> None:
    scores = np.array([[0.1, 0.2], [0.2, 0.4], [0.5, 0.6]])
    board = Scoreboard.of(scores, ["model 1", "model 2"], ["1", "2", "3"], better="lower")
    prints = {
        compare_datasets(scores, better="lower").provenance["fingerprint"],
        compare_datasets(scores.tolist(), better="lower").provenance["fingerprint"],
        compare_datasets(np.ma.masked_array(scores, False), better="lower").provenance["fingerprint"],
        compare_datasets(board).provenance["fingerprint"],
    }
    assert len(prints) == 1
    named = compare_datasets(scores, models=["a", "b"], datasets=["x", "y", "z"], better="lower")
    assert (named.details["models"], named.details["datasets"]) == (["a", "b"], ["x", "y", "z"])
    holes = np.ma.masked_array(scores, [[True, False], [False, False], [False, False]])
    with pytest.raises(HoldfastError, match="1 score is missing"):
        compare_datasets(holes, better="lower")


def test_hostile_names_stay_on_their_line() -> None:
    report = compare_datasets({"a\nb": np.arange(8.0), "\x1b[31mred" * 30: np.arange(8.0) + 1}, better="lower")
    assert "\n" not in report.verdict
    assert "\x1b" not in report.verdict
    assert len(report.verdict) < 300
    assert report.details["models"][0] == "a\nb"


def test_messages_of_comparing_data_sets() -> None:
    board = Scoreboard.of(np.ones((2, 2)), ["a", "b"], ["x", "y"], better="lower")
    told = messages(
        {
            "a path": lambda: compare_datasets("scores.csv", better="lower"),
            "a number": lambda: compare_datasets(5, better="lower"),
            "a row": lambda: compare_datasets([1, 2, 3], better="lower"),
            "text": lambda: compare_datasets([["a", "b"]], better="lower"),
            "names": lambda: compare_datasets([[1, 2]], models=["a", "b", "c"], better="lower"),
            "a scoreboard and more": lambda: compare_datasets(board, better="lower"),
            "rope": lambda: compare_datasets(board, rope=-0.1),
            "rope of nothing": lambda: compare_datasets(board, rope=float("nan")),
            "samples": lambda: compare_datasets(board, rope=0.1, samples=5),
            "seed": lambda: compare_datasets(board, rope=0.1, seed=-1),
            "confidence": lambda: compare_datasets(board, confidence=95),
            "confidences": lambda: compare_datasets(board, delta=[0.1, 0.2]),  # type: ignore[arg-type]
            "both": lambda: compare_datasets(board, delta=0.1, confidence=0.9),
        }
    )
    matches("messages-compare-datasets", told)


def test_scores_of_which_nobody_said_which_are_better_are_taken_for_such_and_that_is_told() -> None:
    scores = {"a": np.arange(8.0), "b": np.arange(8.0) + 1}
    report = compare_datasets(scores)
    assert report.verdict.startswith("b is better than a")
    assert any('better="lower"' in note for note in report.details["notes"])
    assert not any('better="lower"' in note for note in compare_datasets(scores, better="higher").details["notes"])


@pytest.mark.parametrize("models", [2, 3])
def test_a_verdict_by_the_normal_sum_says_that_it_holds_for_large_n(models: int) -> None:
    scores = np.random.default_rng(5).normal(size=(MOST_EXACT + 1, models)) + 3 * np.arange(models)
    few, many = (compare_datasets(some, better="higher").verdict for some in (scores[:-1], scores))
    assert "wilcoxon" not in few
    assert "by wilcoxon-normal, which holds only as the sample grows)." in many
    assert many.outcome in ("better", "worse")
