"""What reports of training say beside their claims: a cross-validation, bias and variance, a learning curve."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from holdfast.plain import Absent, Count, Number, Plain, Share
from holdfast.report.facts.kind import Facts, Kind, Simultaneous

TargetName = Literal["fold-average", "fold", "refit", "algorithm"]


@dataclass(frozen=True)
class Estimator(Plain):
    """What was trained, in parts."""

    name: str  # as it was given on the command line; else MODULE:CLASS, or what it was called
    parameters: Mapping[str, Any]  # those that are not as the class has them
    grid: Mapping[str, tuple[Any, ...]] | None  # values that are chosen among in each training part


@dataclass(frozen=True)
class Preparation(Plain):
    """Columns that the estimator cannot take, by what was done to them in each training part."""

    one_hot: tuple[str, ...]
    median: tuple[str, ...]


@dataclass(frozen=True)
class Target(Plain):
    """Which model, or models, every claim of a cross-validation is about."""

    name: TargetName
    meaning: str


@dataclass(frozen=True, kw_only=True)
class Resampling(Plain):
    """How the rows were divided."""

    scheme: str
    rows: Number
    repeats: Number
    folds: Number
    seed: int | None
    stratified: bool | None
    grouped: bool
    blind: bool  # whether the labels had no say
    fingerprint: str
    overlapping: bool  # whether models are tested on rows that they were trained on


@dataclass(frozen=True)
class Split(Plain):
    """A model that was trained: where in the plan, on how many rows, and how it did."""

    repeat: Count
    fold: Count
    n_train: Number
    n_test: Number
    errors: Count


@dataclass(frozen=True, kw_only=True)
class CrossFacts(Facts, kind=Kind.CROSS_ASSESSMENT, marks=("target",)):
    """What a cross-validation says beside its claims."""

    target: Target
    learner: str  # in words
    estimator: Estimator
    prepared: Preparation | None
    resampling: Resampling
    splits: tuple[Split, ...]
    errors: Count
    positive: str | None
    notes: tuple[str, ...]
    next: tuple[str, ...]
    simultaneous: Absent[Simultaneous] = None


@dataclass(frozen=True, kw_only=True)
class Decomposed(Plain):
    """How bias and variance were found."""

    loss: Literal["zero-one", "squared"]
    outputs: Literal["labels", "probabilities"]
    rounds: Number  # training sets
    n_train: Number
    n_test: Number
    parameter: str | None
    values: tuple[str | float | bool | None, ...]
    target: str  # what the limits are about
    source: str


@dataclass(frozen=True, kw_only=True)
class DecompositionFacts(Facts, kind=Kind.DECOMPOSITION, marks=("decomposition",)):
    """What a decomposition says beside its claims, whose groups are the values of the parameter."""

    decomposition: Decomposed
    learner: str
    estimator: Estimator
    prepared: Preparation | None
    notes: tuple[str, ...]
    next: tuple[str, ...]


@dataclass(frozen=True)
class Point(Plain):
    """One way to split: the share that trains, and how many rows train and test."""

    train_share: Share
    n_train: Number
    n_test: Number


@dataclass(frozen=True)
class Learned(Plain):
    """The ways to split of a learning curve, in the order of the claims."""

    repeats: Number
    points: tuple[Point, ...]
    target: str  # what the limits are about


@dataclass(frozen=True, kw_only=True)
class LearningFacts(Facts, kind=Kind.LEARNING_CURVE, marks=("learning_curve",)):
    """What a learning curve says beside its claims."""

    learning_curve: Learned
    learner: str
    estimator: Estimator
    prepared: Preparation | None
    notes: tuple[str, ...]
