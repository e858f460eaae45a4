"""The rows as they were drawn: what kinds of rows each draw holds, and what they weigh."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from holdfast.errors import HoldfastError, InvalidEvidence
from holdfast.evidence import Array, Contingency, Integers
from holdfast.evidence.contingency import classes_of
from holdfast.evidence.draws import Draws, Influence, Ratio
from holdfast.evidence.value import SHARES, Scale
from holdfast.numerics.arrays import grouped_sums
from holdfast.predictions import Predictions
from holdfast.predictions.design import Design
from holdfast.tally.rows import Kinds, Rows
from holdfast.wording import quoted

QUESTION = "question"  # what a group is called that is one


def drawn_by_question(rows: Predictions, sampled: bool) -> Predictions:
    """Rows whose questions are the clusters, where no others were declared: samples of one depend on each other.

    Questions of which each has one row are draws like any other, unless they are to have several (`sampled`).
    """
    if "id" not in rows.columns or "cluster" in rows.columns:
        return rows
    if not sampled and not Rows.of(rows).repeats("id"):
        kept = tuple(name for name in rows.columns if name != "id")
        return replace(rows, frame=rows.frame.select(*kept), columns=kept)
    columns = tuple("cluster" if name == "id" else name for name in rows.columns)
    return replace(rows, frame=rows.frame.rename({"id": "cluster"}), columns=columns)


def questions_as_groups(rows: Predictions) -> Predictions:
    """The rows of which each question is a group, and nothing else: what is said of it is of its own samples alone.

    Questions are what the ids name, or else the clusters. How they were drawn plays no part in what holds of each.
    """
    named = next((name for name in ("id", "cluster") if name in rows.columns), None)
    if named is None or "value" in rows.columns:
        right = "one row for each sample, and which question it is of, as ids= (--id)"
        why = "it takes" if named is None else "answers that are right or wrong, and no partial credit, make that up:"
        raise HoldfastError(f"Each question's own chance to be answered right was asked for; {why} {right}.")
    answers = tuple(name for name in ("truth", "predicted", "correct") if name in rows.columns)
    kinds = Rows.of(rows).kinds((named,))
    unnamed = int(kinds.times[kinds.missing(named)].sum())
    if unnamed and rows.missing != "drop":
        raise InvalidEvidence(
            f"Of the rows of {rows.source}, there are {unnamed:,} that name no question. Every row is a sample of some "
            'question: repair them, or leave them out with missing="drop" (--missing drop).'
        )
    frame = Rows.of(rows).named(named) if unnamed else rows.frame
    frame = frame.select(*answers, named).rename({named: "by_0"})
    return replace(rows, frame=frame, columns=(*answers, "by_0"), group_names=(QUESTION,), design=Design())


def check_questions(kinds: Kinds, source: str) -> None:
    """Refuse questions whose samples are in several clusters."""
    size = max(len(kinds["cluster"].values), 1)
    clusters = np.bincount(np.unique(kinds["id"].codes * np.int64(size) + kinds["cluster"].codes) // size)
    several = np.flatnonzero(clusters > 1)
    if several.size:
        named = [(kinds["id"].values[place], clusters[place]) for place in several.tolist()]
        example, times = min(named, key=lambda pair: str(pair[0]))
        number = "1 question is" if several.size == 1 else f"{several.size:,} questions are"
        raise InvalidEvidence(
            f"In {source}, {number} in several clusters, such as {quoted(example)} in {times:,}. All samples of a "
            "question must be of one cluster: repair them, or are the ids not those of the questions?"
        )


EVENTS: tuple[float, ...] = (0.0, 1.0)  # all that a row can add to a count
ENTRIES = ("draw", "weight", "truth", "predicted", "value", "margin", "probability", "square", "question", "count")


@dataclass(frozen=True, eq=False)
class Drawn:
    """Entries, each for all rows of one kind in one draw: all that measures under a design are read off.

    A group keeps some entries and all draws: those without a row of the group add nothing, and are draws all the same.

    Examples
    --------
    >>> right = np.array([1.0, 0.0, 1.0])
    >>> rows = Drawn(Draws(np.ones(2), most=3.0), np.array([0, 0, 1]), np.ones(3), value=right)
    >>> rows.ratio(right)
    Ratio(mean=0.666667, draws=2)
    """

    draws: Draws
    draw: Integers  # the draw of each entry, as its place among them
    weight: Array  # what its rows weigh together
    truth: Integers | None = None  # places of the labels
    predicted: Integers | None = None
    value: Array | None = None  # how right an answer is, from 0 to 1, in place of labels
    levels: tuple[float, ...] = ()  # all that it can be, where that was declared
    margin: Array | None = None
    probability: Array | None = None  # the one given to what came true
    square: Array | None = None  # the squared distance of the probabilities from what came true
    question: Integers | None = None  # the place of the question that its rows are samples of
    count: Array | None = None  # how many rows there are, where that is not what they weigh
    scores: Mapping[str, Array] = field(default_factory=dict)  # by the label that they speak for
    labels: tuple[str, ...] = ()  # none where rows are only known as right or wrong
    truths: Integers = field(default_factory=lambda: np.zeros(0, np.int64))  # places of the labels that rows may have
    largest_square: float = 1.0  # that there can be: 2 where there is a probability for each of many labels
    part: Hashable = None  # which rows these are, where they are not all
    kinds: int = 0  # of rows, where each draw has an entry for each of so many, one kind after the other; else 0

    def kept(self, where: NDArray[np.bool_], part: Hashable) -> Drawn:
        """The entries of a group; the draws stay what they are."""
        return self.at(np.flatnonzero(where), part)

    def at(self, places: Integers, part: Hashable) -> Drawn:
        """Some of the entries."""
        held = {name: getattr(self, name) for name in ENTRIES}
        kept = {name: values[places] for name, values in held.items() if values is not None}
        scores = {label: each[places] for label, each in self.scores.items()}
        return replace(self, **kept, scores=scores, part=part, kinds=0)

    def weighing(self, weight: Array, count: Array | None, part: Hashable) -> Drawn:
        """The same entries, of which some weigh less, or nothing."""
        return replace(self, weight=weight, count=count, part=part)

    @classmethod
    def of_table(cls, table: Contingency, shares: Mapping[str, float] | None = None) -> Drawn:
        """The examples of a table, each a draw of its own; within the classes, where their shares are stated."""
        predicted, truth, times = table.seen.cells
        stratum = factor = None
        if shares is not None:
            stratum = truth
            of_class = np.array([shares.get(label, 0.0) for label in table.labels])
            each = of_class / np.maximum(np.bincount(truth, times, len(table.labels)), 1.0)
            factor = (each / each.max())[truth]
        draws = Draws(times.astype(np.float64), stratum, factor)
        weight = np.ones(times.size) if factor is None else factor
        places = np.arange(times.size)
        return cls(draws, places, weight, truth, predicted, labels=table.labels, truths=table.truths)

    def draw_by_draw(self) -> Drawn:
        """The same, for what each draw adds though it is a row of its own."""
        return replace(self, draws=replace(self.draws, rows=False))

    @property
    def classes(self) -> Integers:
        """Places of the labels that are classes: all but the one for missing answers."""
        return classes_of(self.labels)

    @property
    def actual(self) -> Integers:
        """The true label of each kind of rows that there is an entry for."""
        assert self.truth is not None  # or nobody asks about labels
        return self.truth[:: self.draws.times.size] if self.kinds else self.truth

    @property
    def answers(self) -> Integers:
        """The prediction of each kind of rows that there is an entry for."""
        assert self.predicted is not None  # or nobody asks about predictions
        return self.predicted[:: self.draws.times.size] if self.kinds else self.predicted

    @property
    def of_kinds(self) -> Array:
        """What the rows of each of these kinds weigh in all draws."""
        return self.rows.reshape(self.kinds, -1).sum(axis=1) if self.kinds else self.rows

    def of_entries(self, values: Array) -> Array:
        """From one for each kind of rows to one for each entry."""
        return np.repeat(values, self.draws.times.size) if self.kinds else values

    @property
    def table(self) -> Contingency:
        """How many rows there are of each label, where each of them weighs one."""
        assert self.truth is not None
        size, predicted = len(self.labels), np.zeros_like(self.truth) if self.predicted is None else self.predicted
        cells, place = np.unique(predicted * size + self.truth, return_inverse=True)
        times = np.rint(np.bincount(place.reshape(-1), self.rows)).astype(np.int64)
        return Contingency.of_cells(self.labels, *np.divmod(cells, size), times, truths=self.truths)

    @cached_property
    def rows(self) -> Array:
        """What the rows of each entry weigh in all draws that are just alike."""
        return np.asarray(self.weight * self.draws.times[self.draw])

    def sums(self, values: Array | float = 1.0, largest: float | None = None) -> Array:
        """What each draw adds up to, where every row of an entry has its value: no order of entries changes a digit.

        Sums that are compared with each other need the same `largest`, the most that an entry may add to either.
        """
        if self.kinds:
            return self._by_kind(np.broadcast_to(np.asarray(values, np.float64), (self.kinds,)))
        if largest is None:
            each = self.weight * values
            largest = float(max(each.max(initial=0.0), -each.min(initial=0.0)))
        if not 0.0 < largest < np.inf:  # nothing is added, or nothing known
            return np.bincount(self.draw, self.weight * values, self.draws.times.size)
        return grouped_sums(values, self.draw, self.draws.times.size, largest, self.weight)

    def _by_kind(self, values: Array) -> Array:
        """The same from one value for each kind of rows; kinds are added up in their order."""
        total = np.zeros(self.draws.times.size)
        for value, weight in zip(values, self.weight.reshape(self.kinds, -1), strict=True):
            if value and weight.any():  # what no row is of may have no value
                total += weight if value == 1.0 else value * weight
        return total

    def total(self, values: Array | float = 1.0) -> float:
        """The same of all draws."""
        return float(np.sum(self.draws.times * self.sums(values)))

    def holders(self, places: Integers, size: int) -> Array:
        """How many draws hold rows of each of so many kinds, from the kind of each entry."""
        number = max(self.draws.times.size, 1)
        codes = (places * np.int64(number) + self.draw)[self.weight > 0]
        few = size * number <= 4 * codes.size  # then counting is cheaper than sorting
        pairs = np.flatnonzero(np.bincount(codes)) if few else np.unique(codes)
        return np.bincount(pairs // number, self.draws.times[pairs % number], size)

    def ratio(
        self,
        above: Array,
        below: Array | float = 1.0,
        *,
        over: Hashable = None,
        scale: Scale = SHARES,
        levels: tuple[float, ...] = (),
        graded: bool = False,
        straight: bool = False,
    ) -> Ratio:
        """From what a row of each entry adds above and below the line."""
        trials = None if over is None else (self.part, over)
        most = None if self.kinds else float(np.max(self.weight * below, initial=0.0))
        part, whole = (self.sums(each, most) for each in (above * below, below))
        return Ratio(part, whole, self.draws, trials, scale, levels, graded, straight)

    def influence(self, value: float, added: Array, leverage: Array | float = 1.0, scale: Scale = SHARES) -> Influence:
        """From what a row of each entry adds to the estimate, and how much of what it rests on is the row's."""
        return Influence(value, self.sums(added), self.sums(leverage), self.draws, scale)
