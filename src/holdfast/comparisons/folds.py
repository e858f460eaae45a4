"""Tests of no difference from the folds of a cross-validation, and Bayes' answer: none of them promises anything.

The t-tests are the intervals of `bounds.folds` solved for delta. Models that no fold tells apart get p = 1, and so do
those that differ by the same amount on every fold: where the folds do not spread, their spread says nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy.special import fdtrc

from holdfast.bounds.folds import SMALLEST_P, STUDENTS, correlated, five_by_two_t
from holdfast.catalog import Bound, find, procedure
from holdfast.claims import Guarantee, PValue, Source
from holdfast.errors import HoldfastError, UnknownName
from holdfast.evidence import Array, shown
from holdfast.evidence.folds.folds import FiveByTwo, FoldDifferences

Smaller = Literal["both", "first", "second"]
BELIEFS = Source("corani2015", "correlated Bayesian t-test")
EQUAL = "both ways of training do equally well on average"
NO_LARGER = {
    "both": EQUAL,
    "first": "the first model's results are on average no smaller than the second's",
    "second": "the second model's results are on average no smaller than the first's",
}


def t_test(differences: FoldDifferences, method: str | Bound = "nadeau-bengio", side: Smaller = "both") -> PValue:
    r"""Whether the difference is none, by the method of the catalog whose interval has this test.

    With `side="first"` a small value says that the first model's results are the smaller ones; of error rates,
    that it is the better one.

    Notes
    -----
    .. math:: 2\, T_\nu(-|t|), \qquad t = \hat\mu / \mathrm{se}

    with the centre, the standard error and the degrees of freedom of that interval.

    Examples
    --------
    >>> from holdfast.evidence.folds.folds import Folds
    >>> folds = Folds.from_errors({"naive": [7, 8, 3, 12, 9], "full": [6, 6, 5, 10, 7]}, n_test=30, n_train=120)
    >>> found = t_test(folds.difference("naive", "full"), "paired-t")
    >>> print(f"t = {found.statistic:.3f}, p = {found.value:.3f}")
    t = 1.291, p = 0.266
    """
    bound = find(method)
    bound.check(differences, "both")
    if side not in NO_LARGER:
        raise UnknownName("side", side, NO_LARGER)
    with np.errstate(invalid="ignore", divide="ignore"):
        student = STUDENTS[bound.name](differences)
        smaller, larger = student.below(0.0), student.above(0.0)
        statistic = student.offset / student.error
    p = {"first": smaller, "second": larger, "both": np.minimum(2 * np.minimum(smaller, larger), 1.0)}[side]
    return PValue(
        bound.name, _plain(p), NO_LARGER[side], bound.guarantee, bound.source, _plain(statistic), bound.assumes
    )


@procedure(
    guarantee=Guarantee.HEURISTIC,
    source=Source("alpaydin1999", "combined 5x2cv F test"),
    assumes=five_by_two_t.assumes,
)
def five_by_two_f(differences: FiveByTwo) -> PValue:
    r"""Whether the difference is none, from all ten differences of five times two folds.

    Notes
    -----
    .. math:: f = \frac{\sum_{i=1}^5 \sum_{j=1}^2 (p_i^{(j)})^2}{2 \sum_{i=1}^5 s_i^2} \sim F_{10, 5}, \qquad
              s_i^2 = (p_i^{(1)} - \bar p_i)^2 + (p_i^{(2)} - \bar p_i)^2

    Unlike Dietterich's t it does not depend on which fold came first. It knows no side.

    Examples
    --------
    >>> old = [[0.20, 0.24], [0.22, 0.22], [0.19, 0.25], [0.21, 0.23], [0.24, 0.20]]
    >>> new = [[0.16, 0.18], [0.19, 0.16], [0.17, 0.18], [0.15, 0.19], [0.18, 0.17]]
    >>> found = five_by_two_f(FiveByTwo(np.subtract(old, new)))
    >>> print(f"f = {found.statistic:.2f}, p = {found.value:.3f}")
    f = 4.84, p = 0.048
    """
    five_by_two_t.check(differences, "both")
    squares = np.sum(differences.offsets**2, axis=(-2, -1))
    statistic = squares / (10 * differences.within)
    p = np.maximum(fdtrc(10, 5, statistic), SMALLEST_P)
    return five_by_two_f.p_value(_plain(np.where(np.isnan(p), 1.0, p)), EQUAL, _plain(statistic))


@dataclass(frozen=True, eq=False)
class Posterior:
    """How probable it is that either model's results are the smaller ones, or that both are as good as equal.

    These are degrees of belief under one prior, and promise no coverage. None where the folds do not spread.
    """

    first: float | Array | None  # that the first model's results are smaller by more than the rope
    equal: float | Array | None
    second: float | Array | None
    rope: float
    guarantee: Guarantee = Guarantee.HEURISTIC
    source: Source = BELIEFS

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        parts = {name: getattr(self, name) for name in ("first", "equal", "second")}
        listed = {name: part.tolist() if isinstance(part, np.ndarray) else part for name, part in parts.items()}
        return {**listed, "rope": self.rope, "guarantee": str(self.guarantee), "source": str(self.source)}


def correlated_t(differences: FoldDifferences, rope: float = 0.01) -> Posterior:
    r"""Bayes' answer to the corrected t-test: the chances of better, worse, and within the region of equivalence.

    Notes
    -----
    .. math:: \mu \sim \hat\mu + \sqrt{\left(\frac{1}{J} + \frac{n_2}{n_1}\right) \hat\sigma^2}\; t_{J-1}

    after a flat prior; the region of practical equivalence is :math:`|\mu| \le` rope. Its numbers are those of
    Nadeau and Bengio's test, read as beliefs: they promise no coverage.

    Examples
    --------
    >>> from holdfast.evidence.folds.folds import Folds
    >>> folds = Folds.from_errors({"naive": [7, 8, 3, 12, 9], "full": [6, 6, 5, 10, 7]}, n_test=30, n_train=120)
    >>> found = correlated_t(folds.difference("naive", "full"), rope=0.01)
    >>> print(f"{found.first:.3f} {found.equal:.3f} {found.second:.3f}")
    0.163 0.127 0.710
    """
    if not 0 <= rope < np.inf:
        raise HoldfastError(f"rope, the region of practical equivalence, must be 0 or more; got {shown(rope)}.")
    find("nadeau-bengio").check(differences, "both")
    reach = rope / (2 * differences.width)
    with np.errstate(invalid="ignore", divide="ignore"):
        student = correlated(differences)
        silent = np.isnan(student.error)
        first, second = (np.where(silent, np.nan, tail) for tail in (student.above(-reach), student.below(reach)))
    equal = np.maximum(1 - (first + second), 0.0)
    return Posterior(_plain(first), _plain(equal), _plain(second), float(rope))


def _plain(found: Array) -> Any:
    """An array, or of a single pair a number; None where it is undefined."""
    if found.ndim:
        return found
    return None if np.isnan(found) else float(found)
