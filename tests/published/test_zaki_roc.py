"""Section 22.1.3 of Zaki & Meira, number by number: each printed value with a status that is computed.

Table 22.5 prints no labels for its last five scores; the class sizes it states, 10 and 20, leave only the other class.
"""

from __future__ import annotations

import numpy as np
import pytest
from studies.checks import Status
from studies.pages import Page
from studies.zaki_measures import ranking
from studies.zaki_measures.printed import EXAMPLE_22_5, TABLE_22_5, labels, scored
from studies.zaki_measures.ranking import FIVE, IRIS, TEN, above, algorithm, running_area

from holdfast.evidence import Scores
from holdfast.measures.ranking import auc
from holdfast.selection.bands import roc


def test_only_the_area_of_table_22_5_is_misprinted() -> None:
    page = Page("roc", "", "")
    ranking.add(page)
    numbers = [check for check in page.checks if check.what != "statement"]
    assert len(numbers) == 35
    wrong = {(check.place, check.what) for check in numbers if check.status is not Status.AGREES}
    assert wrong == {("Example 22.4", "AUC"), ("Example 22.6", "AUC")}
    assert float(auc(IRIS).mean) == 0.7775


def test_the_misprint_is_the_tie_counted_as_lost() -> None:
    apart = TABLE_22_5.replace("0.55 2", "0.551 2")
    assert scored(apart).mean == 0.775


@pytest.mark.parametrize("text", [TABLE_22_5, EXAMPLE_22_5])
def test_algorithm_22_1_as_printed_gives_our_curve(text: str) -> None:
    points, areas = algorithm(labels(text))
    ours = roc(scored(text))
    np.testing.assert_allclose(points, np.stack([ours.x, ours.y], axis=1))
    np.testing.assert_allclose(areas, running_area(scored(text)))


def test_the_thresholds_of_example_22_5_include_their_scores_while_those_of_22_4_do_not() -> None:
    assert FIVE.at(0.9).table[0].tolist() == [1, 0]
    assert IRIS.at(0.71).table[0].tolist() == [4, 2]
    assert above(IRIS, 0.71) == [3, 2]


def test_exercise_q5() -> None:
    curve = roc(TEN)
    wanted = [(0, 0), (0, 0.2), (0, 0.4), (0.2, 0.4), (0.6, 0.6), (0.8, 0.6), (0.8, 0.8), (1, 0.8), (1, 1)]
    assert list(zip(curve.x.tolist(), curve.y.tolist(), strict=True)) == wanted
    assert float(TEN.mean) == pytest.approx(0.56)
    assert running_area(TEN)[-1] == pytest.approx(0.56)


def test_a_classifier_that_guesses_at_random_lies_on_the_diagonal() -> None:
    """Whatever the share r of the scores it lifts: both classes alike."""
    for r in (0.1, 0.5, 0.9):
        own, others = round(10 * r), round(20 * r)
        guessed = Scores.from_counts([0.0, 1.0], [10 - own, own], [20 - others, others])
        assert guessed.mean == 0.5
        assert roc(guessed).x.tolist() == pytest.approx([0, r, 1])
        assert roc(guessed).y.tolist() == pytest.approx([0, r, 1])


def test_the_curve_does_not_mind_class_skew() -> None:
    values, positives, negatives = IRIS.cells()
    for times in (2, 7):
        skewed = Scores.from_counts(values, positives, times * negatives)
        assert skewed.mean == IRIS.mean
        assert np.array_equal(roc(skewed).x, roc(IRIS).x)
        assert np.array_equal(roc(skewed).y, roc(IRIS).y)


def test_below_one_half_inverting_the_scores_is_better() -> None:
    values, positives, negatives = TEN.cells()
    upside_down = Scores.from_counts(-values, positives, negatives)
    assert float(upside_down.mean) == pytest.approx(0.44)
    assert float(upside_down.complement) == float(TEN.mean)
