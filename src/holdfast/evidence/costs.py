"""What answers cost, and evidence about a mean cost in the units of the costs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from holdfast.arguments import check
from holdfast.errors import InvalidEvidence, UnknownName
from holdfast.evidence.contingency import NO_ANSWER, Contingency
from holdfast.evidence.counts import Counts, Proportions, Strata
from holdfast.evidence.evidence import Evidence, brief, joined_scale
from holdfast.evidence.value import Array, Integers, Scale, Value, numbers
from holdfast.predictions.coded import spelled
from holdfast.wording import listed, quoted

LEAST_SPREAD, MOST_SPREAD = 1e-100, 1e100  # of the costs: their squares must stay within the floats
FEWEST = 2  # different costs, or there is nothing to estimate


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Costs(Value):
    """What it costs to predict one label where another is true; a negative cost is a benefit.

    Rows are predicted and columns actual, as in `Contingency`. `(no answer)` may be among the labels: its row says
    what a missing prediction costs, its column is not looked at.

    Examples
    --------
    >>> costs = Costs([[0, 1], [10, 0]], ["ill", "well"], rows="predicted")
    >>> costs
    Costs(2 labels, from 0 to 10)
    >>> float(costs["well", "ill"])
    10.0
    """

    labels: tuple[str, ...]
    matrix: Array  # predicted down, actual across

    def __init__(self, matrix: ArrayLike, labels: Iterable[object], *, rows: Literal["predicted", "actual"]) -> None:
        check("hf.Costs", "labels", labels, Iterable[object])
        check("hf.Costs", "rows", rows, Literal["predicted", "actual"])
        if rows not in ("predicted", "actual"):
            raise UnknownName("meaning of the rows", rows, ["predicted", "actual"])
        square = numbers("The costs", matrix) + 0.0  # -0.0 is 0.0
        if square.ndim != 2 or square.shape[0] != square.shape[1]:
            raise InvalidEvidence(f"The costs need as many rows as columns; got shape {square.shape}.")
        names = tuple(spelled(label) for label in labels)
        if len(names) != len(square) or len(set(names)) != len(names):
            raise InvalidEvidence(f"Costs of {len(square)} rows need {len(square)} different labels; got {len(names)}.")
        self._set(labels=names, matrix=square.T if rows == "actual" else square)
        if len(levels := self.levels) < FEWEST:
            only = f"; all are {levels[0]:g}" if levels.size else ""
            raise InvalidEvidence(f"There must be two different costs at least{only}: there is nothing to estimate.")
        if not LEAST_SPREAD <= self.high - self.low <= MOST_SPREAD:
            raise InvalidEvidence(
                f"The costs run from {self.low:g} to {self.high:g}; they must be between {LEAST_SPREAD:g} and "
                f"{MOST_SPREAD:g} apart. Give them in other units."
            )

    @classmethod
    def from_pairs(cls, costs: Mapping[tuple[object, object], float]) -> Self:
        """Costs from what each pair of a predicted and an actual label costs; every pair is needed.

        Examples
        --------
        >>> Costs.from_pairs({("a", "a"): 0, ("a", "b"): 1, ("b", "a"): 2, ("b", "b"): 0}).matrix.tolist()
        [[0.0, 1.0], [2.0, 0.0]]
        """
        given = {(spelled(predicted), spelled(actual)): cost for (predicted, actual), cost in costs.items()}
        labels = list(dict.fromkeys(label for pair in given for label in pair))
        pairs = ((i, j) for i in labels for j in labels if j != NO_ANSWER)
        if absent := next((pair for pair in pairs if pair not in given), None):
            raise InvalidEvidence(
                f"What does it cost to predict {quoted(absent[0])} where {quoted(absent[1])} is true? "
                "Every pair of labels needs a cost, right answers too."
            )
        return cls([[given.get((i, j), 0.0) for j in labels] for i in labels], labels, rows="predicted")

    @cached_property
    def truths(self) -> Integers:
        """Places of the labels that an example may truly have."""
        return np.array([place for place, label in enumerate(self.labels) if label != NO_ANSWER], np.int64)

    @cached_property
    def levels(self) -> Array:
        """The different costs that an example can have, rising."""
        return np.unique(self.matrix[:, self.truths])

    @property
    def low(self) -> float:
        return float(self.levels[0])

    @property
    def high(self) -> float:
        return float(self.levels[-1])

    def __getitem__(self, pair: tuple[object, object]) -> float:
        """What the pair (predicted, actual) costs."""
        predicted, actual = (self._place(label) for label in pair)
        return float(self.matrix[predicted, actual])

    def _place(self, label: object) -> int:
        if (name := spelled(label)) not in self.labels:
            raise UnknownName("label with a cost", name, self.labels)
        return self.labels.index(name)

    def places(self, labels: Sequence[str]) -> Integers:
        """Where each label of some data stands; a label that they do not hold may have costs all the same."""
        known = {label: place for place, label in enumerate(self.labels)}
        given = listed([*self.labels])
        if absent := [label for label in labels if label not in known]:
            raise InvalidEvidence(
                f"The costs say nothing of the label {_named(absent)}, which the data hold; they are given for {given}."
            )
        return np.array([known[label] for label in labels], np.int64)

    def of(self, table: Contingency) -> Array:
        """The cost of each cell of the table."""
        predicted, actual, _ = table.cells
        places = self.places(table.labels)
        return self.matrix[places[predicted], places[actual]]

    def __repr__(self) -> str:
        return f"Costs({len(self.labels)} labels, from {self.low:g} to {self.high:g})"


def _named(labels: Sequence[str]) -> str:
    return quoted(labels[0]) + (f" (and {len(labels) - 1:,} more)" if len(labels) > 1 else "")


class _Priced(Evidence):
    """A share in [0, 1] that stands for a mean cost between `low` and `high`."""

    scale: Scale

    def _price(self, low: ArrayLike, high: ArrayLike) -> None:
        self._set(scale=Scale.stated("A mean cost needs", low, high))

    @classmethod
    def joined(cls, several: Sequence[Any]) -> Self:
        priced: Self = super().joined(several)  # type: ignore[misc]  # of the evidence that it stands before
        priced._set(scale=joined_scale(several))
        return priced

    def __repr__(self) -> str:
        _, _, inside = super().__repr__().partition("(")
        low, high = (brief(np.asarray(end)) for end in (self.scale.low, self.scale.high))
        return f"{type(self).__name__}({inside[:-1]}, low={low}, high={high})"


class Charged(_Priced, Counts):
    """k examples of n that cost `high`; all others cost `low`, and there is no third cost.

    Examples
    --------
    >>> bill = Charged(18, 285, 0.0, 50.0)
    >>> bill
    Charged(k=18, n=285, low=0, high=50)
    >>> print(round(float(bill.units(bill.mean)), 4))
    3.1579
    """

    def __init__(self, k: ArrayLike, n: ArrayLike, low: ArrayLike = 0.0, high: ArrayLike = 1.0) -> None:
        super().__init__(k, n)
        self._price(low, high)


class _PricedProportions(_Priced, Proportions):
    def __init__(
        self,
        parts: Counts,
        weights: ArrayLike | None = None,
        n: Integers | None = None,
        low: ArrayLike = 0.0,
        high: ArrayLike = 1.0,
    ) -> None:
        super().__init__(parts, weights, n)
        self._price(low, high)

    @property
    def complement(self) -> Array:
        return self.average(self.parts.complement)


class Tiers(_PricedProportions):
    r"""A mean cost, from how many examples cost at least so much, one part for each cost above the lowest.

    Notes
    -----
    With the costs :math:`v_0 < \dots < v_m` and the share :math:`S_j` of examples that cost :math:`v_j` or more,

    .. math:: \text{mean} = v_0 + \sum_{j \ge 1} (v_j - v_{j-1})\, S_j .

    Each share is a proportion, so exact limits of all of them are limits of the mean. They are nested, which makes
    this sum of limits shorter than the one over the shares that cost exactly :math:`v_j`.

    Examples
    --------
    >>> Tiers(Counts([18, 8], [285, 285]), weights=[0.1, 0.9], n=np.asarray(285), low=0.0, high=10.0)
    Tiers(mean=0.0315789, parts=2, n=285, low=0, high=10)
    """


class ChargedStrata(_PricedProportions, Strata):
    """A mean cost at stated frequencies of the classes, each of which has two costs at most.

    Examples
    --------
    >>> ChargedStrata(Counts([8, 10], [104, 181]), weights=[0.2, 0.8], low=0.0, high=0.6)
    ChargedStrata(mean=0.0595835, parts=2, n=285, low=0, high=0.6)
    """
