"""What is said of several models together: their average, their spread, and which of them may be the best."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holdfast.bounds.binomial import hypergeometric
from holdfast.catalog import find
from holdfast.claims import Assumption, Claim
from holdfast.combine import bonferroni
from holdfast.comparisons import mcnemar
from holdfast.errors import InvalidEvidence
from holdfast.evidence import Array, Evidence, Integers
from holdfast.evidence.pools.averages import average_by_levels, average_on, certain, gibbs, shares
from holdfast.evidence.pools.panel import Panel, Unlabelled
from holdfast.evidence.pools.spread import drawing_variance, largest_variance, spread, spread_on
from holdfast.numerics.voting import disagreements
from holdfast.report.facts.assessment import Certain
from holdfast.selection.cores.cores import clusters_of, disagreement_rates, more_than_half, more_than_the_other
from holdfast.verbs.bound import default_methods
from holdfast.wording import quoted

MANY = 10  # inputs; fewer may be alike by chance


def average_claim(
    panel: Panel,
    delta: float,
    rest: Unlabelled | None = None,
    weights: ArrayLike | None = None,
    prior: ArrayLike | None = None,
    fitted: bool = False,
) -> Claim:
    """How often the models err on average: by the average loss, whatever the number of models.

    Parameters
    ----------
    fitted
        Whether the weights saw the labels: then `prior` are those that did not, equal ones by default.
    """
    if fitted:
        evidence: Evidence = gibbs(panel, np.ones(len(panel.models)) if weights is None else weights, prior)
    else:
        evidence = average_by_levels(panel, weights) if rest is None else average_on(panel, rest, weights)
    claim = for_any_of(by_inputs(default_methods(evidence)[0](evidence, delta), rest))
    return replace(claim, measure="average-error-rate" if rest is None else "unlabelled-average-error-rate")


def spread_claim(panel: Panel, delta: float, rest: Unlabelled | None = None, weights: ArrayLike | None = None) -> Claim:
    """How far the models' error rates are apart: the standard deviation over a draw of one of them."""
    evidence = spread(panel, weights) if rest is None else spread_on(panel, rest, weights)
    claim = find("bounded-differences" if rest is None else "spread-pool")(evidence, delta)
    return for_any_of(by_inputs(claim, rest))


def for_any_of(claim: Claim) -> Claim:
    """The claim where it is the set of models that was fixed beforehand, and not which of them is selected."""
    assumes = (Assumption.FIXED_MODELS if each is Assumption.FIXED_MODEL else each for each in claim.assumes)
    return replace(claim, assumes=tuple(assumes))


def by_inputs(claim: Claim, rest: Unlabelled | None) -> Claim:
    """The claim where it takes something from inputs without labels: with two labels, that there are no others."""
    if rest is None or len(rest.labels) != 2 or Assumption.TWO_LABELS in claim.assumes:
        return claim
    return replace(claim, assumes=(*claim.assumes, Assumption.TWO_LABELS))


def doubts(panel: Panel, rest: Unlabelled, delta: float) -> Iterator[str]:
    """What speaks against chance alone having decided which examples were labelled, in sentences.

    Parameters
    ----------
    delta
        Of the limits that are to hold for all models together.
    """
    if panel.predicted is None:
        return
    if panel.n >= MANY and np.array_equal(panel.predicted, rest.predicted):
        yield (
            "On the unlabelled inputs every model says just what it says on the labelled examples, in the same order. "
            "If they are the same, nothing is proven of them: their errors can be counted."
        )
    most = np.asarray(
        hypergeometric(panel.errors, float(bonferroni(delta, len(panel.models))), unlabelled=rest.n).upper
    )
    apart = disagreements(rest.predicted) / rest.n
    # Where two models differ, one of them at least is wrong.
    too_much = apart - most[:, np.newaxis] - most
    first, second = np.unravel_index(int(np.argmax(too_much)), too_much.shape)
    if too_much[first, second] > 1e-12:
        names = " and ".join(quoted(panel.models[place]) for place in (first, second))
        share, one, other = (f"{100 * value:.3g} %" for value in (apart[first, second], most[first], most[second]))
        yield (
            f"These claims contradict each other. {names} differ on {share} of the unlabelled inputs, where one of the "
            f"two is wrong; yet by their limits they err on at most {one} and {other}. Either a limit failed, which "
            f"happens with a chance of at most {100 * delta:.3g} %, or it was not chance that decided which examples "
            "were labelled: check the data."
        )


def certain_about(rest: Unlabelled, weights: ArrayLike | None = None) -> Certain:
    """What the unlabelled inputs say by themselves, whatever their labels are."""
    answers, labels = rest.predicted, len(rest.labels)
    share = None if weights is None else shares(weights, len(rest.models))
    least, most = certain(answers, labels, share)
    _, highest = drawing_variance(answers, labels, share)
    # With more than two labels the true one may be another than those that stand here.
    top = float(most.mean()) if labels == 2 else 1.0
    return Certain(
        average=(float(least.mean()), top),
        spread=sqrt(largest_variance(answers, share)),
        drawing=sqrt(highest),
        exact=labels == 2,
    )


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
    answers = panel.predicted
    if answers is None:
        raise InvalidEvidence(
            "What the models said on the labelled examples is needed too; give truth and predictions."
        )
    here = disagreements(answers[rivals], answers)
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


def agreement(panel: Panel, rest: Unlabelled | None = None) -> dict[str, Any]:
    """How often any two models say different things on all inputs, ordered by clusters of models that answer alike.

    Of very many models, evenly spaced ones are looked at.
    """
    # What every model said; else whether it was right.
    here = panel.wrong.astype(np.int8) if panel.predicted is None else panel.predicted
    every = here if rest is None else np.concatenate([here, rest.predicted], axis=1)
    looked_at = _even(len(every), MOST_LOOKED_AT)
    answers = every[looked_at]
    rates = disagreement_rates(answers)
    clusters = _clusters(rates)
    near = (rates * (clusters[:, None] == clusters)).sum(axis=1)  # in the middle of a cluster it is least
    order = np.lexsort((near, clusters))
    order = order[_even(len(order), MOST_DRAWN)]
    return {
        "models": [panel.models[looked_at[place]] for place in order],
        "clusters": clusters[order].tolist(),
        "disagreement": rates[np.ix_(order, order)].tolist(),
        "n": answers.shape[1],
        "number": len(every),
    }


def _clusters(rates: Array) -> Integers:
    """The clustering into few clusters with the largest silhouette, or one cluster where none stands out.

    It is for the eye alone: nothing that is claimed depends on it.
    """
    best, chosen = DISTINCT, np.zeros(len(rates), np.int64)
    for number in range(2, min(MOST_CLUSTERS, len(rates) - 1) + 1):
        clusters = clusters_of(rates, number)
        if (share := _silhouette(rates, clusters)) > best:
            best, chosen = share, clusters
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


def _even(number: int, most: int) -> NDArray[np.integer]:
    """Places of at most so many of them, evenly spaced."""
    return np.unique(np.linspace(0, number - 1, min(number, most)).round().astype(np.int64))
