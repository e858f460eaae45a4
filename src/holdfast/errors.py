"""What goes wrong, said so that the reader can act: what was asked, what was given, what to do."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class HoldfastError(ValueError):
    """Anything a caller can put right; the command line prints its one line and exits with 2."""


class InvalidEvidence(HoldfastError):
    """The data cannot be what they are declared to be."""


class UnfitMethod(HoldfastError):
    """The method exists, but not for this evidence, this side or this option."""


class UnknownName(HoldfastError):
    """A name that stands in no list, with the nearest that does."""

    def __init__(self, kind: str, name: object, known: Iterable[str]) -> None:
        names = sorted(set(known))
        by_lower = {candidate.lower(): candidate for candidate in names}
        near = get_close_matches(str(name).lower().replace("_", "-"), by_lower, n=1, cutoff=0.6)
        listed = " ".join(", ".join(names).split())  # names from a file may hold line breaks
        hint = f"did you mean {by_lower[near[0]]!r}?" if near else f"choose from {listed}."
        super().__init__(f"There is no {kind} named {str(name)!r}; {hint}")
