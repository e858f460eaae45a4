"""What a verb answers with: an ordered list of claims with where they come from, a decision or a plan."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from holdfast.audience import addressed
from holdfast.catalog import find_measure
from holdfast.claims import Claim, Guarantee
from holdfast.errors import HoldfastError, UnknownName
from holdfast.report.decision import Answer, Decision
from holdfast.report.models import claim_of
from holdfast.report.plan import Plan
from holdfast.report.verdict import Verdict
from holdfast.wording import json_text

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Answer", "Block", "Decision", "Line", "Plan", "Report", "Verdict"]

SCHEMA = "holdfast/report/1"
ADVICE = ("notes", "next")  # sentences that may name what to give next time


@dataclass(frozen=True, eq=False)
class Line:
    """One claim of a report, what it is about, and how often its method covers, where that was computed."""

    claim: Claim
    coverage: float | None = None
    model: str | None = None
    label: str | None = None  # None for a measure of all classes together
    group: str | None = None  # None for the whole test set
    against: str | None = None  # the second model of a difference, whose first is `model`

    @property
    def measure(self) -> str:
        return self.claim.measure

    def to_dict(self) -> dict[str, Any]:
        known: dict[str, Any] = {} if self.coverage is None else {"worst_coverage": self.coverage}
        if self.against is not None:
            known["against"] = self.against
        return {**self.claim.to_dict(), "model": self.model, "label": self.label, "group": self.group, **known}


@dataclass(frozen=True, eq=False)
class Block:
    """The same claim about many groups: its numbers are arrays, one entry a group."""

    claim: Claim
    groups: Sequence[str]
    label: str | None = None
    better: str | None = None  # "higher" or "lower", where either is

    def __len__(self) -> int:
        return len(self.groups)

    def __getitem__(self, place: int) -> Line:
        return Line(self.claim.one(place), label=self.label, group=self.groups[place])


@dataclass(frozen=True, eq=False, repr=False)
class Report:
    """Claims in order, their provenance, and what else the verb found out.

    `report["error-rate"]` is a claim, `report["recall", "virginica"]` that of one class, and
    `report["error-rate", None, "country=DE"]` that of one group. A comparison's claims belong to a model or a pair:
    `report["error-rate", "alpha"]`, `report["error-rate-difference", ("alpha", "beta")]`. Where several methods answer,
    it is the guaranteed one; all of them are in `report.lines`.
    """

    whole: tuple[Line, ...]
    provenance: Mapping[str, Any]
    details: Mapping[str, Any] = field(default_factory=dict)
    drawn: Mapping[str, Callable[[], Any]] = field(default_factory=dict)  # what makes each curve, on demand
    seen: Mapping[str, Callable[[], Any]] = field(default_factory=dict)  # what makes each view, on demand
    blocks: tuple[Block, ...] = ()  # of groups: each group becomes a line when lines are asked for

    @classmethod
    def of(
        cls,
        claims: Iterable[Claim | Line],
        details: Mapping[str, Any] | None = None,
        drawn: Mapping[str, Callable[[], Any]] | None = None,
        blocks: Iterable[Block] = (),
        seen: Mapping[str, Callable[[], Any]] | None = None,
        **provenance: Any,
    ) -> Report:
        from holdfast import __version__

        lines = tuple(item if isinstance(item, Line) else Line(item) for item in claims)
        known = {key: value for key, value in provenance.items() if value is not None}
        details = {key: [*map(addressed, kept)] if key in ADVICE else kept for key, kept in (details or {}).items()}
        return cls(lines, {"version": __version__, **known}, details, drawn or {}, seen or {}, tuple(blocks))

    def __getstate__(self) -> dict[str, Any]:
        """What it was made of: a copy makes lines, curves, views and charts anew when they are asked for."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """All claims: those about the whole, then those about each group."""
        return tuple(self.each_line())

    def each_line(self) -> Iterator[Line]:
        """The lines one by one, for whoever needs only the first of very many."""
        yield from self.whole
        yield from (block[place] for block in self.blocks for place in range(len(block)))

    @property
    def size(self) -> int:
        """How many lines there are; many groups need not become lines for it."""
        return len(self.whole) + sum(map(len, self.blocks))

    @property
    def verdict(self) -> Verdict:
        """Who is better, where models were compared."""
        if "verdict" not in self.details:
            raise HoldfastError("This report compares no models; hf.compare makes one that does.")
        verdict: Verdict = self.details["verdict"]
        return verdict

    @property
    def decision(self) -> Decision:
        """Whether what was required of the first model is proven, where something was."""
        if "decision" not in self.details:
            raise HoldfastError("Nothing was required of a model here; hf.compare(..., require=...) decides on it.")
        decision: Decision = self.details["decision"]
        return decision

    @property
    def claims(self) -> tuple[Claim, ...]:
        """All claims; those about many groups are arrays."""
        return (*(line.claim for line in self.whole), *(block.claim for block in self.blocks))

    @cached_property
    def curves(self) -> dict[str, Any]:
        """By name, each with its band."""
        return {name: draw() for name, draw in self.drawn.items()}

    @cached_property
    def views(self) -> dict[str, Any]:
        """By name, plain values for pictures and the page (verbs/assess/page_data.py); of many models all "pairs"."""
        return {name: look() for name, look in self.seen.items()}

    @cached_property
    def charts(self) -> dict[str, Any]:
        """By name, chart objects that a notebook shows."""
        from holdfast.render.charts import charts_of

        return charts_of(self)

    def save(self, path: str | Path) -> None:
        """Write the report as one self-contained page (.html), or as JSON (.json)."""
        from holdfast.render.page import save_report

        save_report(self, path)

    def __iter__(self) -> Iterator[Line]:
        """Line by line, as in `lines`."""
        return self.each_line()

    def __contains__(self, key: object) -> bool:
        """Whether there are claims about this measure, `report[key]` is one, or this line is one of the report's."""
        if isinstance(key, Line):
            return any(line is key for line in self.lines)
        try:
            self._measure(key) if isinstance(key, str) else self[key]  # type: ignore[index]  # whatever it is
        except (ValueError, TypeError):
            return False
        return True

    def __getitem__(self, key: str | tuple[str, object] | tuple[str, object, object]) -> Claim:
        """The guaranteed claim about a measure; of a class, where a label is given, and of a group."""
        name, label, group = (*key, None, None)[:3] if isinstance(key, tuple) else (key, None, None)
        measure = self._measure(name)
        if "models" in self.details:
            return claim_of(self.whole, self.details["models"], measure, label, group)
        lines = [line for line in self.whole if line.group is None] if group is None else self._of_group(str(group))
        about = [line for line in lines if line.measure == measure]
        if group is None and not about:
            first = next(line.group for line in self.each_line() if line.measure == measure)
            raise HoldfastError(f"{measure} belongs to a group: ask for report[{measure!r}, None, {first!r}].")
        if group is not None and not about:
            raise HoldfastError(f"{measure} was not asked for each group; it is one of only= (--measure).")
        known = list(dict.fromkeys(line.label for line in about if line.label is not None))
        asked = str(label) if label is not None else None
        if asked is None and not any(line.label is None for line in about):
            asked = self.details.get("positive") or (known[0] if len(known) == 1 else None)
            if asked is None:
                example = f"report[{measure!r}, {known[0]!r}]" if known else f"report[{measure!r}, label]"
                raise HoldfastError(f"{measure} belongs to a class: ask for {example}, or declare positive=.")
        found = [line.claim for line in about if line.label == asked]
        if not found and not known:
            raise HoldfastError(f"{measure} is of all classes together: ask for report[{measure!r}].")
        if not found:
            raise UnknownName("class", asked, known)
        return next((claim for claim in found if claim.guarantee is Guarantee.FINITE), found[0])

    def _of_group(self, group: str) -> list[Line]:
        found = [line for line in self.whole if line.group == group]
        found += [block[block.groups.index(group)] for block in self.blocks if group in block.groups]
        if not found:
            named = [line.group for line in self.whole if line.group is not None]
            raise UnknownName("group", group, [*named, *(name for block in self.blocks for name in block.groups)])
        return found

    def _measure(self, name: object) -> str:
        present = list(dict.fromkeys(claim.measure for claim in self.claims))
        if name in present:
            return str(name)
        entry = find_measure(str(name))  # an alias, or an error with the near miss
        if entry.name not in present:
            needed = entry.takes.__name__.lower()
            raise HoldfastError(
                f"This report has no {entry.name}, which is read off {needed}; it has {', '.join(present)}."
            )
        return entry.name

    def to_dict(self) -> dict[str, Any]:
        """Plain values, as the JSON Schema in `holdfast/schemas/` describes them."""
        return {
            "schema": SCHEMA,
            "provenance": dict(self.provenance),
            "claims": [line.to_dict() for line in self.lines],
            **{key: _plain(value) for key, value in self.details.items()},
        }

    def to_json(self) -> str:
        return json_text(self.to_dict(), indent=2)

    def to_frame(self) -> pl.DataFrame:
        """One row for each line, as a polars frame: its claim, and whatever numbers the report has beside it."""
        from holdfast.report.frame import report_frame

        return report_frame(self)

    def to_markdown(self) -> str:
        """Every line as a table for a README, an issue or a notebook, under what follows and above what is assumed."""
        from holdfast.render.document.markdown import report_markdown

        return report_markdown(self)

    def to_latex(self) -> str:
        """The same for a paper; it needs the package booktabs."""
        from holdfast.render.document.latex import report_latex

        return report_latex(self)

    def __str__(self) -> str:
        from holdfast.render.text.text import as_text, parts_of

        return as_text(*parts_of(self))

    def _repr_html_(self) -> str:
        from holdfast.render.notebook import report_html

        return report_html(self)

    def __repr__(self) -> str:
        return f"<Report of {self.size} claims>"


def _plain(detail: Any) -> Any:
    return detail.to_dict() if isinstance(detail, (Verdict, Decision)) else detail
