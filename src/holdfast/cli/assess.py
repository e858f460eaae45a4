"""holdfast assess: predictions in, every measure with its interval out."""

from __future__ import annotations

from typing import Any

import rich_click as click

from holdfast.cli.ledger import given_ledger, ledger_option, rows_known_by
from holdfast.cli.options import (
    MethodName,
    busy,
    confidence_option,
    is_number,
    json_option,
    listed,
    looks_option,
    renamed,
    side_option,
    taken,
)
from holdfast.cli.pictures import Output, picture_options
from holdfast.cli.refusals import reason
from holdfast.cli.rows import column_options, divisions, log_options, read_rows, stated, stated_options
from holdfast.cli.verb import Verb
from holdfast.errors import HoldfastError

# What the verb takes as it was given; what is left says where the rows are.
SETTINGS = (*("simultaneous", "looks", "alpha", "operating_point", "positive", "labels", "confidence", "side", "seed"),)
DRAWN = ("max_cluster", "order", "sampling", "prevalence", "costs")


@click.command(cls=Verb)
@column_options
@stated_options
@log_options
@click.option("--simultaneous", is_flag=True, help="Make all intervals and bands hold together, not each on its own.")
@looks_option
@click.option("--id", metavar="COLUMN", help="The column that names the question of which a row is a sample.")
@click.option("--pass-at", metavar="K,...", help="The chance that one of K samples of a question is right.")
@click.option("--classes", metavar="NUMBER,...", help="All the numbers that classes may be, for squared losses.")
@click.option("--alpha", type=float, default=1.0, show_default=True, help="Steepness of the logistic loss of a margin.")
@click.option("--bins", metavar="N|EDGES", help="Calibration in so many bins of the scores, or between these edges.")
@click.option("--margin", "old_margin", metavar="COLUMN", hidden=True)
@click.option("--measure", "only", multiple=True, help="Only this measure; may be given several times.")
@click.option("--method", type=MethodName(), multiple=True, help="A name from `holdfast methods`, used where it fits.")
@click.option("--clip", type=float, help="Smallest probability in the log loss.  [default: 1e-06]")
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of the bootstrap, where it answers."
)
@side_option
@confidence_option
@picture_options("roc.svg, forest.png, matrix.pdf")
@ledger_option
@json_option
def assess(
    by: tuple[str, ...],
    old_margin: str | None,
    pass_at: str | None,
    classes: str | None,
    bins: str | None,
    only: tuple[str, ...],
    method: tuple[str, ...],
    clip: float | None,
    ledger: str | None,
    key: str | None,
    **given: Any,
) -> None:
    """How wrong is the classifier, really? From a file of predictions, or several, or - for standard input.

    holdfast assess predictions.csv
    """
    from holdfast.measures.ranking import CLIP
    from holdfast.report.facts.kind import Kind
    from holdfast.verbs.assess.assess import assess as make_report

    output = Output.of(given, Kind.ASSESSMENT)
    if old_margin is not None and is_number(old_margin):
        raise HoldfastError(f"assess takes no --margin NUMBER: {reason('assess', '--margin')}.")
    if old_margin is not None:
        given["margin"] = renamed("--margin COLUMN", "--margin-column", old_margin, given["margin"])
    kept = None
    if ledger is not None or key is not None:
        kept = given_ledger(ledger, key, given["truth_file"], given["files"][0])
        rows_known_by(given, kept)
    drawn, settings = taken(given, *DRAWN), taken(given, *SETTINGS)
    with busy("Reading and counting"):
        report = make_report(
            read_rows(by=by, log_groups=not by, **given),
            ledger=kept,
            by=divisions(by) or None,
            pass_at=listed("--pass-at", pass_at),  # type: ignore[arg-type]  # the measure says what k may be
            classes=listed("--classes", classes) or None,
            bins=_bins(bins),
            method=method or None,
            only=only or None,
            clip=CLIP if clip is None else clip,
            **settings,
            **stated(drawn),
        )
    output.answer(report)


def _bins(given: str | None) -> Any:
    """A number of bins, or their edges, or how the scores choose them."""
    if given is None or given in ("grades", "quantiles"):
        return given
    edges = listed("--bins", given)
    return edges[0] if len(edges) == 1 else edges
