"""From rows to draws, where these are not drawn one by one, or do not all weigh the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast.errors import InvalidEvidence
from holdfast.evidence import Array, Counts, Integers
from holdfast.evidence.draws import Draws
from holdfast.numerics.arrays import distinct
from holdfast.predictions import Predictions
from holdfast.tally.designs.divided import Divided, Division
from holdfast.tally.designs.drawn import EVENTS, Drawn, check_questions
from holdfast.tally.designs.order import Order
from holdfast.tally.groups import group_columns, group_names
from holdfast.tally.label_pairs import PAIR, Cells, outcomes, read_cells, read_passes, refused
from holdfast.tally.rows import Kinds, Rows, fingerprint_of, mix, seed_of, so_many
from holdfast.wording import brief


@dataclass(frozen=True, eq=False)
class DrawnRows:
    """What was drawn: entries for the tables and, where there are scores or margins, every row that has them."""

    entries: Divided  # as they were read
    largest: int  # rows of the draw that holds most of them
    uneven: bool  # whether not all draws weigh the same
    cells: Cells | None = None  # of the rows as they are, whatever they weigh; None where right and wrong is all
    errors: Counts = field(default_factory=lambda: Counts(0, 0))
    rows: int = 0
    positive: str | None = None
    missing: dict[str, int] = field(default_factory=dict)
    dropped: int = 0
    fingerprint: str = ""
    every: Divided | None = None  # each row by itself, with its numbers; NaN where there is none
    numbers: Mapping[str, Array] = field(default_factory=dict)  # by column, of each of these
    clustered: bool = False

    @property
    def draws(self) -> Draws:
        return self.entries.rows.draws

    @cached_property
    def tables(self) -> Divided:
        """Entries for all that is read off tables."""
        return self.entries.merged() if self.every is not None and self.clustered else self.entries


def read_draws(
    predictions: Predictions,
    *,
    positive: object = None,
    labels: Sequence[object] | None = None,
    by: Sequence[Sequence[str]] = (),
    numbers: Sequence[str] = (),
) -> DrawnRows:
    """The rows of each draw: counted where they live or, for columns of `numbers`, read from there.

    Parameters
    ----------
    positive, labels, by
        As for `tally`.

    Examples
    --------
    >>> rows = Predictions.from_arrays(correct=[1, 0, 1], clusters=["b", "a", "b"])
    >>> read_draws(rows).draws.number
    2
    """
    rows, without = _weighed(Rows.of(predictions))
    kinds, missing = _entries(rows, by, numbers)
    missing |= without
    source = _read(rows, kinds, positive, labels)
    kinds = kinds.filter(source.kept)
    held = {name: kinds.sums[name] + 0.0 for name in numbers}  # -0.0 is 0.0
    divisions = [group_names(kinds, names, group_columns(rows, names)) for names in by]
    order = Order.of(rows, kinds, _stirred(source.words[source.kept], held), [group for _, group in divisions])
    weighed = "weight" in kinds.sums or order.draws.stratum is not None  # then rows are not as many as they weigh
    made = Drawn(
        order.draws,
        order.draw,
        order.weight,
        **source.entries,
        question=kinds["id"].codes.astype(np.int64) if "id" in kinds.columns else None,
        count=kinds.times.astype(np.float64) if weighed else None,
        labels=source.labels,
        truths=source.truths,
    )
    every = Divided(made, tuple(Division(tuple(title), group) for title, group in divisions))
    sizes = np.bincount(order.draw, kinds.times, order.draws.times.size)
    return DrawnRows(
        entries=every,
        clustered="cluster" in predictions.columns,
        largest=int(sizes.max(initial=0)),
        uneven=bool(np.ptp(made.sums())),
        cells=source.cells,
        errors=source.errors,
        rows=int(kinds.times.sum()),
        positive=source.positive,
        missing={**source.missing, **missing},
        dropped=source.dropped + sum(missing.values()),
        fingerprint=order.fingerprint(source.fingerprint, divisions),
        every=every if numbers else None,
        numbers=held,
    )


# ---- What rows hold


def _weighed(rows: Rows) -> tuple[Rows, dict[str, int]]:
    """Rows all of which have a weight, and how many had none."""
    if "weight" not in rows.predictions.columns:
        return rows, {}
    rows.check_numeric(("weight",))
    weight, source = rows.numbers("weight"), brief(rows.predictions.source)
    absent = int(np.count_nonzero(np.isnan(weight)))
    known = weight[~np.isnan(weight)] if absent else weight
    chances = rows.predictions.design.inclusion is not None
    called = "chance of being drawn" if chances else "weight"
    least, heaviest = (known.min(), known.max()) if known.size else (1.0, 0.0)
    if least < (1.0 if chances else 0.0) or np.isinf(heaviest):
        strange = known[(known < (1.0 if chances else 0.0)) | np.isinf(known)]
        told = 1.0 / strange[0] if chances and strange[0] else strange[0]
        lie = "chances lie above 0 and are at most 1" if chances else "weights are finite numbers from 0 on"
        raise InvalidEvidence(f"A {called} of {source} is {told:g}; {lie}.")
    most = rows.predictions.design.max_weight
    if most is not None and heaviest > most:
        raise InvalidEvidence(
            f"A row weighs {heaviest:g}, more than the {most:g} that were stated as the most. The number must be "
            "known before looking; state one that no row can exceed, or none: max_weight= (--max-weight)."
        )
    if not heaviest > 0:
        raise InvalidEvidence(f"The rows of {source} weigh nothing: there is no row that counts.")
    if not absent:
        return rows, {}
    if rows.predictions.missing != "drop":
        raise InvalidEvidence(
            f"Of the {so_many(weight.size)} of {source}, there are {absent:,} without a {called}"
            f'{rows.where_missing(("weight",))}. Repair them, or leave them out with missing="drop" (--missing drop).'
        )
    return rows.having(("weight",)), {called.partition(" ")[0]: absent}


def _entries(rows: Rows, by: Sequence[Sequence[str]], numbers: Sequence[str]) -> tuple[Kinds, dict[str, int]]:
    """The rows of each draw by all that tables and groups are read off, and how many rows are of no draw."""
    predictions = rows.predictions
    held = predictions.columns
    drawn, source = predictions.design.order is not None, brief(predictions.source)
    if drawn and not rows.in_order:
        raise InvalidEvidence(
            f"The rows of {source} are held by an engine that keeps no order, so that "
            'order="drawn" (--order drawn) says nothing of them: give a file, or a frame of polars or pandas.'
        )
    keys: list[str] = [name for name in ("cluster", "stratum", "id") if name in held]
    keys += dict.fromkeys(column for names in by for column in group_columns(rows, names))
    keys += [] if "value" in held else ["correct"] if "correct" in held else PAIR
    weight, value = (["weight"] if "weight" in held else []), (["value"] if "value" in held else [])
    # Without clusters rows of equal weight are draws alike; mostly there are none, and each stands for itself.
    one_by_one = numbers or value or (weight and "cluster" not in held)
    kinds = rows.each(keys, [*weight, *value, *numbers]) if one_by_one else rows.kinds(keys, drawn, weight)
    if drawn and kinds.first is None:
        kinds = replace(kinds, first=np.arange(kinds.times.size))
    lost: dict[str, int] = {}
    for name in ("cluster", "stratum", "id"):
        if name in held and (gone := kinds.missing(name)).any():
            lost[name] = int(kinds.times[gone].sum())
            _refuse_missing(rows, name, lost[name], kinds.rows)
            kinds = kinds.filter(~gone)
    if "id" in held and "cluster" in held:
        check_questions(kinds, source)
    return kinds, lost


BELONGS = {
    "cluster": ("a cluster", "Every row belongs to a cluster, if only to one of its own"),
    "stratum": ("a stratum", "Every row was drawn from a stratum"),
    "id": ("an id", "Every row is a sample of some question"),
}


def _refuse_missing(rows: Rows, name: str, lost: int, total: int) -> None:
    source, (what, belongs) = brief(rows.predictions.source), BELONGS[name]
    if rows.predictions.missing != "drop":
        raise InvalidEvidence(
            f"Of the {so_many(total)} of {source}, there are {lost:,} without {what}{rows.where_missing((name,))}. "
            f'{belongs}: repair them, or leave them out with missing="drop" (--missing drop).'
        )
    if lost == total and total:
        raise InvalidEvidence(f"No row of {source} names its {name}: nothing is left.")


@dataclass(frozen=True, eq=False)
class _Source:
    """What the kinds of rows are, and which of them were kept."""

    kept: NDArray[np.bool_]
    words: NDArray[np.uint64]  # one for what each kind holds
    fingerprint: str
    entries: dict[str, Any]  # of those that were kept
    errors: Counts
    missing: dict[str, int]
    dropped: int
    cells: Cells | None = None
    positive: str | None = None

    @property
    def labels(self) -> tuple[str, ...]:
        return () if self.cells is None else self.cells.labels

    @property
    def truths(self) -> Integers:
        return np.zeros(0, np.int64) if self.cells is None else self.cells.table.truths


def _read(rows: Rows, kinds: Kinds, positive: object, labels: Sequence[object] | None) -> _Source:
    """What each kind of rows holds: how right the answers are, right or wrong, or labels."""
    if "value" in rows.predictions.columns:
        return _graded(rows, kinds)
    if "correct" in rows.predictions.columns:
        return _passes(rows, kinds)
    return _answers(rows, kinds, positive, labels)


def _answers(rows: Rows, kinds: Kinds, positive: object, labels: Sequence[object] | None) -> _Source:
    cells, chosen = read_cells(rows, labels, positive, kinds)
    seen, place = distinct(cells.coding.cells(kinds["truth"], kinds["predicted"]))  # few, unlike rows
    kept = cells.coding.complete(seen)[place]
    of_kept = place if kept.all() else place[kept]
    truth, predicted = np.divmod(seen.astype(np.int64), cells.coding.size)
    whole = fingerprint_of(cells.labels, cells.truth, cells.predicted, cells.times)
    entries = {"truth": (truth - 1)[of_kept], "predicted": (predicted - 1)[of_kept] if cells.answered else None}
    errors = cells.errors if cells.answered else Counts(0, 0)
    words = _words(cells.labels, truth, predicted)[place]
    return _Source(kept, words, whole, entries, errors, cells.missing, cells.dropped, cells, chosen)


def _words(labels: tuple[str, ...], truth: Integers, predicted: Integers) -> NDArray[np.uint64]:
    """A word for each pair of labels, which are counted from 1."""
    names = ("", *labels)
    pairs = [(names[a], names[b]) for a, b in zip(truth, predicted, strict=True)]
    return np.array([seed_of(f"{len(a)} {a}{b}") for a, b in pairs], np.uint64)


def _stirred(words: NDArray[np.uint64], numbers: Mapping[str, Array]) -> NDArray[np.uint64]:
    """The words with the numbers that stand beside the labels."""
    for number in numbers.values():
        words = words ^ np.where(np.isnan(number), np.nan, number).view(np.uint64)
        mix(words)
    return words


def _passes(rows: Rows, kinds: Kinds) -> _Source:
    errors, number, missing, dropped = read_passes(rows, kinds)
    right, _, absent = outcomes(kinds["correct"], rows.predictions.grading)
    seen = np.flatnonzero(number)
    words = np.array([seed_of("wrong"), seed_of("right")], np.uint64)[right.astype(np.int64)]
    whole = fingerprint_of(["right", "wrong"], seen, seen, number[seen], ["correct"])
    kept = ~absent | (dropped == 0)
    entries = {"value": right[kept].astype(np.float64), "levels": EVENTS}
    return _Source(kept, words, whole, entries, errors, missing, dropped)


def _graded(rows: Rows, kinds: Kinds) -> _Source:
    """Answers that may be partly right; a missing one is wrong altogether where it is not left out."""
    values, way, source = rows.predictions.values, rows.predictions.missing, brief(rows.predictions.source)
    if not kinds.times.size:
        raise InvalidEvidence(f"There are no rows to assess in {source}.")
    shares = values.shares(kinds.sums["value"], source)
    absent = np.isnan(shares)
    number = int(np.count_nonzero(absent))
    if number and way == "refuse":
        raise refused(rows, {"value": number}, shares.size, ("value",))
    if number == shares.size and way == "drop":
        raise InvalidEvidence(f"Every row of {source} misses its value: nothing is left.")
    kept = ~absent if way == "drop" else np.ones(absent.shape, bool)
    shares = np.where(absent, 0.0, shares)
    words = shares.view(np.uint64) ^ np.uint64(seed_of("value"))
    mix(words)
    ends = f"values {values.low!r} {values.high!r} {values.levels!r}"
    mark = sha256(ends.encode() + np.sort(words[kept]).astype("<u8").tobytes()).hexdigest()
    entries = {"value": shares[kept], "levels": values.levels}
    missing = {"value": number} if number else {}
    return _Source(kept, words, mark, entries, Counts(0, 0), missing, number if way == "drop" else 0)
