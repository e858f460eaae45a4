"""HELM: `per_instance_stats.json` of a run, with the `run_spec.json` beside it, which names the model."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from holdfast.errors import HoldfastError
from holdfast.sources.logs.asked import Asked
from holdfast.sources.logs.documents import Document
from holdfast.sources.logs.run import Row, Run, mapping, run_of, sequence, text
from holdfast.wording import counted

RIGHT_OR_WRONG = {"exact_match", "quasi_exact_match", "prefix_exact_match", "quasi_prefix_exact_match"}
PERTURBED = "perturbation"


def recognises(document: Document) -> bool:
    return document.shape == "json" and isinstance(document.first, list) and {"instance_id", "stats"} <= document.keys


def runs(documents: Sequence[Document], asked: Asked) -> Iterator[Run]:
    asked.refuse_idle("HELM", ("metric", "split"), {"scorer": "metric"})
    for document in documents:
        beside = document.beside("run_spec.json")
        spec = beside.first if beside is not None and isinstance(beside.first, dict) else {}
        yield _run(document, spec, asked)


def _run(document: Document, spec: Mapping[str, Any], asked: Asked) -> Run:
    whole = [mapping(each, "an instance", document.name) for each in document.first]
    plain = [each for each in whole if not each.get(PERTURBED)]
    stats = [(each, name, stat) for each in plain for name, stat in _stats(each, document.name)]
    splits = [*dict.fromkeys(str(name.get("split")) for _, name, _ in stats)]
    split = asked.one("split", splits, document.name)
    stats = [one for one in stats if str(one[1].get("split")) == split]
    present = [*dict.fromkeys(str(name["name"]) for _, name, _ in stats)]
    metrics = [name for name in _declared(spec) if name in present] or present
    metric = asked.one("metric", metrics if asked.metric in (None, *metrics) else present, document.name)
    rows = [
        Row(
            str(each.get("instance_id")),
            stat.get("mean"),
            groups={"sub_split": name.get("sub_split")},
            repeat=int(each.get("train_trial_index") or 0) + 1,
        )
        for each, name, stat in stats
        if name["name"] == metric
    ]
    adapter = mapping(spec.get("adapter_spec") or {}, "adapter_spec", document.name)
    scenario = mapping(spec.get("scenario_spec") or {}, "scenario_spec", document.name)
    folder = "unnamed" if document.path is None else document.path.parent.name
    task = str(spec.get("name") or folder).split(":")[0]
    perturbed = len(whole) - len(plain)
    return run_of(
        rows,
        asked,
        right_or_wrong=metric in RIGHT_OR_WRONG,
        tool="HELM",
        source=document.name if document.path is None else f"{folder}/{document.path.name}",
        model=text(adapter.get("model")) or folder,
        task=task,
        score_name=f"{metric}, {split}",
        others=tuple(name for name in metrics if name != metric),
        alike={
            "task": task,
            "scenario": json.dumps(scenario, sort_keys=True),
            "number of examples in the prompt": adapter.get("max_train_instances"),
            "instructions": adapter.get("instructions"),
        },
        notes=(f"{counted(perturbed, 'row')} of perturbed instances are left out.",) if perturbed else (),
    )


def _stats(each: Mapping[str, Any], source: str) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    for stat in sequence(each.get("stats"), "stats", source):
        name = mapping(mapping(stat, "a stat", source).get("name"), "a name", source)
        if "name" not in name:
            raise HoldfastError(f"{source} has a stat without name. It may be damaged.")
        if not name.get(PERTURBED):
            yield name, stat


def _declared(spec: Mapping[str, Any]) -> list[str]:
    """The metrics that the run asked for; all else that is counted, such as tokens, is no score."""
    specs = spec.get("metric_specs")
    told = [each.get("args") or {} for each in specs if isinstance(each, dict)] if isinstance(specs, list) else []
    return [str(name) for each in told for name in each.get("names") or []]
