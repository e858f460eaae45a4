"""A message as its reader sees it: with the names that they know, and without anything that a terminal would obey.

Who reads it typed a command, or wrote Python. So a message is written once, with both names of what it speaks of:
`by= (--by)`, `missing="drop" (--missing drop)`, `hf.compare (holdfast compare)`. What stands in backticks may be any
Python: "`duel.save(FILE)` (--state FILE)".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

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
