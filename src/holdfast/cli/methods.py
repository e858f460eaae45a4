"""holdfast methods: what is there."""

from __future__ import annotations

import rich_click as click

from holdfast.cli.options import MethodName, command_line, json_option, show
from holdfast.cli.verb import Verb


@click.command(cls=Verb)
@click.argument("name", type=MethodName(), required=False)
@json_option
def methods(name: str | None, as_json: bool) -> None:
    """The catalog of methods, or everything about one of them.

    holdfast methods clopper-pearson
    """
    from holdfast.catalog import find
    from holdfast.catalog import methods as catalog
    from holdfast.render.catalog import method_parts, methods_parts
    from holdfast.report import Report

    chosen = [find(name)] if name else catalog()
    entries = [bound.to_dict() for bound in chosen]
    report = Report.of([], {"methods": entries}, command=command_line())
    show(report, method_parts(entries[0]) if name else methods_parts(entries), as_json)
