"""DeepEval: a test run with its cases, each with the metrics that were measured, and not those that were skipped."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from holdfast.sources.logs.asked import Asked
from holdfast.sources.logs.documents import Document
from holdfast.sources.logs.run import UNSCORED, Row, Run, mapping, run_of, sequence, text
from holdfast.wording import counted

SUCCESS = "success"  # of a case: whether all of its metrics pass


def recognises(document: Document) -> bool:
    return document.shape == "json" and {"testCases", "metricsScores"} <= document.keys


def runs(documents: Sequence[Document], asked: Asked) -> Iterator[Run]:
    asked.refuse_idle("DeepEval", ("metric",), {"scorer": "metric"})
    for document in documents:
        yield _run(document, document.first, asked)


def _run(document: Document, run: Mapping[str, Any], asked: Asked) -> Run:
    cases = [mapping(each, "a case", document.name) for each in sequence(run["testCases"], "cases", document.name)]
    measured = [_measured(case, document.name) for case in cases]
    names = [SUCCESS, *dict.fromkeys(name for metrics in measured for name in metrics)]
    chosen = asked.one("metric", names, document.name, SUCCESS)
    seen: Counter[str] = Counter()
    rows = []
    for case, metrics in zip(cases, measured, strict=True):
        name = str(case.get("name") or f"case {case.get('order')}")
        seen[name] += 1
        value = _passes(metrics, names[1:]) if chosen == SUCCESS else (metrics.get(chosen) or {}).get("score")
        prompt = json.dumps([case.get("input"), case.get("expectedOutput")])
        groups = {"input": case.get("input"), **(case.get("metadata") or {})}
        rows.append(Row(name, value, UNSCORED, groups, seen[name], prompt))
    parameters = run.get("hyperparameters") or {}
    return run_of(
        rows,
        asked,
        tool="DeepEval",
        source=document.name,
        model=text(run.get("identifier")) or text(parameters.get("model")) or "unnamed",
        task="test run",
        score_name=chosen,
        names=names,
        headline=SUCCESS,
        asked_of="input or expected output",
        notes=_notes(cases, document.name),
    )


def _measured(case: Mapping[str, Any], source: str) -> dict[str, dict[str, Any]]:
    data = [mapping(each, "a metric", source) for each in case.get("metricsData") or []]
    return {str(each.get("name")): each for each in data}


def _passes(metrics: Mapping[str, Mapping[str, Any]], names: Sequence[str]) -> bool | None:
    """Whether all metrics pass; not known where none fails, and one broke off or was skipped.

    The log itself calls a case passed whose metrics were skipped, and failed whose metrics broke off.
    """
    told = [None if name not in metrics or metrics[name].get("error") else metrics[name].get(SUCCESS) for name in names]
    if any(each is False for each in told):
        return False
    return None if any(each is None for each in told) else True


def _notes(cases: Sequence[Mapping[str, Any]], source: str) -> tuple[str, ...]:
    equal = Counter(json.dumps(case.get("input")) for case in cases)
    again = sum(times for times in equal.values() if times > 1)
    if not again:
        return ()
    return (
        f"{counted(again, 'case')} of {source} share their input with another: where these are repeats of one "
        "question, say cluster='input' (--cluster input).",
    )
