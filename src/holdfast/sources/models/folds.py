"""The results of a cross-validation from a table: one row a fold and model, or one row a fold and a column a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, Self

import numpy as np

from holdfast.catalog import find_measure
from holdfast.catalog.measure import Better
from holdfast.errors import HoldfastError, UnknownName
from holdfast.evidence.folds.folds import Folds, Scheme
from holdfast.predictions.rows import not_a_number
from holdfast.sources.opening import open_table
from holdfast.sources.table import FOLDS, Header, Table, plain
from holdfast.wording import listed, opening, quoted

Place = tuple[str, str]  # a repeat and a fold


def read_folds(
    source: Any,
    *,
    value: str | None = None,
    models: Sequence[str] | None = None,
    measure: str | None = None,
    better: Better | None = None,
    low: float | None = None,
    high: float | None = None,
    scheme: Scheme | None = None,
    fold: str | None = None,
    repeat: str | None = None,
    model: str | None = None,
    n_train: str | None = None,
    n_test: str | None = None,
    separator: str | None = None,
) -> Folds:
    r"""Fold results from a file ("-" for standard input), several, or a data frame, long or wide.

    Parameters
    ----------
    source
        Long: columns fold, perhaps repeat, model, and error, or errors beside n_test, or a score. Wide: a row a fold,
        and a column of results for each model. Columns n_train and n_test say how many examples a fold has of each.
    value
        The column of results of a long table, where it is not called error, errors, score or like a measure.
    models
        The columns of a wide table that are models; by default all that are nothing else.
    measure
        What the results are, such as "error-rate" or "accuracy". A wide table does not say so itself.
    better, low, high
        Which way is better, and the range, where the measure is none of the catalog (`hf.measures()`).
    fold, repeat, model, n_train, n_test
        The names of these columns, where they are not called so.

    Examples
    --------
    >>> from tempfile import NamedTemporaryFile
    >>> with NamedTemporaryFile("w", suffix=".csv") as file:
    ...     _ = file.write("fold,model,errors,n_test\n1,a,7,30\n2,a,8,30\n1,b,6,30\n2,b,6,30\n")
    ...     file.flush()
    ...     read_folds(file.name)
    Folds(2 models, kfold, 2 folds, error-rate)
    """
    refusal = "Cannot read folds from an object of type {}; give a path or a data frame."
    table = FoldTable.of(open_table(source, separator, refusal))
    names = {"fold": fold, "repeat": repeat, "model": model, "n_train": n_train, "n_test": n_test}
    found = table.header.places(FOLDS, names)
    if "model" in found:
        if models is not None:
            raise HoldfastError(
                "models= (--models) names columns of a wide table; this one has a column that names the model."
            )
        place = table.header.place(value) if value is not None else table.value(found)
        kind = plain(table.header.names[place])
        results, said = _long(table, found, place, kind in ERRORS), _kind(kind, table.header.names[place])
    else:
        results, said = _wide(table, found, value, models), None
    measure = measure or said
    if measure is None:
        raise HoldfastError(
            f"{opening(table.name)} does not say what its results are; give measure= "
            "(--measure), as 'error-rate' or 'accuracy'."
        )
    return results.folds(scheme, *_meaning(measure, better, low, high))


class _Results:
    """Results gathered cell by cell, in the order in which models and folds appear."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.cells: dict[str, dict[Place, float]] = {}
        self.sizes: dict[str, dict[Place, float]] = {"n_train": {}, "n_test": {}}

    def add(self, model: str, place: Place, value: float) -> None:
        of_model = self.cells.setdefault(model, {})
        if place in of_model:
            hint = (
                ""
                if place[0]
                else " Where cross-validation was repeated, a column called repeat says which time it is."
            )
            raise HoldfastError(
                f"{opening(self.name)} has two results of {quoted(model)} on {_told(place)}; keep one.{hint}"
            )
        of_model[place] = value

    def size(self, role: str, place: Place, number: float) -> None:
        if self.sizes[role].setdefault(place, number) != number:
            raise HoldfastError(
                f"{opening(self.name)} has two values of {role} for {_told(place)}; all models need the same folds."
            )

    def folds(self, scheme: Scheme | None, measure: str, better: Better, low: float, high: float) -> Folds:
        places = list(dict.fromkeys(place for cells in self.cells.values() for place in cells))
        for model, cells in self.cells.items():
            for place in places:
                if place not in cells:
                    raise HoldfastError(
                        f"{opening(self.name)} has no result of {quoted(model)} on {_told(place)}; every model needs "
                        "one on every fold."
                    )
        rows: dict[str, list[Place]] = {}
        for place in places:
            rows.setdefault(place[0], []).append(place)
        lengths = {repeat: len(row) for repeat, row in rows.items()}
        if len(set(lengths.values())) > 1:
            told = ", ".join(f"{repeat} has {length}" for repeat, length in lengths.items())
            raise HoldfastError(f"{opening(self.name)} has repeats of different numbers of folds: {listed([told])}.")
        sizes = {
            role: [[given[place] for place in row] for row in rows.values()]
            for role, given in self.sizes.items()
            if given
        }
        values = {
            model: [[cells[place] for place in row] for row in rows.values()] for model, cells in self.cells.items()
        }
        return Folds(values, **sizes, scheme=scheme, measure=measure, better=better, low=low, high=high)


