"""What a gate decided, as text."""

from __future__ import annotations

from holdfast.render.text import Parts
from holdfast.report import Decision


def decision_parts(decision: Decision) -> Parts:
    """Everything a reader should see, top-down."""
    return [f"{decision.condition}: {decision.answer}"]
