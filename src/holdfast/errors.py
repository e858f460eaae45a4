"""What goes wrong, said so that the reader can act: what was asked, what was given, what to do."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from holdfast.wording import addressed, cut, visible


class HoldfastError(ValueError):
    """Anything a caller can put right; the command line prints its one line and exits with its code."""

    exit_code = 2

    def __str__(self) -> str:
        return visible(addressed(super().__str__()))  # labels and file names of others stand in it


class InvalidEvidence(HoldfastError):
    """The data cannot be what they are declared to be."""


class UnfitMethod(HoldfastError):
    """The method exists, but not for this evidence, this side or this option."""


class UnknownName(HoldfastError):
    """A name that stands in no list, with the nearest that does."""

    def __init__(self, kind: str, name: object, known: Iterable[str], main: Iterable[str] | None = None) -> None:
        names = sorted(set(known))
        by_lower = {candidate.lower(): candidate for candidate in names[:MOST_COMPARED]}
        near = get_close_matches(str(name).lower().replace("_", "-"), by_lower, n=1, cutoff=0.6)
        choice = names if main is None else sorted(set(main))
        hint = f"did you mean {cut(by_lower[near[0]], LONGEST_NAME)!r}?" if near else f"choose from {_listed(choice)}."
        super().__init__(f"There is no {kind} named {cut(str(name), LONGEST_NAME)!r}; {hint}")


MOST_COMPARED = 5_000  # names; beyond them a near miss is looked for among the first
LONGEST_NAME, LONGEST_LIST = 60, 480  # characters that a message spends on one name, and on all of them


def _listed(names: list[str]) -> str:
    """The names on one line, as many as are worth reading."""
    line = ""
    for number, name in enumerate(names):
        next_one = ", " * bool(number) + cut(name, LONGEST_NAME)
        if len(line) + len(next_one) > LONGEST_LIST:
            return f"{line} and {len(names) - number:,} more"
        line += next_one
    return line