def _long(table: FoldTable, found: Mapping[str, int], value: int, counted: bool) -> _Results:
    if "fold" not in found:
        raise HoldfastError(f"{opening(table.name)} has no column that says which fold a row is; give fold= (--folds).")
    if counted and "n_test" not in found:
        raise HoldfastError(
            f"{opening(table.name)} has numbers of errors but no column n_test that says of how many; add it."
        )
    results = _Results(table.name)
    for row in table.rows:
        place = _sized(table, found, row, results)
        number = table.number(value, row)
        if counted:
            tested = table.number(found["n_test"], row)
            if not 0 <= number <= tested or tested < 1:
                raise HoldfastError(
                    f"{opening(table.name)}, row {row + 1}: {number:g} errors among {tested:g} examples are impossible."
                )
            number /= tested
        results.add(table.text(found["model"], row), place, number)
    return results


def _wide(table: FoldTable, found: Mapping[str, int], value: str | None, models: Sequence[str] | None) -> _Results:
    if value is not None:
        raise HoldfastError(
            f"value= (--score) is for a table with a column that names the model, and {table.name} has none."
        )
    names = table.header.names
    if models is None:
        chosen = [place for place in range(len(names)) if place not in found.values()]
    else:
        chosen = [table.header.place(name) for name in ([models] if isinstance(models, str) else models)]
    if not chosen:
        raise HoldfastError(f"{opening(table.name)} has no columns of results; its columns: {listed([*names])}.")
    results = _Results(table.name)
    found = {role: place for role, place in found.items() if place not in chosen}
    for row in table.rows:
        place = _sized(table, found, row, results)
        for column in chosen:
            results.add(names[column].strip(), place, table.number(column, row))
    return results


def _sized(table: FoldTable, found: Mapping[str, int], row: int, results: _Results) -> Place:
    """Which fold a row is; how many examples it has is noted."""
    fold = table.text(found["fold"], row) if "fold" in found else str(row + 1)
    place = (table.text(found.get("repeat"), row), fold)
    for role in ("n_train", "n_test"):
        if role in found:
            results.size(role, place, table.number(found[role], row))
    return place


def _kind(name: str, written: str) -> str:
    """What a column of this name holds."""
    return "error-rate" if name in ERROR + ERRORS else "score" if name in SCORE else written.strip()


def _meaning(
    measure: str, better: Better | None, low: float | None, high: float | None
) -> tuple[str, Better, float, float]:
    """The measure with its direction and range: as stated, or as the catalog has it; a score is better if higher."""
    ends, way = (0.0, 1.0), "higher" if measure == "score" else None
    try:
        entry = find_measure(measure)
    except UnknownName:
        pass
    else:
        measure, way, ends = entry.name, entry.better, entry.range
    least, most = (end if given is None else given for given, end in zip((low, high), ends, strict=True))
    direction = better or way
    if direction is None:
        raise HoldfastError(
            f"Say which way {quoted(measure)} is better: better='higher' (--better higher) or better='lower' "
            "(--better lower)."
        )
    if not (isfinite(least) and isfinite(most)):
        raise HoldfastError(
            f"{measure} has no range of its own; give `low= and high=` (--measure with a name that "
            f"holdfast measures lists)."
        )
    return measure, direction, least, most  # type: ignore[return-value]  # Folds refuses any other direction


def _told(place: Place) -> str:
    repeat, fold = place
    return f"fold {fold} of repeat {repeat}" if repeat else f"fold {fold}"


ERROR = ("error", "error_rate", "err", "test_error")
ERRORS = ("errors", "n_errors", "wrong", "mistakes")
SCORE = ("score", "test_score")  # higher is better, as scikit-learn has it
LARGEST = 10**7  # cells


@dataclass(frozen=True)
class FoldTable:
    """Cells by column, as text or as numbers."""

    name: str
    header: Header
    columns: list[list[Any]]

    @classmethod
    def of(cls, table: Table) -> Self:
        """The cells of a table that has some, and not too many."""
        header, rows = table.header, table.height
        cells = rows * len(header.names)
        if not cells:
            raise HoldfastError(f"{opening(table.name)} has no rows of results.")
        if cells > LARGEST:
            raise HoldfastError(f"{opening(table.name)} has {cells:,} cells, too many for the results of folds.")
        header.check_distinct()
        return cls(table.name, header, [table.values(place) for place in range(len(header.names))])

    def value(self, found: Mapping[str, int]) -> int:
        """The column of results in a long table."""
        rest = [i for i in range(len(self.columns)) if i not in found.values()]
        for words in (ERROR, ERRORS, SCORE):
            fitting = self.header.called(words, found.values())
            if len(fitting) == 1:
                return fitting[0]
        if len(rest) == 1:
            return rest[0]
        names = listed([self.header.names[i] for i in rest]) or "none"
        raise HoldfastError(
            f"{opening(self.name)} has no column called error or score; say which with value= (--score): {names}."
        )

    def number(self, place: int, row: int) -> float:
        cell = self.columns[place][row]
        try:
            found = float(cell.strip() if isinstance(cell, str) else cell)
        except (TypeError, ValueError):
            found = np.nan
        if not isfinite(found):
            raise not_a_number(self.name, quoted(self.header.names[place]), row + 1, cell)
        return found

    def text(self, place: int | None, row: int) -> str:
        if place is None:
            return ""
        cell = self.columns[place][row]
        said = "" if cell is None or cell != cell else str(cell).strip()
        if not said:
            raise HoldfastError(f"{opening(self.name)}, row {row + 1}: {quoted(self.header.names[place])} is empty.")
        return said

    @property
    def rows(self) -> range:
        return range(len(self.columns[0]))
