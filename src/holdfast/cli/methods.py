"""holdfast methods, holdfast measures: what is there; holdfast verify: does it keep its promise?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import rich_click as click

from holdfast.cli.options import (
    EntryName,
    MethodName,
    Sizes,
    command_line,
    confidence_option,
    json_option,
    show,
    side_option,
    tell,
)
from holdfast.cli.verb import Verb, Written
from holdfast.errors import HoldfastError

if TYPE_CHECKING:
    from holdfast.catalog import Bound
    from holdfast.claims import Coverage


@click.command(cls=Verb)
@click.argument("name", type=EntryName(), required=False)
@json_option
def methods(name: str | None, as_json: bool) -> None:
    """The catalog of methods, or everything about one of them.

    holdfast methods clopper-pearson
    """
    from holdfast.catalog import Procedure, find_entry, procedures
    from holdfast.catalog import methods as catalog
    from holdfast.report import Report
    from holdfast.report.facts.listing import MethodsFacts

    if name is None:
        facts = MethodsFacts(*(tuple(each.to_dict() for each in entries) for entries in (catalog(), procedures())))
    else:
        entry = find_entry(name)
        kind = "procedures" if isinstance(entry, Procedure) else "methods"
        facts = MethodsFacts(**{kind: (entry.to_dict(),)})
    show(Report.of([], facts, command=command_line()), as_json)


@click.command(cls=Verb)
@click.argument("name", required=False)
@json_option
def measures(name: str | None, as_json: bool) -> None:
    """What is measured: every measure of the catalog, or all about one.

    holdfast measures f1
    """
    from holdfast.catalog import find_measure
    from holdfast.catalog import measures as catalog
    from holdfast.report import Report
    from holdfast.report.facts.listing import MeasuresFacts

    entries = [entry.to_dict() for entry in ([find_measure(name)] if name else catalog())]
    show(Report.of([], MeasuresFacts(tuple(entries)), command=command_line()), as_json)


@click.command(cls=Verb)
@click.argument("method", type=MethodName())
@click.option("--n", "sizes", type=Sizes(), default="100", show_default=True, help="50, or 10,20,50, or 10..200.")
@click.option("--repeats", type=click.IntRange(100), default=2000, show_default=True, help="Simulated samples a law.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the simulation.")
@click.option("--chart", type=Written(), metavar="FILE", help="Draw the coverage curve: .png, .svg, .pdf or .html.")
@side_option
@confidence_option
@json_option
def verify(
    method: str,
    sizes: list[int],
    chart: str | None,
    as_json: bool,
    **options: Any,
) -> int:
    """Exact worst coverage where it can be counted out, seeded simulation elsewhere.

    Exits with 1 if a method that promises to hold at every sample size does not.

    holdfast verify wilson --n 10..200
    """
    from rich.console import Console
    from rich.progress import track

    from holdfast.catalog import find
    from holdfast.evidence import Counts
    from holdfast.render.page import check_ending
    from holdfast.report import Report
    from holdfast.report.facts.listing import VerificationFacts
    from holdfast.verify import checks, number_of_checks, promise_kept

    bound = find(method)
    if chart:  # before the work, not after it
        check_ending(chart)
        if Counts not in bound.takes:
            raise HoldfastError(f"{bound.name} is simulated, not enumerated; there is no coverage curve to draw.")
    pending = checks(bound, sizes, **options)
    console = Console(stderr=True)
    bar = track(
        pending, f"Verifying {bound.name}", total=number_of_checks(bound, sizes), console=console, transient=True
    )
    results = list(bar if console.is_terminal else pending)  # a bar that is disabled still ends in an empty line
    if chart:
        _draw(bound, results, chart)
    report = Report.of([], VerificationFacts(tuple(results)), command=command_line(), seed=options["seed"])
    show(report, as_json)
    return 0 if promise_kept(bound, results) else 1


def _draw(bound: Bound, results: list[Coverage], path: str) -> None:
    """Against n where there are several, against the true rate where there is one."""
    from holdfast.render.charts import coverage_chart
    from holdfast.render.page import save_chart
    from holdfast.render.phrases import confidence as promised
    from holdfast.verify import coverage_curve

    exact = [result for result in results if result.repeats is None]
    first = exact[0]
    title = f"{bound.name}: {bound.guarantee.sentence}"
    if len(exact) > 1:
        x, y = [float(result.n) for result in exact], [result.coverage for result in exact]
        axis, subtitle = "number of examples", "Exact worst coverage over every true rate"
    else:
        rates, covered = coverage_curve(bound, first.n, delta=first.delta, side=first.side)
        x, y = rates.tolist(), covered.tolist()
        axis, subtitle = "true error rate", f"Exact coverage with {first.n} examples"
    side = "two-sided" if first.side == "both" else f"{first.side} limit"
    subtitle = f"{subtitle}, {side}; dashed: the {promised(first.delta)} asked for"
    save_chart(coverage_chart(x, y, 1 - first.delta, x_title=axis, title=title, subtitle=subtitle), path)
    tell(f"Chart written to {path}")
