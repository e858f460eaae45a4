"""What is said of classifiers beside the claims: one that is assessed, ways of training, several and their vote."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from holdfast.claims import Claim, Guarantee
from holdfast.plain import Absent, Count, Number, Plain, Rate, Share
from holdfast.report.facts.kind import Facts, Kind, Simultaneous


@dataclass(frozen=True, kw_only=True)
class Matrix(Plain):
    """Counts by predicted (rows) and actual (columns) label."""

    labels: tuple[str, ...]
    rows: Literal["predicted"] = "predicted"
    table: tuple[tuple[Count, ...], ...]


@dataclass(frozen=True)
class OperatingPoint(Plain):
    """The score from which on the label is predicted, and in how many rows a column of predictions says otherwise."""

    threshold: float
    label: str
    differing: Count | None


@dataclass(frozen=True)
class Bin(Plain):
    """One bin of the scores; the claim about it has its name for a label."""

    bin: str
    mean_score: float | None
    n: Count
    positives: Count


@dataclass(frozen=True)
class Calibration(Plain):
    """The bins of the scores of a label, and whether they were fixed before looking."""

    label: str
    fixed: bool
    bins: tuple[Bin, ...]


@dataclass(frozen=True)
class Asked(Plain):
    """A question, how many of its samples were right, and the limits of the chance that one is."""

    question: str
    samples: Number
    passes: Count
    lower: Rate
    upper: Rate


@dataclass(frozen=True)
class Spread(Plain):
    """The variance of the mean score over the questions, and its two parts, as they are estimated without bias."""

    variance: float
    within: float  # for the model answers the same question otherwise the next time
    between: float  # for other questions might have been asked; it may come out negative
    share: Claim  # of the former in the whole


@dataclass(frozen=True)
class Repeats(Plain):
    """Questions that were asked several times: how reliably each is answered, the least reliable first."""

    questions: Number
    delta: Share  # of the limits of each question, which hold on their own
    method: str
    guarantee: Guarantee
    each: tuple[Asked, ...]  # of very many only the first
    spread: Absent[Spread] = None


@dataclass(frozen=True, kw_only=True)
class AssessmentFacts(Facts, kind=Kind.ASSESSMENT, marks=("missing",)):
    """What an assessment says beside its claims."""

    errors: Absent[Count] = None  # None where there are no predictions
    positive: str | None = None
    positive_by: Absent[Literal["scores"]] = None  # that they say which class is positive, and nobody else did
    missing: Mapping[str, int | str]
    clusters: Absent[Number] = None
    largest_cluster: Absent[Number] = None
    contingency: Absent[Matrix] = None
    notes: tuple[str, ...] = ()
    next: tuple[str, ...] = ()
    operating_point: Absent[OperatingPoint] = None
    calibration: Absent[Calibration] = None
    simultaneous: Absent[Simultaneous] = None
    repeats: Absent[Repeats] = None


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
