"""What would more training buy, and what would it cost in certainty? Error and interval at each way to split."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from holdfast.arguments import Seed
from holdfast.catalog import find
from holdfast.claims import Side
from holdfast.errors import HoldfastError
from holdfast.evidence import Counts, shown
from holdfast.evidence.folds.sample import FoldCounts
from holdfast.report import Line, Report
from holdfast.report.facts.assessment import Learned, LearningFacts, Point
from holdfast.resampling import shares
from holdfast.training import fit_all
from holdfast.training.given import Learner, declared_labels
from holdfast.training.preparation import Prepare, prepared
from holdfast.verbs.cross.decompose import Progress
from holdfast.verbs.cross.measure import DATA, trained
from holdfast.verbs.jointly import one_chance
from holdfast.verbs.provenance import recorded

SHARES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


@recorded(without=DATA)
def learning_curve(
    estimator: Any,
    X: Any,  # scikit-learn's name
    y: Any,
    *,
    train_shares: Sequence[float] = SHARES,
    repeats: int = 1,
    confidence: float | str | None = None,
    delta: float | None = None,
    side: Side = "both",
    labels: Sequence[object] | None = None,
    seed: Seed = 0,
    engine: str | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
    prepare: Prepare = "auto",
    name: str | None = None,
) -> Report:
    """The error rate and its interval when more and more of the rows train, and fewer and fewer test.

    Rows are put in random order; the first ones train, all others test.

    Parameters
    ----------
    estimator
        A scikit-learn classifier, or anything with `get_params`, `fit` and `predict`; it is cloned, never fitted.
    X, y
        The rows and their labels.
    train_shares
        The shares of the rows that train, rising.
    repeats
        In how many random orders. Each interval is about the one model that was trained on that share of the rows;
        with several repeats, about the average of theirs.
    confidence, delta, side
        As in `bound`. Each interval holds on its own, for a share fixed beforehand.
    labels
        All labels there are, as in `cross_assess`: any other is refused.
    engine, workers, progress
        Where the training is done, as in `cross_assess`; a call after each split, with how many are done of how many.
    prepare, name
        What to do with columns of a frame that the estimator cannot take, and what to call it, as in `cross_assess`.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> draw = np.random.default_rng(0)
    >>> y = draw.integers(0, 2, 400)
    >>> X = draw.normal(size=(400, 2)) + y[:, np.newaxis]
    >>> report = learning_curve(GaussianNB(), X, y, train_shares=[0.1, 0.9])
    >>> for share in (10, 90):
    ...     print(report["error-rate", None, f"train {share} %"])
    0.2667 [0.2216, 0.3156], clopper-pearson, 95 %, holds at every sample size
    0.275 [0.146, 0.439], clopper-pearson, 95 %, holds at every sample size
    """
    level = one_chance("A learning curve is made", "learning_curve", confidence, delta)
    if isinstance(train_shares, (str, bytes)) or not np.ndim(train_shares):
        raise HoldfastError(
            f"train_shares= (--shares) lists shares of the rows, such as [0.1, 0.5]; got {shown(train_shares)}."
        )
    plan = shares(y, train_shares, repeats=repeats, seed=seed)
    declared_labels(y, plan.rows, labels)  # refuses others before anything is trained
    ready = prepared(estimator, X, prepare)
    learner = Learner.of(estimator, name)
    options: dict[str, Any] = {"engine": engine, "workers": workers, "seed": seed, "progress": progress}
    with ready.explained():
        fits = fit_all(ready.estimator, X, y, plan, scores=False, **options)
    wrong = [np.count_nonzero(fits[i].predicted != fits.truth[plan.test(i)]) for i in range(len(plan))]
    errors, tested = (np.reshape(counted, (plan.repeats, plan.folds)).T for counted in (wrong, plan.n_test))
    if plan.repeats == 1:
        claims = find("clopper-pearson")(Counts(errors[:, 0], tested[:, 0]), level, side)
    else:  # of the average of several models, whose tests overlap
        claims = find("geometric-merge")(FoldCounts(errors, tested, repeats=plan.repeats), level, side)
    curve = Learned(
        plan.repeats,
        tuple(
            Point(float(share), int(n_train), int(n_test))
            for share, n_train, n_test in zip(train_shares, plan.n_train, plan.n_test, strict=False)
        ),
        "the model trained" if plan.repeats == 1 else "the average of the models trained",
    )
    groups = [f"train {100 * float(share):g} %" for share in train_shares]
    return Report.of(
        [Line(claims.one(place, measure="error-rate"), group=group) for place, group in enumerate(groups)],
        LearningFacts(
            learning_curve=curve,
            **trained(learner, ready),
            notes=(*ready.notes, *_notes(curve, plan.rows), *fits.notes),
        ),
        fingerprint=fits.fingerprint,
        rows=plan.rows,
        seed=seed,
    )


def _notes(curve: Learned, rows: int) -> Iterator[str]:
    whose = "the model that was" if curve.repeats == 1 else f"the average of the {curve.repeats} models that were"
    yield (
        f"Each interval is about {whose} trained on that share of the rows. None is about a model trained on all "
        f"{rows:,}."
    )
    yield (
        "Fix the share to report beforehand: the one whose limit turned out lowest was lucky, and its interval "
        "promises nothing."
    )
