"""Do scores mean what they say? One line for the whole, and a line for each bin where bins are asked for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from holdfast.catalog import find_measure
from holdfast.claims import Assumption
from holdfast.errors import HoldfastError
from holdfast.evidence import NO_ANSWER
from holdfast.evidence.ranking.calibration import BINS, Bins, Reliability
from holdfast.report.facts.assessment import Bin, Calibration
from holdfast.tally import Tally
from holdfast.verbs.asking import Question
from holdfast.verbs.assess.drawn import DrawnSubject
from holdfast.wording import quoted

NO_PROBABILITIES = (
    "bins= (--bins) asks whether scores mean what they say; that needs scores that are probabilities of one label: a "
    "column of scores from 0 to 1, and positive= (--positive) if there are many labels."
)


@dataclass(frozen=True)
class Asked:
    """What a report is to say about calibration: its questions, the bins if they were asked for, and its notes."""

    questions: list[Question]
    bins: Calibration | None
    notes: list[str]


def calibration_questions(counted: Tally, bins: Bins | None = None) -> Asked:
    """What may be asked about calibration: its error on fixed bins, and the bins themselves where they are given.

    Nothing where there is no one score that is a probability. Bins are a number of equally wide ones, their edges,
    the grades of a scale by name, or "grades" or "quantiles", which are read off the scores.

    Examples
    --------
    >>> from holdfast.predictions import Predictions
    >>> from holdfast.tally import tally
    >>> rows = Predictions.from_arrays(["ill", "ill", "well"], ["ill", "well", "well"], [0.9, 0.4, 0.2])
    >>> asked = calibration_questions(tally(rows, positive="ill"), bins=2)
    >>> [(question.measure.name, question.labels) for question in asked.questions]
    [('ece', ('ill',)), ('calibration', ('[0, 0.5)', '[0.5, 1]'))]
    """
    label = _speaks_for(counted)
    if label is None or not counted.scores[label].probabilities:
        if bins is not None:
            raise HoldfastError(NO_PROBABILITIES)
        return Asked([], None, [])
    scores = counted.scores[label]
    overall = by_bin = Reliability.of(scores, BINS if bins is None else bins)
    if isinstance(bins, str):  # bins that these scores chose
        overall = Reliability.of(scores, BINS)
    ece, calibration = find_measure("ece"), find_measure("calibration")
    asked = [Question(ece, ece(overall), (label,))]
    if bins is None:
        return Asked(asked, None, [])
    if not by_bin.exact:
        return Asked(
            asked, None, ["The bins are left out: so many scores are read in steps, and some step is in two bins."]
        )
    fixed = (Assumption.FIXED_BINS,) if not isinstance(bins, str) else ()
    # The intervals of all bins hold together; those that are empty count, for which are is chance.
    asked.append(Question(calibration, calibration(by_bin), by_bin.names, share=1.0 / len(by_bin.names), assumes=fixed))
    return Asked(asked, _bins(label, by_bin), [_note(label, by_bin)])


def calibration_of_draws(subject: DrawnSubject, each_bin: bool) -> Asked:
    """The same of rows as they were drawn, on bins that no score has chosen; of each bin only where that is asked."""
    label, bins, ranked = subject.speaks_for, subject.bins, subject.counted.ranked
    assert bins is not None  # or nobody asks
    if label is None or ranked is None:
        if each_bin:
            raise HoldfastError(NO_PROBABILITIES)
        return Asked([], None, [])
    asked = [*subject.about(find_measure("ece"))]
    if not each_bin:
        return Asked(asked, None, [])
    rows = ranked.rows.rows
    place, count = bins.places(rows.scores[label]), np.ones(rows.weight.size) if rows.count is None else rows.count
    weight, score, own = (
        np.bincount(place, each, len(bins.names))
        for each in (rows.rows, rows.rows * rows.scores[label], count * (rows.truth == rows.labels.index(label)))
    )
    n = np.bincount(place, count, len(bins.names))
    means = [float(a / b) if b > 0 else None for a, b in zip(score, weight, strict=True)]
    shown = zip(bins.names, means, np.rint(n).astype(int).tolist(), np.rint(own).astype(int).tolist(), strict=True)
    asked += subject.about(find_measure("calibration"))
    note = f"The intervals of all {len(bins.names)} bins of the score of {quoted(label)} hold together."
    return Asked(asked, Calibration(label, True, tuple(Bin(*each) for each in shown)), [note])


def _speaks_for(counted: Tally) -> str | None:
    """The label of the scores to speak about: the positive one, or the only one that has any."""
    if counted.positive in counted.scores:
        return counted.positive
    classes = () if counted.truths is None else [label for label in counted.truths.labels if label != NO_ANSWER]
    return next(iter(counted.scores)) if counted.scores and (len(counted.scores) == 1 or len(classes) == 2) else None


def _bins(label: str, bins: Reliability) -> Calibration:
    means = bins.mean_forecast.tolist()
    rows = zip(bins.names, means, bins.n.tolist(), bins.positives.tolist(), strict=True)
    return Calibration(
        label, bins.fixed, tuple(Bin(name, None if np.isnan(mean) else mean, n, k) for name, mean, n, k in rows)
    )


def _note(label: str, bins: Reliability) -> str:
    if not bins.fixed:
        return (
            "The bins were chosen by these very scores, so their intervals come without proof; give edges beforehand."
        )
    return f"The intervals of all {len(bins.names)} bins of the score of {quoted(label)} hold together."
