"""A monitor at a moment, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.render.text.duel import withdrawn
from holdfast.render.text.text import Parts, claim_parts
from holdfast.wording import examples

if TYPE_CHECKING:
    from holdfast.report.look import Look


def monitor_parts(look: Look) -> Parts:
    """What has happened, and then what may be claimed."""
    claim, news = look.claim, [part for note in look.notes for part in (note, "")]
    if look.changed_after is not None:
        return [*news, *withdrawn(claim, f"the {claim.measure.replace('-', ' ')}")]
    return [*news, f"After {examples(int(claim.n))}:", *claim_parts(claim)]
