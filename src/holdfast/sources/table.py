"""One table, whatever holds it: what messages call it, the names of its columns, and where its rows live."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from holdfast.errors import HoldfastError, InvalidEvidence, UnknownName
from holdfast.predictions.coded import spelled
from holdfast.predictions.rows import translated
from holdfast.wording import listed, opening, quoted

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw
    import polars as pl

    from holdfast.sources.formats.text import Text


@dataclass(frozen=True)
class Role:
    """What a column holds; the first of its words is the name we teach: where it stands, the others are not looked for.

    Where several columns bear other names of a role, they are refused, unless the words are `ranked`: then an earlier
    one wins.
    """

    name: str
    words: tuple[str, ...]
    meaning: str
    advice: str = ""  # how to say which of several it is
    ranked: bool = False


def _of_answers(name: str, meaning: str, *words: str) -> Role:
    return Role(name, (name, *words), meaning, f"Say which one is with {name}= (--{name}).")


TRUTH = _of_answers(
    *("truth", "the truth", "y_true", "true", "true_label", "actual", "target", "label", "labels", "y", "gold"),
    *("gold_label", "reference", "expected", "ground_truth", "y_test"),
)
PREDICTED = _of_answers(
    *("predicted", "the prediction", "y_pred", "pred", "preds", "prediction", "predictions", "predicted_label", "yhat"),
    *("y_hat", "output", "answer", "response"),
)
SCORE = _of_answers("score", "the score", "y_score", "scores", "prob", "probability", "proba", "y_prob", "y_proba", "p")
CORRECT = _of_answers("correct", "right or wrong", "passed", "is_correct", "pass", "success", "right")
ID = _of_answers(
    *("id", "the id of the item", "item", "item_id", "question", "question_id", "example", "example_id", "task"),
    *("task_id", "sample_id", "row_id", "uid", "key"),
)
MODEL = _of_answers("model", "the name of the model", "model_name", "model_id", "system", "classifier")
ANSWERS = (TRUTH, PREDICTED, SCORE, CORRECT, ID, MODEL)
SEVERAL_SCORES = ("score_", "prob_", "proba_", "probability_")  # before the label that a column of scores speaks for


def _of_folds(name: str, *words: str) -> Role:
    return Role(name, (name, *words), name, f"Give {name}=.")


FOLDS = (
    _of_folds("fold", "split", "cv_fold", "fold_id", "cv"),
    _of_folds("repeat", "repetition", "rep", "run"),
    _of_folds("model", "classifier", "learner", "algorithm", "estimator"),
    _of_folds("n_train", "train_size", "trained_on"),
    _of_folds("n_test", "test_size", "tested_on", "n"),
)

DATASET = Role(
    "datasets", ("dataset", "data_set", "datasets", "task", "benchmark", "problem"), "the data sets", ranked=True
)
MODEL_OF_DATASETS = Role("model", ("model", "algorithm", "classifier", "learner", "method"), "the models", ranked=True)


LONGEST_NAME = 200  # longer ones are nobody's near miss


@dataclass(frozen=True)
class Header:
    """The names of a table's columns, in their order."""

    names: Sequence[str]
    source: str

    @cached_property
    def _counts(self) -> Counter[str]:
        return Counter(filter(str.strip, self.names))

    def check_distinct(self) -> None:
        """A name that stands twice would be taken at random; only columns without a name may be several."""
        for name, count in self._counts.most_common(1):
            if count > 1:
                raise self._repeated(name)

    def place(self, name: str) -> int:
        """Where the column of exactly this name stands."""
        if name not in self.names:
            self._refuse(str(name))
        if self._counts[name] > 1:
            raise self._repeated(name)
        return self.names.index(name)

    def called(self, words: Collection[str], taken: Collection[int] = ()) -> list[int]:
        """The columns that bear one of these names, however it is written, of those that are not taken."""
        return [place for place, name in enumerate(self.names) if place not in taken and plain(name) in words]

    def likely(self, role: Role, taken: Collection[int] = ()) -> int | None:
        """The one column that bears a name of the role, of those that are not taken; None where there is none."""
        for words in [(word,) for word in role.words] if role.ranked else (role.words[:1], role.words):
            places = self.called(words, taken)
            if len(places) > 1 and not role.ranked:
                names = listed([self.names[place] for place in places])
                raise HoldfastError(
                    f"{opening(self.source)} has several columns that may be {role.meaning}: {names}. {role.advice}"
                )
            if places:
                return places[0]
        return None

    def places(self, roles: Iterable[Role], names: Mapping[str, str | None]) -> dict[str, int]:
        """Under its name the place of each role: of the column that was named, or else of a likely one."""
        places = {
            role.name: self.likely(role) if (name := names.get(role.name)) is None else self.place(name)
            for role in roles
        }
        return {role: place for role, place in places.items() if place is not None}

    def _repeated(self, name: str) -> HoldfastError:
        count = self._counts[name]
        return HoldfastError(f"{opening(self.source)} has {count:,} columns named {quoted(name)}; rename one.")

    def _refuse(self, name: str) -> None:
        by_lower = {known.lower(): known for known in self.names if len(known) <= LONGEST_NAME}
        near = get_close_matches(name[:LONGEST_NAME].lower(), by_lower, n=1, cutoff=0.6)
        if near and len(name) <= LONGEST_NAME:
            raise UnknownName("column", name, [by_lower[near[0]]])
        names = listed([*self.names]) or "none"
        if names == ", ".join(self.names):
            raise UnknownName("column", quoted(name)[1:-1], self.names)
        raise HoldfastError(f"There is no column named {quoted(name)}; {self.source} has {names}.")


