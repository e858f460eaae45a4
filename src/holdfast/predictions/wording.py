"""What is said of scores that do not fit, and of where rows come from."""

from __future__ import annotations


def left_out(reason: object) -> str:
    """What a report says of scores that nobody asked for and that do not fit."""
    return f"The scores, found by the names of their columns, were left out. {reason}"


def opening(source: str) -> str:
    """What a source is called at the beginning of a sentence; a file keeps its name."""
    return "T" + source[1:] if source.startswith("the ") else source
