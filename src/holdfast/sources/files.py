"""Files of rows: which there are, of what kind, and how each is scanned without being held in memory."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from glob import escape
from inspect import signature
from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from holdfast.errors import HoldfastError
from holdfast.predictions import Missing, Predictions
from holdfast.predictions.rows import translated
from holdfast.predictions.wording import listed
from holdfast.sources.columns import Finds, Found
from holdfast.sources.formats.content import (
    STANDARD_INPUT,
    Content,
    content_of,
    inflated,
    opened,
    readable,
    standard_input,
    told,
)
from holdfast.sources.formats.text import examine
from holdfast.sources.frames import arranged
from holdfast.sources.matching import ENDINGS, ending, matching, refuse_twice

if TYPE_CHECKING:
    import polars as pl

STREAM = b"\xff\xff\xff\xff"  # how the streaming kind of Arrow begins
PathGiven = str | PathLike[str]


class Files(NamedTuple):
    """What is in each file, or where it is, and what messages call it."""

    names: list[str]
    contents: list[Content]

    @classmethod
    def of(cls, paths: Iterable[Path]) -> Self:
        paths = [*paths]
        refuse_twice(paths)
        return cls([*map(told, paths)], [*map(content_of, paths)])


def names_files(source: Any) -> bool:
    """Whether it is a path or several of them, and no table of another kind."""
    several = source if isinstance(source, (list, tuple)) else (source,)
    return all(isinstance(each, (str, PathLike)) for each in several)


def read_files(
    source: PathGiven | Iterable[PathGiven], asked: Finds, missing: Missing = "refuse", separator: str | None = None
) -> Predictions:
    """Predictions from one file, several, a folder of them, a pattern, or standard input ("-")."""
    if isinstance(source, (str, PathLike)):
        name = STANDARD_INPUT if source == "-" else told(Path(source))
        files = Files([name], [standard_input()]) if source == "-" else Files.of(matching(Path(source), name))
    else:
        given = [Path(path) for path in source]
        name = f"{len(given):,} files"
        files = Files.of(file for path in given for file in matching(path, told(path)))
        if not given:
            raise HoldfastError("The list of files is empty; give at least one.")
    kinds = {_kind(content, name) for content in files.contents}
    if len(kinds) > 1:
        raise HoldfastError(f"{name} holds files of several kinds, {listed(sorted(kinds))}; read one kind at a time.")
    kind = kinds.pop()
    with readable(name):
        if kind == "text":
            frame, found = _text(files, asked, name, separator)
        else:
            frame, found = _typed(kind, files.contents, asked, name)
    return arranged(frame, found, missing, name)


def _kind(content: Content, name: str) -> str:
    """What a file holds: by its first bytes where they tell, and else by its ending."""
    head = _head(content)
    if head.startswith(b"PAR1"):
        return "parquet"
    if head.startswith((b"ARROW1", STREAM)):
        return "arrow"
    written = ending(content) if isinstance(content, Path) else ""
    known = ENDINGS.get(written)
    if known in ("parquet", "arrow"):
        raise HoldfastError(f"{name} is no {known} file, though its name says so; it may be cut off or damaged.")
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if (known is None and start.startswith((b"{", b"["))) or written == ".json":
        known = "ndjson"
    if known == "ndjson" and start.startswith(b"["):
        raise HoldfastError(f"{name} is one list in JSON; write one record a line (NDJSON), or CSV.")
    return known or "text"


def _head(content: Content) -> bytes:
    try:
        with opened(content) as stream:
            return stream.read(512)
    except (OSError, EOFError, zlib.error):
        return b""  # it will be refused where it is read, with the reason


def _text(files: Files, asked: Finds, name: str, separator: str | None) -> tuple[pl.LazyFrame, Found]:
    """Rows of text; every file is looked at once, and may have its columns in an order of its own."""
    import polars as pl

    names = [name] if len(files.names) == 1 else files.names
    texts = [examine(content, here, separator) for content, here in zip(files.contents, names, strict=True)]
    every = [asked.find(text.header, here) for text, here in zip(texts, names, strict=True)]
    if (place := _unlike(every)) is not None and all(found.guessed for found in every):
        reason = f"{names[place]} has others than {names[0]}."
        every = [found.without_scores(reason) for found in every]
        place = _unlike(every)
    if place is not None:
        raise HoldfastError(
            f"{names[place]} has other columns than {names[0]}; give truth= (--truth), predicted= (--predicted) and "
            "score= (--score)."
        )
    if not sum(text.rows for text in texts):
        raise HoldfastError(f"{name} has a header but no rows below it.")
    # A cell without text says nothing, with quotes around it or without. Unlike `replace`, `when` is computed block by
    # block: the rows are never all in memory.
    parts = [
        text.scan().select(
            pl.when(pl.nth(place) != "").then(pl.nth(place)).alias(role) for role, place in found.places.items()
        )
        for text, found in zip(texts, every, strict=True)
    ]
    return pl.concat(parts), every[0]


def _unlike(every: Sequence[Found]) -> int | None:
    """The first that found other columns than the very first did."""
    kinds = [([*found.places], found.score_labels, found.group_names) for found in every]
    return next((place for place, kind in enumerate(kinds) if kind != kinds[0]), None)


def _typed(kind: str, contents: list[Content], asked: Finds, name: str) -> tuple[pl.LazyFrame, Found]:
    """Rows of a format that knows its columns and their types."""
    with translated(name):
        frame = {"parquet": _parquet, "ndjson": _ndjson, "arrow": _arrow}[kind](contents)
        names = frame.collect_schema().names()
    found = asked.find(names, name)
    return frame.select(names[place] for place in found.places.values()), found


def _parquet(contents: list[Content]) -> pl.LazyFrame:
    import polars as pl

    return pl.scan_parquet(_handles(contents), glob=False, hive_partitioning=False, extra_columns="ignore")


def _ndjson(contents: list[Content]) -> pl.LazyFrame:
    """The whole file tells the types: a field may first appear in its last row."""
    import polars as pl

    return pl.scan_ndjson(_handles(contents), infer_schema_length=None)


def _arrow(contents: list[Content]) -> pl.LazyFrame:
    import polars as pl

    if any(_head(content).startswith(STREAM) for content in contents):
        return pl.concat([pl.read_ipc_stream(handle).lazy() for handle in _handles(contents)])
    handles = _handles(contents)
    if "glob" in signature(pl.scan_ipc).parameters:
        return pl.scan_ipc(handles, glob=False)
    return pl.scan_ipc(
        [escape(str(each)) if isinstance(each, Path) else each for each in handles]
    )  # before polars 1.35


def _handles(contents: list[Content]) -> list[Any]:
    """What the engine reads from: files where they lie, what is held in memory, and what it cannot unpack by itself."""
    return [content if isinstance(content, Path) else BytesIO(inflated(content)) for content in contents]
