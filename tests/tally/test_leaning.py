"""Which of two labels one column of scores speaks for, where nobody says and none is obvious."""

from __future__ import annotations

import pytest

from holdfast.errors import InvalidEvidence
from holdfast.predictions import Predictions
from holdfast.tally import tally


def test_the_label_that_is_predicted_where_scores_are_high() -> None:
    truth, predicted = ["ham", "spam", "ham", "spam"], ["ham", "spam", "spam", "ham"]
    counted = tally(Predictions.from_arrays(truth, predicted, [0.1, 0.9, 0.8, 0.3]))
    assert counted.positive == "spam"
    assert [*counted.scores] == ["spam"]
    assert any("speak for 'spam'" in note for note in counted.notes)
    turned = tally(Predictions.from_arrays(truth, predicted, [0.9, 0.1, 0.2, 0.7]))
    assert turned.positive == "ham"


def test_the_truth_has_no_say() -> None:
    predicted, scores = ["b", "a", "b", "a"], [0.9, 0.1, 0.8, 0.3]
    for truth in (["b", "a", "b", "a"], ["a", "b", "a", "b"]):
        assert tally(Predictions.from_arrays(truth, predicted, scores)).positive == "b"


def test_given_or_obvious_labels_come_first() -> None:
    rows = Predictions.from_arrays([0, 1, 0], [0, 1, 1], [0.9, 0.2, 0.1])
    assert tally(rows).positive == "1"
    named = Predictions.from_arrays(["x", "y"], ["x", "y"], [0.9, 0.2])
    assert tally(named, positive="y").positive == "y"


@pytest.mark.parametrize(("predicted", "scores"), [("bb", [0.1, 0.9]), ("ab", [0.5, 0.5])])
def test_nothing_to_go_by_is_asked_about(predicted: str, scores: list[float]) -> None:
    with pytest.raises(InvalidEvidence, match="Which label do the scores speak for"):
        tally(Predictions.from_arrays(["a", "b"], list(predicted), scores))


def test_a_missing_score_leads_nowhere() -> None:
    rows = Predictions.from_arrays(["a", "b", "a", "b"], ["b", "a", "a", "b"], [0.1, None, 0.4, 0.2])
    assert (tally(rows).positive, tally(rows).rows, int(tally(rows).scores["a"].n)) == ("a", 4, 3)
    with pytest.raises(InvalidEvidence, match="1 without a score"):
        tally(rows, scores_required=True)


def test_the_second_label_of_an_obvious_pair_need_not_occur() -> None:
    counted = tally(Predictions.from_arrays([False, False], [False, False], [0.1, 0.2]))
    assert counted.positive == "True"
    assert not counted.scores["True"].known