def plain(name: str) -> str:
    """A name without case, blanks around it and the ways to write a space."""
    return re.sub(r"[\s.\-]+", "_", name[:LONGEST_NAME].strip()).casefold()


@dataclass(frozen=True, eq=False)
class Held:
    """Columns in memory, each taken by its place when it is asked for."""

    column: Callable[[int], Any]
    row_names: Callable[[], Sequence[str]] = tuple  # where the rows have names of their own


@dataclass(frozen=True, eq=False)
class Part:
    """Rows under one header: of a file, of files that are scanned together, or of a frame."""

    header: Header
    rows: pl.LazyFrame | nw.LazyFrame[Any] | Held  # their columns stand in the order of the header
    text: Text | None = None  # what is known of a file of text, whose every line was looked at

    @cached_property
    def held(self) -> Held:
        """All of it in memory."""
        import polars as pl

        if isinstance(self.rows, Held):
            return self.rows
        with translated(self.header.source):
            if isinstance(self.rows, pl.LazyFrame):
                return Held(self.rows.collect().to_series)
            return Held(self.rows.collect("polars").to_native().to_series)

    @cached_property
    def height(self) -> int:
        """How many rows there are; of files they are counted and not kept."""
        import polars as pl

        if self.text is not None:
            return self.text.rows
        if not isinstance(self.rows, pl.LazyFrame):
            return len(self.held.column(0)) if self.header.names else 0
        with translated(self.header.source):
            return int(self.rows.select(pl.len()).collect().item())


