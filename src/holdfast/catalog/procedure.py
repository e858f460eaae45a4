"""Procedures: declared ways to a claim, a p-value or a verdict that are no function from evidence and delta to a limit.

One that selects a threshold, a programme over cores, a sequence of bets, a test of no difference: each is declared
where it is written, and what it claims takes name, guarantee, source and assumptions from its entry.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any, Generic, ParamSpec, TypeVar

from holdfast.catalog.measure import Names, section, summary
from holdfast.claims import Assumption, Claim, Guarantee, PValue, Source
from holdfast.evidence import Array

Given = ParamSpec("Given")
Outcome = TypeVar("Outcome")

# The modules that declare procedures; they are imported on first look-up.
DECLARING = (
    *("comparisons.folds", "comparisons.mcnemar", "comparisons.ranks", "comparisons.signed_rank"),
    *("selection.bands", "selection.thresholds", "selection.drawn_thresholds", "selection.least_cost"),
    *("selection.cores.committee", "selection.cores.inference"),
    *("streams.bets", "streams.losses", "combine", "report.decision", "ledger.budget"),
)
FIRMEST_FIRST = [*Guarantee]


@dataclass(frozen=True, eq=False, repr=False)
class Procedure(Generic[Given, Outcome]):
    """A declared function that ends in something claimed, and what holds of every such claim.

    Called, it is that function. A claim may be less firm than its procedure where the data are, and never firmer.
    """

    name: str
    steps: Callable[Given, Outcome]
    guarantee: Guarantee
    source: Source
    assumes: tuple[Assumption, ...] = ()
    rests_on: tuple[str, ...] = ()  # methods that its limits are made of: what they assume is assumed too
    aliases: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<Procedure {self.name}: {self.guarantee.sentence}>"

    def __reduce__(self) -> tuple[Callable[[str], AnyProcedure], tuple[str]]:
        return find_procedure, (self.name,)  # another process looks it up in its own catalog

    def __call__(self, *given: Given.args, **named: Given.kwargs) -> Outcome:
        return self.steps(*given, **named)

    @property
    def summary(self) -> str:
        return summary(self.steps)

    def to_dict(self) -> dict[str, Any]:
        """The entry as plain values."""
        return {
            "name": self.name,
            "aliases": list(self.aliases),
            "summary": self.summary,
            "guarantee": str(self.guarantee),
            "rests_on": list(self.rests_on),
            "assumes": [*map(str, self.assumes)],
            "source": str(self.source),
            "notes": section(self.steps, "Notes"),
        }

    def claim(self, *, assumes: tuple[Assumption, ...] | None = None, **stated: Any) -> Claim:
        """What is `stated`, the other fields of a claim, as its claim.

        `assumes` is given where the data change what is assumed, `guarantee` where they make it less firm.
        """
        return Claim(
            method=self.name,
            source=self.source,
            assumes=self.assumes if assumes is None else assumes,
            guarantee=self._no_firmer(stated.pop("guarantee", self.guarantee)),
            **stated,
        )

    def claim_from(self, claim: Claim, **numbers: Any) -> Claim:
        """What follows from the claim of a method that it rests on: as firm as that, and under the same assumptions."""
        added = tuple(each for each in self.assumes if each not in claim.assumes)
        return replace(
            claim,
            method=self.name,
            source=self.source,
            guarantee=self._no_firmer(claim.guarantee),
            assumes=(*claim.assumes, *added),
            **numbers,
        )

    def p_value(self, value: float | Array, null: str, statistic: float | Array | None = None) -> PValue:
        """The outcome of a test, with what the entry says of it."""
        return PValue(self.name, value, null, self.guarantee, self.source, statistic, self.assumes)

    def _no_firmer(self, guarantee: Guarantee) -> Guarantee:
        return max(self.guarantee, guarantee, key=FIRMEST_FIRST.index)


AnyProcedure = Procedure[..., Any]


def procedure(
    *, guarantee: Guarantee, source: Source, name: str | None = None, **special: Any
) -> Callable[[Callable[Given, Outcome]], Procedure[Given, Outcome]]:
    """Declare the decorated function as a procedure of the catalog, by its own name or by this one."""

    def declare(steps: Callable[Given, Outcome]) -> Procedure[Given, Outcome]:
        called = name or steps.__name__.replace("_", "-")
        entry = Procedure(called, steps, guarantee, source, **special)
        entry.__dict__["__doc__"] = inspect.getdoc(steps)
        _procedures.declare(entry)
        return entry

    return declare


def _fill() -> None:
    for module in DECLARING:
        import_module(f"holdfast.{module}")


_procedures: Names[AnyProcedure] = Names("procedure", fill=_fill)


def procedures() -> list[AnyProcedure]:
    """Every procedure of the catalog, by name."""
    return sorted(_procedures.all(), key=lambda entry: entry.name)


def known_procedure(name: object) -> bool:
    return name in _procedures


def find_procedure(name: str | AnyProcedure) -> AnyProcedure:
    """The procedure of that name; case and the difference of _ and - do not matter."""
    return name if isinstance(name, Procedure) else _procedures.find(name)
