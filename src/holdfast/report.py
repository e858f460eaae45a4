"""What a verb answers with: an ordered list of claims with where they come from, or a plan."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from holdfast.claims import Claim, Guarantee

SCHEMA = "holdfast/report/1"


@dataclass(frozen=True, eq=False)
class Line:
    """One claim of a report, and how often its method covers at this sample size, where that was computed."""

    claim: Claim
    coverage: float | None = None

    def to_dict(self) -> dict[str, Any]:
        known = {} if self.coverage is None else {"worst_coverage": self.coverage}
        return {**self.claim.to_dict(), **known}


@dataclass(frozen=True, eq=False, repr=False)
class Report:
    """Claims in order, their provenance, and what else the verb found out."""

    lines: tuple[Line, ...]
    provenance: Mapping[str, Any]
    details: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, claims: Iterable[Claim | Line], details: Mapping[str, Any] | None = None, **provenance: Any) -> Report:
        from holdfast import __version__

        lines = tuple(item if isinstance(item, Line) else Line(item) for item in claims)
        known = {key: value for key, value in provenance.items() if value is not None}
        return cls(lines, {"version": __version__, **known}, details or {})

    @property
    def claims(self) -> tuple[Claim, ...]:
        return tuple(line.claim for line in self.lines)

    def to_dict(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "provenance": dict(self.provenance),
            "claims": [line.to_dict() for line in self.lines],
            **self.details,
        }

    def to_json(self) -> str:
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False, allow_nan=False)

    def __str__(self) -> str:
        from holdfast.render.text import as_text, report_parts

        return as_text(*report_parts(self))

    def __repr__(self) -> str:
        return f"<Report of {len(self.lines)} claims>"


@dataclass(frozen=True, eq=False, repr=False)
class Plan:
    """How many examples to label, and what to look for in them.

    The power of a test of counts is a saw-tooth in n, so there are two answers: the smallest n that does it,
    and the n from which every larger one does too.
    """

    n: int
    n_always: int
    delta: float
    power: float
    method: str
    guarantee: Guarantee
    expect: float | None = None
    at_most: float | None = None
    half_width: float | None = None
    accept: int | None = None  # the most errors that still prove the limit
    claim: Claim | None = None  # what they would let you claim

    def to_dict(self) -> dict[str, Any]:
        return {f.name: getattr(self, f.name) for f in fields(self) if f.name != "claim"}

    def __str__(self) -> str:
        from holdfast.render.text import as_text, plan_parts

        return as_text(*plan_parts(self))

    def __repr__(self) -> str:
        return f"<Plan n={self.n}, n_always={self.n_always}, accept={self.accept}, {self.method}>"
