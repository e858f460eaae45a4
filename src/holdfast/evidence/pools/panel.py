"""Several models on the same examples: who was wrong where."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from holdfast.errors import InvalidEvidence, UnknownName
from holdfast.evidence.clusters import Clusters
from holdfast.evidence.contingency import Contingency, classes_of
from holdfast.evidence.counts import Counts
from holdfast.evidence.given import Array, Integers, shown
from holdfast.evidence.losses import Losses
from holdfast.evidence.pairs.paired import Paired

WORDS = 2**18  # of 64 examples each, of all models together, that are looked at at once: what stays in the cache


@dataclass(frozen=True, eq=False, repr=False)
class Panel:
    """Which of several models were wrong on which of the same examples, models along the first axis.

    Examples
    --------
    >>> panel = Panel(("a", "b", "c"), np.array([[0, 1, 1, 0], [0, 0, 1, 0], [0, 0, 0, 1]], bool))
    >>> panel
    Panel(3 models, n=4)
    >>> panel.errors
    Counts(k=[2 1 1], n=[4 4 4])
    >>> panel.pairs
    [(0, 1), (0, 2), (1, 2)]
    >>> paired = panel.paired()
    >>> paired.won.tolist(), paired.lost.tolist()
    ([0, 1, 1], [1, 2, 1])
    """

    models: tuple[str, ...]
    wrong: Array  # true where a model erred; where an example has several samples, the share of them that are wrong
    labels: tuple[str, ...] = ()  # none for pass/fail tables
    truth: NDArray[np.integer] | None = None  # of each example, as its place in `labels`
    predicted: NDArray[np.integer] | None = None  # of each model and example, likewise
    scores: Array | None = None  # of each model and example, for the positive label
    positive: str | None = None
    clusters: Integers | None = None  # of each example, counted from 0
    tries: Integers | None = None  # samples of each model and example; None where there is one
    right: Integers | None = None  # how many of them were right
    fingerprint: str = ""  # SHA-256 of models and answers, in any order of the examples
    rows: int = 0  # that were read
    missing: dict[str, int] = field(default_factory=dict)  # answers that were not there, by what was missing
    dropped: int = 0  # examples left out for that
    notes: tuple[str, ...] = ()  # what the reader should know of
    source: str = "the data"
    declared: bool = False  # whether the labels were, and not just found

    def __post_init__(self) -> None:
        if len(self.models) < 2:
            raise InvalidEvidence(f"A comparison needs at least two models; got {shown([*self.models])}.")
        if twice := [name for name in self.models if self.models.count(name) > 1]:
            raise InvalidEvidence(f"The model {shown(twice[0])} stands twice; every model needs a name of its own.")
        if self.wrong.ndim != 2 or self.wrong.shape[0] != len(self.models):
            raise InvalidEvidence(
                f"A panel of {len(self.models):,} models needs as many rows of answers; got shape {self.wrong.shape}."
            )
        if self.wrong.dtype.kind != "b" and not np.all((self.wrong >= 0) & (self.wrong <= 1)):
            raise InvalidEvidence("A panel needs true/false values, or shares of wrong samples from 0 to 1.")
        every, examples = self.wrong.shape, self.wrong.shape[1:]
        shapes = {"truth": examples, "clusters": examples}
        shapes |= dict.fromkeys(("predicted", "scores", "tries", "right"), every)
        for name, shape in shapes.items():
            if (given := getattr(self, name)) is not None and given.shape != shape:
                raise InvalidEvidence(f"A panel with {name} needs them of shape {shape}; got {given.shape}.")

    @property
    def n(self) -> int:
        """How many examples there are."""
        return int(self.wrong.shape[1])

    @property
    def sampled(self) -> bool:
        """Whether examples have several samples, of which a share is wrong."""
        return self.wrong.dtype.kind != "b"

    @property
    def counted(self) -> bool:
        """Whether counts say it all: every example is a draw of its own, and every answer right or wrong."""
        return not self.sampled and self.clusters is None

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The places of the two models of every pair, the first before the second."""
        first, second = np.triu_indices(len(self.models), 1)
        return [*zip(first.tolist(), second.tolist(), strict=True)]

    @property
    def errors(self) -> Counts:
        """How often each model was wrong."""
        self._check_one_answer("Counting errors")
        return Counts(np.count_nonzero(self.wrong, axis=1), np.full(len(self.models), self.n))

    @property
    def samples(self) -> Clusters:
        """The wrong samples out of all samples of each example, model by model: a cluster an example."""
        if self.tries is None or self.right is None:
            return Clusters(Counts(self.wrong.astype(np.int64), np.ones(self.wrong.shape, np.int64)))
        return Clusters(Counts(self.tries - self.right, self.tries))

    def paired(self) -> Paired:
        """Of every pair, on how many examples only the first was right, and on how many only the second."""
        self._check_one_answer("Counting disagreements")
        first, second = np.triu_indices(len(self.models), 1)
        errors, both = np.diagonal(self._both_wrong), self._both_wrong[first, second]
        return Paired(won=errors[second] - both, lost=errors[first] - both, n=np.full(both.size, self.n))

    def difference(self, first: int, second: int) -> Losses:
        """The difference of two models on each example, first minus second, in rising order."""
        gone = self.wrong[first].astype(np.float64) - self.wrong[second]
        return Losses(np.sort(gone), low=-1.0, high=1.0)

    def table(self, model: int) -> Contingency:
        """What one model predicted, beside the truth."""
        if self.truth is None or self.predicted is None:
            raise InvalidEvidence("These answers are only known as right or wrong: there is no table of labels.")
        size = len(self.labels)
        code = self.predicted[model].astype(np.int64) * size + self.truth
        seen, times = np.unique(code, return_counts=True)
        truths = classes_of(self.labels) if self.declared else None
        return Contingency.of_cells(self.labels, *np.divmod(seen, size), times, truths=truths)

    def among(self, models: Iterable[str]) -> Panel:
        """The panel of these models only, in this order."""
        chosen = [*models]
        for name in chosen:
            if name not in self.models:
                raise UnknownName("model", name, self.models)
        places = [self.models.index(name) for name in chosen]
        each = {name: getattr(self, name) for name in ("wrong", "predicted", "scores", "tries", "right")}
        kept = {name: value[places] for name, value in each.items() if value is not None}
        return replace(self, models=tuple(chosen), **kept)

    def _check_one_answer(self, what: str) -> None:
        if self.sampled:
            raise InvalidEvidence(
                f"{what} needs one answer a model and example, right or wrong; here examples have several samples. "
                "Compare the shares of wrong samples instead."
            )

    @cached_property
    def _both_wrong(self) -> Integers:
        """On how many examples both models of a pair were wrong: the product of a matrix of bits with itself.

        A word holds 64 examples, so this takes fewer steps than floats would, and no threads that stand in line.
        """
        models = len(self.models)
        packed = np.packbits(self.wrong, axis=1)
        padded = np.pad(packed, ((0, 0), (0, -packed.shape[1] % 8)))
        words = np.ascontiguousarray(padded).view(np.uint64)  # answers of some examples only may lie in columns
        both = np.zeros((models, models), np.int64)
        width = max(WORDS // models, 64)
        for start in range(0, words.shape[1], width):
            some = words[:, start : start + width]
            for place in range(models):
                both[place, place:] += np.bitwise_count(some[place] & some[place:]).sum(axis=1, dtype=np.int64)
        return both

    def __repr__(self) -> str:
        return f"Panel({len(self.models)} models, n={self.n:,})"
