"""What several models are together: their average loss, for weights fixed beforehand and for weights that were not.

The average loss of an example, over models, is one number in [0, 1], independent from example to example: whatever
bounds the error rate of one model bounds the average error rate of any number of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holdfast.errors import InvalidEvidence, UnknownName
from holdfast.evidence import Array, Integers, Losses, numbers, shown
from holdfast.evidence.pools.panel import Panel, Unlabelled
from holdfast.evidence.pools.pool import Gibbs, GradedLosses, Pool
from holdfast.numerics.divergence import relative_entropy
from holdfast.numerics.voting import votes

FEW_LEVELS = 2  # equally weighted models up to which counting at each level says more than `squares` of the average


def average(panel: Panel, weights: ArrayLike | None = None) -> Losses:
    r"""The average loss over the models on each example, equally weighted or with weights fixed beforehand.

    Rows of weights, each over all models, give rows of losses: several sets of models at once.

    Notes
    -----
    .. math:: z_j = \sum_m w_m e_{mj}

    Examples
    --------
    >>> panel = Panel(("a", "b", "c"), np.array([[0, 1, 1, 0], [0, 0, 1, 0], [0, 0, 1, 1]], bool))
    >>> print(average(panel).values.round(3))
    [0.    0.333 1.    0.333]
    >>> print(average(panel, [2, 1, 1]).values)
    [0.   0.5  1.   0.25]
    """
    check_independent(panel, "The average over models")
    if (members := _members(panel, weights)) is not None:
        return Losses(panel.wrong[members].sum(axis=0, dtype=np.float64) / len(members))
    # A sum of weights may exceed 1 by its rounding.
    return Losses(np.minimum(shares(weights, len(panel.models)) @ panel.wrong.astype(np.float64), 1.0))


def average_by_levels(panel: Panel, weights: ArrayLike | None = None) -> Losses | GradedLosses:
    """The average loss, as counts at each of its levels where a few equally weighted models leave only a few.

    Examples
    --------
    >>> panel = Panel(("a", "b"), np.array([[0, 1, 1, 0], [0, 1, 0, 0]], bool))
    >>> average_by_levels(panel)
    GradedLosses(n=4, levels=2, mean=0.375)
    >>> average_by_levels(panel, [2, 1])
    Losses(n=4, mean=0.416667, s2=0.1875)
    """
    losses, members = average(panel, weights), _members(panel, weights)
    if members is None or len(members) > FEW_LEVELS or panel.sampled:
        return losses
    return GradedLosses.of_values(losses.values, len(members))


def gibbs(panel: Panel, weights: ArrayLike, prior: ArrayLike | None = None) -> Gibbs:
    r"""The average loss under weights that may have seen these labels, and how far they are from the prior ones.

    Notes
    -----
    .. math:: \mathrm{KL}(Q \| P) = \sum_m Q_m \ln(Q_m / P_m)

    Without a prior all models had equal weights. A model of prior weight 0 can be given none.

    Examples
    --------
    >>> panel = Panel(("a", "b"), np.array([[0, 1, 1, 0], [0, 1, 0, 0]], bool))
    >>> gibbs(panel, [0, 1])
    Gibbs(n=4, mean=0.25, divergence=0.693147)
    """
    now, before = (shares(given, len(panel.models)) for given in (weights, prior))
    distance = relative_entropy(now, before)
    if not np.all(np.isfinite(distance)):
        raise InvalidEvidence(
            "A model whose prior weight is 0 was ruled out beforehand; it cannot be given weight now."
        )
    return Gibbs(average(panel, now), np.maximum(distance, 0.0))


def average_on(
    panel: Panel, unlabelled: Unlabelled | int, weights: ArrayLike | None = None, *, by_inputs: bool = True
) -> Pool:
    r"""The average loss of the models on unlabelled inputs, of which the predictions there already tell a part.

    Parameters
    ----------
    unlabelled
        What the models said on the unlabelled inputs, or just how many inputs there are.
    by_inputs
        Take out of every average loss what its input makes certain, so that only the rest need be estimated.

    Notes
    -----
    Whatever the label of an input is, the models that say something else than most of them are wrong, or more are:

    .. math:: z_j \ge c_j = 1 - \max_y \sum_{m : g_m(x_j) = y} w_m

    So the mean of :math:`z` over the unlabelled is that of :math:`c`, which is known, plus that of :math:`z - c`, which
    lies in [0, 1] and is 0 wherever the vote is right. With two labels it is certain as well that
    :math:`z_j \le 1 - c_j` (Bax, Eq. 24).

    Examples
    --------
    >>> wrong = np.array([[0, 1, 1, 0], [0, 0, 1, 0], [0, 0, 1, 1]], bool)
    >>> truth = np.array([0, 1, 1, 0])
    >>> panel = Panel(("a", "b", "c"), wrong, ("no", "yes"), truth, np.where(wrong, 1 - truth, truth))
    >>> there = Unlabelled(panel.models, panel.labels, np.array([[0, 1], [0, 1], [1, 1]]))
    >>> pool = average_on(panel, there)
    >>> pool, print(pool.sample.values.round(3), round(float(pool.offset), 3))
    [0. 0. 1. 0.] 0.167
    (Pool(n=4, unlabelled=2, mean=0.416667), None)
    """
    losses, members = average(panel, weights), _members(panel, weights)
    if losses.values.ndim > 1:
        raise InvalidEvidence("Claims about unlabelled inputs go one set of weights at a time; call once for each.")
    levels = None if members is None or panel.sampled else len(members)
    if isinstance(unlabelled, int):
        return Pool(losses, unlabelled, levels=levels)
    unlabelled.check_models(panel.models)
    share, labels = None if members is not None else shares(weights, len(panel.models)), len(unlabelled.labels)
    which = slice(None) if members is None else members
    least, most = certain(unlabelled.predicted[which], labels, share)
    low = float(least.mean())
    # Of more than two labels one that is not among them may be the true one.
    ends = {"low": low, "high": max(float(most.mean()), low) if labels == 2 else 1.0}
    if not by_inputs or panel.predicted is None or panel.sampled:
        return Pool(losses, unlabelled.n, **ends, levels=levels)
    here, _ = certain(panel.predicted[which], labels, share)
    rest = np.clip(losses.values - here, 0.0, 1.0)
    return Pool(Losses(rest), unlabelled.n, offset=low, **ends, levels=levels)


def certain(predicted: NDArray[np.integer], labels: int, weights: Array | None = None) -> tuple[Array, Array]:
    r"""The least and the largest average loss that each input leaves open, whichever of the labels is its true one.

    Notes
    -----
    .. math:: 1 - \max_y p_{jy}, \qquad 1 - \min_y p_{jy}

    with :math:`p_{jy}` the weight of the models that say y on input j (for two labels, Bax's Eq. 24).

    Examples
    --------
    >>> certain(np.array([[0, 1], [0, 1], [1, 1], [0, 1]]), labels=2)
    (array([0.25, 0.  ]), array([0.75, 1.  ]))
    """
    total = len(predicted) if weights is None else 1.0
    ends = [np.zeros((2, 0))]
    for names, weight in votes(predicted, labels, weights):
        fewest = weight.min(axis=1) if labels == names.shape[1] else np.zeros(len(names))  # a label that nobody says
        ends.append(total - np.stack((weight.max(axis=1), fewest)))
    least, most = np.clip(np.hstack(ends) / total, 0.0, 1.0)  # a sum of weights may exceed 1 by its rounding
    return least, most


def shares(weights: ArrayLike | None, models: int) -> Array:
    """Weights, along the last axis, as shares of 1; equal ones where none are given."""
    if weights is None:
        return np.full(models, 1.0 / models)
    given = numbers("weights", weights)
    if given.ndim == 0 or given.shape[-1] != models:
        raise InvalidEvidence(f"A panel of {models:,} models needs as many weights; got {shown(weights)}.")
    total = given.sum(axis=-1, keepdims=True)
    if np.any(given < 0) or not np.all((total > 0) & np.isfinite(total)):
        raise InvalidEvidence(f"Weights must not be negative, and not all 0; got {shown(weights)}.")
    return np.asarray(given / total)


def weights_of_sets(panel: Panel, sets: Mapping[str, Iterable[str]]) -> Array:
    """Equal weights over the models of each set, one row per set: to choose among several sets of models.

    Examples
    --------
    >>> panel = Panel(("a", "b", "c"), np.zeros((3, 4), bool))
    >>> print(weights_of_sets(panel, {"small": ["a"], "large": ["b", "c"]}))
    [[1.  0.  0. ]
     [0.  0.5 0.5]]
    """
    rows = np.zeros((len(sets), len(panel.models)))
    for row, (name, members) in zip(rows, sets.items(), strict=True):
        chosen = {*members}
        if unknown := [each for each in chosen if each not in panel.models]:
            raise UnknownName("model", unknown[0], panel.models)
        if not chosen:
            raise InvalidEvidence(f"The set {shown(name)} holds no models; name at least one.")
        row[[panel.models.index(each) for each in chosen]] = 1 / len(chosen)
    return rows


def _members(panel: Panel, weights: ArrayLike | None) -> Integers | None:
    """The models that share all the weight equally, or None if those that have any have different weights."""
    given = shares(weights, len(panel.models))
    if given.ndim > 1 or np.ptp(given[given > 0]) > 0:
        return None
    return np.flatnonzero(given)


def check_independent(panel: Panel, what: str) -> None:
    """Refuse a panel whose examples come in clusters."""
    if panel.clusters is not None:
        raise InvalidEvidence(
            f"{what} needs examples that are independent draws; these come in clusters. "
            "Average over the examples of each cluster first, or leave the clusters out."
        )
