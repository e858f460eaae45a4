"""holdfast plan: how much data would settle it?"""

from __future__ import annotations

import rich_click as click

from holdfast.cli.options import busy, command_line, confidence_option, json_option, method_option, show
from holdfast.errors import HoldfastError


@click.command()
@click.option("--at-most", type=float, help="The error rate to be proven.")
@click.option("--half-width", type=float, help="Instead: half the width the interval shall have.")
@click.option("--expect", type=float, help="The error rate the classifier is thought to have.")
@click.option("--power", type=float, default=0.9, show_default=True, help="Chance of success if that is right.")
@method_option
@confidence_option
@json_option
def plan(
    at_most: float | None,
    half_width: float | None,
    expect: float | None,
    power: float,
    method: str | None,
    confidence: str,
    as_json: bool,
) -> None:
    """How many examples to label, before they are paid for.

    holdfast plan --at-most 0.05 --expect 0.03 --power 0.9
    """
    from holdfast.render.text import plan_parts
    from holdfast.report import Report
    from holdfast.verbs.plan import plan as make_plan

    if (at_most is None) == (half_width is None):
        raise HoldfastError("Say what shall be shown: --at-most RATE or --half-width WIDTH.")
    with busy("Planning"):
        made = make_plan(
            at_most=at_most,
            half_width=half_width,
            expect=expect,
            power=power,
            confidence=confidence,
            method=method or "clopper-pearson",
        )
    claims = [made.claim] if made.claim else []
    show(Report.of(claims, {"plan": made.to_dict()}, command=command_line()), plan_parts(made), as_json)
