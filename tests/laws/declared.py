"""What measures declare of themselves, found out by asking them: each law lists what is false."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, get_args

import numpy as np
import pytest

from holdfast.catalog import Measure
from holdfast.catalog.measure import OutOf, Unit, counted_rows
from holdfast.evidence import Array, Contingency, Counts, Evidence, Forecasts, Losses, Proportions, Scores
from holdfast.evidence.costs import Costs
from holdfast.evidence.counts import Samples
from holdfast.evidence.ranking.calibration import Reliability
from holdfast.evidence.ranking.forecasts import Margins, Posteriors

STATED = {"costs": Costs([[0, 1, 2], [10, 0, 1], [1, 1, 0]], range(3), rows="predicted"), "classes": range(3), "k": 2}
TWO, THREE = np.array([[7, 2], [1, 9]]), np.array([[7, 2, 1], [1, 9, 2], [3, 2, 5]])  # rows are predicted
SCORES = np.array([0.9, 0.8, 0.4, 0.6, 0.3, 0.2, 0.1])  # no two thresholds separate them equally well
EDGES = np.linspace(0, 1, 11)
POSITIVE = np.array([True, True, True, False, False, False, False])
COPIES = 1_000  # of all rows, beside which one more is a small change


class Row(NamedTuple):
    """A single row: what the model said of it, what is true, and the evidence that it alone is."""

    said: Any
    truth: Any
    evidence: Any


def single_rows(takes: type) -> list[Row]:
    """Rows that differ in what was said and in what is true, as far as the evidence tells that."""
    places = [(said, truth) for said in range(3) for truth in range(3)]
    pairs = [(said, truth) for said in (0.1, 0.9) for truth in (True, False)]
    rows: dict[type, list[Row]] = {
        Contingency: [Row(*at, Contingency(_one_at(*at), rows="predicted")) for at in places],
        Reliability: [Row(said, truth, Reliability.of(Scores([said], [truth]), 2)) for said, truth in pairs],
        Forecasts: [Row(p, None, Forecasts([p], [(1 - p) ** 2])) for p in (0.1, 0.9)],
        Margins: [Row(margin, None, Margins([margin])) for margin in (-1.5, 0.2)],
        Posteriors: [Row(p, None, Posteriors([[p, 1 - p]], [0], ["0", "1"])) for p in (0.6, 0.9)],
        Samples: [Row(wrong, None, Samples(Counts([wrong], [3]))) for wrong in (0, 1, 3)],
    }
    return rows.get(takes, [])


def asked(measure: Measure, evidence: Any) -> Any:
    return measure(evidence, **{name: STATED[name] for name in measure.required})


def who_chose_the_trials(measure: Measure) -> OutOf | None:
    """Nobody if every row is one, else whoever says which are; None where there are no trials."""
    rows = [(row, _trials(asked(measure, row.evidence))) for row in single_rows(measure.takes)]
    if not rows or any(trials is None for _, trials in rows):
        return None
    if all(np.array_equal(trials, rows[0][1]) for _, trials in rows):
        return "all"
    by_truth = {row.truth: trials for row, trials in rows}
    return "actual" if all(np.array_equal(trials, by_truth[row.truth]) for row, trials in rows) else "predicted"


def mix_that_matters(measure: Measure) -> str | None:
    """That of all classes, of the others only, or none; whoever cannot be asked is taken to depend on all."""
    if measure.takes is Scores:
        return _mix_of_scores(measure)
    if measure.takes is not Contingency:
        return "all"
    if not measure.required and _changed(measure, TWO, [1, 3]).any():
        return "all"
    # Costs are stated for three labels; of all else a class is left alone by how frequent it is itself.
    others = [_changed(measure, THREE, np.where(np.arange(3) == own, 1, [1, 3, 8])) for own in range(3)]
    itself = [_changed(measure, THREE, np.where(np.arange(3) == own, 4, 1)) for own in range(3)]
    if any(changed.take(own, mode="clip") for own, changed in enumerate(itself)):
        return "all"
    return "others" if any(changed.any() for changed in others) else None


def false_declarations(measure: Measure) -> Iterator[str]:
    """What a measure says of itself and is not so."""
    if (chose := who_chose_the_trials(measure)) != measure.out_of:
        yield f"{measure.name} is out of {chose}, and declares {measure.out_of}"
    if (mix := mix_that_matters(measure)) != measure.of_mix:
        yield f"{measure.name} depends on the mix of {mix}, and declares {measure.of_mix}"
    if measure.unit not in get_args(Unit):
        yield f"{measure.name} has a unit that is none: {measure.unit}"
    if not _fits_unit(measure):
        yield f"{measure.name} has values that no {measure.unit} has: {measure.range}"
    if measure.right_or_wrong and counted_rows(measure) != {"lower": "wrong", "higher": "right"}.get(
        str(measure.better)
    ):
        yield f"{measure.name} needs no labels, and is neither the error rate nor the accuracy"
    given = [asked(measure, row.evidence) for row in single_rows(measure.takes)]
    if not all(isinstance(each, measure.gives) for each in given):
        yield f"{measure.name} gives what its types do not say"
    yield from _false_functions(measure)


def _false_functions(measure: Measure) -> Iterator[str]:
    """The functions that are declared beside the measure and say something else than it does."""
    if measure.of_rates is not None:
        (a, b), (actual, other) = np.diag(TWO) / TWO.sum(axis=0), TWO.sum(axis=0)
        told = measure.of_rates(*map(np.asarray, (actual / other, a, 1 - a, b, 1 - b)))
        if _estimate(measure, TWO).flat[0] != pytest.approx(float(told), rel=1e-12):
            yield f"{measure.name} is something else at its own mix"
    if measure.influence is not None:
        added = np.array([_added(measure, place) for place in range(SCORES.size)])
        low, high = measure.range
        each = measure.influence(
            SCORES, POSITIVE, **({"edges": EDGES} if measure.takes is Reliability else {})
        ).influence
        if each / (high - low) != pytest.approx(added, abs=5 / COPIES):
            yield f"{measure.name} is changed by an example otherwise than declared"
    if measure.row_losses is not None:
        values = np.array([0.2, 0.7, 0.95]) if measure.takes is Forecasts else np.array([-2.0, -0.3, 0.6])
        rows = Forecasts(values, (1 - values) ** 2) if measure.takes is Forecasts else Margins(values)
        read = (1 - values) ** 2 if measure.of_squares else values
        if float(measure(rows).estimate) != pytest.approx(measure.row_losses(read)[0].mean(), rel=1e-12):
            yield f"{measure.name} is not the mean of what its rows lose"
    if measure.of_question is not None:
        questions = Samples(Counts([0, 1, 2, 4], [4, 4, 5, 4]))
        each = measure.of_question(questions, 2)
        if float(measure(questions, k=2).estimate) != pytest.approx(each.mean(), rel=1e-12):
            yield f"{measure.name} is not the mean of what its questions are worth"


def _fits_unit(measure: Measure) -> bool:
    low, high = measure.range
    return {
        "rate": (low, high) == (0, 1),
        "index": -1 <= low <= 0 and high == 1,
        "loss": low == 0,
        "nats": low == 0,
        "cost": True,
    }.get(measure.unit, False)


def _one_at(predicted: int, actual: int) -> Array:
    table = np.zeros((3, 3), np.int64)
    table[predicted, actual] = 1
    return table


def _trials(evidence: Evidence) -> Array | None:
    if isinstance(evidence, Proportions):
        return np.asarray(evidence.parts.n)
    return np.asarray(evidence.n) if isinstance(evidence, (Counts, Losses)) else None


def _estimate(measure: Measure, table: Array) -> Array:
    return np.atleast_1d(asked(measure, Contingency(table, rows="predicted")).estimate)


def _changed(measure: Measure, table: Array, times: Any) -> Array:
    """Which entries change if there are so many times more examples of each class."""
    return ~np.isclose(_estimate(measure, table), _estimate(measure, table * np.asarray(times)), rtol=1e-9, atol=1e-9)


def _mix_of_scores(measure: Measure) -> str | None:
    """Two classes, or a class and two others, of which one becomes more frequent."""
    usual, of_class, of_others, of_one = (
        _value(measure, np.where(more, 3, 1)) for more in (SCORES < 0, POSITIVE, ~POSITIVE, SCORES == 0.6)
    )
    if not usual == pytest.approx(of_class) == pytest.approx(of_others):
        return "all"
    return None if usual == pytest.approx(of_one) else "others"


def _value(measure: Measure, times: Array) -> float:
    scores = Scores(np.repeat(SCORES, times), np.repeat(POSITIVE, times))
    return float(measure(Reliability.of(scores, EDGES) if measure.takes is Reliability else scores).mean)


def _added(measure: Measure, place: int) -> float:
    """How fast it changes with the weight of one example."""
    usual = np.full(SCORES.size, COPIES)
    return (_value(measure, usual + (np.arange(SCORES.size) == place)) - _value(measure, usual)) * COPIES
