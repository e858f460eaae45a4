"""holdfast panel, holdfast committee: the answers of several models in.

Their average, their spread and the best of them come out, or what can be said about their vote.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import rich_click as click

from holdfast.cli.options import (
    MODEL_PARTS,
    busy,
    by_name,
    confidence_option,
    in_order,
    is_number,
    json_option,
    labels_option,
    looks_option,
    no_order,
    parts_by_name,
    taken,
    tell,
    together_option,
)
from holdfast.cli.pictures import Output, picture_options
from holdfast.cli.rows import JOINED_LABELS, MISSING_ANSWERS, divided_options, dividing, divisions, stated_design
from holdfast.cli.verb import Read, Verb
from holdfast.errors import HoldfastError

several_models = in_order(  # where their answers stand, labelled and not
    click.argument("file", type=Read(), metavar="FILE"),
    click.option("--models", metavar="NAME,...", help="The columns of the models; m_* for all that match."),
    click.option("--truth", metavar="COLUMN", help="The column of the true labels.  [default: found by name]"),
    JOINED_LABELS,
    click.option("--on", metavar="COLUMN", help="With --truth-file: the column that both files share."),
    labels_option,
    click.option("--unlabelled", type=Read(), metavar="FILE", help="What the models say on inputs without labels."),
    click.option("--share", "shares", metavar="MODEL=PART", multiple=True, help="Its share, fixed before the labels."),
    divided_options,
    MISSING_ANSWERS,
    click.option("--separator", help="What separates the columns of a text file.  [default: found by looking]"),
)


@click.command(cls=Verb)
@several_models
@click.option(
    "--sets", type=click.IntRange(min=1), default=1, help="Of how many sets of models this one is to be chosen."
)
@click.option(
    "--set", "named", metavar="NAME=MODEL,...", multiple=True, help="A set of models whose average is wanted too."
)
@together_option
@looks_option
@confidence_option
@picture_options("model-errors.svg, agreement.png")
@no_order
@json_option
def panel(sets: int, named: Sequence[str], shares: Sequence[str], weight: Sequence[str], **given: Any) -> None:
    """How often do several models err on average, how far apart are they, and which may be the best?

    holdfast panel validation.csv --unlabelled test.csv --truth label --models 'm_*'
    """
    from holdfast.report.facts.kind import Kind
    from holdfast.verbs.panel.panel import panel as make_report

    if named and sets > 1:
        raise HoldfastError("--set names the sets of models, --sets how many there are elsewhere; leave one out.")
    output, settings = Output.of(given, Kind.PANEL), taken(given, "simultaneous", "looks", "confidence")
    parts, column = shares_and_weight(shares, weight)
    with busy("Reading and counting"):
        labelled, unlabelled, design = answers(given, column)
        report = make_report(
            labelled,
            unlabelled=unlabelled,
            share=parts,
            sets=_sets(named) or sets,
            by=divisions(given["by"]) or None,
            design=design,
            **settings,
        )
    output.answer(report)


def answers(given: dict[str, Any], weight: str | None, target: str | None = None) -> tuple[Any, Any, Any]:
    """The panel of the labelled rows, what its models say on the others, and how the rows were drawn."""
    from holdfast.sources.content import told
    from holdfast.sources.models.models import read_unlabelled
    from holdfast.sources.opening import matching, refuse_twice
    from holdfast.verbs.panel.models import read_models

    file, unlabelled, models = given["file"], given["unlabelled"], given["models"]
    if file == "-" == unlabelled:
        raise HoldfastError("Standard input can be read once; name a file for --unlabelled.")
    if unlabelled is not None:
        paths = [Path(each) for each in (file, unlabelled) if each != "-"]
        refuse_twice(
            (each for path in paths for each in matching(path, told(path))), "its rows would stand for further inputs"
        )
    how = {"missing": given["missing"] or "refuse", "separator": given["separator"]}
    source, truth = _labelled(file, given["truth_file"], given["on"], given["truth"], given["separator"])
    labelled = read_models(
        source,
        models=None if models is None else [name.strip() for name in models.split(",") if name.strip()],
        truth=truth,
        correct=False,
        by=dividing(given["by"]),
        weight=weight,
        **{name: given[name] for name in ("labels", "cluster", "inclusion", "strata")},
        **how,
    )
    design = stated_design(given)
    rest = None if unlabelled is None else read_unlabelled(unlabelled, labelled, target=target, **how)
    return labelled, rest, design


def _labelled(
    file: str, truth_file: str | None, on: str | None, truth: str | None, separator: str | None
) -> tuple[Any, str | None]:
    """Where the answers are with their labels, and the column of these."""
    if truth_file is None:
        if on is not None:
            raise HoldfastError("--on joins the labels of --truth-file; give both.")
        return file, truth
    from holdfast.sources.labels import with_labels

    return with_labels(file, truth_file, on, truth, separator)


def _sets(given: Sequence[str]) -> dict[str, str]:
    """By its name, the models of each set."""
    if wrong := [each for each in given if not all(each.partition("="))]:
        raise HoldfastError(f"--set takes NAME=MODEL,... such as trees=tree_*; got {wrong[0]!r}.")
    return by_name("--set", (each.partition("=")[::2] for each in given))


def shares_and_weight(shares: Sequence[str], weights: Sequence[str]) -> tuple[dict[str, float] | None, str | None]:
    """The share of each model, and the column of the weights; what was given by the old name of shares is one."""
    old = [each for each in weights if _is_share(each)]
    columns = [each for each in weights if each not in old]
    if old and shares:
        raise HoldfastError("--share is what --weight MODEL=PART is called now; give one of them.")
    if old:
        tell("--weight MODEL=PART is called --share now; the old name will go.")
    if len(columns) > 1:
        raise HoldfastError(f"--weight names one column; got {columns[0]!r} and {columns[1]!r}.")
    return parts_by_name("--share", MODEL_PARTS, shares or old) or None, columns[0] if columns else None


def _is_share(given: str) -> bool:
    """Whether it is MODEL=PART, and no column."""
    model, _, part = given.rpartition("=")
    return bool(model) and is_number(part)


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
        labelled, unlabelled, design = answers(given, column, target)
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
