"""holdfast methods, holdfast measures: what is there."""

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
    from holdfast.report import Report
    from holdfast.report.facts.listing import MethodsFacts

    if name is None:
        facts = MethodsFacts(*(tuple(each.to_dict() for each in entries) for entries in (catalog(), procedures())))
    else:
        entry = find_entry(name)
        kind = "procedures" if isinstance(entry, Procedure) else "methods"
        facts = MethodsFacts(**{kind: (entry.to_dict(),)})
    show(Report.of([], facts, command=command_line()), as_json)


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
