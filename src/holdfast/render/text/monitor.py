"""A monitor at a moment, as text."""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.claims import Claim
from holdfast.render.text.duel import examples, withdrawn
from holdfast.render.text.text import Parts, claim_parts


def monitor_parts(claim: Claim, notes: Sequence[str], changed: bool) -> Parts:
    """What has happened, and then what may be claimed."""
    news = [part for note in notes for part in (note, "")]
    if changed:
        return [*news, *withdrawn(claim, f"the {claim.measure.replace('-', ' ')}")]
    return [*news, f"After {examples(int(claim.n))}:", *claim_parts(claim)]
