"""An order in which a table is drawn again that no spelling changes: by what was counted, not by what it is called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdfast.evidence.value import Integers

Marks = NDArray[np.uint64]
MOST_WORK = 2**22  # entries that are looked at to tell labels apart whose counts are alike


class FixedOrder(NamedTuple):
    """Ranks of labels, and the order of what is drawn."""

    rank: Integers  # of each label
    stand_in: Integers  # of each label, the one of the lowest rank that counts cannot tell from it
    draws: Integers  # places of the draws, in their order


def fixed_order(
    kinds: Integers, roles: Sequence[Sequence[Integers]], times: Integers, draw: Integers, alike: Integers
) -> FixedOrder:
    """The order of labels and draws by what was counted, the same whatever the labels or the draws are called.

    Labels get the same mark until the counts they stand beside tell them apart, round by round, as colours of the
    vertices of a graph are refined. Of labels that nothing tells apart one is taken, and what it stands beside follows;
    which one makes no difference where they could be swapped.

    Parameters
    ----------
    kinds
        Of each label, what is known of it beside the counts: labels of two kinds are never alike.
    roles
        The label of each entry in each role; roles of one group are not told apart.
    times, draw, alike
        How often each entry occurs in a draw, which draw that is, and how many draws are just like it.

    Examples
    --------
    >>> right, taken = np.array([0, 1, 1]), np.array([0, 1, 0])
    >>> times, alike = np.ones(3, int), np.array([20, 30, 5])
    >>> there = fixed_order(np.zeros(2, int), [[taken], [right]], times, np.arange(3), alike)
    >>> back = fixed_order(np.zeros(2, int), [[1 - taken], [1 - right]], times, np.arange(3), alike)
    >>> there.rank.tolist() == back.rank[::-1].tolist(), np.array_equal(there.draws, back.draws)
    (True, True)
    """
    entries = _Entries(roles, times, draw, alike)
    present = np.zeros(kinds.size, bool)
    for places in entries.places:
        present[places] = True
    marks = first = entries.refined(_mixed(kinds.astype(np.uint64)))
    work, everyone = 0, np.arange(kinds.size)
    while work < MOST_WORK and (alike_ones := _first_alike(marks, present)) is not None:
        marks = marks.copy()
        marks[alike_ones[0]] = _mixed(marks[alike_ones[:1]] + np.uint64(1))[0]
        marks = entries.refined(marks)
        work += times.size * len(entries.places)
    order = np.lexsort((everyone, marks))
    rank = np.empty(kinds.size, np.int64)
    rank[order] = everyone
    _, group = np.unique(first, return_inverse=True)
    lowest = np.full(int(group.max(initial=-1)) + 1, kinds.size)
    np.minimum.at(lowest, group, rank)
    return FixedOrder(rank, order[lowest[group]], np.argsort(entries.of_draws(rank.astype(np.uint64)), kind="stable"))


class _Entries:
    """What each draw holds, and the marks that follow from those of the labels."""

    def __init__(self, roles: Sequence[Sequence[Integers]], times: Integers, draw: Integers, alike: Integers) -> None:
        self.places = [places for group in roles for places in group]
        self.groups = [number for number, group in enumerate(roles, 1) for _ in group]
        self.draw, self.alike = draw, _mixed(alike.astype(np.uint64))
        same = np.zeros(times.shape, np.uint64)  # which roles the same label has
        for i, one in enumerate(self.places):
            for j, other in enumerate(self.places[:i]):
                same += _mixed(np.full(1, self.groups[i] * 64 + self.groups[j], np.uint64)) * (one == other)
        self.plain = _mixed(_mixed(times.astype(np.uint64)) + same)

    def of_entries(self, marks: Marks) -> Marks:
        sums = self.plain.copy()
        for places, group in zip(self.places, self.groups, strict=True):
            sums += _mixed(marks[places] + np.uint64(group))
        return _mixed(sums)

    def of_draws(self, marks: Marks) -> Marks:
        sums = self.alike.copy()
        np.add.at(sums, self.draw, self.of_entries(marks))
        return _mixed(sums)

    def refined(self, marks: Marks) -> Marks:
        """Marks that tell labels apart wherever what they stand beside differs, until no more are."""
        number = 0
        while (different := np.unique(marks).size) > number:
            number, entries = different, self.of_entries(marks)
            beside = _mixed(entries + self.of_draws(marks)[self.draw])
            sums = marks.copy()
            for places, group in zip(self.places, self.groups, strict=True):
                np.add.at(sums, places, _mixed(beside + np.uint64(group)))
            marks = _mixed(sums)
        return marks


def _first_alike(marks: Marks, present: NDArray[np.bool_]) -> Integers | None:
    """Labels that have one mark, rising: those of the smallest mark that several have."""
    here = np.flatnonzero(present)
    _, where, times = np.unique(marks[here], return_inverse=True, return_counts=True)
    several = np.flatnonzero(times > 1)
    return here[where == several[0]] if several.size else None


def _mixed(values: Marks) -> Marks:
    """Numbers that look drawn at random, the same for the same: the finaliser of splitmix64."""
    mixed = values + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))
