"""holdfast gate: fail the build unless the claim is proven."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

import rich_click as click

from holdfast.cli.ledger import given_ledger, ledger_option
from holdfast.cli.options import (
    MethodName,
    busy,
    command_line,
    is_number,
    json_option,
    listed,
    renamed,
    show,
    taken,
    telling,
)
from holdfast.cli.pictures import Output, picture_options
from holdfast.cli.rows import column_options, divisions, log_options, read_rows, score_columns, stated, stated_options
from holdfast.cli.verb import Read, Verb, Written, markdown_is_printed, write_markdown
from holdfast.errors import HoldfastError

if TYPE_CHECKING:
    from holdfast.predictions import Predictions
    from holdfast.report import Decision
    from holdfast.sources.columns import Score
    from holdfast.verbs.gate.conditions import Condition


# What is asked in place of a file of conditions, how it is asked, and of what; what is left says where the rows are.
ONE = ("measure", "label", "at_most", "at_least", "each_at_least")
SETTINGS = (
    *("looks", "sequential", "simultaneous", "operating_point", "positive", "labels", "method", "accept"),
    *("baseline", "on"),
)
SPENDING = ("independent", "spend_now")


@click.command(cls=Verb)
@column_options
@stated_options
@log_options
@click.option("--measure", help="A name from `holdfast measures`.  [default: error-rate]")
@click.option("--label", help="The class that the measure is about.  [default: the positive one]")
@click.option("--at-most", type=float, help="The limit that must not be exceeded.")
@click.option("--at-least", type=float, help="Instead: the limit that must be reached.")
@click.option("--each-at-least", type=float, help="Instead: what each question's own chance to pass must reach.")
@click.option("--id", "question", metavar="COLUMN", help="The column that names the question a row is a sample of.")
@click.option("--pass-at", metavar="K,...", help="For --measure pass@k or pass^k: the number of samples.")
@click.option(
    "--conditions", type=Read(), metavar="FILE", help="Instead: a TOML file of conditions that shall all hold."
)
@click.option(
    "--baseline", type=Read(), metavar="FILE", help="The answers of the model before: is the new one not worse?"
)
@click.option("--baseline-column", metavar="COLUMN", help="Instead: its answers are in this column of the same file.")
@click.option("--baseline-score", metavar="COLUMN", help="And its scores in this one.")
@click.option("--margin", "allowed", metavar="NUMBER", help="By how much the new model may be worse than the baseline.")
@click.option("--looks", type=int, metavar="K", help="At how many sizes of a growing test set this is asked, all told.")
@click.option("--sequential", is_flag=True, help="Instead: look as often as you like; for rates of counted events.")
@click.option("--method", type=MethodName(), help="A name from `holdfast methods`.")
@click.option("--accept", type=click.Choice(["large-n"]), help="Let what holds only for large n decide.")
@click.option("--simultaneous", is_flag=True, help="Make all that is called proven hold together, not each on its own.")
@click.option("--confidence", help="Confidence of the answer as a whole.  [default: 0.95]")
@click.option("--junit", type=Written(), metavar="FILE", help="Write the answer as JUnit XML, too.")
@click.option("--github", is_flag=True, help="Annotate the run of GitHub Actions and write its summary.")
@picture_options("conditions.svg, conditions.png")
@ledger_option
@click.option("--open", "opened", is_flag=True, help="With --ledger: show all, and write it down as an open look.")
@click.option("--independent", metavar="REASON", help="Why model, condition and asking depend on no open look.")
@click.option("--spend-now", type=float, metavar="LEVEL", help="What this gate spends, where the ledger says no rule.")
@json_option
def gate(
    by: tuple[str, ...],
    missing: str | None,
    question: str | None,
    pass_at: str | None,
    conditions: str | None,
    baseline_column: str | None,
    baseline_score: str | None,
    allowed: str | None,
    confidence: str | None,
    junit: str | None,
    github: bool,
    ledger: str | None,
    key: str | None,
    opened: bool,
    **columns: Any,
) -> int:
    """Is the claim proven? Exits with 0 if it is, 1 if it is refuted, 3 if the data are too few, 2 on bad input.

    What holds only for large n proves nothing: it exits with 3, unless --accept large-n lets it decide.

    holdfast gate predictions.csv --measure error-rate --at-most 0.05

    holdfast gate new.csv --baseline old.csv --on id --margin 0.02 --by subject

    holdfast gate repeats.csv --id question --each-at-least 0.8
    """
    from holdfast.report.facts.kind import Kind
    from holdfast.sources.conditions import read_conditions
    from holdfast.verbs.gate.gate import gate as decide

    output = Output.of(columns, Kind.DECISION)
    margin = float(allowed) if allowed is not None and is_number(allowed) else None
    if allowed is not None and margin is None:
        columns["margin"] = renamed("--margin COLUMN", "--margin-column", allowed, columns["margin"])
    one, settings, spending = (_said(taken(columns, *names)) for names in (ONE, SETTINGS, SPENDING))
    if conditions is not None and one:
        given = ", ".join(f"--{name.replace('_', '-')}" for name in one)
        raise HoldfastError(f"--conditions says what shall hold; leave out {given}.")
    asked: dict[str, Any] = one if conditions is None else read_conditions(conditions)
    settings |= {
        "by": [name for names in divisions(by) for name in names] or None,
        "margin": margin,
        "pass_at": listed("--pass-at", pass_at) or None,
        "missing": missing,
        "confidence": confidence,
        **stated(columns),
    }
    asked |= {name: value for name, value in settings.items() if value is not None}  # over what the file says
    if confidence is not None:
        asked.pop("delta", None)
    if baseline_column is not None and asked.get("baseline") is not None:
        raise HoldfastError("The baseline is in a file of its own, --baseline, or in --baseline-column; give one.")
    if baseline_column is not None and asked.get("on") is not None and columns["truth_file"] is None and ledger is None:
        raise HoldfastError("--on joins the rows of two files; with --baseline-column there is one. Leave it out.")
    if baseline_score is not None and baseline_column is None:
        raise HoldfastError("--baseline-score goes with --baseline-column; of another file --score names the column.")
    source = columns["truth_file"], columns["files"][0]
    kept = None if ledger is None and key is None else given_ledger(ledger, key, *source)
    if kept is not None and not opened and columns["files"] == ("-",):
        raise HoldfastError("A sealed gate reads files; name one in place of standard input.")
    if kept is not None:
        spending["ledger"] = kept
    if opened:
        spending["sealed"] = False
    if question is not None and asked.get("on") is not None:
        raise HoldfastError("--on names the item in two files, and so the question; leave out --id.")
    columns |= {"missing": asked.pop("missing", None), "baseline": baseline_column, "baseline_score": baseline_score}
    columns["id"] = question
    with busy("Reading and counting"):
        rows = _rows(asked, columns, None if kept is None else kept.by_id, kept is not None and not opened)
        decision = decide(rows, **asked, **spending).with_command(command_line())
    _tell(decision, junit, github, output.as_json)
    output.write(decision)
    return decision.exit_code


def _said(options: dict[str, Any]) -> dict[str, Any]:
    """Those that say anything."""
    return {name: value for name, value in options.items() if value is not None and value is not False}


def _rows(
    asked: dict[str, Any], columns: Mapping[str, Any], by_id: bool | None = None, sealed: bool = False
) -> Predictions:
    """The rows with the columns that conditions name; where these name files of a baseline, they are read too.

    `by_id` is whether the ledger that they are kept in, if there is one, knows rows by their ids.
    """
    from holdfast.verbs.gate.conditions import columns_named, several

    listed: list[Condition] = []
    if "conditions" in asked:
        listed = several(asked["conditions"], asked.get("margin"))
    by = [*(columns_named(asked.get("by")) or ()), *(name for each in listed for name in each.columns)]
    files = [asked.get("baseline"), *(each.baseline for each in listed)]
    on: str | None = asked.get("on")
    beside = any(file is not None for file in files)
    joined = columns["truth_file"] is not None
    if not beside and (joined or by_id is not None):
        asked.pop("on", None)  # by which labels are joined, and rows are known
    id_ = on if beside or by_id or not joined else None
    named = {**columns, "id": id_ or columns["id"]}
    rows = read_rows(by=tuple(dict.fromkeys(by)), on=on if joined else None, sealed=sealed, **named)
    if rows.runs:  # a log says itself what its questions are called
        return rows
    if beside and on is None:
        raise HoldfastError("Rows of two files are joined by the item that they are about: name its column by --on.")
    read = cache(lambda file: None if file is None else _read_baseline(file, on, columns))
    if listed:
        asked["conditions"] = [replace(each, baseline=read(each.baseline)) for each in listed]
        asked.pop("margin", None)  # which they have
    if "baseline" in asked:
        asked["baseline"] = read(asked["baseline"])
    return rows


def _read_baseline(file: str, on: str | None, columns: Mapping[str, Any]) -> Predictions:
    """The answers of the model before, in the columns that are called as those of the new one."""
    from holdfast.sources.models.model_columns import BaselineColumns
    from holdfast.sources.selection import read_predictions

    score: Score | Literal[False] | None = False if columns["no_score"] else score_columns(columns["score"])
    wanted = BaselineColumns(on, columns["truth"], columns["predicted"], score, columns["correct"], columns["value"])
    return read_predictions(file, wanted, columns["missing"] or "refuse", columns["separator"])


def _tell(decision: Decision, junit: str | None, github: bool, as_json: bool) -> None:
    from holdfast.files import write_whole
    from holdfast.render.ci.github import annotations, junit_xml, without_commands, write_summary

    if junit is not None:
        write_whole(junit, junit_xml(decision).encode())
    if not github:
        show(decision, as_json)
        return
    markdown_is_printed(beside="--github")
    write_summary(decision)
    with telling():
        click.echo(decision.to_json() if as_json else without_commands(str(decision)))
        click.echo(annotations(decision), nl=False, err=as_json)
    write_markdown(decision)
