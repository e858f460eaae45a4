"""One thread for linear algebra: folds run side by side, and threads below them would only get in each other's way."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from threading import Lock
from typing import Any

_lock = Lock()
_inside: list[Any] = []  # what takes back the limit on linear algebra, once for each who is inside


@contextmanager
def one_thread() -> Iterator[None]:
    """Limit the libraries that start threads of their own, until the last who asked for it leaves.

    Threads of OpenMP are limited for the thread that asks, those of linear algebra for the whole process: there the
    first who comes sets the limit, and only the last who goes may take it back.
    """
    libraries = _libraries(len(sys.modules))
    with libraries.limit(limits=1, user_api="openmp"):
        with _lock:
            _inside.append(_inside[0] if _inside else libraries.limit(limits=1, user_api="blas"))
        try:
            yield
        finally:
            with _lock:
                limit = _inside.pop()
                if not _inside:
                    limit.restore_original_limits()


@lru_cache(1)
def _libraries(modules: int) -> Any:
    """Those that are loaded; to look for them takes milliseconds, so only after new imports."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
