"""Curves over all thresholds of a score, with bands that hold at every threshold at once."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import smirnovi

from holdfast.catalog import ALWAYS, OUTWARD, procedure
from holdfast.claims import Assumption, Guarantee, Source, check_delta
from holdfast.errors import HoldfastError
from holdfast.evidence import Array, Integers, Scores, shown
from holdfast.numerics.binomial import binomial_tail_inverse

POINTS = 512
LARGEST_EXACT = 250  # examples; beyond them the closed form is wider by less than a hundredth and costs nothing


@dataclass(frozen=True, eq=False, repr=False)
class Curve:
    """Points for falling thresholds, scores from the threshold on being predicted positive, and a band for them.

    With the stated confidence the true point of every threshold lies in its rectangle, for all thresholds at once:
    also for one that is chosen after looking. Where the curve was thinned, the band is that of the points kept.
    """

    name: str
    x_is: str
    y_is: str
    threshold: Array
    x: Array
    y: Array
    x_lower: Array
    x_upper: Array
    y_lower: Array
    y_upper: Array
    delta: float
    n: int
    guarantee: Guarantee
    assumes: tuple[Assumption, ...]
    source: Source

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON; what is undefined, and the infinite first threshold, are None."""
        return {each.name: _plain(getattr(self, each.name)) for each in fields(self)}

    def __repr__(self) -> str:
        return f"<Curve {self.name}: {self.threshold.size} points>"


class Band(NamedTuple):
    """Shares at falling thresholds, and limits for all of them at once."""

    shares: Array
    lower: Array
    upper: Array


def roc(scores: Scores, delta: ArrayLike = 0.05, *, points: int = POINTS) -> Curve:
    r"""The receiver operating characteristic: true against false positive rate, at every threshold.

    Notes
    -----
    .. math:: |\widehat{TPR}(t) - TPR(t)| \le \varepsilon_m, \quad |\widehat{FPR}(t) - FPR(t)| \le \varepsilon_n
              \text{ for all } t, \qquad 2\, P(D^+_k > \varepsilon_k) = 1 - \sqrt{1 - \delta}

    with the exact law of the one-sided Kolmogorov-Smirnov distance :math:`D^+_k` of k examples up to k = 250,
    and beyond it Massart's bound :math:`e^{-2 k \varepsilon^2}`. The two classes are independent of each other,
    given how many examples each has. Curves of more than `points` scores are thinned evenly along their length.

    Examples
    --------
    >>> curve = roc(Scores([0.9, 0.8, 0.8, 0.8, 0.1], [True, False, True, True, False]))
    >>> print(curve.threshold, curve.x, curve.y.round(3))  # Example 22.5 of Zaki & Meira
    [inf 0.9 0.8 0.1] [0.  0.  0.5 1. ] [0.    0.333 1.    1.   ]
    """
    level = _one(delta)
    threshold, right, wrong = thinned(scores, points)
    share = shared_by(2, level)
    x, y = band(wrong, scores.n_negative, share), band(right, scores.n_positive, share)
    return _curve(scores, level, "roc", threshold, ("false-positive-rate", x), ("recall", y))


def precision_recall(scores: Scores, delta: ArrayLike = 0.05, *, points: int = POINTS) -> Curve:
    r"""Precision against recall, at every threshold from the highest score down.

    Notes
    -----
    .. math:: P = \frac{\pi\, TPR}{\pi\, TPR + (1 - \pi)\, FPR}

    rises with the prevalence and the true positive rate, and falls with the false positive rate. The band takes
    both rates from the band of the ROC curve and the prevalence from its Clopper-Pearson interval, each with the
    confidence :math:`(1 - \delta)^{1/3}`. Nothing is predicted positive above the highest score, and no precision
    is shown there.

    Examples
    --------
    >>> curve = precision_recall(Scores([0.9, 0.8, 0.8, 0.8, 0.1], [True, False, True, True, False]))
    >>> print(curve.threshold, curve.x.round(3), curve.y)
    [0.9 0.8 0.1] [0.333 1.    1.   ] [1.   0.75 0.6 ]
    """
    level = _one(delta)
    threshold, right, wrong = (each[1:] for each in thinned(scores, points))
    true, precision = precision_bands(right, wrong, scores.n_positive, scores.n_negative, level)
    return _curve(scores, level, "precision-recall", threshold, ("recall", true), ("precision", precision))


def precision_bands(
    right: Integers, wrong: Integers, n_positive: int, n_negative: int, delta: float
) -> tuple[Band, Band]:
    """Recall and precision of so many true and false positives, with limits that hold together and everywhere."""
    share = shared_by(3, delta)
    false, true = band(wrong, n_negative, share), band(right, n_positive, share)
    rare = binomial_tail_inverse(n_negative, n_positive + n_negative, share / 2)
    frequent = binomial_tail_inverse(n_positive, n_positive + n_negative, share / 2)
    lower = _precision(true.lower, false.upper, rare.room, rare.limit, undefined=0.0) * (1 - OUTWARD)
    upper = _precision(true.upper, false.lower, frequent.limit, frequent.room, undefined=1.0) * (1 + OUTWARD)
    called = right + wrong
    shares = np.divide(right, called, out=np.full(called.shape, np.nan), where=called > 0)
    return true, Band(shares, lower, np.minimum(upper, 1.0))


