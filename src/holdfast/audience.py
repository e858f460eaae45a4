"""Who reads a message: whoever typed a command, or whoever wrote Python; each is shown the names that they know.

A message is written once, with both names of what it speaks of: `by= (--by)`, `missing="drop" (--missing drop)`,
`hf.compare (holdfast compare)`. What stands in backticks may be any Python: "`duel.save(FILE)` (--state FILE)".
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
