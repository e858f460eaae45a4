"""What is said of several models together, or of their vote, beside the claims."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from holdfast.plain import Absent, Number, Plain, Rate, Share
from holdfast.report.facts.kind import Facts, Kind, Simultaneous

Vote = Literal["majority", "weighted"]


@dataclass(frozen=True, kw_only=True)
class Certain(Plain):
    """What the unlabelled inputs say by themselves, whatever their labels are."""

    average: tuple[Rate, Rate]
    spread: Rate  # the largest standard deviation of the error rates over the models
    drawing: Rate  # the standard deviation of the error rate if a model is drawn anew for each input
    exact: bool  # whether it is that, and not only the most it can be


@dataclass(frozen=True, kw_only=True)
class Together(Plain):
    """On what several models were looked at, and what was seen of all of them."""

    examples: Number  # labelled ones
    average: Rate  # error rate on them
    unlabelled: Number | None  # inputs that the claims are about, if not the population
    unlabelled_fingerprint: str | None
    selected: str  # the model with the fewest errors here
    weights: Mapping[str, Rate] | None  # in the average; None where they are equal
    sets: Number  # of models, of which this one is chosen
    members: Mapping[str, tuple[str, ...]] | None  # by the label of its claim, the models of each set
    delta: Share
    certain: Certain | None


@dataclass(frozen=True, kw_only=True)
class PanelFacts(Facts, kind=Kind.PANEL, marks=("panel",)):
    """What a panel says beside its claims."""

    panel: Together
    models: tuple[str, ...]
    may_be_best: tuple[str, ...]
    notes: tuple[str, ...]
    next: tuple[str, ...]
    simultaneous: Absent[Simultaneous] = None


@dataclass(frozen=True, kw_only=True)
class Voting(Plain):
    """Whose vote it is, or which classifier is asked about, and what each way of bounding its error needs to know."""

    vote: Vote
    target: str | None  # the classifier asked about in place of a vote
    weights: Mapping[str, Rate] | None
    fitted: bool  # whether the weights saw the labels
    examples: Number
    unlabelled: Number | None
    unlabelled_fingerprint: str | None
    average: Rate  # how often a member errs on the labelled examples
    delta: Share
    ways: Mapping[str, str]  # by the label of its claim


@dataclass(frozen=True, kw_only=True)
class CommitteeFacts(Facts, kind=Kind.COMMITTEE, marks=("committee",)):
    """What a committee says beside its claims."""

    committee: Voting
    models: tuple[str, ...]
    notes: tuple[str, ...]
    next: tuple[str, ...]
    simultaneous: Absent[Simultaneous] = None
