"""Rows under fixed names, in this process or on an engine, and the one place where an engine is asked for an answer."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any, Literal, Self, TextIO, get_args

from holdfast.errors import HoldfastError, InvalidEvidence, UnknownName, is_at_the_command_line
from holdfast.predictions.design import Design
from holdfast.predictions.grading import BY_USUAL_WORDS, Grading, Values
from holdfast.wording import brief, opening, quoted

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw
    import polars as pl

    from holdfast.numerics.arrays import Array
    from holdfast.predictions.coded import Coded


Missing = Literal["refuse", "drop", "wrong"]
MISSING: tuple[str, ...] = get_args(Missing)
PANIC = "PanicException"  # what an engine written in Rust raises where it breaks off; it is no Exception
# That come beside the truth.
COLUMNS = ("predicted", "score", "correct", "value", "value_range", "levels", "groups", "clusters", "margin", "ids")


@dataclass(frozen=True, eq=False)
class Predictions:
    """Rows under fixed names: `truth` and `predicted`, or `correct` alone; perhaps `score`, or `score_0`, `score_1` ...

    Truth and scores will do without `predicted`. Beside them `by_0`, `by_1` ... say which group a row belongs to,
    `cluster` which rows may depend on each other, `id` which question a row is a sample of, and `margin` how far the
    answer was on the right side.

    Lists and arrays are held in this process. Others are a lazy frame, which may live in any engine that narwhals
    speaks: nothing is read before it is tallied.

    Examples
    --------
    >>> rows = Predictions.from_arrays(["spam", "ham"], ["spam", "spam"], [0.9, 0.6])
    >>> rows.columns
    ('truth', 'predicted', 'score')
    >>> rows.frame.labels("predicted").to_list()
    ['spam', 'spam']
    """

    frame: Any  # rows that are Held, or a lazy frame of narwhals
    columns: tuple[str, ...]  # which of the fixed names are there
    score_labels: tuple[str, ...] = ()  # the label that each of several score columns speaks for
    missing: Missing = "refuse"  # what to do with a row without truth or prediction
    source: str = "the data"  # what messages call it
    guessed: bool = False  # whether the scores were found by the name of their column, not asked for
    group_names: tuple[str, ...] = ()  # what the user calls each of the columns by_0, by_1 ...
    written: pl.LazyFrame | None = None  # the scores as text, where they still have to become numbers
    grading: Grading = BY_USUAL_WORDS  # how `correct` says which answers are right
    operating_point: float | None = None  # the score from which on the positive label is predicted, if that is the rule
    asked_about: tuple[str, ...] | None = None  # labels that conditions name, and so declare; None where there are none
    notes: tuple[str, ...] = ()  # what the reader should know of how these rows came about
    design: Design = field(default_factory=Design)  # how they were drawn, but for what stands in columns
    values: Values = field(default_factory=Values)  # the range of `value`, and all that it can be
    runs: tuple[Any, ...] = ()  # where the rows come from logs of evaluations, the runs in them

    def __post_init__(self) -> None:
        if self.missing not in MISSING:
            raise UnknownName("way with missing answers", self.missing, MISSING)

    def __repr__(self) -> str:
        return f"Predictions({self.source}: {', '.join(self.columns)})"

    @classmethod
    def from_arrays(
        cls,
        truth: object = None,
        predicted: object = None,
        score: object = None,
        *,
        correct: object = None,
        groups: Mapping[str, object] | None = None,
        clusters: object = None,
        margin: object = None,
        ids: object = None,
        value: object = None,
        value_range: tuple[float, float] | None = None,
        levels: Sequence[float] | None = None,
        labels: Iterable[object] | None = None,
        missing: Missing = "refuse",
        design: Design | None = None,
    ) -> Self:
        """Predictions from lists, arrays or columns of a data frame, row by row in the order given.

        Parameters
        ----------
        score
            One number a row: how strongly the model leans to the positive class. Or one column a class, as
            scikit-learn's `predict_proba` gives: in the order of `labels`, by default the sorted labels seen.
        correct
            Whether each answer was right, in place of truth and predicted: true or false, 1 or 0, "pass" or "fail",
            "correct" or "incorrect", "C" or "I" ...
        groups
            By name, columns whose values divide the rows into groups.
        clusters
            The passage, patient, document ... that each row comes from.
        margin
            One number a row, positive where the answer was right: how clearly it was.
        ids
            The question that each row is a sample of.
        value, value_range, levels
            Instead of `correct`: how right each answer is, on a range that was fixed beforehand, [0, 1] by default; and
            all that it can be, where that is few.
        design
            How the rows were drawn; `clusters` may also be given by itself.
        """
        from holdfast.predictions.arrays import read_design, read_labels, read_numbers, read_scores
        from holdfast.predictions.coded import Held

        alone = margin is not None and correct is truth is predicted is None  # it says which answers are right
        if value is None and (value_range is not None or levels is not None):
            raise InvalidEvidence(
                "value_range= (--range) and levels= (--levels) speak of values: give value= (--value)."
            )
        if value is not None:
            if not (correct is truth is predicted is score is None):
                raise InvalidEvidence("Values say how right each answer is: leave out truth, predicted and correct.")
            alone = True
        if score is False:  # as for `read`: none is wanted
            score = None
        answered = predicted is not None or score is not None
        if not alone and ((correct is None) == (truth is None) or (truth is not None and not answered)):
            raise InvalidEvidence("Give truth and predicted, truth and score, or correct alone: one answer a row.")
        if correct is not None and answered:
            told = "predicted" if predicted is not None else "score"
            raise InvalidEvidence(f"{told} needs the truth beside it; with correct alone, leave it out.")
        given = {"correct": correct, "truth": truth, "predicted": predicted}
        given = {name: values for name, values in given.items() if values is not None}
        if not isinstance(groups, Mapping | None):
            raise InvalidEvidence(
                f"groups= takes columns by their names, as {{'country': [...]}}; got {quoted(groups)}."
            )
        named = {str(name): values for name, values in (groups or {}).items()}
        with translated("the arrays"):
            labelled = {name: read_labels(name, values) for name, values in given.items()}
            scores, score_labels = read_scores(score, [*labelled.values()], labels)
            columns: dict[str, Coded | Array] = {**labelled, **scores}
            columns |= {f"by_{i}": read_labels(name, values) for i, (name, values) in enumerate(named.items())}
            if clusters is not None:
                if design is not None and design.clusters is not None:
                    raise InvalidEvidence("The design says which clusters rows come from; leave out clusters=.")
                design = replace(design or Design(), clusters=clusters)
            columns |= read_design(design or Design())
            if value is not None:
                columns["value"] = read_numbers("value", value)
            if ids is not None:
                columns["id"] = read_labels("ids", ids)
            if margin is not None:
                columns["margin"] = read_numbers("margin", margin)
        check_lengths(columns, {f"by_{i}": f"the group {quoted(name)}" for i, name in enumerate(named)})
        return cls(
            Held(columns),
            tuple(columns),
            score_labels,
            missing,
            "the arrays",
            group_names=tuple(named),
            values=Values.stated(value_range, levels),
            design=(design or Design()).facts,
        )

    @classmethod
    def given(cls, truth: object, predicted: object = None, score: object = None, **beside: Any) -> Predictions:
        """What a verb was given: one that is made already, or columns to make one from."""
        if not isinstance(truth, Predictions):
            return cls.from_arrays(truth, predicted, score, **beside)
        design: Design = beside.pop("design", None) or Design()
        columns = {"predicted": predicted, "score": None if score is False else score, **beside, **design.columns}
        if twice := [name for name in (*COLUMNS, *design.columns) if columns.get(name) is not None]:
            raise HoldfastError(f"The first argument holds all columns already; leave out {', '.join(twice)}.")
        rows = replace(truth, design=truth.design.with_facts(design))
        return rows.without_scores() if score is False else rows

    @property
    def plain(self) -> bool:
        """Whether every row is a draw of its own that weighs as much as any other."""
        return not {"cluster", "weight", "stratum"} & {*self.columns}

    @property
    def logs(self) -> tuple[str, ...]:
        """What was read from logs of evaluations, a sentence for each run."""
        return tuple(run.sentence() for run in self.runs)

    @property
    def scored(self) -> bool:
        return any(name.startswith("score") for name in self.columns)

    def without_scores(self) -> Self:
        """The same rows, of whose scores nothing is read."""
        return self.only(name for name in self.columns if not name.startswith("score"))

    def only(self, names: Iterable[str]) -> Self:
        """The same rows with these columns alone."""
        columns = tuple(names)
        if columns == self.columns:
            return self
        labels = self.score_labels if any(name.startswith("score_") for name in columns) else ()
        return replace(self, frame=self.frame.select(*columns), columns=columns, score_labels=labels)

    def fetch(self, query: nw.LazyFrame[Any]) -> pl.DataFrame:
        """What the query comes to, computed by the engine that holds the rows; its complaints in our words."""
        import polars as pl

        with translated(self.source, self._name_what_is_no_number):
            native = query.to_native()
            if isinstance(native, pl.LazyFrame):
                # Streaming the whole table saves nothing, and with hundreds of columns takes sixty times as long.
                return native.collect(engine="in-memory" if query is self.frame else "streaming")
            return query.collect("polars").to_native()

    def _name_what_is_no_number(self) -> None:
        """Find the first score that is none; engines tell neither its row nor its column in our words."""
        import polars as pl

        if self.written is None:
            return
        for name in self.written.collect_schema().names():
            text = self.written.select(pl.col(name)).with_row_index("row")
            wrong = pl.col(name).is_not_null() & pl.col(name).cast(pl.Float64, strict=False).is_null()
            found = text.filter(wrong).head(1).collect(engine="streaming")
            if found.height:
                row, value = found.row(0)
                of_model = name.startswith("value_")  # one per model, which are called by what models are
                called = f"the model {quoted(self.group_names[int(name.removeprefix('value_'))])}" if of_model else name
                raise not_a_number(self.source, called, int(row) + 1, value)


@contextmanager
def translated(source: str, first: Callable[[], None] | None = None) -> Iterator[None]:
    """Say what goes wrong in an engine in a line of ours; `first` may know more about it, and raises then."""
    try:
        with without_panics():
            yield
    except HoldfastError:
        raise
    except ImportError as error:
        raise HoldfastError(f"Reading {source} needs a package that is missing: {brief(error)}") from None
    except MemoryError:
        raise HoldfastError(f"{opening(source)} does not fit into memory.") from None
    except BaseException as error:  # engines raise whatever they like
        panic = type(error).__name__ == PANIC
        if not (panic or isinstance(error, Exception)):
            raise
        if first is not None:
            with translated(source):
                first()
        if panic:  # what it says is for those who wrote the engine
            raise HoldfastError(
                f"Cannot read {source}: the engine broke off over it, as over a file that is damaged. Write it again."
            ) from None
        raise HoldfastError(f"Cannot read {source}: {brief(error)}") from None


def not_a_number(source: str, column: str, row: int, value: object) -> InvalidEvidence:
    """The refusal of a score that is no number."""
    advice = " Write decimals with a point." if isinstance(value, str) and value.count(",") == 1 else ""
    return InvalidEvidence(f"{opening(source)}, row {row}: {column} should be a number; found {quoted(value)}.{advice}")


def check_lengths(columns: Mapping[str, Sized], called: Mapping[str, str]) -> None:
    """Refuse columns that cannot stand beside each other."""
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{called.get(name, name)} has {length:,}" for name, length in lengths.items())
        raise InvalidEvidence(f"Each row needs a value in every column: {brief(told)}. Give them the same length.")


TERMINAL = 2  # the descriptor of standard error, which an engine written in Rust writes to past Python


@contextmanager
def without_panics() -> Iterator[None]:
    """Drop what is written past Python to standard error, if it ends in an error; otherwise it is passed on.

    Only at the command line: the descriptor belongs to the whole process, which elsewhere is not ours. What Python
    writes meanwhile, as a sign of life, goes where it always goes.
    """
    if not is_at_the_command_line() or sys.__stderr__ is None:  # closed from the start, its descriptor is another's
        yield
        return
    terminal, python = os.dup(TERMINAL), sys.stderr
    with TemporaryFile() as kept:
        if _is_terminal(python):
            sys.stderr = _beside()
        os.dup2(kept.fileno(), TERMINAL)
        try:
            yield
        except BaseException:
            kept.truncate(0)
            raise
        finally:
            os.dup2(terminal, TERMINAL)
            sys.stderr = python
            kept.seek(0)
            while some := kept.read(2**16):
                os.write(terminal, some)
            os.close(terminal)


def _is_terminal(stream: TextIO | None) -> bool:
    try:
        return stream is not None and stream.fileno() == TERMINAL
    except (OSError, ValueError):  # one in memory has no descriptor, and one that is closed no more
        return False


@cache
def _beside() -> TextIO:
    """Another way to the same place; never closed, since a thread may be writing there."""
    encoding = sys.stderr.encoding or "utf-8"
    return os.fdopen(os.dup(TERMINAL), "w", buffering=1, encoding=encoding, errors="replace", closefd=False)
