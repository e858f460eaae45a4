"""holdfast gate: fail the build unless the claim is proven."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import rich_click as click

from holdfast.cli.assess import _columns, _shares
from holdfast.cli.options import MethodName, busy, command_line, json_option, show
from holdfast.errors import HoldfastError

if TYPE_CHECKING:
    from holdfast.report import Decision


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--measure", help="A name from `holdfast measures`.  [default: error-rate]")
@click.option("--label", help="The class that the measure is about.  [default: the positive one]")
@click.option("--at-most", type=float, help="The limit that must not be exceeded.")
@click.option("--at-least", type=float, help="Instead: the limit that must be reached.")
@click.option("--conditions", metavar="FILE", help="Instead: a TOML file of conditions that shall all hold.")
@click.option("--looks", type=int, metavar="K", help="At how many sizes of a growing test set this is asked, all told.")
@click.option("--sequential", is_flag=True, help="Instead: look as often as you like; for rates of counted events.")
@click.option("--by", metavar="COLUMN", multiple=True, help="Every group must pass: COLUMN, or COLUMN,COLUMN crossed.")
@click.option("--truth", metavar="COLUMN", help="The column of the true labels.  [default: found by name]")
@click.option("--predicted", metavar="COLUMN", help="The column of the predicted labels.  [default: found by name]")
@click.option(
    "--score", metavar="COLUMN", multiple=True, help="The column of the scores; LABEL=COLUMN for each of many classes."
)
@click.option("--correct", metavar="COLUMN", help="A column of 0/1 instead: whether each example was right.")
@click.option("--cluster", metavar="COLUMN", help="The column that says which passage, patient ... a row comes from.")
@click.option("--max-cluster", type=int, metavar="ROWS", help="The most rows a cluster can hold, fixed beforehand.")
@click.option(
    "--sampling", type=click.Choice(["random", "by-class"]), help="How the test set was drawn.  [default: random]"
)
@click.option("--prevalence", metavar="LABEL=SHARE", multiple=True, help="How frequent a class truly is.")
@click.option("--costs", metavar="FILE", help="A CSV file of what each answer costs, for --measure expected-cost.")
@click.option("--positive", metavar="LABEL", help="The label that precision, recall and the score speak about.")
@click.option("--method", type=MethodName(), help="A name from `holdfast methods`.")
@click.option(
    "--missing",
    type=click.Choice(["refuse", "drop", "wrong"]),
    help="What to do with a row without truth or prediction.  [default: refuse]",
)
@click.option("--separator", help="What separates the columns of a text file.  [default: found by looking]")
@click.option("--confidence", help="Confidence of the answer as a whole.  [default: 0.95]")
@click.option("--junit", metavar="FILE", help="Write the answer as JUnit XML, too.")
@click.option("--github", is_flag=True, help="Annotate the run of GitHub Actions and write its summary.")
@json_option
def gate(
    files: tuple[str, ...],
    measure: str | None,
    label: str | None,
    at_most: float | None,
    at_least: float | None,
    conditions: str | None,
    looks: int | None,
    sequential: bool,
    by: tuple[str, ...],
    truth: str | None,
    predicted: str | None,
    score: tuple[str, ...],
    correct: str | None,
    cluster: str | None,
    max_cluster: int | None,
    sampling: str | None,
    prevalence: tuple[str, ...],
    costs: str | None,
    positive: str | None,
    method: str | None,
    missing: str | None,
    separator: str | None,
    confidence: str | None,
    junit: str | None,
    github: bool,
    as_json: bool,
) -> int:
    """Is the claim proven? Exits with 0 if it is, 1 if it is refuted, 3 if the data are too few, 2 on bad input.

    holdfast gate predictions.csv --measure error-rate --at-most 0.05
    """
    from holdfast.sources import read
    from holdfast.sources.conditions import read_conditions
    from holdfast.sources.costs import read_costs
    from holdfast.verbs.gate import gate as decide

    one = {"measure": measure, "label": label, "at_most": at_most, "at_least": at_least}
    one = {name: value for name, value in one.items() if value is not None}
    if conditions is not None and one:
        given = ", ".join(f"--{name.replace('_', '-')}" for name in one)
        raise HoldfastError(f"--conditions says what shall hold; leave out {given}.")
    asked: dict[str, Any] = one if conditions is None else read_conditions(conditions)
    settings: dict[str, Any] = {
        "looks": looks,
        "sequential": sequential or None,
        "positive": positive,
        "method": method,
    }
    settings |= {"missing": missing, "confidence": confidence, "max_cluster": max_cluster, "sampling": sampling}
    settings |= {"prevalence": _shares(prevalence), "costs": None if costs is None else read_costs(costs)}
    asked |= {name: value for name, value in settings.items() if value is not None}  # over what the file says
    if confidence is not None:
        asked.pop("delta", None)
    with busy("Reading and counting"):
        rows = read(
            files[0] if len(files) == 1 else list(files),
            truth=truth,
            predicted=predicted,
            score=_columns(score),
            correct=correct,
            by=tuple(dict.fromkeys(name.strip() for columns in by for name in columns.split(","))),
            cluster=cluster,
            missing=asked.pop("missing", "refuse"),
            separator=separator,
        )
        decision = decide(rows, command=command_line(), **asked)
    _tell(decision, junit, github, as_json)
    return decision.answer.exit_code


def _tell(decision: Decision, junit: str | None, github: bool, as_json: bool) -> None:
    from holdfast.render.decision import decision_parts
    from holdfast.render.files import write_whole
    from holdfast.render.github import annotations, without_commands, write_summary
    from holdfast.render.junit import junit_xml

    if junit is not None:
        write_whole(junit, junit_xml(decision).encode())
    if not github:
        show(decision, decision_parts(decision), as_json)
        return
    write_summary(decision)
    click.echo(decision.to_json() if as_json else without_commands(str(decision)))
    click.echo(annotations(decision), nl=False, err=as_json)