@dataclass(frozen=True, eq=False)
class Table:
    """A file or frame of any kind, or several files of one kind, whose columns may stand in another order in each."""

    name: str
    parts: tuple[Part, ...]

    @classmethod
    def of_frame(cls, name: str, frame: pl.DataFrame | pl.LazyFrame) -> Self:
        """The table that a frame holds, of which only the header is looked at.

        Examples
        --------
        >>> import polars as pl
        >>> table = Table.of_frame("run.log", pl.DataFrame({"id": [1, 2], "score": [0.5, 1.0]}))
        >>> table.header.names, table.height, table.values(1)
        (['id', 'score'], 2, [0.5, 1.0])
        """
        with translated(name):
            rows = frame.lazy()
            return cls(name, (Part(Header(rows.collect_schema().names(), name), rows),))

    @property
    def header(self) -> Header:
        """The names of the columns; where there are several parts, all have the same."""
        first, *others = (part.header for part in self.parts)
        for other in others:
            if [*other.names] != [*first.names]:
                raise HoldfastError(
                    f"{other.source} has other columns than {first.source}; give all files the same, in one order."
                )
        return Header(first.names, self.name)

    @property
    def is_text(self) -> bool:
        """Whether all cells are text, as they were written."""
        return all(part.text is not None for part in self.parts)

    @property
    def height(self) -> int:
        return sum(part.height for part in self.parts)

    @property
    def row_names(self) -> Sequence[str]:
        """The names of the rows, where the table has such beside its columns."""
        rows = self.parts[0].rows
        return rows.row_names() if isinstance(rows, Held) else ()

    def values(self, place: int) -> list[Any]:
        """What a column holds, in memory: of tables that are small."""
        return [value for part in self.parts for value in _listed(part.held.column(place))]

    def scanned(self, places: Sequence[Mapping[str, int]]) -> pl.LazyFrame:
        """Of each part, which stay where they are, the columns at these places under these names."""
        import polars as pl

        frames: list[Any] = [part.rows for part in self.parts]
        return pl.concat(
            frame.select(pl.nth(place).alias(role) for role, place in here.items())
            for frame, here in zip(frames, places, strict=True)
        )

    def where(self, row: int) -> str:
        """What messages call a row, counted from 0: in a file of text by its line. The header comes before it."""
        text = self.parts[0].text
        if text is not None and len(self.parts) == 1:
            return f"line {text.blank_before + 2 + row}"
        return f"row {row + 1:,}" if row >= 0 else "header"


def _listed(values: Any) -> list[Any]:
    """The values of a column of any library as Python has them."""
    if isinstance(values, np.ndarray) and values.dtype.kind in "mM":
        return [*values]  # as numbers they would mean nothing
    for way in ("to_list", "tolist", "to_pylist"):
        if hasattr(values, way):
            return [*getattr(values, way)()]
    return [*values]


SOURCE = "the data frame"


def table_of_frame(frame: Any) -> Table | None:
    """The table that a frame is, whatever library it comes from; None for anything else."""
    import narwhals.stable.v2 as nw
    import polars as pl

    if isinstance(frame, pl.LazyFrame):
        return Table.of_frame(SOURCE, frame)
    library = type(frame).__module__.partition(".")[0]
    # By position, for in pandas and pyarrow a name may stand twice.
    if library == "pandas" and hasattr(frame, "iloc") and hasattr(frame, "columns"):
        return table_held(
            map(str, frame.columns), lambda place: frame.iloc[:, place], SOURCE, lambda: _row_names(frame)
        )
    if library == "pyarrow" and hasattr(frame, "column_names"):
        return table_held(frame.column_names, frame.column, SOURCE)
    with translated(SOURCE):
        known = nw.from_native(frame, pass_through=True)
        if isinstance(known, nw.LazyFrame):
            return Table(SOURCE, (Part(Header([*known.collect_schema()], SOURCE), known),))
    if not isinstance(known, nw.DataFrame):
        return None
    return table_held(known.columns, lambda place: known.to_polars().to_series(place), SOURCE)


def table_of_columns(columns: Mapping[Any, Any]) -> Table:
    """A table of columns by their names, each a list of its values."""
    for name, values in columns.items():
        if not _is_column(values):
            raise InvalidEvidence(f"Each column is a list of its values; {quoted(name)} is {quoted(values)}.")
    return table_held(map(str, columns), [*columns.values()].__getitem__, "the mapping")


def table_held(
    names: Iterable[str], column: Callable[[int], Any], source: str, row_names: Callable[[], Sequence[str]] = tuple
) -> Table:
    """A table in memory, of which a column is taken when it is asked for."""
    return Table(source, (Part(Header([*names], source), Held(column, row_names)),))


def _row_names(frame: Any) -> list[str]:
    """What the index of a frame of pandas says, where it is more than numbers of rows."""
    numbered = type(frame.index).__name__ == "RangeIndex"
    return [] if numbered else [spelled(name) for name in frame.index.tolist()]


def _is_column(value: object) -> bool:
    try:
        return not isinstance(value, (str, bytes)) and len(value) >= 0  # type: ignore[arg-type]
    except TypeError:
        return False
