"""Tables of scores as people keep them, one column a model or one row a data set and model, to a scoreboard."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

import numpy as np

from holdfast.comparisons.datasets import Scoreboard, implied
from holdfast.errors import HoldfastError, InvalidEvidence, UnknownName
from holdfast.evidence import Array
from holdfast.predictions.spelling import spelled
from holdfast.predictions.wording import listed, opening, quoted

DATASET = ("dataset", "data_set", "data set", "datasets", "task", "benchmark", "problem")
MODEL = ("model", "algorithm", "classifier", "learner", "method")
SCORE = ("score", "value", "result", "performance")
Names = str | Sequence[str]


@dataclass(frozen=True)
class Columns:
    """The columns of a table, by their names and in their order; values are taken when they are asked for."""

    names: tuple[str, ...]
    values: Callable[[int], Sequence[Any]]
    source: str = "the table"
    rows: tuple[str, ...] = ()  # the names of the rows, where the table itself has them

    @classmethod
    def of(cls, table: Any) -> Columns | None:
        """Those of a mapping or a data frame of any library; None for anything else."""
        if isinstance(table, Mapping):
            found = list(table.values())
            for name, column in zip(table, found, strict=True):
                if not _is_column(column):
                    raise InvalidEvidence(f"Each column is a list of its values; {quoted(name)} is {quoted(column)}.")
            return cls(tuple(map(str, table)), found.__getitem__, "the mapping")
        if (
            type(table).__module__.partition(".")[0] == "pandas"
            and hasattr(table, "iloc")
            and hasattr(table, "columns")
        ):
            numbered = type(table.index).__name__ == "RangeIndex"
            rows = () if numbered else tuple(spelled(name) for name in table.index.tolist())
            names = tuple(map(str, table.columns))
            return cls(names, lambda place: table.iloc[:, place].tolist(), "the data frame", rows)
        import narwhals.stable.v2 as nw

        known = nw.from_native(table, pass_through=True)
        if isinstance(known, nw.LazyFrame):
            known = known.collect()
        if not isinstance(known, nw.DataFrame):
            return None
        return cls(tuple(known.columns), lambda place: known[:, place].to_list(), "the data frame")

    def place(self, name: str) -> int:
        """Where the column of exactly this name stands."""
        if name not in self.names:
            raise UnknownName("column", name, self.names)
        if self.names.count(name) > 1:
            raise HoldfastError(f"{opening(self.source)} has several columns named {quoted(name)}; rename one.")
        return self.names.index(name)

    def likely(self, words: Sequence[str]) -> int | None:
        """The first column that bears one of these names."""
        plain = [name.strip().casefold() for name in self.names]
        return next((plain.index(word) for word in words if word in plain), None)

    def texts(self, place: int) -> list[str]:
        """The names that a column holds; a missing one is an error."""
        found = [_text(value) for value in self.values(place)]
        if "" in found:
            raise InvalidEvidence(
                f"{opening(self.source)} has no name in row {found.index('') + 1:,} of its column "
                f"{quoted(self.names[place])}; fill it in."
            )
        return found

    def numbers(self, place: int, named: str) -> Array:
        """The scores that a column holds, NaN where there is none; `named` is the option that would choose others."""
        given = self.values(place)
        found = [_number(value) for value in (given.tolist() if isinstance(given, np.ndarray) else given)]
        if None in found:
            row = found.index(None)
            value = given[row]
            decimal = " Write decimals with a point." if isinstance(value, str) and value.count(",") == 1 else ""
            raise InvalidEvidence(
                f"{opening(self.source)} should hold numbers in its column {quoted(self.names[place])}; row "
                f"{row + 1:,} holds {quoted(value)}.{decimal} Other columns than those of scores are left out by "
                f"{named}."
            )
        return np.array(found, np.float64)


def arrange(
    columns: Columns,
    *,
    datasets: Names | None = None,
    models: Names | None = None,
    model: str | None = None,
    score: str | None = None,
    better: str | None = None,
    measure: str | None = None,
    missing: str = "refuse",
) -> Scoreboard:
    """The scoreboard that a table holds: long where there is a column of models, else wide.

    Examples
    --------
    >>> long = {"dataset": ["iris", "iris", "wine", "wine"], "model": ["a", "b"] * 2, "accuracy": [0.9, 0.8, 0.7, 0.6]}
    >>> board = arrange(Columns.of(long))
    >>> board.models, board.datasets, board.better
    (('a', 'b'), ('iris', 'wine'), 'higher')
    """
    wanted = _wanted(columns, models)
    found = columns.place(model) if model is not None else _likely_model(columns, wanted)
    if found is not None or score is not None:
        if not isinstance(datasets, str | None):
            raise HoldfastError(
                "In a long table datasets= (--datasets) is the name of the column that says which data set it is."
            )
        return _long(columns, found, datasets, wanted, score, better, measure, missing)
    return _wide(columns, datasets, wanted, better, measure, missing)


def _wide(
    columns: Columns,
    datasets: Names | None,
    wanted: list[str] | None,
    better: str | None,
    measure: str | None,
    missing: str,
) -> Scoreboard:
    """One row a data set, one column a model."""
    place = columns.place(datasets) if isinstance(datasets, str) else None
    if datasets is None and not columns.rows:
        place = columns.likely(DATASET)
    places = (
        [each for each in range(len(columns.names)) if each != place] if wanted is None else _matching(columns, wanted)
    )
    if place in places:
        raise HoldfastError(f"The column {quoted(columns.names[places[0]])} cannot be both a model and the data sets.")
    scores = [columns.numbers(each, "models= (--models)") for each in places]
    sizes = {len(each) for each in scores}
    if len(sizes) > 1:
        raise InvalidEvidence(
            f"Each model needs one score a data set; the columns have {listed(sorted(map(str, sizes)))}."
        )
    number = sizes.pop() if sizes else 0
    if place is not None:
        names: Sequence[str] = columns.texts(place)
    elif datasets is not None:
        names = [_text(name) for name in datasets]
    else:
        names = columns.rows or [str(row + 1) for row in range(number)]
    if len(names) != number:
        raise InvalidEvidence(
            f"Each row of scores needs the name of a data set: {number:,} rows, names {len(names):,}."
        )
    table = np.column_stack(scores) if scores else np.empty((len(names), 0))
    chosen = [columns.names[each] for each in places]
    return Scoreboard.of(table, chosen, names, better=better, measure=measure, missing=missing, source=columns.source)


def _long(
    columns: Columns,
    model: int | None,
    datasets: str | None,
    wanted: list[str] | None,
    score: str | None,
    better: str | None,
    measure: str | None,
    missing: str,
) -> Scoreboard:
    """One row a data set and model."""
    place = columns.place(datasets) if datasets is not None else columns.likely(DATASET)
    for role, found, option in (("data sets", place, "datasets= (--datasets)"), ("models", model, "model= (--model)")):
        if found is None:
            raise HoldfastError(
                f"{opening(columns.source)} has no column that looks like the {role}; say which with {option}. "
                f"Its columns: {listed([*columns.names])}."
            )
    assert place is not None
    assert model is not None
    value = columns.place(score) if score is not None else _likely_score(columns, place, model)
    if len({place, model, value}) < 3:
        raise HoldfastError("Data sets, models and scores need a column each; two of them are named the same.")
    numbers = columns.numbers(value, "score= (--score)")
    rows, columns_of = columns.texts(place), columns.texts(model)
    if not len(rows) == len(columns_of) == len(numbers):
        raise InvalidEvidence("The columns of data sets, models and scores have different lengths.")
    names = list(dict.fromkeys(columns_of)) if wanted is None else _patterned(dict.fromkeys(columns_of), wanted)
    at = {name: number for number, name in enumerate(names)}
    kept = np.array([name in at for name in columns_of], bool)
    across = np.array([at.get(name, 0) for name in columns_of], np.int64)[kept]
    found_sets = list(dict.fromkeys(name for name, keep in zip(rows, kept.tolist(), strict=True) if keep))
    down_of = {name: number for number, name in enumerate(found_sets)}
    down = np.array([down_of[name] for name, keep in zip(rows, kept.tolist(), strict=True) if keep], np.int64)
    cells = down * max(len(names), 1) + across
    often = np.bincount(cells, minlength=1)
    if often.max() > 1:
        table_size = len(found_sets) * len(names)
        twice, which = divmod(int(np.argmax(often)), len(names))
        raise InvalidEvidence(
            f"{opening(columns.source)} has {int(often.max()):,} scores of {quoted(names[which])} on "
            f"{quoted(found_sets[twice])}; of {table_size:,} such pairs {int(np.sum(often > 1)):,} have several. Give "
            "one score a data set and model: the results of folds are averaged first, or compared as folds."
        )
    table = np.full((len(found_sets), len(names)), np.nan)
    table[down, across] = numbers[kept]
    told = columns.names[value] if measure is None and implied(columns.names[value]) is not None else measure
    return Scoreboard.of(table, names, found_sets, better=better, measure=told, missing=missing, source=columns.source)


def _wanted(columns: Columns, models: Names | None) -> list[str] | None:
    """The models asked for: a list, or text with commas."""
    if isinstance(models, str) and models not in columns.names:
        models = [part.strip() for part in models.split(",")]
    return None if models is None else [models] if isinstance(models, str) else [str(name) for name in models]


def _likely_model(columns: Columns, wanted: list[str] | None) -> int | None:
    """The column of models, unless the models wanted are columns themselves."""
    if wanted and all(any(fnmatchcase(name, pattern) for name in columns.names) for pattern in wanted):
        return None
    place = columns.likely(MODEL)
    given = [] if place is None else columns.values(place)
    return place if len(given) and all(isinstance(value, str) and _number(value) is None for value in given) else None


def _likely_score(columns: Columns, dataset: int, model: int) -> int:
    """The one other column, or the one whose name says that it is a score."""
    rest = [place for place in range(len(columns.names)) if place not in (dataset, model)]
    named = [p for p in rest if columns.names[p].strip().casefold() in SCORE or implied(columns.names[p]) is not None]
    for found in (rest, named):
        if len(found) == 1:
            return found[0]
    raise HoldfastError(
        f"Which column of {columns.source} holds the scores? Say so with score= (--score). "
        f"Those in question: {listed([columns.names[place] for place in named or rest]) or 'none'}."
    )


def _matching(columns: Columns, wanted: list[str]) -> list[int]:
    return [columns.place(name) for name in _patterned(dict.fromkeys(columns.names), wanted)]


def _patterned(names: Mapping[str, None], wanted: list[str]) -> list[str]:
    """The names asked for, in the order asked; a name with * or ? stands for those that it matches."""
    found: dict[str, None] = {}
    for pattern in wanted:
        matches = [pattern] if pattern in names else [name for name in names if fnmatchcase(name, pattern)]
        if not matches:
            raise UnknownName("model", pattern, names)
        found |= dict.fromkeys(matches)
    return list(found)


def _is_column(value: object) -> bool:
    try:
        return not isinstance(value, (str, bytes)) and len(value) >= 0  # type: ignore[arg-type]
    except TypeError:
        return False


def _text(value: Any) -> str:
    if value is None or value != value:
        return ""
    return spelled(value).strip()


def _number(value: Any) -> float | None:
    """A score; NaN where there is none, None for what is no number."""
    if value is None or (isinstance(value, str) and not value.strip()) or type(value).__name__ == "NAType":
        return np.nan
    if isinstance(value, bool | np.bool_ | complex | bytes):
        return None
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return None
