"""Predictions made of scores: the positive label from a threshold on that was fixed before the labels were seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from holdfast.errors import InvalidEvidence
from holdfast.evidence import NO_ANSWER
from holdfast.predictions import Predictions
from holdfast.predictions.spelling import spelled
from holdfast.predictions.wording import listed, quoted
from holdfast.tally.cells import Cells, read_cells
from holdfast.tally.labels import ordered, spellings, truth_as_one
from holdfast.tally.rows import Rows, so_many
from holdfast.tally.scores import check_numeric

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw

REST = "(rest)"  # what all labels but the positive one are filed under, where they are several or none was seen
THRESHOLD = "operating_point= (--operating-point) is a threshold of the scores of one label"


@dataclass(frozen=True, eq=False)
class Operated:
    """Rows whose predictions are those at an operating point, and the labels that are left to tell apart."""

    predictions: Predictions
    positive: str
    labels: tuple[str, ...] | None  # as declared, if they were
    differing: int | None  # rows in which a column of predictions says otherwise; None where there is no such column

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        point = self.predictions.operating_point
        return {"threshold": point, "label": self.positive, "differing": self.differing}


def at_operating_point(
    predictions: Predictions, threshold: float, positive: object = None, labels: Sequence[object] | None = None
) -> Operated:
    """The rows with the positive label predicted where its score is at least the threshold, and else the other one.

    One score tells one label from all others: where these are several they become one, in truth and prediction.

    Examples
    --------
    >>> rows = Predictions.from_arrays(["spam", "ham", "ham"], score=[0.9, 0.3, 0.2])
    >>> made = at_operating_point(rows, 0.3, positive="spam").predictions
    >>> made.fetch(made.frame.select("predicted"))["predicted"].to_list()
    ['spam', 'spam', 'ham']
    """
    rows = Rows.of(predictions.only(name for name in predictions.columns if name != "predicted"))
    if "truth" not in predictions.columns or not rows.score_columns:
        raise InvalidEvidence(
            f"{THRESHOLD}: give the true labels and a column of scores, and say by positive= (--positive) which label "
            "they speak for."
        )
    check_numeric(rows)
    cells, chosen = read_cells(rows, labels, positive)
    classes = [label for label in cells.labels if label != NO_ANSWER]
    if chosen is None:
        raise InvalidEvidence(f"{THRESHOLD}: say by positive= (--positive) which of {listed(classes)} it is.")
    if REST in classes:
        raise InvalidEvidence(f"truth holds the label {REST!r}, which stands for all but the positive one: rename it.")
    two = len(classes) == 2
    other = next(label for label in classes if label != chosen) if two else REST
    column = _column(rows, chosen)
    kept = rows.score_columns if two else (column,)
    made = _told_apart(predictions, cells, (chosen, other), column, threshold)
    differing, known = _differing(rows, cells, chosen, made) if "predicted" in predictions.columns else (None, 0)
    note = (
        f"Assessed are the predictions at the operating point: {quoted(chosen)} where its score is at least "
        f"{threshold:.15g}, else {quoted(other)}."
    )
    if differing:
        note += f" The column of predictions says otherwise in {differing:,} of {so_many(known)}, and was not used."
    if len(classes) > 2:
        note += f" {REST} are the {len(classes) - 1:,} other labels, which one score cannot tell apart."
    beside = [name for name in predictions.columns if not name.startswith(("truth", "predicted", "score"))]
    operated = replace(
        predictions,
        frame=made.select("truth", "predicted", *kept, *beside),
        columns=("truth", "predicted", *kept, *beside),
        score_labels=predictions.score_labels if two else (),
        operating_point=threshold,
        notes=(*predictions.notes, note),
    )
    declared: tuple[str, ...] | None = None
    if labels is not None:
        declared = tuple(classes) if two else (chosen, other)
    elif not two:  # the positive label and all others are every label there may be
        declared = tuple(ordered({chosen, other}, None))
    return Operated(operated, chosen, declared, differing)


def _column(rows: Rows, label: str) -> str:
    """The column of the scores of this label."""
    names = [spelled(each) for each in rows.predictions.score_labels]
    if not names:
        return rows.score_columns[0]
    if label not in names:
        raise InvalidEvidence(f"{THRESHOLD}, and {quoted(label)} has none; there are scores of {listed(names)}.")
    return rows.score_columns[names.index(label)]


def _told_apart(
    predictions: Predictions, cells: Cells, labels: tuple[str, str], column: str, threshold: float
) -> nw.LazyFrame[Any]:
    """The rows with two labels in truth and prediction: no prediction where there is no score to predict from.

    A column of predictions that was there is now called `given`.
    """
    import narwhals.stable.v2 as nw

    score, (positive, other) = nw.col(column), labels
    rule = nw.when(score >= threshold).then(nw.lit(positive)).otherwise(nw.when(score < threshold).then(nw.lit(other)))
    # Engines take NaN for more than any number.
    rule = nw.when(score.is_nan()).then(nw.lit(None, nw.String)).otherwise(rule)
    truth: nw.Expr = nw.lit(None, nw.String)
    for label, ours in ((other, False), (positive, True)):
        values = [each for each, code in cells.truth_codes.items() if (cells.labels[code - 1] == positive) is ours]
        if values:
            truth = nw.when(nw.col("truth").is_in(values)).then(nw.lit(label)).otherwise(truth)
    given = [nw.col("predicted").alias("given")] if "predicted" in predictions.columns else []
    return predictions.frame.with_columns(truth.alias("truth"), rule.alias("predicted"), *given)


def _differing(rows: Rows, cells: Cells, positive: str, made: nw.LazyFrame[Any]) -> tuple[int, int]:
    """In how many rows the column of predictions says otherwise, of how many that have one and a score."""
    import polars as pl

    counted = rows.counted(("given", "predicted"), made.select("given", "predicted"))
    if counted.schema["given"].is_float():
        counted = counted.with_columns(pl.col("given").fill_nan(None))
    counted = counted.drop_nulls()
    names = (spellings("truth", cells.truth_codes), spellings("predicted", counted["given"].unique()))
    _, label_of = truth_as_one(*names)
    both = zip(counted["given"], counted["predicted"], counted["times"].cast(int), strict=True)
    differing = sum(times for given, said, times in both if (label_of[given] == positive) is not (said == positive))
    return differing, int(counted["times"].sum())
