"""How far the scores of two classes lie apart: Gini and Kolmogorov-Smirnov."""

from __future__ import annotations

import numpy as np

from holdfast.catalog import measure
from holdfast.claims import Source
from holdfast.evidence import Scores
from holdfast.evidence.ranking.distance import Distance, Gini
from holdfast.measures.influences import distance_of, gini_of


@measure(
    better="higher",
    unit="index",
    of_mix="others",
    influence=gini_of,
    of_pairs=True,
    source=Source("hand2001", "Gini coefficient"),
    range=(-1.0, 1.0),
    aliases=("accuracy-ratio",),
)
def gini(scores: Scores) -> Gini:
    r"""Pairs of both classes that are ranked rightly, minus those ranked wrongly, as a share of all.

    Notes
    -----
    .. math:: G = 2 A - 1

    with the area A under the ROC curve. It is 0 for scores that know nothing, and below 0 inverting them would rank
    better. In credit scoring it is also called the accuracy ratio.
    """
    return Gini.of(scores)


@measure(
    better="higher",
    unit="index",
    of_mix="others",
    influence=distance_of,
    smooth=False,
    source=Source("smirnov1948", "two samples"),
    aliases=("kolmogorov-smirnov", "ks-distance"),
)
def ks(scores: Scores) -> Distance:
    r"""The largest difference between the true and the false positive rate at any threshold.

    Notes
    -----
    .. math:: \sup_t\, |TPR(t) - FPR(t)|

    It is the Kolmogorov-Smirnov distance between the scores of the class and those of the others, and the largest
    value of Youden's index; 0 for scores that know nothing.
    """
    m, n = scores.n_positive, scores.n_negative
    at = least = most = 0  # how far the negatives are ahead at or below a score, in parts of one
    for _, positives, negatives in scores.blocks():
        own, others = m * negatives.astype(np.int64), n * positives.astype(np.int64)
        ahead = at + np.cumsum(own - others)
        least = max(least, int(np.abs(ahead).max()))
        if scores.width:  # in a bin, all of one class may come before all of the other
            before = ahead - own + others
            most = max(most, int((before + own).max()), int((others - before).max()))
        at = int(ahead[-1])
    return Distance(m, n, least, max(least, most))
