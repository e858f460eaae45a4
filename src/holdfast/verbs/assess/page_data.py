"""What only pictures and the page need of a report: plain values, made on demand, and no more of them for more rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast.bounds.binomial import clopper_pearson
from holdfast.claims import Side
from holdfast.errors import HoldfastError
from holdfast.evidence import Array, Contingency, Counts, Evidence, Losses
from holdfast.numerics.binomial import beta_quantile
from holdfast.report import Line
from holdfast.tally import Tally
from holdfast.verbs.asking import FEW, Inquiry, Question
from holdfast.verbs.assess.threshold_data import histogram, thresholds

LEVELS = (0.8, 0.9, 0.95, 0.99)  # that a reader may switch between
LARGEST_SHOWN = 40  # labels of a table that is shown whole
MOST_CONFUSED = 60  # cells shown of a larger one
SIZES = 33  # of test sets that a plan looks at, from a quarter of this one to sixteen times as large

Views = Mapping[str, Callable[[], Any]]
Limits = dict[str, float | None]
Flags = NDArray[np.bool_]


def views_of(
    counted: Tally,
    ask: Inquiry,
    questions: Sequence[Question],
    lines: Sequence[Line],
    level: Array,
    each_of: Callable[[float], Array],
    operating_point: float | None = None,
    *,
    mixed: bool = False,
) -> Views:
    """By name, what makes each view.

    Parameters
    ----------
    level
        Delta of the report as a whole; that of `ask` is smaller where all its claims hold together.
    each_of
        What each claim has of such a delta.
    operating_point
        The threshold of the score that was declared beforehand.
    mixed
        Whether how frequent the classes are was chosen, or stated: then only what each class says by itself is shown.
    """
    delta, label = float(level), counted.positive
    views: dict[str, Callable[[], Any]] = {"levels": partial(levels, ask, questions, lines, delta, each_of)}
    one_by_one = counted.drawn is None or counted.drawn.draws.rows
    if counted.table is not None:  # of rows that were drawn together, or weigh differently, counts have no limits
        views["matrix"] = partial(matrix, counted.table, delta if one_by_one else None)
    if label is not None and (scores := counted.scores.get(label)) is not None and scores.n:
        views["scores"] = partial(histogram, scores, label)
        own = float(ask.delta)  # that of the curves, whose bands these are too
        views["thresholds"] = partial(thresholds, scores, label, own, operating_point, counted.rule, mixed)
    if not mixed and counted.counts.n and one_by_one:
        views["plan"] = partial(plan, counted.counts, float(ask.delta), ask.side)
    return views


def levels(
    ask: Inquiry, questions: Sequence[Question], lines: Sequence[Line], delta: float, each_of: Callable[[float], Array]
) -> dict[str, Any]:
    """The limits of every line at other levels: for reading, for a level chosen after looking proves nothing.

    A level at which one of the methods cannot answer is left out. Claims that hold together do so at every level.
    """
    declared = _confidence(delta)
    deltas = {level: each_of(_confidence(level)) for level in LEVELS if level != declared}
    by_level = {declared: [_limits(line) for line in lines], **_limits_at(ask, questions, deltas)}
    shown = {level: by_level[level] for level in sorted(by_level)}
    return {
        "declared": declared,
        "levels": list(shown),
        "claims": {repr(level): limits for level, limits in shown.items()},
    }


def _limits_at(ask: Inquiry, questions: Sequence[Question], deltas: Mapping[float, Array]) -> dict[float, list[Limits]]:
    """The limits of every line at each delta, by its level, in the order of the lines."""
    by_level: dict[float, list[Limits]] = {level: [] for level in deltas}
    for many, run in groupby(questions, key=lambda question: _many_losses(question.evidence)):
        alike = list(run)
        if many:  # to put them in an order takes longer than to bet on them: once for all levels
            every = replace(ask, delta=np.array([deltas[level] for level in by_level])).lines(alike) if by_level else []
            for place, limits in enumerate(by_level.values()):
                limits += [_limits(line, place) for line in every]
            continue
        for level in list(by_level):
            try:
                by_level[level] += [_limits(line) for line in replace(ask, delta=deltas[level]).lines(alike)]
            except HoldfastError:
                del by_level[level]
    return by_level


def _many_losses(evidence: Evidence) -> bool:
    """Whether their values are given one by one, too many to be asked about together with others."""
    single = isinstance(evidence, Losses) and evidence.has("values") and not evidence.mean.ndim
    return single and int(evidence.n) > FEW


def matrix(table: Contingency, delta: float | None) -> dict[str, Any]:
    """Every cell as a share of its actual class, with its exact limits; of a large table the most confused cells.

    Of a large table only the labels of the cells shown are kept, and the counts beside the table are theirs. These
    cells were picked for their counts: limits hold for a cell named in advance, and of many the largest counts are
    those that chance raised, so that they have none.
    """
    whole = len(table.labels) <= LARGEST_SHOWN
    places = np.arange(len(table.labels))
    if whole:
        predicted, actual = (place.reshape(-1) for place in np.indices((places.size, places.size)))
        counts = table.table.reshape(-1)
    else:
        predicted, actual, counts = table.seen.cells
        wrong = np.flatnonzero(predicted != actual)
        first = wrong[np.lexsort((actual[wrong], predicted[wrong], -counts[wrong]))][:MOST_CONFUSED]
        predicted, actual, counts = predicted[first], actual[first], counts[first]
        places = np.unique(np.concatenate((predicted, actual)))
    one_sided = np.isin(predicted, table.only_predicted)
    columns: dict[str, Sequence[Any]] = {
        "predicted": np.searchsorted(places, predicted).tolist(),
        "actual": np.searchsorted(places, actual).tolist(),
        "count": counts.tolist(),
        **_shares(Counts(counts, table.actual[actual]), delta if whole else None, one_sided),
    }
    return {
        "labels": [table.labels[place] for place in places],
        "rows": "predicted",
        "cells": [dict(zip(columns, cell, strict=True)) for cell in zip(*columns.values(), strict=True)],
        "actual": table.actual[places].tolist(),
        "predicted": table.predicted[places].tolist(),
        "complete": whole,
    }


def plan(errors: Counts, delta: float, side: Side = "both") -> dict[str, Any]:
    """Where the limits of the error rate would lie in test sets of other sizes, with as large a share of errors.

    That share of a test set need not be a whole number of errors: the Clopper-Pearson limits, being quantiles of beta
    variables, are defined in between as well.
    """
    n, k = int(errors.n), int(errors.k)
    sizes = np.unique(np.rint(n * np.append(np.geomspace(1 / 4, 16, SIZES), 1.0)).astype(np.int64))
    sizes = sizes[sizes > 0]
    share = delta / 2 if side == "both" else delta
    k_then, rest = sizes * k / n, sizes * (n - k) / n
    lower, upper = np.zeros(sizes.size), np.ones(sizes.size)
    if k and side != "upper":
        lower = beta_quantile(k_then, rest + 1, share).limit
    if n - k and side != "lower":
        upper = beta_quantile(rest, k_then + 1, share).room
    points = [{"n": int(s), "lower": float(a), "upper": float(b)} for s, a, b in zip(sizes, lower, upper, strict=True)]
    return {"measure": "error-rate", "estimate": k / n, "now": n, "points": points}


def _shares(counts: Counts, delta: float | None, one_sided: Flags) -> dict[str, list[float | None]]:
    """The shares and their limits; without delta there are none.

    Cells that were `one_sided` belong to a label that is listed because of them alone: they have no lower limit.
    """
    share = [k / n if n else None for k, n in zip(counts.k.tolist(), counts.n.tolist(), strict=True)]
    if delta is None:
        return {"share": share, "lower": [None] * len(share), "upper": [None] * len(share)}
    claim = clopper_pearson(counts, delta)
    lower = np.where(one_sided, 0.0, claim.lower)
    return {"share": share, "lower": lower.tolist(), "upper": np.asarray(claim.upper).tolist()}


def _limits(line: Line, place: int | None = None) -> Limits:
    """The limits of a line; of one that was asked for at several levels at once, those at one of them."""
    plain = line.claim.to_dict()
    return {end: plain[end] if place is None else plain[end][place] for end in ("lower", "upper")}


def _confidence(delta: float) -> float:
    """One minus it, as the decimal that one writes; and back."""
    return round(1.0 - delta, 12)
