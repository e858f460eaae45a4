"""holdfast assess: predictions in, every measure with its interval out."""

from __future__ import annotations

import rich_click as click

from holdfast.cli.options import (
    MethodName,
    busy,
    command_line,
    confidence_option,
    json_option,
    listed,
    show,
    side_option,
)
from holdfast.errors import HoldfastError


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
@click.option("--cluster", metavar="COLUMN", help="The column that says which passage, patient ... a row comes from.")
@click.option("--max-cluster", type=int, metavar="ROWS", help="The most rows a cluster can hold, fixed beforehand.")
@click.option("--pass-at", metavar="K,...", help="The chance that one of K samples of a question is right.")
@click.option(
    "--sampling",
    type=click.Choice(["random", "by-class"]),
    default="random",
    show_default=True,
    help="by-class if how many examples there are of each class was chosen.",
)
@click.option("--prevalence", metavar="LABEL=SHARE", multiple=True, help="How frequent a class truly is.")
@click.option(
    "--costs", metavar="FILE", help="A CSV file of what each answer costs; its corner says predicted \\ actual."
)
@click.option("--classes", metavar="NUMBER,...", help="All the numbers that classes may be, for squared losses.")
@click.option("--margin", metavar="COLUMN", help="A column of numbers, positive where the answer was right.")
@click.option("--alpha", type=float, default=1.0, show_default=True, help="Steepness of the logistic loss of a margin.")
@click.option("--bins", metavar="N|EDGES", help="Calibration in so many bins of the scores, or between these edges.")
@click.option("--weight", metavar="COLUMN", hidden=True)
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
    cluster: str | None,
    max_cluster: int | None,
    pass_at: str | None,
    sampling: str,
    prevalence: tuple[str, ...],
    costs: str | None,
    classes: str | None,
    margin: str | None,
    alpha: float,
    bins: str | None,
    weight: str | None,
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
    from holdfast.sources.costs import read_costs
    from holdfast.verbs.assess import assess as make_report

    if weight is not None:
        from holdfast.verbs.sampling import refuse_weights

        raise refuse_weights("--weight")
    divisions = [[name.strip() for name in names.split(",")] for names in by]
    with busy("Reading and counting"):
        rows = read(
            files[0] if len(files) == 1 else list(files),
            truth=truth,
            predicted=predicted,
            score=_columns(score),
            correct=correct,
            by=tuple(dict.fromkeys(name for names in divisions for name in names)),
            cluster=cluster,
            margin=margin,
            missing=missing,  # type: ignore[arg-type]  # click checked the choice
            separator=separator,
        )
        report = make_report(
            rows,
            by=divisions or None,
            max_cluster=max_cluster,
            pass_at=[int(k) for k in listed("--pass-at", pass_at)],
            sampling=sampling,  # type: ignore[arg-type]
            prevalence=_shares(prevalence),
            costs=None if costs is None else read_costs(costs),
            classes=listed("--classes", classes) or None,
            alpha=alpha,
            bins=_bins(bins),
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


def _shares(given: tuple[str, ...]) -> dict[str, float] | None:
    """How frequent each class is, as LABEL=SHARE."""
    shares = {}
    for pair in given:
        label, equals, share = pair.rpartition("=")
        try:
            shares[label] = float(share)
        except ValueError:
            equals = ""
        if not equals or not label:
            raise HoldfastError(f"--prevalence takes LABEL=SHARE, such as fraud=0.002; got {pair!r}.")
    return shares or None


def _bins(given: str | None) -> int | list[float] | str | None:
    """A number of bins, or their edges, or how the scores choose them."""
    if given is None or given in ("grades", "quantiles"):
        return given
    edges = listed("--bins", given)
    return int(edges[0]) if len(edges) == 1 and edges[0] == int(edges[0]) else edges
