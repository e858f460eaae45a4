"""holdfast compare: the answers of several models in, who is better out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from warnings import catch_warnings, simplefilter

import rich_click as click
from click.core import ParameterSource

from holdfast.cli.ledger import given_ledger, ledger_option
from holdfast.cli.monitor import follow_two, growing_options
from holdfast.cli.options import (
    MODEL_PARTS,
    MethodName,
    busy,
    by_name,
    confidence_option,
    json_option,
    labels_option,
    listed,
    no_order,
    parts_by_name,
    renamed,
)
from holdfast.cli.pictures import Output, picture_options
from holdfast.cli.refusals import refuse_idle
from holdfast.cli.rows import (
    CORRECT,
    JOINED_LABELS,
    MISSING_ANSWERS,
    divided_options,
    dividing,
    divisions,
    logs_options,
    stated_design,
)
from holdfast.cli.verb import Kept, Read, Verb
from holdfast.errors import HoldfastError

STATED = (ParameterSource.COMMANDLINE, ParameterSource.ENVIRONMENT)
OF_ROWS = (  # what is asked of rows as it was given
    *("truth", "model", "predicted", "on", "cluster", "weight", "inclusion", "strata", "positive", "labels"),
    "separator",
)
OF_REPORT = ("margin", "test", "plain", "simultaneous", "looks", "accept", "clip", "confidence", "seed")  # of the verb
OF_LOGS = ("task", "scorer", "metric", "filter", "split", "partial")  # what is asked of logs of evaluations


@click.command(cls=Verb)
@click.argument("files", type=Read(), nargs=-1, metavar="FILE...")
@click.option("--models", metavar="NAME,...", help="The columns, or the models, to compare; m_* for all that match.")
@click.option("--truth", metavar="COLUMN", help="The column of the true labels.  [default: found by name]")
@JOINED_LABELS
@click.option("--predicted", metavar="COLUMN", help="The column of the predictions, in a long table or several files.")
@click.option("--score", metavar="COLUMN", multiple=True, help="The column of the scores; MODEL=COLUMN for each model.")
@CORRECT
@click.option(
    "--value",
    metavar="COLUMN",
    help="A column of how right each answer is instead, for partial credit; 'grade_*' for one per model, '*' where "
    "they are called like the models.",
)
@click.option("--range", "value_range", metavar="LOW,HIGH", help="The range of --value.  [default: 0,1]")
@click.option("--levels", metavar="NUMBER,...", help="All that --value can be, fixed beforehand: 0,0.5,1.")
@click.option("--pass-fail", is_flag=True, help="The columns of the models say whether each answer was right.")
@click.option(
    "--id",
    "id_",
    metavar="COLUMN",
    help="The column that names the example or question: in a long table, or on a stream, where each counts once.",
)
@click.option("--model", metavar="COLUMN", help="In a long table: the column that names the model.")
@click.option("--on", metavar="COLUMN", help="Join the files, one a model, on this column.")
@click.option("--unpaired", is_flag=True, help="Each file holds rows of its own, drawn independently, for one model.")
@divided_options
@logs_options
@click.option("--datasets", metavar="COLUMN", help="Compare over many data sets, named in this column.")
@click.option("--better", type=click.Choice(["higher", "lower"]), help="Of scores over data sets: which is better.")
@click.option("--folds", metavar="COLUMN", help="Compare results of cross-validation, the fold named in this column.")
@click.option(
    "--margin", type=float, default=0.0, help="A difference too small to matter, of error rates or in --measure."
)
@click.option("--test", type=click.Choice(["exact", "mid-p", "asymptotic"]), help="Of McNemar's.  [default: exact]")
@click.option("--method", type=MethodName(), multiple=True, help="A name from `holdfast methods`, used where it fits.")
@click.option("--measure", "only", multiple=True, help="The difference in this measure; of several the first decides.")
@click.option(
    "--costs", type=Read(), metavar="FILE", help="A file of what each answer costs, for the difference in that."
)
@click.option("--classes", metavar="NUMBER,...", help="All the numbers that classes may be, for squared losses.")
@click.option("--clip", type=float, help="Smallest probability in the log loss.  [default: 1e-06]")
@click.option("--share", metavar="MODEL=PART", multiple=True, help="Its part of the chance of being wrong.")
@click.option("--simultaneous", is_flag=True, help="Make the intervals of all groups hold together.")
@click.option("--plain", is_flag=True, help="Plain intervals of each model, which do not hold for the one selected.")
@click.option("--pass-at", metavar="K,...", help="The chance that one of K samples of a question is right, too.")
@click.option("--looks", type=int, default=1, help="How often these data will be looked at in all, as they grow.")
@click.option(
    "--fail-unless",
    type=click.Choice(["better", "not-worse", "equivalent"]),
    help="Exit 0 only if the first model is proven to be so against every other; 1: the contrary is shown; 3: open.",
)
@click.option(
    "--accept", type=click.Choice(["large-n"]), help="Let what holds only for large n decide on --fail-unless."
)
@click.option(
    "--sequential", is_flag=True, help="Follow a stream of two models; exit 0: first better, 1: second, 3: open."
)
@growing_options
@click.option(
    "--state", type=Kept(), metavar="FILE", help="With --sequential: where to go on from, and to save what was seen."
)
@click.option(
    "--every",
    type=click.IntRange(min=1),
    metavar="ROWS",
    help="With --sequential: print a look after each so many rows.",
)
@click.option("--losses", metavar="LOW,HIGH", help="With --sequential: the columns are losses in this range.")
@click.option("--positive", metavar="LABEL", help="The label that precision, recall and the scores speak about.")
@labels_option
@MISSING_ANSWERS
@click.option("--separator", help="What separates the columns of a text file.  [default: found by looking]")
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, help="Of the bootstrap and of simulations, where they answer."
)
@confidence_option
@picture_options("differences.svg, beats.png, ranks.pdf")
@no_order
@ledger_option
@json_option
@click.pass_context
def compare(context: click.Context, /, **given: Any) -> int:
    """Is A better than B? From the answers of several models to the same questions.

    Exits with 0 whatever the answer is, unless --fail-unless says what must be proven of the first model.

    holdfast compare preds.csv --models alpha,beta
    """
    _old_shares(given)
    chosen = _stated(context)
    refuse_idle(chosen)
    if given["sequential"]:
        stated = {str(option.name): given[option.name] for option in chosen}
        context.exit(follow_two(stated))  # what is not stated is as the saved state has it
    from holdfast.report.facts.kind import Kind

    output = Output.of(given, Kind.COMPARISON)
    with busy("Reading and counting"):
        report = (
            _of_datasets(**given) if given["datasets"] else _of_folds(**given) if given["folds"] else _of_rows(**given)
        )
    output.answer(report)
    return 0 if given["fail_unless"] is None else report.decision.exit_code


def _of_rows(files: Sequence[str], models: str | None, **given: Any) -> Any:
    """Models that answered the same questions."""
    from holdfast.verbs.panel.models import read_models

    if given["unpaired"] and (given["ledger"] or given["truth_file"]):
        raise HoldfastError("--unpaired holds rows of its own for each model; leave out --ledger and --truth-file.")
    if given["unpaired"]:
        return _of_samples(files, models, given)
    kept = given_ledger(given["ledger"], given["key"], given["truth_file"], next(iter(files), None))
    item = given["on"]
    source, given["truth"], given["on"] = _labelled(files, given)
    if kept is not None and kept.by_id and item is not None and "-" not in files:
        from holdfast.sources.labels import ids_in

        kept.at_hand = ids_in(source if given["truth_file"] else files[0], item, given["separator"])
    panel = read_models(
        source,
        models=_names(models),
        id=given["id_"],
        correct=True if given["pass_fail"] else given["correct"],
        score=_scores(given["score"]),
        value=_values(given),
        value_range=listed("--range", given["value_range"]) or None,  # type: ignore[arg-type]  # checked where it is used
        levels=listed("--levels", given["levels"]) or None,
        by=dividing(given["by"]),
        missing=given["missing"] or "refuse",
        **{name: given[name] for name in (*OF_ROWS, *OF_LOGS)},
    )
    return _made(panel, given, ledger=kept)


def _labelled(files: Sequence[str], given: dict[str, Any]) -> tuple[Any, str | None, str | None]:
    """Where the answers are, the column of the labels, and that on which files are still to be joined."""
    if given["truth_file"] is None:
        return _source(files), given["truth"], given["on"]
    from holdfast.sources.labels import with_labels

    if len(files) != 1:
        raise HoldfastError("--truth-file joins its labels to one file, which holds the answers of all models.")
    table, truth = with_labels(files[0], given["truth_file"], given["on"], given["truth"], given["separator"])
    return table, truth, None


def _of_samples(files: Sequence[str], models: str | None, given: dict[str, Any]) -> Any:
    """Models that were each seen on rows of their own."""
    from holdfast.sources import read
    from holdfast.sources.models.models import names_of_tables

    for name in ("on", "model", "pass_fail"):
        if given[name]:
            raise HoldfastError(
                f"--{name.replace('_', '-')} puts the answers of several models to the same items beside each other, "
                "and --unpaired says that no item was answered by two. Leave one of them out."
            )
    names = names_of_tables([*files], _names(models))
    if len(names) < 2:
        raise HoldfastError("--unpaired compares files of rows, one for each model: name two or more.")
    columns = ("truth", "predicted", "correct", "value", "cluster", "weight", "inclusion", "strata", "separator")
    how = {name: given[name] for name in columns}
    how["by"] = dividing(given["by"])
    how |= {"id": given["id_"], "score": _scores(given["score"]), "missing": given["missing"] or "refuse"}
    for option, role in (("--range", "value_range"), ("--levels", "levels")):
        how[role] = listed(option, given[role]) or None
    samples = {name: read(file, **how) for name, file in zip(names, files, strict=True)}
    return _made(samples, given, unpaired=True, positive=given["positive"], labels=given["labels"])


def _values(given: dict[str, Any]) -> Any:
    """The column that says how right answers are; a range by itself says that the columns of the models do."""
    ranged = given["value_range"] is not None or given["levels"] is not None
    return True if given["value"] is None and ranged else given["value"]


def _made(panel: Any, given: dict[str, Any], **more: Any) -> Any:
    """The comparison of these answers, as all options say."""
    from holdfast.sources.costs import read_costs
    from holdfast.verbs.compare.compare import compare as make_report

    with catch_warnings():
        simplefilter("ignore", UserWarning)  # what a script is warned of is a note of what is printed here
        return make_report(
            panel,
            method=given["method"] or None,
            only=given["only"] or None,
            share=parts_by_name("--share", MODEL_PARTS, given["share"]) or None,
            by=divisions(given["by"]) or None,
            design=stated_design(given),
            pass_at=listed("--pass-at", given["pass_at"]),  # type: ignore[arg-type]  # the measure says what k may be
            require=given["fail_unless"],
            costs=None if given["costs"] is None else read_costs(given["costs"]),
            classes=listed("--classes", given["classes"]) or None,
            **{name: given[name] for name in OF_REPORT},
            **more,
        )


def _of_datasets(files: Sequence[str], models: str | None, **given: Any) -> Any:
    """Models scored on many data sets."""
    from holdfast.sources.models.scoreboard import read_datasets
    from holdfast.verbs.compare.datasets import compare_datasets

    board = read_datasets(
        _source(files),
        datasets=given["datasets"],
        models=_names(models),
        model=given["model"],
        score=_one_score(given["score"]),
        better=given["better"],
        measure=_one_measure(given["only"]),
        missing=given["missing"] or "refuse",
        separator=given["separator"],
    )
    asked = {"rope": given["margin"]} if given["margin"] else {}
    return compare_datasets(board, confidence=given["confidence"], seed=given["seed"], **asked)


def _of_folds(files: Sequence[str], models: str | None, **given: Any) -> Any:
    """Models scored on the folds of a cross-validation."""
    from holdfast.sources.models.folds import read_folds
    from holdfast.verbs.compare.folds import compare_folds

    folds = read_folds(
        _source(files),
        value=_one_score(given["score"]),
        models=_names(models),
        measure=_one_measure(given["only"]),
        better=given["better"],
        fold=given["folds"],
        model=given["model"],
        separator=given["separator"],
    )
    return compare_folds(folds, margin=given["margin"], method=given["method"] or None, confidence=given["confidence"])


def _stated(context: click.Context) -> list[click.Parameter]:
    """The options that were given, and not left at their defaults."""
    named = [each for each in context.command.params if each.name in context.params]
    return [each for each in named if context.get_parameter_source(each.name or "") in STATED]


def _source(files: Sequence[str]) -> Any:
    if not files:
        raise HoldfastError("Name a file of answers, or - for standard input.")
    return files[0] if len(files) == 1 else list(files)


def _names(given: str | None) -> list[str] | None:
    return None if given is None else [name.strip() for name in given.split(",") if name.strip()]


def _one_measure(given: Sequence[str]) -> str | None:
    if len(given) > 1:
        raise HoldfastError("The scores are of one measure; give --measure once.")
    return given[0] if given else None


def _one_score(given: Sequence[str]) -> str | None:
    if len(given) > 1 or any("=" in each for each in given):
        raise HoldfastError("The scores of a long table stand in one column; give --score once.")
    return given[0] if given else None


def _scores(given: Sequence[str]) -> Any:
    """One column, or a pattern, or MODEL=COLUMN for each model."""
    if len(given) == 1 and "=" not in given[0]:
        return given[0]
    if wrong := [each for each in given if "=" not in each]:
        raise HoldfastError(f"--score takes MODEL=COLUMN for each of several models; got {wrong[0]!r}.")
    return by_name("--score", (each.split("=", 1) for each in given)) or None


def _old_shares(given: dict[str, Any]) -> None:
    """What --weight said before it named a column: MODEL=PART, for each model."""
    parts = [each for each in given["weight"] if "=" in each]
    if len(given["weight"]) > 1 and len(parts) < len(given["weight"]):
        raise HoldfastError("--weight names one column; give it once.")
    if parts:
        renamed("--weight MODEL=PART", "--share", parts[0], None if not given["share"] else given["share"][0])
        given["share"] = tuple(parts)
    given["weight"] = None if parts or not given["weight"] else given["weight"][0]
