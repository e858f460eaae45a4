"""The last resort: what nobody expected becomes one line that says so, and an exit code that means nothing else."""

from __future__ import annotations

import os
import tempfile
import traceback
from collections.abc import Sequence
from pathlib import Path

import rich_click as click

from holdfast import __version__
from holdfast.cli.options import command_line
from holdfast.wording import brief

FAULT = 70  # a software error in sysexits.h, and no answer of any command: 1 means refuted
HOUSE = Path(__file__).parents[1]
DEBUG = click.Option(
    ["--debug"], is_flag=True, expose_value=False, help="Save the traceback of a fault of Holdfast's own to a file."
)


def fault_line(error: BaseException, words: Sequence[str], verb: str | None) -> str:
    """What failed and where, whose fault it is, and where its traceback is or how to get one."""
    kind = type(error).__name__
    said = f"{kind}: {brief(error, 120)}" if str(error).strip() else kind
    called = f"holdfast {verb}" if verb else "holdfast"
    if "--debug" in words:
        advice = f"The traceback {_saved(error)}; please report it."
    else:
        advice = f"Please report it: {called} --debug ... saves the traceback."
    return f"{called} failed at {_place(error)} ({said}). This is a fault of Holdfast, and no answer. {advice}"


def _place(error: BaseException) -> str:
    """The last line of Holdfast's own that was at work."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if Path(frame.filename).is_relative_to(HOUSE)] or frames
    return f"{Path(own[-1].filename).name}, line {own[-1].lineno}" if own else "an unknown place"


def _saved(error: BaseException) -> str:
    """Whether the traceback could be saved, and where."""
    content = f"holdfast {__version__}\n{command_line()}\n\n{''.join(traceback.format_exception(error))}"
    try:
        handle, path = tempfile.mkstemp(prefix="holdfast-fault-", suffix=".txt")
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(content)
    except OSError as full:
        return f"could not be saved ({full.strerror})"
    return f"is in {path}"
