"""The claims of a report: a line says what its claim is about, a block says the same of many groups."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from holdfast.catalog import measure_called, measures
from holdfast.claims import KINDS as CLAIMED
from holdfast.claims import Claim
from holdfast.plain import Rate, read_keys


def told_in_percent(measure: str) -> bool:
    """Whether it is a share of examples.

    Examples
    --------
    >>> told_in_percent("recall"), told_in_percent("f1"), told_in_percent("recall-gap")
    (True, False, False)
    """
    entry = measure_called(measure)
    return entry is not None and entry.unit == "rate"


def in_a_sentence(measure: str) -> str:
    """Its name among words.

    Examples
    --------
    >>> in_a_sentence("auc"), in_a_sentence("error-rate")
    ('AUC', 'error rate')
    """
    entry = measure_called(measure)
    return measure.replace("-", " ") if entry is None or entry.called is None else entry.called


def label_is(measure: str) -> Literal["class", "bin", "samples"]:
    """What the labels of its claims are: classes, bins of the scores, or numbers of samples."""
    entry = measure_called(measure)
    return "class" if entry is None else entry.label_is


def told_of_classes(names: Iterable[str]) -> tuple[list[str], list[str]]:
    """Those of them that are told of many classes where there is room for few: read off a table, and off scores.

    Examples
    --------
    >>> told_of_classes(["npv", "recall", "auc", "precision"])
    (['precision', 'recall'], ['auc'])
    """
    asked = set(names)
    told = [measure for measure in measures() if measure.name in asked and "class" in measure.told_of]
    return [each.name for each in told if each.per_class], [each.name for each in told if not each.per_class]


def better_of(measure: str) -> str | None:
    """Whether higher or lower values are better, where either is."""
    entry = measure_called(measure)
    return None if entry is None else entry.better


def out_of_actual(measure: str) -> bool:
    """Whether it is a share of examples that the truth alone picks."""
    entry = measure_called(measure)
    return entry is not None and entry.out_of == "actual"


ABOUT = {"model": str | None, "label": str | None, "group": str | None, "against": str, "worst_coverage": Rate}


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

    @property
    def better(self) -> str | None:
        """Whether higher or lower values are better, of a measure or of how far it is from that of the rest."""
        return better_of(self.claim.measure.removesuffix("-gap"))

    def to_dict(self) -> dict[str, Any]:
        known: dict[str, Any] = {} if self.coverage is None else {"worst_coverage": self.coverage}
        if self.against is not None:
            known["against"] = self.against
        return {**self.claim.to_dict(), "model": self.model, "label": self.label, "group": self.group, **known}

    @classmethod
    def from_dict(cls, value: Any) -> Line:
        """What `to_dict` gave, checked."""
        kept = read_keys({**CLAIMED, **ABOUT}, value, optional=("per", "against", "worst_coverage"))
        about = {name: kept.get(name) for name in ("model", "label", "group", "against")}
        return cls(Claim.from_keys(kept), kept.get("worst_coverage"), **about)


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
