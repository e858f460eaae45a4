"""What goes wrong, said so that the reader can act: what was asked, what was given, what to do.

Who reads a message typed a command, or wrote Python. So it is written once, with both names of what it speaks of:
`by= (--by)`, `missing="drop" (--missing drop)`, `hf.compare (holdfast compare)`. What stands in backticks may be any
Python: "`duel.save(FILE)` (--state FILE)".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from difflib import get_close_matches

_PYTHON = (
    r"""`[^`]+` | \b hf\.[\w.]+ (?: \( [^()]* \) )? | \b [a-z]\w*= (?: "[^"]*" | '[^']*' | \{[^{}]*\} | -?[\w.]+ )?"""
)
_TYPED = r"`? (?: --[a-z] | holdfast[ ]) [^()`]* `?"
PAIR = re.compile(rf"(?P<python> {_PYTHON} ) [ ] \( (?P<typed> {_TYPED} ) \)", re.VERBOSE)

_TYPING: ContextVar[bool] = ContextVar("_TYPING", default=False)


@contextmanager
def at_the_command_line() -> Iterator[None]:
    """Where messages are read by somebody who typed a command."""
    before = _TYPING.set(True)
    try:
        yield
    finally:
        _TYPING.reset(before)


def is_at_the_command_line() -> bool:
    return _TYPING.get()


def addressed(message: str) -> str:
    """The message with the names that its reader knows.

    Examples
    --------
    >>> message = "Leave out groups= (--by), or say missing='drop' (--missing drop); hf.bound (holdfast bound) helps."
    >>> addressed(message)
    "Leave out groups=, or say missing='drop'; hf.bound helps."
    >>> with at_the_command_line():
    ...     addressed(message)
    'Leave out --by, or say --missing drop; holdfast bound helps.'
    """
    return PAIR.sub(lambda pair: pair["typed" if _TYPING.get() else "python"], message)


def visible(text: str) -> str:
    r"""The text on one line, every sign that cannot be seen spelled out.

    Those are control characters, escapes among them, breaks of lines and paragraphs, signs that turn the direction of
    writing, and halves of characters.

    Examples
    --------
    >>> print(visible("a\x1b[31m b\n c\u202ed"))
    a\x1b[31m b\n c\u202ed
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def visible_lines(text: str) -> str:
    """The same of a text that has several lines, which it keeps."""
    return text if text.isprintable() else "\n".join(map(visible, text.split("\n")))


def cut(text: str, longest: int) -> str:
    """The text, its end left out where it is too long."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


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
