"""Any source as a table: a file, several, a folder, a pattern, standard input, or a frame of any library."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from glob import has_magic
from os import PathLike
from pathlib import Path
from typing import Any

from holdfast.errors import HoldfastError
from holdfast.sources.content import STANDARD_INPUT, Files, content_of, ending, readable, standard_input, told
from holdfast.sources.formats import endings, format_of, is_folder_of_a_format, is_log_file
from holdfast.sources.logs.asked import ANYTHING, Asked
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


HIDDEN = (".", "_")  # how names begin that Spark and others leave beside the files of rows
EVERY_FOLDER = "**"


def matching(path: Path, name: str) -> list[Path]:
    """The file, the files of a folder, or those that a pattern matches; in the order of their names.

    A folder that is itself a table, by one of the formats, stands for itself.
    """
    with readable(name):
        if path.is_dir():
            if is_folder_of_a_format(path):
                return [path]
            files = sorted(_files_below(path))
            if not files:
                raise HoldfastError(f"The folder {name} holds no file of rows ({', '.join(endings())}).")
            return files
        if not path.exists() and has_magic(str(path)):
            matches = sorted(map(_not_a_pipe, _matches(path)))
            if not matches:
                raise HoldfastError(f"No file matches the pattern {name}.")
            return [file for match in matches for file in matching(match, told(match))]
        path.stat()
        return [path]


def refuse_twice(paths: Iterable[Path], consequence: str = "its rows would count twice") -> None:
    """A file that comes twice is refused: by the same name, by a link, by a second name on the disk, or in a folder."""
    first: dict[tuple[int, int], Path] = {}
    paths = [*paths]
    for path in paths:
        with readable(told(path)):
            known = path.stat()
        same = first.setdefault((known.st_dev, known.st_ino), path) if known.st_ino else path  # 0 where none is known
        if same is path:
            continue
        if same == path:
            raise HoldfastError(f"{told(path)} is given twice, and {consequence}; name it once.")
        raise HoldfastError(f"{told(same)} and {told(path)} are the same file, and {consequence}; leave one out.")
    for folder in filter(Path.is_dir, paths):
        for path in paths:
            if path is not folder and Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder)):
                raise HoldfastError(f"{told(path)} lies in {told(folder)}, and {consequence}; leave one out.")


# ---- Folders


def _files_below(folder: Path) -> Iterator[Path]:
    known = {*endings()}
    tables: list[Path] = []
    for each in _folders(folder, HIDDEN):
        if any(each.is_relative_to(table) for table in tables):
            continue
        if each != folder and is_folder_of_a_format(each):
            tables.append(each)
            yield each
            continue
        for path in _children(each, HIDDEN):
            if (ending(path) in known and not path.is_dir()) or is_log_file(path):
                yield _not_a_pipe(path)


def _not_a_pipe(path: Path) -> Path:
    """Nobody meant a pipe that lies among files: whoever reads it may wait for ever."""
    if path.exists() and not path.is_file() and not path.is_dir():
        raise HoldfastError(
            f"{told(path)} is no file but a pipe or a device, and is read only if it is named by itself; leave it out."
        )
    return path


def _folders(folder: Path, hidden: tuple[str, ...]) -> Iterator[Path]:
    """The folder and all below it, those behind links too; a link that leads back into them is not followed."""
    real = Path(os.path.realpath(folder))
    reached = [real]  # where a walk began: here, or behind a link
    left: list[tuple[Path, tuple[Path, ...]]] = [(folder, (real,))]
    while left:
        here, above = left.pop()
        yield here
        for path in _children(here, hidden):
            if not path.is_dir():
                continue
            if not path.is_symlink():
                left.append((path, above))
                continue
            target = Path(os.path.realpath(path))
            known = any(target.is_relative_to(start) for start in reached)
            if not known and not any(start.is_relative_to(target) for start in above):
                reached.append(target)
                left.append((path, (*above, target)))


def _children(folder: Path, hidden: tuple[str, ...]) -> list[Path]:
    with readable(told(folder)), os.scandir(folder) as entries:
        return [folder / entry.name for entry in entries if not entry.name.startswith(hidden)]


# ---- Patterns


def _matches(pattern: Path) -> list[Path]:
    """What the pattern matches, part by part: the standard library passes over what it cannot read."""
    matches = [Path(pattern.anchor)]
    parts = pattern.parts[1:] if pattern.anchor else pattern.parts
    if parts[-1] == EVERY_FOLDER:  # a folder that matches is read with all below it
        parts = parts[:-1]
    for part in parts:
        if part == EVERY_FOLDER:
            found = (each for folder in matches if folder.is_dir() for each in _folders(folder, (".",)))
        elif has_magic(part):
            found = (path for folder in matches if folder.is_dir() for path in _fitting(folder, part))
        else:
            found = (folder / part for folder in matches if _is_there(folder / part))
        matches = [*dict.fromkeys(found)]
    return matches


def _fitting(folder: Path, part: str) -> Iterator[Path]:
    hidden = () if part.startswith(".") else (".",)
    for path in _children(folder, hidden):
        if fnmatch(path.name, part) and not _leads_back(path):
            yield path


def _leads_back(path: Path) -> bool:
    """Whether it is a link to a folder that it lies in."""
    if not (path.is_symlink() and path.is_dir()):
        return False
    return Path(os.path.realpath(path.parent)).is_relative_to(os.path.realpath(path))


def _is_there(path: Path) -> bool:
    """Whether there is such a file, or a link that leads nowhere, which is said where it is read."""
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True
