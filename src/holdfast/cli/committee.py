"""holdfast committee: what can be said about the vote of several models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import rich_click as click

from holdfast.cli.options import busy, command_line, confidence_option, json_option, no_order, show
from holdfast.cli.panel import answers, parts_of_models, several_models
from holdfast.cli.pictures import checked, picture_options, write
from holdfast.cli.verb import Verb
from holdfast.errors import HoldfastError


@click.command(cls=Verb)
@several_models
@click.option(
    "--vote",
    type=click.Choice(["majority", "weighted"]),
    help="How the models vote.  [default: majority; with --weight, weighted]",
)
@click.option(
    "--target", metavar="COLUMN", help="In the unlabelled file: a classifier to ask about in place of a vote."
)
@click.option("--fitted", is_flag=True, help="The weights were chosen with these labels in view.")
@confidence_option
@picture_options("ways.svg, agreement.png")
@no_order
@json_option
def committee(
    vote: str | None,
    target: str | None,
    fitted: bool,
    confidence: str,
    page: str | None,
    charts: Sequence[str],
    as_json: bool,
    weights: Sequence[str],
    **given: Any,
) -> None:
    """How often does the vote of several models err? What each method can say, side by side.

    holdfast committee validation.csv --unlabelled test.csv --models 'm_*' --vote majority
    """
    from holdfast.render.charts import OF_COMMITTEES
    from holdfast.render.text.committee import committee_parts
    from holdfast.verbs.panel.committee import committee as make_report

    if target is not None and given["unlabelled"] is None:
        raise HoldfastError("--target names a column of the file of --unlabelled; give both.")
    pictures = checked(page, charts, known=list(OF_COMMITTEES))
    with busy("Reading and counting"):
        labelled, unlabelled = answers(**given, target=target)
        report = make_report(
            labelled,
            unlabelled=unlabelled,
            target=target,
            vote=vote,  # type: ignore[arg-type]  # click checked the choice
            weights=parts_of_models(weights),
            fitted=fitted,
            confidence=confidence,
            command=command_line(),
        )
    show(report, committee_parts(report), as_json)
    write(report, page, pictures)
