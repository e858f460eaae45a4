"""Text that must not change unnoticed: compared with a file, rewritten with HOLDFAST_UPDATE_SNAPSHOTS=1."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from difflib import unified_diff
from pathlib import Path

from holdfast.errors import HoldfastError

FOLDER = Path(__file__).parent / "snapshots"
FULL_PRECISION = re.compile(r"(?<![\d.])\d+\.\d{13,20}(?:e[+-]\d+)?(?![\d.])")


def shortened(text: str) -> str:
    """The text with numbers of full precision at 12 digits, for their last places depend on the processor."""
    return FULL_PRECISION.sub(lambda number: f"{float(number[0]):.12g}", text)


def matches(name: str, text: str) -> None:
    """Fail with a diff unless the text is what tests/snapshots/NAME.txt holds."""
    path, found = FOLDER / f"{name}.txt", shortened(text.rstrip("\n")) + "\n"
    if os.environ.get("HOLDFAST_UPDATE_SNAPSHOTS") == "1":
        path.write_text(found, encoding="utf-8")
        return
    expected = path.read_text(encoding="utf-8") if path.exists() else ""
    diff = unified_diff(expected.splitlines(True), found.splitlines(True), str(path.name), "now", n=2)
    assert found == expected, "".join(diff) + "\nIf this is meant, run again with HOLDFAST_UPDATE_SNAPSHOTS=1."


def messages(calls: Mapping[str, Callable[[], object]]) -> str:
    """What each call is refused with, under the name of the call; a call that is not refused fails."""
    told = []
    for name, call in calls.items():
        try:
            answer = call()
        except HoldfastError as error:
            told.append(f"{name}\n  {type(error).__name__}: {error}")
        else:
            raise AssertionError(f"{name} was accepted: {answer!r}")
    return "\n".join(told)
