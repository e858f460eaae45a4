"""The page's sections on AdaBoost."""

from __future__ import annotations

from typing import Any

import numpy as np

import holdfast as hf
from studies.pages import Page
from studies.runs import Run
from studies.zaki_ensembles import algorithm, charts, conics, counts, iris, redrawn
from studies.zaki_ensembles.iris import Iris, kept
from studies.zaki_ensembles.printed import COMBINED, LEAST_AT, LEAST_TEST_ERROR, N

FEW_ROUNDS = 12  # of boosting, in a fast run


def as_printed(page: Page, run: Run) -> None:
    page.section(
        "AdaBoost: Algorithm 22.5",
        "Written down line by line and run. It trains one classifier less than it is asked for; one without error ends "
        "it before it has a weight, so that a perfect first classifier leaves none; and what it returns does not do "
        "for the vote. `ResamplingAdaBoost` is the algorithm with these three mended.",
    )
    page.check(*algorithm.algorithm_checks(run.seed))


def boosted(page: Page, run: Run, data: Iris | None) -> None:
    best = None if data is None else iris.best_line(data)
    page.section(
        "Boosting lines: Example 22.14, Figure 22.9",
        "A rate of 150 points is a whole number of points, and after a round of AdaBoost the points that were wrong "
        "weigh as much as all others together. That is enough to count through everything that can have happened. "
        f"Two models vote as the one with the larger weight does, so that {COMBINED[1]} for M² is impossible: it must "
        f"be {COMBINED[0]}. And with 42 errors in the first round no second one has α = 0.826.",
    )
    if best is not None:
        page.say(
            f"Where {COMBINED[1]} comes from can be guessed. Of all straight lines the best gets {best} of {N} points "
            f"wrong, {best / N:.3f}, found exactly by trying the lines through all pairs of points. If the two "
            "hyperplanes themselves are added up, and not their signs, the result is one straight line, at best that "
            f"one. M³ and M⁴, with {COMBINED[2]} and {COMBINED[3]}, are better than any line, so there the signs were "
            "added."
        )
    page.check(*counts.boosting_checks(best))
    if data is None or best is None:
        return
    found = kept(run, "boosted", data, iris.boosted)
    page.check(*redrawn.boosted_checks(found))
    _first_rounds(page, data, found)
    rounds = FEW_ROUNDS if run.fast else iris.ROUNDS
    curves = kept(run, "crossed", data, iris.crossed, rounds=rounds)
    page.picture(
        "crossed",
        charts.crossed(
            curves,
            "The training error keeps falling, the testing error does not",
            [
                f"Five-fold cross-validation, redrawn {len(curves['testing'])} times: median and nine in ten.",
                f"Diamond: the least testing error that is printed, {LEAST_TEST_ERROR} at K = {LEAST_AT}.",
            ],
        ),
        "Figure 22.9b, drawn anew: training and testing error by number of rounds.",
    )
    if not run.fast:
        page.check(*redrawn.crossed_checks(curves))
    claim = hf.bound(hf.Counts(round(float(LEAST_TEST_ERROR) * N), N))
    page.say(
        f"A testing error of {LEAST_TEST_ERROR} that is the least along K was chosen by the test points, and flatters. "
        f"Even for a K fixed beforehand, 3 errors in 150 would leave an error rate between {float(claim.lower):.3f} "
        f"and {float(claim.upper):.3f} at 95 % confidence."
    )


def _first_rounds(page: Page, data: Iris, found: dict[str, Any]) -> None:
    combined = np.array(found["combined"])
    runs = f"{len(combined):,}"
    as_low = int((combined[:, 2] <= float(COMBINED[2]) + 0.0005).sum())
    page.picture(
        "rounds",
        charts.rounds(
            found,
            f"As low as printed, M³ comes out in {as_low} of {runs} runs",
            [f"Four rounds, redrawn {runs} times: median, half of them, and 95 % of them.", "Diamonds: as printed."],
        ),
        "Example 22.14, redrawn: weighted errors of four hyperplanes and errors of the combined classifiers.",
    )
    least = int(combined[:, 3].argmin())
    model = iris.boosting(data, found["seeds"][least], 4)
    outside = [f"h{number + 1}" for number, each in enumerate(model) if not conics.line(each, "")]
    beside = f" Outside the frame: {', '.join(outside)}." if outside else ""
    page.picture(
        "boosting",
        charts.boosted(
            data,
            model,
            f"Four lines fence in what one cannot: {100 * combined[least, 3]:.1f} % wrong",
            [
                f"Grey: where the weighted vote says versicolor.{beside}",
                f"Of {runs} runs the one with the least error.",
            ],
        ),
        "Figure 22.9a, drawn anew: four boosted hyperplanes and their vote.",
    )


def special_case(page: Page, run: Run) -> None:
    page.section(
        "Is bagging a special case of AdaBoost?",
        "It is a special case of what both do: draw samples by weights, add up votes by weights. With all weights "
        "fixed the vote is bagging's. But in AdaBoost the weights are no choice: they follow from the errors, and "
        "after any round with 0 < ε < 0.5 the wrong points weigh (1 - ε)/ε > 1 times as much as the others. No run of "
        "Algorithm 22.5 with more than one round is bagging.",
    )
    page.check(*algorithm.special_case_checks(run.seed))
