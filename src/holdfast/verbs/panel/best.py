"""Which of a panel's models may be the best: in the population, or on the unlabelled inputs at hand."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast.combine import bonferroni
from holdfast.comparisons import mcnemar
from holdfast.errors import InvalidEvidence
from holdfast.evidence import Array, Integers
from holdfast.evidence.pools.panel import Panel
from holdfast.evidence.pools.unlabelled import Unlabelled
from holdfast.numerics.voting.disagreement import disagreements
from holdfast.selection.cores.agreement import disagreement_rates
from holdfast.selection.cores.cores import clusters_of
from holdfast.selection.cores.unlabelled import more_than_half, more_than_the_other

Flags = NDArray[np.bool_]
MOST_RIVALS = 40  # models, those with the fewest errors, that each is tested against


def may_be_best(panel: Panel, delta: float, unlabelled: Unlabelled | None = None) -> Flags:
    r"""Which models no other one is proven better than, so that the best is among them with confidence 1 - delta.

    Notes
    -----
    That the best one is dropped takes one of the M - 1 tests in which it is the one to be beaten, each at

    .. math:: \delta / (M - 1)

    by McNemar's test, exact and one-sided. Which model is the best on unlabelled inputs depends on which inputs these
    are, so that it may be any of the M, and each of the tests is at

    .. math:: \delta / (M (M - 1))

    There the test has `hypergeometric` in place of the binomial: of all inputs on which the two say different things,
    chance decided which are labelled. With two labels exactly one of the two errs on each, and this model is beaten if
    it surely errs on more than half of those that are not; with more labels the numbers on which either alone errs have
    a limit each, at half of that delta. Making fewer of these tests, against the models with the fewest errors only,
    can but keep more models.

    Examples
    --------
    >>> wrong = np.zeros((3, 60), bool)
    >>> wrong[1, :20] = wrong[2, 50:52] = True
    >>> seen = Panel(("a", "b", "c"), wrong, ("no", "yes"), np.zeros(60, int), wrong.astype(int))
    >>> may_be_best(seen, 0.05).tolist()
    [True, False, True]
    >>> may_be_best(seen, 0.05, Unlabelled(seen.models, seen.labels, wrong.astype(int))).tolist()
    [True, False, True]
    """
    models = len(panel.models)
    rivals = np.argsort(panel.errors.k, kind="stable")[:MOST_RIVALS]
    each = bonferroni(delta, (models - 1) * (1 if unlabelled is None else models))
    alone, rival_alone = _apart(panel, rivals)
    if unlabelled is None:
        beaten = np.asarray(mcnemar.exact(alone, rival_alone, "first").value) <= each
    else:
        beaten = _surely_more(alone, rival_alone, panel, each, unlabelled, rivals)
    return np.asarray(~beaten.any(axis=0))


def _surely_more(
    alone: Integers, rival_alone: Integers, panel: Panel, delta: Array, unlabelled: Unlabelled, rivals: Integers
) -> Flags:
    """Whether a model alone errs on more of the unlabelled inputs than its rival alone does."""
    said = panel.predicted
    if said is None:
        raise InvalidEvidence(
            "What the models said on the labelled examples is needed too; give truth and predictions."
        )
    here = disagreements(said[rivals], said)
    there = disagreements(unlabelled.predicted[rivals], unlabelled.predicted)
    if len(unlabelled.labels) == 2:
        return more_than_half(alone, here, there, delta)
    return more_than_the_other(alone, rival_alone, here, there, delta)


def _apart(panel: Panel, rivals: Integers) -> tuple[Integers, Integers]:
    """On how many examples each model errs and a rival does not, and the other way round; a row for each rival."""
    apart, errors = disagreements(panel.wrong[rivals], panel.wrong), panel.errors.k
    more = errors - errors[rivals, None]
    return (apart + more) // 2, (apart - more) // 2


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
