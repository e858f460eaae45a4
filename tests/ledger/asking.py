"""A process that asks one gate after another, and tells what it was answered: to be killed, or to run beside others.

It is forked from one whose imports are loaded, so that a kill hits a gate and no import, and a thousand are soon done.
"""

from __future__ import annotations

import multiprocessing
from contextlib import suppress
from importlib import import_module
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from holdfast.ledger.book import Book

for name in ("sqlalchemy.dialects.sqlite", "sqlalchemy.dialects.postgresql", "psycopg"):
    with suppress(ImportError):
        import_module(name)  # which would be loaded on use

WAYS: Any = multiprocessing.get_context(
    "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else None
)
READY = "ready"


def asking(address: str, gates: int, name: str) -> tuple[BaseProcess, Connection]:
    """A process that asks so many gates, and where it tells the entry of each answer."""
    if hasattr(WAYS, "set_forkserver_preload"):
        WAYS.set_forkserver_preload([__name__])
    here, there = WAYS.Pipe(duplex=False)
    process = WAYS.Process(target=_ask, args=(address, gates, name, there), daemon=True)
    process.start()
    there.close()  # so that what is told ends where the process does
    return process, here


def told(here: Connection) -> list[Any]:
    """All that it told before it ended; what it was about to tell when it was killed, nobody has read."""
    found = []
    with suppress(EOFError, OSError), here:
        while True:
            found.append(here.recv())
    return found


def _ask(address: str, gates: int, name: str, there: Connection) -> None:
    book = Book(address, wait=300)
    there.send(READY)
    for number in range(gates):
        answer = book.ask(f"{name} {number}", ["c"], name, lambda level: False)
        there.send((answer.entry, answer.proven))
