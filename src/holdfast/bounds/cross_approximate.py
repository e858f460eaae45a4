"""Limits from cross-validation that hold for stable learners in large samples, or only by hope."""

from __future__ import annotations

import numpy as np

from holdfast.bounds.binomial import normal_quantile
from holdfast.catalog import method
from holdfast.claims import Assumption, Guarantee, Source
from holdfast.evidence import Array
from holdfast.evidence.folds.nested_cv import LeftOut, Nested, Point632, Point632Plus
from holdfast.evidence.folds.sample import FoldCounts, FoldSample
from holdfast.numerics.binomial import binomial_tail_inverse
from holdfast.numerics.limit import Upper, moved_up

CROSSED = (Assumption.INDEPENDENT, Assumption.TRAINED_APART, Assumption.FIXED_PLAN)
STABLE = (*CROSSED, Assumption.STABLE)


@method(guarantee=Guarantee.ASYMPTOTIC, source=Source("bayle2020", "all-pairs variance"), assumes=STABLE, needs="s2")
def bayle(folds: FoldSample, delta: Array) -> Upper:
    r"""Add z standard errors, from how the losses of all folds spread around their common mean.

    Notes
    -----
    .. math:: \hat L + z_{1-\delta} \frac{\hat\sigma}{\sqrt n}, \qquad
              \hat\sigma^2 = \frac{1}{n} \sum_i (\ell_i - \hat L)^2

    Bayle et al. prove it for the average of the folds' models where the learner is stable: then the losses behave as if
    they were independent. For folds of several sizes each fold has one weight, in the variance too, and the standard
    error is :math:`\hat\sigma \sqrt{\sum_j 1/n_j} / J`. Repeats of a cross-validation share all their examples, so they
    make it no narrower. Where no loss differs from another nothing is said.

    Examples
    --------
    >>> from holdfast.evidence.folds.sample import FoldCounts
    >>> print(bayle(FoldCounts([7, 8, 3, 12, 9], 30)))
    0.260 [0.189, 0.331], bayle, 95 %, holds only as the sample grows
    """
    off = folds.shares - folds.mean[..., np.newaxis]
    return _normal(folds, np.mean(folds.variances + off * off, axis=-1), delta)


@method(guarantee=Guarantee.ASYMPTOTIC, source=Source("bayle2020", "within-fold variance"), assumes=STABLE, needs="s2")
def bayle_within(folds: FoldSample, delta: Array) -> Upper:
    r"""Add z standard errors, from how the losses spread within each fold.

    Notes
    -----
    .. math:: \hat L + z_{1-\delta} \frac{\hat\sigma}{\sqrt n}, \qquad
              \hat\sigma^2 = \frac{1}{J} \sum_j \frac{1}{m - 1} \sum_{i \in j} (\ell_i - \hat L_j)^2

    As `bayle`; the learner need be a little less stable, and every fold needs two examples: leave-one-out has no spread
    within a fold.

    Examples
    --------
    >>> from holdfast.evidence.folds.sample import FoldCounts
    >>> print(bayle_within(FoldCounts([7, 8, 3, 12, 9], 30)))
    0.260 [0.190, 0.330], bayle-within, 95 %, holds only as the sample grows
    """
    variances = folds.variances * folds.sizes / (folds.sizes - 1)
    return _normal(folds, np.mean(variances, axis=-1), delta)


def _normal(folds: FoldSample, variance: Array, delta: Array) -> Upper:
    weight = folds.repeats * np.sum(1 / folds.sizes, axis=-1) / folds.folds**2  # 1 / n, for folds of one size
    error = np.sqrt(np.where(variance > 0, variance * weight, np.nan))
    return moved_up(folds.mean, folds.complement, normal_quantile(delta) * error)


