"""How wrong is my classifier, really? Every measure that the predictions bear, each with its interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Unpack

import numpy as np

from holdfast.arguments import Label, Seed, Times
from holdfast.catalog import Measures, Methods
from holdfast.claims import Side
from holdfast.evidence.costs import Costs
from holdfast.evidence.ranking.calibration import Bins
from holdfast.measures.ranking import CLIP
from holdfast.predictions import Missing, Predictions
from holdfast.predictions.design import Design, DesignKeywords
from holdfast.report import Report
from holdfast.verbs.assess.assessment import Assessment, Stated
from holdfast.verbs.jointly import at_each_look, looked, one_chance, one_positive
from holdfast.verbs.provenance import in_ledger, recorded

ROWS = ("truth", "predicted", "score", "correct", "value", "margin", "groups", "ids", "sample_weight")


@in_ledger
@recorded(without=ROWS)
def assess(
    truth: Any = None,
    predicted: Any = None,
    score: Any = None,
    *,
    correct: Any = None,
    value: Any = None,
    value_range: tuple[float, float] | None = None,
    levels: Sequence[float] | None = None,
    margin: Any = None,
    groups: Mapping[str, Any] | None = None,
    by: str | Sequence[str | Sequence[str]] | None = None,
    design: Design | None = None,
    ids: Any = None,
    pass_at: int | Sequence[int] = (),
    simultaneous: bool = False,
    looks: int = 1,
    costs: Costs | None = None,
    classes: Sequence[float] | None = None,
    alpha: float = 1.0,
    bins: Bins | None = None,
    operating_point: float | None = None,
    positive: Label = None,
    labels: Sequence[object] | None = None,
    confidence: float | str | None = None,
    delta: float | None = None,
    side: Side = "both",
    method: Methods | None = None,
    only: Measures | None = None,
    clip: float = CLIP,
    resamples: Times = 2000,
    seed: Seed = 0,
    missing: Missing = "refuse",
    pos_label: Label = None,
    sample_weight: Any = None,
    ledger: Any = None,
    **drawn: Unpack[DesignKeywords],
) -> Report:
    """What the predictions let you claim: every measure they bear, with an interval and its guarantee.

    Parameters
    ----------
    truth, predicted, score
        Columns of equal length: lists, arrays, columns of a frame. Or one `Predictions`, from `hf.read`. The
        score is for the positive class; for many classes it has one column a label, the labels in order. Truth and
        score will do without predictions. With score=False those of `hf.read` are not looked at.
    correct
        Instead of truth and predicted: whether each example was right, as true or false, 1 or 0, "pass" or "fail",
        "correct" or "incorrect", "C" or "I" ...
    value, value_range, levels
        Instead: how right each answer is, by default from 0 to 1; the range of the values, which is fixed beforehand;
        and all that there can be, where they are few, such as (0, 0.5, 1).
    margin
        One number a row, positive where the answer was right: adds the hard, logistic and linear losses of it.
    groups
        By name, columns that divide the rows into groups; several are crossed. Every group gets lines of its own.
    by
        Other ways to divide the rows by these columns: `["country", ("country", "device")]` is two.
    design
        How the rows were drawn, where not one by one from the population of the claim: in clusters, with weights,
        within strata or classes (`hf.Design`). What it takes may also be given by its names, `clusters=...`.
    ids
        The question that each row is a sample of, where questions have several. Questions are independent draws, or
        the clusters are that they come from.
    pass_at
        Values of k: the chance that one of k samples of a question is right (pass@k), and that all are (pass^k).
        Without `ids` a cluster is a question.
    simultaneous
        Make all intervals of the report hold together, and the bands of its curves with them, and not just each on
        its own.
    costs
        What each answer costs (`hf.Costs`): adds the expected cost, and what the model itself expects.
    classes
        All the numbers that classes may be, where they are numbers: adds the squared and the absolute loss.
    alpha
        The steepness of the logistic loss of a margin.
    bins
        A number of bins of the scores, or their edges: adds the share of positives in each, all bins together.
    operating_point
        The threshold of the score that was fixed before the labels were seen: assessed is then what it predicts, the
        positive class from this score on, in place of a column of predictions.
    positive
        The label that precision, recall, scores and the like speak about. scikit-learn's `pos_label` will do.
    labels
        All labels there are, in your order, as scikit-learn's; by default those that occur. Of those that were found,
        prevalence and the like have one limit only, and averages over the classes assume that no class is missing.
        Predictions that are never a label of the truth are refused, unless so few rows may be chance (fewer than 10, or
        than 100 of answers that hardly ever recur), which a note says; listing the labels is how to insist.
    looks
        At how many sizes of a growing test set this will be asked, all told. Each look gets an equal part of delta.
    confidence, delta, side
        As in `bound`; each interval holds on its own unless `simultaneous`.
    method
        Names of the catalog: they answer where they fit, the default elsewhere. `percentile` and `bca` bootstrap.
    only
        Names of the measures wanted; by default all that the data bear.
    clip
        Probabilities nearer to 0 or 1 than this are moved to it before the log loss is taken.
    resamples, seed
        Of the bootstrap, where it answers.
    ledger
        The `hf.Ledger` of the test set: this is an open look at it, and written down before anything is shown.
    missing
        What to do with a row without truth or prediction: "refuse", "drop", or "wrong" (a non-answer is an error).
        A row without a score is missing for the measures of scores only, unless there is nothing else.

    Examples
    --------
    >>> report = assess(["cat", "dog", "cat", "dog"], ["cat", "dog", "dog", "dog"])
    >>> print(report["error-rate"])
    0.250 [0.006, 0.806], clopper-pearson, 95 %, holds at every sample size
    >>> print(report["recall", "cat"])
    0.500 [0.012, 0.988], clopper-pearson, 95 %, holds at every sample size
    """
    level = one_chance("A report is made", "assess", confidence, delta)
    positive = one_positive(positive, pos_label)
    rows = Predictions.given(
        truth,
        predicted,
        score,
        correct=correct,
        value=value,
        value_range=value_range,
        levels=levels,
        margin=margin,
        groups=groups,
        ids=ids,
        labels=labels,
        missing=missing,
        design=Design.stated("assess", design, sample_weight, drawn),
    )
    stated = Stated(
        by=by,
        pass_at=pass_at,
        simultaneous=simultaneous,
        costs=costs,
        classes=classes,
        alpha=alpha,
        bins=bins,
        operating_point=operating_point,
        positive=positive,
        labels=labels,
        method=method,
        only=only,
        clip=clip,
        resamples=resamples,
        seed=seed,
    )
    return looked(Assessment(rows, stated).report(np.asarray(at_each_look(level, looks)), side), looks)
