"""Which few classifiers to validate so that they speak for many: one for each cluster of those that answer alike.

Limits for the cores hold if examples and unlabelled inputs could have changed places. Cores that were chosen by
looking at one of the two, or at labels, were not fixed before: then nothing is proven (a toy choice by the unlabelled
inputs alone missed more than half of the time).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holdfast.claims import Guarantee
from holdfast.errors import HoldfastError, InvalidEvidence
from holdfast.evidence import Array, Integers, shown
from holdfast.numerics.binomial import hypergeometric_tail
from holdfast.numerics.voting import disagreements

Codes = NDArray[np.integer]


@dataclass(frozen=True, eq=False, repr=False)
class Cores:
    """A few classifiers that stand for many, and how firmly what is inferred from them holds."""

    weights: Array  # cores by models: which model each core is, or how often it draws each
    clusters: Integers  # of each model
    guarantee: Guarantee = Guarantee.FINITE

    @property
    def averaged(self) -> bool:
        """Whether some core draws one of several models for each input."""
        return bool(np.any(np.count_nonzero(self.weights, axis=1) > 1))

    @property
    def places(self) -> Integers:
        """Which model each core is, or the first that it draws."""
        return np.argmax(self.weights > 0, axis=1)

    def __repr__(self) -> str:
        kind = "averages" if self.averaged else "models"
        return f"Cores({len(self.weights)} {kind} of {self.weights.shape[1]} models, {self.guarantee.sentence})"


def choose_cores(
    number: int,
    *,
    training: ArrayLike | None = None,
    validation: ArrayLike | None = None,
    unlabelled: ArrayLike | None = None,
    wrong: ArrayLike | None = None,
    average: bool = False,
    unproven: bool = False,
) -> Cores:
    """One core for each of so many clusters of models that answer alike.

    Parameters
    ----------
    training
        Answers of the models, models by inputs, on data that are neither the labelled examples nor the unlabelled.
    validation, unlabelled
        Their answers to the inputs of the labelled examples and to the unlabelled inputs: both, or neither.
    wrong
        Where the models erred on the labelled examples: then the core is the model of its cluster that erred least,
        and not the one that agrees most with the others. It is refused unless `unproven`.
    average
        Take for a core the random classifier of its cluster, which draws a model for each input (Bax, section 1): it
        errs as often as they do on average.
    unproven
        Allow a choice after which no claim is proven; what is inferred then says that it comes without proof.

    Examples
    --------
    >>> answers = np.array([[0, 0, 0, 0, 1, 1], [0, 0, 0, 1, 1, 1], [1, 1, 1, 1, 0, 0], [1, 1, 1, 0, 0, 0]])
    >>> chosen = choose_cores(2, validation=answers[:, :3], unlabelled=answers[:, 3:])
    >>> chosen, chosen.places, chosen.clusters
    (Cores(2 models of 4 models, holds at every sample size), array([0, 2]), array([0, 0, 1, 1]))
    >>> choose_cores(2, unlabelled=answers, unproven=True)
    Cores(2 models of 4 models, comes without proof)
    """
    given = {"training": training, "validation": validation, "unlabelled": unlabelled}
    parts = {name: _codes(name, answers) for name, answers in given.items() if answers is not None}
    if not parts:
        raise HoldfastError(
            "Cores are chosen by the answers of the models; give training=, or validation= with unlabelled=."
        )
    if len({len(answers) for answers in parts.values()}) > 1:
        raise InvalidEvidence(
            "Cores are chosen among the same models everywhere; the answers have different numbers of rows."
        )
    proven = wrong is None and ("validation" in parts) == ("unlabelled" in parts)
    if not proven and not unproven:
        seen = (
            "labels"
            if wrong is not None
            else f"the {'unlabelled' if 'unlabelled' in parts else 'validation'} inputs alone"
        )
        raise HoldfastError(
            f"Cores chosen by {seen} prove nothing: the choice must not tell the labelled examples from the others. "
            "Give training= answers, or those to validation= and unlabelled= inputs together; or say unproven=True."
        )
    models = len(next(iter(parts.values())))
    if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= models:
        raise HoldfastError(
            f"The number of cores is a whole number from 1 to {models:,}, that of the models; got {shown(number)}."
        )
    apart = sum((disagreements(answers) for answers in parts.values()), np.zeros((models, models)))
    clusters = clusters_of(apart, number)
    together = clusters[:, None] == clusters
    if average:
        weights = np.unique(together, axis=0)[::-1] / 1.0
        weights = weights[np.argsort(np.argmax(weights > 0, axis=1), kind="stable")]
        weights /= weights.sum(axis=1, keepdims=True)
    else:
        cost = (apart * together).sum(axis=1) if wrong is None else np.asarray(wrong, np.float64).mean(axis=1)
        order = np.lexsort((np.arange(models), cost, clusters))
        cores = order[np.searchsorted(clusters[order], np.arange(clusters.max() + 1))]
        weights = np.eye(models)[cores]
    return Cores(weights, clusters, Guarantee.FINITE if proven else Guarantee.HEURISTIC)


def clusters_of(apart: Array, number: int) -> Integers:
    """The cluster of each model, at most so many, numbered as they first appear: by average linkage.

    Examples
    --------
    >>> clusters_of(np.array([[0, 9, 1], [9, 0, 8], [1, 8, 0]]), 2)
    array([0, 1, 0])
    """
    if len(apart) < 2 or number >= len(apart):
        return np.arange(len(apart))
    from scipy.cluster.hierarchy import fcluster, linkage
    from scipy.spatial.distance import squareform

    clusters = fcluster(linkage(squareform(np.asarray(apart, np.float64)), "average"), number, "maxclust")
    _, first, place = np.unique(clusters, return_index=True, return_inverse=True)
    rank = np.empty(len(first), np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[place]


def _codes(name: str, answers: ArrayLike) -> Codes:
    """The answers as whole numbers, models by inputs."""
    table = np.asarray(answers)
    if table.ndim != 2 or not table.size:
        raise InvalidEvidence(f"{name}= takes answers of models by inputs, in two dimensions; got shape {table.shape}.")
    if table.dtype.kind in "iu":
        return table
    return np.unique(table, return_inverse=True)[1].reshape(table.shape)


__all__ = ["difference_limits", "disagreement_rates", "disagreements", "within_disagreement"]


def disagreement_rates(first: Codes, second: Codes | None = None) -> Array:
    r"""On which part of the inputs each of the first classifiers differs from each of the second, or from each other.

    Notes
    -----
    .. math:: D'_{mk} = \frac{1}{d'} \#\{j : g_m(x_j) \ne g_k(x_j)\}

    Examples
    --------
    >>> print(disagreement_rates(np.array([[0, 1, 2, 2], [0, 1, 1, 2], [1, 1, 0, 0]])))
    [[0.   0.25 0.75]
     [0.25 0.   0.75]
     [0.75 0.75 0.  ]]
    """
    return disagreements(first, second) / max(first.shape[1], 1)


def difference_limits(predicted: Codes) -> tuple[Array, Array]:
    r"""The least and the largest difference of two error rates on these inputs, of every pair, whatever the labels.

    Notes
    -----
    Two classifiers that say the same are right or wrong together, so that

    .. math:: |\nu'_m - \nu'_k| \le D'_{mk}

    for any number of labels; both ends are reached, where one of the two is right on all inputs they differ on.

    Examples
    --------
    >>> lower, upper = difference_limits(np.array([[0, 1, 2, 2], [0, 1, 1, 2]]))
    >>> print(lower[0, 1], upper[0, 1])
    -0.25 0.25
    """
    rates = disagreement_rates(predicted)
    return -rates, rates


def within_disagreement(lower: Array, upper: Array, rates: Array) -> tuple[Array, Array]:
    """Limits for the error rate of classifiers that differ from one with these limits at these rates.

    Examples
    --------
    >>> lower, upper = within_disagreement(np.array(0.05), np.array(0.08), np.array([0.02, 0.4]))
    >>> print(lower.round(2), upper.round(2))
    [0.03 0.  ] [0.1  0.48]
    """
    return np.maximum(lower - rates, 0.0), np.minimum(upper + rates, 1.0)


Flags = NDArray[np.bool_]


def more_than_half(alone: Integers, apart: Integers, unlabelled: Integers, delta: Array) -> Flags:
    """Whether a classifier surely errs on more than half of the unlabelled inputs on which two say different things.

    It did so on `alone` of the labelled ones `apart`.

    Examples
    --------
    >>> more_than_half(np.array([30, 40]), np.array([50, 50]), np.array([60, 60]), np.array(0.05))
    array([False,  True])
    """
    return _on_more_than(unlabelled // 2, alone, apart, unlabelled, delta)


def more_than_the_other(
    alone: Integers, other_alone: Integers, apart: Integers, unlabelled: Integers, delta: Array
) -> Flags:
    r"""Whether a classifier alone surely errs on more of the unlabelled inputs than the other alone does.

    Notes
    -----
    Either number has its limit by `hypergeometric` at half of delta. The lower one of the first exceeds the upper one
    of the other where some m lies between them,

    .. math:: L > U \iff L > m \ge U \text{ for some } m,

    and either side of that takes one tail where a limit takes as many as its number has bits. The first m, halfway
    between the estimates, settles most pairs; for the others it is moved by halves.

    Examples
    --------
    >>> apart = unlabelled = np.array([50, 50])
    >>> more_than_the_other(np.array([12, 30]), np.array([8, 3]), apart, unlabelled, np.array(0.05))
    array([False,  True])
    """
    given = np.broadcast_arrays(alone, other_alone, apart, unlabelled, np.asarray(delta) / 2)
    alone, other_alone, apart, rest, part = (np.ravel(each) for each in given)
    found, low, high = np.zeros(rest.shape, bool), np.zeros_like(rest), rest.copy()
    m = (alone + other_alone) * rest // np.maximum(2 * apart, 1)
    left = np.arange(rest.size)
    while left.size:
        on_more = _on_more_than(m[left], alone[left], apart[left], rest[left], part[left])
        on_no_more = _on_at_most(m[left], other_alone[left], apart[left], rest[left], part[left])
        found[left] = on_more & on_no_more
        low[left] = np.where(on_more, m[left] + 1, low[left])
        high[left] = np.where(on_no_more, m[left] - 1, high[left])
        left = left[(on_more != on_no_more) & (low[left] <= high[left])]
        m[left] = (low[left] + high[left]) // 2
    return found.reshape(given[0].shape)


def _on_at_most(m: Integers, errors: Integers, labelled: Integers, unlabelled: Integers, delta: Array) -> Flags:
    """Whether the upper limit by `hypergeometric` is m or less: one error more would be too surprising."""
    pool = np.maximum(labelled + unlabelled, 1)
    tail = hypergeometric_tail(errors, pool, np.minimum(errors + m + 1, pool), labelled)
    return np.asarray((m >= unlabelled) | (tail <= delta))


def _on_more_than(m: Integers, errors: Integers, labelled: Integers, unlabelled: Integers, delta: Array) -> Flags:
    """Whether the lower limit is more than m: seen from those that are no errors, whose upper limit is then lower."""
    return _on_at_most(unlabelled - m - 1, labelled - errors, labelled, unlabelled, delta)
