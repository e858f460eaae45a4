"""holdfast methods: what is there."""

from __future__ import annotations

import rich_click as click

from holdfast.cli.options import EntryName, command_line, json_option, show
from holdfast.cli.verb import Verb


@click.command(cls=Verb)
@click.argument("name", type=EntryName(), required=False)
@json_option
def methods(name: str | None, as_json: bool) -> None:
    """The catalog of methods, or everything about one of them.

    holdfast methods clopper-pearson
    """
    from holdfast.catalog import Procedure, find_entry, procedures
    from holdfast.catalog import methods as catalog
    from holdfast.render.text.catalog import method_parts, methods_parts, procedure_parts
    from holdfast.report import Report

    if name is None:
        entries = {"methods": [each.to_dict() for each in catalog()]}
        entries["procedures"] = [each.to_dict() for each in procedures()]
        show(Report.of([], entries, command=command_line()), methods_parts(**entries), as_json)
        return
    found = find_entry(name)
    kind, parts = ("procedures", procedure_parts) if isinstance(found, Procedure) else ("methods", method_parts)
    show(Report.of([], {kind: [found.to_dict()]}, command=command_line()), parts(found.to_dict()), as_json)
