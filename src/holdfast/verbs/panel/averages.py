"""The average and the spread of several models' error rates: which evidence, which method, and what is certain."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike

from holdfast.bounds.finite import hypergeometric
from holdfast.catalog import find
from holdfast.claims import Assumption, Claim
from holdfast.combine import bonferroni
from holdfast.evidence import Evidence
from holdfast.evidence.pools.averages import average_by_levels, average_on, certain, gibbs, shares
from holdfast.evidence.pools.panel import Panel
from holdfast.evidence.pools.spread import drawing_variance, largest_variance, spread, spread_on
from holdfast.evidence.pools.unlabelled import Unlabelled
from holdfast.numerics.voting.disagreement import disagreements
from holdfast.report.facts.panel import Certain
from holdfast.verbs.bound import default_methods
from holdfast.wording import quoted

MANY = 10  # inputs; fewer may be alike by chance


def average_claim(
    seen: Panel,
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
        evidence: Evidence = gibbs(seen, np.ones(len(seen.models)) if weights is None else weights, prior)
    else:
        evidence = average_by_levels(seen, weights) if rest is None else average_on(seen, rest, weights)
    claim = for_any_of(by_inputs(default_methods(evidence)[0](evidence, delta), rest))
    return replace(claim, measure="average-error-rate" if rest is None else "unlabelled-average-error-rate")


def spread_claim(seen: Panel, delta: float, rest: Unlabelled | None = None, weights: ArrayLike | None = None) -> Claim:
    """How far the models' error rates are apart: the standard deviation over a draw of one of them."""
    evidence = spread(seen, weights) if rest is None else spread_on(seen, rest, weights)
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


def doubts(seen: Panel, rest: Unlabelled, delta: float) -> Iterator[str]:
    """What speaks against chance alone having decided which examples were labelled, in sentences.

    Parameters
    ----------
    delta
        Of the limits that are to hold for all models together.
    """
    if seen.predicted is None:
        return
    if seen.n >= MANY and np.array_equal(seen.predicted, rest.predicted):
        yield (
            "On the unlabelled inputs every model says just what it says on the labelled examples, in the same order. "
            "If they are the same, nothing is proven of them: their errors can be counted."
        )
    most = np.asarray(hypergeometric(seen.errors, float(bonferroni(delta, len(seen.models))), unlabelled=rest.n).upper)
    apart = disagreements(rest.predicted) / rest.n
    # Where two models differ, one of them at least is wrong.
    too_much = apart - most[:, np.newaxis] - most
    first, second = np.unravel_index(int(np.argmax(too_much)), too_much.shape)
    if too_much[first, second] > 1e-12:
        names = " and ".join(quoted(seen.models[place]) for place in (first, second))
        share, one, other = (f"{100 * value:.3g} %" for value in (apart[first, second], most[first], most[second]))
        yield (
            f"These claims contradict each other. {names} differ on {share} of the unlabelled inputs, where one of the "
            f"two is wrong; yet by their limits they err on at most {one} and {other}. Either a limit failed, which "
            f"happens with a chance of at most {100 * delta:.3g} %, or it was not chance that decided which examples "
            "were labelled: check the data."
        )


def certain_about(rest: Unlabelled, weights: ArrayLike | None = None) -> Certain:
    """What the unlabelled inputs say by themselves, whatever their labels are."""
    said, labels = rest.predicted, len(rest.labels)
    share = None if weights is None else shares(weights, len(rest.models))
    least, most = certain(said, labels, share)
    _, highest = drawing_variance(said, labels, share)
    # With more than two labels the true one may be another than those that stand here.
    top = float(most.mean()) if labels == 2 else 1.0
    return Certain(
        average=(float(least.mean()), top),
        spread=sqrt(largest_variance(said, share)),
        drawing=sqrt(highest),
        exact=labels == 2,
    )
