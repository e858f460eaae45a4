"""The rows where they live: counted there, or read from there with their labels as small numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, Any

from holdfast.predictions import Predictions
from holdfast.predictions.spelling import kind

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw
    import polars as pl

FEW = 16  # values of a column up to which comparing with each is the cheapest way to code them
ROWS_NAMED = 5  # in a refusal

Coding = Mapping[Any, int]  # the code of each value; missing values have none


@dataclass(frozen=True, eq=False)
class Rows:
    """The rows, on their engine or, where that is this process, in polars."""

    predictions: Predictions
    frame: nw.LazyFrame[Any]
    local: bool
    score_columns: tuple[str, ...]
    few: pl.DataFrame | None = field(default=None, kw_only=True)  # the rows themselves, where there are few

    @classmethod
    def of(cls, predictions: Predictions) -> Rows:
        import narwhals.stable.v2 as nw

        scores = tuple(name for name in predictions.columns if name.startswith("score"))
        frame = predictions.frame
        if "truth" in predictions.columns and "predicted" not in predictions.columns:
            frame = frame.with_columns(nw.lit(None, nw.String).alias("predicted"))
        few = predictions.fetch(frame) if predictions.few else None
        return cls(predictions, frame, frame.implementation.is_polars(), scores, few=few)

    @property
    def answered(self) -> bool:
        """Whether there are predictions, some of which may be missing; without any, all are."""
        return "predicted" in self.predictions.columns

    def called(self, column: str) -> str:
        """What a missing value of the column is to be called: without a score there is nothing to predict from."""
        return "score" if column == "predicted" and self.predictions.operating_point is not None else column

    def counted(self, keys: Sequence[str], frame: nw.LazyFrame[Any] | None = None, *more: nw.Expr) -> pl.DataFrame:
        """How many rows there are of each combination of the keys, as `times`."""
        import narwhals.stable.v2 as nw

        asked = self.frame.select(*keys) if frame is None else frame
        return self.predictions.fetch(asked.group_by(*keys).agg(nw.len().alias("times"), *more))

    def where_missing(self, columns: Sequence[str]) -> str:
        """The first rows that miss one of the columns, in brackets; nothing where rows have no order."""
        import narwhals.stable.v2 as nw
        import polars as pl

        if not self.local:
            return ""
        native: pl.LazyFrame = self.frame.select(*columns).to_native()
        missed = [pl.col(name).is_null() for name in columns]
        missed += [pl.col(name).is_nan() for name, dtype in native.collect_schema().items() if dtype.is_float()]
        places = native.with_row_index("row").filter(pl.any_horizontal(missed)).head(ROWS_NAMED + 1).select("row")
        found = [str(place + 1) for place in self.predictions.fetch(nw.from_native(places))["row"].to_list()]
        more = ", ..." if len(found) > ROWS_NAMED else ""
        return f" (row {', '.join(found[:ROWS_NAMED])}{more}, the first being row 1)"


def so_many(number: int) -> str:
    return f"{number:,} row" if number == 1 else f"{number:,} rows"


def coded(schema: pl.Schema, labels: Sequence[str], truth: Coding, predicted: Coding, no_answer: int) -> pl.Expr:
    """The cell of each row: the code of its truth, times one more than the labels, and the code of its prediction.

    The code of a label is its place, counted from 1; 0 is missing, and a missing prediction is `no_answer`.
    """
    import polars as pl

    size = len(labels) + 1
    dtype = pl.UInt8() if size * size <= 2**8 else pl.UInt32() if size * size <= 2**32 else pl.Int64()
    first = _coded(pl.col("truth"), schema["truth"], labels, truth, 0, dtype)
    second = _coded(pl.col("predicted"), schema["predicted"], labels, predicted, no_answer, dtype)
    return (first * pl.lit(size, dtype) + second).alias("cell")


def _coded(
    column: pl.Expr, held: pl.DataType, labels: Sequence[str], codes: Coding, missing: int, dtype: pl.DataType
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
