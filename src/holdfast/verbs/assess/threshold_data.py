"""What a page shows of the scores: how they are spread over the classes, and what each threshold would do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import ROUND_FLOOR, Context, Decimal
from typing import Any

import numpy as np

from holdfast.bounds.binomial import clopper_pearson
from holdfast.evidence import Array, Counts, Integers, Scores, numbers
from holdfast.selection.bands import Band, band, precision_bands, shared_by, thinned
from holdfast.wording import quoted

BINS = 50  # reached at 10,000 examples: beyond them a page does not grow
SMALLEST, LARGEST, TINY = 1e-290, 1e290, 1e-12  # spans, and their part of what is spanned, that edges can divide
POINTS = 200  # thresholds that a reader may choose from, besides the declared one
FEWEST_DIGITS, MOST_DIGITS = 6, 15  # of a threshold that is not written out; more are not worth leaving any out


def histogram(scores: Scores, label: str) -> dict[str, Any]:
    """How many examples of the class, and how many others, have scores between round numbers.

    There are more bins for more examples, up to a number; each takes its lower edge, the last one both of its edges.
    """
    wanted = min(BINS, int(2.2 * np.cbrt(int(scores.n))) + 5)
    edges = round_edges(*scores.ends, wanted)
    if scores.width:
        edges = _between_bins(edges, scores.cells().values, scores.width)
    counts = np.zeros((2, edges.size - 1), np.int64)
    for values, *both in scores.blocks():
        cuts = np.searchsorted(values, edges[1:-1])
        for row, times in zip(counts, both, strict=True):
            below = np.append(0, np.cumsum(times))
            row += np.diff(below[cuts], prepend=0, append=below[-1])
    return {
        "label": label,
        "edges": edges.tolist(),
        "positive": counts[0].tolist(),
        "other": counts[1].tolist(),
    }


def round_edges(low: float, high: float, most: int) -> Array:
    """Round numbers at equal steps around all from low to high, with at most so many steps.

    Examples
    --------
    >>> print(round_edges(0.03, 0.98, 10))
    [0.  0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1. ]
    """
    span = high - low or max(abs(high), 1.0)
    if not max(SMALLEST, abs(low) * TINY, abs(high) * TINY) < span < LARGEST:  # no round numbers between them
        return np.array([low, max(high, np.nextafter(low, np.inf))])
    power = int(np.floor(np.log10(span / most)))
    for digit in (1, 2, 5, 10, 20, 50):
        # Dividing by a power of ten gives the decimals that one writes; multiplying by its inverse does not.
        unit, by = (digit, 10.0**-power) if power < 0 else (digit * 10.0**power, 1.0)
        first, last = np.floor(low / unit * by), np.ceil(high / unit * by)
        first -= first == last
        if last - first <= most:
            break
    return np.unique(np.arange(first, last + 1) * unit / by)


def _between_bins(edges: Array, values: Array, width: float) -> Array:
    """The edges, each that lies inside a bin moved to its upper end: scores within a bin cannot be told apart."""
    place = np.searchsorted(values, edges)
    below = np.append(-np.inf, values)[place] + width
    return np.unique(np.where(below > edges, np.minimum(below, np.append(values, np.inf)[place]), edges))


def thresholds(
    scores: Scores,
    label: str,
    delta: float,
    operating_point: float | None = None,
    rule: Callable[[], float | None] | None = None,
    mixed: bool = False,
) -> dict[str, Any]:
    """What predicting the class from each threshold on would do: exact counts, rates, and two kinds of limits.

    Where there are many scores, thresholds at equal steps along the ROC curve stand for all: `of` how many is told.
    Each is also `shown`, with digits enough that this decimal divides the examples as the threshold does. The
    pointwise limits, `lower` and `upper`, hold at a threshold that was fixed beforehand; those of the band at all
    thresholds at once.
    """
    declared = _declared(scores, operating_point, rule)
    threshold, right, wrong = (each[1:] for each in thinned(scores, POINTS))
    if declared is not None and declared not in threshold:
        hits, alarms = scores.at(declared).table[0]
        place = int(np.searchsorted(-threshold, -declared))
        threshold = np.insert(threshold, place, declared)
        right, wrong = np.insert(right, place, hits), np.insert(wrong, place, alarms)
    values = threshold.tolist()
    shown = [separating(*gap) for gap in zip(_next_below(scores, threshold), values, strict=True)]
    if declared is not None and operating_point is not None:
        shown[values.index(declared)] = written(declared)  # it is said as it was declared
    columns: dict[str, list[Any]] = {
        "threshold": values,
        "shown": shown,
        "tp": right.tolist(),
        "fp": wrong.tolist(),
        "fn": (scores.n_positive - right).tolist(),
        "tn": (scores.n_negative - wrong).tolist(),
        **_rates(right, wrong, scores.n_positive, scores.n_negative, delta, mixed),
    }
    points = [dict(zip(columns, point, strict=True)) for point in zip(*columns.values(), strict=True)]
    why = _why(label, None if declared is None else shown[values.index(declared)], operating_point)
    return {"label": label, "declared": declared, "why": why, "of": scores.order.distinct, "points": points}


def _declared(scores: Scores, operating_point: float | None, rule: Callable[[], float | None] | None) -> float | None:
    """The threshold that was fixed before the labels were seen."""
    if operating_point is not None:
        return _end_of_bin(scores, float(numbers("operating_point", operating_point)))
    return rule() if rule is not None else None


def _why(label: str, declared: str | None, operating_point: float | None) -> str:
    """Why it is taken for that."""
    if operating_point is not None:
        given = written(float(operating_point))
        moved = "" if declared == given else f" As scores are counted in bins, {declared} is shown, the end of one."
        return f"The threshold {given} was declared beforehand.{moved}"
    if declared is not None:
        return (
            f"The predictions say {quoted(label)} exactly from the score {declared} on: that is the model's own rule, "
            "fixed before the labels were seen."
        )
    return (
        "No threshold was declared, and the predictions themselves follow none: whichever is chosen here was chosen "
        "after looking, so that only limits that hold at all thresholds at once can be trusted."
    )


def separating(below: float, threshold: float) -> str:
    """The threshold, or a decimal under it with fewer digits that is still above `below`.

    Examples
    --------
    >>> separating(0.3, 2 / 3), separating(0.66666664, 2 / 3), separating(0.3, 0.5)
    ('0.666666', '0.66666666', '0.5')
    """
    meant = Decimal(repr(threshold))
    for digits in range(FEWEST_DIGITS, MOST_DIGITS + 1):
        down = float(Context(digits, ROUND_FLOOR).plus(meant))
        if below < down:
            return f"{down:.{digits}g}"
    return written(threshold)


def written(threshold: float) -> str:
    """All digits that it takes to mean this number."""
    return repr(float(threshold)).removesuffix(".0")


def _next_below(scores: Scores, threshold: Array) -> list[float]:
    """What an example may score at most that misses each of these falling thresholds: just less, in a bin beside it."""
    below = np.full(threshold.size, -np.inf)
    for values, *_ in scores.blocks():
        place = np.searchsorted(values, threshold)
        below = np.where(place > 0, values[place - 1], below)
    if scores.width:
        below = np.minimum(below + scores.width, threshold)
        below = np.nextafter(below, -np.inf)
    return below.tolist()


def _end_of_bin(scores: Scores, threshold: float) -> float:
    """The threshold, or the lower end of the bin that it lies in."""
    if not scores.width:
        return threshold
    values = scores.cells().values
    place = int(np.searchsorted(values, threshold, side="right")) - 1
    inside = place >= 0 and values[place] < threshold < values[place] + scores.width
    return float(values[place]) if inside else threshold


def _rates(
    right: Integers, wrong: Integers, n_positive: int, n_negative: int, delta: float, mixed: bool
) -> Mapping[str, list[dict[str, float | None]]]:
    share = shared_by(2, delta)
    spared = n_negative - wrong
    rates = {
        "recall": _rate(Counts(right, np.full_like(right, n_positive)), band(right, n_positive, share), delta),
        "specificity": _rate(Counts(spared, np.full_like(spared, n_negative)), band(spared, n_negative, share), delta),
    }
    if mixed:  # precision depends on how frequent the classes are
        unknown = dict.fromkeys(("estimate", "lower", "upper", "band_lower", "band_upper"))
        return {**rates, "precision": [unknown] * right.size}
    _, precise = precision_bands(right, wrong, n_positive, n_negative, delta)
    return {**rates, "precision": _rate(Counts(right, right + wrong), precise, delta)}


def _rate(counts: Counts, everywhere: Band, delta: float) -> list[dict[str, float | None]]:
    """The rate at every threshold with both kinds of limits."""
    claim = clopper_pearson(counts, delta)
    columns = (
        [k / n if n else None for k, n in zip(counts.k.tolist(), counts.n.tolist(), strict=True)],
        *(np.asarray(each).tolist() for each in (claim.lower, claim.upper, everywhere.lower, everywhere.upper)),
    )
    names = ("estimate", "lower", "upper", "band_lower", "band_upper")
    return [dict(zip(names, values, strict=True)) for values in zip(*columns, strict=True)]
