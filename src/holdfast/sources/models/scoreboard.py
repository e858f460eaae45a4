"""Scores of several models on several data sets, as people keep them: one column per model, or one row per score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

import numpy as np

from holdfast.catalog.measure import implied
from holdfast.errors import HoldfastError, InvalidEvidence, UnknownName
from holdfast.evidence import Array
from holdfast.evidence.scoreboard import Scoreboard
from holdfast.predictions.coded import spelled
from holdfast.sources.opening import names_files, open_table
from holdfast.sources.table import DATASET, MODEL_OF_DATASETS, Header, Table, plain
from holdfast.wording import listed, opening, quoted

SCORES = ("score", "value", "result", "performance")
LARGEST = 10**7  # cells of files: means over data sets, not rows of them
Names = str | Sequence[str]


def read_datasets(source: Any, separator: str | None = None, **options: Any) -> Scoreboard:
    r"""The scores in a file, several, "-" for standard input, or a data frame; options as of `scoreboard_of`.

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
    table = open_table(source, separator, "Cannot read scores from an object of type {}; give a path or a data frame.")
    if names_files(source):
        _check_size(table)
    return scoreboard_of(table, **options)


def _check_size(table: Table) -> None:
    rows, width = table.height, len(table.header.names)
    if width * rows > LARGEST:
        raise HoldfastError(
            f"{table.name} has {rows:,} rows of {width:,} cells; a table of data sets holds one score a data set and "
            "model. Predictions, one row an example, are compared without datasets= (--datasets)."
        )
    if not rows:
        raise HoldfastError(f"{table.name} has a header but no rows below it.")


