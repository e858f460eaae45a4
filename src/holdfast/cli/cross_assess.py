"""holdfast cross-assess: data and a learner in, what may be claimed without a test set out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import rich_click as click

from holdfast.cli.options import (
    MethodName,
    confidence_option,
    json_option,
    labels_option,
    side_option,
    taken,
    tell,
    together_option,
)
from holdfast.cli.pictures import Output, picture_options
from holdfast.cli.rows import PREVALENCE, SAMPLING, prevalences
from holdfast.cli.training import LEARNER, grouped_training_options, learner_and_examples, values_of, watched
from holdfast.cli.verb import Verb
from holdfast.errors import HoldfastError
from holdfast.wording import quoted


@click.command("cross-assess", cls=Verb)
@grouped_training_options
@click.option("--max-group", type=int, metavar="ROWS", help="The most rows a group can hold, fixed beforehand.")
@click.option("--by", metavar="COLUMN", multiple=True, help="Each group of rows, too; the column is no feature.")
@click.option("--weight", metavar="COLUMN", help="The column that says what a row counts for; it is no feature.")
@click.option("--max-weight", type=float, metavar="MOST", help="The most a row can weigh, fixed beforehand.")
@SAMPLING
@PREVALENCE
@click.option(
    "--scheme",
    default="kfold",
    show_default=True,
    help="How the data are divided: kfold, stratified, grouped, hold-out, leave-one-out, monte-carlo, bootstrap, "
    "bootstrap-all, 5x2, nested, progressive or resubstitution.",
)
@click.option("--folds", type=int, default=10, show_default=True, help="Into how many parts.")
@click.option("--repeats", type=int, default=1, show_default=True, help="How often anew.")
@click.option("--rounds", type=int, help="How many random splits or bootstrap samples.  [default: 50]")
@click.option("--test-share", type=float, help="The share of rows to test on, of random splits.  [default: 0.3]")
@click.option(
    "--about",
    type=click.Choice(["fold-average", "fold", "refit", "algorithm"]),
    help="What is claimed: of the average model trained here, of one fold's, of the model trained on everything, or of "
    "the learner.  [default: fold-average; see the documentation for other schemes]",
)
@click.option("--fold", type=int, help="Which fold, for --about fold, counted from 0.  [default: 0]")
@click.option(
    "--grid", metavar="NAME=VALUE,...", multiple=True, help="Values to choose among inside each training part."
)
@click.option("--inner", type=int, help="Folds of the choice inside, for --grid.  [default: 5]")
@click.option("--positive", metavar="LABEL", help="The label that precision, recall and the score speak about.")
@labels_option
@click.option("--measure", "only", multiple=True, help="Only this measure; may be given several times.")
@click.option("--method", type=MethodName(), multiple=True, help="A name from `holdfast methods`, used where it fits.")
@click.option("--save", "store", metavar="DIRECTORY", help="Save results there as they come; a new directory.")
@click.option(
    "--resume", metavar="DIRECTORY", help="Go on with what an earlier run of the same code and data saved there."
)
@together_option
@side_option
@confidence_option
@picture_options("splits.svg, forest.png")
@json_option
def cross_assess(
    about: str | None,
    fold: int | None,
    grid: tuple[str, ...],
    inner: int | None,
    only: tuple[str, ...],
    method: tuple[str, ...],
    store: str | None,
    resume: str | None,
    group: str | None,
    by: tuple[str, ...],
    weight: str | None,
    prevalence: tuple[str, ...],
    **given: Any,
) -> None:
    """What may be claimed of a learner where no test set can be spared? Trains on parts of FILE, tests on the rest.

    holdfast cross-assess data.csv --target class --estimator sklearn.naive_bayes:GaussianNB
    """
    from holdfast.report.facts.kind import Kind
    from holdfast.training.store import PLAN, holds_splits
    from holdfast.verbs.cross.cross_assess import cross_assess as train_and_test

    output = Output.of(given, Kind.CROSS_ASSESSMENT)
    if fold is not None and about != "fold":
        raise HoldfastError(f"--fold {fold} is for claims about one fold; add --about fold, or leave it out.")
    if inner is not None and not grid:
        raise HoldfastError(f"--inner {inner} is for choosing among parameters; add --grid NAME=VALUE,... .")
    if store is not None and resume is not None and Path(store) != Path(resume):
        raise HoldfastError(f"--resume {resume} goes on saving there; leave out --save {store}.")
    if resume is not None and not (Path(resume) / PLAN).is_file():
        raise HoldfastError(f"There is nothing to go on with in {resume!r}; --save {resume} begins there.")
    if store is not None and resume is None and holds_splits(store):
        raise HoldfastError(
            f"--save {store} begins anew, and {store!r} holds splits of an earlier run; --resume {store} goes on with "
            "them, or give another directory."
        )
    beside = tuple(dict.fromkeys((*by, *([] if weight is None else [weight]))))
    training = learner_and_examples(**taken(given, *LEARNER), group=group, beside=beside)
    with watched("Training") as progress, kept(resume or store):
        result = train_and_test(
            target=about,  # type: ignore[arg-type]  # click checked the choice
            groups=training.groups,
            by={name: training.beside[name] for name in by} or None,
            weights=None if weight is None else weights_of(training.beside[weight], weight),
            prevalence=prevalences(prevalence) or None,
            fold=fold or 0,
            grid=values_of("--grid", grid) or None,
            inner=5 if inner is None else inner,
            only=only or None,
            method=method or None,
            store=resume or store,
            depends_on=[] if training.made_in is None else [training.made_in],
            progress=progress,
            **training.given,
            **given,
        )
    output.answer(result.report)


def weights_of(values: Sequence[Any], column: str) -> list[float]:
    """The weights of a column, which are numbers."""
    with suppress(TypeError, ValueError):
        return [float(value) for value in values]
    raise HoldfastError(f"--weight names a column of numbers, one for each row; {quoted(column)} holds others.")


@contextmanager
def kept(store: str | None) -> Iterator[None]:
    """Whoever interrupts is told where the finished part is."""
    try:
        yield
    except KeyboardInterrupt:
        if store is not None:
            tell(f"What is finished is in {store}; --resume {store} goes on.")
        raise
