"""Rows that are held in this process, counted by the codes of their labels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any, Self

import numpy as np

from holdfast.evidence import Array
from holdfast.predictions import Predictions
from holdfast.predictions.coded import AT_LEAST, ROOM, Coded, Held
from holdfast.tally.label_pairs import PAIR, Cells
from holdfast.tally.rows import Kinds, Rows
from holdfast.tally.scores import LARGEST, Kept


@dataclass(frozen=True, eq=False)
class HeldRows(Rows):
    """Rows as columns of codes and of numbers."""

    held: Held

    @classmethod
    def of(cls, predictions: Predictions) -> HeldRows:
        held: Held = predictions.frame
        if "truth" in predictions.columns and "predicted" not in predictions.columns:
            held = Held({**held.columns, "predicted": Coded([], np.full(held.height, -1, np.int32))})
        scores = tuple(name for name in predictions.columns if name.startswith("score"))
        return cls(predictions, scores, held)

    @property
    def in_order(self) -> bool:
        return True

    def kinds(self, keys: Sequence[str], drawn: bool = False, summed: Sequence[str] = ()) -> Kinds:
        columns = {key: self.held.labels(key) for key in keys}
        numbers = {name: self.held.numbers(name) for name in summed}
        sizes = [len(column.values) + 1 for column in columns.values()]
        if drawn or prod(sizes) > max(ROOM * self.held.height, AT_LEAST):
            return _sorted_out(columns, numbers)
        code = np.ones(self.held.height, np.int64)
        code += columns[keys[0]].codes
        for key, size in zip(keys[1:], sizes[1:], strict=True):
            code *= size
            code += columns[key].codes
            code += 1
        times = np.bincount(code)
        seen = np.flatnonzero(times)
        places = np.unravel_index(seen, sizes)
        coded = {
            key: Coded(column.values, (place - 1).astype(np.int32))
            for (key, column), place in zip(columns.items(), places, strict=True)
        }
        return Kinds(coded, times[seen], sums={name: np.bincount(code, each)[seen] for name, each in numbers.items()})

    def each(self, keys: Sequence[str], numbers: Sequence[str]) -> Kinds:
        columns = {key: self.held.labels(key) for key in keys}
        return Kinds(columns, np.ones(self.held.height, np.int64), sums={name: self.numbers(name) for name in numbers})

    def repeats(self, key: str) -> bool:
        return bool(np.bincount(self.held.labels(key).codes + 1).max(initial=0) > 1)

    def missed(self, columns: Sequence[str], most: int) -> list[int]:
        gone = np.logical_or.reduce([self.held.missing(name) for name in columns])
        return np.flatnonzero(gone)[:most].tolist()

    def numbers(self, name: str) -> Array:
        return self.held.numbers(name)

    def check_numeric(self, columns: Sequence[str]) -> None:
        """They were read as numbers."""

    def means(self) -> dict[Any, float]:
        predicted, score = self.held.labels("predicted"), self.held.numbers(self.score_columns[0])
        parts = {place: score[predicted.codes == place] for place in np.unique(predicted.codes).tolist()}
        values = [*predicted.values, None]
        return {values[place]: float(part.mean()) for place, part in parts.items()}

    def scored(self, cells: Cells) -> Kept:
        return self._scored(cells, slice(None))

    def batches(self, cells: Cells, size: int) -> Iterator[Kept]:
        return (self._scored(cells, slice(start, start + size)) for start in range(0, self.held.height, size))

    def _scored(self, cells: Cells, rows: slice) -> Kept:
        some = (Coded(column.values, column.codes[rows]) for column in map(self.held.labels, PAIR))
        return Kept.of(cells, cells.coding.cells(*some), [self.held.numbers(name)[rows] for name in self.score_columns])

    def having(self, numbers: Sequence[str]) -> Self:
        present = np.logical_and.reduce([self.held.numbers(name) <= LARGEST for name in numbers])
        return replace(self, held=self.held.filter(present))

    def named(self, column: str) -> Held:
        return self.held.filter(self.held.labels(column).codes >= 0)

    def divided(self, cells: Cells, labels: tuple[str, str], column: str, threshold: float) -> Held:
        names = sorted(labels)
        positive, other = map(names.index, labels)
        truth, score = self.held.labels("truth"), self.held.numbers(column)
        code = [cells.coding.truth.get(value) for value in truth.values]
        places = [-1 if at is None else positive if cells.labels[at - 1] == labels[0] else other for at in code]
        codes = np.where(score >= threshold, positive, np.where(score < threshold, other, -1)).astype(np.int32)
        made = {"truth": Coded(names, truth.placed(places, -1, np.int32)), "predicted": Coded(names, codes)}
        given = {"given": self.held.labels("predicted")} if self.answered else {}
        return Held({**self.held.columns, **{name: each.compact() for name, each in made.items()}, **given})


def _sorted_out(columns: dict[str, Coded], numbers: dict[str, Array]) -> Kinds:
    """The kinds where there may be about as many as there are rows, with the first row of each."""
    code = np.zeros(len(next(iter(columns.values()))), np.int64)
    for column in columns.values():
        _, code = np.unique(code * (len(column.values) + 1) + column.codes, return_inverse=True)
    _, first, times = np.unique(code, return_index=True, return_counts=True)
    coded = {key: replace(column, codes=column.codes[first]) for key, column in columns.items()}
    return Kinds(coded, times, first, {name: np.bincount(code, each, times.size) for name, each in numbers.items()})
