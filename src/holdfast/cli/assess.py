"""holdfast assess: predictions in, every measure with its interval out."""

from __future__ import annotations

import rich_click as click

from holdfast.cli.options import MethodName, busy, command_line, confidence_option, json_option, show, side_option


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--truth", metavar="COLUMN", help="The column of the true labels.  [default: found by name]")
@click.option("--predicted", metavar="COLUMN", help="The column of the predicted labels.  [default: found by name]")
@click.option(
    "--score", metavar="COLUMN", multiple=True, help="The column of the scores; LABEL=COLUMN for each of many classes."
)
@click.option("--correct", metavar="COLUMN", help="A column of 0/1 instead: whether each example was right.")
@click.option(
    "--by", metavar="COLUMN,...", multiple=True, help="Assess each group of rows too; several columns are crossed."
)
@click.option("--simultaneous", is_flag=True, help="Make all intervals hold together, not just each on its own.")
@click.option("--positive", metavar="LABEL", help="The label that precision, recall and the score speak about.")
@click.option("--measure", "only", multiple=True, help="Only this measure; may be given several times.")
@click.option("--method", type=MethodName(), multiple=True, help="A name from `holdfast methods`, used where it fits.")
@click.option(
    "--missing",
    type=click.Choice(["refuse", "drop", "wrong"]),
    default="refuse",
    show_default=True,
    help="What to do with a row without truth or prediction; wrong counts a non-answer as an error.",
)
@click.option("--separator", help="What separates the columns of a text file.  [default: found by looking]")
@click.option("--clip", type=float, help="Smallest probability in the log loss.  [default: 1e-06]")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the bootstrap, where it answers.")
@side_option
@confidence_option
@json_option
def assess(
    files: tuple[str, ...],
    truth: str | None,
    predicted: str | None,
    score: tuple[str, ...],
    correct: str | None,
    by: tuple[str, ...],
    simultaneous: bool,
    positive: str | None,
    only: tuple[str, ...],
    method: tuple[str, ...],
    missing: str,
    separator: str | None,
    clip: float | None,
    seed: int,
    side: str,
    confidence: str,
    as_json: bool,
) -> None:
    """How wrong is the classifier, really? From a file of predictions, or several, or - for standard input.

    holdfast assess predictions.csv
    """
    from holdfast.measures.scoring import CLIP
    from holdfast.render.assessment import assessment_parts
    from holdfast.sources import read
    from holdfast.verbs.assess import assess as make_report

    divisions = [[name.strip() for name in names.split(",")] for names in by]
    with busy("Reading and counting"):
        rows = read(
            files[0] if len(files) == 1 else list(files),
            truth=truth,
            predicted=predicted,
            score=_columns(score),
            correct=correct,
            by=tuple(dict.fromkeys(name for names in divisions for name in names)),
            missing=missing,  # type: ignore[arg-type]  # click checked the choice
            separator=separator,
        )
        report = make_report(
            rows,
            by=divisions or None,
            simultaneous=simultaneous,
            positive=positive,
            confidence=confidence,
            side=side,  # type: ignore[arg-type]
            method=method or None,
            only=only or None,
            clip=CLIP if clip is None else clip,
            seed=seed,
            command=command_line(),
        )
    show(report, assessment_parts(report), as_json)


def _columns(given: tuple[str, ...]) -> str | dict[str, str] | None:
    """One column, or one for each label."""
    if len(given) == 1 and "=" not in given[0]:
        return given[0]
    return dict(pair.rsplit("=", 1) if "=" in pair else (pair, pair) for pair in given) or None  # type: ignore[misc]
