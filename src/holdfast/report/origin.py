"""Where an answer comes from: which version made it, by which command, of which data."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Self

from holdfast.plain import Count, Plain, read_keys
from holdfast.wording import json_text

AFTER = ("seed", "looks", "sequential")  # what is told after the command
KINDS: dict[str, Any] = {  # of what is known in JSON
    "version": str,
    "command": str,
    "rows": Count,
    "examples": Count,
    "fingerprint": str,
    "seed": int,
    "looks": Count,
    "sequential": bool,
    "logs": tuple[str, ...],
}


class Provenance(dict[str, Any]):
    """What is known of where an answer comes from, by the names that JSON has for it."""

    def called(self, command: str) -> Provenance:
        """The same, by this call or command."""
        first = {name: value for name, value in self.items() if name not in ("command", *AFTER)}
        return Provenance({**first, "command": command, **{name: self[name] for name in AFTER if name in self}})

    @classmethod
    def from_dict(cls, value: Any) -> Provenance:
        """What was written of it, checked."""
        return cls(read_keys(KINDS, value, optional=KINDS))


def origin(**known: Any) -> Provenance:
    """By this version, and what else is known."""
    from holdfast import __version__

    return Provenance(version=__version__, **{name: value for name, value in known.items() if value is not None})


class Commented:
    """What is laid out as Markdown."""

    def to_markdown(self) -> str:
        """For a comment on a pull request: the verdict, tables, and what is assumed in a fold."""
        from holdfast.render.document.markdown import markdown_of

        return markdown_of(self)  # type: ignore[arg-type]  # one of those that have parts


class Shown(Commented):
    """What is printed in the same parts."""

    def __str__(self) -> str:
        from holdfast.render.kinds import parts_of
        from holdfast.render.text.layout import as_text

        return as_text(*parts_of(self))  # type: ignore[arg-type]  # one of those that have parts


class Written(Shown, Plain):
    """What a verb answers with and a command writes: it has a schema, and knows where it comes from."""

    schema: ClassVar[str]
    provenance: Provenance

    @property
    def command(self) -> str | None:
        """The call or the command that made it."""
        return self.provenance.get("command")

    def with_command(self, command: str) -> Self:
        """The same, as made by this call or command."""
        return replace(self, provenance=self.provenance.called(command))  # type: ignore[type-var]  # a dataclass

    def to_json(self) -> str:
        return json_text(self.to_dict(), indent=2)

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """What `to_json`, or a command with `--json`, wrote."""
        from holdfast.report.reading import answer_of

        return answer_of(cls, text)


class Pictured(Written):
    """An answer with a page and pictures."""

    @cached_property
    def charts(self) -> dict[str, Any]:
        """By name, chart objects that a notebook shows."""
        from holdfast.render.charts import charts_of
        from holdfast.render.kinds import report_of

        return charts_of(report_of(self))

    def save(self, path: str | Path) -> None:
        """Write the answer as one self-contained page (.html), or as JSON (.json)."""
        from holdfast.render.page import save_answer

        save_answer(self, path)
