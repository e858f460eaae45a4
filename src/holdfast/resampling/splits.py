"""How splits are held: so small that they travel to other machines, whatever their number.

A row's place in a plan is told by the part that it belongs to or by how often it was drawn; the indices of a split
are made when they are asked for. Leave-one-out on n rows so takes n numbers, not n times n.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]


class Splits(Protocol):
    """What a plan needs to know of its splits, which are numbered through all repeats."""

    @property
    def arrays(self) -> Sequence[NDArray[Any]]:
        """All that tells these splits from others of the same kind."""

    def __len__(self) -> int: ...

    def train(self, number: int) -> Integers: ...

    def test(self, number: int) -> Integers: ...

    @property
    def sizes(self) -> tuple[Integers, Integers]:
        """The number of rows that train and that test, of each split."""

    @property
    def disjoint(self) -> bool:
        """Whether no split tests a row that it trained on."""

    @property
    def once(self) -> bool:
        """Whether each repeat tests every row exactly once."""


@dataclass(frozen=True, eq=False)
class Parts:
    """Rows in parts; a split leaves one or two of them out, tests on these, and trains on all others."""

    parts: NDArray[Any]  # (lines, rows): the number of each row's part, dealt anew on each line
    held: NDArray[Any]  # (splits of a line, 2): the parts that each tests on; a single one stands twice

    @property
    def arrays(self) -> Sequence[NDArray[Any]]:
        return self.parts, self.held

    def __len__(self) -> int:
        return len(self.parts) * len(self.held)

    def train(self, number: int) -> Integers:
        return places(~self._tested(number))

    def test(self, number: int) -> Integers:
        return places(self._tested(number))

    def _tested(self, number: int) -> Flags:
        line, split = divmod(number, len(self.held))
        first, second = self.held[split].tolist()
        parts = self.parts[line]
        return np.asarray(parts == first if first == second else (parts == first) | (parts == second))

    @cached_property
    def sizes(self) -> tuple[Integers, Integers]:
        number = int(self.held.max()) + 1
        sizes = np.stack([np.bincount(parts, minlength=number) for parts in self.parts])
        first, second = self.held.T
        tested = (sizes[:, first] + np.where(first == second, 0, sizes[:, second])).ravel()
        return self.parts.shape[1] - tested, tested

    @property
    def disjoint(self) -> bool:
        return True

    @property
    def once(self) -> bool:
        every = np.arange(int(self.parts.max()) + 1)
        return bool(np.array_equal(np.sort(self.held, axis=0), np.stack([every, every], axis=1)))


@dataclass(frozen=True, eq=False)
class Growing:
    """Rows in parts that stand in order; a split trains on those before its start, and tests from there on."""

    parts: NDArray[Any]  # (lines, rows)
    start: Integers  # (splits of a line,)
    stop: Integers  # (splits of a line,): the first part that is no longer tested on

    @property
    def arrays(self) -> Sequence[NDArray[Any]]:
        return self.parts, self.start, self.stop

    def __len__(self) -> int:
        return len(self.parts) * len(self.start)

    def train(self, number: int) -> Integers:
        line, split = divmod(number, len(self.start))
        return places(self.parts[line] < self.start[split])

    def test(self, number: int) -> Integers:
        line, split = divmod(number, len(self.start))
        parts = self.parts[line]
        return places((parts >= self.start[split]) & (parts < self.stop[split]))

    @cached_property
    def sizes(self) -> tuple[Integers, Integers]:
        number = int(self.stop.max())
        before = np.stack([np.bincount(parts, minlength=number).cumsum() for parts in self.parts])
        before = np.insert(before, 0, 0, axis=1)
        trained = before[:, self.start]
        return trained.ravel(), (before[:, self.stop] - trained).ravel()

    @property
    def disjoint(self) -> bool:
        return True

    @property
    def once(self) -> bool:
        return False  # what comes first is never tested on


@dataclass(frozen=True, eq=False)
class Drawn:
    """Rows drawn with replacement to train on; tested are those that were not drawn, or always the same ones."""

    counts: NDArray[Any]  # (splits, rows): how often each row was drawn
    tested: Flags | None = None  # (rows,)

    @property
    def arrays(self) -> Sequence[NDArray[Any]]:
        return (self.counts,) if self.tested is None else (self.counts, self.tested)

    def __len__(self) -> int:
        return len(self.counts)

    def train(self, number: int) -> Integers:
        drawn = self.counts[number]
        return np.repeat(np.arange(len(drawn), dtype=np.int64), drawn)

    def test(self, number: int) -> Integers:
        return places(self.counts[number] == 0 if self.tested is None else self.tested)

    @cached_property
    def sizes(self) -> tuple[Integers, Integers]:
        trained = self.counts.sum(axis=1, dtype=np.int64)
        if self.tested is None:
            return trained, np.count_nonzero(self.counts == 0, axis=1).astype(np.int64)
        return trained, np.full(len(trained), np.count_nonzero(self.tested), np.int64)

    @property
    def disjoint(self) -> bool:
        return self.tested is None or not bool(self.counts[:, self.tested].any())

    @property
    def once(self) -> bool:
        return len(self.counts) == 1 and self.tested is not None and bool(self.tested.all())


@dataclass(frozen=True, eq=False)
class Listed:
    """Splits as somebody else made them, in their order; of one that trains on all it does not test, only the test."""

    rows: int
    repeats: int
    tests: NDArray[Any]  # one after another
    test_ends: Integers  # (splits,): where each of them ends
    trains: NDArray[Any]  # those that are not simply the rest
    train_ends: Integers
    rest: Flags  # (splits,): whether a split trains on the rest

    @property
    def arrays(self) -> Sequence[NDArray[Any]]:
        return self.tests, self.test_ends, self.trains, self.train_ends, self.rest

    def __len__(self) -> int:
        return len(self.rest)

    def train(self, number: int) -> Integers:
        if self.rest[number]:
            return rest_of(self.test(number), self.rows)
        return cut(self.trains, self.train_ends, number)

    def test(self, number: int) -> Integers:
        return cut(self.tests, self.test_ends, number)

    @cached_property
    def sizes(self) -> tuple[Integers, Integers]:
        tested, trained = np.diff(self.test_ends, prepend=0), np.diff(self.train_ends, prepend=0)
        return np.where(self.rest, self.rows - tested, trained), tested

    @cached_property
    def disjoint(self) -> bool:
        return not any(
            np.isin(cut(self.tests, self.test_ends, number), cut(self.trains, self.train_ends, number)).any()
            for number in np.flatnonzero(~self.rest).tolist()
        )

    @cached_property
    def once(self) -> bool:
        if len(self.tests) != self.rows * self.repeats:
            return False
        folds = len(self) // self.repeats
        if not np.array_equal(self.test_ends[folds - 1 :: folds], self.rows * np.arange(1, self.repeats + 1)):
            return False
        return bool((np.sort(self.tests.reshape(self.repeats, -1)) == np.arange(self.rows)).all())


def places(flags: NDArray[Any]) -> Integers:
    """Where the flags stand."""
    return np.flatnonzero(flags).astype(np.int64, copy=False)


def rest_of(tested: Integers, rows: int) -> Integers:
    """All other rows, in their order."""
    others = np.ones(rows, np.bool_)
    others[tested] = False
    return places(others)


def cut(joined: NDArray[Any], ends: Integers, number: int) -> Integers:
    """One of several arrays that stand in one, each after the one before."""
    return joined[ends[number - 1] if number else 0 : ends[number]].astype(np.int64)
