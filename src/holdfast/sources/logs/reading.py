"""Which tools' logs are read, by what they hold, and the runs in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from holdfast.errors import HoldfastError, UnknownName
from holdfast.sources.content import Content, Files
from holdfast.sources.logs.asked import Asked, only_task
from holdfast.sources.logs.documents import Document, document_of
from holdfast.sources.logs.run import Run
from holdfast.sources.logs.tools import inspect_ai, lm_eval
from holdfast.wording import listed


@dataclass(frozen=True)
class Tool:
    """A tool that writes logs: how they are known by what they hold, and how they become runs."""

    name: str
    recognises: Callable[[Document], bool]
    runs: Callable[[Sequence[Document], Asked], Iterable[Run]]
    versions: tuple[str, ...]  # of the tool whose logs were read
    holds: str  # what is read, in a line for the documentation


TOOLS: tuple[Tool, ...] = (
    Tool(
        "Inspect",
        inspect_ai.recognises,
        inspect_ai.runs,
        ("0.3.285",),
        "`.eval` archives (Zstandard or deflate) and `.json` logs, format version 2",
    ),
    Tool(
        "lm-eval",
        lm_eval.recognises,
        lm_eval.runs,
        ("0.4.13",),
        "`samples_<task>_<time>.jsonl` with the `results_<time>.json` beside it",
    ),
)


def tool_of(document: Document | None) -> Tool | None:
    """The tool that wrote the document, by what it holds."""
    return None if document is None else next((tool for tool in TOOLS if tool.recognises(document)), None)


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
    runs = [*tool.runs([document for document in documents if document is not None], asked)]
    only_task(asked, [run.task for run in runs], files.name)
    if unknown := [name for name in asked.models if name not in {run.model for run in runs}]:
        raise UnknownName(f"model in {files.name}", unknown[0], [*dict.fromkeys(run.model for run in runs)])
    chosen = (run for run in runs if asked.has_model(run.model))
    return [replace(run, asked=asked, cluster=asked.cluster or run.cluster) for run in chosen]
