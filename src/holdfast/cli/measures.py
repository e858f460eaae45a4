"""holdfast measures: what an assessment can tell."""

from __future__ import annotations

import rich_click as click

from holdfast.cli.options import command_line, json_option, show
from holdfast.cli.verb import Verb


@click.command(cls=Verb)
@click.argument("name", required=False)
@json_option
def measures(name: str | None, as_json: bool) -> None:
    """What is measured: every measure of the catalog, or all about one.

    holdfast measures f1
    """
    from holdfast.catalog import find_measure
    from holdfast.catalog import measures as catalog
    from holdfast.render.text.catalog import measure_parts, measures_parts
    from holdfast.report import Report

    entries = [entry.to_dict() for entry in ([find_measure(name)] if name else catalog())]
    report = Report.of([], {"measures": entries}, command=command_line())
    show(report, measure_parts(entries[0]) if name else measures_parts(entries), as_json)
