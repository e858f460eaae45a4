"""What an engine writes to the terminal when it breaks off: at the command line one line of ours says it better."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from tempfile import TemporaryFile
from typing import TextIO

from holdfast.wording import is_at_the_command_line

TERMINAL = 2  # the descriptor of standard error, which an engine written in Rust writes to past Python


@contextmanager
def without_panics() -> Iterator[None]:
    """Drop what is written past Python to standard error, if it ends in an error; otherwise it is passed on.

    Only at the command line: the descriptor belongs to the whole process, which elsewhere is not ours. What Python
    writes meanwhile, as a sign of life, goes where it always goes.
    """
    if not is_at_the_command_line() or sys.__stderr__ is None:  # closed from the start, its descriptor is another's
        yield
        return
    terminal, python = os.dup(TERMINAL), sys.stderr
    with TemporaryFile() as kept:
        if _is_terminal(python):
            sys.stderr = _beside()
        os.dup2(kept.fileno(), TERMINAL)
        try:
            yield
        except BaseException:
            kept.truncate(0)
            raise
        finally:
            os.dup2(terminal, TERMINAL)
            sys.stderr = python
            kept.seek(0)
            while some := kept.read(2**16):
                os.write(terminal, some)
            os.close(terminal)


def _is_terminal(stream: TextIO | None) -> bool:
    try:
        return stream is not None and stream.fileno() == TERMINAL
    except (OSError, ValueError):  # one in memory has no descriptor, and one that is closed no more
        return False


@cache
def _beside() -> TextIO:
    """Another way to the same place; never closed, since a thread may be writing there."""
    encoding = sys.stderr.encoding or "utf-8"
    return os.fdopen(os.dup(TERMINAL), "w", buffering=1, encoding=encoding, errors="replace", closefd=False)
