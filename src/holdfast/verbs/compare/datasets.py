"""Which of several models is better over many data sets?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from os import PathLike
from typing import Any

import numpy as np

from holdfast.arguments import Seed
from holdfast.comparisons.signed_rank import SAMPLES
from holdfast.errors import HoldfastError
from holdfast.evidence import Array, numbers, shown
from holdfast.evidence.scoreboard import Scoreboard
from holdfast.report import Report
from holdfast.report.facts.compared import Practical
from holdfast.sources.models.scoreboard import Names, scoreboard_of
from holdfast.sources.table import table_held, table_of_columns, table_of_frame
from holdfast.verbs.compare.ranking import Ranking
from holdfast.verbs.jointly import one_chance
from holdfast.verbs.provenance import recorded

FEWEST_SAMPLES, MOST_SAMPLES = 100, 10**7


@recorded(without=("table",))
def compare_datasets(
    table: Any,
    *,
    datasets: Names | None = None,
    models: Names | None = None,
    model: str | None = None,
    score: str | None = None,
    better: str | None = None,
    measure: str | None = None,
    rope: float | None = None,
    samples: int = SAMPLES,
    seed: Seed = 0,
    confidence: float | str | None = None,
    delta: float | None = None,
    missing: str = "refuse",
) -> Report:
    """Which of several models is better over many data sets, each with one score a model.

    Parameters
    ----------
    table
        A data frame or a mapping: wide, with one row a data set and one column a model, or long, with one row a data
        set and model. Or an array of that shape with `models`; or one `Scoreboard`.
    datasets
        The column that names the data sets, or their names.
    models
        The models to compare, as a list, or as text with commas and patterns: "nb,m_*"; by default all.
    model, score
        The columns of a long table.
    better
        "higher" or "lower"; by default what `measure`, or the name of the column of scores, says, and else "higher".
    measure
        What the scores measure, such as "accuracy".
    rope
        A difference of scores too small to matter. With one, the Bayesian signed-rank test says how probable it is that
        either model of a pair is better by more than that.
    samples, seed
        Of the Bayesian test.
    confidence, delta
        Of the verdict as a whole, and of the critical difference.
    missing
        What to do with a data set on which some model has no score: "refuse" or "drop".

    Notes
    -----
    One rule decides: Wilcoxon's signed-rank test of every pair, with Holm's correction over all pairs. A model may be
    the best unless another one beats it so; it is the best if it beats every other one.

    Examples
    --------
    >>> scores = {"nb": [0.81, 0.72, 0.9, 0.66, 0.78, 0.85], "svm": [0.85, 0.75, 0.95, 0.68, 0.84, 0.86]}
    >>> report = compare_datasets(scores, better="higher")
    >>> print(report.verdict)
    svm is better than nb over data sets like these 6 (p = 0.031).
    >>> print(report["rank-difference"])
    1.000 [0.199, 1.000], nemenyi, 95 %, comes without proof
    """
    level = one_chance("A comparison is made", "compare_datasets", confidence, delta)
    board = _board(table, datasets, models, model, score, better=better, measure=measure, missing=missing)
    ranking = Ranking(board, level)
    practical = [] if rope is None else [*_practical(ranking, rope, samples, seed)]
    return Report.of(
        ranking.lines(),
        ranking.facts(practical),
        rows=board.n,
        fingerprint=board.fingerprint,
        seed=seed if rope is not None else None,
    )


def _board(table: Any, datasets: Any, models: Any, model: str | None, score: str | None, **stated: Any) -> Scoreboard:
    if isinstance(table, Scoreboard):
        options = (datasets, models, model, score, *(stated | {"missing": None}).values())
        if any(value is not None for value in options):
            raise HoldfastError("The scoreboard says already what the scores are; say it when reading it.")
        return table
    source = table_of_columns(table) if isinstance(table, Mapping) else table_of_frame(table)
    if source is None:
        values = _array(table)
        names = [f"model {place + 1}" for place in range(values.shape[1])] if models is None else [*map(str, models)]
        if len(names) != values.shape[1]:
            raise HoldfastError(f"There are {len(names):,} names of models for {values.shape[1]:,} columns of scores.")
        source, models = table_held(names, values.T.__getitem__, "the array"), None
    return scoreboard_of(source, datasets=datasets, models=models, model=model, score=score, **stated)


def _array(table: Any) -> Array:
    """An array of scores with two axes, NaN where there is none."""
    try:
        values = np.asarray(table, np.float64)
    except (TypeError, ValueError, OverflowError):
        values = np.empty(0)
    if np.ma.isMaskedArray(table):
        values = np.ma.filled(table.astype(np.float64), np.nan)
    if isinstance(table, str | PathLike):
        raise HoldfastError(
            f"Scores of a file are read into a data frame first, as by polars.read_csv({shown(table)})."
        )
    if values.ndim != 2:
        raise HoldfastError(
            "Give a table of scores: a data frame, a mapping from models to scores, or an array with one row a data "
            f"set and one column a model; got {shown(table)}."
        )
    return values


def _practical(ranking: Ranking, rope: Any, samples: Any, seed: Any) -> Iterator[Practical]:
    """What the Bayesian test says, once it is told what it can be told."""
    apart = numbers("rope", rope)
    if apart.ndim or apart < 0:
        raise HoldfastError(f"rope is one number from 0 on, in the units of the scores; got {shown(rope)}.")
    draws = numbers("samples", samples)
    if draws.ndim or not FEWEST_SAMPLES <= draws <= MOST_SAMPLES or draws % 1:
        many = f"from {FEWEST_SAMPLES} to {MOST_SAMPLES:,}"
        raise HoldfastError(f"samples is a whole number {many}; got {shown(samples)}.")
    if not isinstance(seed, int) or isinstance(seed, bool) or seed < 0:
        raise HoldfastError(f"seed is a whole number from 0 on; got {shown(seed)}.")
    return ranking.practical(float(apart), int(draws), seed)
