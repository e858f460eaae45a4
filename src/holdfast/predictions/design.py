"""How the rows were drawn: stated once, and kept with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from itertools import product
from numbers import Real
from typing import Any, Literal, TypedDict

import numpy as np

from holdfast.assumptions import Assumption
from holdfast.errors import HoldfastError, InvalidEvidence, UnknownName
from holdfast.wording import listed, quoted, shown

Order = Literal["drawn"]
Sampling = Literal["random", "by-class"]
Prevalence = Mapping[Any, float | tuple[float, float]]  # how frequent classes truly are; a pair is a range
SAMPLINGS: tuple[Sampling, ...] = ("random", "by-class")
MOST_RANGES = 4  # of prevalences, each with two ends
LARGEST_CAP = 2**25  # so that the events and trials of a cluster fit into one float
ROUNDING = 1e-9  # by which stated shares may miss adding up to one
# What is given row by row, and what rows call it.
COLUMNS = {"clusters": "cluster", "weights": "weight", "inclusion": "inclusion", "strata": "stratum"}

TWO_WEIGHTS = (
    "A row counts for its weight, or for one over the chance with which it was drawn: give weights= (--weight) or "
    "inclusion= (--inclusion), not both."
)


class DesignKeywords(TypedDict, total=False):
    """What a design takes, where verbs take it by its names."""

    clusters: Any
    max_cluster: int | None
    weights: Any
    max_weight: float | None
    inclusion: Any
    strata: Any
    shares: Mapping[Any, float] | None
    sampling: Sampling
    prevalence: Prevalence | None
    order: Order | None


@dataclass(frozen=True, eq=False)
class Design:
    """How the rows were drawn: one by one from the population of the claim, unless something else is said.

    Parameters
    ----------
    clusters, max_cluster
        The passage, patient, question ... that each row comes from: then clusters, not rows, are independent draws.
        The most rows that one can hold, fixed beforehand, lets rates be claimed over all rows at every sample size.
    weights, max_weight
        What each row counts for, known whatever the model predicts; the most that a row can, known beforehand, in the
        same units. Without it nothing that holds at every sample size can be said.
    inclusion
        In place of weights: the chance with which each row was drawn. A row then counts for one over it, and
        `max_weight` is one over the smallest chance that any row could have had.
    strata, shares
        The stratum that each row, or its cluster, was drawn from, and how frequent each is in the population. Weights
        that undo how many were drawn of each will do in place of shares.
    sampling, prevalence
        "by-class" where how many rows there are of each class was chosen; how frequent the classes truly are, as in
        `{"fraud": 0.002}`, is then needed for all that depends on it. With `{"fraud": (0.001, 0.004)}` that is claimed
        for the worst over the range.
    order
        "drawn" says that clusters stand in the order in which they were drawn, by their first rows.

    Examples
    --------
    >>> Design(clusters=["a", "a", "b"], max_cluster=5)
    Design(clusters=..., max_cluster=5)
    """

    clusters: Any = None
    max_cluster: int | None = None
    weights: Any = None
    max_weight: float | None = None
    inclusion: Any = None
    strata: Any = None
    shares: Mapping[Any, float] | None = None
    sampling: Sampling = "random"
    prevalence: Prevalence | None = None
    order: Order | None = None

    def __post_init__(self) -> None:
        if self.max_cluster is not None and not _whole(self.max_cluster):
            raise InvalidEvidence(
                "max_cluster= (--max-cluster), the most rows that a cluster can hold, must be a whole number from 1 "
                f"to {LARGEST_CAP:,}; got {shown(self.max_cluster)}."
            )
        if self.max_weight is not None and not (_number(self.max_weight) and 0 < self.max_weight < np.inf):
            raise InvalidEvidence(
                f"max_weight= (--max-weight), the most that a row can weigh, must be a number above 0; "
                f"got {shown(self.max_weight)}."
            )
        if not (isinstance(self.sampling, str) and self.sampling in SAMPLINGS):
            raise UnknownName("way of sampling", self.sampling, SAMPLINGS)
        if not (self.order is None or (isinstance(self.order, str) and self.order == "drawn")):
            raise InvalidEvidence(
                f'order= (--order) takes "drawn", for rows that stand in the order in which they were drawn; '
                f"got {shown(self.order)}. Leave it out where that is not known."
            )
        if self.weights is not None and self.inclusion is not None:
            raise HoldfastError(TWO_WEIGHTS)
        if self.shares is not None:
            _check_shares(self.shares)

    @classmethod
    def stated(cls, verb: str, design: Design | None, weights: Any, keywords: Mapping[str, Any]) -> Design:
        """A design that was given as such, or by the names of what it takes; scikit-learn's `sample_weight` will do."""
        known = [each.name for each in fields(cls)]
        for name in keywords:
            if name not in known:
                near = get_close_matches(name, known, n=1)
                hint = f" Did you mean {near[0]!r}?" if near else ""
                raise TypeError(f"{verb}() got an unexpected keyword argument {name!r}.{hint}")
        given = {name: value for name, value in keywords.items() if value is not None}
        if weights is not None:
            if "weights" in given:
                raise HoldfastError("Give weights= or sample_weight=, not both: they mean the same.")
            given["weights"] = weights
        if design is None:
            return cls(**given)
        if not isinstance(design, Design):
            raise HoldfastError(f"design= takes hf.Design(...); got {shown(design)}.")
        if twice := [name for name in given if design.says(name)]:
            raise HoldfastError(f"The design says this already; leave out {', '.join(f'{name}=' for name in twice)}.")
        return replace(design, **given)

    def check_cap(self, largest: int) -> None:
        """Refuse a cluster that holds more than was stated."""
        if self.max_cluster is not None and largest > self.max_cluster:
            raise InvalidEvidence(
                f"A cluster holds {largest:,} examples, more than the {self.max_cluster:,} that were stated as the "
                "most. The number must be known before looking; state one that no cluster can exceed, or none."
            )

    def given(self, name: str) -> bool:
        return getattr(self, name) is not None

    def says(self, name: str) -> bool:
        """Whether something else is said than what goes without saying."""
        return self.given(name) and not (name == "sampling" and self.sampling == "random")

    @property
    def columns(self) -> dict[str, Any]:
        """What is given row by row, by the names that rows have for it."""
        return {held: getattr(self, name) for name, held in COLUMNS.items() if self.given(name)}

    @property
    def facts(self) -> Design:
        """The same without what is given row by row, of which it is kept whether it was a chance."""
        inclusion = None if self.inclusion is None else True
        return replace(self, clusters=None, weights=None, inclusion=inclusion, strata=None)

    def with_facts(self, other: Design) -> Design:
        """The same with what the other says besides, if both do not say it."""
        names = [each.name for each in fields(other) if each.name not in COLUMNS and other.says(each.name)]
        more = {name: getattr(other, name) for name in names}
        if twice := [name for name in more if self.says(name)]:
            raise HoldfastError(f"The rows say this already; leave out {', '.join(f'{name}=' for name in twice)}.")
        return replace(self, **more)

    @property
    def by_class(self) -> bool:
        """Whether how many rows there are of each class says nothing of how frequent it is."""
        return self.sampling == "by-class" or self.prevalence is not None

    @property
    def at_each_end(self) -> list[Design]:
        """The same with one frequency of each class: where one may be anywhere in a range, at each end of it."""
        return [replace(self, prevalence=mix) for mix in mixes_of(self.prevalence)]

    def most(self, columns: Any) -> float | None:
        """The most that all rows of a draw can weigh, where rows have these columns; None where that is not known."""
        rows, weight = self.max_cluster if "cluster" in columns else 1, self.most_of_row(columns)
        return None if rows is None or weight is None else float(rows * weight)

    def most_of_row(self, columns: Any) -> float | None:
        """The most that one row can weigh; None where that is not known."""
        return self.max_weight if "weight" in columns else 1.0

    def assumes(self, columns: Any) -> tuple[Assumption, ...]:
        """What the design takes for granted of how the rows were drawn."""
        sentences = [Assumption.CLUSTERS] if "cluster" in columns else []
        if "stratum" in columns:
            sentences.append(Assumption.WITHIN_STRATA)
            sentences += [Assumption.STATED_SHARES] if self.shares is not None else []
        if self.by_class:
            sentences.append(Assumption.WITHIN_CLASSES)
        if "weight" in columns:
            sentences.append(Assumption.KNOWN_WEIGHTS if self.inclusion is None else Assumption.KNOWN_INCLUSION)
        drawn = {Assumption.CLUSTERS, Assumption.WITHIN_STRATA, Assumption.WITHIN_CLASSES} & {*sentences}
        return (*([] if drawn else [Assumption.INDEPENDENT]), *sentences)

    def caps(self, columns: Any) -> tuple[Assumption, ...]:
        """What it takes for granted of the most that a draw can weigh, where that is stated."""
        clusters = [Assumption.CAPPED_CLUSTERS] if "cluster" in columns and self.max_cluster is not None else []
        return (
            *clusters,
            *([Assumption.CAPPED_WEIGHTS] if "weight" in columns and self.max_weight is not None else []),
        )

    def __repr__(self) -> str:
        stated = {name: value for name, value in vars(self).items() if self.says(name)}
        told = [f"{name}={'...' if name in COLUMNS else repr(value)}" for name, value in stated.items()]
        return f"Design({', '.join(told)})"


