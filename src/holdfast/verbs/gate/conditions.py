"""What a gate is asked: that a measure is at most, or at least, some limit, or not worse than that of a baseline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from holdfast.catalog import Measure, find_measure
from holdfast.claims import Side
from holdfast.errors import HoldfastError, UnknownName
from holdfast.evidence import Array, numbers, shown
from holdfast.predictions import Predictions
from holdfast.predictions.coded import spelled

MEAN_LOSS = "mean-loss"  # of losses that were given as such: no measure of predictions
LIMITS = ("at_most", "at_least", "margin", "each_at_least")  # of which a condition has one


@dataclass(frozen=True)
class Condition:
    """One measure and one limit of it, of all rows or in each of some groups.

    A margin is a limit of how much worse the measure may be than that of a baseline: then `at_most` or `at_least` is
    that of the difference, new minus baseline.

    Examples
    --------
    >>> print(Condition("recall", label="fraud", at_least=0.9))
    recall of fraud at least 0.9
    >>> print(Condition.checked("recall", label="fraud", margin=0.02))
    recall of fraud at most 0.02 worse than the baseline
    """

    measure: str = "error-rate"
    at_most: float | None = None
    at_least: float | None = None
    label: str | None = None
    name: str | None = None
    margin: float | None = None
    by: tuple[str, ...] | None = None  # columns whose groups it shall hold in; None where the gate says which
    group: str | None = None  # the one group that it is about
    baseline: Any = field(default=None, compare=False, repr=False)  # where it is not that of the gate
    each_at_least: float | None = None  # of each question: the least that its own chance to be answered right may be

    @classmethod
    def of(cls, given: object, margin: object = None) -> Condition:
        """A condition from the keys of a mapping, as one stands in a file; what is no key is refused.

        One that has no limit of its own has the margin.
        """
        if isinstance(given, Condition):
            return given
        if not isinstance(given, Mapping):
            raise HoldfastError(
                f"A condition is a mapping such as {{'measure': ..., 'at_most': ...}}; got {shown(given)}."
            )
        known = [each.name for each in fields(cls)]
        for key in given:
            if key not in known:
                raise UnknownName("key of a condition", key, known)
        own = {**given}
        if margin is not None and not any(own.get(key) is not None for key in LIMITS):
            own["margin"] = margin
        return cls.checked(**own)

    @classmethod
    def checked(
        cls,
        measure: object = "error-rate",
        at_most: object = None,
        at_least: object = None,
        label: object = None,
        name: object = None,
        margin: object = None,
        by: object = None,
        group: object = None,
        baseline: object = None,
        each_at_least: object = None,
    ) -> Condition:
        """A condition whose measure exists and whose limit is one that the measure can have."""
        if each_at_least is not None:
            others = (at_most, at_least, label, margin, by, group, baseline)
            if any(each is not None for each in others) or not find_measure(str(measure)).right_or_wrong:
                raise HoldfastError(
                    "each_at_least= (--each-at-least) asks of each question how often it is answered right, and takes "
                    "no other measure, limit, class, group or baseline; make another condition of these."
                )
            limit = _limit("each_at_least= (--each-at-least)", each_at_least)
            condition = cls(
                "accuracy", at_least=limit, name=None if name is None else str(name), by=(), each_at_least=limit
            )
            return condition.within(0.0, 1.0)
        if margin is not None and not (at_most is None and at_least is None):
            raise HoldfastError(
                "A condition has one limit, at_most= (--at-most) or at_least= (--at-least), or a margin= (--margin) "
                "against a baseline; for both make two conditions of them."
            )
        if margin is None and (at_most is None) == (at_least is None):
            given = "got neither" if at_most is None else "got both"
            raise HoldfastError(
                f"Say what shall be shown with at_most= (--at-most) or at_least= (--at-least); {given}."
            )
        if margin is None and baseline is not None:
            raise HoldfastError(
                "A condition with a baseline needs margin= (--margin), by how much the measure may be worse."
            )
        entry = None if measure == MEAN_LOSS else find_measure(measure)  # type: ignore[arg-type]  # or an error
        condition = cls(
            MEAN_LOSS if entry is None else entry.name,
            None if at_most is None else _limit("at_most", at_most),
            None if at_least is None else _limit("at_least", at_least),
            None if label is None else spelled(label),
            None if name is None else str(name),
            by=columns_named(by),
            group=group,  # type: ignore[arg-type]  # see below
            baseline=baseline,
        )
        if group is not None and not (isinstance(group, str) and "=" in group):
            raise HoldfastError(f"group= names one group as reports do, such as 'subject=law'; got {shown(group)}.")
        if margin is not None:
            return condition._not_worse(_limit("margin", margin), entry)
        return condition if entry is None else condition.within(*entry.range)

    def _not_worse(self, margin: float, entry: Measure | None) -> Condition:
        """The same as a limit of the difference to a baseline."""
        if entry is None:
            raise HoldfastError("mean-loss has no baseline: give predictions of both models, and a measure of them.")
        if entry.better is None:
            raise HoldfastError(
                f"{entry.name} cannot be worse than that of a baseline: neither more of it nor less is better."
            )
        reach = entry.range[1] - entry.range[0]
        if not 0 <= margin <= reach:
            hint = f" Did you mean {margin / 100:g}?" if reach == 1 < margin <= 100 else ""
            raise HoldfastError(
                f"margin= (--margin) is how much worse {entry.name} may be, from 0 to {reach:g}; "
                f"got {margin:.12g}.{hint}"
            )
        if entry.better == "lower":
            return replace(self, margin=margin, at_most=margin)
        return replace(self, margin=margin, at_least=0.0 - margin)

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

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of groups that it names itself, if only within the name of a group."""
        if self.by is not None or self.group is None:
            return self.by or ()
        return tuple(part.partition("=")[0] for part in self.group.split(", "))

    @property
    def says_where(self) -> bool:
        """Whether it says itself which groups it is about, or that it is about all rows."""
        return self.by is not None or self.group is not None

    def about(self, label: str | None) -> Condition:
        """The same about that class."""
        return replace(self, label=label)

    def __str__(self) -> str:
        of = "" if self.label is None else f" of {self.label}"
        limit = f"{'at most' if self.from_above else 'at least'} {self.limit:.12g}"
        if self.margin is not None:
            own = self.baseline
            other = own if isinstance(own, str) else own.source if isinstance(own, Predictions) else "the baseline"
            limit = f"at most {self.margin:.12g} worse than {other}"
        words = f"{self.measure}{of} {limit}"
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


