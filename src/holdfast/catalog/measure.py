"""Measures: declared functions from the evidence of a test set to the narrower evidence of one quantity."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from math import isfinite
from typing import Any, Literal, get_type_hints

from holdfast.catalog.names import Names, section, summary
from holdfast.claims import Source

Better = Literal["higher", "lower"]
Limit = Literal["lower", "upper"]


@dataclass(frozen=True, eq=False, repr=False)
class Measure:
    """What is measured, what it is read off, and which way is better.

    A measure of each class answers for all classes at once, one an entry of the last axis.
    """

    name: str
    narrow: Callable[..., Any]
    takes: type
    source: Source
    better: Better | None  # None where neither way is
    range: tuple[float, float] = (0.0, 1.0)
    per_class: bool = False
    needs_labels: bool = True  # or will it do to know which examples were wrong?
    needs_predictions: bool = True  # where it is read off a table: or will the true labels do?
    of_found: Limit | None = None  # the limit that still holds of a label that is listed because it was counted
    of_classes: Literal["all", "two"] | None = None  # whether a class more changes it: always, or where there are two
    parameters: tuple[str, ...] = ()
    required: tuple[str, ...] = ()  # parameters without which it cannot be asked for
    aliases: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<Measure {self.name}: {self.summary}>"

    def __reduce__(self) -> tuple[Callable[[str], Measure], tuple[str]]:
        return find_measure, (self.name,)  # another process looks it up in its own catalog

    def __call__(self, evidence: Any, **parameters: Any) -> Any:
        return self.narrow(evidence, **parameters)

    def lists_classes(self, labels: int) -> bool:
        """Whether a class that no example is of would change what it says of a table of so many labels."""
        return self.of_classes == "all" or (self.of_classes == "two" and labels == 2)

    @property
    def summary(self) -> str:
        return summary(self.narrow)

    def to_dict(self) -> dict[str, Any]:
        """The entry as plain values."""
        return {
            "name": self.name,
            "aliases": list(self.aliases),
            "summary": self.summary,
            "better": self.better,
            "range": [end if isfinite(end) else None for end in self.range],
            "per_class": self.per_class,
            "of_found": self.of_found,
            "of_classes": self.of_classes,
            "takes": self.takes.__name__,
            "source": str(self.source),
            "notes": section(self.narrow, "Notes"),
        }


def measure(*, source: Source, better: Better | None, **special: Any) -> Callable[[Callable[..., Any]], Measure]:
    """Declare the decorated function as a measure; what it takes is read off the type of its first argument."""

    def declare(narrow: Callable[..., Any]) -> Measure:
        parameters = list(inspect.signature(narrow).parameters.values())[1:]
        entry = Measure(
            name=special.pop("name", narrow.__name__.replace("_", "-")),
            narrow=narrow,
            takes=next(iter(get_type_hints(narrow).values())),
            source=source,
            better=better,
            parameters=tuple(p.name for p in parameters),
            required=tuple(p.name for p in parameters if p.default is p.empty),
            **special,
        )
        entry.__dict__["__doc__"] = inspect.getdoc(narrow)
        return _measures.declare(entry)

    return declare


_measures: Names[Measure] = Names("measure", fill=lambda: import_module("holdfast.measures"))


def measures() -> list[Measure]:
    """Every measure of the catalog, in the order of its files."""
    return _measures.all()


def find_measure(name: str | Measure) -> Measure:
    """The measure of that name or alias; case and the difference of _ and - do not matter."""
    return name if isinstance(name, Measure) else _measures.find(name)
