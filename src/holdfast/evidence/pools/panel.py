"""Several models on the same examples: who was wrong where.

Behind them what several models said on inputs whose labels nobody has seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from holdfast.errors import InvalidEvidence, UnknownName
from holdfast.evidence.contingency import Contingency, classes_of
from holdfast.evidence.counts import Counts, Samples
from holdfast.evidence.losses import Losses
from holdfast.evidence.pairs.paired import Paired
from holdfast.evidence.value import Array, Integers, Value, shown
from holdfast.numerics.voting import disagreements
from holdfast.predictions.design import Design
from holdfast.predictions.grading import Values


@dataclass(frozen=True, eq=False, repr=False)
class Panel(Value):
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
    predicted: NDArray[np.integer] | None = None  # of each model and example, as its place in `labels`
    scores: Array | None = None  # of each model and example, for the positive label
    positive: str | None = None
    clusters: Integers | None = None  # of each example, counted from 0
    weights: Array | None = None  # of each example
    strata: Integers | None = None  # of each example, as its place in `stratum_names`
    stratum_names: tuple[str, ...] = ()
    groups: Mapping[str, tuple[tuple[str, ...], Integers]] = field(default_factory=dict)  # by column: names, and places
    design: Design = field(default_factory=Design)  # how they were drawn, but for what stands above
    tries: Integers | None = None  # samples of each model and example; None where there is one
    right: Integers | None = None  # how many samples of each model and example were right
    grades: Array | None = None  # of each model and example, how right its answer is, where it may be partly so: 0 to 1
    values: Values | None = None  # the range of these grades, and all that there can be
    fingerprint: str = ""  # SHA-256 of models and answers, in any order of the examples
    rows: int = 0  # that were read
    missing: dict[str, int] = field(default_factory=dict)  # answers that were not there, by what was missing
    dropped: int = 0  # examples left out because an answer was missing
    notes: tuple[str, ...] = ()  # what the reader should know of
    source: str = "the data"
    declared: bool = False  # whether the labels were, and not just found
    logs: tuple[str, ...] = ()  # what was read, where the answers come from logs: a sentence for each

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
        shapes = dict.fromkeys(("truth", "clusters", "weights", "strata"), examples)
        shapes |= dict.fromkeys(("predicted", "scores", "tries", "right", "grades"), every)
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
        return self.wrong.dtype.kind != "b" and (self.grades is None or self.tries is not None)

    @property
    def columns(self) -> tuple[str, ...]:
        """What is known of each example, by the names that rows have for it."""
        held = {"truth": self.truth, "cluster": self.clusters, "weight": self.weights, "stratum": self.strata}
        return tuple(name for name, values in held.items() if values is not None)

    @property
    def counted(self) -> bool:
        """Whether counts say it all: every example is a draw of its own, and every answer right or wrong."""
        return self.wrong.dtype.kind == "b" and self.plain

    @property
    def plain(self) -> bool:
        """Whether every example is a draw of its own that weighs as much as any other."""
        alone = self.clusters is None or self.design.max_cluster == 1
        return alone and self.weights is None and self.strata is None and not self.design.by_class

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
    def samples(self) -> Samples:
        """The wrong samples out of all samples of each example, model by model: one cluster per example."""
        if self.tries is None or self.right is None:
            return Samples(Counts(self.wrong.astype(np.int64), np.ones(self.wrong.shape, np.int64)))
        return Samples(Counts(self.tries - self.right, self.tries))

    def paired(self) -> Paired:
        """Of every pair, on how many examples only the first was right, and on how many only the second."""
        self._check_one_answer("Counting disagreements")
        first, second = np.triu_indices(len(self.models), 1)
        apart, errors = self._disagreements[first, second], self.errors.k
        lead = errors[second] - errors[first]
        return Paired(won=(apart + lead) // 2, lost=(apart - lead) // 2, n=np.full(apart.size, self.n))

    def difference(self, first: int, second: int) -> Losses:
        """The difference of two models on each example, first minus second, in rising order."""
        differences = self.wrong[first].astype(np.float64) - self.wrong[second]
        return Losses(np.sort(differences), low=-1.0, high=1.0)

    def table(self, model: int) -> Contingency:
        """What one model predicted, beside the truth."""
        if self.truth is None or self.predicted is None:
            raise InvalidEvidence("These answers are only known as right or wrong: there is no table of labels.")
        size = len(self.labels)
        code = self.predicted[model].astype(np.int64) * size + self.truth
        cells, times = np.unique(code, return_counts=True)
        truths = classes_of(self.labels) if self.declared else None
        return Contingency.of_cells(self.labels, *np.divmod(cells, size), times, truths=truths)

    def among(self, models: Iterable[str]) -> Self:
        """The panel of these models only, in this order."""
        chosen = [*models]
        for name in chosen:
            if name not in self.models:
                raise UnknownName("model", name, self.models)
        places = [self.models.index(name) for name in chosen]
        every = {name: getattr(self, name) for name in ("wrong", "predicted", "scores", "tries", "right", "grades")}
        own = {name: value[places] for name, value in every.items() if value is not None}
        part = self._with(models=tuple(chosen), **own)
        part.__post_init__()
        return part

    def _check_one_answer(self, what: str) -> None:
        if self.wrong.dtype.kind != "b":
            held, instead = "examples have several samples", "the shares of wrong samples"
            if not self.sampled:
                held, instead = "answers may be partly right", "what they are worth"
            raise InvalidEvidence(
                f"{what} needs one answer a model and example, right or wrong; here {held}. Compare {instead} instead."
            )

    @cached_property
    def _disagreements(self) -> Integers:
        """On how many examples just one model of a pair was wrong."""
        return disagreements(self.wrong)

    def __repr__(self) -> str:
        return f"Panel({len(self.models)} models, n={self.n:,})"


@dataclass(frozen=True, eq=False, repr=False)
class Unlabelled:
    """The predictions of a panel's models on further inputs, models along the first axis.

    Examples
    --------
    >>> Unlabelled(("a", "b"), ("ham", "spam"), np.array([[0, 1, 1], [0, 0, 1]]))
    Unlabelled(2 models, n=3)
    """

    models: tuple[str, ...]
    labels: tuple[str, ...]  # those of the panel, and behind them any that only stand here
    predicted: NDArray[np.integer]  # of each model and input, as its place in `labels`
    target: NDArray[np.integer] | None = None  # what a further classifier predicted of each input, likewise
    fingerprint: str = ""  # SHA-256 of models and answers, in any order of the inputs
    notes: tuple[str, ...] = ()  # what the reader should know of

    def __post_init__(self) -> None:
        if self.predicted.ndim != 2 or self.predicted.shape[0] != len(self.models):
            raise InvalidEvidence(
                f"The unlabelled inputs need a row of predictions for each of {len(self.models):,} models; "
                f"got shape {self.predicted.shape}."
            )
        if not self.n:
            raise InvalidEvidence(
                "There are no unlabelled inputs to speak about; leave them out, or give at least one."
            )
        if self.target is not None and self.target.shape != (self.n,):
            raise InvalidEvidence(
                f"The target needs one prediction for each of {self.n:,} unlabelled inputs; got {self.target.shape}."
            )

    @property
    def n(self) -> int:
        """How many inputs there are."""
        return int(self.predicted.shape[1])

    def check_models(self, models: tuple[str, ...]) -> None:
        """Refuse the inputs unless they were answered by just the models of a panel."""
        if self.models != models:
            raise InvalidEvidence("The panel and the unlabelled inputs need the same models, in the same order.")

    def __repr__(self) -> str:
        return f"Unlabelled({len(self.models)} models, n={self.n:,})"
