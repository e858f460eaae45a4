"""Options that say where the rows are and how they came about, and the rows themselves."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import rich_click as click

from holdfast.cli.options import by_name, in_order, labels_option, listed, parts_by_name
from holdfast.cli.verb import Read, Shares
from holdfast.errors import HoldfastError

if TYPE_CHECKING:
    from holdfast.predictions import Predictions
    from holdfast.predictions.design import Design

COLUMNS = (
    click.argument("files", type=Read(), nargs=-1, required=True, metavar="FILE..."),
    click.option("--truth", metavar="COLUMN", help="The column of the true labels.  [default: found by name]"),
    click.option("--truth-file", type=Read(), metavar="FILE", help="A file of its own for the true labels."),
    click.option("--on", metavar="COLUMN", help="The column that names the item, in both files."),
    click.option("--predicted", metavar="COLUMN", help="The column of the predicted labels.  [default: found by name]"),
    click.option(
        "--score",
        metavar="COLUMN",
        multiple=True,
        help="The column of the scores; LABEL=COLUMN for each of many labels.",
    ),
    click.option("--separator", help="What separates the columns of a text file.  [default: found by looking]"),
    click.option(
        "--missing",
        type=click.Choice(["refuse", "drop", "wrong"]),
        help="What to do with a row without truth or prediction; wrong counts a non-answer as an error.  "
        "[default: refuse]",
    ),
    click.option("--positive", metavar="LABEL", help="The label that precision, recall and the score speak about."),
    labels_option,
)
LOGS = (
    click.option("--task", metavar="NAME", help="Of the logs of several tasks: the one that is meant."),
    click.option("--scorer", metavar="NAME", help="Of a log with several scorers.  [default: the log's headline]"),
    click.option("--metric", metavar="NAME", help="Of a log with several metrics, such as exact_match."),
    click.option("--filter", metavar="NAME", help="Of a log with several filters, such as strict."),
    click.option("--split", metavar="NAME", help="Of a log with several splits of the data, such as test."),
    click.option("--partial", is_flag=True, help="Read the log of a run that did not finish as far as it came."),
)
ONE_MODEL = click.option("--models", metavar="NAME", help="Of a log of several models: the one that is meant.")
WEIGHT = click.option("--weight", metavar="COLUMN", help="The column that says what a row counts for.")
DESIGN = (
    WEIGHT,
    click.option("--max-weight", type=float, metavar="MOST", help="The most a row can weigh, fixed beforehand."),
    click.option("--inclusion", metavar="COLUMN", help="In place of --weight: the chance with which a row was drawn."),
    click.option("--strata", metavar="COLUMN", help="The column of the strata within which the rows were drawn."),
    click.option(
        "--strata-shares",
        type=Shares(),
        metavar="FILE|STRATUM=SHARE,...",
        help="How frequent each stratum is in the population.",
    ),
)
SAMPLING = click.option(
    "--sampling",
    type=click.Choice(["random", "by-class"]),
    help="by-class if how many examples there are of each class was chosen.  [default: random]",
)
CORRECT = click.option(
    "--correct",
    metavar="COLUMN[=VALUE,...]",
    help="A column of right or wrong instead; COLUMN=VALUE,... if these are right.",
)
JOINED_LABELS = click.option(
    "--truth-file", type=Read(), metavar="FILE", help="A file of its own for the true labels; --on joins them."
)
MISSING_ANSWERS = click.option(
    "--missing", type=click.Choice(["refuse", "drop", "wrong"]), help="What to do with a missing answer."
)
PREVALENCE = click.option("--prevalence", metavar="LABEL=SHARE", multiple=True, help="How frequent a class truly is.")
RANGED = click.option(
    "--prevalence",
    metavar="LABEL=SHARE",
    multiple=True,
    help="How frequent a class truly is; sick=0.03..0.07 for the worst over a range.",
)
DRAWN = (
    click.option("--by", metavar="COLUMN,...", multiple=True, help="Each group of rows, too; several are crossed."),
    click.option("--cluster", metavar="COLUMN", help="The column that says which passage, patient ... a row is from."),
    click.option("--max-cluster", type=int, metavar="ROWS", help="The most rows a cluster can hold, fixed beforehand."),
    SAMPLING,
    RANGED,
    *DESIGN,
)
STATED = (
    click.option("--no-score", is_flag=True, help="Look for no column of scores."),
    click.option(
        "--operating-point",
        type=float,
        metavar="SCORE",
        help="Predict the positive label from this score on, which was fixed beforehand.",
    ),
    CORRECT,
    click.option("--value", metavar="COLUMN", help="A column of how right each answer is instead, for partial credit."),
    click.option("--range", "value_range", metavar="LOW,HIGH", help="The range of --value.  [default: 0,1]"),
    click.option("--levels", metavar="NUMBER,...", help="All that --value can be, fixed beforehand: 0,0.5,1."),
    click.option(
        "--margin-column", "margin", metavar="COLUMN", help="A column of numbers, positive where the answer was right."
    ),
    *DRAWN,
    click.option(
        "--order",
        type=click.Choice(["drawn"]),
        help="Say that clusters stand in the order in which they were drawn, as methods that bet on them need.",
    ),
    click.option(
        "--costs",
        type=Read(),
        metavar="FILE",
        help="A file of what each answer costs; its corner says predicted \\ actual.",
    ),
)


WEIGHTS = click.option("--weight", metavar="COLUMN", multiple=True, help="The column that says what a row counts for.")

column_options = in_order(*COLUMNS)  # where the rows are, and which column is which
stated_options = in_order(*STATED)  # what else is known of them, and how they were drawn
log_options = in_order(ONE_MODEL, *LOGS)  # what is asked of logs that hold more than one thing, for one model
logs_options = in_order(*LOGS)  # and for several
drawn_options = in_order(*DRAWN)
divided_options = in_order(  # of several models
    WEIGHTS, *(PREVALENCE if option is RANGED else option for option in DRAWN if option is not WEIGHT)
)


def divisions(by: Sequence[str]) -> list[list[str]]:
    """The ways to divide the rows: each --by is one, its columns crossed."""
    return [[name.strip() for name in names.split(",")] for names in by]


def dividing(by: Sequence[str]) -> tuple[str, ...]:
    """The columns that divide the rows, each once."""
    return tuple(dict.fromkeys(name for names in divisions(by) for name in names))


def read_rows(
    files: tuple[str, ...],
    score: tuple[str, ...],
    missing: str | None,
    by: Sequence[str] = (),
    no_score: bool = False,
    max_weight: float | None = None,
    strata_shares: str | None = None,
    value_range: str | None = None,
    levels: str | None = None,
    truth_file: str | None = None,
    on: str | None = None,
    sealed: bool = False,
    **columns: Any,
) -> Predictions:
    """The rows of the files, and what is known of how they were drawn; of `sealed` labels nothing wrong is told."""
    from holdfast.predictions.design import Design
    from holdfast.sources import read

    if no_score and score:
        raise HoldfastError("Give --score or --no-score, not both.")
    source: Any = files[0] if len(files) == 1 else list(files)
    if truth_file is not None:
        from holdfast.sources.labels import with_labels

        source, columns["truth"] = with_labels(source, truth_file, on, columns["truth"], columns["separator"], sealed)
    elif on is not None:
        raise HoldfastError("--on joins the rows with labels of another file: give --truth-file.")
    rows = read(
        source,
        score=False if no_score else score_columns(score),
        by=dividing(by),
        missing=missing or "refuse",  # type: ignore[arg-type]  # click checked the choice
        value_range=listed("--range", value_range) or None,  # type: ignore[arg-type]  # it is checked where it is used
        levels=listed("--levels", levels) or None,
        **columns,
    )
    shares = None if strata_shares is None else shares_of_strata(strata_shares)
    return replace(rows, design=rows.design.with_facts(Design(max_weight=max_weight, shares=shares)))


def shares_of_strata(given: str) -> dict[str, float]:
    """How frequent each stratum is: in a file, or as STRATUM=SHARE,..."""
    if "=" not in given:
        from holdfast.sources.costs import read_shares

        return read_shares(given)
    return parts_by_name("--strata-shares", "LABEL=SHARE, such as north=0.3,south=0.7", given.split(","))


def stated(given: dict[str, Any]) -> dict[str, Any]:
    """What was said of the rows, as far as anything was, out of all that a command was given."""
    from holdfast.sources.costs import read_costs

    details = {name: given.pop(name, None) for name in ("max_cluster", "order", "sampling", "costs")}
    details["prevalence"] = prevalences(given.pop("prevalence")) or None
    if details["costs"] is not None:
        details["costs"] = read_costs(details["costs"])
    return {name: value for name, value in details.items() if value is not None}


def stated_design(given: dict[str, Any]) -> Design:
    """How the rows of several models were drawn, but for what stands in columns."""
    from holdfast.predictions.design import Design

    drawn = stated({name: given[name] for name in ("max_cluster", "sampling", "prevalence")})
    shares = None if given["strata_shares"] is None else shares_of_strata(given["strata_shares"])
    return Design(max_weight=given["max_weight"], shares=shares, **drawn)


def prevalences(given: Sequence[str]) -> dict[str, float | tuple[float, float]]:
    """How frequent each class is, as LABEL=SHARE or LABEL=LOW..HIGH."""
    by_name("--prevalence", (pair.rpartition("=")[::2] for pair in given))
    shares: dict[str, float | tuple[float, float]] = {}
    for pair in given:
        label, equals, share = pair.rpartition("=")
        ends = list[float]()
        with suppress(ValueError):
            ends = [float(end) for end in share.split("..")]
        if not label or not equals or not 1 <= len(ends) <= 2:
            raise HoldfastError(
                f"--prevalence takes LABEL=SHARE, such as fraud=0.002, or a range, fraud=0.001..0.004; got {pair!r}."
            )
        shares[label] = ends[0] if len(ends) == 1 else (ends[0], ends[1])
    return shares


def score_columns(given: tuple[str, ...]) -> str | dict[str, str] | None:
    """One column, or one for each label."""
    if len(given) == 1 and "=" not in given[0]:
        return given[0]
    return by_name("--score", (pair.rsplit("=", 1) if "=" in pair else (pair, pair) for pair in given)) or None
