"""holdfast threshold: from which score on, and what may then be claimed."""

from __future__ import annotations

from contextlib import suppress
from decimal import Decimal
from typing import Any

import rich_click as click

from holdfast.cli.options import busy, confidence_option, json_option, looks_option, taken, together_option
from holdfast.cli.pictures import Output, picture_options
from holdfast.cli.rows import column_options, divisions, drawn_options, prevalences, read_rows
from holdfast.cli.verb import Read, Verb
from holdfast.errors import HoldfastError

MOST_CANDIDATES = 100_000
# What the verb takes as it was given; what is left says where the rows are.
SETTINGS = (
    *("positive", "labels", "candidates", "simultaneous", "looks", "confidence"),
    *("max_cluster", "sampling"),
)


class Numbers(click.ParamType):  # type: ignore[type-arg]  # takes none before click 8.4
    """Thresholds: 0.5, 0.2,0.5,0.8 or 0.01..0.99 in hundredths, as the ends are written."""

    name = "thresholds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> list[float]:
        if isinstance(value, list):
            return value
        found: list[float] = []
        with suppress(ValueError, ArithmeticError):
            found = _steps(value) if ".." in value else [float(part) for part in value.split(",")]
        if not found:
            self.fail(f"{value!r} is no list of thresholds; write 0.5, or 0.2,0.5,0.8, or 0.01..0.99.", param, ctx)
        return found


def _steps(span: str) -> list[float]:
    """All numbers from the first to the last with as many decimals as these have."""
    low, high = map(Decimal, span.split(".."))
    step = min(Decimal(1).scaleb(int(end.as_tuple().exponent)) for end in (low, high))
    number = int((high - low) / step) + 1
    return [float(low + i * step) for i in range(number)] if number <= MOST_CANDIDATES else []


@click.command(cls=Verb)
@column_options
@click.option("--specificity-at-least", type=float, metavar="RATE", help="Prove that so many others are spared.")
@click.option(
    "--sensitivity-at-least", "--recall-at-least", type=float, metavar="RATE", help="Prove that so many are found."
)
@click.option("--precision-at-least", type=float, metavar="RATE", help="Prove that so many calls are right.")
@click.option(
    "--costs",
    type=Read(),
    metavar="FILE",
    help="Find the least expected cost instead; a file of what each answer costs, its corner predicted \\ actual.",
)
@click.option(
    "--candidates",
    type=Numbers(),
    help="Only these thresholds: 0.2,0.5,0.8 or 0.01..0.99; fixed beforehand.  [default: any number]",
)
@drawn_options
@together_option
@looks_option
@confidence_option
@picture_options("rates.svg, trade-off.png")
@json_option
def threshold(by: tuple[str, ...], **given: Any) -> int:
    """A threshold of the score that one may then claim, though it was chosen on these data.

    holdfast threshold predictions.csv --positive fraud --specificity-at-least 0.95

    Exit code 0: found, 3: not enough data.
    """
    from holdfast.report.facts.kind import Kind
    from holdfast.sources.costs import read_costs
    from holdfast.verbs.threshold.threshold import threshold as choose

    goal = taken(given, "specificity_at_least", "sensitivity_at_least", "precision_at_least", "costs")
    if [*goal.values()].count(None) != 3:
        raise HoldfastError(
            "Say what the threshold shall prove, and only one thing: --specificity-at-least RATE, "
            "--sensitivity-at-least RATE or --precision-at-least RATE; or --costs FILE for the least expected cost."
        )
    output = Output.of(given, Kind.THRESHOLD)
    settings = taken(given, *SETTINGS) | {"prevalence": prevalences(given.pop("prevalence")) or None}
    with busy("Reading and choosing"):
        rows = read_rows(by=by, **given)
        if goal["costs"] is not None:
            goal["costs"] = read_costs(goal["costs"])
        made = choose(rows, by=divisions(by) or None, **goal, **settings)
    output.answer(made)
    return made.answer.exit_code
