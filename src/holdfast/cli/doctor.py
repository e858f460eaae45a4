"""holdfast doctor: what is in logs of evaluations, and what is wrong with them."""

from __future__ import annotations

import rich_click as click

from holdfast.cli.options import busy, command_line, json_option, show
from holdfast.cli.verb import Read, Verb


@click.command(cls=Verb)
@click.argument("logs", type=Read(), nargs=-1, required=True, metavar="LOG...")
@click.option("--task", metavar="NAME", help="The only task to look at.")
@click.option("--partial", is_flag=True, help="Look at runs that did not finish as far as they came.")
@json_option
def doctor(logs: tuple[str, ...], task: str | None, partial: bool, as_json: bool) -> int:
    """What is in these logs, what can be claimed from them, and what is missing or not comparable?

    Exits with 0 if nothing is wrong, 1 if something is, 2 if nothing can be read.

    holdfast doctor run1.eval run2.eval
    """
    from holdfast.report.facts.listing import ExaminationFacts
    from holdfast.verbs.doctor import doctor as examine

    with busy("Reading"):
        report = examine(list(logs), task=task, partial=partial).with_command(command_line())
    show(report, as_json)
    assert isinstance(report.facts, ExaminationFacts)
    return 1 if report.facts.problems else 0
