"""The claims of a report: what each is about, a group, a model or a pair, and how one is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from holdfast.catalog import measure_called, measures
from holdfast.claims import KINDS as CLAIMED
from holdfast.claims import Claim, Guarantee
from holdfast.errors import HoldfastError, UnknownName
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
    wanted = set(names)
    entries = [measure for measure in measures() if measure.name in wanted and "class" in measure.told_of]
    return [each.name for each in entries if each.per_class], [each.name for each in entries if not each.per_class]


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

    @classmethod
    def of(cls, lines: Sequence[Line]) -> Block:
        """Lines that say the same of one group each."""
        first, claims = lines[0], [line.claim for line in lines]
        estimates = [np.nan if claim.estimate is None else claim.estimate for claim in claims]
        lower, upper, n = (np.array([getattr(claim, name) for claim in claims]) for name in ("lower", "upper", "n"))
        claim = replace(first.claim, estimate=np.array(estimates, np.float64), lower=lower, upper=upper, n=n)
        return cls(claim, [str(line.group) for line in lines], first.label)

    @property
    def better(self) -> str | None:
        """Whether higher or lower values are better, where either is."""
        return self[0].better

    def __len__(self) -> int:
        return len(self.groups)

    def __getitem__(self, place: int) -> Line:
        return Line(self.claim.one(place), label=self.label, group=self.groups[place])


def claim_of(lines: Sequence[Line], models: Sequence[str], measure: str, who: object, label: object) -> Claim:
    """The guaranteed claim about a model, or about a pair of them as a tuple; swapped, it is mirrored."""
    about = [line for line in lines if line.measure == measure]
    paired = any(line.against is not None for line in about)
    named = _named(who, models, paired, measure)
    own = [line for line in about if named in (None, _whose(line)) and _fits(line, label)]
    swapped = [line for line in about if named is not None and named == _whose(line)[::-1] and _fits(line, label)]
    if len({(_whose(line), line.label) for line in own}) > 1:
        example = about[0]
        owner_named = (example.model, example.against) if paired else example.model
        of = f", {example.label!r}" if example.label is not None else ""
        owner = "a pair of models" if paired else "a model"
        raise HoldfastError(f"{measure} belongs to {owner}: ask for report[{measure!r}, {owner_named!r}{of}].")
    claims = [line.claim for line in own] or [mirrored(line.claim) for line in swapped]
    if not claims and named is not None and not any({*named} == {*_whose(line)} for line in about):
        raise HoldfastError(
            "Of so many models not all pairs are told, and this one is not: ask for its counts and its p-value in "
            'report.views["pairs"], or compare fewer models.'
        )
    if not claims:
        groups = [line.group for line in about if line.group is not None]
        known = [line.label for line in about if line.label is not None]
        raise UnknownName("group" if groups else "class", label, [*dict.fromkeys(groups or known)])
    return next((claim for claim in claims if claim.guarantee is Guarantee.FINITE), claims[0])


def _whose(line: Line) -> tuple[str | None, ...]:
    return (line.model,) if line.against is None else (line.model, line.against)


def _fits(line: Line, label: object) -> bool:
    """Whether it is of this class or group; of all examples, where none is named."""
    return line.group is None if label is None else str(label) in (line.label, line.group)


def _named(who: object, models: Sequence[str], paired: bool, measure: str) -> tuple[str | None, ...] | None:
    """The model or models asked for, as they are called."""
    if who is None:
        return None
    names = tuple(str(name) for name in who) if isinstance(who, (tuple, list)) else (str(who),)
    for name in names:
        if name not in models:
            raise UnknownName("model", name, models)
    if len(names) != (2 if paired else 1):
        wanted = f"({models[0]!r}, {models[1]!r})" if paired else repr(models[0])
        raise HoldfastError(
            f"{measure} belongs to {'two models' if paired else 'one model'}: ask for report[{measure!r}, {wanted}]."
        )
    return names


def mirrored(claim: Claim) -> Claim:
    """The difference the other way round."""
    estimate = None if claim.estimate is None else 0.0 - float(claim.estimate)  # never a negative nothing
    return replace(claim, estimate=estimate, lower=0.0 - float(claim.upper), upper=0.0 - float(claim.lower))
