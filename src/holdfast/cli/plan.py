"""holdfast plan: how much data would settle it?"""

from __future__ import annotations

from typing import Any

import rich_click as click

from holdfast.cli.options import busy, command_line, confidence_option, json_option, method_option, show
from holdfast.cli.verb import Verb
from holdfast.errors import HoldfastError


@click.command(cls=Verb)
@click.option("--at-most", type=float, help="The error rate to be proven.")
@click.option("--half-width", type=float, help="Instead: how far the interval may reach to either side.")
@click.option("--expect", type=float, help="The error rate the classifier is thought to have.")
@click.option("--wins", type=float, help="To compare two models: share of examples only the first gets right.")
@click.option("--losses", type=float, help="And the share that only the second gets right.")
@click.option("--power", type=float, default=0.9, show_default=True, help="Chance of success if that is right.")
@click.option("--gates", type=int, metavar="K", help="For a test set that a ledger lets be asked so often.")
@click.option("--promotions", type=int, metavar="M", help="And how many may be proven before others follow.")
@method_option
@confidence_option
@json_option
def plan(as_json: bool, **given: Any) -> None:
    """How many examples to label, before they are paid for.

    holdfast plan --at-most 0.05 --expect 0.03 --power 0.9

    holdfast plan --wins 0.04 --losses 0.02 --power 0.8
    """
    from holdfast.report import Report
    from holdfast.report.facts.listing import PlanFacts
    from holdfast.verbs.plan import plan as make_plan

    stated = {name for name, value in given.items() if value is not None}
    if len(stated & {"wins", "losses"}) == 1:
        raise HoldfastError("A comparison is planned by both --wins SHARE and --losses SHARE.")
    if "wins" not in stated and len(stated & {"at_most", "half_width"}) != 1:
        raise HoldfastError(
            "Say what shall be shown: --at-most RATE or --half-width WIDTH; "
            "or which of two models is better, by --wins SHARE and --losses SHARE."
        )
    if "wins" in stated and stated & {"at_most", "half_width", "expect", "method"}:
        raise HoldfastError("A comparison takes --wins, --losses, --power and --confidence, and no other options.")
    with busy("Planning"):
        made = make_plan(**given)
    claims = [made.claim] if made.claim else []
    show(Report.of(claims, PlanFacts(made), command=command_line()), as_json)