def scoreboard_of(
    table: Table,
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

    The options are those of `hf.compare_datasets`, which tells what is taken where they are None.

    Examples
    --------
    >>> from holdfast.sources.table import table_of_columns
    >>> long = {"dataset": ["iris", "iris", "wine", "wine"], "model": ["a", "b"] * 2, "accuracy": [0.9, 0.8, 0.7, 0.6]}
    >>> board = scoreboard_of(table_of_columns(long))
    >>> board.models, board.datasets, board.better
    (('a', 'b'), ('iris', 'wine'), 'higher')
    """
    scores = _Scores(table, better, measure, missing)
    wanted = _wanted(scores.header, models)
    place = scores.header.place(model) if model is not None else scores.likely_model(wanted)
    if place is None and score is None:
        return scores.wide(datasets, wanted)
    if not isinstance(datasets, str | None):
        raise HoldfastError(
            "In a long table datasets= (--datasets) is the name of the column that says which data set it is."
        )
    return scores.long(place, datasets, wanted, score)


class _Scores:
    """A table of scores, and what was said of them."""

    def __init__(self, table: Table, better: str | None, measure: str | None, missing: str) -> None:
        self.table, self.better, self.measure, self.missing = table, better, measure, missing
        names = table.header.names
        self.header = Header([name.strip() for name in names] if table.is_text else names, table.name)

    def wide(self, datasets: Names | None, wanted: list[str] | None) -> Scoreboard:
        """One row a data set, one column a model."""
        header, row_names = self.header, self.table.row_names
        place = header.place(datasets) if isinstance(datasets, str) else None
        if datasets is None and not row_names:
            place = header.likely(DATASET)
        places = [each for each in range(len(header.names)) if each != place]
        if wanted is not None:
            places = [header.place(name) for name in _patterned(dict.fromkeys(header.names), wanted)]
        if place in places:
            raise HoldfastError(
                f"The column {quoted(header.names[places[0]])} cannot be both a model and the data sets."
            )
        scores = [self._numbers(each, "models= (--models)") for each in places]
        sizes = {len(each) for each in scores}
        if len(sizes) > 1:
            raise InvalidEvidence(
                f"Each model needs one score a data set; the columns have {listed(sorted(map(str, sizes)))}."
            )
        number = sizes.pop() if sizes else 0
        if place is not None:
            names: Sequence[str] = self._texts(place)
        elif datasets is not None:
            names = [_text(name) for name in datasets]
        else:
            names = row_names or [str(row + 1) for row in range(number)]
        if len(names) != number:
            raise InvalidEvidence(
                f"Each row of scores needs the name of a data set: {number:,} rows, names {len(names):,}."
            )
        matrix = np.column_stack(scores) if scores else np.empty((len(names), 0))
        return self._board(matrix, [header.names[each] for each in places], names, self.measure)

    def long(self, model: int | None, datasets: str | None, wanted: list[str] | None, score: str | None) -> Scoreboard:
        """One row a data set and model."""
        header, source = self.header, opening(self.table.name)
        place = header.place(datasets) if datasets is not None else header.likely(DATASET)
        for role, here in ((DATASET, place), (MODEL_OF_DATASETS, model)):
            if here is None:
                raise HoldfastError(
                    f"{source} has no column that looks like {role.meaning}; say which with {role.name}= "
                    f"(--{role.name}). Its columns: {listed([*header.names])}."
                )
        assert place is not None
        assert model is not None
        value = header.place(score) if score is not None else self._likely_score(place, model)
        if len({place, model, value}) < 3:
            raise HoldfastError("Data sets, models and scores need a column each; two of them are named the same.")
        numbers = self._numbers(value, "score= (--score)")
        rows, models = self._texts(place), self._texts(model)
        if not len(rows) == len(models) == len(numbers):
            raise InvalidEvidence("The columns of data sets, models and scores have different lengths.")
        names = list(dict.fromkeys(models)) if wanted is None else _patterned(dict.fromkeys(models), wanted)
        at = {name: number for number, name in enumerate(names)}
        kept = np.array([name in at for name in models], bool)
        across = np.array([at.get(name, 0) for name in models], np.int64)[kept]
        kept_rows = [name for name, keep in zip(rows, kept.tolist(), strict=True) if keep]
        down_of = {name: number for number, name in enumerate(dict.fromkeys(kept_rows))}
        down = np.array([down_of[name] for name in kept_rows], np.int64)
        often = np.bincount(down * max(len(names), 1) + across, minlength=1)
        if often.max() > 1:
            twice, which = divmod(int(np.argmax(often)), len(names))
            raise InvalidEvidence(
                f"{source} has {int(often.max()):,} scores of {quoted(names[which])} on {quoted([*down_of][twice])}; "
                f"of {len(down_of) * len(names):,} such pairs {int(np.sum(often > 1)):,} have several. Give one score "
                "a data set and model: the results of folds are averaged first, or compared as folds."
            )
        matrix = np.full((len(down_of), len(names)), np.nan)
        matrix[down, across] = numbers[kept]
        title = header.names[value]
        measure = title if self.measure is None and implied(title) is not None else self.measure
        return self._board(matrix, names, [*down_of], measure)

    def _board(self, scores: Array, models: list[str], datasets: Sequence[str], measure: str | None) -> Scoreboard:
        way = implied(measure)
        return Scoreboard.of(
            scores,
            models,
            datasets,
            better=self.better if self.better is not None else way or "higher",  # type: ignore[arg-type]  # it checks
            assumed=self.better is None and way is None,
            measure=measure,
            missing=self.missing,
            source=self.table.name,
        )

    def likely_model(self, wanted: list[str] | None) -> int | None:
        """The column of models, unless the models wanted are columns themselves."""
        if wanted and all(any(fnmatchcase(name, pattern) for name in self.header.names) for pattern in wanted):
            return None
        place = self.header.likely(MODEL_OF_DATASETS)
        values = [] if place is None else self.table.values(place)
        return place if values and all(isinstance(each, str) and _number(each) is None for each in values) else None

    def _likely_score(self, dataset: int, model: int) -> int:
        """The one other column, or the one whose name says that it is a score."""
        names = self.header.names
        rest = [place for place in range(len(names)) if place not in (dataset, model)]
        named = [place for place in rest if plain(names[place]) in SCORES or implied(names[place]) is not None]
        for places in (rest, named):
            if len(places) == 1:
                return places[0]
        raise HoldfastError(
            f"Which column of {self.table.name} holds the scores? Say so with score= (--score). "
            f"Those in question: {listed([names[place] for place in named or rest]) or 'none'}."
        )

    def _texts(self, place: int) -> list[str]:
        """The names that a column holds; a missing one is an error."""
        texts = [_text(value) for value in self.table.values(place)]
        if "" in texts:
            raise InvalidEvidence(
                f"{opening(self.table.name)} has no name in row {texts.index('') + 1:,} of its column "
                f"{quoted(self.header.names[place])}; fill it in."
            )
        return texts

    def _numbers(self, place: int, option: str) -> Array:
        """The scores that a column holds, NaN where there is none; the option is the one that would choose others."""
        values = self.table.values(place)
        numbers = [_number(value) for value in values]
        if None in numbers:
            row = numbers.index(None)
            value = values[row]
            decimal = " Write decimals with a point." if isinstance(value, str) and value.count(",") == 1 else ""
            raise InvalidEvidence(
                f"{opening(self.table.name)} should hold numbers in its column {quoted(self.header.names[place])}; row "
                f"{row + 1:,} holds {quoted(value)}.{decimal} Other columns than those of scores are left out by "
                f"{option}."
            )
        return np.array(numbers, np.float64)


def _wanted(header: Header, models: Names | None) -> list[str] | None:
    """The models asked for: a list, or text with commas."""
    if isinstance(models, str) and models not in header.names:
        models = [part.strip() for part in models.split(",")]
    return None if models is None else [models] if isinstance(models, str) else [str(name) for name in models]


def _patterned(names: Mapping[str, None], wanted: list[str]) -> list[str]:
    """The names asked for, in the order asked; a name with * or ? stands for those that it matches."""
    found: dict[str, None] = {}
    for pattern in wanted:
        matches = [pattern] if pattern in names else [name for name in names if fnmatchcase(name, pattern)]
        if not matches:
            raise UnknownName("model", pattern, names)
        found |= dict.fromkeys(matches)
    return list(found)


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
