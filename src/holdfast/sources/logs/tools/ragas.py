"""ragas: a CSV under `experiments/`, of which rows that broke off are gone; the data set under `datasets/` has them."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

from holdfast.errors import HoldfastError
from holdfast.predictions.coded import number_in
from holdfast.sources.content import told
from holdfast.sources.logs.asked import Asked
from holdfast.sources.logs.documents import Document
from holdfast.sources.logs.run import ABSENT, UNSCORED, WORDS, Row, Run, run_of
from holdfast.wording import counted

EXPERIMENTS, DATASETS = "experiments", "datasets"
Lines = list[dict[str, str]]


def recognises(document: Document) -> bool:
    return document.shape == "text" and document.path is not None and _dataset(document.path) is not None


def runs(documents: Sequence[Document], asked: Asked) -> Iterator[Run]:
    asked.refuse_idle("ragas", ("metric",), {"scorer": "metric"})
    for document in documents:
        assert document.path is not None  # or it would not be recognised
        dataset = _dataset(document.path)
        assert dataset is not None
        yield _run(document.name, document.path, dataset, asked)


def _dataset(path: Path) -> Path | None:
    """The data set that an experiment was made on: the one whose columns it has, and whose rows all of its are."""
    folder = path.parent.parent / DATASETS
    if path.parent.name != EXPERIMENTS or not folder.is_dir():
        return None
    try:
        header = _header(path)
        fitting = [each for each in sorted(folder.glob("*.csv")) if (own := _header(each)) and {*own} <= {*header}]
        return next((each for each in fitting if _keys(path, each) <= _keys(each, each)), None)
    except (OSError, UnicodeDecodeError, csv.Error):
        return None


def _header(path: Path) -> list[str]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return next(csv.reader(file), [])


def _read(path: Path) -> Lines:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return [*csv.DictReader(file)]


def _keys(path: Path, dataset: Path) -> set[str]:
    first = _header(dataset)[0]
    return {str(row.get(first)) for row in _read(path)}


def _run(name: str, path: Path, dataset: Path, asked: Asked) -> Run:
    asked_of, answered, columns = _read(dataset), _read(path), _header(dataset)
    first = columns[0]
    if len({row[first] for row in asked_of}) < len(asked_of):
        raise HoldfastError(f"{told(dataset)} has rows with the same {first}: which row of {name} is which?")
    rest = [column for column in _header(path) if column not in columns]
    metrics = [column for column in rest if answered and all(_is_score(row[column]) for row in answered)]
    metric = asked.one("metric", metrics, name)
    rows = []
    for row in answered:
        value = row[metric].strip()
        number = number_in(value)
        rows.append(Row(row[first], number if number is not None else value or None, UNSCORED, row))
    there = {row.id for row in rows}
    lost = [Row(row[first], None, ABSENT, row) for row in asked_of if row[first] not in there]
    return run_of(
        [*rows, *lost],
        asked,
        tool="ragas",
        source=name,
        model=(answered[0].get("model") if answered else None) or path.stem,
        task=dataset.stem,
        score_name=metric,
        names=metrics,
        alike={"task": dataset.stem},
        notes=(f"{told(dataset)} has {counted(len(asked_of), 'row')}, {name} {len(answered):,}.",) if lost else (),
    )


def _is_score(cell: str | None) -> bool:
    text = (cell or "").strip()
    return not text or text.lower() in WORDS or number_in(text) is not None