def mixes_of(prevalence: Prevalence | None) -> list[dict[Any, float] | None]:
    """Each way in which classes may be mixed that matters, where a prevalence may be a range: its ends.

    Examples
    --------
    >>> mixes_of({"sick": (0.03, 0.07)})
    [{'sick': 0.03}, {'sick': 0.07}]
    """
    if prevalence is None:
        return [None]
    _check_mapping(prevalence)
    ends = [_ends(label, share) for label, share in prevalence.items()]
    if (ranges := sum(len(each) > 1 for each in ends)) > MOST_RANGES:
        raise HoldfastError(
            f"prevalence= (--prevalence) gives ranges for {ranges:,} classes, and each doubles how often everything is "
            f"asked; it takes {MOST_RANGES} at most. Say of the others one frequency each."
        )
    return [dict(zip(prevalence, each, strict=True)) for each in product(*ends)]


def _ends(label: object, share: Any) -> tuple[Any, ...]:
    if not isinstance(share, (tuple, list)):
        return (share,)
    numbers = [each for each in share if _number(each)]
    if len(share) != 2 or len(numbers) != 2 or not share[0] < share[1]:
        raise HoldfastError(
            f"A range of the prevalence of {quoted(str(label))} goes from a lower to a higher one, as (0.03, 0.07) or "
            f"0.03..0.07; got {shown(share)}."
        )
    return tuple(share)


