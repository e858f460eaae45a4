"""What a verb answers with: an ordered list of claims with where they come from, a decision or a plan."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Self

from holdfast.catalog import find_measure
from holdfast.claims import Claim, Guarantee
from holdfast.errors import HoldfastError, UnknownName
from holdfast.report.decision import Answer, Decision, Plan
from holdfast.report.facts.kind import Facts, Kind
from holdfast.report.facts.listing import BoundsFacts
from holdfast.report.lines import Block, Line, claim_of
from holdfast.report.origin import Pictured, Provenance, origin
from holdfast.report.verdict import Verdict

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Answer", "Block", "Decision", "Facts", "Kind", "Line", "Plan", "Report", "Verdict", "origin"]


@dataclass(frozen=True, eq=False, repr=False)
class Report(Pictured):
    """Claims in order, their provenance, and what else the verb found out.

    `report["error-rate"]` is a claim, `report["recall", "virginica"]` that of one class, and
    `report["error-rate", None, "country=DE"]` that of one group. A comparison's claims belong to a model or a pair:
    `report["error-rate", "alpha"]`, `report["error-rate-difference", ("alpha", "beta")]`. Where several methods answer,
    it is the guaranteed one; all of them are in `report.lines`.
    """

    schema: ClassVar[str] = "holdfast/report/1"
    whole: tuple[Line, ...]
    provenance: Provenance
    facts: Facts = field(default_factory=BoundsFacts)  # what it says beside, of the kind that the report is
    drawn: Mapping[str, Callable[[], Any]] = field(default_factory=dict)  # what makes each curve, on demand
    seen: Mapping[str, Callable[[], Any]] = field(default_factory=dict)  # what makes each view, on demand
    blocks: tuple[Block, ...] = ()  # of groups: each group becomes a line when lines are asked for
    restored: bool = False  # whether it was read back from JSON, which holds neither curves nor views

    @classmethod
    def of(
        cls,
        claims: Iterable[Claim | Line],
        facts: Facts | None = None,
        drawn: Mapping[str, Callable[[], Any]] | None = None,
        blocks: Iterable[Block] = (),
        seen: Mapping[str, Callable[[], Any]] | None = None,
        **provenance: Any,
    ) -> Report:
        lines = tuple(item if isinstance(item, Line) else Line(item) for item in claims)
        return cls(lines, origin(**provenance), facts or BoundsFacts(), drawn or {}, seen or {}, tuple(blocks))

    def __getstate__(self) -> dict[str, Any]:
        """What it was made of: a copy makes lines, curves, views and charts anew when they are asked for."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def with_command(self, command: str) -> Self:
        """The same, as made by this call or command."""
        report, decision = super().with_command(command), self.facts.decision
        if decision is None:
            return report
        return replace(report, facts=replace(self.facts, decision=decision.with_command(command)))  # type: ignore[type-var]

    @property
    def kind(self) -> Kind:
        """Which question it answers."""
        return self.facts.kind

    @cached_property
    def details(self) -> Mapping[str, Any]:
        """What it says beside its claims, by the names that JSON has for it; `facts` is the same, typed."""
        return MappingProxyType(self.facts.details())

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
        if self.facts.verdict is None:
            raise HoldfastError("This report compares no models; hf.compare makes one that does.")
        return self.facts.verdict

    @property
    def decision(self) -> Decision:
        """Whether what was required of the first model is proven, where something was."""
        if self.facts.decision is None:
            raise HoldfastError("Nothing was required of a model here; hf.compare(..., require=...) decides on it.")
        return self.facts.decision

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
        if self.facts.models:
            return claim_of(self.whole, self.facts.models, measure, label, group)
        lines = [line for line in self.whole if line.group is None] if group is None else self._of_group(str(group))
        about = [line for line in lines if line.measure == measure]
        if group is None and not about:
            first = next(line.group for line in self.each_line() if line.measure == measure)
            raise HoldfastError(f"{measure} belongs to a group: ask for report[{measure!r}, None, {first!r}].")
        if group is not None and not about:
            raise HoldfastError(f"{measure} was not asked for each group; it is one of only= (--measure).")
        known = list(dict.fromkeys(line.label for line in about if line.label is not None))
        wanted = str(label) if label is not None else None
        if wanted is None and not any(line.label is None for line in about):
            wanted = self.facts.positive or (known[0] if len(known) == 1 else None)
            if wanted is None:
                example = f"report[{measure!r}, {known[0]!r}]" if known else f"report[{measure!r}, label]"
                raise HoldfastError(f"{measure} belongs to a class: ask for {example}, or declare positive=.")
        claims = [line.claim for line in about if line.label == wanted]
        if not claims and not known:
            raise HoldfastError(f"{measure} is of all classes together: ask for report[{measure!r}].")
        if not claims:
            raise UnknownName("class", wanted, known)
        return next((claim for claim in claims if claim.guarantee is Guarantee.FINITE), claims[0])

    def _of_group(self, group: str) -> list[Line]:
        lines = [line for line in self.whole if line.group == group]
        lines += [block[block.groups.index(group)] for block in self.blocks if group in block.groups]
        if not lines:
            named = [line.group for line in self.whole if line.group is not None]
            raise UnknownName("group", group, [*named, *(name for block in self.blocks for name in block.groups)])
        return lines

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
            "schema": self.schema,
            "provenance": dict(self.provenance),
            "claims": [line.to_dict() for line in self.lines],
            **self.facts.to_dict(),
        }

    @classmethod
    def from_dict(cls, value: Any) -> Self:
        """What `to_dict` gave, checked; without curves and views it prints the same.

        Examples
        --------
        >>> from holdfast import Counts, every_bound
        >>> report = every_bound(Counts(8, 30))
        >>> again = Report.from_json(report.to_json())
        >>> str(again) == str(report), again.to_json() == report.to_json()
        (True, True)
        """
        from holdfast.report.reading import report_from

        return report_from(cls, value)

    def to_frame(self) -> pl.DataFrame:
        """One row for each line, as a polars frame: its claim, and whatever numbers the report has beside it."""
        from holdfast.report.frame import report_frame

        return report_frame(self)

    def to_latex(self) -> str:
        """Every line as a table for a paper; it needs the package booktabs."""
        from holdfast.render.document.latex import report_latex

        return report_latex(self)

    def _repr_html_(self) -> str:
        from holdfast.render.notebook import report_html

        return report_html(self)

    def __repr__(self) -> str:
        return f"<Report of {self.size} claims>"
