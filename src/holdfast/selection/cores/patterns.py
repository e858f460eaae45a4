"""Unlabelled inputs by who agrees with whom on them: all that their unknown labels can do to the errors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from holdfast.evidence import Array, Integers

BLOCK = 2**22  # answers of members that are looked at at once


@dataclass(frozen=True, eq=False)
class Patterns:
    """Groups of inputs, and what each label that would make the target wrong does to the errors of the cores.

    Where the target is right on every input, core m errs `apart[m]` times: wherever it disagrees. Each option is a
    label, other than the target's, of one group; an input that turns out to have it costs the target one error
    more, and core m `change[m, option]` more. The options of a group stand side by side.
    """

    times: Integers  # inputs of each group
    starts: Integers  # the first option of each group
    change: Array  # cores by options
    apart: Array  # of each core

    @property
    def group(self) -> Integers:
        """The group of each option."""
        sizes = np.diff(np.append(self.starts, self.change.shape[1]))
        return np.repeat(np.arange(len(self.times)), sizes)

    @classmethod
    def of(cls, target: NDArray[np.integer], cores: NDArray[np.integer], labels: int) -> Patterns:
        """The patterns of a target's answers and those of the cores, cores by inputs, all codes below `labels`.

        Examples
        --------
        >>> found = Patterns.of(np.array([0, 1, 1, 0]), np.array([[0, 1, 1, 1], [1, 1, 0, 0]]), labels=2)
        >>> found.times.tolist(), found.apart.tolist()
        ([1, 2, 1], [1, 2])
        >>> found.change.astype(int).tolist()
        [[1, 1, -1], [1, -1, 1]]
        """
        said, times = _distinct(_first_to_say(target, cores, labels))
        own = np.arange(1, len(said))[:, None]
        # A label is named by the first core that says it; 0 is the target's, and -1 the labels that nobody says.
        name, group = np.nonzero(said[1:] == own)
        voiced = 1 + np.bincount(group, minlength=len(times))
        silent = np.flatnonzero(voiced < labels)
        group = np.append(group, silent)
        name = np.append(name + 1, np.full(len(silent), -1))
        order = np.argsort(group, kind="stable")
        group, name = group[order], name[order]
        chosen = said[1:, group]
        change = (chosen == 0).astype(np.float64) - (chosen == name)
        return cls(times, np.searchsorted(group, np.arange(len(times))), change, (said[1:] != 0) @ times)

    @classmethod
    def of_averages(
        cls, target: NDArray[np.integer], members: NDArray[np.integer], labels: int, weights: Array
    ) -> Patterns:
        """The same for cores that draw one of the members for each input, as the rows of `weights` say.

        Examples
        --------
        >>> said = np.array([[0, 1, 1, 1], [1, 1, 0, 0]])
        >>> found = Patterns.of_averages(np.array([0, 1, 1, 0]), said, 2, np.array([[0.5, 0.5]]))
        >>> found.apart.tolist(), found.change.tolist()
        ([1.5], [[0.0, 1.0, 0.0, 0.0]])
        """
        n, cores = len(target), len(weights)
        change = np.empty((cores, n, labels - 1))
        right = np.empty((cores, n))
        width = max(BLOCK // max(len(members), 1), 1)
        for start in range(0, n, width):
            here = slice(start, start + width)
            shares = np.stack([weights @ (members[:, here] == label) for label in range(labels)], axis=2)
            mine = target[here]
            right[:, here] = np.take_along_axis(shares, mine[None, :, None].astype(np.intp), axis=2)[:, :, 0]
            others = np.arange(labels - 1) + (np.arange(labels - 1) >= mine[:, None])
            change[:, here] = right[:, here, None] - np.take_along_axis(shares, others[None], axis=2)
        apart = weights.sum(axis=1) * n - right.sum(axis=1)
        times, starts = np.ones(n, np.int64), np.arange(n) * (labels - 1)
        return cls(times, starts, change.reshape(cores, -1), apart)


def _first_to_say(target: NDArray[np.integer], cores: NDArray[np.integer], labels: int) -> NDArray[np.integer]:
    """For the target and each core, on each input, the place of the first of them to give this answer.

    Inputs on which the same ones agree look alike then, whatever it is that they say.
    """
    first = np.zeros((len(cores) + 1, len(target)), np.min_scalar_type(len(cores) + 1))
    if labels == 2:
        apart = cores != target
        return np.vstack([first[:1], apart * (1 + apart.argmax(axis=0, keepdims=True))]).astype(first.dtype)
    for place in range(1, len(first)):
        same = cores[: place - 1] == cores[place - 1]
        first[place] = place
        for earlier in reversed(range(1, place)):
            np.copyto(first[place], earlier, where=same[earlier - 1])
        np.copyto(first[place], 0, where=cores[place - 1] == target)
    return first


def _distinct(columns: NDArray[np.integer]) -> tuple[NDArray[np.integer], Integers]:
    """The different columns, and how often each stands there."""
    rows = np.ascontiguousarray(columns.T)
    whole = rows.view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1]))).ravel()
    _, place, times = np.unique(whole, return_index=True, return_counts=True)
    return columns[:, place], times
