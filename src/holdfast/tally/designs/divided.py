"""Rows as they were drawn and the groups that they are divided into: the rows of each, and those of all others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdfast.evidence import Array, Integers
from holdfast.numerics.arrays import distinct, rising_order
from holdfast.tally.designs.drawn import Drawn

FEW_KINDS = 16  # of rows, up to which each draw may have an entry for each
KEPT = 2**24  # entries of all groups together that are kept for the next measure
ROOM = 4  # entries that may be empty for each that is not


class Division(NamedTuple):
    """A way to divide the rows: what its groups are called, and which of them each entry is of."""

    names: tuple[str, ...]
    codes: Integers

    @property
    def places(self) -> Iterator[tuple[str, Integers]]:
        """The entries of each group."""
        order = np.argsort(self.codes.astype(np.min_scalar_type(len(self.names))), kind="stable")
        ends = np.cumsum(np.bincount(self.codes, minlength=len(self.names)))
        return zip(self.names, np.split(order, ends[:-1]), strict=True)

    def parts(self, rows: Drawn) -> Iterator[tuple[str, Drawn]]:
        """The rows of each group."""
        return ((name, rows.at(places, name)) for name, places in self.places)


@dataclass(frozen=True, eq=False)
class Divided:
    """Rows as they were drawn, and the ways in which they are divided."""

    rows: Drawn
    divisions: tuple[Division, ...] = ()
    ranked: bool = False  # whether they stand in rising order of their scores, which are of one label

    def kept(self, where: NDArray[np.bool_]) -> Divided:
        """Some of the entries."""
        divisions = tuple(Division(each.names, each.codes[where]) for each in self.divisions)
        return Divided(self.rows.kept(where, self.rows.part), divisions)

    def merged(self) -> Divided:
        """With entries of one draw and group that tables do not tell apart in one; nothing else is kept of them."""
        rows = self.rows
        if rows.truth is None:
            return self
        size, number = len(rows.labels), max(rows.draws.times.size, 1)
        code = rows.truth * np.int64(size)
        code += 0 if rows.predicted is None else rows.predicted
        code *= number
        code += rows.draw
        code += 0 if rows.question is None else rows.question * (np.int64(size * size) * number)
        for each in self.divisions:
            code *= len(each.names)
            code += each.codes
        found, place = distinct(code)
        first = np.empty(found.size, np.int64)
        first[place[::-1]] = np.arange(place.size)[::-1]
        made = replace(
            rows,
            draw=rows.draw[first],
            weight=np.bincount(place, rows.weight),
            truth=rows.truth[first],
            predicted=None if rows.predicted is None else rows.predicted[first],
            question=None if rows.question is None else rows.question[first],
            count=None if rows.count is None else np.bincount(place, rows.count),
            margin=None,
            probability=None,
            square=None,
            scores={},
        )
        return Divided(made, tuple(Division(each.names, each.codes[first]) for each in self.divisions))

    @cached_property
    def by_score(self) -> Divided:
        """The rows in rising order of their scores, where these are of one label; nothing else is kept of them.

        Whatever is read off scores, of groups or of all others, then finds them in order: sorted once for all of it.
        """
        rows = self.rows
        if len(rows.scores) != 1:
            return self
        (scores,) = rows.scores.values()
        order = rising_order(scores)
        truth = None if rows.truth is None else rows.truth.astype(np.min_scalar_type(-len(rows.labels) - 1))
        bare = replace(rows, predicted=None, margin=None, probability=None, square=None, count=None, question=None)
        bare = replace(bare, truth=truth)
        divisions = tuple(Division(each.names, each.codes[order]) for each in self.divisions)
        return Divided(bare.at(order, rows.part), divisions, ranked=True)

    # ---- Groups and the rest

    @cached_property
    def _parts(self) -> dict[tuple[str, ...], list[tuple[str, Drawn]]]:
        """Of each division that was asked for, the rows of each group: several measures ask for them."""
        return {}

    @cached_property
    def whole(self) -> Drawn:
        """All rows; with an entry for each kind of rows in each draw, where there are few kinds."""
        if self._cells is None:
            return self.rows
        rows, number = self.rows, self.rows.draws.times.size
        size = len(rows.labels)
        actual, answers = (np.arange(size), None) if rows.predicted is None else np.divmod(np.arange(size * size), size)
        laid_out = replace(
            rows,
            draw=np.tile(np.arange(number), actual.size),
            truth=np.repeat(actual, number),
            predicted=None if answers is None else np.repeat(answers, number),
            kinds=actual.size,
        )
        return laid_out.weighing(*self._laid_out(slice(None)), rows.part)

    @cached_property
    def _cells(self) -> Integers | None:
        """The place of each entry where every draw has one for every kind of rows; None where most would be empty."""
        rows = self.rows
        size, number = len(rows.labels), rows.draws.times.size
        kinds = size if rows.predicted is None else size * size
        numbered = rows.scores or any(each is not None for each in (rows.margin, rows.probability, rows.question))
        if rows.truth is None or numbered or kinds > FEW_KINDS or kinds * number > ROOM * rows.draw.size:
            return None
        kind = rows.truth if rows.predicted is None else rows.truth * size + rows.predicted
        return kind * number + rows.draw

    def _laid_out(self, places: Integers | slice) -> tuple[Array, Array | None]:
        """What some of the entries weigh and how many rows they are, an entry for each kind of rows in each draw."""
        rows = self.rows
        assert self._cells is not None
        cells, size = self._cells[places], len(rows.labels) ** (1 if rows.predicted is None else 2)
        size *= rows.draws.times.size
        weight = np.bincount(cells, rows.weight[places], size)
        return weight, None if rows.count is None else np.bincount(cells, rows.count[places], size)

    def parts(self, division: Division) -> Iterator[tuple[str, Drawn]]:
        """The rows of each group."""
        if self._cells is None:
            yield from division.parts(self.rows)
            return
        if division.names in self._parts:
            yield from self._parts[division.names]
            return
        made = ((name, self.whole.weighing(*self._laid_out(places), name)) for name, places in division.places)
        if self.whole.weight.size * len(division.names) > KEPT:
            yield from made
            return
        self._parts[division.names] = [*made]
        yield from self._parts[division.names]

    def rest(self, division: Division, place: int, part: Drawn) -> Drawn:
        """The rows of all groups but one."""
        name = f"not {division.names[place]}"
        if not self.whole.kinds:
            others = division.codes != place
            count = None if self.rows.count is None else self.rows.count * others
            return self.rows.weighing(self.rows.weight * others, count, name)
        # Where a draw has no other rows of a kind both sums are of the same numbers in the same order: 0 is left.
        weight = np.maximum(self.whole.weight - part.weight, 0.0)
        count = None if self.whole.count is None or part.count is None else self.whole.count - part.count
        return self.whole.weighing(weight, count, name)
