"""Claims as the rows of one table, for whatever lays tables out: what stands in each column, as plain text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from holdfast.claims import Claim
from holdfast.render.phrases import BEFORE, by_cluster, confidence, estimate_and_limits, p_value
from holdfast.report import Line
from holdfast.wording import printable

LONGEST, LONGEST_MODEL = 60, 28  # characters of a label or a group, and of one of two models


@dataclass(frozen=True, eq=False)
class Row:
    """One claim with plain numbers, and what it is about."""

    claim: Claim
    label: str | None = None
    group: str | None = None
    place: str | None = None  # in an array of claims
    model: str | None = None  # or two of them, of a difference
    p: float | None = None  # of no difference, adjusted for all pairs
    outcome: str | None = None  # of a pair, or of a condition


def rows_of(claim: Claim, most: int) -> list[Row]:
    """The claim; of an array, a row for each of the first few, without listing all."""
    shape = np.shape(claim.upper)
    number = min(int(np.prod(shape)), most)
    places = (tuple(int(i) for i in np.unravel_index(flat, shape)) for flat in range(number)) if shape else [()]
    return [Row(_element(claim, place, shape), place=", ".join(map(str, place)) or None) for place in places]


def _element(claim: Claim, place: tuple[int, ...], shape: tuple[int, ...]) -> Claim:
    """One element of an array of claims as a claim of its own."""

    def at(values: Any) -> Any:
        return np.broadcast_to(np.asarray(values), shape)[place].item()

    estimate = None if claim.estimate is None else at(claim.estimate)
    return replace(
        claim,
        estimate=None if estimate is None or estimate != estimate else estimate,
        lower=at(claim.lower),
        upper=at(claim.upper),
        delta=at(claim.delta),
        n=at(claim.n),
    )


def row_of(line: Line, facts: Mapping[str, Any]) -> Row:
    """The line, with what is said of it besides its claim."""
    model = whose(line) if line.model is not None else None
    return Row(line.claim, line.label, line.group, None, model, facts.get("adjusted_p"), facts.get("outcome"))


def whose(line: Line) -> str:
    """The model, or the two of a difference."""
    first = printable(line.model or "", LONGEST_MODEL)
    return first if line.against is None else f"{first} − {printable(line.against, LONGEST_MODEL)}"


def columns_of(rows: Sequence[Row]) -> dict[str, list[str]]:
    """The cells under each title; what all rows leave empty is left out, and one confidence is said once."""
    claims = [row.claim for row in rows]
    levels = [confidence(float(claim.delta)) for claim in claims]
    shared, clusters = len(set(levels)) == 1, by_cluster(claims)
    columns: dict[str, list[str]] = {
        "place": [row.place or "" for row in rows],
        "measure": [claim.measure for claim in claims],
        "model": [row.model or "" for row in rows],
        "of": [printable(row.label or "", LONGEST) for row in rows],
        "group": [printable(row.group or "", LONGEST) for row in rows],
        "per": [claim.per if clusters else "" for claim in claims],
        "estimate": [estimate_and_limits(claim)[0] for claim in claims],
        f"{levels[0]} limits" if shared else "limits": [_limits(claim) for claim in claims],
        "confidence": [] if shared else levels,
        "method": [claim.method for claim in claims],
        "guarantee": [claim.guarantee.sentence for claim in claims],
        "p": ["" if row.p is None else p_value(row.p) for row in rows],
        "first is": [row.outcome or "" for row in rows],
    }
    return {title: cells for title, cells in columns.items() if any(cells)}


def _limits(claim: Claim) -> str:
    return BEFORE["words"][claim.side] + estimate_and_limits(claim)[1]
