"""Any source as a table: a file, several, a folder, a pattern, standard input, or a frame of any library."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import Any

from holdfast.errors import HoldfastError
from holdfast.sources.content import STANDARD_INPUT, Files, content_of, readable, standard_input, told
from holdfast.sources.formats import format_of
from holdfast.sources.logs.asked import ANYTHING, Asked
from holdfast.sources.matching import matching, refuse_twice
from holdfast.sources.table import Table, table_of_frame
from holdfast.wording import listed

PathGiven = str | PathLike[str]
NO_ROWS = (
    "Cannot read rows from an object of type {}; give a path, a data frame, or, for arrays, their truth and predicted "
    "to assess()."
)


def open_table(source: Any, separator: str | None = None, refusal: str = NO_ROWS, asked: Asked = ANYTHING) -> Table:
    """The table that a path, a list of paths, "-" or a data frame stands for, or itself; anything else is refused."""
    if isinstance(source, Table):
        return source
    if names_files(source):
        return table_of_files(files_of(source, separator, asked))
    if (table := table_of_frame(source)) is None:
        raise HoldfastError(refusal.format(type(source).__name__))
    return table


def names_files(source: Any) -> bool:
    """Whether it is a path or several of them, and no table of another kind."""
    several = source if isinstance(source, (list, tuple)) else (source,)
    return all(isinstance(each, (str, PathLike)) for each in several)


def files_of(source: PathGiven | Iterable[PathGiven], separator: str | None = None, asked: Asked = ANYTHING) -> Files:
    """The files that are meant, each of them once."""
    if isinstance(source, (str, PathLike)):
        name = STANDARD_INPUT if source == "-" else told(Path(source))
        if source == "-":
            return Files(name, [name], [standard_input()], separator, asked)
        paths = matching(Path(source), name)
    else:
        given = [Path(path) for path in source]
        if not given:
            raise HoldfastError("The list of files is empty; give at least one.")
        name = f"{len(given):,} files"
        paths = [file for path in given for file in matching(path, told(path))]
    refuse_twice(paths)
    names = [name] if len(paths) == 1 else [*map(told, paths)]
    return Files(name, names, [path if path.is_dir() else content_of(path) for path in paths], separator, asked)


def table_of_files(files: Files) -> Table:
    """The table that files of one format hold."""
    with readable(files.name):
        formats = {kind.name: kind for kind in (format_of(content, files.name) for content in files.contents)}
        if len(formats) > 1:
            raise HoldfastError(
                f"{files.name} holds files of several kinds, {listed(sorted(formats))}; read one kind at a time."
            )
        (only,) = formats.values()
        return only.open(files)
