"""holdfast decompose: what is the loss made of, bias or variance?"""

from __future__ import annotations

from typing import Any

import rich_click as click

from holdfast.cli.options import confidence_option, json_option, labels_option, taken
from holdfast.cli.pictures import Output, picture_options
from holdfast.cli.training import LEARNER, learner_and_examples, listed_values, training_options, watched
from holdfast.cli.verb import Verb
from holdfast.errors import HoldfastError


@click.command(cls=Verb)
@training_options
@click.option(
    "--loss",
    type=click.Choice(["zero-one", "squared"]),
    default="zero-one",
    show_default=True,
    help="Which loss is taken apart.",
)
@click.option(
    "--outputs",
    type=click.Choice(["labels", "probabilities"]),
    default="labels",
    show_default=True,
    help="Of what the squared loss is taken.",
)
@click.option("--rounds", type=int, default=50, show_default=True, help="The number of training sets.")
@click.option("--test-share", type=float, default=1 / 3, show_default="1/3", help="The share of the rows that test.")
@click.option("--parameter", metavar="NAME", help="A parameter of the estimator to go along.")
@click.option("--values", metavar="A,B,...|A..B", help="The values to try it at: 1,2,5 or 1..12 or linear,rbf.")
@labels_option
@confidence_option
@picture_options("decomposition.svg, decomposition.png")
@json_option
def decompose(parameter: str | None, values: str | None, **given: Any) -> None:
    """How much of the loss do all models share, and how much do they disagree? From data and a learner.

    holdfast decompose data.csv --target class --estimator sklearn.tree:DecisionTreeClassifier
    --parameter max_depth --values 1..12
    """
    from holdfast.report.facts.kind import Kind
    from holdfast.verbs.cross.decompose import decompose as make_report

    if (parameter is None) != (values is None):
        raise HoldfastError("A parameter is tried at values: give both --parameter NAME and --values A,B,...")
    output = Output.of(given, Kind.DECOMPOSITION)
    training = learner_and_examples(**taken(given, *LEARNER))
    with watched("Training") as progress:
        report = make_report(
            parameter=parameter,
            values=None if values is None else listed_values("--values", values),
            progress=progress,
            **training.given,
            **given,
        )
    output.answer(report)
