"""holdfast plan: how much data would settle it?"""

from __future__ import annotations

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
def plan(
    at_most: float | None,
    half_width: float | None,
    expect: float | None,
    wins: float | None,
    losses: float | None,
    power: float,
    gates: int | None,
    promotions: int | None,
    method: str | None,
    confidence: str,
    as_json: bool,
) -> None:
    """How many examples to label, before they are paid for.

    holdfast plan --at-most 0.05 --expect 0.03 --power 0.9

    holdfast plan --wins 0.04 --losses 0.02 --power 0.8
    """
    from holdfast.report import Report
    from holdfast.report.facts.listing import PlanFacts
    from holdfast.verbs.plan import plan as make_plan

    if (wins is None) != (losses is None):
        raise HoldfastError("A comparison is planned by both --wins SHARE and --losses SHARE.")
    if wins is None and (at_most is None) == (half_width is None):
        raise HoldfastError(
            "Say what shall be shown: --at-most RATE or --half-width WIDTH; "
            "or which of two models is better, by --wins SHARE and --losses SHARE."
        )
    if wins is not None and any(each is not None for each in (at_most, half_width, expect, method)):
        raise HoldfastError("A comparison takes --wins, --losses, --power and --confidence, and no other options.")
    with busy("Planning"):
        made = make_plan(
            at_most=at_most,
            half_width=half_width,
            expect=expect,
            wins=wins,
            losses=losses,
            power=power,
            confidence=confidence,
            method=method,
            gates=gates,
            promotions=promotions,
        )
    claims = [made.claim] if made.claim else []
    show(Report.of(claims, PlanFacts(made), command=command_line()), as_json)
