"""holdfast gate: fail the build unless the claim is proven."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import rich_click as click

from holdfast.cli.options import MethodName, busy, command_line, json_option, show, telling
from holdfast.cli.rows import column_options, read_rows, stated, stated_options
from holdfast.cli.targets import Read, Written
from holdfast.cli.verb import Verb
from holdfast.errors import HoldfastError

if TYPE_CHECKING:
    from holdfast.report import Decision


@click.command(cls=Verb)
@column_options
@stated_options
@click.option("--measure", help="A name from `holdfast measures`.  [default: error-rate]")
@click.option("--label", help="The class that the measure is about.  [default: the positive one]")
@click.option("--at-most", type=float, help="The limit that must not be exceeded.")
@click.option("--at-least", type=float, help="Instead: the limit that must be reached.")
@click.option(
    "--conditions", type=Read(), metavar="FILE", help="Instead: a TOML file of conditions that shall all hold."
)
@click.option("--looks", type=int, metavar="K", help="At how many sizes of a growing test set this is asked, all told.")
@click.option("--sequential", is_flag=True, help="Instead: look as often as you like; for rates of counted events.")
@click.option("--method", type=MethodName(), help="A name from `holdfast methods`.")
@click.option("--accept", type=click.Choice(["large-n"]), help="Let what holds only for large n decide.")
@click.option("--confidence", help="Confidence of the answer as a whole.  [default: 0.95]")
@click.option("--junit", type=Written(), metavar="FILE", help="Write the answer as JUnit XML, too.")
@click.option("--github", is_flag=True, help="Annotate the run of GitHub Actions and write its summary.")
@json_option
def gate(
    by: tuple[str, ...],
    max_cluster: int | None,
    order: str | None,
    sampling: str | None,
    prevalence: tuple[str, ...],
    costs: str | None,
    operating_point: float | None,
    positive: str | None,
    labels: list[str] | None,
    missing: str | None,
    measure: str | None,
    label: str | None,
    at_most: float | None,
    at_least: float | None,
    conditions: str | None,
    looks: int | None,
    sequential: bool,
    method: str | None,
    accept: str | None,
    confidence: str | None,
    junit: str | None,
    github: bool,
    as_json: bool,
    **columns: Any,
) -> int:
    """Is the claim proven? Exits with 0 if it is, 1 if it is refuted, 3 if the data are too few, 2 on bad input.

    What holds only for large n proves nothing: it exits with 3, unless --accept large-n lets it decide.

    holdfast gate predictions.csv --measure error-rate --at-most 0.05
    """
    from holdfast.sources.conditions import read_conditions
    from holdfast.verbs.gate.gate import gate as decide

    one = {"measure": measure, "label": label, "at_most": at_most, "at_least": at_least}
    one = {name: value for name, value in one.items() if value is not None}
    if conditions is not None and one:
        given = ", ".join(f"--{name.replace('_', '-')}" for name in one)
        raise HoldfastError(f"--conditions says what shall hold; leave out {given}.")
    asked: dict[str, Any] = one if conditions is None else read_conditions(conditions)
    settings: dict[str, Any] = {
        "looks": looks,
        "sequential": sequential or None,
        "operating_point": operating_point,
        "positive": positive,
        "labels": labels,
        "method": method,
        "accept": accept,
    }
    settings |= {
        "missing": missing,
        "confidence": confidence,
        **stated(max_cluster, order, sampling, prevalence, costs),
    }
    asked |= {name: value for name, value in settings.items() if value is not None}  # over what the file says
    if confidence is not None:
        asked.pop("delta", None)
    with busy("Reading and counting"):
        rows = read_rows(by=by, missing=asked.pop("missing", None), **columns)
        decision = decide(rows, command=command_line(), **asked)
    _tell(decision, junit, github, as_json)
    return decision.exit_code


def _tell(decision: Decision, junit: str | None, github: bool, as_json: bool) -> None:
    from holdfast.files import write_whole
    from holdfast.render.ci.github import annotations, without_commands, write_summary
    from holdfast.render.ci.junit import junit_xml
    from holdfast.render.text.decision import decision_parts

    if junit is not None:
        write_whole(junit, junit_xml(decision).encode())
    if not github:
        show(decision, decision_parts(decision), as_json)
        return
    write_summary(decision)
    with telling():
        click.echo(decision.to_json() if as_json else without_commands(str(decision)))
        click.echo(annotations(decision), nl=False, err=as_json)
