"""holdfast bound: I only have counts, or a file of losses; holdfast plan: how much data would settle it?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import rich_click as click

from holdfast.cli.options import (
    busy,
    command_line,
    confidence_option,
    json_option,
    listed,
    method_option,
    show,
    side_option,
    tell,
)
from holdfast.cli.verb import Read, Verb
from holdfast.errors import HoldfastError

if TYPE_CHECKING:
    from holdfast.claims import Side


@click.command(cls=Verb)
@click.option("--errors", type=int, help="Number of errors on the test set.")
@click.option("--n", type=int, help="Number of examples in the test set.")
@click.option("--losses", type=Read(), metavar="FILE", help="A file with one loss a line; - for standard input.")
@click.option("--column", help="Which column of the file holds the losses.")
@click.option("--low", type=float, help="Smallest value the loss can take.  [default: 0]")
@click.option("--high", type=float, help="Largest value the loss can take.  [default: 1]")
@click.option("--levels", metavar="NUMBER,...", help="All that a loss can be, fixed beforehand: 0,0.5,1.")
@click.option(
    "--order",
    type=click.Choice(["drawn"]),
    help="Say that the losses stand in the order in which they were drawn, as methods that bet on them need.",
)
@click.option("--unlabelled", type=int, help="Claim about this many examples still unlabelled.")
@click.option("--all", "every", is_flag=True, help="Show every method that fits, side by side.")
@method_option
@side_option
@confidence_option
@json_option
def bound(
    errors: int | None,
    n: int | None,
    losses: str | None,
    unlabelled: int | None,
    every: bool,
    method: str | None,
    side: Side,
    confidence: str,
    as_json: bool,
    **of_losses: Any,
) -> None:
    """How wrong is the classifier, really? From counts, or from losses.

    holdfast bound --errors 8 --n 30
    """
    from holdfast.claims import chance_of_error
    from holdfast.evidence import Counts, Losses, Sample
    from holdfast.report import Report
    from holdfast.report.facts.listing import BoundFacts
    from holdfast.sources.losses import read_losses
    from holdfast.verbs.bound import bound as make_claim
    from holdfast.verbs.bound import every_bound

    delta = float(chance_of_error(confidence))
    sample: Sample
    fingerprint = None
    if losses is not None and (errors, n) == (None, None):
        low, high, levels = (of_losses[name] for name in ("low", "high", "levels"))
        ends = 0.0 if low is None else low, 1.0 if high is None else high
        values, steps = read_losses(losses, of_losses["column"]), listed("--levels", levels) or None
        given = Losses(values, *ends, order=of_losses["order"], levels=steps)
        sample, fingerprint = given, given.fingerprint
        if given.only_ends and not given.levels:
            tell(
                "Every loss is at one end of its range. If it can be nothing else, count them and use --errors and "
                "--n: the limits are tighter."
            )
    elif errors is not None and n is not None and losses is None:
        if beside := [name for name in ("column", "low", "high", "levels", "order") if of_losses[name] is not None]:
            raise HoldfastError(f"--{beside[0]} goes with --losses FILE, not with --errors and --n.")
        sample = Counts(errors, n)
    else:
        raise HoldfastError("Give --errors and --n, or --losses FILE.")
    origin: dict[str, Any] = {"command": command_line(), "rows": int(sample.n), "fingerprint": fingerprint}
    if every:
        if method or unlabelled is not None:
            raise HoldfastError("--all shows every method; leave out --method and --unlabelled.")
        with busy("Enumerating"):
            table = every_bound(sample, delta=delta, side=side)
        show(Report.of(table.lines, **origin), as_json)
    else:
        claim = make_claim(sample, method, delta=delta, side=side, unlabelled=unlabelled)
        show(Report.of([claim], BoundFacts(), **origin), as_json)


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
