"""A monitor at a moment, as text."""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.claims import Claim
from holdfast.render.numbers import rounded
from holdfast.render.text import Parts, claim_parts


def monitor_parts(claim: Claim, notes: Sequence[str], changed: bool) -> Parts:
    """What has happened, and then what may be claimed; after a change that is nothing, and is not dressed up."""
    news = [part for note in notes for part in (note, "")]
    if not changed:
        return [*news, f"After {claim.n:,} examples:", *claim_parts(claim)]
    estimate, lower, upper = (float(value) for value in (claim.estimate, claim.lower, claim.upper))  # type: ignore[arg-type]
    subject = claim.measure.replace("-", " ")
    return [
        *news,
        f"Over all {claim.n:,} examples the {subject} was {rounded(estimate, 4, 'nearest')}. The limits are {lower:g} "
        f"and {upper:g}, all that it can be: they say nothing, since no one rate holds for these examples.",
        "",
        f"Source: {claim.source}",
    ]
