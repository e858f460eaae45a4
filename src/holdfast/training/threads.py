"""One thread a fold: folds run side by side, and threads below them would only get in each other's way.

Threads of OpenMP are limited for the thread that asks, those of linear algebra for the whole process. So whoever fits
limits the former, and whoever begins and ends the work of a process the latter.
"""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager
from functools import lru_cache
from typing import Any


def one_thread(kind: str) -> AbstractContextManager[object]:
    """Limit the libraries of one kind, "openmp" or "blas", as long as this lasts."""
    return _libraries(len(sys.modules)).limit(limits=1, user_api=kind)


@lru_cache(1)
def _libraries(modules: int) -> Any:
    """Those that are loaded; to look for them takes milliseconds, so only after new imports."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
