"""Inspect: an archive `.eval`, or one value of JSON; samples with epochs, several scorers, clusters and groups."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from holdfast.errors import HoldfastError
from holdfast.predictions.coded import spelled
from holdfast.sources.logs.archives import Archive
from holdfast.sources.logs.asked import Asked, SeveralThings, only_task
from holdfast.sources.logs.documents import Document
from holdfast.sources.logs.run import ABSENT, CRASHED, UNSCORED, Row, Run, mapping, run_of, sequence, text
from holdfast.wording import counted, listed, quoted

HEADER, SUMMARIES, START, JOURNAL = "header.json", "summaries.json", "_journal/start.json", "_journal/summaries/"
# Scorers of Inspect's own that know no partial credit: correct or incorrect, and no answer counts as the latter.
RIGHT_OR_WRONG = {"match", "includes", "exact", "pattern", "answer", "choice", "math"}
MODEL_GRADED = {"model_graded_qa", "model_graded_fact"}  # that give partial credit where their options say so
OWN_PACKAGE = "inspect_ai/"


class _Sample(NamedTuple):
    id: str
    epoch: int
    values: dict[str, Any]  # by scorer, or by scorer and key where a scorer gives several
    crashed: bool
    metadata: Mapping[str, Any]
    prompt: int  # of input and target


def recognises(document: Document) -> bool:
    if document.shape == "archive":
        return HEADER in document.first or START in document.first
    return {"version", "eval", "status"} <= document.keys


def runs(documents: Sequence[Document], asked: Asked) -> Iterator[Run]:
    asked.refuse_idle("Inspect", ("scorer",), {"metric": "scorer"})
    tasks = [_task(_header(document), document.name) for document in documents]
    task = only_task(asked, tasks, documents[0].name if len(documents) == 1 else f"{len(documents):,} logs")
    for document in (document for document, own in zip(documents, tasks, strict=True) if own == task):
        header, samples, partial = _read(document, asked)
        yield _run(document.name, header, samples, asked, partial)


# ---- From files


def _header(document: Document) -> dict[str, Any]:
    if document.shape != "archive":
        return mapping(document.first, "the log", document.name)
    with document.archive() as archive:
        member = HEADER if HEADER in archive.names else START
        return mapping(archive.value(member), member, document.name)


def _task(header: Mapping[str, Any], name: str) -> str:
    return text(mapping(header.get("eval") or {}, "eval", name).get("task")) or "unnamed"


def _read(document: Document, asked: Asked) -> tuple[dict[str, Any], list[_Sample], bool]:
    """What the log says of the run, its samples, and whether it is but a part of them."""
    header = _header(document)
    if document.shape != "archive":
        raw = sequence(header.get("samples") or [], "samples", document.name)
        samples = [_sample(each, document.name) for each in raw]
    else:
        with document.archive() as archive:
            if HEADER not in archive.names:
                samples = [*_journal(archive)]
                _refuse_unfinished(document.name, "has no header, so that the run did not finish", len(samples), asked)
                return header, samples, True
            if SUMMARIES in archive.names:
                samples = [_sample(each, document.name) for each in archive.items(SUMMARIES)]
            else:
                samples = [*_journal(archive)]
    status = header.get("status")
    if status != "success":
        why = f"says that its run ended with the status {quoted(status)}"
        _refuse_unfinished(document.name, why, len(samples), asked)
    _check_samples(document.name, header, samples)
    return header, samples, status != "success"


def _journal(archive: Archive) -> Iterator[_Sample]:
    """The samples that were finished when the run broke off; of one that was done again, the last."""
    found: dict[tuple[str, int], _Sample] = {}
    for member in archive.names:
        if member.startswith(JOURNAL):
            for each in archive.items(member):
                sample = _sample(each, archive.name)
                found[sample.id, sample.epoch] = sample
    yield from found.values()


def _refuse_unfinished(name: str, why: str, number: int, asked: Asked) -> None:
    if not asked.partial:
        raise HoldfastError(
            f"{name} {why}; it holds {counted(number, 'sample')}, and which were done first may not be left to chance. "
            "Finish the run, or read what there is with partial=True (--partial)."
        )


def _check_samples(name: str, header: Mapping[str, Any], samples: Sequence[_Sample]) -> None:
    if samples:
        return
    results = mapping(header.get("results") or {}, "results", name)
    total = results.get("total_samples") or 0
    raise HoldfastError(
        f"{name} holds no samples: it was written with log_samples off, and only what {counted(total, 'sample')} come "
        "to, averaged over epochs, is left. Which answers were right cannot be read from that; log the samples."
    )


def _sample(raw: Any, source: str) -> _Sample:
    sample = mapping(raw, "a sample", source)
    if sample.get("id") is None:
        raise HoldfastError(f"{source} has a sample without id.")
    values: dict[str, Any] = {}
    for scorer, score in mapping(sample.get("scores") or {}, "scores", source).items():
        value = score.get("value") if isinstance(score, dict) else score
        if isinstance(value, dict):
            values |= {f"{scorer}.{key}": each for key, each in value.items()}
        else:
            values[scorer] = value
    epoch = sample.get("epoch", 1)
    return _Sample(
        spelled(sample["id"]),
        epoch if isinstance(epoch, int) else 1,
        values,
        bool(sample.get("error")),
        mapping(sample.get("metadata") or {}, "metadata", source),
        _mark(sample.get("input"), sample.get("target")),
    )


def _mark(*held: Any) -> int:
    """A number for input and target, by which those of two runs are compared."""
    plain = all(isinstance(each, (str, int)) for each in held)
    return hash(held if plain else json.dumps(held, sort_keys=True))


# ---- To runs


def _run(name: str, header: dict[str, Any], samples: list[_Sample], asked: Asked, partial: bool) -> Run:
    evaluation = mapping(header.get("eval") or {}, "eval", name)
    dataset = mapping(evaluation.get("dataset") or {}, "dataset", name)
    declared = [mapping(each, "a scorer", name) for each in sequence(evaluation.get("scorers") or [], "scorers", name)]
    names = _score_names(declared, samples)
    headline = _headline(header)
    chosen = _chosen(asked, names, name, headline)
    rows = [
        Row(
            sample.id,
            sample.values.get(chosen),
            CRASHED if sample.crashed else UNSCORED,
            sample.metadata,
            sample.epoch,
            sample.prompt,
        )
        for sample in samples
    ]
    notes = []
    absent = _absent(evaluation, dataset, {(row.id, row.repeat) for row in rows})
    if partial and absent:
        notes.append(
            f"{name} is read as far as the run came: {counted(len(absent), 'sample')} of {len(absent) + len(rows):,} "
            "were never answered, and those that were may be the quicker or easier ones."
        )
        absent = []
    known = {row.id: row for row in rows}
    rows += [known.get(id_, Row(id_, None))._replace(value=None, reason=ABSENT, repeat=epoch) for id_, epoch in absent]
    run = run_of(
        rows,
        asked,
        names=names,
        headline=headline,
        right_or_wrong=_right_or_wrong(chosen, declared),
        longest=sys.maxsize,
        tool="Inspect",
        version=text(mapping(evaluation.get("packages") or {}, "packages", name).get("inspect_ai")),
        source=name,
        model=text(evaluation.get("model")) or "unnamed",
        task=text(evaluation.get("task")) or "unnamed",
        score_name=chosen,
        option="scorer",
        alike={
            "task": evaluation.get("task"),
            "version of the task": evaluation.get("task_version"),
            "data set": dataset.get("name"),
        },
        settings=mapping(evaluation.get("task_args") or {}, "arguments of the task", name),
    )
    cluster, more = _cluster(asked, chosen, declared, run.groups)
    divisions = tuple(key for key in _options(_metrics(chosen, declared), "group_key") if key in run.groups)
    return replace(run, cluster=cluster, divisions=divisions, notes=(*notes, *more))


def _score_names(declared: Sequence[Mapping[str, Any]], samples: Sequence[_Sample]) -> list[str]:
    """All scores by name, in the order of the scorers; those that a scorer gives under keys of its own apart."""
    seen = [*dict.fromkeys(name for sample in samples for name in sample.values)]
    names: list[str] = []
    for scorer in declared:
        own = str(scorer.get("name"))
        names += [each for each in seen if each == own or each.startswith(f"{own}.")] or [own]
    return [*dict.fromkeys([*names, *seen])]


def _headline(header: Mapping[str, Any]) -> str | None:
    """The score that the log puts first."""
    results = header.get("results")
    named = results.get("headline") if isinstance(results, dict) else None
    if not isinstance(named, dict) or not isinstance(named.get("scorer"), str):
        return None
    scorer, score = named["scorer"], named.get("score")
    return scorer if score in (None, scorer) else f"{scorer}.{score}"


def _chosen(asked: Asked, names: Sequence[str], source: str, headline: str | None) -> str:
    keys = [name for name in names if asked.scorer is not None and name.startswith(f"{asked.scorer}.")]
    if keys and asked.scorer not in names:
        raise SeveralThings(
            f"The scorer {quoted(asked.scorer)} of {source} gives several values: {listed(keys)}. Say which with "
            "scorer= (--scorer).",
            "scorer",
            keys,
        )
    return asked.one("scorer", names, source, headline)


def _right_or_wrong(chosen: str, declared: Sequence[Mapping[str, Any]]) -> bool:
    """Whether the scorer is one of Inspect's own that gives no partial credit."""
    for scorer in declared:
        if scorer.get("name") == chosen:
            own = chosen.removeprefix(OWN_PACKAGE)
            options = scorer.get("options")
            credit = isinstance(options, dict) and bool(options.get("partial_credit"))
            return own in RIGHT_OR_WRONG or (own in MODEL_GRADED and not credit)
    return False


