"""promptfoo: `results.json` of version 3, or a `.jsonl` with a row on each line, which says nothing of repeats."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from holdfast.errors import HoldfastError
from holdfast.sources.logs.asked import Asked
from holdfast.sources.logs.documents import Document
from holdfast.sources.logs.run import CRASHED, UNSCORED, Row, Run, mapping, run_of, sequence, text
from holdfast.wording import counted

SUCCESS, SCORE = "success", "score"  # whether all assertions pass, and their weighted mean
ERROR = 2  # as the reason of a failure; a text stands under `error` where an assertion failed, too
NO_ASSERTIONS = "No assertions"


def recognises(document: Document) -> bool:
    if document.shape == "lines":
        return {"promptIdx", "testIdx", "success", "namedScores"} <= document.keys
    results = document.first.get("results") if isinstance(document.first, dict) else None
    return "evalId" in document.keys and isinstance(results, dict) and "results" in results


def runs(documents: Sequence[Document], asked: Asked) -> Iterator[Run]:
    asked.refuse_idle("promptfoo", ("metric",), {"scorer": "metric"})
    for document in documents:
        whole = document.first if document.shape == "json" else {}
        results = mapping(whole.get("results") or {}, "results", document.name)
        rows = (
            [*document.records()] if document.shape == "lines" else sequence(results["results"], "rows", document.name)
        )
        rows = [mapping(row, "a row", document.name) for row in rows]
        repeat = (whole.get("runtimeOptions") or {}).get("repeat") or 1
        for prompt, model in _models(rows).items():
            if asked.has_model(model):
                own = [row for row in rows if row.get("promptIdx") == prompt]
                yield _run(own, document, whole, model, int(repeat), asked)


def _models(rows: Sequence[Mapping[str, Any]]) -> dict[Any, str]:
    """What each combination of prompt and provider is called: by its provider, and its prompt where that is not all."""
    named: dict[Any, tuple[str, str]] = {}
    for row in sorted(rows, key=lambda row: str(row.get("promptIdx"))):
        provider = row.get("provider") or {}
        name = provider if isinstance(provider, str) else provider.get("label") or provider.get("id") or "unnamed"
        named.setdefault(row.get("promptIdx"), (str(name), str((row.get("prompt") or {}).get("label", ""))[:60]))
    several = Counter(name for name, _ in named.values())
    both = Counter(named.values())
    return {
        prompt: name
        if several[name] == 1
        else f"{name} ({label})"
        if both[name, label] == 1
        else f"{name} ({label}, {prompt})"
        for prompt, (name, label) in named.items()
    }


def _run(
    rows: Sequence[dict[str, Any]], document: Document, whole: Mapping[str, Any], model: str, repeat: int, asked: Asked
) -> Run:
    named = [*dict.fromkeys(name for row in rows for name in row.get("namedScores") or {})]
    names = [SUCCESS, SCORE, *named]
    chosen = asked.one("metric", names, document.name, SUCCESS)
    config = mapping(whole.get("config") or {}, "config", document.name)
    return run_of(
        [_row(row, chosen, repeat) for row in rows],
        asked,
        tool="promptfoo",
        version=text((whole.get("metadata") or {}).get("promptfooVersion")),
        source=document.name,
        model=model,
        task=text(config.get("description")) or "unnamed",
        score_name=chosen,
        names=names,
        headline=SUCCESS,
        alike={"task": config.get("description")},
        asked_of="variables",
        notes=_lines_alone(rows, document),
    )


def _row(row: Mapping[str, Any], chosen: str, repeat: int) -> Row:
    place = row.get("testIdx")
    place = place if isinstance(place, int) else 0
    case = row.get("testCase") or {}
    graded = row.get("gradingResult") or {}
    reason, value = UNSCORED, None
    if row.get("failureReason") == ERROR:
        reason = CRASHED
    elif graded.get("reason") != NO_ASSERTIONS:  # which passes although nothing was asked of it
        value = row.get(chosen) if chosen in (SUCCESS, SCORE) else (row.get("namedScores") or {}).get(chosen)
    own = row.get("vars") or {}
    groups = {**{str(name): each for name, each in own.items()}, **(case.get("metadata") or {})}
    prompt = json.dumps(own, sort_keys=True)
    return Row(str(place // repeat), value, reason, groups, place % repeat + 1, prompt)


def _lines_alone(rows: Sequence[Mapping[str, Any]], document: Document) -> tuple[str, ...]:
    """What a file of lines cannot know: whether tests are repeats of each other."""
    if document.shape != "lines":
        return ()
    equal = Counter(json.dumps(row.get("vars"), sort_keys=True) for row in rows)
    if again := sum(times for times in equal.values() if times > 1):
        raise HoldfastError(
            f"In {document.name}, {counted(again, 'test')} of a model share their variables with another: they may be "
            "repeats of one, which a .jsonl does not say. Give the .json of the same run."
        )
    return (f"{document.name} does not say whether tests were repeated; the .json of the same run does.",)
