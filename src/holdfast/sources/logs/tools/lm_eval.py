"""lm-evaluation-harness: `samples_<task>_<time>.jsonl`, and beside it `results_<time>.json`, which names the model."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from holdfast.errors import HoldfastError, UnknownName
from holdfast.predictions.coded import spelled
from holdfast.sources.content import told
from holdfast.sources.logs.asked import Asked, only_task
from holdfast.sources.logs.documents import Document, document_of
from holdfast.sources.logs.run import ABSENT, Row, Run, group_name, kind_of, mapping, run_of, sequence, text
from holdfast.wording import counted, listed, quoted

SAMPLES = re.compile(r"samples_(?P<task>.+)_(?P<time>\d{4}-\d\d-\d\dT.+)\.jsonl(\.gz)?")
RESULTS = re.compile(r"results_(?P<time>.+)\.json")
RIGHT_OR_WRONG = {"acc", "acc_norm", "acc_bytes", "acc_mutual_info", "exact_match", "em"}  # 1 or 0 for each document


class _Named(NamedTuple):
    """Whose samples a file holds, and what is known of the run besides."""

    task: str
    model: str
    results: Mapping[str, Any]  # empty where there is no such file


def recognises(document: Document) -> bool:
    if document.shape == "lines" or not _is_results(document):
        return {"doc_id", "filter", "metrics", "doc_hash"} <= document.keys
    return True


def _is_results(document: Document) -> bool:
    return {"results", "configs", "versions", "n-shot"} <= document.keys


def runs(documents: Sequence[Document], asked: Asked) -> Iterator[Run]:
    asked.refuse_idle("lm-eval", ("metric", "filter"), {"scorer": "metric"})
    samples = _with_samples(documents)
    named = [_named(document, documents) for document in samples]
    if asked.task is not None:
        _check_task(asked.task, named, samples[0].name)
    task = only_task(asked, [each.task for each in named], samples[0].name)
    for document, each in zip(samples, named, strict=True):
        if each.task == task:
            yield _run(document, each, asked)


# ---- From files


def _with_samples(documents: Sequence[Document]) -> list[Document]:
    """The files of samples: those given, and those beside a file of results that was given alone."""
    found = [document for document in documents if not _is_results(document)]
    if not found:
        for document in documents:
            match = None if document.path is None else RESULTS.fullmatch(document.path.name)
            time = None if match is None else match["time"]
            paths = [path for path in document.siblings if (m := SAMPLES.fullmatch(path.name)) and m["time"] == time]
            found += [each for path in paths if (each := document_of(path, told(path))) is not None]
    if not found:
        raise HoldfastError(
            f"{documents[0].name} is a file of lm-eval with results of all documents together, and no samples lie "
            "beside it: run it so that it logs samples (log_samples), which writes the score of each."
        )
    return found


def _named(document: Document, documents: Sequence[Document]) -> _Named:
    """Which task and model a file of samples is of: by the results of the same time, or else by its own name."""
    match = None if document.path is None else SAMPLES.fullmatch(document.path.name)
    beside = None if match is None else document.beside(f"results_{match['time']}.json")
    if beside is None and document.path is None:
        beside = next((each for each in documents if _is_results(each)), None)
    if beside is None or not _is_results(beside):
        path = document.path
        task = match["task"] if match else path.stem if path else "unnamed"
        return _Named(task, path.parent.name if path else "unnamed", {})
    results = beside.first
    known = [*mapping(results.get("configs") or {}, "configs", beside.name)]
    task = match["task"] if match else known[0]
    return _Named(task, text(results.get("model_name")) or "unnamed", results)


def _check_task(task: str, named: Sequence[_Named], source: str) -> None:
    known = [*dict.fromkeys(each.task for each in named)]
    if task in known:
        return
    for each in named:
        subtasks = each.results.get("group_subtasks") or {}
        if task in subtasks:
            raise HoldfastError(
                f"{quoted(task)} is a group of tasks: {listed([*_leaves(task, subtasks)])}. Its score is an average "
                "over them; name one of them with task= (--task)."
            )
    raise UnknownName(f"task in {source}", task, known)


def _leaves(group: str, subtasks: Mapping[str, Any], above: tuple[str, ...] = ()) -> Iterator[str]:
    for each in subtasks.get(group) or ():
        if each in subtasks and subtasks[each] and each not in above:
            yield from _leaves(each, subtasks, (*above, group))
        else:
            yield str(each)


# ---- To runs


def _run(document: Document, named: _Named, asked: Asked) -> Run:
    rows = [*document.records()]
    name, task, results = document.name, named.task, named.results
    filters = [*dict.fromkeys(str(row.get("filter")) for row in rows)]
    chosen_filter = asked.one("filter", filters, f"{name} (task {quoted(task)})")
    rows = [row for row in rows if str(row.get("filter")) == chosen_filter]
    metrics = [*dict.fromkeys(str(each) for row in rows for each in sequence(row.get("metrics"), "metrics", name))]
    items = [
        each for each in metrics if all(kind_of(row.get(each)) in ("number", "logical", "nothing") for row in rows)
    ]
    metric = _metric(asked, metrics, items, name, task)
    _check_direction(results, task, metric)
    ids, groups = _ids(rows, name), _groups(rows, name)
    samples = [
        Row(id_, row.get(metric), groups=fields, prompt=(row.get("prompt_hash"), row.get("target_hash")))
        for id_, row, fields in zip(ids, rows, groups, strict=True)
    ]
    sizes = mapping(mapping(results.get("n-samples") or {}, "n-samples", name).get(task) or {}, "n-samples", name)
    absent = max(int(sizes.get("effective") or 0) - len(rows), 0)
    samples += [Row(f"absent {place + 1}", None, ABSENT) for place in range(absent)]
    run = run_of(
        samples,
        asked,
        names=items,
        right_or_wrong=metric in RIGHT_OR_WRONG,
        tool="lm-eval",
        version=text(results.get("lm_eval_version")),
        source=name,
        model=named.model,
        task=task,
        score_name=metric,
        alike={"task": task} | _alike(results, task),
        asked_of="prompt or target",
        notes=_notes(rows, results, sizes, name),
    )
    return run if chosen_filter == "none" else replace(run, score_name=f"{metric},{chosen_filter}")


def _metric(asked: Asked, metrics: Sequence[str], items: Sequence[str], name: str, task: str) -> str:
    if asked.metric in metrics and asked.metric not in items:
        raise HoldfastError(
            f"{quoted(asked.metric)} is not an item score: {name} holds no number for each document, but what goes "
            f"into a sum over all of them. Of {listed([*items]) or 'the others'} it does."
        )
    return asked.one("metric", items, f"{name} (task {quoted(task)})")


def _check_direction(results: Mapping[str, Any], task: str, metric: str) -> None:
    directions = (results.get("higher_is_better") or {}).get(task) or {}
    if isinstance(directions, dict) and directions.get(metric) is False:
        raise HoldfastError(
            f"Of {quoted(metric)} less is better, by what the log says: it is a loss, and no share of credit. Name "
            "another with metric= (--metric)."
        )


def _ids(rows: Sequence[Mapping[str, Any]], name: str) -> list[str]:
    """What each document is called: by its content, for its position changes with limits; equal ones are counted."""
    seen: Counter[str] = Counter()
    ids = []
    for row in sorted(rows, key=lambda row: _position(row)):
        if row.get("doc_hash") is None:
            raise HoldfastError(f"{name} has a sample without doc_hash, by which samples of two runs are joined.")
        mark = spelled(row["doc_hash"])
        seen[mark] += 1
        ids.append((_position(row), mark if seen[mark] == 1 else f"{mark} ({seen[mark]})"))
    positions = [position for position, _ in ids]
    if len({*positions}) < len(positions):
        (twice, times), *_ = Counter(positions).most_common(1)
        raise HoldfastError(f"{name} has the document {twice} {times:,} times under one filter; which one counts?")
    found = dict(ids)
    return [found[_position(row)] for row in rows]


def _position(row: Mapping[str, Any]) -> int:
    position = row.get("doc_id")
    return position if isinstance(position, int) else -1


def _groups(rows: Sequence[Mapping[str, Any]], name: str) -> list[dict[str, Any]]:
    """Of each document the fields that may name a group; those that say nothing anywhere are none."""
    docs = [mapping(row.get("doc") or {}, "doc", name) for row in rows]
    telling = {key for doc in docs for key, value in doc.items() if group_name(value)}
    return [{key: value for key, value in doc.items() if key in telling} for doc in docs]


def _alike(results: Mapping[str, Any], task: str) -> dict[str, Any]:
    """What else two runs must have in common; prompts are compared row by row."""
    config = (results.get("configs") or {}).get(task) or {}
    found = {
        "version of the task": (results.get("versions") or {}).get(task),
        "number of examples in the prompt": (results.get("n-shot") or {}).get(task),
        "data set": config.get("dataset_path"),
        "part of the data set": config.get("dataset_name"),
    }
    return {what: value for what, value in found.items() if value is not None}


def _notes(
    rows: Sequence[Mapping[str, Any]], results: Mapping[str, Any], sizes: Mapping[str, Any], name: str
) -> tuple[str, ...]:
    notes = []
    original, effective = sizes.get("original"), sizes.get("effective")
    if isinstance(original, int) and isinstance(effective, int) and effective < original:
        notes.append(
            f"{name} has {effective:,} of the {counted(original, 'document')} of its task: a part was run, and unless "
            "it was drawn at random the answer is about documents like these."
        )
    if not results:
        notes.append(f"{name} has no file of results beside it: the model is called after the folder.")
    responses = rows[0].get("resps") if rows else None
    if isinstance(responses, list) and responses and isinstance(responses[0], list) and len(responses[0]) > 1:
        notes.append(
            f"{name} has {len(responses[0]):,} responses to each document and one score of them all: how often one of "
            "them is right cannot be read from it."
        )
    return tuple(notes)
