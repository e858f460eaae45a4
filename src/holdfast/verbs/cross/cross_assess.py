"""I have data and a learner, but no test set to spare: what may I claim, and about which model?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from holdfast.arguments import Label, Seed
from holdfast.catalog import Measures, Methods, find, find_measure, measures
from holdfast.claims import Side
from holdfast.errors import HoldfastError, UnknownName
from holdfast.evidence.folds.folds import Folds
from holdfast.measures.ranking import CLIP
from holdfast.predictions.design import Prevalence, Sampling
from holdfast.report import Report
from holdfast.report.facts.assessment import TargetName
from holdfast.resampling import Plan, plan
from holdfast.resampling.plans import count
from holdfast.training import Fits, fit_all
from holdfast.training.given import Learner, declared_labels, named
from holdfast.training.preparation import Prepare, Prepared, prepared
from holdfast.verbs.cross.answers import Crossed
from holdfast.verbs.cross.measure import DATA, INNER, Weighing, chosen_inside, parts_of
from holdfast.verbs.cross.targets import NATURAL, Request, report_of
from holdfast.verbs.jointly import one_chance
from holdfast.verbs.provenance import recorded
from holdfast.verbs.subject import several

if TYPE_CHECKING:
    import polars as pl

ROWS = (*DATA, "groups", "by", "weights", "store", "depends_on")


@recorded(without=ROWS)
def cross_assess(
    estimator: Any,
    X: Any,  # scikit-learn's name
    y: Any,
    *,
    scheme: Any = "kfold",
    folds: int = 10,
    repeats: int = 1,
    seed: Seed = 0,
    target: TargetName | None = None,
    fold: int = 0,
    groups: Any = None,
    max_group: int | None = None,
    by: Mapping[str, Any] | None = None,
    weights: Any = None,
    max_weight: float | None = None,
    sampling: Sampling | None = None,
    prevalence: Prevalence | None = None,
    simultaneous: bool = False,
    test_share: float | None = None,
    rounds: int | None = None,
    grid: Mapping[str, Sequence[Any]] | None = None,
    inner: int = INNER,
    positive: Label = None,
    labels: Sequence[object] | None = None,
    confidence: float | str | None = None,
    delta: float | None = None,
    side: Side = "both",
    method: Methods | None = None,
    only: Measures | None = None,
    clip: float = CLIP,
    engine: str | None = None,
    workers: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    store: str | Path | None = None,
    depends_on: Sequence[str | Path] = (),
    prepare: Prepare = "auto",
    name: str | None = None,
) -> CrossAssessment:
    """Train the learner on parts of the data, test it on the rest, and say what that lets one claim.

    Parameters
    ----------
    estimator
        A scikit-learn classifier, not fitted; a copy of it is trained on each part. What is random in it follows
        from `seed`, unless it has a `random_state` of its own.
    X, y
        What it is to predict from, and the true labels. Frames go to the estimator as frames, arrays as arrays.
    scheme
        How the data are divided: a name of `holdfast.resampling.SCHEMES`, a plan made there, a splitter of
        scikit-learn, or pairs of indices. "kfold" cuts at random and lets claims hold; "stratified" keeps the classes
        as frequent in every fold, which voids every claim about the population that would otherwise hold at every
        sample size. Of splits whose making is not known here nothing holds at every sample size.
    folds, repeats
        Into how many parts, and how often anew.
    target
        What the claims are about: "fold-average", the average of the models that were trained here; "fold", the one
        tested on the fold given by `fold`; "refit", the model trained on all the data; "algorithm", what the learner
        does on average over training sets of this size. About the last two nothing can hold at every sample size. By
        default "fold-average"; for resubstitution and "nested" it is "refit", for bootstraps "algorithm".
    fold
        Which fold, counted from 0, is meant by the target "fold". It must have been chosen before looking.
    groups
        The patient, document ... that each row comes from, for the scheme "grouped": no group is cut in two. Then
        groups are what was drawn: each counts once, whatever its size.
    max_group
        The most rows that a group can hold, fixed beforehand: then every row counts once, and claims are about the
        average row.
    by
        By name, columns that divide the rows into groups, which are told of too: how the models do on the rows of each.
        Of each the error rate and the accuracy, or the measures that `only` names.
    weights, max_weight
        What each row counts for, known beforehand, and the most that one can. Without it nothing holds at every sample
        size. Of rows with weights, as of groups, the error rate and the accuracy are told, or what `only` names of
        measures that are shares of rows.
    sampling, prevalence
        "by-class" if how many rows there are of each class was chosen, and how frequent the classes truly are: each
        row then counts for its class, and what is claimed holds as the sample grows.
    simultaneous
        Make all that is claimed hold together, and not just each on its own.
    test_share, rounds
        The share of rows to test on, of a hold-out or of random splits; how many random splits or bootstrap samples.
    grid, inner
        Parameters to choose among, by name, and the folds of the inner cross-validation that chooses them. It sees the
        training part only, so that what is claimed is about choosing and training together.
    positive, labels, side, method, only, clip
        As in `assess`.
    engine, workers
        Where training happens: "processes" of this machine, "threads", "serial", "dask", "dask:tcp://host:8786",
        "ray"; and how many at once. The numbers are the same everywhere.
    progress
        Called with how many splits are done and how many there are.
    store
        A directory in which results are saved as they come; called again with the same, training goes on from there,
        and the report says how many splits were fitted earlier. It is refused where anything that the results follow
        from is no longer the same: the data, the splits, the parameters, the code of the estimator in files of your own
        or typed in, or the version of a package that it comes from. What was damaged is fitted again, and told.
    depends_on
        Files that the estimator reads, which what is saved should be bound to as well; its code is found without.
    prepare
        What to do with columns of a frame that the estimator, by what it declares, cannot take. "auto" encodes text
        one-hot and imputes what is missing by the median, both learnt in each training part, and the report says so; a
        pipeline, or whatever else is made of several estimators, gets its frame as it is. "none" hands over every
        frame as it is.
    name
        What the output calls the learner; by default its class, with the parameters that are not as usual.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> result = cross_assess(GaussianNB(), *load_iris(return_X_y=True), folds=5)
    >>> print(result.report["error-rate"])
    0.047 [0.001, 0.224], geometric-merge, 95 %, holds at every sample size
    >>> result.predictions.columns
    ['row', 'repeat', 'fold', 'truth', 'predicted', 'score_0', 'score_1', 'score_2']
    """
    if target is not None and target not in get_args(TargetName):
        raise UnknownName("target", target, get_args(TargetName))
    level = one_chance("A report is made", "cross_assess", confidence, delta)
    drawn = plan(
        scheme, y, folds=folds, repeats=repeats, seed=seed, groups=groups, test_share=test_share, rounds=rounds
    )
    request = Request(
        target=target or NATURAL.get(drawn.scheme, "fold-average"),
        fold=fold,
        delta=np.asarray(level),
        side=side,
        methods=tuple(find(name) for name in dict.fromkeys(several(method))),
        wanted=tuple(find_measure(name) for name in dict.fromkeys(several(only))) or tuple(measures()),
        clip=clip,
        seed=seed,
        simultaneous=simultaneous,
        parts=parts_of(by, drawn.rows),
    )
    request.check(drawn)
    if drawn.grouped and groups is None:
        raise HoldfastError(
            "The plan keeps groups together, which then are what was drawn: give them as groups= (--group) too."
        )
    if grid is None and inner != INNER:
        raise HoldfastError(
            f"inner={inner!r} (--inner {inner}) is for choosing among the parameters of a grid; give "
            f"grid= (--grid) too."
        )
    if max_group is not None:
        count("max_group= (--max-group), the most rows that a group can hold,", max_group, 1)
        if groups is None:
            raise HoldfastError(
                "max_group= (--max-group) is the most rows that a group can hold; give groups= (--group) too."
            )
    declared = declared_labels(y, drawn.rows, labels)
    weighing = Weighing.of(y, weights, max_weight, sampling, prevalence)
    ready = prepared(estimator, X, prepare)
    learner = ready.estimator if grid is None else chosen_inside(ready.estimator, grid, inner, seed)
    learned, again = Learner.of(estimator, name, grid), None
    with ready.explained():
        fits = fit_all(
            learner,
            X,
            y,
            drawn,
            engine=engine,
            workers=workers,
            seed=seed,
            progress=progress,
            store=store,
            depends_on=depends_on,
        )
        if drawn.scheme == "bootstrap":  # the .632 rules weigh in how well the learner repeats what it was told
            again = fit_all(learner, X, y, plan("resubstitution", y), engine="serial", seed=seed)
    crossed = Crossed.of(fits, groups, positive, again, declared, max_group, weighing, only is not None)
    return CrossAssessment(named(estimator), crossed, request, learned, ready)


@dataclass(frozen=True, eq=False, repr=False)
class CrossAssessment:
    """What came of training on parts of the data: predictions for rows not trained on, folds, and a report."""

    name: str  # of the learner's class
    crossed: Crossed
    request: Request
    learner: Learner
    prepared: Prepared
    command: str | None = None

    def with_command(self, command: str) -> CrossAssessment:
        """The same, as made by this call or command."""
        return replace(self, command=command)

    @property
    def plan(self) -> Plan:
        return self.crossed.fits.plan

    @property
    def fits(self) -> Fits:
        return self.crossed.fits

    @cached_property
    def predictions(self) -> pl.DataFrame:
        """One row for each row tested on: row, repeat, fold, truth, predicted, and scores where there are any."""
        return self.fits.frame()

    @cached_property
    def folds(self) -> Folds:
        """The error rate on each fold, as `hf.compare` takes it."""
        return self.crossed.folds({self.name: self.crossed.errors})

    @cached_property
    def report(self) -> Report:
        """Claims about the target, each with its guarantee."""
        return report_of(
            self.crossed, self.request, self.learner, self.prepared, command=self.command, seed=self.request.seed
        )

    def save(self, path: str | Path) -> None:
        """Write the report as one self-contained page (.html), or as JSON (.json)."""
        self.report.save(path)

    def to_json(self) -> str:
        return self.report.to_json()

    def __str__(self) -> str:
        return str(self.report)

    def _repr_html_(self) -> str:
        return self.report._repr_html_()

    def __repr__(self) -> str:
        return f"<CrossAssessment of {self.name}: {self.plan!r}>"


def folds_of(results: Mapping[str, CrossAssessment]) -> Folds:
    """The folds of several learners in one table; they must have been trained and tested on the same rows."""
    (first, one), *others = results.items()
    if not one.plan.disjoint:
        raise HoldfastError(
            f"The scheme {one.plan.scheme} tests models on rows that they were trained on, where who remembers most "
            "seems best; compare with another scheme."
        )
    for name, other in others:
        same = other.plan.fingerprint == one.plan.fingerprint and other.fits.classes == one.fits.classes
        if not (same and np.array_equal(other.fits.truth, one.fits.truth)):
            raise HoldfastError(
                f"{first} and {name} were not trained and tested on the same rows, so that luck of the draw would be "
                "taken for skill: give both the same labels, scheme, folds, repeats and seed."
            )
    return one.crossed.folds({name: each.crossed.errors for name, each in results.items()})
