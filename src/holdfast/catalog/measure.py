"""Measures: declared functions from the evidence of a test set to the narrower evidence of one quantity."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from math import isfinite
from typing import Any, Literal, get_args, get_type_hints

from holdfast.catalog.names import Names, section, summary
from holdfast.claims import Source
from holdfast.evidence import Array, Contingency
from holdfast.evidence.tables.prevalence import OfRates

Better = Literal["higher", "lower"]
Limit = Literal["lower", "upper"]
OutOf = Literal["all", "actual", "predicted"]
# A rate is a share of examples and told in percent, an index a number on a scale of its own; a loss is a mean over the
# examples, in nats where that is of logarithms; a cost is one in the units that were stated.
Unit = Literal["rate", "index", "loss", "nats", "cost"]


@dataclass(frozen=True, eq=False, repr=False)
class Measure:
    """What is measured, what it is read off, and which way is better.

    A measure of each class answers for all classes at once, one an entry of the last axis.
    """

    name: str
    narrow: Callable[..., Any]
    takes: type
    gives: tuple[type, ...]
    source: Source
    better: Better | None  # None where neither way is
    unit: Unit
    out_of: OutOf | None = None  # who chose the number of trials: nobody, the truth or the model; None without trials
    of_mix: Literal["all", "others"] | None = "all"  # whose frequencies change it: those of all classes, or the others
    of_rates: OfRates | None = None  # from the odds of a class, and of it and of the rest the shares right and wrong
    range: tuple[float, float] = (0.0, 1.0)
    per_class: bool = False
    needs_labels: bool = True  # or will it do to know which examples were wrong?
    needs_predictions: bool = True  # where it is read off a table: or will the true labels do?
    of_found: Limit | None = None  # the limit that still holds of a label that is listed because it was counted
    of_classes: Literal["all", "two"] | None = None  # whether a class more changes it: always, or where there are two
    told_of: tuple[Literal["class", "group"], ...] = ()  # of many of which it is told where there is room for few
    label_is: Literal["class", "bin", "samples"] = "class"  # what the labels of its claims are
    called: str | None = None  # in a sentence, where its name is no word
    influence: Callable[..., Any] | None = None  # from scores, which rows are of the class, and weights: what each adds
    of_pairs: bool = False  # whether it is the share of pairs of both classes that are ranked rightly, in its units
    smooth: bool = True  # or is it a maximum, which has kinks?
    row_losses: Callable[..., tuple[Array, float, float]] | None = (
        None  # what each row loses, and the ends of the range
    )
    of_question: Callable[..., Array] | None = None  # of each question, from its samples and their number k
    of_squares: bool = False  # whether a row loses by the squared distance of its forecast from what came true
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

    def depends_on_mix(self, classes: int) -> bool:
        """Whether it changes with how frequent the classes are, where there are so many."""
        return self.of_mix == "all" or (self.of_mix == "others" and classes != 2)

    @property
    def fixed_trials(self) -> bool:
        """Whether the model has no say in the number of trials; never of a measure that does not say who has."""
        return self.out_of in ("all", "actual")

    @property
    def right_or_wrong(self) -> bool:
        """Whether it is read off which rows are wrong, whatever their labels."""
        return self.takes is Contingency and not self.needs_labels

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
            "unit": self.unit,
            "out_of": self.out_of,
            "of_mix": self.of_mix,
            "of_found": self.of_found,
            "of_classes": self.of_classes,
            "takes": self.takes.__name__,
            "source": str(self.source),
            "notes": section(self.narrow, "Notes"),
        }


def measure(
    *, source: Source, better: Better | None, unit: Unit, out_of: OutOf | None = None, **special: Any
) -> Callable[[Callable[..., Any]], Measure]:
    """Declare the decorated function as a measure; what it takes and gives is read off its types."""

    def declare(narrow: Callable[..., Any]) -> Measure:
        types = get_type_hints(narrow)
        parameters = list(inspect.signature(narrow).parameters.values())[1:]
        entry = Measure(
            name=special.pop("name", narrow.__name__.replace("_", "-")),
            narrow=narrow,
            takes=next(iter(types.values())),
            gives=get_args(types["return"]) or (types["return"],),
            source=source,
            better=better,
            unit=unit,
            out_of=out_of,
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


def measure_called(name: str) -> Measure | None:
    """The measure of just that name; None for what else a claim may be about, such as a difference."""
    entry = _measures.get(name)
    return entry if entry is not None and entry.name == name else None
