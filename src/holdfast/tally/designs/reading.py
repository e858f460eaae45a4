"""From rows as they were drawn to the evidence for a measure: what a row of each kind adds, summed up over its draw.

A measure sees one table and knows nothing else. Asked about the table of a single row, it says what such a row adds
above and below the line; one that is smooth in the table is differentiated towards the table of that row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any, Literal

import numpy as np

from holdfast.assumptions import Assumption
from holdfast.catalog import Measure
from holdfast.catalog.measure import LABELS, single_rows
from holdfast.evidence import (
    Array,
    Contingency,
    Counts,
    Evidence,
    Forecasts,
    Integers,
    Overlap,
    Proportions,
    Scores,
    TableStatistic,
)
from holdfast.evidence.contingency import portions
from holdfast.evidence.counts import Samples
from holdfast.evidence.draws import Influence, Ratio, combined
from holdfast.evidence.ranking.forecasts import Margins
from holdfast.evidence.value import OVERLAPS, SHARES, Scale
from holdfast.numerics.arrays import distinct, exact_sum
from holdfast.tally.designs.areas import Resting
from holdfast.tally.designs.drawn import EVENTS, Drawn

Reading = tuple[str | None, Ratio | Influence]  # and the label that it is about, if it is about one
STEP = 1e-30  # of a complex derivative: so small that its square is nothing, and the derivative exact
MOST_TERMS = 200  # classes up to which an average over them keeps the rate of each
MOST_CELLS = 10_000  # different ones, towards whose tables a smooth measure is differentiated
ONE_BY_ONE = 512  # cells that are priced at once, a table for each


def readings(
    measure: Measure, rows: Drawn, labels: Sequence[str] | None = None, **stated: Any
) -> Iterator[tuple[str | None, Evidence]]:
    """The evidence for a measure, with the label that each is about; nothing where the rows do not bear it.

    Parameters
    ----------
    labels
        Of a measure that is told of each class, the classes wanted; all of them by default.
    stated
        Parameters of the measure.
    """
    if rows.draws.rows and rows.draws.stratum is None and not measure.right_or_wrong:
        yield from _one_by_one(measure, rows, labels, **stated)
    elif measure.right_or_wrong and measure.takes is Contingency:
        yield from _right_or_wrong(measure, rows)
    elif measure.takes is Contingency and rows.truth is not None:
        if measure.needs_predictions and rows.predicted is None:
            return
        if measure.per_class:
            yield from _of_classes(measure, rows, rows.labels if labels is None else labels)
        elif measure.required:
            yield None, _priced(measure, rows, **stated)
        else:
            yield from ((None, each) for each in _of_table(measure, rows))
    elif measure.takes is Scores:
        yield from ((label, _ranked(measure, rows, label)) for label in rows.scores)
    elif measure.takes in (Forecasts, Margins) and measure.row_losses is not None:
        yield from ((None, each) for each in _losses(measure, rows, **stated))


def passes(measure: Measure, rows: Drawn, k: int) -> Ratio:
    """How often k answers to a question do, one of them or all, over the questions; without ids each draw is one."""
    assert measure.of_question is not None  # of measures that samples are asked for
    question = rows.draw if rows.question is None else rows.question
    right = rows.value if rows.value is not None else np.asarray(rows.truth == rows.predicted, np.float64)
    count = rows.weight if rows.count is None else rows.count
    n = np.bincount(question, count)
    places = np.flatnonzero(n)
    wrong = np.bincount(question, count * (1.0 - right))[places]
    samples = Samples(Counts(np.rint(wrong).astype(np.int64), np.rint(n[places]).astype(np.int64)))
    draw = np.zeros(n.size, np.int64)
    draw[question] = rows.draw
    weight = np.bincount(question, rows.weight)[places] / n[places]  # a question weighs as much as its rows do
    levels = EVENTS if np.all(samples.each.n == k) else ()
    draws = rows.draws
    if rows.question is None:  # then each draw is one question, and weighs no more than a row can
        caps = tuple(cap for cap in draws.caps if cap is not Assumption.CAPPED_CLUSTERS)
        draws = replace(draws, most=draws.most_of_row, rows=not draws.weighed, caps=caps)
    each = Drawn(draws, draw[places], weight, part=rows.part)
    return each.ratio(measure.of_question(samples, k), over="questions", levels=levels, graded=levels != EVENTS)


def _one_by_one(
    measure: Measure, rows: Drawn, labels: Sequence[str] | None, **stated: Any
) -> Iterator[tuple[str | None, Evidence]]:
    """The same of rows that are draws of their own and weigh one each: as of their table, or of their scores."""
    if measure.takes is Contingency and rows.truth is not None:
        table = rows.table
        if measure.needs_predictions and rows.predicted is None:
            return
        evidence = measure(table, **stated)
        if not measure.per_class:
            yield None, evidence
            return
        for label in rows.labels if labels is None else labels:
            yield label, evidence.of(rows.labels.index(label))
    elif measure.takes is Scores:
        for label, scores in rows.scores.items():
            yield label, measure(Scores(scores, np.asarray(rows.truth == rows.labels.index(label))))
    elif measure.takes is Forecasts and rows.probability is not None and rows.square is not None:
        forecasts = Forecasts(np.sort(rows.probability), np.sort(rows.square), squares_high=rows.largest_square)
        yield None, measure(forecasts, **stated)
    elif measure.takes is Margins and rows.margin is not None:
        yield None, measure(Margins(rows.margin), **stated)


def _right_or_wrong(measure: Measure, rows: Drawn) -> Iterator[Reading]:
    """A share of right answers, or of wrong ones; partial credit counts as it is."""
    levels, graded = EVENTS, False
    if rows.value is not None:
        value, levels, graded = rows.value, rows.levels, rows.levels != EVENTS
    elif rows.predicted is not None:
        value = np.asarray(rows.actual == rows.answers, np.float64)
    else:
        return
    single = measure(single_rows())
    if not single.k[0]:  # the first of the tables holds one row that is right
        value, levels = 1.0 - value, tuple(1.0 - level for level in reversed(levels))
    yield None, rows.ratio(value, over="rows", levels=levels, graded=graded)


def _of_classes(measure: Measure, rows: Drawn, labels: Sequence[str]) -> Iterator[Reading]:
    """A rate of each class: what a row adds depends on whether it is of the class, is taken for it, and is right."""
    added = measure(single_rows())
    scale = OVERLAPS if isinstance(added, Overlap) else SHARES
    for label in labels:
        place = rows.labels.index(label)
        yield label, _rate(rows, place, added.k[:, 0], np.broadcast_to(added.n, added.k.shape)[:, 0], measure, scale)


def _rate(rows: Drawn, place: int, k: Array, n: Array, measure: Measure, scale: Scale = SHARES) -> Ratio:
    cell = _cell_of(rows, place)
    trials = n[cell].astype(np.float64)
    over = None if measure.out_of == "predicted" else (place, n.tobytes())
    return rows.ratio(k[cell].astype(np.float64), trials, over=over, scale=scale, levels=EVENTS)


def _cell_of(rows: Drawn, place: int) -> Integers:
    """Of each kind of rows, the table of a single row that looks like it as far as this class is concerned."""
    if rows.predicted is None:
        return np.where(rows.actual == place, 0, 1 + LABELS)
    actual = np.where(rows.actual == place, 0, np.where(rows.actual == rows.answers, 1, 2))
    return np.asarray(np.where(rows.answers == place, 0, LABELS) + actual)


def _of_table(measure: Measure, rows: Drawn) -> Iterator[Ratio | Influence]:
    """What is read off the whole table: a rate of all rows, an average over the classes, or what is smooth in it."""
    single = measure(single_rows())
    if isinstance(single, Counts):
        right = rows.actual == rows.answers
        yield rows.ratio(np.where(right, float(single.k[0]), float(single.k[1])), over="rows", levels=EVENTS)
    elif isinstance(single, Proportions):
        parts = single.parts
        scale = OVERLAPS if isinstance(parts, Overlap) else SHARES
        places = rows.truths if _averages(measure) == "truths" else rows.classes
        k, n = parts.k[:, 0], parts.n[:, 0]
        if places.size > MOST_TERMS and not n[LABELS + 1 : 2 * LABELS].any():
            yield _average(measure, rows, places, k, n, scale)
            return
        rates = [_rate(rows, place, k, n, measure, scale) for place in places.tolist()]
        yield combined([1.0 / len(rates)] * len(rates), rates)
    elif isinstance(single, TableStatistic) and (found := _smooth(measure, rows)) is not None:
        yield found


def _average(measure: Measure, rows: Drawn, places: Integers, k: Array, n: Array, scale: Scale) -> Influence:
    """An average over very many classes, of each of which a rate is about no rows but those of it or taken for it."""
    assert rows.predicted is not None  # see readings
    assert rows.truth is not None
    size, truth, predicted = len(rows.labels), rows.truth, rows.predicted
    right = truth == predicted
    # A row is right, or it is one more that was taken for a class and one more that another class misses.
    ways = [(0, predicted, right), (2, predicted, ~right), (LABELS, truth, ~right)]
    weights = [np.bincount(of_class, rows.rows * here, size) for _, of_class, here in ways]
    above, below = (sum(each[cell] * held for (cell, _, _), held in zip(ways, weights, strict=True)) for each in (k, n))
    share = np.divide(above, below, out=np.full(size, np.nan), where=below > 0)
    part = np.zeros(size)
    part[places] = 1.0 / (places.size * np.where(below > 0, below, 1.0)[places])
    slope = np.where(below > 0, scale.slope(np.nan_to_num(share)), 0.0)
    added, leverage = np.zeros(truth.size), np.zeros(truth.size)
    for cell, of_class, here in ways:
        trials = here * n[cell] * part[of_class]
        added += slope[of_class] * (here * k[cell] * part[of_class] - np.nan_to_num(share)[of_class] * trials)
        leverage += trials
    value = float(np.mean(scale.units(share[places])))
    found = rows.influence(value, added, leverage, Scale(*measure.range))
    number = rows.draws.times.size
    there = rows.weight > 0
    pairs = [(of_class * np.int64(number) + rows.draw)[here & there & bool(n[cell])] for cell, of_class, here in ways]
    held, draw = np.divmod(np.unique(np.concatenate(pairs)), number)
    draws = np.bincount(held, rows.draws.times[draw], size)
    return replace(found, fewest=float(draws[places].min()))


@cache
def _averages(measure: Measure) -> Literal["truths", "classes"]:
    """Over which classes it is an average: those that examples are truly of, or all."""
    two = Contingency.of_cells(("a", "b", "c"), [0], [0], [1], truths=[0, 1])
    return "truths" if measure(two).parts.k.shape[-1] == len(two.truths) else "classes"


def _cells(rows: Drawn) -> tuple[Integers, Integers]:
    """The different cells of the table, predicted times labels plus actual, and of each kind its place among them."""
    return distinct(rows.answers * len(rows.labels) + rows.actual)


def _smooth(measure: Measure, rows: Drawn) -> Influence | None:
    """An index of the table, differentiated towards the table of a row of each cell by a complex step."""
    size, (cells, cell) = len(rows.labels), _cells(rows)
    if cells.size > MOST_CELLS:
        return None
    of_row, actual = np.divmod(cells, size)
    weight = np.bincount(cell, rows.of_kinds)
    hits = np.bincount(actual, weight * (of_row == actual), size)
    margins = hits, np.bincount(actual, weight, size), np.bincount(of_row, weight, size)
    whole = _table(rows, *margins)
    reading = measure(whole).reading
    added = np.zeros(cells.size)
    for some in portions(cells.size, size):
        at, columns, lines = np.arange(len(some)), actual[some.start : some.stop], of_row[some.start : some.stop]
        stacks = [np.repeat(each[np.newaxis].astype(np.complex128), len(some), axis=0) for each in margins]
        stacks[0][at, columns] += 1j * STEP * (columns == lines)
        stacks[1][at, columns] += 1j * STEP
        stacks[2][at, lines] += 1j * STEP
        added[some.start : some.stop] = np.asarray(reading(_table(rows, *stacks))).imag / STEP
    value = float(np.asarray(reading(whole)).real)
    found = rows.influence(value, added[cell], scale=Scale(*measure.range))
    again = partial(_read_again, rows, cell, (of_row, actual), reading)
    return replace(found, again=again, fewest=_fewest(rows, reading))


def _fewest(rows: Drawn, reading: Callable[[Contingency], Array]) -> float:
    """One where the index is undefined without labels that a single draw holds: nothing else tells what they change."""
    size, truth, predicted = len(rows.labels), rows.truth, rows.predicted
    assert truth is not None  # see readings
    assert predicted is not None
    for places in (truth, predicted):
        kept = (rows.holders(places, size) > 1)[places]
        if kept.all():
            continue
        weight = rows.rows * kept
        each = (truth, weight * (truth == predicted)), (truth, weight), (predicted, weight)
        if np.isnan(reading(_table(rows, *(np.bincount(place, part, size) for place, part in each)))):
            return 1.0
    return float("inf")


def _read_again(
    rows: Drawn, cell: Integers, cells: tuple[Integers, Integers], reading: Callable[[Contingency], Array], times: Array
) -> Array:
    """An index of the table for other numbers of each draw."""
    of_row, actual = cells
    shape = rows.draws.times.size, of_row.size
    in_draw = np.bincount(rows.draw * shape[1] + rows.of_entries(cell), rows.weight, shape[0] * shape[1]).reshape(shape)
    weight, size = times @ in_draw, len(rows.labels)
    places = [(actual, of_row == actual), (actual, None), (of_row, None)]
    margins = []
    for place, which in places:
        laid_out = np.zeros((of_row.size, size))
        laid_out[np.arange(of_row.size), place] = 1.0 if which is None else which
        margins.append(weight @ laid_out)
    return np.asarray(reading(_table(rows, *margins)))


def _table(rows: Drawn, hits: Array, actual: Array, predicted: Array) -> Contingency:
    """A table, or a stack of them, that is known by its margins: no smooth measure reads more of it."""
    nothing = np.zeros(0, np.int64)
    table = Contingency.of_cells(rows.labels, nothing, nothing, np.zeros((*hits.shape[:-1], 0)), truths=rows.truths)
    vars(table).update(hits=hits, actual=actual, predicted=predicted, n=np.asarray(actual.sum(axis=-1)))
    return table


def _priced(measure: Measure, rows: Drawn, **stated: Any) -> Ratio:
    """A mean of what answers cost; what the costs allow, and not what was seen, sets its range."""
    size, (cells, cell) = len(rows.labels), _cells(rows)
    costs = np.zeros(cells.size)
    ends = (0.0, 1.0)
    for some in portions(cells.size, ONE_BY_ONE):
        predicted, actual = np.divmod(cells[some.start : some.stop], size)
        tables = Contingency.of_cells(
            rows.labels, predicted, actual, np.eye(len(some), dtype=np.int64), truths=rows.truths
        )
        priced = measure(tables, **stated)
        costs[some.start : some.stop] = priced.estimate
        ends = float(priced.units(np.asarray(0.0))), float(priced.units(np.asarray(1.0)))
    share = (costs[cell] - ends[0]) / (ends[1] - ends[0])
    return rows.ratio(np.clip(share, 0.0, 1.0), over="rows", scale=Scale(*ends), graded=True)


def _ranked(measure: Measure, rows: Drawn, label: str) -> Influence:
    """What is read off the scores of a label: the value, and what each row adds to it."""
    assert measure.influence is not None  # every measure of scores declares it
    positive = np.asarray(rows.truth == rows.labels.index(label))
    value, added = measure.influence(rows.scores[label], positive, rows.rows)
    each = tuple(rows.sums(held) for held in (positive, ~positive))
    squares = tuple(float(exact_sum(rows.rows * held * added**2)) for held in (positive, ~positive))
    resting = Resting.of(each, squares, rows.draws)
    found = Influence(value, rows.sums(added), resting.leverage, rows.draws, Scale(*measure.range))
    return replace(found, smooth=measure.smooth, fewest=resting.fewest)


def _losses(measure: Measure, rows: Drawn, **stated: Any) -> Iterator[Ratio]:
    """A mean of what each row loses, by its margin or by the probabilities of what came true."""
    assert measure.row_losses is not None  # see readings
    forecast = rows.square if measure.of_squares else rows.probability
    values = rows.margin if measure.takes is Margins else forecast
    if values is not None:
        losses, low, high = measure.row_losses(values, **stated)
        high = rows.largest_square if measure.of_squares else high
        share, straight = np.clip((losses - low) / (high - low), 0.0, 1.0), measure.unit == "nats"
        levels = EVENTS if Counts in measure.gives else ()
        scale, graded = Scale(low, high), not levels
        yield rows.ratio(share, over="rows", scale=scale, levels=levels, graded=graded, straight=straight)