def several(given: Sequence[object], margin: object = None) -> list[Condition]:
    """The conditions, each made from its mapping; what is wrong is told with its number."""
    if isinstance(given, (str, bytes, Mapping)) or not isinstance(given, Sequence):
        raise HoldfastError(
            f"conditions= takes a list of them; got {shown(given)}. A file is read by read_conditions, "
            "whose answer is given as gate(..., **answer)."
        )
    if not given:
        raise HoldfastError("There are no conditions; give at least one.")
    conditions = []
    for number, each in enumerate(given, 1):
        try:
            conditions.append(Condition.of(each, margin))
        except HoldfastError as error:
            raise HoldfastError(f"Condition {number}: {error}") from None
    return conditions


def columns_named(given: object) -> tuple[str, ...] | None:
    """The columns to divide by: none, one, or several that are crossed."""
    if given is None or isinstance(given, str):
        return None if given is None else (given,)
    names = tuple(map(str, given)) if isinstance(given, Sequence) else ()
    if not isinstance(given, Sequence) or len(set(names)) < len(names):
        raise HoldfastError(
            f"by= (--by) takes the name of a column of groups, or a list of different ones that are crossed; got "
            f"{shown(given)}."
        )
    return names


def _limit(name: str, given: Any) -> float:
    """The limit as one finite number; true and false are none."""
    if isinstance(given, (bool, str)):
        raise HoldfastError(f"{name} must be a number such as 0.05; got {shown(given)}.")
    number = numbers(name, given)
    if number.ndim:
        raise HoldfastError(f"{name} must be one number; got {shown(given)}.")
    return float(number) + 0.0  # which makes -0 a 0
