"""How well a score tells a class from the rest, over all thresholds."""

from __future__ import annotations

from holdfast.catalog import measure
from holdfast.claims import Source
from holdfast.evidence import RankedPrecision, Scores
from holdfast.measures.influences import area_of, average_precision_of, squared_influences_of_average_precision
from holdfast.numerics.arrays import UNITS, whole_sum


@measure(
    better="higher",
    unit="index",
    of_mix="others",
    told_of=("class",),
    called="AUC",
    influence=area_of,
    of_pairs=True,
    source=Source("zaki2014", "22.1.3"),
    aliases=("roc-auc", "area-under-curve"),
)
def auc(scores: Scores) -> Scores:
    r"""The chance that an example of the class scores higher than another, equal scores counting half.

    Notes
    -----
    .. math:: A = \frac{1}{m n} \sum_{i=1}^{m} \sum_{j=1}^{n} \bigl([x_i > y_j] + \tfrac12 [x_i = y_j]\bigr)

    It is the area under the ROC curve, by trapezoids where scores are equal. 1/2 is what scores that know nothing
    have; below it, inverting them would rank better.
    """
    return scores


@measure(
    better="higher",
    unit="index",
    influence=average_precision_of,
    source=Source("boyd2013", "section 3"),
    aliases=("ap", "auprc"),
)
def average_precision(scores: Scores) -> RankedPrecision:
    r"""Precision at the score of each example of the class, on average over these examples.

    Notes
    -----
    .. math:: \sum_t (R_t - R_{t-1})\, P_t

    over the distinct scores t, highest first, with the precision and the recall of predicting all examples from t
    on as positive: scikit-learn's definition. Scores that know nothing have the prevalence of the class.
    """
    m, n = scores.n_positive, scores.n_negative
    least = most = as_ties = 0
    for block in scores.blocks():
        at, before, others = block.below_positives()
        right, wrong = m - before, n - others  # from each score on
        m, n = m - int(block.positives.sum()), n - int(block.negatives.sum())
        precision = right / (right + wrong)
        own, tied = None if block.single else block.positives[at], block.negatives[at]
        as_ties += whole_sum(precision, own)
        if scores.width and own is not None:
            # At best all others in the bin come last. At worst they come first; of a share that rises ever more
            # slowly from one example to the next, the mean is at least that of its ends.
            first = right - own + 1
            least += whole_sum((precision + first / (first + wrong)) / 2, own)
            most += whole_sum(right / (right + wrong - tied), own)
    if not scores.width:
        least = most = as_ties
    m = scores.n_positive
    squares = squared_influences_of_average_precision(scores, as_ties / (UNITS * m)) if m else 0.0
    return RankedPrecision(scores.n, m, least, most, UNITS, squares)
