"""Runs as a table of rows: id, repeat, model, task, how right, cluster, groups, and why a score is missing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from holdfast.errors import HoldfastError
from holdfast.predictions.grading import Values
from holdfast.predictions.rows import translated
from holdfast.sources.content import Files
from holdfast.sources.logs.reading import runs_of
from holdfast.sources.logs.run import Run
from holdfast.sources.table import Table
from holdfast.wording import listed

OWN = ("id", "repeat", "model", "task", "correct", "value", "error")  # names that a field of a log must not take


@dataclass(frozen=True, eq=False)
class LogTable(Table):
    """The table of runs, and what their logs declare of its columns."""

    runs: tuple[Run, ...] = ()
    declared: Mapping[str, str] = field(default_factory=dict)  # by role, the columns that the logs themselves name
    credit: Values | None = None  # what scores can be; None where answers are right or wrong
    divisions: tuple[str, ...] = ()  # columns by which the logs divide their own scores


def open_logs(files: Files) -> Table:
    """The table of all runs in logs of one task."""
    return table_of_runs(runs_of(files), files.name)


def table_of_runs(runs: Sequence[Run], name: str, models: Sequence[str] | None = None) -> LogTable:
    """The table of these runs, whose models are called by these names."""
    import polars as pl

    names = [run.model for run in runs] if models is None else [*models]
    if models is None and len({*names}) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        sources = listed([run.source for run in runs if run.model == twice])
        raise HoldfastError(
            f"{name} holds several runs of one model, in {sources}: together they would pass for one. Name one of "
            "them, or compare them by hf.compare (holdfast compare)."
        )
    graded = [run.values for run in runs if run.values is not None]
    if graded and len(graded) < len(runs):
        raise HoldfastError(
            f"Some runs of {name} say right or wrong, and others how right: state the range of all of them with "
            "value_range= (--range)."
        )
    role = "value" if graded else "correct"
    divisions = [*dict.fromkeys(key for run in runs for key in run.groups)]
    called = dict(zip(divisions, _distinct(divisions), strict=True))
    with translated(name):
        frames = [
            pl.DataFrame(
                {
                    "id": pl.Series(run.ids, dtype=pl.String),
                    "repeat": pl.Series(run.repeats, dtype=pl.Int64),
                    "model": pl.Series([model] * len(run.ids), dtype=pl.String),
                    "task": pl.Series([run.task] * len(run.ids), dtype=pl.String),
                    role: pl.Series(run.scored).fill_nan(None),
                    "error": pl.Series(run.errors, dtype=pl.String),
                    **{
                        called[key]: pl.Series(run.groups.get(key) or [None] * len(run.ids), dtype=pl.String)
                        for key in divisions
                    },
                }
            )
            for run, model in zip(runs, names, strict=True)
        ]
    table = Table.of_frame(name, pl.concat(frames))
    clusters = {called.get(run.cluster, run.cluster) for run in runs if run.cluster is not None}
    declared = {"id": "id", role: role} | ({"cluster": clusters.pop()} if len(clusters) == 1 else {})
    own = tuple(dict.fromkeys(called[key] for run in runs for key in run.divisions))
    return LogTable(table.name, table.parts, tuple(runs), declared, graded[0] if graded else None, own)


def _distinct(keys: Sequence[str]) -> Iterator[str]:
    """What columns of groups are called: by their keys, but for those that are our own."""
    for key in keys:
        yield f"metadata.{key}" if key in OWN else key
