"""Section 22.1.3 of Zaki & Meira, number by number: each printed value with a status that is computed.

Table 22.5 prints no labels for its last five scores; the class sizes it states, 10 and 20, leave only the other class.
"""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from typing import NamedTuple

import numpy as np
import pytest

from holdfast.bounds.bands import roc
from holdfast.evidence import Scores
from holdfast.measures.ranking import auc

TABLE_22_5 = """
0.93 2, 0.82 1, 0.80 2, 0.77 1, 0.74 1, 0.71 1, 0.69 2, 0.67 1, 0.66 2, 0.61 2, 0.59 2, 0.55 2, 0.55 1, 0.53 1, 0.47 1,
0.30 1, 0.26 1, 0.11 2, 0.04 2, 2.97e-03 2, 1.28e-03 2, 2.55e-07 2, 6.99e-08 2, 3.11e-08 2, 3.109e-08 2, 1.53e-08 2,
9.76e-09 2, 2.08e-09 2, 1.95e-09 2, 7.83e-10 2
"""
EXAMPLE_22_5 = "0.9 1, 0.8 2, 0.8 1, 0.8 1, 0.1 2"
Q5 = "0.53 1, 0.86 2, 0.25 1, 0.95 1, 0.87 2, 0.86 1, 0.76 2, 0.94 1, 0.44 2, 0.86 2"


def scored(text: str) -> Scores:
    """Scores followed by 1 for the class and 2 for the other."""
    pairs = [pair.split() for pair in text.split(",")]
    return Scores([float(score) for score, _ in pairs], [label == "1" for _, label in pairs])


IRIS, FIVE, TEN = scored(TABLE_22_5), scored(EXAMPLE_22_5), scored(Q5)


class Printed(NamedTuple):
    """A number of the book, what it is, and why it is not, where it is a misprint."""

    where: str
    printed: str
    found: float
    misprint: str = ""

    @property
    def reproduced(self) -> bool:
        digits = Decimal(1).scaleb(int(Decimal(self.printed).as_tuple().exponent))
        return Decimal(self.found).quantize(digits, ROUND_HALF_UP) == Decimal(self.printed)


def above(scores: Scores, threshold: float) -> list[int]:
    """True and false positives with a score strictly above, as Example 22.4 has it."""
    return [int(count) for count in scores.at(np.nextafter(threshold, np.inf)).table[0]]


def running_area(scores: Scores) -> list[float]:
    """The area after each step of Algorithm 22.1, by trapezoids."""
    curve = roc(scores)
    return [float(np.trapezoid(curve.y[: i + 1], curve.x[: i + 1])) for i in range(curve.x.size)]


TIE = "the tie at 0.55 was counted as lost; Algorithm 22.1 counts it half: 155.5 of 200 pairs"
NUMBERS = [
    Printed("Example 22.4, n", "30", float(IRIS.n)),
    Printed("Example 22.4, n1", "10", IRIS.n_positive),
    Printed("Example 22.4, n2", "20", IRIS.n_negative),
    Printed("Example 22.4, TP above 0.71", "3", above(IRIS, 0.71)[0]),
    Printed("Example 22.4, FP above 0.71", "2", above(IRIS, 0.71)[1]),
    Printed("Example 22.4, FPR above 0.71", "0.1", above(IRIS, 0.71)[1] / IRIS.n_negative),
    Printed("Example 22.4, TPR above 0.71", "0.3", above(IRIS, 0.71)[0] / IRIS.n_positive),
    Printed("Example 22.4, AUC", "0.775", float(IRIS.mean), TIE),
    Printed("Example 22.6, AUC", "0.775", float(IRIS.mean), TIE),
    Printed("Example 22.5, n", "5", float(FIVE.n)),
    Printed("Example 22.5, n1", "3", FIVE.n_positive),
    Printed("Example 22.5, n2", "2", FIVE.n_negative),
    *(
        Printed(f"Example 22.5, {what} at {rho}", text, float(value))
        for rho, row, at in (
            ("inf", ("0", "0", "0", "0", "0"), 0),
            ("0.9", ("0", "1", "0", "0.333", "0"), 1),
            ("0.8", ("1", "3", "0.5", "1", "0.333"), 2),
            ("0.1", ("2", "3", "1", "1", "0.833"), 3),
        )
        for what, text, value in zip(
            ("FP", "TP", "FPR", "TPR", "AUC so far"),
            row,
            (
                *FIVE.at(float(rho)).table[0][::-1],
                roc(FIVE).x[at],
                roc(FIVE).y[at],
                running_area(FIVE)[at],
            ),
            strict=True,
        )
    ),
    Printed("Example 22.5, AUC", "0.833", float(FIVE.mean)),
    Printed("Example 22.5, trapezoid", "0.333", running_area(FIVE)[2]),
    Printed("Example 22.5, rectangle", "0.5", running_area(FIVE)[3] - running_area(FIVE)[2]),
]


@pytest.mark.parametrize("number", NUMBERS, ids=lambda number: number.where)
def test_a_printed_number_is_reproduced_or_known_to_be_wrong(number: Printed) -> None:
    assert number.reproduced != bool(number.misprint), f"printed {number.printed}, found {number.found}"


def test_only_the_area_of_table_22_5_is_misprinted() -> None:
    assert {number.where for number in NUMBERS if not number.reproduced} == {"Example 22.4, AUC", "Example 22.6, AUC"}
    assert float(auc(IRIS).mean) == 0.7775


def test_the_misprint_is_the_tie_counted_as_lost() -> None:
    apart = TABLE_22_5.replace("0.55 2", "0.551 2")
    assert scored(apart).mean == 0.775


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
