"""The verb threshold: arrays or predictions in, a rule with its claim out."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray
from scipy import stats

from holdfast.claims import Guarantee
from holdfast.errors import HoldfastError
from holdfast.predictions import Predictions
from holdfast.report import Answer
from holdfast.sources import read
from holdfast.tally import scores as room_of_scores
from holdfast.verbs.threshold.threshold import Threshold, threshold
from holdfast.verify.simulated import BY_CHANCE
from tests.needs import module


def sample(seed: int = 0, n: int = 800, share: float = 0.3) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    rng = np.random.default_rng(seed)
    truth = rng.random(n) < share
    return truth, 1 / (1 + np.exp(-(rng.normal(size=n) + 2.5 * truth - 1.5)))


TRUTH, SCORE = sample()


@pytest.mark.parametrize(
    ("wish", "first"),
    [("sensitivity", "recall"), ("specificity", "specificity"), ("precision", "precision"), ("recall", "recall")],
)
def test_the_claim_is_about_the_threshold(wish: str, first: str) -> None:
    asked: dict[str, Any] = {f"{wish}_at_least": 0.8}
    made = threshold(TRUTH, SCORE, **asked)
    assert made
    assert made.answer is Answer.PROVEN
    assert made.threshold is not None
    assert made.claim is not None
    called = np.greater_equal(SCORE, made.threshold)
    seen = {
        "recall": np.mean(called[TRUTH]),
        "specificity": np.mean(~called[~TRUTH]),
        "precision": np.mean(TRUTH[called]),
    }
    claims = [made.claim, *made.beside]
    assert made.claim.measure == first
    assert {claim.measure for claim in claims} == set(seen)
    for claim in claims:
        assert claim.estimate == pytest.approx(seen[claim.measure])
        assert claim.lower <= seen[claim.measure] <= claim.upper
        assert (claim.delta, claim.guarantee) == (0.05, Guarantee.FINITE)
    assert (made.claim.side, made.claim.upper) == ("lower", 1.0)
    assert made.claim.lower >= 0.8


def test_the_class_without_part_in_the_choice_has_its_exact_interval() -> None:
    made = threshold(TRUTH, SCORE, specificity_at_least=0.9)
    assert made.threshold is not None
    found, m = int(np.sum(SCORE[TRUTH] >= made.threshold)), int(TRUTH.sum())
    recall = next(claim for claim in made.beside if claim.measure == "recall")
    assert (recall.lower, recall.upper) == pytest.approx(
        (stats.beta.ppf(0.025, found, m - found + 1), stats.beta.isf(0.025, found + 1, m - found))
    )
    assert (recall.n, recall.side, recall.method) == (m, "both", "clopper-pearson")


def test_precision_beside_is_made_of_three_limits() -> None:
    made = threshold(TRUTH, SCORE, specificity_at_least=0.9)
    assert made.threshold is not None
    n, m = int(np.sum(~TRUTH)), int(TRUTH.sum())
    spared = int(stats.binom.ppf(0.05, n, 0.1))
    spared -= stats.binom.cdf(spared, n, 0.1) > 0.05
    found = int(np.sum(SCORE[TRUTH] >= made.threshold))
    true, false, share = (
        stats.beta.ppf(0.05 / 3, found, m - found + 1),
        stats.beta.isf(0.05 / 3, spared + 1, n - spared),
        stats.beta.ppf(0.05 / 3, m, n + 1),
    )
    precision = next(claim for claim in made.beside if claim.measure == "precision")
    assert precision.lower == pytest.approx(share * true / (share * true + (1 - share) * false), rel=1e-9)
    assert (precision.side, precision.upper) == ("lower", 1.0)


def test_ties_that_do_better_than_planned_are_not_claimed() -> None:
    """How many fail was planned before looking; that ties make it fewer was not."""
    truth, score = [True] * 50 + [False] * 100, [0.9] * 50 + [0.2] * 100
    made, plain = (threshold(truth, each, specificity_at_least=0.9) for each in (score, np.arange(150) / 150))
    assert made.claim is not None
    assert plain.claim is not None
    assert (made.claim.estimate, made.claim.lower) == (1.0, plain.claim.lower)
    assert made.claim.lower == pytest.approx(stats.beta.ppf(0.05, 96, 5))
    precision = next(claim for claim in made.beside if claim.measure == "precision")
    true, spared, share = (stats.beta.ppf(0.05 / 3, k, n - k + 1) for k, n in ((50, 50), (96, 100), (50, 150)))
    assert precision.lower == pytest.approx(share * true / (share * true + (1 - share) * (1 - spared)), rel=1e-9)


@pytest.mark.long
def test_all_that_stands_beside_holds() -> None:
    """Scores are uniform for the others, of density 2x for the class; a third of the examples are of the class."""
    rng, delta, repeats = np.random.default_rng(9), 0.3, 100
    broken: dict[tuple[str, str], int] = {}
    for _ in range(repeats):
        truth = rng.random(250) < 1 / 3
        score = np.where(truth, np.sqrt(rng.random(250)), rng.random(250))
        for wish in ("sensitivity", "specificity", "precision"):
            asked: dict[str, Any] = {f"{wish}_at_least": 0.5 if wish == "precision" else 0.8}
            made = threshold(truth, score, delta=delta, **asked)
            if made.threshold is None or made.claim is None:
                continue
            t = min(max(made.threshold, 0.0), 1.0)
            true = {"recall": 1 - t**2, "specificity": t}
            hits, alarms = true["recall"] / 3, (1 - t) * 2 / 3
            true["precision"] = hits / (hits + alarms) if hits else 1.0
            for claim in (made.claim, *made.beside):
                inside = float(claim.lower) <= true[claim.measure] <= float(claim.upper)
                broken[wish, claim.measure] = broken.get((wish, claim.measure), 0) + (not inside)
    assert len(broken) == 9
    for number in broken.values():
        assert stats.binom.sf(number - 1, repeats, delta) > BY_CHANCE


def test_not_enough_data_says_how_many() -> None:
    made = threshold([True, False] * 20, [0.9, 0.1] * 20, specificity_at_least=0.99)
    assert not made
    assert (made.answer, made.threshold, made.claim, made.needed) == (Answer.OPEN, None, None, 299)
    assert made.answer.exit_code == 3
    assert "At least 299 examples that are not True are needed; there are 20." in str(made)
    assert threshold([True, False] * 20, [0.9, 0.1] * 20, sensitivity_at_least=0.99).needed == 299
    open_precision = threshold([True, False] * 20, [0.9, 0.1] * 20, precision_at_least=0.99)
    assert open_precision.needed == 368  # half of delta, by the top rank alone: 0.99 ** n <= 0.025
    told = str(threshold([True] * 30, [i / 30 for i in range(30)], precision_at_least=0.9))
    assert "At least 36 examples called True are needed" in " ".join(told.split())
    assert threshold([True] * 37, [i / 37 for i in range(37)], precision_at_least=0.9).threshold is not None
    none = threshold(TRUTH, SCORE, specificity_at_least=0.9, candidates=[0.001])
    assert (none.needed, none.threshold) == (None, None)
    assert "candidates" in str(none)


def test_the_same_from_every_source() -> None:
    label = np.where(TRUTH, "fraud", "fine")
    frame = {"truth": label, "predicted": np.where(SCORE > 0.5, "fraud", "fine"), "score": SCORE}
    made = [
        threshold(TRUTH, SCORE, specificity_at_least=0.9),
        threshold(TRUTH.astype(int), SCORE, specificity_at_least=0.9),
        threshold(label, pl.Series(SCORE), positive="fraud", specificity_at_least=0.9),
        threshold(list(label), list(SCORE), pos_label="fraud", specificity_at_least=0.9),
        threshold(read(module("pandas").DataFrame(frame)), positive="fraud", specificity_at_least=0.9),
        threshold(Predictions.from_arrays(*frame.values()), specificity_at_least=0.9),
    ]
    assert len({each.threshold for each in made}) == 1
    assert made[2].rule.startswith("call it fraud when the score is at least 0.")
    assert made[2].provenance["fingerprint"] == made[3].provenance["fingerprint"]


def test_rows_without_a_prediction_will_do() -> None:
    whole = Predictions.from_arrays(TRUTH, TRUTH, SCORE)
    bare = replace(whole, frame=whole.frame.select("truth", "score"), columns=("truth", "score"))
    made = threshold(bare, precision_at_least=0.8)
    assert made.to_dict() == threshold(TRUTH, SCORE, precision_at_least=0.8).to_dict()


def test_several_scores_and_classes() -> None:
    truth = np.array(["a", "b", "c"] * 100)
    rng = np.random.default_rng(0)
    probabilities = rng.dirichlet([1, 1, 1], 300) + 0.5 * np.eye(3)[np.arange(300) % 3]
    made = threshold(truth, probabilities, positive="b", specificity_at_least=0.8)
    alone = threshold(truth, probabilities[:, 1], positive="b", specificity_at_least=0.8)
    assert made.threshold == alone.threshold
    with pytest.raises(HoldfastError, match="say whose"):
        threshold(truth, probabilities, specificity_at_least=0.8)


def test_which_label_is_positive_is_never_guessed_from_the_truth() -> None:
    with pytest.raises(HoldfastError, match="Which label do the scores speak for"):
        threshold(np.where(TRUTH, "fraud", "fine"), SCORE, specificity_at_least=0.9)


def test_rows_without_an_answer() -> None:
    truth = [None, *map(str, TRUTH)]
    score = [0.3, *SCORE]
    with pytest.raises(HoldfastError, match="missing"):
        threshold(truth, score, positive="True", specificity_at_least=0.9)
    made = threshold(truth, score, positive="True", specificity_at_least=0.9, missing="drop")
    assert made.threshold == threshold(TRUTH, SCORE, specificity_at_least=0.9).threshold
    assert any("Left out" in note for note in made.notes)


def test_many_rows_are_counted_in_bins(monkeypatch: pytest.MonkeyPatch) -> None:
    exact = threshold(TRUTH, SCORE, specificity_at_least=0.9)
    monkeypatch.setattr(room_of_scores, "EXACT_ROWS", 100)
    binned = threshold(TRUTH, SCORE, specificity_at_least=0.9)
    assert exact.threshold is not None
    assert binned.threshold is not None
    assert exact.threshold - 1e-3 < binned.threshold < exact.threshold + 1e-3
    assert np.sum(SCORE[~TRUTH] >= binned.threshold) <= np.sum(SCORE[~TRUTH] >= exact.threshold) + 1
    assert any("bins" in note for note in binned.notes)


def test_a_rule_that_calls_nothing_positive_says_so() -> None:
    made = threshold([True] * 5 + [False] * 60, [0.1] * 5 + [0.9] * 60, specificity_at_least=0.95)
    assert made.threshold is not None
    assert made.threshold > 0.9
    assert "nothing is called True" in str(made)
    precision = next(claim for claim in made.beside if claim.measure == "precision")
    assert (precision.estimate, precision.lower) == (None, 0.0)
    json.loads(made.to_json())


def test_as_plain_values() -> None:
    made = threshold(TRUTH, SCORE, sensitivity_at_least=0.9, confidence=0.9)
    plain = json.loads(made.to_json())
    assert plain == json.loads(json.dumps(made.to_dict()))
    assert plain["schema"] == "holdfast/threshold/1"
    assert (plain["answer"], plain["condition"], plain["delta"]) == ("proven", "sensitivity at least 0.9", 0.1)
    assert plain["threshold"] == made.threshold
    assert (plain["claim"]["measure"], len(plain["beside"])) == ("recall", 2)
    assert plain["provenance"]["rows"] == 800
    assert plain["provenance"]["command"] == "holdfast.threshold(sensitivity_at_least=0.9, confidence=0.9)"
    assert repr(made) == f"<Threshold sensitivity at least 0.9: {made.rule}>"


def test_as_text() -> None:
    text = str(threshold(TRUTH, SCORE, specificity_at_least=0.9))
    assert max(map(len, text.splitlines())) <= 80
    assert text.startswith("Call it True when the score is at least 0.")
    assert "With 95 % confidence its true specificity is at least 0.9" in text
    assert "any higher" in text


def test_a_label_commands_no_terminal() -> None:
    truth = np.where(TRUTH, "\x1b[31mred", "blue")
    assert "\x1b" not in str(threshold(truth, SCORE, positive="\x1b[31mred", specificity_at_least=0.9))


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({}, "one of sensitivity"),
        ({"specificity_at_least": 0.9, "precision_at_least": 0.9}, "specificity and precision"),
        ({"sensitivity_at_least": 0.9, "recall_at_least": 0.9}, "not both"),
        ({"specificity_at_least": 95}, "Did you mean 0.95"),
        ({"specificity_at_least": 0.0}, "strictly between"),
        ({"specificity_at_least": 1.0}, "strictly between"),
        ({"specificity_at_least": float("nan")}, "finite"),
        ({"specificity_at_least": 0.9, "delta": [0.1, 0.2]}, "one confidence"),
        ({"specificity_at_least": 0.9, "positive": 1, "pos_label": 1}, "not both"),
        ({"specificity_at_least": 0.9, "positive": "neither"}, "no label named"),
        ({"specificity_at_least": 0.9, "candidates": []}, "candidates"),
        ({"specificity_at_least": 0.9, "candidates": ["a"]}, "candidates"),
    ],
)
def test_what_is_refused(asked: dict[str, Any], said: str) -> None:
    with pytest.raises(HoldfastError, match=said):
        threshold(TRUTH, SCORE, **asked)


def test_what_else_is_refused() -> None:
    rows = Predictions.from_arrays(TRUTH, TRUTH)
    for call in (
        lambda: threshold(TRUTH, specificity_at_least=0.9),
        lambda: threshold(TRUTH, SCORE[:-1], specificity_at_least=0.9),
        lambda: threshold(rows, specificity_at_least=0.9),
        lambda: threshold(rows, SCORE, specificity_at_least=0.9),
        lambda: threshold(Predictions.from_arrays(correct=TRUTH), specificity_at_least=0.9),
    ):
        with pytest.raises(HoldfastError):
            call()
    with pytest.raises(HoldfastError, match="there is no such column"):  # of scores, though there is such a label
        threshold(rows, positive=True, specificity_at_least=0.9)


def test_an_empty_result_shows_itself() -> None:
    made = Threshold(Answer.OPEN, "specificity at least 0.9", "yes", 0.05)
    assert "Not enough data" in str(made)
    assert made.rule == "no threshold is proven"


def test_one_class_will_do_for_its_own_rate() -> None:
    made = threshold([0] * 100, np.arange(100) / 100, specificity_at_least=0.9)
    assert made.threshold == 0.951
    recall = next(claim for claim in made.beside if claim.measure == "recall")
    assert (recall.estimate, recall.lower, recall.upper) == (None, 0.0, 1.0)
    assert threshold([0] * 100, np.arange(100) / 100, sensitivity_at_least=0.9).needed == 29
    assert not threshold([0] * 100, np.arange(100) / 100, precision_at_least=0.5)
