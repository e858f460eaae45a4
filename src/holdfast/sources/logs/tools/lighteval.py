"""lighteval: `details_<task>_<time>.parquet`, a row for each document, and the results beside, which name the model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from holdfast.sources.content import told
from holdfast.sources.logs.asked import Asked, only_task
from holdfast.sources.logs.documents import Document, columns_of, document_of
from holdfast.sources.logs.run import Row, Run, is_number, run_of

RIGHT_OR_WRONG = {"acc", "acc_norm", "em", "exact_match", "extractive_match", "loglikelihood_acc"}


def recognises(document: Document) -> bool:
    return document.shape == "parquet" and {"doc", "metric", "model_response"} <= {*document.first}


def runs(documents: Sequence[Document], asked: Asked) -> Iterator[Run]:
    asked.refuse_idle("lighteval", ("metric",), {"scorer": "metric"})
    held = [_rows(document) for document in documents]
    tasks = [str(rows[0]["doc"].get("task_name")) if rows else "unnamed" for rows in held]
    task = only_task(asked, tasks, documents[0].name)
    for document, rows, own in zip(documents, held, tasks, strict=True):
        if own == task:
            yield _run(document, rows, task, asked)


def _rows(document: Document) -> list[dict[str, Any]]:
    from holdfast.predictions.rows import translated

    with translated(document.name):
        return columns_of(document.content).select("doc", "metric").collect().to_dicts()


def _run(document: Document, rows: Sequence[Mapping[str, Any]], task: str, asked: Asked) -> Run:
    names = [*dict.fromkeys(key for row in rows for key in row["metric"] or {})]
    names = [name for name in names if all(is_number((row["metric"] or {}).get(name)) for row in rows)]
    metric = asked.one("metric", names, document.name)
    docs = [row["doc"] or {} for row in rows]
    made = [
        Row(
            str(doc.get("id") or place),
            (row["metric"] or {}).get(metric),
            groups=doc.get("specific") or {},
            prompt=str(doc.get("query")),
        )
        for place, (row, doc) in enumerate(zip(rows, docs, strict=True))
    ]
    samples = max((int(doc.get("num_samples") or 1) for doc in docs), default=1)
    again = f"{document.name} has {samples:,} samples of each document and one score of them all."
    return run_of(
        made,
        asked,
        right_or_wrong=metric in RIGHT_OR_WRONG and samples == 1,
        tool="lighteval",
        source=document.name,
        model=_model(document.path),
        task=task,
        score_name=metric,
        names=names,
        alike={"task": task},
        asked_of="prompt",
        notes=(again,) if samples > 1 else (),
    )


def _model(path: Path | None) -> str:
    """As the results say, or else as the folders under `details` do: a name may hold a slash, and so be two of them."""
    if path is None:
        return "unnamed"
    parts = path.parts
    if "details" not in parts[:-2]:
        return path.parent.name
    place = len(parts) - 1 - parts[::-1].index("details")
    folders, time = parts[place + 1 : -2], parts[-2]
    results = Path(*parts[:place], "results", *folders, f"results_{time}.json")
    beside = document_of(results, told(results)) if results.is_file() else None
    known = beside.first.get("config_general") if beside is not None and isinstance(beside.first, dict) else None
    name = known.get("model_name") if isinstance(known, dict) else None
    return str(name) if name else "/".join(folders)
