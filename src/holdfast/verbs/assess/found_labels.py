"""What holds of labels that were found in the data, and not declared: they are listed because they occur."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Protocol

import numpy as np

from holdfast.catalog import Bound, Limit, Measure
from holdfast.claims import Assumption, Claim, Side
from holdfast.evidence import Array, Contingency, Counts, Evidence
from holdfast.wording import listed

DECLARE = " labels= (--labels) declares every label there may be."


class Statement(Protocol):
    """What is asked of a measure, as far as it matters here."""

    @property
    def name(self) -> str: ...
    @property
    def only(self) -> Limit | None: ...
    @property
    def assumes(self) -> tuple[Assumption, ...]: ...


def only_limit(measure: Measure, evidence: Evidence, table: Contingency, place: int) -> Limit | None:
    """The only limit that holds of a label that was found; None where both do.

    Given how many trials there are, their events are binomial. A label that occurs outside of the trials, or that has
    none, is listed or not whatever the events are, so both limits hold. Where all rows are trials it is the events that
    put it on the list: there is at least one, which makes the share seem larger and never smaller. Among a million
    labels as rare as each other every one that is listed seems far too frequent.
    """
    if measure.of_found is None or not isinstance(evidence, Counts):
        return None
    return measure.of_found if np.sum(evidence.n[..., place]) == np.sum(table.n) else None


def assumed_of_classes(measure: Measure, labels: Sequence[str]) -> tuple[Assumption, ...]:
    """What it takes for granted, where the labels are those that were found."""
    return (Assumption.EVERY_CLASS,) if measure.lists_classes(len(labels)) else ()


def claimed(bound: Bound, evidence: Evidence, delta: Array, side: Side, only: Limit | None, **options: Any) -> Claim:
    """The claim; where only one limit holds, that one has the whole delta and the other is the end of the range."""
    if only is None:
        return bound(evidence, delta, side, **options)
    claim = bound(evidence, delta, only if side == "both" and bound.one_sided else side, **options)
    if only == "upper":
        return replace(claim, side=side, lower=_filled(claim.lower, evidence.scale.low))
    return replace(claim, side=side, upper=_filled(claim.upper, evidence.scale.high))


def _filled(limit: float | Array, end: float | Array) -> float | Array:
    return np.broadcast_to(end, limit.shape).copy() if isinstance(limit, np.ndarray) else float(end)


def notes_of_found(
    statements: Iterable[Statement], asked_about: Sequence[str] | None = None, declare: str = DECLARE
) -> Iterator[str]:
    """What a reader should know of labels that were not declared, and how to declare them, where that can be done.

    Where conditions say which labels they are `asked_about`, nobody reads of others.
    """
    asked = list(statements)
    names = [] if asked_about is not None else [*dict.fromkeys(each.name for each in asked if each.only is not None)]
    classes = [*notes_of_classes([each.name for each in asked if Assumption.EVERY_CLASS in each.assumes], declare)]
    if names:
        yield (
            f"Only one limit is claimed of labels that were not declared, in {listed(names)}: they are listed because "
            f"they occur, however rare they are.{'' if classes else declare}"
        )
    yield from classes


def notes_of_classes(names: Sequence[str], declare: str = DECLARE) -> Iterator[str]:
    """The same of measures that depend on which classes there are."""
    if names:
        different = [*dict.fromkeys(names)]
        takes = "takes" if len(different) == 1 else "take"
        yield (
            f"{listed(different)} {takes} the labels found here for all that there are: a class that does not occur "
            f"would change the result.{declare}"
        )