def _metrics(chosen: str, declared: Sequence[Mapping[str, Any]]) -> list[Any]:
    """What the scorer's answers are summed up by; of one that gives several values, those of this one."""
    for scorer in declared:
        own, metrics = str(scorer.get("name")), scorer.get("metrics")
        if own == chosen and isinstance(metrics, list):
            return metrics
        if chosen.startswith(f"{own}.") and isinstance(metrics, dict):
            key = chosen.removeprefix(f"{own}.")
            return [each for name in (key, "*") for each in metrics.get(name) or []]
    return []


def _options(metrics: Iterable[Any], name: str) -> list[str]:
    """What metrics are told under a name, each once."""
    told = [metric.get("options") or {} for metric in metrics if isinstance(metric, dict)]
    return [*dict.fromkeys(str(each[name]) for each in told if isinstance(each, dict) and each.get(name))]


def _cluster(
    asked: Asked, chosen: str, declared: Sequence[Mapping[str, Any]], groups: Mapping[str, Any]
) -> tuple[str | None, tuple[str, ...]]:
    """The column that the log declares as what questions come from: for this score, or else for another."""
    if asked.cluster is not None:
        return asked.cluster, ()
    own = [key for key in _options(_metrics(chosen, declared), "cluster") if key in groups]
    if len(own) == 1:
        return own[0], ()
    everywhere: list[Any] = []
    for scorer in declared:
        metrics = scorer.get("metrics")
        everywhere += [each for one in metrics.values() for each in one or []] if isinstance(metrics, dict) else []
        everywhere += metrics if isinstance(metrics, list) else []
    keys = [key for key in _options(everywhere, "cluster") if key in groups]
    if len(keys) == 1:
        return keys[0], (
            f"The log clusters its questions by {quoted(keys[0])} for another scorer; they are drawn alike here.",
        )
    if keys:
        raise HoldfastError(
            f"The log clusters its questions in several ways, by {listed(keys)}: say which with cluster= (--cluster)."
        )
    return None, ()


def _absent(
    evaluation: Mapping[str, Any], dataset: Mapping[str, Any], there: set[tuple[str, int]]
) -> list[tuple[str, int]]:
    """The samples that were asked and of which the log has nothing."""
    config = evaluation.get("config")
    epochs = config.get("epochs") if isinstance(config, dict) else 1
    ids = dataset.get("sample_ids")
    if not isinstance(ids, list) or not isinstance(epochs, int):
        return []
    every = ((spelled(each), epoch) for epoch in range(1, epochs + 1) for each in ids)
    return [each for each in every if each not in there]
