"""Which files a command reads and which it writes: no file is both, and none is written twice."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from glob import has_magic
from pathlib import Path
from typing import Any

import rich_click as click

from holdfast.errors import HoldfastError
from holdfast.files import Identity, identity
from holdfast.wording import quoted


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
        from holdfast.sources.matching import matching

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
