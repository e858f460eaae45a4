"""OpenAI evals: a file of events, which begins with the spec of the run and ends with its report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from holdfast.errors import HoldfastError
from holdfast.sources.logs.asked import Asked
from holdfast.sources.logs.documents import Document
from holdfast.sources.logs.run import CRASHED, UNSCORED, Row, Run, is_number, mapping, run_of, text
from holdfast.wording import counted

MATCH = "match"


def recognises(document: Document) -> bool:
    spec = document.first.get("spec") if isinstance(document.first, dict) else None
    return document.shape == "lines" and isinstance(spec, dict) and "eval_name" in spec


def runs(documents: Sequence[Document], asked: Asked) -> Iterator[Run]:
    asked.refuse_idle("OpenAI evals", ("metric",), {"scorer": "metric"})
    for document in documents:
        spec, *events = document.records()
        finished = [event for event in events if "final_report" in event]
        own = [event for event in events if "sample_id" in event]
        if not finished and not asked.partial:
            number = counted(len({event["sample_id"] for event in own}), "sample")
            raise HoldfastError(
                f"{document.name} has no final report, so that the run did not finish; it holds {number}. Finish the "
                "run, or read what there is with partial=True (--partial)."
            )
        yield _run(document.name, mapping(spec["spec"], "spec", document.name), own, asked)


def _run(name: str, spec: Mapping[str, Any], events: Sequence[dict[str, Any]], asked: Asked) -> Run:
    matches = [event for event in events if event.get("type") == MATCH]
    metrics = [event for event in events if event.get("type") == "metrics"]
    keys = [*dict.fromkeys(key for event in metrics for key in event.get("data") or {})]
    keys = [key for key in keys if all(is_number(_of(event, key)) for event in metrics)]
    names = [*([MATCH] if matches else []), *keys]
    chosen = asked.one("metric", names, name, MATCH)
    graded = matches if chosen == MATCH else metrics
    key = "correct" if chosen == MATCH else chosen
    seen: Counter[str] = Counter()
    rows = []
    for event in graded:
        id_ = str(event["sample_id"])
        seen[id_] += 1
        rows.append(Row(id_, _of(event, key), repeat=seen[id_]))
    broken = {str(event["sample_id"]) for event in events if event.get("type") == "error"}
    every = dict.fromkeys(str(event["sample_id"]) for event in events)
    rows += [Row(id_, None, CRASHED if id_ in broken else UNSCORED) for id_ in every if id_ not in seen]
    functions = spec.get("completion_fns") or []
    return run_of(
        rows,
        asked,
        tool="OpenAI evals",
        source=name,
        model=", ".join(map(str, functions)) if isinstance(functions, list) else str(functions),
        task=text(spec.get("eval_name")) or "unnamed",
        score_name=chosen,
        names=names,
        headline=MATCH,
        alike={"task": spec.get("eval_name"), "split": spec.get("split")},
    )


def _of(event: Mapping[str, Any], key: str) -> Any:
    data = event.get("data")
    return data.get(key) if isinstance(data, dict) else None
