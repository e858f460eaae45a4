"""Coverage by seeded simulation of whole cross-validations, for methods that need folds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from holdfast.catalog import Bound
from holdfast.claims import Coverage, Side
from holdfast.evidence import Array, Evidence
from holdfast.evidence.folds.nested_cv import Nested
from holdfast.evidence.folds.progressive import Progressive
from holdfast.evidence.folds.sample import FoldCounts
from holdfast.evidence.folds.values import FoldValues, RepeatedValues
from holdfast.verify.learners import LEARNERS, Learner
from holdfast.verify.simulated import outcome

FOLDS = 10
REPEATS = 3  # of a repeated cross-validation
NESTED_FOLDS, NESTED_REPEATS = 5, 4

Trial = Callable[[Learner, int, int], tuple[Evidence, Array]]  # from learner, n and folds to evidence and the truth


def crossed_coverages(
    bounds: Sequence[Bound],
    n: int,
    delta: float,
    side: Side,
    repeats: int,
    seed: int,
    learners: Sequence[str] = tuple(LEARNERS),
    folds: int = FOLDS,
) -> Iterator[Coverage]:
    """How often each method covers what it aims at, for every learner; those that aim at the same share the trials."""
    folds = max(min(folds, n // 2), 3)
    n = max(n, folds) // folds * folds
    for name in learners:
        generator = np.random.default_rng([seed, list(LEARNERS).index(name)])
        learner = LEARNERS[name](generator, repeats, n, folds, delta, side)
        tried: dict[Trial, tuple[Evidence, Array]] = {}
        for bound in bounds:
            target, trial = aim(bound)
            evidence, truth = tried[trial] = tried.get(trial) or trial(learner, n, folds)
            claim = bound(evidence, delta, side)
            missed = int(np.sum((claim.lower > truth) | (claim.upper < truth)))
            yield outcome(bound, n, delta, side, float(np.mean(truth)), f"{target}, {name}", missed, repeats)


def aim(bound: Bound) -> tuple[str, Trial]:
    """What the method speaks about, and how that is tried."""
    return next(found for kind, found in TRIALS.items() if issubclass(kind, bound.takes))


def needs_folds(bound: Bound) -> bool:
    """Whether it takes what one learner did on the folds of a cross-validation."""
    return any(issubclass(kind, bound.takes) for kind in TRIALS)


def average(learner: Learner, n: int, folds: int) -> tuple[FoldCounts, Array]:
    """Of one cross-validation, and the average risk of its models."""
    counts, risks = _cross_validated(learner, np.arange(n) * folds // n)
    return FoldCounts(counts, n // folds), risks.mean(axis=-1)


def sequence(learner: Learner, n: int, folds: int) -> tuple[Progressive, Array]:
    """Of models that were each trained on all blocks before the one they are tested on, and their average risk."""
    blocks = np.arange(n) * folds // n
    made = [learner.fit(blocks < block) for block in range(1, folds)]
    counts = [each.wrong[:, blocks == block + 1].sum(axis=1) for block, each in enumerate(made)]
    risks = np.stack([each.risk for each in made], axis=-1)
    return Progressive.from_counts(np.stack(counts, axis=-1), n // folds), risks.mean(axis=-1)


def algorithm(learner: Learner, n: int, folds: int, repeats: int = 1) -> tuple[FoldValues, Array]:
    """The same results as values, and the average risk over all data sets."""
    generator, values, risks = np.random.default_rng(folds), [], []
    for repeat in range(repeats):
        place = np.arange(n) * folds // n
        counts, risk = _cross_validated(learner, place if repeat == 0 else generator.permutation(place))
        values.append(counts * folds / n)
        risks.append(risk)
    kind = FoldValues if repeats == 1 else RepeatedValues
    return kind(np.stack(values, axis=-2)), np.asarray(np.mean(risks))


def repeated(learner: Learner, n: int, folds: int) -> tuple[FoldValues, Array]:
    return algorithm(learner, n, folds, REPEATS)


def refitted(learner: Learner, n: int, folds: int) -> tuple[Nested, Array]:
    """Of a nested cross-validation, and the risk of the model trained on all examples."""
    folds, generator = NESTED_FOLDS, np.random.default_rng(folds)
    outer, pairs, sizes = [], [], []
    for repeat in range(NESTED_REPEATS):
        blocks = np.arange(n) * folds // n
        place = blocks if repeat == 0 else generator.permutation(blocks)
        outer.append(_cross_validated(learner, place)[0])
        both = [
            learner.fit((place != j) & (place != k)).wrong @ np.stack([place == j, place == k], axis=1).astype(np.int64)
            for j, k in zip(*np.triu_indices(folds, 1), strict=True)
        ]
        pairs.append(np.stack(both, axis=-2))
        sizes.append(np.bincount(place))
    evidence = Nested.from_pairs(np.stack(outer, axis=-2), np.stack(pairs, axis=-3), np.stack(sizes))
    return evidence, learner.fit(np.ones(n, bool)).risk


def _cross_validated(learner: Learner, place: Array) -> tuple[Array, Array]:
    """Errors of each fold's model on its fold, and its risk: a row a data set, a column a fold."""
    counts, risks = [], []
    for fold in range(int(place.max()) + 1):
        made = learner.fit(place != fold)
        counts.append(made.wrong[:, place == fold].sum(axis=1))
        risks.append(made.risk)
    return np.stack(counts, axis=-1), np.stack(risks, axis=-1)


TRIALS: dict[type[Evidence], tuple[str, Trial]] = {
    FoldCounts: ("fold-average", average),
    Progressive: ("sequence", sequence),
    FoldValues: ("algorithm", algorithm),
    RepeatedValues: ("algorithm", repeated),
    Nested: ("refit", refitted),
}
