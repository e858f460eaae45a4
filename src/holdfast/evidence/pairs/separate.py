"""What two models differ by, where each is known by itself only, or from a sample of its own."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from holdfast.evidence.draws import Draws, Influence, Ratio
from holdfast.evidence.evidence import Evidence
from holdfast.evidence.value import Array, Differences, Integers, Scale


@dataclass(frozen=True, eq=False, repr=False)
class SeparateEstimates(Evidence):
    """The same quantity of two models, of the same draws or of others; it speaks about the first minus the second.

    Examples
    --------
    >>> from holdfast.evidence import Scores
    >>> from holdfast.measures.ranking import ks
    >>> truth = [True, False, True, True, False]
    >>> SeparateEstimates(*(ks(Scores(scores, truth)) for scores in ([5, 3, 4, 2, 1], [1, 2, 5, 4, 3])))
    SeparateEstimates(n=5, difference=0)
    """

    first: Evidence
    second: Evidence
    independent: bool = False  # whether each was seen on draws of its own

    @property
    def scale(self) -> Scale:
        ends = [float(self.first.units(np.asarray(share))) for share in (0.0, 1.0)]
        return Differences.of(ends[1] - ends[0])

    @property
    def n(self) -> Integers:
        return np.asarray(self.first.n + self.second.n) if self.independent else self.first.n

    @property
    def known(self) -> Array:
        return np.asarray(self.first.known & self.second.known)

    @property
    def estimate(self) -> Array:
        return np.asarray(self.first.estimate - self.second.estimate)

    @property
    def mean(self) -> Array:
        return self.scale.share(self.estimate)

    @property
    def complement(self) -> Array:
        return self.scale.share(-self.estimate)

    def mirror(self) -> SeparateEstimates:
        return SeparateEstimates(self.second, self.first, self.independent)

    def __repr__(self) -> str:
        return f"SeparateEstimates(n={self.n}, difference={self.estimate:.6g})"


def difference_of_samples(first: Ratio | Influence, second: Ratio | Influence) -> Influence:
    r"""The first minus the second, where no draw of one has to do with a draw of the other.

    Notes
    -----
    The samples are strata of their own, so that variances add up, and degrees of freedom follow from both as Welch has
    them. The ratios of both are kept as terms: a limit of either, at half of delta, makes one of the difference. To
    take the mean of the first and what the second leaves for one mean over two strata would pay for how far these two
    lie from each other, and be wider.

    Examples
    --------
    >>> drawn = [Draws(np.ones(n), most=1.0, rows=True) for n in (4, 2)]
    >>> one, other = (Ratio(np.arange(n) / n, np.ones(n), each) for n, each in zip((4, 2), drawn))
    >>> print(difference_of_samples(one, other).estimate)
    0.125
    """
    each = [_resting(one.influence) for one in (first, second)]
    one, other = each
    ends = [(float(part.scale.low), float(part.scale.high)) for part in each]
    low, high = ends[0][0] - ends[1][1], ends[0][1] - ends[1][0]
    totals = [float(np.sum(part.draws.times * part.leverage)) or 1.0 for part in each]
    kept = all(part.terms for part in each)
    terms = (*one.terms, *((-factor, ratio) for factor, ratio in other.terms))
    return Influence(
        one.value - other.value,
        np.concatenate([one.values, -other.values]),
        np.concatenate([part.leverage / total for part, total in zip(each, totals, strict=True)]),
        _side_by_side([part.draws for part in each]),
        Differences.of(high) if low == -high else Scale(low, high),
        one.straight or other.straight,
        terms if kept else (),
        smooth=one.smooth and other.smooth,
        fewest=min(one.fewest, other.fewest),
    )


def _resting(one: Influence) -> Influence:
    """Without draws that it does not rest on, unless strata say how many were to be drawn."""
    here = one.leverage > 0
    if one.draws.stratum is not None or here.all():
        return one
    draws = replace(one.draws, times=one.draws.times[here])
    return replace(one, values=one.values[here], leverage=one.leverage[here], draws=draws)


def _side_by_side(each: list[Draws]) -> Draws:
    """The draws of all samples, of which each sample, or each stratum of it, is a stratum."""
    strata: list[Integers] = []
    for draws in each:
        own: Array | Integers = np.zeros(draws.times.size, np.int64) if draws.stratum is None else draws.stratum
        strata.append(own + (max(int(strata[-1].max(initial=-1)) + 1, 1) if strata else 0))
    return Draws(
        np.concatenate([draws.times for draws in each]),
        np.concatenate(strata),
        assumes=tuple(dict.fromkeys(sentence for draws in each for sentence in draws.assumes)),
        caps=tuple(dict.fromkeys(sentence for draws in each for sentence in draws.caps)),
    )
