"""Files of rows: which there are, of what kind, and how each is scanned without being held in memory."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from glob import escape, glob, has_magic
from inspect import signature
from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from holdfast.errors import HoldfastError
from holdfast.predictions import Missing, Predictions
from holdfast.predictions.rows import translated
from holdfast.predictions.wording import listed
from holdfast.sources.columns import Finds, Found
from holdfast.sources.content import STANDARD_INPUT, opened, readable, standard_input, told
from holdfast.sources.frames import arranged
from holdfast.sources.text import examine

if TYPE_CHECKING:
    import polars as pl

ENDINGS = {
    **dict.fromkeys((".csv", ".tsv", ".tab", ".txt"), "text"),
    **dict.fromkeys((".parquet", ".pq"), "parquet"),
    **dict.fromkeys((".ndjson", ".jsonl"), "ndjson"),
    **dict.fromkeys((".arrow", ".feather", ".ipc"), "arrow"),
}
STREAM = b"\xff\xff\xff\xff"  # how the streaming kind of Arrow begins
Files = list[Path | bytes]
PathGiven = str | PathLike[str]


def read_files(
    source: PathGiven | Iterable[PathGiven], asked: Finds, missing: Missing = "refuse", separator: str | None = None
) -> Predictions:
    """Predictions from one file, several, a folder of them, a pattern, or standard input ("-")."""
    if isinstance(source, (str, PathLike)):
        name = STANDARD_INPUT if source == "-" else told(Path(source))
        content: Files = [standard_input()] if source == "-" else matching(Path(source), name)
    else:
        given = [Path(path) for path in source]
        name = f"{len(given):,} files"
        content = [file for path in given for file in matching(path, told(path))]
        if not content:
            raise HoldfastError("The list of files is empty; give at least one.")
    kinds = {_kind(file, name) for file in content}
    if len(kinds) > 1:
        raise HoldfastError(f"{name} holds files of several kinds, {listed(sorted(kinds))}; read one kind at a time.")
    kind = kinds.pop()
    with readable(name):
        frame, found = _text(content, asked, name, separator) if kind == "text" else _typed(kind, content, asked, name)
    return arranged(frame, found, missing, name)


def matching(path: Path, name: str) -> Files:
    """The file, the files of a folder, or those that a pattern matches; in the order of their names."""
    with readable(name):
        if path.is_dir():
            files = [file for file in sorted(path.rglob("*")) if _is_data(file.relative_to(path)) and file.is_file()]
            if not files:
                raise HoldfastError(f"The folder {name} holds no file of rows ({', '.join(ENDINGS)}).")
            return [*files]
        if not path.exists() and has_magic(str(path)):
            matches = [Path(match) for match in sorted(glob(str(path), recursive=True))]
            if not matches:
                raise HoldfastError(f"No file matches the pattern {name}.")
            return [file for match in matches for file in matching(match, told(match))]
        with path.open("rb"):
            return [path]


def _is_data(path: Path) -> bool:
    hidden = any(part.startswith((".", "_")) for part in path.parts)
    return not hidden and _ending(path) in ENDINGS


def _ending(path: Path) -> str:
    return Path(path.stem if path.suffix.lower() == ".gz" else path).suffix.lower()


def _kind(content: Path | bytes, name: str) -> str:
    """What a file holds: by its first bytes where they tell, and else by its ending."""
    head = _head(content)
    if head.startswith(b"PAR1"):
        return "parquet"
    if head.startswith((b"ARROW1", STREAM)):
        return "arrow"
    ending = _ending(content) if isinstance(content, Path) else ""
    known = ENDINGS.get(ending)
    if known in ("parquet", "arrow"):
        raise HoldfastError(f"{name} is no {known} file, though its name says so; it may be cut off or damaged.")
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if (known is None and start.startswith((b"{", b"["))) or ending == ".json":
        known = "ndjson"
    if known == "ndjson" and start.startswith(b"["):
        raise HoldfastError(f"{name} is one list in JSON; write one record a line (NDJSON), or CSV.")
    return known or "text"


def _head(content: Path | bytes) -> bytes:
    try:
        with opened(content) as stream:
            return stream.read(512)
    except (OSError, EOFError, zlib.error):
        return b""  # it will be refused where it is read, with the reason


def _text(files: Files, asked: Finds, name: str, separator: str | None) -> tuple[pl.LazyFrame, Found]:
    """Rows of text; every file is looked at once, and may have its columns in an order of its own."""
    import polars as pl

    names = [name if len(files) == 1 else told(file) for file in files]
    texts = [examine(file, here, separator) for file, here in zip(files, names, strict=True)]
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
    # A cell without text says nothing, with quotes around it or without.
    parts = [
        text.scan().select(pl.nth(place).replace("", None).alias(role) for role, place in found.places.items())
        for text, found in zip(texts, every, strict=True)
    ]
    return pl.concat(parts), every[0]


def _unlike(every: Sequence[Found]) -> int | None:
    """The first that found other columns than the very first did."""
    kinds = [([*found.places], found.score_labels, found.group_names) for found in every]
    return next((place for place, kind in enumerate(kinds) if kind != kinds[0]), None)


def _typed(kind: str, files: Files, asked: Finds, name: str) -> tuple[pl.LazyFrame, Found]:
    """Rows of a format that knows its columns and their types."""
    with translated(name):
        frame = {"parquet": _parquet, "ndjson": _ndjson, "arrow": _arrow}[kind](files)
        names = frame.collect_schema().names()
    found = asked.find(names, name)
    return frame.select(names[place] for place in found.places.values()), found


def _parquet(files: Files) -> pl.LazyFrame:
    import polars as pl

    return pl.scan_parquet(_handles(files), glob=False, hive_partitioning=False, extra_columns="ignore")


def _ndjson(files: Files) -> pl.LazyFrame:
    """The whole file tells the types: a field may first appear in its last row."""
    import polars as pl

    return pl.scan_ndjson(_handles(files), infer_schema_length=None)


def _arrow(files: Files) -> pl.LazyFrame:
    import polars as pl

    if any(_head(file).startswith(STREAM) for file in files):
        return pl.concat([pl.read_ipc_stream(handle).lazy() for handle in _handles(files)])
    handles = _handles(files)
    if "glob" in signature(pl.scan_ipc).parameters:
        return pl.scan_ipc(handles, glob=False)
    return pl.scan_ipc(
        [escape(str(each)) if isinstance(each, Path) else each for each in handles]
    )  # before polars 1.35


def _handles(files: Files) -> list[Any]:
    return [BytesIO(file) if isinstance(file, bytes) else file for file in files]
