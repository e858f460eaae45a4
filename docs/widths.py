"""How wide each method's 95 % interval is on the same few pieces of evidence, for docs/methods.md."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.special import betaincinv

from holdfast.catalog import Bound
from holdfast.evidence import Contingency, Counts, Evidence, Losses, Resampled, Scores
from holdfast.evidence.clusters import Clusters
from holdfast.evidence.fold_counts import FoldCounts
from holdfast.evidence.fold_values import FoldValues
from holdfast.evidence.levels import Levels
from holdfast.evidence.paired import Paired
from holdfast.evidence.pool import Pool
from holdfast.evidence.progressive import Progressive
from holdfast.evidence.spread import Inputs, PoolSpread, Spread
from holdfast.render.numbers import rounded
from holdfast.verify.drawn import pairs

DELTA, UNLABELLED = 0.05, 1000
FOLDS = [1, 3, 2, 0, 4, 2, 1, 3, 2, 2]  # errors in ten folds of 20 examples
HALVES = np.repeat([0.0, 0.5, 1.0], [170, 20, 10])
SPREAD = Spread(200, variance=0.0009, within=0.0891)
INPUTS, ERRORS = Inputs(contention=0.1, within=0.1), Counts([14, 26] * 5, 200)
EVIDENCE: dict[str, tuple[Evidence, ...]] = {
    "3 errors in 30": (Counts(3, 30),),
    "20 in 200": (Counts(20, 200),),
    "2 in 200": (Counts(2, 200),),
    "200 losses that are spread as Beta(2, 8)": (Losses(betaincinv(2, 8, (np.arange(200) + 0.5) / 200)),),
    "40 clusters of 5, every second with one error": (Clusters(Counts([1, 0] * 20, 5), most=5),),
    "20 won and 12 lost of 200": (Paired(won=20, lost=12, n=200),),
    "20 errors in ten folds of 20": (
        FoldCounts(FOLDS, 20),
        FoldValues(np.divide(FOLDS, 20), n_train=180, n_test=20),
        Progressive.from_counts(20, 200),
    ),
    "200 losses of 0, 1/2 and 1 with mean 0.1": (Levels.of_values(HALVES, levels=2),),
    "200 losses of 0, 1/2 and 1 with mean 0.1, and 1,000 unlabelled": (Pool(Losses(HALVES), UNLABELLED, levels=2),),
    "a deviation of 0.03 over models, seen on 200": (SPREAD,),
    "a deviation of 0.03 over 10 models, seen on 200, and 1,000 unlabelled": (
        PoolSpread(SPREAD, INPUTS, unlabelled=UNLABELLED, models=10, errors=ERRORS),
    ),
}
TABLE = Contingency([[90, 20], [10, 80]], rows="predicted")
GRADES = Scores.from_counts(np.arange(3), [8, 24, 48], [72, 36, 12])


def width(bound: Bound) -> str:
    """In the units of what is measured, rounded up; empty where there is no such evidence here."""
    stated = {"unlabelled": UNLABELLED} if "unlabelled" in bound.parameters else {}
    found = [
        f"{rounded(float(bound(evidence, DELTA, 'both', **stated).width), 3, 'up')} for {words}"
        for words, evidence in _fitting(bound)
    ]
    return ", ".join(found) + ("; 1,000 unlabelled each time" if stated else "")


def _fitting(bound: Bound) -> Iterator[tuple[str, Evidence]]:
    found = [(words, one) for words, several in EVIDENCE.items() for one in several if isinstance(one, bound.takes)]
    if found:
        yield from [each for each in found if isinstance(each[1], Counts)] or found[:1]
        return
    tried = {measure.name: measure for measure, _ in pairs(bound)}
    for measure in [*tried.values()][: 1 if Resampled in bound.takes else None]:
        yield measure.name, measure(TABLE if measure.takes is Contingency else GRADES)
