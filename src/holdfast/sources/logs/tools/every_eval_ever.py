"""Every Eval Ever: `<uuid>_samples.jsonl`, and `<uuid>.json` beside it, which says how many rows there should be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from holdfast.errors import HoldfastError
from holdfast.sources.content import told
from holdfast.sources.logs.asked import Asked, only_task
from holdfast.sources.logs.documents import Document, document_of
from holdfast.sources.logs.run import CRASHED, Row, Run, mapping, run_of, text
from holdfast.wording import counted, quoted

SAMPLES = "_samples.jsonl"
RIGHT_OR_WRONG = {"acc", "acc_norm", "exact_match", "em"}


def recognises(document: Document) -> bool:
    return {"evaluation_id", "model_id", "sample_id", "evaluation"} <= document.keys or _is_aggregate(document)


def _is_aggregate(document: Document) -> bool:
    return {"schema_version", "evaluation_results", "model_info"} <= document.keys


def runs(documents: Sequence[Document], asked: Asked) -> Iterator[Run]:
    asked.refuse_idle("Every Eval Ever", ("metric",), {"scorer": "metric"})
    samples = [document for document in documents if not _is_aggregate(document)] or [*_beside(documents)]
    held = [[*document.records()] for document in samples]
    tasks = [str(rows[0].get("evaluation_name")) for rows in held]
    task = only_task(asked, tasks, samples[0].name)
    for document, rows, own in zip(samples, held, tasks, strict=True):
        if own == task:
            yield _run(document, rows, asked)


def _beside(documents: Sequence[Document]) -> Iterator[Document]:
    """The samples that belong to aggregates."""
    for document in documents:
        path = None if document.path is None else document.path.with_name(document.path.stem + SAMPLES)
        found = None if path is None or not path.is_file() else document_of(path, told(path))
        if found is None:
            raise HoldfastError(f"{document.name} holds results of all samples together, and no samples lie beside it.")
        yield found


def _run(document: Document, rows: Sequence[dict[str, Any]], asked: Asked) -> Run:
    name = document.name
    _check_whole(document, len(rows))
    crashed = [row for row in rows if row.get("error")]
    scored = [row for row in rows if not row.get("error") and row.get("evaluation_result_id") is not None]
    metrics = [*dict.fromkeys(str(row["evaluation_result_id"]) for row in scored)]
    _check_repeats(scored, name)
    metric = asked.one("metric", metrics, name)
    made = [_row(row, mapping(row.get("evaluation"), "evaluation", name).get("score")) for row in scored
            if row["evaluation_result_id"] == metric]  # fmt: skip
    made += [_row(row, None) for row in {row.get("sample_id"): row for row in crashed}.values()]
    unscored = len(rows) - len(crashed) - len(scored)
    return run_of(
        made,
        asked,
        right_or_wrong=metric.split(":")[0] in RIGHT_OR_WRONG,
        tool="Every Eval Ever",
        version=text(rows[0].get("schema_version")),
        source=name,
        model=text(rows[0].get("model_id")) or "unnamed",
        task=str(rows[0].get("evaluation_name")),
        score_name=metric,
        names=metrics,
        alike={"task": rows[0].get("evaluation_name")},
        notes=(f"{counted(unscored, 'row')} of {name} are of no metric, and no item scores.",) if unscored else (),
    )


def _row(row: dict[str, Any], value: Any) -> Row:
    return Row(str(row.get("sample_id")), value, CRASHED, prompt=row.get("sample_hash"))


def _check_repeats(rows: Sequence[dict[str, Any]], name: str) -> None:
    """Refuse questions that were asked several times: their rows carry the average of all, and not their own score."""
    epochs = {(row.get("metadata") or {}).get("epoch") for row in rows}
    times = Counter((row.get("sample_id"), row["evaluation_result_id"]) for row in rows)
    if len(epochs) > 1 or (times and max(times.values()) > 1):
        raise HoldfastError(
            f"{name} has several rows for a question: where it was asked several times the converter writes the "
            "average of all on each, and calls a wrong one right. Read the log that it was converted from."
        )


def _check_whole(document: Document, number: int) -> None:
    """Refuse samples that are fewer or more than the aggregate beside them says."""
    if document.path is None or not document.path.name.endswith(SAMPLES):
        return
    beside = document.beside(document.path.name.removesuffix(SAMPLES) + ".json")
    details = beside.first.get("detailed_evaluation_results") if beside is not None and _is_aggregate(beside) else None
    expected = details.get("total_rows") if isinstance(details, dict) else None
    if isinstance(expected, int) and expected != number:
        raise HoldfastError(
            f"{document.name} holds {counted(number, 'row')}, and {quoted(expected)} by the file beside it: a part is "
            "missing, or is of another run."
        )
