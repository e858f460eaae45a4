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
from holdfast.selection.cores.agreement import disagreements

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

    found = fcluster(linkage(squareform(np.asarray(apart, np.float64)), "average"), number, "maxclust")
    _, first, place = np.unique(found, return_index=True, return_inverse=True)
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
