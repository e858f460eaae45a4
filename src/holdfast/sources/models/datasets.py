"""Scores of several models on several data sets, from a file or a data frame."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from holdfast.comparisons.arrangement import Columns, Names, arrange
from holdfast.comparisons.datasets import Scoreboard
from holdfast.errors import HoldfastError
from holdfast.predictions.rows import translated
from holdfast.sources.files import _arrow, _kind, _ndjson, _parquet
from holdfast.sources.formats.content import STANDARD_INPUT, content_of, readable, standard_input, told
from holdfast.sources.formats.text import examine

LARGEST = 10**7  # cells: means over data sets, not rows of them


def read_datasets(
    source: Any,
    *,
    datasets: str | None = None,
    models: Names | None = None,
    model: str | None = None,
    score: str | None = None,
    better: str | None = None,
    measure: str | None = None,
    missing: str = "refuse",
    separator: str | None = None,
) -> Scoreboard:
    r"""The scores of models on data sets, wide (one column a model) or long (one row a data set and model).

    Parameters
    ----------
    source
        A path, "-" for standard input, or a data frame of any library. Files are CSV with any usual separator,
        Parquet, NDJSON or Arrow.
    datasets
        The column that names the data sets; by default the one called dataset, task ...
    models
        The models to compare, as a list, or as text with commas and patterns: "nb,m_*". By default every other
        column, or, in a long table, every model that occurs.
    model, score
        The columns of a long table; by default those called model, algorithm ... and score, accuracy, error ...
    better
        "higher" or "lower"; by default what `measure`, or the name of the column of scores, says, and else "higher".
    measure
        What the scores measure, such as "accuracy".
    missing
        What to do with a data set on which some model has no score: "refuse" or "drop".

    Examples
    --------
    >>> from tempfile import NamedTemporaryFile
    >>> with NamedTemporaryFile("w", suffix=".csv") as file:
    ...     _ = file.write("dataset,nb,svm\niris,0.91,0.95\nwine,0.97,0.98\n")
    ...     file.flush()
    ...     board = read_datasets(file.name, better="higher")
    >>> board.models, board.datasets
    (('nb', 'svm'), ('iris', 'wine'))
    """
    columns = _of_file(source, separator) if isinstance(source, (str, PathLike)) else Columns.of(source)
    if columns is None:
        raise HoldfastError(
            f"Cannot read scores from an object of type {type(source).__name__}; give a path or a data frame."
        )
    return arrange(
        columns,
        datasets=datasets,
        models=models,
        model=model,
        score=score,
        better=better,
        measure=measure,
        missing=missing,
    )


def _of_file(source: str | PathLike[str], separator: str | None) -> Columns:
    """The columns of a file, as text where it is text."""
    name = STANDARD_INPUT if source == "-" else told(Path(source))
    with readable(name):
        content = standard_input() if source == "-" else content_of(Path(source))
        kind = _kind(content, name)
        if kind == "text":
            text = examine(content, name, separator)
            _check_size(len(text.header), text.rows, name)
            names = [title.strip() for title in text.header]
            with translated(name):
                frame = text.scan().collect()
        else:
            with translated(name):
                frame = {"parquet": _parquet, "ndjson": _ndjson, "arrow": _arrow}[kind]([content]).collect()
            names = frame.columns
            _check_size(frame.width, frame.height, name)
    if not frame.height:
        raise HoldfastError(f"{name} has a header but no rows below it.")
    return Columns(tuple(names), lambda place: _values(frame, place), name)


def _values(frame: Any, place: int) -> Sequence[Any]:
    return frame.to_series(place).to_list()


def _check_size(width: int, rows: int, name: str) -> None:
    if width * rows > LARGEST:
        raise HoldfastError(
            f"{name} has {rows:,} rows of {width:,} cells; a table of data sets holds one score a data set and model. "
            "Predictions, one row an example, are compared without --datasets."
        )
