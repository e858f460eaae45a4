"""holdfast committee: what can be said about the vote of several models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import rich_click as click

from holdfast.cli.options import busy, confidence_option, json_option, looks_option, no_order, taken, together_option
from holdfast.cli.panel import answers, several_models, shares_and_weight
from holdfast.cli.pictures import Output, picture_options
from holdfast.cli.rows import divisions
from holdfast.cli.verb import Verb
from holdfast.errors import HoldfastError


@click.command(cls=Verb)
@several_models
@click.option(
    "--vote",
    type=click.Choice(["majority", "weighted"]),
    help="How the models vote.  [default: majority; with --share, weighted]",
)
@click.option(
    "--target", metavar="COLUMN", help="In the unlabelled file: a classifier to ask about in place of a vote."
)
@click.option("--fitted", is_flag=True, help="The shares were chosen with these labels in view.")
@together_option
@looks_option
@confidence_option
@picture_options("ways.svg, agreement.png")
@no_order
@json_option
def committee(target: str | None, shares: Sequence[str], weight: Sequence[str], **given: Any) -> None:
    """How often does the vote of several models err? What each method can say, side by side.

    holdfast committee validation.csv --unlabelled test.csv --models 'm_*' --vote majority
    """
    from holdfast.report.facts.kind import Kind
    from holdfast.verbs.panel.committee import committee as make_report

    if target is not None and given["unlabelled"] is None:
        raise HoldfastError("--target names a column of the file of --unlabelled; give both.")
    output = Output.of(given, Kind.COMMITTEE)
    settings = taken(given, "vote", "fitted", "simultaneous", "looks", "confidence")
    parts, column = shares_and_weight(shares, weight)
    with busy("Reading and counting"):
        labelled, unlabelled, design = answers(**given, weight=column, target=target)
        report = make_report(
            labelled,
            unlabelled=unlabelled,
            target=target,
            share=parts,
            by=divisions(given["by"]) or None,
            design=design,
            **settings,
        )
    output.answer(report)
