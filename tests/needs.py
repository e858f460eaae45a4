"""What a test needs beyond the package: missing, it is skipped with a reason, or fails where nothing may be skipped."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest


def require(condition: bool, reason: str) -> None:
    """Skip unless the condition holds; with HOLDFAST_REQUIRE_ALL=1, as in CI, fail instead."""
    if condition:
        return
    if os.environ.get("HOLDFAST_REQUIRE_ALL") == "1":
        pytest.fail(f"Nothing may be skipped here, but {reason}")
    pytest.skip(reason)


def module(name: str) -> Any:
    """The module, if it is installed."""
    require(find_spec(name.partition(".")[0]) is not None, f"{name} is not installed")
    return import_module(name)


def device(path: Path, minor: int) -> Path:
    """A node of our own beside /dev/null (3), /dev/zero (5) or /dev/full (7): a test may not risk the machine's."""
    made = False
    with suppress(OSError):
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, minor))
        os.close(os.open(path, os.O_WRONLY))
        made = True
    require(made, "only root makes devices, where the file system takes them")
    return path
