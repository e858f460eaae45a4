"""The average and the spread of several models' error rates: which evidence, which method, and what is certain."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from holdfast.catalog import find
from holdfast.claims import Assumption, Claim
from holdfast.evidence import Evidence
from holdfast.evidence.panel import Panel
from holdfast.evidence.unlabelled import Unlabelled
from holdfast.measures.panel import average_by_levels, average_on, certain, gibbs, shares
from holdfast.measures.spread import drawing_variance, largest_variance, spread, spread_on
from holdfast.verbs.bound import default_methods


def average_claim(
    seen: Panel,
    delta: float,
    rest: Unlabelled | None = None,
    weights: ArrayLike | None = None,
    prior: ArrayLike | None = None,
    fitted: bool = False,
) -> Claim:
    """How often the models err on average: by betting on the average loss, whatever the number of models.

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


def certain_about(rest: Unlabelled, weights: ArrayLike | None = None) -> dict[str, Any]:
    """What the unlabelled inputs say by themselves, whatever their labels are."""
    said, labels = rest.predicted, len(rest.labels)
    share = None if weights is None else shares(weights, len(rest.models))
    least, most = certain(said, labels, share)
    lowest, highest = drawing_variance(said, labels, share)
    # With more than two labels the true one may be another than those that stand here.
    top = float(most.mean()) if labels == 2 else 1.0
    return {
        "average": [float(least.mean()), top],
        "spread": sqrt(largest_variance(said, share)),
        "drawing": sqrt(highest),
        "exact": lowest == highest,
    }
