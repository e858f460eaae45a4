"""Measures: declared functions from the evidence of a test set to the narrower evidence of one quantity."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from math import isfinite
from typing import Any, Generic, Literal, NamedTuple, Protocol, TypeVar, get_args, get_type_hints

import numpy as np

from holdfast.claims import Source
from holdfast.errors import HoldfastError, UnknownName
from holdfast.evidence import Array, Contingency, Counts
from holdfast.evidence.tables.statistic import OfRates


class Named(Protocol):
    """Whatever has a name and aliases."""

    @property
    def name(self) -> str: ...

    @property
    def aliases(self) -> tuple[str, ...]: ...


Entry = TypeVar("Entry", bound=Named)


class Names(Generic[Entry]):
    """Entries in the order of their declaration; case and the difference of _ and - do not matter."""

    def __init__(self, kind: str, fill: Callable[[], object]) -> None:
        self._kind, self._fill = kind, fill  # `fill` imports the files that declare
        self._entries: dict[str, Entry] = {}

    def declare(self, entry: Entry) -> Entry:
        for name in (entry.name, *entry.aliases):
            if _key(name) in self._entries:
                raise HoldfastError(f"Two {self._kind}s are called {name!r}.")
            self._entries[_key(name)] = entry
        return entry

    def all(self) -> list[Entry]:
        self._fill()
        return list(dict.fromkeys(self._entries.values()))

    def __contains__(self, name: object) -> bool:
        return self.get(name) is not None

    def get(self, name: object) -> Entry | None:
        self._fill()
        return self._entries.get(_key(name))

    def find(self, name: object) -> Entry:
        entry = self.get(name)
        if entry is None:
            known = [known for entry in self.all() for known in (entry.name, *entry.aliases)]
            raise UnknownName(self._kind, name, known, [entry.name for entry in self.all()])
        return entry


def _key(name: object) -> str:
    return str(name).strip().lower().replace("_", "-")


def summary(function: Callable[..., Any]) -> str:
    """The first line of the docstring."""
    return (inspect.getdoc(function) or "").split("\n")[0]


def section(function: Callable[..., Any], title: str) -> str:
    """The text under one heading of the docstring."""
    below = (inspect.getdoc(function) or "").partition(f"{title}\n{'-' * len(title)}\n")[2]
    return below.split("\n\nExamples\n")[0].strip()


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


LONGEST_NAME = 60  # of a measure that is looked up
# Words for measures, beside those of the catalog, of which everybody knows which way is better.
HIGHER = {"acc", "auroc", "auc roc", "auc pr", "pr auc", "f1 score", "r2", "exact match", "win rate", "pass rate"}
LOWER = {
    *("error", "err", "errors", "loss", "misclassification rate", "cost", "regret", "perplexity"),
    *("mae", "mse", "rmse", "nll", "logloss", "brier loss", "zero one loss", "mean loss", "test error"),
}


def implied(measure: str | None) -> Better | None:
    """Which way is better by the name of the measure; None where it does not say so.

    Examples
    --------
    >>> implied("accuracy"), implied("Error_Rate"), implied("banana")
    ('higher', 'lower', None)
    """
    if measure is None or len(measure) > LONGEST_NAME:
        return None
    word = re.sub(r"[\s_\-.@]+", " ", measure.strip().casefold())
    for entry in measures():
        if word in (name.replace("-", " ") for name in (entry.name, *entry.aliases)):
            return entry.better
    return "higher" if word in HIGHER else "lower" if word in LOWER else None


LABELS = 3  # the fewest of which one may be actual, another predicted, and neither the one that is looked at


def single_rows() -> Contingency:
    """Tables of one row each, one for every pair of labels."""
    return Contingency(np.eye(LABELS**2, dtype=np.int64).reshape(-1, LABELS, LABELS), rows="predicted")


@cache
def counted_rows(measure: Measure) -> Literal["right", "wrong"] | None:
    """Which rows it is the share of, among all; None where it is no such share.

    Examples
    --------
    >>> from holdfast.catalog import find_measure
    >>> [counted_rows(find_measure(name)) for name in ("error-rate", "weighted-recall", "prevalence")]
    ['wrong', 'right', None]
    """
    if measure.takes is not Contingency or measure.required or measure.per_class or measure.out_of != "all":
        return None
    added, right = measure(single_rows()), np.eye(LABELS, dtype=bool).reshape(-1)
    if type(added) is not Counts or not np.all(added.n == 1):
        return None
    if np.array_equal(added.k, right):
        return "right"
    return "wrong" if np.array_equal(added.k, ~right) else None


class OfClass(NamedTuple):
    """A rate of a class whose trials the truth chose: what its trials are, and what its events."""

    inside: bool  # whether trials are the rows of the class, or else all others
    called: bool  # whether events are the trials that are said to be of it, or else all others


@cache
def rate_of_class(measure: Measure) -> OfClass | None:
    """What kind of rate of a class it is; None where it is none, or where the model has a say in its trials.

    Examples
    --------
    >>> from holdfast.catalog import find_measure
    >>> rate_of_class(find_measure("specificity")), rate_of_class(find_measure("precision"))
    (OfClass(inside=False, called=False), None)
    """
    if measure.takes is not Contingency or measure.required or not measure.per_class or measure.out_of != "actual":
        return None
    rows, places = single_rows(), np.arange(LABELS)
    added = measure(rows)
    if type(added) is not Counts:
        return None
    called, inside = (each[:, np.newaxis] == places for each in rows.cells[:2])
    for kind in (OfClass(*map(bool, divmod(number, 2))) for number in range(4)):
        trials = inside == kind.inside
        if np.array_equal(added.n, trials) and np.array_equal(added.k, trials & (called == kind.called)):
            return kind
    return None
