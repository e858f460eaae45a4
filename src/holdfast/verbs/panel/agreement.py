"""Which models of a panel answer alike: a view for pictures."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast.evidence import Array, Integers
from holdfast.evidence.pools.panel import Panel
from holdfast.evidence.pools.unlabelled import Unlabelled
from holdfast.selection.cores.agreement import disagreement_rates
from holdfast.selection.cores.cores import clusters_of

MOST_DRAWN = 60  # models of a picture
MOST_LOOKED_AT = 1_000  # models that are clustered
MOST_CLUSTERS = 12
DISTINCT = 0.1  # silhouette from which on clusters are worth a frame


def agreement(seen: Panel, rest: Unlabelled | None = None) -> dict[str, Any]:
    """How often any two models say different things on all inputs, ordered by clusters of models that answer alike.

    Of very many models, evenly spaced ones are looked at.
    """
    every = _said(seen, rest)
    looked_at = _even(len(every), MOST_LOOKED_AT)
    said = every[looked_at]
    rates = disagreement_rates(said)
    clusters = _clusters(rates)
    near = (rates * (clusters[:, None] == clusters)).sum(axis=1)  # in the middle of a cluster it is least
    order = np.lexsort((near, clusters))
    order = order[_even(len(order), MOST_DRAWN)]
    return {
        "models": [seen.models[looked_at[place]] for place in order],
        "clusters": clusters[order].tolist(),
        "disagreement": rates[np.ix_(order, order)].tolist(),
        "n": said.shape[1],
        "number": len(every),
    }


def _clusters(rates: Array) -> Integers:
    """The clustering into few clusters with the largest silhouette, or one cluster where none stands out.

    It is for the eye alone: nothing that is claimed depends on it.
    """
    best, chosen = DISTINCT, np.zeros(len(rates), np.int64)
    for number in range(2, min(MOST_CLUSTERS, len(rates) - 1) + 1):
        clusters = clusters_of(rates, number)
        if (found := _silhouette(rates, clusters)) > best:
            best, chosen = found, clusters
    return chosen


def _silhouette(rates: Array, clusters: Integers) -> float:
    """How much farther models are from the next cluster than from their own, as a share and on average."""
    members = clusters[:, None] == np.arange(clusters.max() + 1)
    sizes, own = members.sum(axis=0), (np.arange(len(clusters)), clusters)
    mean = rates @ members / sizes
    inside = mean[own] * sizes[clusters] / np.maximum(sizes[clusters] - 1, 1)
    mean[own] = np.inf
    outside = mean.min(axis=1)
    share = (outside - inside) / np.maximum(np.maximum(inside, outside), 1e-300)
    return float(np.where(sizes[clusters] > 1, share, 0.0).mean())


def _said(seen: Panel, rest: Unlabelled | None) -> NDArray[np.integer]:
    """What every model said, labelled inputs and unlabelled ones pooled; else whether it was right."""
    here = seen.wrong.astype(np.int8) if seen.predicted is None else seen.predicted
    return here if rest is None else np.concatenate([here, rest.predicted], axis=1)


def _even(number: int, most: int) -> NDArray[np.integer]:
    """Places of at most so many of them, evenly spaced."""
    return np.unique(np.linspace(0, number - 1, min(number, most)).round().astype(np.int64))
