"""holdfast threshold: from which score on, and what may then be claimed."""

from __future__ import annotations

from contextlib import suppress
from decimal import Decimal
from typing import Any

import rich_click as click

from holdfast.cli.options import Command, busy, by_name, command_line, confidence_option, json_option, show
from holdfast.cli.rows import DESIGN, column_options, divisions, read_rows
from holdfast.cli.targets import Read
from holdfast.cli.verb import Verb
from holdfast.errors import HoldfastError

MOST_CANDIDATES = 100_000
DRAWN = (
    click.option("--by", metavar="COLUMN,...", multiple=True, help="Prove it of each group of rows."),
    click.option("--cluster", metavar="COLUMN", help="The column that says which passage, patient ... a row is from."),
    click.option("--max-cluster", type=int, metavar="ROWS", help="The most rows a cluster can hold, fixed beforehand."),
    click.option(
        "--sampling",
        type=click.Choice(["random", "by-class"]),
        help="by-class if how many examples there are of each class was chosen.  [default: random]",
    ),
    click.option(
        "--prevalence",
        metavar="LABEL=SHARE",
        multiple=True,
        help="How frequent a class truly is; sick=0.03..0.07 for the worst over a range.",
    ),
    *DESIGN,
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


def drawn_options(command: Command) -> Command:
    """How the rows were drawn, and how they are divided."""
    for option in reversed(DRAWN):
        command = option(command)
    return command


def _prevalence(given: tuple[str, ...]) -> dict[str, float | tuple[float, ...]] | None:
    """How frequent each class is, as LABEL=SHARE or LABEL=LOW..HIGH."""
    by_name("--prevalence", (pair.rpartition("=")[::2] for pair in given))
    shares: dict[str, float | tuple[float, ...]] = {}
    for pair in given:
        label, equals, share = pair.rpartition("=")
        ends: tuple[float, ...] = ()
        with suppress(ValueError):
            ends = tuple(float(end) for end in share.split(".."))
        if not label or not equals or not 1 <= len(ends) <= 2:
            raise HoldfastError(
                f"--prevalence takes LABEL=SHARE, such as fraud=0.002, or a range, fraud=0.001..0.004; got {pair!r}."
            )
        shares[label] = ends[0] if len(ends) == 1 else ends
    return shares or None


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
@confidence_option
@json_option
def threshold(
    specificity_at_least: float | None,
    sensitivity_at_least: float | None,
    precision_at_least: float | None,
    costs: str | None,
    by: tuple[str, ...],
    max_cluster: int | None,
    sampling: str | None,
    prevalence: tuple[str, ...],
    positive: str | None,
    labels: list[str] | None,
    candidates: list[float] | None,
    confidence: str,
    as_json: bool,
    **columns: Any,
) -> int:
    """A threshold of the score that one may then claim, though it was chosen on these data.

    holdfast threshold predictions.csv --positive fraud --specificity-at-least 0.95

    Exit code 0: found, 3: not enough data.
    """
    from holdfast.sources.costs import read_costs
    from holdfast.verbs.threshold.threshold import threshold as choose

    if [specificity_at_least, sensitivity_at_least, precision_at_least, costs].count(None) != 3:
        raise HoldfastError(
            "Say what the threshold shall prove, and only one thing: --specificity-at-least RATE, "
            "--sensitivity-at-least RATE or --precision-at-least RATE; or --costs FILE for the least expected cost."
        )
    drawn: dict[str, Any] = {
        "max_cluster": max_cluster,
        "sampling": sampling,
        "prevalence": _prevalence(prevalence),
    }
    with busy("Reading and choosing"):
        rows = read_rows(by=by, **columns)
        made = choose(
            rows,
            positive=positive,
            labels=labels,
            specificity_at_least=specificity_at_least,
            sensitivity_at_least=sensitivity_at_least,
            precision_at_least=precision_at_least,
            costs=None if costs is None else read_costs(costs),
            candidates=candidates,
            by=divisions(by) or None,
            confidence=confidence,
            **drawn,
        )
    show(made.with_command(command_line()), as_json)
    return made.answer.exit_code
