"""Tables as `{"columns": [...], "data": [[...]]}`: those of MLflow, with `<metric>/score`, and those of W&B."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from holdfast.errors import HoldfastError
from holdfast.predictions.coded import spelled
from holdfast.sources.logs.asked import Asked
from holdfast.sources.logs.documents import Document
from holdfast.sources.logs.run import CRASHED, UNSCORED, Row, Run, is_number, run_of, sequence
from holdfast.sources.table import CORRECT, ID, Header
from holdfast.wording import counted, listed

ENDINGS = ("/score", "/value")  # of the columns in which MLflow keeps scores
INPUTS = ("inputs", "request", "question", "input")  # by which rows without an id are told apart
INCREMENTAL = "INCREMENTAL"  # how W&B calls a table that it writes into several files


def recognises(document: Document) -> bool:
    whole = document.first
    if document.shape != "json" or not isinstance(whole, dict):
        return False
    columns, data = whole.get("columns"), whole.get("data")
    return isinstance(columns, list) and isinstance(data, list) and all(isinstance(row, list) for row in data)


def runs(documents: Sequence[Document], asked: Asked) -> Iterator[Run]:
    asked.refuse_idle("MLflow or W&B", ("metric",), {"scorer": "metric"})
    parts = [document for document in documents if document.first.get("log_mode") == INCREMENTAL]
    if parts:
        _check_parts(parts)
        yield _run(parts[0], [row for part in parts for row in part.first["data"]], asked)
    for document in documents:
        if document not in parts:
            yield _run(document, document.first["data"], asked)


def _check_parts(parts: Sequence[Document]) -> None:
    """Refuse some of the files that make up a table."""
    expected = max(int(part.first.get("increment_num") or 0) for part in parts) + 1
    if len(parts) < expected:
        raise HoldfastError(
            f"{parts[0].name} is one of {counted(expected, 'file')} that W&B wrote of one table, each with rows of its "
            f"own, and {len(parts):,} of them were given; name them all."
        )


def _run(document: Document, data: Sequence[Any], asked: Asked) -> Run:
    columns = [str(name) for name in document.first["columns"]]
    header = Header(columns, document.name)
    rows = [sequence(row, "cells", document.name) for row in data]
    if any(len(row) != len(columns) for row in rows):
        raise HoldfastError(f"{document.name} has a row with other cells than its {len(columns):,} columns.")
    scored = {
        name.removesuffix(end): place for place, name in enumerate(columns) for end in ENDINGS if name.endswith(end)
    }
    tool = "MLflow" if scored else "W&B"
    key = _key(header, rows, taken={*scored.values()})
    if not scored:
        scored = {name: place for place, name in enumerate(columns) if place != key}
    scored = {name: place for name, place in scored.items() if all(is_number(row[place]) for row in rows)}
    if not scored:
        raise HoldfastError(
            f"{document.name} is a table of MLflow or W&B in which no column is a score; its columns: "
            f"{listed(columns) or 'none'}. Where they are labels and predictions, write them as CSV, or one record a "
            "line (NDJSON)."
        )
    right = header.likely(CORRECT)
    headline = None if right is None else columns[right]
    chosen = asked.one("metric", [*scored], document.name, headline)
    state = columns.index("state") if "state" in columns else None
    made = []
    for number, row in enumerate(rows, 1):
        crashed = state is not None and row[state] == "ERROR"  # though a scorer may have scored nothing as wrong
        groups = {name: row[place] for place, name in enumerate(columns) if place not in scored.values()}
        value = None if crashed else row[scored[chosen]]
        made.append(Row(_id(row, key, number), value, CRASHED if crashed else UNSCORED, groups))
    return run_of(
        made,
        asked,
        tool=tool,
        source=document.name,
        model="unnamed" if document.path is None else document.path.name.split(".")[0],
        task="table",
        score_name=chosen,
        names=[*scored],
        headline=headline,
        notes=_notes(document, key),
    )


def _key(header: Header, rows: Sequence[Sequence[Any]], taken: set[int]) -> int | None:
    """The column that tells the rows apart: the id, or else the input; none where it does not."""
    named = [header.likely(ID, taken), *(header.names.index(name) for name in INPUTS if name in header.names)]
    for place in named:
        if place is not None and len({json.dumps(row[place], sort_keys=True) for row in rows}) == len(rows):
            return place
    return None


def _id(row: Sequence[Any], key: int | None, number: int) -> str:
    if key is None:
        return f"row {number}"
    cell = row[key]
    return json.dumps(cell, sort_keys=True) if isinstance(cell, (dict, list)) else spelled(cell)


def _notes(document: Document, key: int | None) -> tuple[str, ...]:
    """What the file cannot tell by itself."""
    notes = [] if key is not None else [f"{document.name} has no column that tells its rows apart: they are numbered."]
    if document.path is not None and document.path.name.endswith(".table.json"):
        first = document.path.name.rsplit("_", 2)[0]
        beside = [path for path in document.siblings if path != document.path and path.name.rsplit("_", 2)[0] == first]
        if beside:
            notes.append(
                f"{counted(len(beside), 'file')} beside {document.name} may hold other rows of the same table, which "
                "W&B does not say there."
            )
    return tuple(notes)
