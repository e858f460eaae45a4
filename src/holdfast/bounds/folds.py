"""Limits from the results of folds, of one model or the difference of two: none of them promises anything.

All take a centre, divide its distance from the truth by an error estimated from how the folds spread, and look that
up in Student's table, as if the folds were normal. They differ in how they account for the training examples that the
folds share; that no estimate of it is unbiased for every learner was proved by Bengio and Grandvalet (2004). Where
the folds do not spread at all, nothing is said: the whole range, and a p-value of 1.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy.special import stdtr, stdtrit

from holdfast.bounds.binomial import normal_quantile
from holdfast.catalog import method
from holdfast.claims import Assumption, Guarantee, Source
from holdfast.evidence import Array
from holdfast.evidence.folds.folds import FiveByTwo, FoldDifferences
from holdfast.evidence.folds.values import GRID, FoldValues, RepeatedValues, on_grid
from holdfast.numerics.limit import Upper

SMALLEST_P = 1e-300
ALWAYS = (Assumption.INDEPENDENT, Assumption.FIXED_PLAN, Assumption.SAME_FOLDS, Assumption.NORMAL_FOLDS)
APART = (*ALWAYS, Assumption.UNRELATED_FOLDS)
RELATED = (*ALWAYS, Assumption.RELATED_FOLDS)


class Student(NamedTuple):
    """A result with its estimated error, in parts of its range from the middle, and the degrees of freedom."""

    offset: Array
    error: Array  # NaN where the folds do not spread
    freedom: int

    def upper(self, delta: Array) -> Upper:
        return raised(self.offset, -stdtrit(self.freedom, delta) * self.error)

    def below(self, null: Array | float) -> Array:
        """The delta at which the upper limit comes down to the null: small where the result is smaller."""
        return self._chance((self.offset - null) / self.error)

    def above(self, null: Array | float) -> Array:
        return self._chance((null - self.offset) / self.error)

    def _chance(self, t: Array) -> Array:
        p = np.maximum(stdtr(self.freedom, t), SMALLEST_P)
        return np.asarray(np.where(np.isnan(p), 1.0, p))


def raised(offset: Array, slack: Array) -> Upper:
    """An offset from the middle plus a slack, in whole parts of the grid: swapping the models mirrors every digit."""
    steps = np.ceil(slack * GRID) / GRID
    return Upper(0.5 + on_grid(offset) + steps, 0.5 - on_grid(offset) - steps)


def independent(values: FoldValues) -> Student:
    """As if the folds had nothing in common."""
    return Student(values.offset, np.sqrt(values.variance / values.n), int(values.n) - 1)


def correlated(values: FoldValues) -> Student:
    """As if any two folds were correlated by the share of examples that are tested on."""
    variance = (1 / values.n + values.ratio) * values.variance
    return Student(values.offset, np.sqrt(variance), int(values.n) - 1)


def first_of_ten(differences: FiveByTwo) -> Student:
    """The first difference alone, its error from how the two halves of each repeat differ."""
    return Student(differences.offsets[..., 0, 0], np.sqrt(differences.within), 5)


def _p_value(student: Callable[[Any], Student]) -> Callable[[Any, Array, Array], Array]:
    return lambda values, null, _: student(values).below(null - 0.5)


@method(
    guarantee=Guarantee.HEURISTIC,
    source=Source("zaki2014", "algorithm 22.4"),
    assumes=APART,
    p_value=_p_value(independent),
    least=2,
)
def paired_t(differences: FoldDifferences, delta: Array) -> Upper:
    r"""The textbook's paired t-test, which takes folds for independent draws although they share training examples.

    Notes
    -----
    .. math:: \hat\mu_\delta + t_{1-\delta, K-1} \frac{\hat\sigma_\delta}{\sqrt K}, \qquad
              \hat\sigma_\delta^2 = \frac{1}{K - 1} \sum_i (\delta_i - \hat\mu_\delta)^2

    The text prints 1/K for the variance, but its example 22.11 has 0.00333, the value with K - 1, which Student's
    table needs. It is offered as printed, not recommended: of two learners that are equally good it found one better,
    at a nominal 5 %, on 57 % of data sets split at random 30 times, on 55 % cross-validated 10 x 10, on 46 % with
    5 x 2 and on 5 % with 10 folds (the corrected tests: 5 %, 3 %, 4 % and 1 %). Over bootstrap replicates it is no
    better founded.

    Examples
    --------
    >>> from holdfast.evidence.folds.folds import Folds
    >>> folds = Folds.from_errors({"naive": [7, 8, 3, 12, 9], "full": [6, 6, 5, 10, 7]}, n_test=30, n_train=120)
    >>> print(paired_t(folds.difference("naive", "full")))
    0.033 [-0.039, 0.106], paired-t, 95 %, comes without proof
    """
    return independent(differences).upper(delta)


@method(
    guarantee=Guarantee.HEURISTIC,
    source=Source("zaki2014", "(22.12)"),
    assumes=APART,
    needs="one model",
    p_value=_p_value(independent),
    least=2,
)
def fold_t(values: FoldValues, delta: Array) -> Upper:
    r"""The textbook's t interval for the results of one model, which takes folds for independent draws.

    Notes
    -----
    .. math:: \hat\mu + t_{1-\delta, K-1} \frac{\hat\sigma}{\sqrt K}, \qquad
              \hat\sigma^2 = \frac{1}{K - 1} \sum_i (\theta_i - \hat\mu)^2

    The text prints 1/K for the variance, (22.7), but its examples 22.7 and 22.10 have the values with K - 1, which
    Student's table needs: with 1/K a nominal 95 % is 93.2 % of five independent draws. Folds that share training
    examples are no such draws.

    Examples
    --------
    >>> claim = fold_t(FoldValues(np.divide([8, 4, 7, 11, 5], 30)))  # example 22.10: (0.12, 0.346)
    >>> print(claim)
    0.233 [0.119, 0.347], fold-t, 95 %, comes without proof
    """
    return independent(values).upper(delta)


@method(
    guarantee=Guarantee.HEURISTIC,
    source=Source("zaki2014", "(22.9)"),
    assumes=APART,
    needs="one model",
    least=2,
)
def fold_z(values: FoldValues, delta: Array) -> Upper:
    r"""The textbook's interval of z standard errors for the results of one model: for very many independent folds.

    Notes
    -----
    .. math:: \hat\mu + z_{1-\delta} \frac{\hat\sigma}{\sqrt K}

    with the variance of divisor K - 1, as the numbers of example 22.9 have it, not 1/K as (22.7) prints it. On five
    folds a nominal 95 % would be 84.6 % with 1/K and 87.8 % with 1/(K - 1), were the folds independent normal draws.

    Examples
    --------
    >>> claim = fold_z(FoldValues(np.divide([8, 4, 7, 11, 5], 30)))  # example 22.9: (0.153, 0.313)
    >>> print(claim)
    0.233 [0.153, 0.314], fold-z, 95 %, comes without proof
    """
    return raised(values.offset, normal_quantile(delta) * independent(values).error)


@method(
    guarantee=Guarantee.HEURISTIC,
    source=Source("nadeau2003", "corrected resampled t-test"),
    assumes=RELATED,
    p_value=_p_value(correlated),
    least=2,
)
def nadeau_bengio(values: FoldValues, delta: Array) -> Upper:
    r"""The t interval with a variance enlarged for the examples that training sets share.

    Notes
    -----
    .. math:: \hat\mu + t_{1-\delta, J-1} \sqrt{\left(\frac{1}{J} + \frac{n_2}{n_1}\right) \hat\sigma^2}

    for J random splits into :math:`n_1` examples to train on and :math:`n_2` to test on, with the variance of divisor
    J - 1. It takes the correlation of two splits for :math:`n_2 / (n_1 + n_2)`, a guess that did well in trials. For
    splits of several sizes the ratio is that of the sums; k folds have :math:`n_2 / n_1 = 1 / (k - 1)`.

    Examples
    --------
    >>> from holdfast.evidence.folds.folds import Folds
    >>> folds = Folds.from_errors({"naive": [7, 8, 3, 12, 9], "full": [6, 6, 5, 10, 7]}, n_test=30, n_train=120)
    >>> print(nadeau_bengio(folds.difference("naive", "full")))
    0.033 [-0.075, 0.141], nadeau-bengio, 95 %, comes without proof
    """
    return correlated(values).upper(delta)


@method(
    guarantee=Guarantee.HEURISTIC,
    source=Source("bouckaert2004", "corrected repeated k-fold cv test"),
    assumes=RELATED,
    p_value=_p_value(correlated),
    least=2,
)
def bouckaert_frank(values: RepeatedValues, delta: Array) -> Upper:
    r"""The t interval with an enlarged variance, over all folds of a cross-validation that was repeated.

    Notes
    -----
    .. math:: \hat\mu + t_{1-\delta, kr-1} \sqrt{\left(\frac{1}{k r} + \frac{n_2}{n_1}\right) \hat\sigma^2}

    for r repeats of k folds, whose :math:`n_2 / n_1` is :math:`1 / (k - 1)`. More repeats cannot shrink the second
    term: they make the answer depend less on how the folds happened to be drawn, not more precise.

    Examples
    --------
    >>> from holdfast.evidence.folds.folds import Folds
    >>> folds = Folds({"old": [[0.2, 0.3, 0.25], [0.25, 0.2, 0.25]], "new": [[0.2, 0.2, 0.2], [0.2, 0.15, 0.25]]})
    >>> print(bouckaert_frank(folds.difference("old", "new")))
    0.042 [-0.038, 0.121], bouckaert-frank, 95 %, comes without proof
    """
    return correlated(values).upper(delta)


@method(
    guarantee=Guarantee.HEURISTIC,
    source=Source("dietterich1998", "5x2cv paired t test"),
    assumes=APART,
    p_value=_p_value(first_of_ten),
)
def five_by_two_t(differences: FiveByTwo, delta: Array) -> Upper:
    r"""The first difference of five times two folds, its error from how the two halves of each repeat differ.

    Notes
    -----
    .. math:: p_1^{(1)} + t_{1-\delta, 5} \sqrt{\frac{1}{5} \sum_{i=1}^5 s_i^2}, \qquad
              s_i^2 = (p_i^{(1)} - \bar p_i)^2 + (p_i^{(2)} - \bar p_i)^2

    Its centre is the first of the ten differences and not their mean, so that the answer depends on which half came
    first; a limit that would exclude the mean is widened to it. Alpaydin's F test uses all ten.

    Examples
    --------
    >>> from holdfast.evidence.folds.folds import Folds
    >>> old = [[0.20, 0.24], [0.22, 0.22], [0.19, 0.25], [0.21, 0.23], [0.24, 0.20]]
    >>> new = [[0.16, 0.18], [0.19, 0.16], [0.17, 0.18], [0.15, 0.19], [0.18, 0.17]]
    >>> print(five_by_two_t(Folds({"old": old, "new": new}).difference("old", "new")))
    0.047 [-0.019, 0.099], five-by-two-t, 95 %, comes without proof
    """
    return first_of_ten(differences).upper(delta)


STUDENTS: dict[str, Callable[[Any], Student]] = {  # what each method looks up in Student's table
    "paired-t": independent,
    "nadeau-bengio": correlated,
    "bouckaert-frank": correlated,
    "five-by-two-t": first_of_ten,
}
