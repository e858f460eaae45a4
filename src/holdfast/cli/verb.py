"""A command whose options are given once each, but for those that say otherwise, and whose files are apart.

Every command can write its answer as Markdown, and refuses an option that others have with the reason.
"""

from __future__ import annotations

import os
import tempfile
import traceback
from collections.abc import Sequence
from copy import copy
from pathlib import Path
from typing import Any

import rich_click as click

from holdfast import __version__
from holdfast.cli.markdown import MARKDOWN, keep
from holdfast.cli.options import command_line
from holdfast.cli.refusals import reason
from holdfast.cli.targets import check_targets
from holdfast.wording import brief, quoted

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


SEVERAL = "may be given several times"


class Verb(click.RichCommand):
    """Refuses an option that takes one value and is given two, of which click would take the last in silence."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.params += [MARKDOWN, DEBUG]
        for option in self.params:
            if isinstance(option, click.Option) and option.multiple and SEVERAL not in (option.help or SEVERAL):
                option.help = f"{(option.help or '').removesuffix('.')}; {SEVERAL}."

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        words = [*args]  # click's parser takes from the list what it has read
        try:
            rest = super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            if (why := reason(self.name, error.option_name)) is None:
                raise
            ctx.fail(f"{self.name} takes no {error.option_name}: {why}.")
        for option, values in self._given(ctx, words):
            if len(values) > 1 and not ctx.resilient_parsing:  # as where words are completed
                ctx.fail(f"{option} is given as {' and as '.join(map(quoted, values))}; it takes one value.")
        return rest

    def invoke(self, ctx: click.Context) -> Any:
        check_targets(self.params, ctx.params)
        keep(ctx)
        return super().invoke(ctx)

    def _given(self, ctx: click.Context, words: list[str]) -> list[tuple[str, list[Any]]]:
        """Every value of each option that takes one."""
        single = [p for p in self.params if isinstance(p, click.Option) and not (p.multiple or p.is_flag or p.count)]
        lenient = copy(self)
        lenient.params = [_several_times(param) if param in single else param for param in self.params]
        values, _, _ = lenient.make_parser(ctx).parse_args(words)
        return [(option.opts[0], values.get(option.name or "", [])) for option in single]


def _several_times(option: click.Option) -> click.Option:
    option = copy(option)
    option.multiple = True
    return option
