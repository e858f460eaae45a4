"""Commands that train: the options that they share, and how far it is; holdfast decompose and holdfast learning-curve.

What is the loss made of, bias or variance? What would more training buy, and what would it cost in certainty?
"""

from __future__ import annotations

import os
import re
import sys
import warnings
from ast import literal_eval
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import rich_click as click

from holdfast.cli.options import (
    busy,
    by_name,
    confidence_option,
    in_order,
    json_option,
    labels_option,
    listed,
    side_option,
    taken,
    tell,
)
from holdfast.cli.pictures import Output, picture_options
from holdfast.cli.verb import Estimator, Read, Verb
from holdfast.errors import HoldfastError

MOST_STEPS = 1_000  # of a range of values
TOLD = (UserWarning, RuntimeWarning, FutureWarning)  # what a learner says to whoever uses it

LEARNER = ("file", "target", "estimator", "params", "drop", "missing", "prepare")  # the names of what follows
DATA = (
    click.argument("file", type=Read(), metavar="FILE"),
    click.option("--target", metavar="COLUMN", required=True, help="The column of the labels to learn."),
    click.option(
        "--estimator",
        type=Estimator(),
        metavar="MODULE:NAME",
        required=True,
        help="What is trained: sklearn.tree:DecisionTreeClassifier, or FILE.py:NAME. Its code is run.",
    ),
    click.option("--param", "params", metavar="NAME=VALUE", multiple=True, help="A parameter of the estimator."),
    click.option("--drop", metavar="COLUMN", multiple=True, help="A column to leave out, such as a row's number."),
    click.option(
        "--missing",
        type=click.Choice(["refuse", "drop"]),
        default="refuse",
        show_default=True,
        help="What to do with rows without a label.",
    ),
    click.option(
        "--prepare",
        type=click.Choice(["auto", "none"]),
        default="auto",
        show_default=True,
        help="Encode text and impute what is missing where the estimator cannot take it, but for a pipeline; or hand "
        "over all columns as they are.",
    ),
)
GROUP = click.option("--group", metavar="COLUMN", help="The column that says which rows must stay together.")
DONE = (
    click.option(
        "--engine",
        metavar="NAME",
        help="Where it is trained: processes, threads, serial, dask, ray, or dask:tcp://HOST:PORT.  "
        "[default: processes, if they save time]",
    ),
    click.option("--workers", type=click.IntRange(min=1), help="How many train at a time.  [default: one a processor]"),
    click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of all that is random."),
)

training_options = in_order(*DATA, *DONE)
grouped_training_options = in_order(*DATA, GROUP, *DONE)


@contextmanager
def watched(message: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on standard error with how far it is and how long it will take, where somebody watches."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    bar = Progress(*columns, console=console, transient=True)
    task = bar.add_task(message, total=None)
    with (
        aside(),
        told_once(),
        bar if console.is_terminal else nullcontext(),  # one that is disabled still ends in an empty line
    ):
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def aside() -> Iterator[None]:
    """What a learner prints, here or in a worker, goes to standard error: standard output is for the answer."""
    try:
        sys.stdout.flush()
        kept = os.dup(1)
        os.dup2(2, 1)
    except (AttributeError, OSError, ValueError):  # one of the two is closed
        kept = None
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        if kept is not None:
            os.dup2(kept, 1)
            os.close(kept)


@contextmanager
def told_once() -> Iterator[None]:
    """What a learner warns of in every fold is said once, in a line; by workers in their way, once each."""
    from holdfast.wording import brief

    said: set[str] = set()

    def show(message: Warning | str, category: type[Warning], *_: object, **__: object) -> None:
        line = f"{category.__name__}: {brief(message, 300)}"
        if line not in said:
            tell(f"holdfast: while training: {line}")
        said.add(line)

    given = os.environ.get("PYTHONWARNINGS")
    with warnings.catch_warnings():
        if given is None:  # workers read it as they start
            os.environ["PYTHONWARNINGS"] = ",".join(f"once::{category.__name__}" for category in TOLD)
            for category in TOLD:
                warnings.simplefilter("always", category)
        warnings.showwarning = show
        try:
            yield
        finally:
            if given is None:
                os.environ.pop("PYTHONWARNINGS", None)


@dataclass(frozen=True)
class Training:
    """What a command trains, and on what."""

    given: dict[str, Any]  # to the verb: the learner, what it is called, its examples, and how they are prepared
    groups: Any
    beside: dict[str, list[Any]]  # by name, columns that are no features
    made_in: Path | None = None  # the file of the estimator


def learner_and_examples(
    file: str,
    target: str,
    estimator: str,
    params: Sequence[str],
    drop: Sequence[str],
    missing: str,
    prepare: str,
    group: str | None = None,
    beside: Sequence[str] = (),
) -> Training:
    """The estimator that was named, the examples of the file, their labels, and their groups where there are any."""
    from holdfast.sources.estimators import file_of, find_estimator
    from holdfast.sources.examples import read_examples

    by_name("--param", (tuple(map(str.strip, pair.partition("=")[::2])) for pair in params))
    with aside():
        found = find_estimator(estimator, params)
    with busy("Reading"):
        examples = read_examples(file, target=target, drop=drop, group=group, beside=beside, missing=missing)  # type: ignore[arg-type]
    by_class = estimator.rpartition(":")[2] == type(found).__name__  # which is told with its parameters anyway
    name = estimator if by_class or not params else f"{estimator}({', '.join(params)})"
    learner = {"estimator": found, "X": examples.X, "y": examples.y, "prepare": prepare, "name": name}
    return Training(learner, examples.groups, examples.beside, file_of(estimator))


def values_of(option: str, given: Sequence[str]) -> dict[str, list[Any]]:
    """By the name of each parameter the values to try it at, from NAME=VALUE,... or NAME=FIRST..LAST.

    Examples
    --------
    >>> values_of("--grid", ["max_depth=1..4", "criterion=gini,entropy", "min_samples_leaf=0.1, 1"])
    {'max_depth': [1, 2, 3, 4], 'criterion': ['gini', 'entropy'], 'min_samples_leaf': [0.1, 1]}
    """
    found: dict[str, list[Any]] = {}
    by_name(option, (tuple(map(str.strip, pair.partition("=")[::2])) for pair in given))
    for pair in given:
        name, equals, text = pair.partition("=")
        name = name.strip()
        if not (name and equals and text.strip()):
            raise HoldfastError(f"{option} takes NAME=VALUE,... such as max_depth=1,3,5; got {pair!r}.")
        found[name] = listed_values(option, text)
    return found


def listed_values(option: str, given: str) -> list[Any]:
    """Values with commas between them as Python writes them, or all whole numbers from one to another.

    Examples
    --------
    >>> for given in ("1..4", "0.1, None", "(5,),(5, 2)", "linear,rbf"):
    ...     print(listed_values("--values", given))
    [1, 2, 3, 4]
    [0.1, None]
    [(5,), (5, 2)]
    ['linear', 'rbf']
    """
    if matched := re.fullmatch(r"\s*(-?\d{1,9})\s*\.\.\s*(-?\d{1,9})\s*", given):
        first, last = map(int, matched.groups())
        if not 0 <= last - first < MOST_STEPS:
            raise HoldfastError(f"{option} {given} should rise, by {MOST_STEPS:,} values at most; got {given!r}.")
        return list(range(first, last + 1))
    from holdfast.sources.estimators import read_parameters

    try:
        return list(literal_eval(f"[{given}]"))
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):  # a word among them
        return [read_parameters([f"value={part}"])["value"] for part in given.split(",")]


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
