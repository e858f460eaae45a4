"""A command whose options are given once each, but for those that say otherwise, and whose files are apart.

Every command can write its answer as Markdown, and refuses an option that others have with the reason.
"""

from __future__ import annotations

import os
import sys
import tempfile
import traceback
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import copy
from glob import has_magic
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click

from holdfast import __version__
from holdfast.cli.options import command_line
from holdfast.cli.refusals import reason
from holdfast.errors import HoldfastError
from holdfast.files import Identity, identity
from holdfast.wording import brief, quoted

if TYPE_CHECKING:
    from holdfast.render.kinds import Answer


class File(click.ParamType):  # type: ignore[type-arg]  # takes none before click 8.4
    """The path of a file, as it is typed."""

    name = "file"

    def path(self, given: str) -> str | None:
        """Which file is meant, if any."""
        return given


class Read(File):
    """A file, a folder, a pattern, or - for standard input."""


class Estimator(Read):
    """FILE.py:NAME, or MODULE:NAME, which is no file."""

    def path(self, given: str) -> str | None:
        file, _, _ = given.rpartition(":")
        return file if file.endswith(".py") else None


class Shares(Read):
    """A file, or NAME=SHARE,..., which is none."""

    def path(self, given: str) -> str | None:
        return None if "=" in given else given


class Written(File):
    """A file that is replaced."""


class Picture(Written):
    """FILE, or FILE:NAME."""

    def path(self, given: str) -> str:
        file, _, name = given.rpartition(":")
        return file if file and "." not in name else given


class Kept(Written):
    """A file that is read and replaced by the same hand."""


class Database(Kept):
    """A file that SQLite keeps, or the address of a database, which is none."""

    def path(self, given: str) -> str | None:
        return None if "://" in given else given


def check_targets(parameters: Sequence[click.Parameter], values: Mapping[str, Any]) -> None:
    """Refuse to write over what is read, over what else is written, and over the file that the answer is printed to."""
    outputs = [*_paths(parameters, values, Written)]
    if not outputs:
        return
    read = {each: path for _, path in _paths(parameters, values, Read) for each in _identities(path)}
    for option, path in outputs:
        if (source := read.get(identity(path))) is not None:  # type: ignore[arg-type]  # None is in no dictionary
            raise HoldfastError(
                f"{option} {_told(path)} would overwrite {_told(source)}, which is read; name another file."
            )
    check_apart(outputs)


def check_apart(outputs: Iterable[tuple[str, str]]) -> None:
    """Refuse to write two outputs, by option and path, to one file."""
    seen: dict[Identity, str] = {}
    if (printed := _stream(sys.stdout)) is not None:
        seen[printed] = "standard output"
    for option, path in outputs:
        if (here := identity(path)) is None:
            continue
        if here in seen:
            raise HoldfastError(
                f"{_told(path)} would be written twice, by {seen[here]} and by {option}; give each its own name."
            )
        seen[here] = option


def _paths(
    parameters: Sequence[click.Parameter], values: Mapping[str, Any], kind: type[File]
) -> Iterator[tuple[str, str]]:
    """The files of this kind that are named, each with its option."""
    for parameter in parameters:
        given = values.get(parameter.name or "")
        if not isinstance(parameter.type, kind) or given is None:
            continue
        for each in [given] if isinstance(given, str) else given:
            if (path := parameter.type.path(each)) is not None:
                yield parameter.opts[0], path


def _identities(path: str) -> Iterator[Identity]:
    """What is read: the file, or each file of a folder or pattern that holds rows, or is itself a table."""
    files: Iterable[Any] = [path]
    if path == "-":
        files = ()
        if (fed := _stream(sys.stdin)) is not None:
            yield fed
    elif Path(path).is_dir() or (has_magic(path) and not Path(path).exists()):
        from holdfast.sources.opening import matching

        files = ()
        with suppress(HoldfastError):  # it will be said where it is read
            files = matching(Path(path), path)
            files = [each for file in files for each in (file.rglob("*") if file.is_dir() else [file])]
    for file in files:
        if (here := identity(file)) is not None:
            yield here


def _stream(stream: Any) -> Identity | None:
    """The file that a stream of the system is, if it is one."""
    try:
        return identity(stream.fileno())
    except (AttributeError, OSError, ValueError):  # closed, or no stream of the system
        return None


def _told(path: str) -> str:
    return quoted(path, 120).strip("'\"")


PRINTED = "-"


class Document(Written):
    """A file that is replaced, or - for standard output."""

    def path(self, given: str) -> str | None:
        return None if given == PRINTED else given


MARKDOWN = click.Option(
    ["--markdown"],
    type=Document(),
    metavar="FILE",
    help="Write the answer as a comment for a pull request, too; - prints it instead.",
)


def check_folder(file: str) -> None:
    """Refuse a file whose folder is not there, before the work."""
    if not (folder := Path(file).parent).is_dir():
        raise HoldfastError(f"Cannot write {file}: there is no folder {folder}.")


def keep_markdown(context: click.Context) -> None:
    """Take the option from what the command is called with, for whoever prints its answer."""
    target: str | None = context.params.pop("markdown", None)
    if target == PRINTED and context.params.get("as_json"):
        raise HoldfastError("Both --json and --markdown - are printed; leave one out, or name a file for the latter.")
    if target is not None and target != PRINTED:
        check_folder(target)
    context.meta["markdown"] = target


def markdown_file() -> str | None:
    """The file that was named, or - for standard output; None where nobody asked for any."""
    context = click.get_current_context(silent=True)
    return None if context is None else context.meta.get("markdown")


def markdown_is_printed(beside: str = "") -> bool:
    """Whether Markdown is printed in place of text, which does not go with an option that prints more."""
    if markdown_file() == PRINTED and beside:
        raise HoldfastError(f"{beside} prints more than --markdown - does; name a file for the latter.")
    return markdown_file() == PRINTED


def write_markdown(answer: Answer) -> None:
    """Write the file, if one was named, and say so."""
    from holdfast.cli.options import tell
    from holdfast.files import write_whole

    if (file := markdown_file()) not in (None, PRINTED):
        assert file is not None
        write_whole(file, f"{answer.to_markdown()}\n".encode(errors="backslashreplace"))
        tell(f"Markdown written to {file}")


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
        keep_markdown(ctx)
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
