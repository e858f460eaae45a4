"""A monitor at a moment, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.render.outline.parts import Sentence
from holdfast.render.text.duel import withdrawn
from holdfast.render.text.text import Parts, claim_parts
from holdfast.wording import examples

if TYPE_CHECKING:
    from holdfast.report.look import Look


def monitor_parts(look: Look) -> Parts:
    """What has happened, and then what may be claimed."""
    claim = look.claim
    news: Parts = [Sentence((note,), loose=True) for note in look.notes]
    if look.changed_after is not None:
        return [*news, *withdrawn(claim, f"the {claim.measure.replace('-', ' ')}")]
    return [*news, *claim_parts(claim, f"After {examples(int(claim.n))}:")]
