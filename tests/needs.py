"""What a test needs beyond the package: missing, it is skipped with a reason, or fails where nothing may be skipped."""

from __future__ import annotations

import os
from importlib import import_module
from importlib.util import find_spec
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
