"""SWE-bench: the report of a run, which names every instance of the data set under what became of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from holdfast.errors import HoldfastError
from holdfast.sources.logs.asked import Asked
from holdfast.sources.logs.documents import Document
from holdfast.sources.logs.run import ABSENT, CRASHED, Row, Run, run_of, sequence
from holdfast.wording import counted

RESOLVED = "resolved"
FATES = ("resolved_ids", "unresolved_ids", "error_ids", "empty_patch_ids", "incomplete_ids")
BY_REPOSITORY = (
    "Instances of one repository may depend on each other: cluster='repository' (--cluster repository) takes "
    "repositories for what was drawn. SWE-bench itself counts whatever was not resolved as wrong."
)


def recognises(document: Document) -> bool:
    return document.shape == "json" and {"resolved_ids", "unresolved_ids", "total_instances"} <= document.keys


def runs(documents: Sequence[Document], asked: Asked) -> Iterator[Run]:
    asked.refuse_idle("SWE-bench", ())
    for document in documents:
        yield _run(document, document.first, asked)


def _run(document: Document, report: dict[str, Any], asked: Asked) -> Run:
    held = {fate: [str(each) for each in sequence(report.get(fate) or [], fate, document.name)] for fate in FATES}
    broken = {*held["error_ids"], *map(str, report.get("infra_failure_ids") or [])}
    every = [*dict.fromkeys(id_ for ids in held.values() for id_ in ids)]
    total = report.get("total_instances")
    if isinstance(total, int) and total != len(every):
        raise HoldfastError(
            f"{document.name} is about {counted(total, 'instance')} and names what became of {len(every):,} of them; "
            "the others would be lost without a word."
        )
    resolved, missing = {*held["resolved_ids"]}, {*held["incomplete_ids"]}
    rows = []
    for id_ in every:
        lost = id_ in missing or id_ in broken
        value = None if lost else id_ in resolved
        rows.append(Row(id_, value, ABSENT if id_ in missing else CRASHED, {"repository": id_.rpartition("-")[0]}))
    return run_of(
        rows,
        asked,
        tool="SWE-bench",
        version=None if "schema_version" not in report else f"(schema {report['schema_version']})",
        source=document.name,
        model="unnamed" if document.path is None else document.path.name.removesuffix(".json"),
        task="SWE-bench",
        score_name=RESOLVED,
        headline=RESOLVED,
        notes=(BY_REPOSITORY,),
    )