def class_mix(classes: Sequence[str], prevalence: Prevalence) -> dict[str, float]:
    """How frequent each class is, from what was stated; the one that was not said has the rest.

    Examples
    --------
    >>> class_mix(["fraud", "fair"], {"fraud": 0.002})
    {'fraud': 0.002, 'fair': 0.998}
    """
    stated: dict[str, float] = {}
    _check_mapping(prevalence)
    for given, share in prevalence.items():
        label = str(given)
        if label not in classes:
            raise UnknownName("label", label, [*classes])
        if label in stated:
            raise HoldfastError(f"prevalence= (--prevalence) says twice how frequent {quoted(label)} is; say it once.")
        if isinstance(share, (tuple, list)):
            raise HoldfastError(
                f"prevalence= (--prevalence) gives a range for {quoted(label)}, and what is asked here is said for one "
                "frequency of each class: a difference of two models need not be worst where the range ends. assess, "
                "threshold and a gate without a baseline tell the worst over a range."
            )
        if not _number(share) or not 0.0 < float(share) < 1.0:
            raise HoldfastError(
                f"The prevalence of {quoted(label)} must be a number strictly between 0 and 1; got {shown(share)}."
            )
        stated[label] = float(share)
    silent = [label for label in classes if label not in stated]
    if len(silent) > 1:
        raise HoldfastError(
            f"State how frequent each class is, but for one: prevalence= (--prevalence) says nothing of "
            f"{listed(silent)}."
        )
    total = sum(stated.values())
    if total > 1.0 + ROUNDING or (silent and total >= 1.0) or (not silent and total < 1.0 - ROUNDING):
        rest = f", which leaves nothing for {quoted(silent[0])}" if silent else ""
        raise HoldfastError(f"The prevalences of all classes add up to 1; those stated add up to {total:.10g}{rest}.")
    return {label: stated.get(label, 1.0 - total) for label in classes}


def _check_mapping(prevalence: object) -> None:
    if not isinstance(prevalence, Mapping):
        raise HoldfastError(
            f"prevalence= says of labels how frequent they are, as {{'fraud': 0.002}}; got {shown(prevalence)}."
        )


def _check_shares(shares: object) -> None:
    if not isinstance(shares, Mapping) or not shares:
        raise HoldfastError(
            f"shares= (--strata-shares) says of each stratum how frequent it is, as {{'north': 0.3, 'south': 0.7}}; "
            f"got {shown(shares)}."
        )
    for name, share in shares.items():
        if not _number(share) or not 0.0 < float(share) <= 1.0:
            raise HoldfastError(
                f"The share of the stratum {shown(name)} must be a number above 0 and at most 1; got {shown(share)}."
            )
    total = sum(float(share) for share in shares.values())
    if abs(total - 1.0) > ROUNDING:
        raise HoldfastError(f"The shares of all strata add up to 1; those stated add up to {total:.10g}.")


def _whole(value: object) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool) and 1 <= int(value) <= LARGEST_CAP


def _number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)
