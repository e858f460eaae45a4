"""holdfast panel: the answers of several models in, their average, their spread and the best of them out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import rich_click as click

from holdfast.cli.options import (
    Command,
    busy,
    by_name,
    command_line,
    confidence_option,
    json_option,
    labels_option,
    no_order,
    show,
)
from holdfast.cli.pictures import checked, picture_options, write
from holdfast.cli.targets import Read
from holdfast.cli.verb import Verb
from holdfast.errors import HoldfastError


def several_models(command: Command) -> Command:
    """Where the answers of several models stand, labelled and not."""
    for add in reversed(_options()):
        command = add(command)
    return command


def _options() -> list[Callable[[Command], Command]]:
    return [
        click.argument("file", type=Read(), metavar="FILE"),
        click.option("--models", metavar="NAME,...", help="The columns of the models; m_* for all that match."),
        click.option("--truth", metavar="COLUMN", help="The column of the true labels.  [default: found by name]"),
        labels_option,
        click.option("--unlabelled", type=Read(), metavar="FILE", help="What the models say on inputs without labels."),
        click.option(
            "--weight", "weights", metavar="MODEL=PART", multiple=True, help="Its weight, fixed before the labels."
        ),
        click.option(
            "--missing", type=click.Choice(["refuse", "drop", "wrong"]), help="What to do with a missing answer."
        ),
        click.option("--separator", help="What separates the columns of a text file.  [default: found by looking]"),
    ]


@click.command(cls=Verb)
@several_models
@click.option(
    "--sets", type=click.IntRange(min=1), default=1, help="Of how many sets of models this one is to be chosen."
)
@click.option(
    "--set", "named", metavar="NAME=MODEL,...", multiple=True, help="A set of models whose average is wanted too."
)
@confidence_option
@picture_options("model-errors.svg, agreement.png")
@no_order
@json_option
def panel(
    sets: int,
    named: Sequence[str],
    confidence: str,
    page: str | None,
    charts: Sequence[str],
    as_json: bool,
    weights: Sequence[str],
    **given: Any,
) -> None:
    """How often do several models err on average, how far apart are they, and which may be the best?

    holdfast panel validation.csv --unlabelled test.csv --truth label --models 'm_*'
    """
    from holdfast.render.charts import OF_PANELS
    from holdfast.render.text.panel import panel_parts
    from holdfast.verbs.panel.panel import panel as make_report

    if named and sets > 1:
        raise HoldfastError("--set names the sets of models, --sets how many there are elsewhere; leave one out.")
    pictures = checked(page, charts, known=list(OF_PANELS))
    with busy("Reading and counting"):
        labelled, unlabelled = answers(**given)
        report = make_report(
            labelled,
            unlabelled=unlabelled,
            weights=parts_of_models(weights),
            sets=_sets(named) or sets,
            confidence=confidence,
            command=command_line(),
        )
    show(report, panel_parts(report), as_json)
    write(report, page, pictures)


def answers(
    file: str,
    models: str | None,
    truth: str | None,
    labels: list[str] | None,
    unlabelled: str | None,
    missing: str | None,
    separator: str | None,
    target: str | None = None,
) -> tuple[Any, Any]:
    """The panel of the labelled rows, and what its models say on the others."""
    from holdfast.sources.formats.content import told
    from holdfast.sources.matching import matching, refuse_twice
    from holdfast.sources.models.unlabelled import read_unlabelled
    from holdfast.verbs.panel.models import read_models

    way: Any = missing or "refuse"
    named = None if models is None else [name.strip() for name in models.split(",") if name.strip()]
    if file == "-" == unlabelled:
        raise HoldfastError("Standard input can be read once; name a file for --unlabelled.")
    if unlabelled is not None:
        given = [Path(each) for each in (file, unlabelled) if each != "-"]
        refuse_twice(
            (each for path in given for each in matching(path, told(path))), "its rows would stand for further inputs"
        )
    asked: dict[str, Any] = {"models": named, "truth": truth, "labels": labels, "correct": False}
    labelled = read_models(file, missing=way, separator=separator, **asked)
    if unlabelled is None:
        return labelled, None
    return labelled, read_unlabelled(unlabelled, labelled, target=target, missing=way, separator=separator)


def _sets(given: Sequence[str]) -> dict[str, str]:
    """By its name, the models of each set."""
    if wrong := [each for each in given if not all(each.partition("="))]:
        raise HoldfastError(f"--set takes NAME=MODEL,... such as trees=tree_*; got {wrong[0]!r}.")
    return by_name("--set", (each.partition("=")[::2] for each in given))


def parts_of_models(given: Sequence[str]) -> dict[str, float] | None:
    """By model, its weight."""
    weights: dict[str, float] = {}
    by_name("--weight", (each.rpartition("=")[::2] for each in given))
    for each in given:
        model, _, part = each.rpartition("=")
        try:
            weight = float(part)
        except ValueError:
            model, weight = "", 0.0
        if not model:
            raise HoldfastError(f"--weight takes MODEL=PART, such as alpha=0.5; got {each!r}.")
        weights[model] = weight
    return weights or None
