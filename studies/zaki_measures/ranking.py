"""Section 22.1.3: ROC curves and the area under them, as printed and as Algorithm 22.1 has it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from holdfast.catalog import find
from holdfast.evidence import Scores
from holdfast.measures.ranking import auc
from holdfast.selection.bands import roc
from studies.checks import Check, number, statement
from studies.pages import Page
from studies.zaki_measures import pictures
from studies.zaki_measures.printed import (
    COMPONENTS,
    EXAMPLE_22_5,
    Q5,
    STEPS_22_5,
    TABLE_22_5,
    UNLABELLED,
    labels,
    scored,
)

IRIS, FIVE, TEN = scored(TABLE_22_5), scored(EXAMPLE_22_5), scored(Q5)
TIE = "the tie at 0.55, one of either class, was counted as lost; Algorithm 22.1 counts it half"
Point = tuple[float, float]


def add(page: Page) -> None:
    claim = find("auc-bentkus")(auc(IRIS), 0.05)
    page.section(
        "ROC curves and the area under them: 22.1.3",
        "Table 22.5 has two points with the score 0.55, one of either class. Algorithm 22.1, run as printed, gives "
        "half of that pair to the classifier: 155.5 of 200 pairs, 0.7775. The printed 0.775 gives it nothing. The "
        "book's own Example 22.5, the next, explains why ties make trapezoids.",
        "Thresholds mean two things: in the text and in Example 22.4 a point is positive above the threshold, in the "
        "table of Example 22.5 from the threshold on. Either is fine; both together are not.",
        "Below, the curve of Table 22.5 with the band in which the true one lies with 95 % confidence, at every "
        f"threshold at once: from 30 points little more can be said. The area itself is {claim}.",
    )
    page.picture(
        "roc",
        pictures.curve(IRIS, (0.1, 0.3)),
        "Figure 22.3 drawn anew: the naive Bayes classifier of Table 22.5, guessing, and the book's point for 0.71",
    )
    page.picture(
        "trapezoid",
        pictures.area(FIVE, algorithm(labels(EXAMPLE_22_5))[0]),
        "Figure 22.4 drawn anew: five points, three of them with the same score",
    )
    page.check(*_example_4(), *_example_5(), *_example_6(), *_said())


def algorithm(pairs: Sequence[tuple[float, bool]], *, typo: bool = False) -> tuple[list[Point], list[float]]:
    """Algorithm 22.1 line by line: the points plotted, and the area after each; `typo` asks for y_1, as the text."""
    n1 = sum(positive for _, positive in pairs)
    n2 = len(pairs) - n1
    ordered = sorted(pairs, key=lambda pair: -pair[0])
    first = ordered[0][1]
    fp = tp = fp_before = tp_before = 0
    area, rho = 0.0, np.inf
    points, areas = [], []
    for score, positive in ordered:
        if rho > score:
            area += abs(fp - fp_before) / n2 * (tp + tp_before) / n1 / 2
            points.append((fp / n2, tp / n1))
            areas.append(area)
            rho, fp_before, tp_before = score, fp, tp
        if first if typo else positive:
            tp += 1
        else:
            fp += 1
    area += abs(fp - fp_before) / n2 * (tp + tp_before) / n1 / 2
    return [*points, (fp / n2, tp / n1)], [*areas, area]


def above(scores: Scores, threshold: float) -> list[int]:
    """True and false positives with a score strictly above, as Example 22.4 has it."""
    return [int(count) for count in scores.at(np.nextafter(threshold, np.inf)).table[0]]


def running_area(scores: Scores) -> list[float]:
    """The area after each step of Algorithm 22.1, by trapezoids."""
    curve = roc(scores)
    return [float(np.trapezoid(curve.y[: i + 1], curve.x[: i + 1])) for i in range(curve.x.size)]


def _example_4() -> Iterator[Check]:
    place = "Example 22.4"
    yield number(place, "n", "30", float(IRIS.n), "scores of Table 22.5")
    known = labels(TABLE_22_5)[:-UNLABELLED]
    yield number(place, "n1", "10", sum(positive for _, positive in known), "labels c1 of Table 22.5")
    yield number(
        place,
        "n2",
        "20",
        sum(not positive for _, positive in known) + UNLABELLED,
        "labels c2 of Table 22.5; its last five labels are lost and can only be c2, for all ten c1 stand before",
    )
    values = [score for score, _ in labels(TABLE_22_5)]
    yield statement("Table 22.5", "the scores are in decreasing order", values == sorted(values, reverse=True), "read")
    true, false = above(IRIS, 0.71)
    yield number(place, "TP for 0.71", "3", true, "scores above 0.71")
    yield number(place, "FP for 0.71", "2", false, "scores above 0.71")
    yield number(place, "FPR for 0.71", "0.1", false / IRIS.n_negative, "2 of 20")
    yield number(place, "TPR for 0.71", "0.3", true / IRIS.n_positive, "3 of 10")
    yield number(place, "AUC", "0.775", float(IRIS.mean), "155.5 of 200 pairs, by Algorithm 22.1 too", TIE)
    yield statement(
        "Table 22.3",
        "it belongs to the scores of Table 22.5",
        IRIS.at(0.5).table[0].tolist() == COMPONENTS.table[0].tolist(),
        "posterior probabilities above 0.5: 7 of either class",
    )


def _example_5() -> Iterator[Check]:
    place = "Example 22.5"
    points, areas = algorithm(labels(EXAMPLE_22_5))
    for what, printed, found in (("n", "5", FIVE.n), ("n1", "3", FIVE.n_positive), ("n2", "2", FIVE.n_negative)):
        yield number(place, what, printed, float(found), "counted")
    for step, (rho, row) in enumerate(STEPS_22_5):
        tp, fp = FIVE.at(float(rho)).table[0]
        values = (fp, tp, *points[step], areas[step])
        for what, printed, value in zip(("FP", "TP", "FPR", "TPR", "AUC so far"), row, values, strict=True):
            yield number(place, f"{what} at {rho}", printed, float(value), "Algorithm 22.1, run as printed")
    yield number(place, "AUC", "0.833", float(FIVE.mean), "5 of 6 pairs, ties half")
    yield number(place, "trapezoid on the left", "0.333", areas[2], "Algorithm 22.1, run as printed")
    yield number(place, "rectangle on the right", "0.5", areas[3] - areas[2], "Algorithm 22.1, run as printed")
    strictly = [above(FIVE, float(rho)) for rho, _ in STEPS_22_5]
    counted = [[int(row[1]), int(row[0])] for _, row in STEPS_22_5]
    yield statement(
        "22.1.3",
        "positive are the points with a score above the threshold, R1 = {S > rho}",
        strictly == counted,
        f"with it the table of Example 22.5 would have TP = {strictly[1][0]} at 0.9, where {counted[1][0]} is printed",
        right="from the threshold on, S >= rho, as that table and Algorithm 22.1 count",
        why="the threshold printed is the score last counted in, not the one to be passed",
    )


def _example_6() -> Iterator[Check]:
    curve = roc(IRIS)
    yield number("Example 22.6", "AUC", "0.775", float(IRIS.mean), "155.5 of 200 pairs", TIE)
    yield statement(
        "Example 22.6",
        "at the very beginning the curve is below that of guessing",
        bool(curve.y[1] < curve.x[1]),
        f"its first point is ({curve.x[1]:g}, {curve.y[1]:g})",
    )


def _said() -> Iterator[Check]:
    """What the section says in general, tried on random scores with many ties."""
    draw = np.random.default_rng(22)
    sets = [[(float(draw.integers(8)), bool(draw.random() < 0.4)) for _ in range(25)] for _ in range(300)]
    sets = [pairs for pairs in sets if 0 < sum(positive for _, positive in pairs) < 25]
    tried = f"{len(sets)} random sets of 25 scores with many ties"
    known = [Scores([score for score, _ in pairs], [positive for _, positive in pairs]) for pairs in sets]
    ours = [float(scores.mean) for scores in known]
    yield statement(
        "Algorithm 22.1",
        "gives the curve and the area under it",
        bool(np.allclose([algorithm(pairs)[1][-1] for pairs in sets], ours)),
        f"run as printed on {tried}, against the share of pairs won, ties half",
    )
    wrong = algorithm(labels(TABLE_22_5), typo=True)[0][-1]
    yield statement(
        "22.1.3",
        "if y_1 = c_1, we increment the true positives",
        wrong == (1.0, 1.0),
        f"with y_1 the curve of Table 22.5 ends at ({wrong[0]:g}, {wrong[1]:g}) and not at (1, 1)",
        right="if y_i = c_1, as in line 15 of the algorithm",
        why="1 for i, in the book or in our text of it",
    )
    strict = [_strictly(pairs) for pairs in sets]
    half = [won + tied / 2 for won, tied in strict]
    yield statement(
        "22.1.3",
        "AUC is essentially the chance that a random positive is ranked above a random negative",
        bool(np.allclose(half, ours)),
        f"{tried}: ties must count half; without them Table 22.5 has {_strictly(labels(TABLE_22_5))[0]:.3f}, the "
        "number printed",
    )
    guessing = []
    for share in (0.1, 0.5, 0.9):
        own, others = round(10 * share), round(20 * share)
        guessed = Scores.from_counts([0.0, 1.0], [10 - own, own], [20 - others, others])
        middle = roc(guessed).x[1], roc(guessed).y[1]
        guessing.append(bool(np.allclose(middle, share)) and float(guessed.mean) == 0.5)
    yield statement(
        "22.1.3", "guessing with a share r gives the point (r, r) and AUC 0.5", all(guessing), "r = 0.1, 0.5 and 0.9"
    )
    turned = [float(Scores(-np.array([s for s, _ in p]), [y for _, y in p]).mean) for p in sets]
    yield statement(
        "22.1.3",
        "where AUC is below 0.5, inverting the class assignment does better",
        bool(np.allclose(np.add(turned, ours), 1)),
        f"{tried}: both areas add up to 1",
    )
    values, positives, negatives = IRIS.cells()
    skewed = [Scores.from_counts(values, positives, times * negatives) for times in (2, 7)]
    same = [float(each.mean) == float(IRIS.mean) and np.array_equal(roc(each).x, roc(IRIS).x) for each in skewed]
    yield statement(
        "22.1.3", "ROC curves are insensitive to class skew", all(same), "the c2 of Table 22.5 2 and 7 times"
    )


def _strictly(pairs: Sequence[tuple[float, bool]]) -> tuple[float, float]:
    """The shares of pairs that are won and that are tied."""
    own, others = (np.array([score for score, positive in pairs if positive == kind]) for kind in (True, False))
    ahead = own[:, None] - others
    return float(np.mean(ahead > 0)), float(np.mean(ahead == 0))
