"""What a gate is asked: that a measure is at most, or at least, some limit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from holdfast.catalog import find_measure
from holdfast.claims import Side
from holdfast.errors import HoldfastError, UnknownName
from holdfast.evidence import Array, numbers, shown
from holdfast.predictions.spelling import spelled

MEAN_LOSS = "mean-loss"  # of losses that were given as such: no measure of predictions


@dataclass(frozen=True)
class Condition:
    """One measure and one limit of it.

    Examples
    --------
    >>> print(Condition("recall", label="fraud", at_least=0.9))
    recall of fraud at least 0.9
    """

    measure: str = "error-rate"
    at_most: float | None = None
    at_least: float | None = None
    label: str | None = None
    name: str | None = None

    @classmethod
    def of(cls, given: object) -> Condition:
        """A condition from the keys of a mapping, as one stands in a file; what is no key is refused."""
        if isinstance(given, Condition):
            return given
        if not isinstance(given, Mapping):
            raise HoldfastError(
                f"A condition is a mapping such as {{'measure': ..., 'at_most': ...}}; got {shown(given)}."
            )
        known = [field.name for field in fields(cls)]
        for key in given:
            if key not in known:
                raise UnknownName("key of a condition", key, known)
        return cls.checked(**given)

    @classmethod
    def checked(
        cls,
        measure: object = "error-rate",
        at_most: object = None,
        at_least: object = None,
        label: object = None,
        name: object = None,
    ) -> Condition:
        """A condition whose measure exists and whose limit is one that the measure can have."""
        if (at_most is None) == (at_least is None):
            given = "got neither" if at_most is None else "got both"
            raise HoldfastError(
                f"Say what shall be shown with at_most= (--at-most) or at_least= (--at-least); {given}."
            )
        entry = None if measure == MEAN_LOSS else find_measure(measure)  # type: ignore[arg-type]  # or an error
        made = cls(
            MEAN_LOSS if entry is None else entry.name,
            None if at_most is None else _limit("at_most", at_most),
            None if at_least is None else _limit("at_least", at_least),
            None if label is None else spelled(label),
            None if name is None else str(name),
        )
        return made if entry is None else made.within(*entry.range)

    def within(self, low: float, high: float) -> Condition:
        """The same, if its limit lies in the range of the measure."""
        if not low <= self.limit <= high:
            hint = f" Did you mean {self.limit / 100:g}?" if high == 1 < self.limit <= 100 else ""
            raise HoldfastError(
                f"{self.measure} lies between {low:g} and {high:g}; a limit of {self.limit:.12g} says nothing.{hint}"
            )
        return self

    @property
    def limit(self) -> float:
        limit = self.at_least if self.at_most is None else self.at_most
        assert limit is not None  # one of the two was given
        return limit

    @property
    def from_above(self) -> bool:
        """Whether it is an upper limit that proves it."""
        return self.at_most is not None

    @property
    def sides(self) -> tuple[Side, Side]:
        """The side on which a limit proves it, and the one on which a limit refutes it."""
        return ("upper", "lower") if self.from_above else ("lower", "upper")

    def about(self, label: str | None) -> Condition:
        """The same about that class."""
        return replace(self, label=label)

    def __str__(self) -> str:
        of = "" if self.label is None else f" of {self.label}"
        words = f"{self.measure}{of} {'at most' if self.from_above else 'at least'} {self.limit:.12g}"
        return words if self.name is None else f"{self.name}: {words}"

    def decided(self, lower: ArrayLike, upper: ArrayLike) -> tuple[Array, Array]:
        """Where these one-sided limits prove it, and where they refute it; elementwise.

        The truth is beyond either limit with at most its chance of error, and only one of the two answers can be false.
        """
        proving, refuting = (upper, lower) if self.from_above else (lower, upper)
        return self.proven_by(proving), self.refuted_by(refuting)

    def proven_by(self, limit: ArrayLike) -> Array:
        """Where a limit on its proving side proves it."""
        value = np.asarray(limit)
        return value <= self.limit if self.from_above else value >= self.limit

    def refuted_by(self, limit: ArrayLike) -> Array:
        """Where a limit on its other side refutes it."""
        value = np.asarray(limit)
        return value > self.limit if self.from_above else value < self.limit


def several(given: Sequence[object]) -> list[Condition]:
    """The conditions, each made from its mapping; what is wrong is told with its number."""
    if isinstance(given, (str, bytes, Mapping)) or not isinstance(given, Sequence):
        raise HoldfastError(
            f"conditions= takes a list of them; got {shown(given)}. A file is read by read_conditions, "
            "whose answer is given as gate(..., **answer)."
        )
    if not given:
        raise HoldfastError("There are no conditions; give at least one.")
    made = []
    for number, each in enumerate(given, 1):
        try:
            made.append(Condition.of(each))
        except HoldfastError as error:
            raise HoldfastError(f"Condition {number}: {error}") from None
    return made


def _limit(name: str, given: Any) -> float:
    """The limit as one finite number; true and false are none."""
    if isinstance(given, (bool, str)):
        raise HoldfastError(f"{name} must be a number such as 0.05; got {shown(given)}.")
    number = numbers(name, given)
    if number.ndim:
        raise HoldfastError(f"{name} must be one number; got {shown(given)}.")
    return float(number) + 0.0  # which makes -0 a 0