def shared_by(number: int, delta: float) -> float:
    """The part of delta for each of so many independent statements that are to hold together."""
    return float(-np.expm1(np.log1p(-delta) / number))


def thinned(scores: Scores, points: int) -> tuple[Array, Integers, Integers]:
    """Falling thresholds, first an infinite one, with the true and false positives of each: about `points` of them.

    Of the scores whose points fall into the same stretch of the curve, as long as all others, the lowest stays.
    """
    if points < 2:
        raise HoldfastError(f"A curve needs 2 points or more; got {points}.")
    m, n = scores.n_positive, scores.n_negative
    number = scores.order.distinct
    kept: list[tuple[Array, Integers, Integers]] = [(np.zeros(0), np.zeros(0, np.int64), np.zeros(0, np.int64))]
    right, wrong, last = m, n, -1
    for values, positives, negatives in scores.blocks():
        at = right - np.cumsum(positives) + positives, wrong - np.cumsum(negatives) + negatives
        right, wrong = right - int(positives.sum()), wrong - int(negatives.sum())
        if number > points:
            fresh, last = _fresh(at[0] / max(m, 1) + at[1] / max(n, 1), (points - 1) / 2, last)
            kept.append((values[fresh], at[0][fresh], at[1][fresh]))
        else:
            kept.append((values, *at))
    threshold, true, false = (np.concatenate(parts)[::-1] for parts in zip(*kept, strict=True))
    return np.append(np.inf, threshold), np.append(0, true), np.append(0, false)


def _fresh(length: Array, stretches: float, last: int) -> tuple[Integers, int]:
    """Where falling lengths enter a stretch that the last one was not in, and the last stretch now."""
    along = length * stretches
    first, final = int(along[0]), int(along[-1])
    # A stretch is entered at the first length below its upper end.
    ends = np.arange(first, final - 1, -1) + 1.0
    entered = np.unique(along.size - np.searchsorted(along[::-1], ends))
    return entered[int(first == last) :], final


@procedure(guarantee=Guarantee.FINITE, source=Source("campbell1994", "Kolmogorov-Smirnov region"), assumes=ALWAYS)
def band(events: Integers, trials: int, delta: float) -> Band:
    r"""Shares of the trials with the limits that all of them keep at once; without trials, no share and no limits.

    Notes
    -----
    The share of a class with a score of t or more is one minus a distribution function. Of n examples it is nowhere
    further from the truth than

    .. math:: \varepsilon_n(\delta / 2) \le \sqrt{\ln(2 / \delta) / (2n)},

    but with the chance delta: on either side Smirnov's exact distribution up to 250 examples, beyond them Massart's
    inequality. So the limits hold at every threshold at once, also at one that was chosen after looking.

    Examples
    --------
    >>> found = band(np.array([0, 50, 90]), 100, 0.05)
    >>> print(found.lower.round(3), found.upper.round(3))
    [0.    0.366 0.766] [0.134 0.634 1.   ]
    """
    shares = events / trials if trials else np.full(events.shape, np.nan)
    reach, centre = reach_everywhere(trials, delta), np.nan_to_num(shares, nan=0.5)
    return Band(shares, np.maximum(centre - reach, 0.0), np.minimum(centre + reach, 1.0))


def reach_everywhere(trials: int, delta: float) -> float:
    """How far a distribution function may lie from that of so many examples, on either side and anywhere."""
    if not trials:
        return 1.0
    if trials <= LARGEST_EXACT:
        return float(smirnovi(trials, delta / 2)) * (1 + 1e-9)  # a root search, not good to the last digits
    return float(np.sqrt(np.log(2 / delta) / (2 * trials)))


def _precision(true: Array, false: Array, prevalence: Array, rest: Array, undefined: float) -> Array:
    """The precision for these rates; where nothing may be predicted positive, what cannot be wrong."""
    hits, alarms = prevalence * true, rest * false
    every = hits + alarms
    return np.divide(hits, every, out=np.full(every.shape, undefined), where=every > 0)


def _curve(
    scores: Scores, delta: float, name: str, threshold: Array, across: tuple[str, Band], up: tuple[str, Band]
) -> Curve:
    (x_is, x), (y_is, y) = across, up
    return Curve(
        name=name,
        x_is=x_is,
        y_is=y_is,
        threshold=threshold,
        x=x.shares,
        y=y.shares,
        x_lower=x.lower,
        x_upper=x.upper,
        y_lower=y.lower,
        y_upper=y.upper,
        delta=delta,
        n=int(scores.n),
        guarantee=band.guarantee,
        assumes=band.assumes,
        source=band.source,
    )


def _one(delta: ArrayLike) -> float:
    level = check_delta(delta)
    if level.ndim:
        raise HoldfastError(f"A band is drawn at one delta; got {shown(delta)}.")
    return float(level)


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return [float(each) if np.isfinite(each) else None for each in value]
    if isinstance(value, tuple) and not isinstance(value, Source):
        return [str(each) for each in value]
    return str(value) if isinstance(value, (Guarantee, Source)) else value
