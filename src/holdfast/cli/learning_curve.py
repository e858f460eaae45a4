"""holdfast learning-curve: what would more training buy, and what would it cost in certainty?"""

from __future__ import annotations

from typing import Any

import rich_click as click

from holdfast.cli.options import confidence_option, json_option, labels_option, listed, side_option, taken
from holdfast.cli.pictures import Output, picture_options
from holdfast.cli.training import LEARNER, learner_and_examples, training_options, watched
from holdfast.cli.verb import Verb


@click.command("learning-curve", cls=Verb)
@training_options
@click.option("--shares", metavar="A,B,...", help="Shares of the rows that train.  [default: 0.1,0.2,...,0.9]")
@click.option("--repeats", type=int, default=1, show_default=True, help="In how many random orders of the rows.")
@labels_option
@side_option
@confidence_option
@picture_options("learning-curve.svg, interval-width.png")
@json_option
def learning_curve(shares: str | None, **given: Any) -> None:
    """The error rate and its interval, as more rows train and fewer test. From data and a learner.

    holdfast learning-curve data.csv --target class --estimator sklearn.naive_bayes:GaussianNB
    """
    from holdfast.report.facts.kind import Kind
    from holdfast.verbs.cross.learning_curve import SHARES
    from holdfast.verbs.cross.learning_curve import learning_curve as make_report

    output = Output.of(given, Kind.LEARNING_CURVE)
    training = learner_and_examples(**taken(given, *LEARNER))
    with watched("Training") as progress:
        report = make_report(
            train_shares=listed("--shares", shares) or SHARES,
            progress=progress,
            **training.given,
            **given,
        )
    output.answer(report)
