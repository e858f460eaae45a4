"""Files and frames as the numbers they hold; every value is checked, nothing is executed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from holdfast.errors import HoldfastError
from holdfast.predictions import Missing, Predictions
from holdfast.predictions.design import TWO_WEIGHTS, Design
from holdfast.predictions.grading import Values
from holdfast.sources.columns import AnswerColumns, Correct, Score
from holdfast.sources.logs.asked import ANYTHING, Asked


def read(
    source: Any,
    *,
    truth: str | None = None,
    predicted: str | None = None,
    score: Score | Literal[False] | None = None,
    correct: Correct | None = None,
    by: str | Sequence[str] = (),
    cluster: str | None = None,
    weight: str | None = None,
    inclusion: str | None = None,
    strata: str | None = None,
    margin: str | None = None,
    value: str | None = None,
    value_range: tuple[float, float] | None = None,
    levels: Sequence[float] | None = None,
    id: str | None = None,  # noqa: A002 - the word for it, on the command line too
    baseline: str | None = None,
    baseline_score: str | None = None,
    unpredicted: bool = True,
    truth_file: Any = None,
    on: str | None = None,
    missing: Missing = "refuse",
    separator: str | None = None,
    task: str | None = None,
    scorer: str | None = None,
    metric: str | None = None,
    filter: str | None = None,  # noqa: A002 - the word for it, on the command line too
    split: str | None = None,
    models: str | Sequence[str] | None = None,
    partial: bool = False,
    log_groups: bool = False,
) -> Predictions:
    """Predictions from a file, several files or a data frame, found by the names of their columns.

    Parameters
    ----------
    source
        A path, a pattern such as `runs/*.parquet`, a list of paths, a folder, "-" for standard input; or a data
        frame of pandas, polars, pyarrow, DuckDB, PySpark, Dask or Ibis. Files are CSV with any usual separator,
        Parquet, NDJSON or Arrow, and CSV may be compressed with gzip. A file that comes twice is refused, links that
        lead back are not followed, and a pipe is read once. Or the log of an evaluation, such as one of Inspect or
        lm-eval, which is known by what it holds: it says itself what was asked, how often, and how it was scored.
    truth, predicted
        The names of the columns, where they are not called truth, y_true, label ... and predicted, y_pred, yhat ...
        Truth and scores will do without predictions.
    score
        The column of scores; or several, as a list or as a mapping from labels to columns. By default the column
        called score, prob ..., or columns called score_LABEL, if they fit; with False none is looked for.
    correct
        The column that says whether each answer was right, in place of truth and predicted: 1 or 0, true or false,
        pass or fail, correct or incorrect, C or I ... Where it says so otherwise, name the values that count as
        right with it, as "grade=A,B" or {"grade": ["A", "B"]}; all others then are wrong.
    by
        Columns whose values divide the rows into groups.
    cluster
        The column that says which passage, patient, document ... a row comes from.
    weight, inclusion, strata
        Columns of how rows were drawn, as in `hf.Design`: what each counts for, or the chance with which it was drawn,
        and the stratum. What is known of them besides, such as `max_weight` and `shares`, is stated to the verb.
    value, value_range, levels
        In place of truth and predicted: a column that says how right each answer is, on a range that was fixed
        beforehand, [0, 1] by default; and all that there can be, where they are few, such as (0, 0.5, 1).
    margin
        A column of numbers, positive where the answer was right: how clearly it was. It will do on its own.
    id
        The column that says which item, or question, a row is an answer to, where items have several.
    baseline, baseline_score
        Columns of what the model before answered to the same rows, and of its scores: for a gate that asks whether the
        new model is not worse.
    unpredicted
        Whether truth and score will do where there is no column of predictions.
    truth_file, on
        Where the labels stand in a file or a data frame of their own: that, in which `truth` is a column, and the
        column by which both are joined; without one, rows stand in the same order.
    missing
        What to do with rows without truth or prediction: "refuse", "drop", or count them as "wrong"; of a log, with
        samples that crashed or were not scored.
    task, scorer, metric, filter, split, models
        Of a log that holds several: which one is meant. By default the one that the log itself puts first, or the only
        one.
    partial
        Whether the log of a run that did not finish is read as far as it came.
    log_groups
        Whether the columns by which a log divides its own scores are groups here, where `by` names none.
    """
    from holdfast.sources.logs.reading import LogTable
    from holdfast.sources.opening import open_table
    from holdfast.sources.selection import Watching, read_predictions

    ranged = value_range is not None or levels is not None
    named = (models,) if isinstance(models, str) else () if models is None else tuple(models)
    asked = Asked(task, scorer, metric, filter, split, cluster, partial, ranged, named)
    table, credit = open_table(source, separator, asked=asked), Values.stated(value_range, levels)
    by = (by,) if isinstance(by, str) else tuple(dict.fromkeys(by))
    if isinstance(table, LogTable):
        credit = credit if ranged or table.credit is None else table.credit
        by = by or (table.divisions if log_groups else ())
    else:
        if asked != ANYTHING:
            asked.refuse_any(table.name)
        if value is None and ranged:
            raise HoldfastError("value_range= (--range) and levels= (--levels) speak of values: give value= (--value).")
    if weight is not None and inclusion is not None:
        raise HoldfastError(TWO_WEIGHTS)
    if truth_file is not None:
        from holdfast.sources.labels import with_labels

        table, truth = with_labels(table, truth_file, on, truth, separator)
    elif on is not None:
        raise HoldfastError("on= (--on) joins the rows with labels of another file: give truth_file= (--truth-file).")
    columns = AnswerColumns(
        truth,
        predicted,
        score,
        correct,
        by,
        cluster,
        margin,
        unpredicted,
        id,
        value,
        weight,
        inclusion,
        strata,
        baseline,
        baseline_score,
    )
    watching = Watching(columns)
    design = Design(inclusion=True if inclusion is not None else None)
    return watching.of_one_model(read_predictions(table, watching, missing, separator, design, credit))
