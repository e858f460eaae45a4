"""Which tools' logs are read, by what they hold, and the runs in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Protocol

from holdfast.errors import HoldfastError, UnknownName
from holdfast.predictions.grading import Values
from holdfast.predictions.rows import translated
from holdfast.sources.content import Content, Files
from holdfast.sources.logs.asked import Asked, only_task
from holdfast.sources.logs.documents import Document, document_of
from holdfast.sources.logs.run import Run
from holdfast.sources.logs.tools import (
    deepeval,
    every_eval_ever,
    helm,
    inspect_ai,
    lighteval,
    lm_eval,
    openai_evals,
    promptfoo,
    ragas,
    split_tables,
    swe_bench,
)
from holdfast.sources.table import Table
from holdfast.wording import brief, listed


class Reader(Protocol):
    """The module of a tool: how its logs are known by what they hold, and how they become runs."""

    def recognises(self, document: Document, /) -> bool: ...

    def runs(self, documents: Sequence[Document], asked: Asked, /) -> Iterable[Run]: ...


@dataclass(frozen=True)
class Tool:
    """A tool that writes logs, and the module that reads them."""

    name: str
    reader: Reader
    versions: tuple[str, ...]  # of the tool whose logs were read
    holds: str  # what is read, in a line for the documentation


TOOLS: tuple[Tool, ...] = (
    Tool(
        "Inspect",
        inspect_ai,
        ("0.3.285",),
        "`.eval` archives (Zstandard or deflate) and `.json` logs, format version 2",
    ),
    Tool("lm-eval", lm_eval, ("0.4.13",), "`samples_<task>_<time>.jsonl` with the `results_<time>.json` beside it"),
    Tool(
        "promptfoo",
        promptfoo,
        ("0.121.20", "0.123.1"),
        "`results.json` (version 3) and `.jsonl`; each prompt and provider is a model",
    ),
    Tool(
        "MLflow and W&B",
        split_tables,
        ("MLflow 3.17.2", "W&B 0.31.0"),
        'tables as `{"columns", "data"}`: `<metric>/score`, `<scorer>/value`, or columns of numbers',
    ),
    Tool("HELM", helm, ("0.5.16",), "`per_instance_stats.json` with the `run_spec.json` beside it"),
    Tool(
        "Every Eval Ever",
        every_eval_ever,
        ("0.3.0",),
        "`<uuid>_samples.jsonl` with the `<uuid>.json` beside it; repeats are refused",
    ),
    Tool("SWE-bench", swe_bench, ("5.0.2",), "the report of a run, schema version 2"),
    Tool("DeepEval", deepeval, ("4.3.1",), "`test_run_<time>.json`"),
    Tool("ragas", ragas, ("0.4.3",), "`experiments/*.csv` beside `datasets/`"),
    Tool(
        "lighteval", lighteval, (), "`details_<task>_<time>.parquet`; read from its source, no log of the tool itself"
    ),
    Tool("OpenAI evals", openai_evals, (), "the file of events; read from its source, no log of the tool itself"),
)


@contextmanager
def _as_written(tool: str, name: str) -> Iterator[None]:
    """Say that a log is not as its tool writes it, where a value in it is of another kind than belongs there."""
    try:
        yield
    except HoldfastError:
        raise
    except (AttributeError, TypeError, KeyError, IndexError, ValueError, OverflowError) as error:
        raise HoldfastError(
            f"{name} looks like a log of {tool} but is not as that writes it: {brief(error)}. It may be damaged, or "
            "of a version that is not known; the page of logs says which were read."
        ) from None


def tool_of(document: Document | None) -> Tool | None:
    """The tool that wrote the document, by what it holds."""
    return None if document is None else next((tool for tool in TOOLS if tool.reader.recognises(document)), None)


def is_log(content: Content) -> bool:
    """Whether a file is the log of a tool that is known."""
    return tool_of(document_of(content, "the file")) is not None


def runs_of(files: Files) -> list[Run]:
    """All runs in logs of one tool, of the task and the models that are asked for."""
    documents = [document_of(content, name) for content, name in zip(files.contents, files.names, strict=True)]
    tools = {tool.name: tool for document in documents if (tool := tool_of(document)) is not None}
    if len(tools) > 1:
        raise HoldfastError(f"{files.name} holds logs of several tools, {listed(sorted(tools))}; read one at a time.")
    (tool,) = tools.values()
    asked = files.asked
    with _as_written(tool.name, files.name):
        runs = [*tool.reader.runs([document for document in documents if document is not None], asked)]
    only_task(asked, [run.task for run in runs], files.name)
    if unknown := [name for name in asked.models if name not in {run.model for run in runs}]:
        raise UnknownName(f"model in {files.name}", unknown[0], [*dict.fromkeys(run.model for run in runs)])
    chosen = (run for run in runs if asked.has_model(run.model))
    return [replace(run, asked=asked, cluster=asked.cluster or run.cluster) for run in chosen]


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
    called = {key: f"metadata.{key}" if key in OWN else key for key in divisions}
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
