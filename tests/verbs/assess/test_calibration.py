"""Calibration in a report: one line by default, a line for each bin on request, nothing where scores say nothing."""

from __future__ import annotations

import numpy as np
import pytest

from holdfast.claims import Assumption, Guarantee
from holdfast.errors import HoldfastError
from holdfast.evidence import Scores
from holdfast.predictions import Predictions
from holdfast.tally import Tally, tally
from holdfast.verbs.asking import Inquiry
from holdfast.verbs.assess.groups import calibration_questions

ASK = Inquiry(np.asarray(0.05), "both")


def counted(digits: int = 6) -> Tally:
    rng = np.random.default_rng(0)
    scores = np.round(rng.beta(0.5, 1.5, 400), digits)
    truth = np.where(rng.random(400) < scores, "ill", "well")
    return tally(Predictions.from_arrays(truth, np.where(scores > 0.5, "ill", "well"), scores), positive="ill")


def test_one_line_unless_bins_are_asked_for() -> None:
    found = calibration_questions(counted())
    (line,) = ASK.lines(found.questions)
    assert (line.measure, line.label, line.claim.method) == ("ece", "ill", "signs")
    assert line.claim.guarantee is Guarantee.FINITE
    assert (found.bins, found.notes) == (None, [])


def test_bins_share_delta_and_assume_that_they_were_fixed() -> None:
    found = calibration_questions(counted(), bins=4)
    first, *lines = ASK.lines(found.questions)
    assert first.measure == "ece"
    assert [line.label for line in lines] == ["[0, 0.25)", "[0.25, 0.5)", "[0.5, 0.75)", "[0.75, 1]"]
    assert found.bins is not None
    for line, told in zip(lines, found.bins.bins, strict=True):
        assert line.claim.delta == pytest.approx(0.05 / 4)
        assert line.claim.guarantee is Guarantee.FINITE
        assert Assumption.FIXED_BINS in line.claim.assumes
        assert Assumption.INDEPENDENT in line.claim.assumes
        assert line.claim.estimate == pytest.approx(told.positives / told.n)
        assert line.label == told.bin
    assert sum(told.n for told in found.bins.bins) == 400
    assert "all 4 bins" in found.notes[0]


def test_an_empty_bin_says_so() -> None:
    rows = Predictions.from_arrays(["ill", "well"], ["ill", "well"], [0.9, 0.8])
    found = calibration_questions(tally(rows, positive="ill"), bins=2)
    empty = ASK.lines(found.questions)[1]
    assert (empty.claim.estimate, empty.claim.lower, empty.claim.upper) == (None, 0.0, 1.0)
    assert found.bins is not None
    assert found.bins.bins[0].mean_score is None


def test_quantiles_come_without_proof_and_the_error_keeps_its_fixed_bins() -> None:
    found = calibration_questions(counted(), bins="quantiles")
    first, *lines = ASK.lines(found.questions)
    assert first.claim.estimate == ASK.lines(calibration_questions(counted()).questions)[0].claim.estimate
    assert {line.claim.guarantee for line in lines} == {Guarantee.HEURISTIC}
    assert len({line.claim.estimate for line in lines}) > 5
    assert "without proof" in found.notes[0]


def test_grades_are_read_off_the_scores_and_never_off_the_truth() -> None:
    found = calibration_questions(counted(1), bins="grades")
    _, *lines = ASK.lines(found.questions)
    assert {line.claim.guarantee for line in lines} == {Guarantee.FINITE}
    assert not any(Assumption.FIXED_BINS in line.claim.assumes for line in lines)
    assert [line.label for line in lines] == [f"{i / 10:g}" for i in range(10)]


def test_the_grades_of_a_scale() -> None:
    scale = {"A": 0.01, "B": 0.1, "C": 0.3}
    rows = Predictions.from_arrays([1, 0, 0, 0, 1], [1, 0, 0, 0, 0], [0.3, 0.3, 0.1, 0.01, 0.1])
    found = calibration_questions(tally(rows), bins=scale)
    assert [line.label for line in ASK.lines(found.questions)] == ["1", "A", "B", "C"]


def test_nothing_without_probabilities() -> None:
    plain = tally(Predictions.from_arrays(["a", "b"], ["a", "b"]))
    ranked = tally(Predictions.from_arrays(["a", "b"], ["a", "b"], [7.0, 3.0]), positive="a")
    for data in (plain, ranked):
        assert calibration_questions(data).questions == []
        with pytest.raises(HoldfastError, match="needs scores that are probabilities"):
            calibration_questions(data, bins=10)


def test_of_two_columns_the_positive_one_and_of_many_none() -> None:
    truth = ["a", "b", "a"]
    two = tally(
        Predictions.from_arrays(truth, truth, np.array([[0.9, 0.1], [0.2, 0.8], [0.7, 0.3]]), labels=["a", "b"])
    )
    assert len(calibration_questions(two).questions) == 1
    many = np.array([[0.8, 0.1, 0.1], [0.2, 0.7, 0.1], [0.1, 0.1, 0.8]])
    three = tally(Predictions.from_arrays(["a", "b", "c"], ["a", "b", "c"], many, labels=["a", "b", "c"]))
    assert calibration_questions(three).questions == []
    one = tally(Predictions.from_arrays(["a", "b", "c"], ["a", "b", "c"], many, labels=["a", "b", "c"]), positive="b")
    assert calibration_questions(one).questions[0].labels == ("b",)


def test_steps_that_are_in_two_bins_leave_the_bins_out() -> None:
    data = counted()
    steps = Scores.from_counts(np.arange(64) / 64, [1] * 64, [1] * 64, width=1 / 64)
    in_steps = Tally(data.table, data.counts, 128, "", "ill", {"ill": steps})
    found = calibration_questions(in_steps, bins=10)
    assert [question.measure.name for question in found.questions] == ["ece"]
    assert "left out" in found.notes[0]
    aligned = calibration_questions(in_steps, bins=8)
    assert [question.measure.name for question in aligned.questions] == ["ece", "calibration"]
