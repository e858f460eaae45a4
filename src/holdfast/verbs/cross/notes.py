"""What a reader of a cross-validation should know: which model is meant, what does not hold, what was left out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from holdfast.verbs.cross.answers import MOST_SCORED, Crossed
from holdfast.verbs.jointly import notes_of_found
from holdfast.verbs.subject import MOST_CLASSES
from holdfast.wording import listed

if TYPE_CHECKING:
    from holdfast.verbs.cross.targets import Request

MEANT = {
    "fold-average": "the average of the {models} models trained here, that is, one of them drawn at random",
    "fold": "the one model that was tested on {fold}, which was chosen before looking",
    "refit": "the model trained on all {rows} rows; of it no method promises anything at a given sample size",
    "algorithm": "what the learner does on average over training sets of about {train} rows",
}
OPTIMISTIC = (
    "The model was tested on the very rows that it was trained on: that is hopelessly optimistic, and a learner that "
    "remembers everything would seem never to err."
)
OVERLAP = "Every model was tested on all rows, most of which it was trained on: these results are optimistic."
BY_LABEL = (
    "The folds were made by looking at the labels, so that no fold is a random sample: nothing that depends on how "
    "frequent the classes are holds at every sample size. The scheme kfold cuts blindly."
)
UNKNOWN = (
    "How these folds were made is not known here, so that none can be taken for a random sample: nothing that they say "
    "holds at every sample size. The scheme {scheme} cuts blindly."
)
ONE_EACH = "Whole groups were drawn: every group counts once, whatever its size, and n counts groups."
EACH_ROW = "Whole groups were drawn, and n counts groups; every row counts once."
SHARES = (
    " Of them only the error rate and the accuracy are claimed.",
    " Of them only the error rate and the accuracy are claimed, and shares of rows that are named, such as recall.",
)
ANY_LEARNER = (
    "Each model was trained on groups that the others are tested on. What holds at every sample size holds whatever "
    "the learner makes of that, and is no narrower than the groups of one fold let it be: fewer folds, or more groups, "
    "narrow it."
)
BY_SIZE = "In a sequence of models, each counts by the number of examples that it was tested on."
ONCE = "The intervals that pool the rows take each row once, as the first model answered that was tested on it."


def meant(crossed: Crossed, request: Request) -> str:
    """Which model the claims are about."""
    plan = crossed.plan
    repeat, fold = plan.place(crossed.splits[request.fold] if request.target == "fold" else 0)
    which = f"fold {fold}" + (f" of repeat {repeat}" if plan.repeats > 1 else "")
    train = round(float(plan.n_train[crossed.splits].mean()))
    models = f"{len(crossed.splits):,}"
    return MEANT[request.target].format(models=models, rows=f"{plan.rows:,}", fold=which, train=f"{train:,}")


def notes(crossed: Crossed, request: Request) -> Iterator[str]:
    """What is to be kept in mind, in whole sentences."""
    plan = crossed.plan
    if plan.scheme == "resubstitution":
        yield OPTIMISTIC
    elif not plan.disjoint:
        yield OVERLAP
    elif not plan.blind and request.target in ("fold-average", "fold"):
        yield BY_LABEL if crossed.by_label else UNKNOWN.format(scheme="grouped" if plan.grouped else "kfold")
    if plan.scheme == "leave-one-out":
        yield (
            "Leave-one-out tests each model on a single row, from which nothing can be guaranteed about it; and on "
            "balanced labels a learner that only counts them is wrong every time."
        )
    if plan.scheme == "progressive" and request.target == "fold-average":
        yield BY_SIZE
    if crossed.groups is not None and request.target == "fold-average" and len(crossed.splits) > 1 and plan.blind:
        yield ANY_LEARNER
    if request.target == "refit" and crossed.overlapping > 1:
        yield ONCE
    yield from notes_of_found(crossed.of_tables(request.wanted))
    yield from left_out(crossed, request)


def left_out(crossed: Crossed, request: Request) -> Iterator[str]:
    """What was not answered, and why."""
    if crossed.groups is not None:
        yield (ONE_EACH if crossed.most is None else EACH_ROW) + SHARES[crossed.named]
    if crossed.weighing is not None:
        yield _weighed(crossed)
    by_fold = request.target == "algorithm" or (request.target == "fold-average" and len(crossed.splits) > 1)
    if by_fold and crossed.plain and crossed.fits.scored and not crossed.ranked:
        yield (
            f"Left out: what is said of scores, which is asked of each model by itself: of {MOST_SCORED} at most, each "
            "tested on two rows or more. target='refit' (--about refit) takes all rows together."
        )
    many = len(crossed.labels) > MOST_CLASSES and crossed.declared is None
    if crossed.plain and many and crossed.positive is None:
        number = f"{len(crossed.labels):,}"
        yield f"There are {number} labels: measures of each class are left out; one is named by positive= (--positive)."
    if request.target == "algorithm":
        untold = [each for each in crossed.each(request.wanted, request.clip) if np.isnan(each.values).any()]
        names = [each.measure.name + ("" if each.label is None else f" of {each.label}") for each in untold]
        if names:
            yield f"Left out, for some fold says nothing of it: {listed(names)}."


def _weighed(crossed: Crossed) -> str:
    """What weights do to the claims."""
    assert crossed.weighing is not None  # or nothing is said
    if crossed.weighing.design.by_class:
        return (
            "Each row counts for how frequent its class is. Of folds of classes that were drawn apart no limit is "
            "known that holds at every sample size whatever the learner: what is claimed holds as the sample grows."
        )
    if crossed.weighing.design.max_weight is None:
        return (
            "Without the most that a row can weigh, max_weight= (--max-weight), nothing holds at every sample size: a "
            "row that was not drawn could outweigh all others."
        )
    return "Rows with weights: of them the error rate and the accuracy are claimed, or the shares that were named."


def what_next(crossed: Crossed, request: Request) -> Iterator[str]:
    """What would let one claim more."""
    if crossed.groups is not None and crossed.most is None and request.target in ("fold-average", "fold"):
        yield (
            "With max_group= (--max-group ROWS), the most rows that a group can hold, fixed beforehand, the claims are "
            "about the average row."
        )
    if request.target in ("refit", "algorithm"):
        yield "For a claim that holds at every sample size, set rows apart before training, and assess the model there."
    elif not crossed.plan.blind:
        scheme = "grouped" if crossed.plan.grouped else "kfold"
        yield f"scheme='{scheme}' (--scheme {scheme}) cuts blindly, and lets the claims about the fold average hold."