@method(
    guarantee=Guarantee.HEURISTIC,
    source=Source("kohavi1995", "variance in k-fold cross-validation"),
    assumes=(*CROSSED, Assumption.ONE_MODEL),
)
def pooled(folds: FoldCounts, delta: Array) -> Upper:
    r"""Clopper-Pearson on the errors of all folds together, as if one model had made them all.

    Notes
    -----
    .. math:: \max\Big\{p : P\big(X \le \textstyle\sum_j k_j \mid \sum_j n_j, p\big) \ge \delta\Big\}

    Often nearly right for stable learners, and no theorem. Of a cross-validation that was repeated, the mean of the
    repeats is counted, rounded up.

    Examples
    --------
    >>> from holdfast.evidence.folds.sample import FoldCounts
    >>> print(pooled(FoldCounts([7, 8, 3, 12, 9], 30)))
    0.260 [0.191, 0.338], pooled, 95 %, comes without proof
    """
    k, n = folds.k.sum(axis=-1), folds.sizes.sum(axis=-1)
    return binomial_tail_inverse(-(-k // folds.repeats), -(-n // folds.repeats), delta)


@method(
    guarantee=Guarantee.HEURISTIC,
    source=Source("anguita2012", "(51)"),
    assumes=(*CROSSED, Assumption.EVERY_FOLD),
)
def averaged_folds(folds: FoldCounts, delta: Array) -> Upper:
    r"""The average of the folds' exact limits at the whole delta, as the survey prints it: false as stated.

    Notes
    -----
    .. math:: \frac{1}{J} \sum_j \max\{p : P(X_j \le k_j \mid n_j, p) \ge \delta\}

    Each limit holds with probability 1 - delta; their average need not. Let a learner give a model of risk L unless one
    of the folds it is trained on shows so few errors of that model, c or fewer, that its limit would be below L; then
    let it give a model that is always wrong. Where exactly one fold shows so few, that fold's model has risk L and a
    limit below it, and all others have risk and limit 1, so that the average is too small: with probability
    :math:`J q (1 - q)^{J - 1}`, where :math:`q = P(X \le c \mid m, L)` comes as near to delta as one likes. Of ten
    folds at delta = 0.05 that is 31 %. `geometric-merge` holds.

    Examples
    --------
    >>> from holdfast.evidence.folds.sample import FoldCounts
    >>> print(round(averaged_folds(FoldCounts([10] * 5, 100), delta=0.05, side="upper").upper, 4))
    0.1637
    """
    limit, room = binomial_tail_inverse(folds.k, folds.sizes, np.asarray(delta)[..., np.newaxis])
    return Upper(limit.mean(axis=-1), room.mean(axis=-1))


@method(
    guarantee=Guarantee.HEURISTIC,
    source=Source("bates2024", "nested cross-validation"),
    assumes=(*CROSSED, Assumption.NESTED),
)
def nested_cv(losses: Nested, delta: Array) -> Upper:
    r"""Add z standard errors that are estimated by how far inner cross-validations miss the folds left out of them.

    Notes
    -----
    With :math:`\bar e_{in}` the mean loss of a cross-validation of the folds other than j, and :math:`\bar e_{out}`
    that of their model on fold j,

    .. math:: \widehat{\mathrm{MSE}} = \mathrm{mean}\Big[(\bar e_{in} - \bar e_{out})^2 - \frac{s_{out}^2}{m}\Big],
              \qquad
              \mathrm{se} = \sqrt{\frac{K - 1}{K} \widehat{\mathrm{MSE}}}

    kept between :math:`\hat\sigma_{in} / \sqrt n` and :math:`\sqrt K` times that; the limit is

    .. math:: \widehat{\mathrm{Err}}_{NCV} - \Big(1 + \frac{K - 2}{K}\Big)
              \big(\widehat{\mathrm{Err}}_{NCV} - \widehat{\mathrm{Err}}_{CV}\big) + z_{1-\delta}\, \mathrm{se},

    :math:`\widehat{\mathrm{Err}}_{NCV}` being the mean of all inner losses. It aims at the model trained on all
    examples, and has no proof. It takes many repeats, some fifty or more, before it settles. The authors' own program
    raises (K - 2) / K to the power 1.5; the paper, which we follow, does not.

    Examples
    --------
    >>> from holdfast.evidence.folds.nested_cv import Nested
    >>> outer, inner = [[3, 1, 2]], [[[0, 2, 3], [3, 0, 2], [2, 1, 0]]]
    >>> print(nested_cv(Nested(outer, inner, 20)))
    0.097 [0.018, 0.177], nested-cv, 95 %, comes without proof
    """
    return moved_up(losses.mean, losses.complement, normal_quantile(delta) * losses.standard_error)


ASSUMES = (Assumption.INDEPENDENT, Assumption.FIXED_PLAN)
EFRON = Source("efron1997", "sections 3 to 5")


@method(guarantee=Guarantee.HEURISTIC, source=EFRON, assumes=ASSUMES)
def left_out_bootstrap(rows: LeftOut, delta: Array) -> Upper:
    r"""The error rate on rows left out by bootstrap samples, with the spread of the rows alone.

    Notes
    -----
    .. math:: \hat E_1 + z_{1-\delta} \frac{s}{\sqrt n}, \qquad
              \hat E_1 = \frac1n \sum_i \frac{1}{B_i} \sum_{b \not\ni i} 1\{M_b(x_i) \ne y_i\}

    A sample holds some 63.2 % of the rows, so that its models know less than one trained on all: the estimate is too
    large. That training sets differ is not in the standard error.

    Examples
    --------
    >>> print(left_out_bootstrap(LeftOut([0.0, 0.1, 0.9, 0.2, 0.0, 0.1, 0.0, 0.3], seen=0.0, chance=0.5)))
    0.200 [0.000, 0.410], left-out-bootstrap, 95 %, comes without proof
    """
    return _moved(rows, delta)


@method(guarantee=Guarantee.HEURISTIC, source=EFRON, assumes=ASSUMES, name="point-632", aliases=(".632",))
def point_632(rows: Point632, delta: Array) -> Upper:
    r"""The .632 rule: between the rows left out and the rows learned from, at a fixed place.

    Notes
    -----
    .. math:: \hat E_{.632} = 0.368\, \widehat{err} + 0.632\, \hat E_1

    with the standard error of :math:`\hat E_1` in proportion. Too small for learners that overfit: one that remembers
    every row has :math:`\widehat{err} = 0`.

    Examples
    --------
    >>> print(point_632(Point632([0.0, 0.1, 0.9, 0.2, 0.0, 0.1, 0.0, 0.3], seen=0.0, chance=0.5)).estimate)
    0.1264
    """
    return _moved(rows, delta)


@method(guarantee=Guarantee.HEURISTIC, source=EFRON, assumes=ASSUMES, name="point-632-plus", aliases=(".632+",))
def point_632_plus(rows: Point632Plus, delta: Array) -> Upper:
    r"""The .632+ rule: the more the learner overfits, the nearer to the rows left out.

    Notes
    -----
    .. math:: \hat E_{.632+} = (1 - w)\, \widehat{err} + w\, \hat E_1', \qquad w = \frac{0.632}{1 - 0.368\, R}, \qquad
              R = \frac{\hat E_1' - \widehat{err}}{\gamma - \widehat{err}}

    with :math:`\hat E_1' = \min(\hat E_1, \gamma)`, the error rate :math:`\gamma` of predictions that had nothing to do
    with the labels, and R = 0 where either difference is not positive.

    Examples
    --------
    >>> print(round(point_632_plus(Point632Plus([0.0, 0.1, 0.9, 0.2, 0.0, 0.3], seen=0.0, chance=0.5)).estimate, 4))
    0.1936
    """
    return _moved(rows, delta)


def _moved(rows: LeftOut, delta: Array) -> Upper:
    return moved_up(rows.mean, rows.complement, normal_quantile(delta) * np.asarray(rows.error))
