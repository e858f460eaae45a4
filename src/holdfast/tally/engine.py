"""Rows that live on an engine, counted there; where that is polars, also read from there with labels as small numbers.

An engine is asked for `select` and `group_by(...).agg(len)` and for nothing else that they may disagree about.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import add, and_, or_
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from holdfast.errors import InvalidEvidence
from holdfast.evidence import Array
from holdfast.predictions import Predictions
from holdfast.predictions.coded import coded_series, kind
from holdfast.predictions.rows import translated
from holdfast.tally.label_pairs import PAIR, Cells, Coding
from holdfast.tally.rows import Kinds, Rows
from holdfast.tally.scores import BINS, LARGEST, Binned, Bins, Kept, Scale, refuse_unfit

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw
    import polars as pl

FEW = 16  # values of a column up to which comparing with each is the cheapest way to code them


@dataclass(frozen=True, eq=False)
class EngineRows(Rows):
    """Rows as a lazy frame, of whatever library."""

    frame: nw.LazyFrame[Any]

    @classmethod
    def of(cls, predictions: Predictions) -> EngineRows:
        import narwhals.stable.v2 as nw

        frame: nw.LazyFrame[Any] = predictions.frame
        if "truth" in predictions.columns and "predicted" not in predictions.columns:
            frame = frame.with_columns(nw.lit(None, nw.String).alias("predicted"))
        scores = tuple(name for name in predictions.columns if name.startswith("score"))
        return cls(predictions, scores, frame)

    @property
    def in_order(self) -> bool:
        return self.frame.implementation.is_polars()

    def kinds(self, keys: Sequence[str], drawn: bool = False, summed: Sequence[str] = ()) -> Kinds:
        import narwhals.stable.v2 as nw
        import polars as pl

        columns = self.frame.select(*keys, *(_number(name) for name in summed))
        sums = [nw.col(name).sum() for name in summed]
        if not drawn:
            return _kinds(self._counted(columns, keys, *sums), keys, summed)
        native: pl.LazyFrame = columns.to_native()
        numbered = nw.from_native(native.with_row_index("first row"))
        counted = self._counted(numbered, keys, *sums, nw.col("first row").min())
        return replace(_kinds(counted, keys, summed), first=counted["first row"].cast(pl.Int64).to_numpy())

    def each(self, keys: Sequence[str], numbers: Sequence[str]) -> Kinds:
        read = self.predictions.fetch(self.frame.select(*keys, *(_number(name) for name in numbers)))
        columns = {key: coded_series(read[key]) for key in keys}
        return Kinds(columns, np.ones(read.height, np.int64), sums={name: _array(read[name]) for name in numbers})

    def _counted(self, frame: nw.LazyFrame[Any], keys: Sequence[str], *more: nw.Expr) -> pl.DataFrame:
        """How many rows there are of each combination of the keys, as `times`."""
        import narwhals.stable.v2 as nw

        return self.predictions.fetch(frame.group_by(*keys).agg(nw.len().alias("times"), *more))

    def repeats(self, key: str) -> bool:
        import narwhals.stable.v2 as nw

        times = self.frame.select(key).group_by(key).agg(nw.len().alias("times"))
        return bool(self.predictions.fetch(times.filter(nw.col("times") > 1).head(1)).height)

    def missed(self, columns: Sequence[str], most: int) -> list[int]:
        import narwhals.stable.v2 as nw
        import polars as pl

        native: pl.LazyFrame = self.frame.select(*columns).to_native()
        missed = [pl.col(name).is_null() for name in columns]
        missed += [pl.col(name).is_nan() for name, dtype in native.collect_schema().items() if dtype.is_float()]
        places = native.with_row_index("row").filter(pl.any_horizontal(missed)).head(most).select("row")
        return self.predictions.fetch(nw.from_native(places))["row"].to_list()

    def numbers(self, name: str) -> Array:
        import narwhals.stable.v2 as nw

        return _array(self.predictions.fetch(self.frame.select(nw.col(name).cast(nw.Float64)))[name])

    def check_numeric(self, columns: Sequence[str]) -> None:
        import narwhals.stable.v2 as nw

        schema = self.frame.collect_schema()
        for name in columns:
            if isinstance(schema[name], (nw.String, nw.Categorical, nw.Enum, nw.Date, nw.Datetime, nw.List, nw.Struct)):
                raise InvalidEvidence(f"The column {name} should hold numbers; it holds {schema[name]}.")

    def means(self) -> dict[Any, float]:
        import narwhals.stable.v2 as nw

        mean = nw.col(self.score_columns[0]).mean().alias("mean")
        counted = self._counted(self._doubles(self.frame), ("predicted",), mean)
        return {row["predicted"]: row["mean"] for row in counted.rows(named=True)}

    def _doubles(self, frame: nw.LazyFrame[Any]) -> nw.LazyFrame[Any]:
        """The labels, and every score as a float of 64 bits."""
        import narwhals.stable.v2 as nw

        return frame.select(*PAIR, *(nw.col(name).cast(nw.Float64) for name in self.score_columns))

    def scored(self, cells: Cells) -> Kept:
        import narwhals.stable.v2 as nw

        native: pl.LazyFrame
        if self.in_order:
            native = self.frame.to_native()
        else:  # where rows live elsewhere, only counts come back
            native = self._counted(self._doubles(self.frame), (*PAIR, *self.score_columns)).lazy()
        return _kept(self.predictions.fetch(nw.from_native(self._beside_cells(native, cells))), cells)

    def batches(self, cells: Cells, size: int) -> Iterator[Kept]:
        query = self._beside_cells(self.frame.to_native(), cells)
        with translated(self.predictions.source):
            for read in query.collect_batches(chunk_size=size, maintain_order=False, engine="streaming"):
                yield _kept(read, cells)

    def _beside_cells(self, native: pl.LazyFrame, cells: Cells) -> pl.LazyFrame:
        import polars as pl

        scores = (pl.col(name).cast(pl.Float64) for name in self.score_columns)
        return native.select(
            _cells(native.collect_schema(), cells.coding), *scores, *([] if self.in_order else ["times"])
        )

    def binned(self, cells: Cells, codes: Sequence[int]) -> Binned:
        if self.in_order and hasattr(self.frame.to_native(), "collect_batches"):
            return super().binned(cells, codes)
        return self._binned_there(cells, codes)

    def _binned_there(self, cells: Cells, codes: Sequence[int]) -> Binned:
        """Rows that are counted where they live."""
        import narwhals.stable.v2 as nw

        frame = self._doubles(self._answered(cells))
        spans = self._spans(frame)
        columns = []
        for name, code, span in zip(self.score_columns, codes, spans, strict=True):
            scale = Scale.of(*span)
            key = scale.place(nw.col(name)).floor().cast(nw.Int64)
            values = [value for value, its in cells.coding.truth.items() if its == code]
            if values:  # one whole number is grouped twice as fast as two
                key += reduce(or_, (nw.col("truth") == value for value in values)).cast(nw.Int64) * (BINS + 1)
            counted = self._counted(frame.select(key.alias("bin")), ("bin",))
            counts = np.zeros(2 * (BINS + 1), np.int64)
            counts[counted["bin"].cast(int).to_numpy()] = counted["times"].cast(int).to_numpy()
            columns.append(Bins.of(counts, scale))
        return Binned(tuple(columns), (min(low for low, _ in spans), max(high for _, high in spans)))

    def _answered(self, cells: Cells) -> nw.LazyFrame[Any]:
        """The rows that were kept when the table was read."""
        import narwhals.stable.v2 as nw

        frame = self.frame
        if cells.dropped:
            for name, dtype in frame.select(*(PAIR if self.answered else PAIR[:1])).collect_schema().items():
                frame = frame.filter(~nw.col(name).is_null())
                if dtype.is_float():
                    frame = frame.filter(~nw.col(name).is_nan())
        return frame

    def _spans(self, frame: nw.LazyFrame[Any]) -> list[tuple[float, float]]:
        """The least and the largest score of each column."""
        import narwhals.stable.v2 as nw

        scores = {name: nw.col(name) for name in self.score_columns}
        missing = reduce(or_, (score.is_null() | score.is_nan() for score in scores.values()))
        finite = reduce(and_, (score.abs() <= LARGEST for score in scores.values()))
        state = nw.when(missing).then(nw.lit(2)).otherwise(nw.when(finite).then(nw.lit(0)).otherwise(nw.lit(1)))
        ends = [score.min().alias(f"least_{name}") for name, score in scores.items()]
        ends += [score.max().alias(f"most_{name}") for name, score in scores.items()]
        counted = self._counted(frame.with_columns(state.alias("state")), ("state",), *ends)
        spans = {row["state"]: row for row in counted.rows(named=True)}
        refuse_unfit(self, *(int(spans[state]["times"]) if state in spans else 0 for state in (1, 2)))
        return [(float(spans[0][f"least_{name}"]), float(spans[0][f"most_{name}"])) for name in scores]

    def having(self, numbers: Sequence[str]) -> Self:
        """Engines agree that NaN is no less than any number."""
        import narwhals.stable.v2 as nw

        present = reduce(and_, (nw.col(name).cast(nw.Float64) <= LARGEST for name in numbers))
        return replace(self, frame=self.frame.filter(present))

    def named(self, column: str) -> nw.LazyFrame[Any]:
        import narwhals.stable.v2 as nw

        return self.frame.filter(~nw.col(column).is_null())

    def divided(self, cells: Cells, labels: tuple[str, str], column: str, threshold: float) -> nw.LazyFrame[Any]:
        import narwhals.stable.v2 as nw

        score, (positive, other) = nw.col(column), labels
        rule = nw.when(score >= threshold).then(nw.lit(positive))
        said = rule.otherwise(nw.when(score < threshold).then(nw.lit(other)))
        # Engines take NaN for more than any number.
        said = nw.when(score.is_nan()).then(nw.lit(None, nw.String)).otherwise(said)
        truth: nw.Expr = nw.lit(None, nw.String)
        for label, ours in ((other, False), (positive, True)):
            values = [each for each, code in cells.coding.truth.items() if (cells.labels[code - 1] == positive) is ours]
            if values:
                truth = nw.when(nw.col("truth").is_in(values)).then(nw.lit(label)).otherwise(truth)
        given = [nw.col("predicted").alias("given")] if self.answered else []
        return self.predictions.frame.with_columns(truth.alias("truth"), said.alias("predicted"), *given)


def _kinds(counted: pl.DataFrame, keys: Sequence[str], summed: Sequence[str] = ()) -> Kinds:
    columns = {key: coded_series(counted[key]) for key in keys}
    sums = {name: _array(counted[name]) for name in summed}
    return Kinds(columns, counted["times"].cast(int).to_numpy(), sums=sums)


def _number(name: str) -> nw.Expr:
    """A column of numbers, NaN where there is none: engines pass over what is missing when they add up, and not NaN."""
    import narwhals.stable.v2 as nw

    number = nw.col(name).cast(nw.Float64)
    return nw.when(number.is_null()).then(nw.lit(float("nan"))).otherwise(number).alias(name)


def _kept(read: pl.DataFrame, cells: Cells) -> Kept:
    times = read["times"].cast(int).to_numpy() if "times" in read.columns else None
    scores = [_array(each) for each in read if each.name.startswith("score")]
    return Kept.of(cells, read["cell"].to_numpy(), scores, times)


def _array(column: pl.Series) -> Array:
    return (column.fill_null(float("nan")) if column.null_count() else column).to_numpy()


def _cells(schema: pl.Schema, coding: Coding) -> pl.Expr:
    """The cell of each row, as `Coding.cells` numbers them."""
    import polars as pl

    code = pl.UInt8() if coding.size**2 <= 2**8 else pl.UInt32() if coding.size**2 <= 2**32 else pl.Int64()
    first = _coded(pl.col("truth"), schema["truth"], coding.labels, coding.truth, 0, code)
    second = _coded(pl.col("predicted"), schema["predicted"], coding.labels, coding.predicted, coding.no_answer, code)
    return (first * pl.lit(coding.size, code) + second).alias("cell")


def _coded(
    column: pl.Expr,
    held: pl.DataType,
    labels: Sequence[str],
    codes: Mapping[Any, int],
    missing: int,
    dtype: pl.DataType,
) -> pl.Expr:
    import polars as pl

    if not codes:
        return pl.lit(missing, dtype)
    if len(codes) <= FEW:
        # Comparing leaves text where it is: no copy of it is made, neither here nor for Python.
        is_it = {value: column.eq_missing(pl.lit(value)).cast(dtype) for value in codes}
        code = reduce(add, (is_it[value] * pl.lit(code, dtype) for value, code in codes.items()))
        return code + (1 - reduce(add, is_it.values())) * pl.lit(missing, dtype) if missing else code
    if held.is_float() and all(value == value // 1 for value in codes):
        column, held = column.fill_nan(None).cast(pl.Int64), pl.Int64()
    if held.is_integer() or (not held.is_numeric() and kind(next(iter(codes))) == "text"):
        code = column.cast(pl.String).cast(pl.Enum(list(labels))).to_physical() + 1
    else:
        code = column.replace_strict(list(codes), list(codes.values()), default=None, return_dtype=pl.UInt32)
    return code.fill_null(missing).cast(dtype)
