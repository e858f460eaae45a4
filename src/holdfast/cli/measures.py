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
    from holdfast.report import Report
    from holdfast.report.facts.listing import MeasuresFacts

    entries = [entry.to_dict() for entry in ([find_measure(name)] if name else catalog())]
    show(Report.of([], MeasuresFacts(tuple(entries)), command=command_line()), as_json)
