"""Claims, reports and plans as text of at most 80 columns: lists of parts for a rich console, or plain strings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from typing import TYPE_CHECKING, Any

import numpy as np

from holdfast.audience import visible_lines
from holdfast.claims import Claim, Coverage, Guarantee
from holdfast.render.numbers import UNKNOWN, confidence, digits_for, percent, rounded
from holdfast.render.phrases import BRIEF, claim_sentence, per
from holdfast.wording import wrapped

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from holdfast.report import Plan, Report

Parts = list[Any]  # strings and rich's tables, to be shown under each other

WIDTH = 80
TIED = 1e-12  # coverages that differ by less differ by rounding only
SHOWN = 10  # elements of an array claim that are printed
COLOUR = {Guarantee.FINITE: "green", Guarantee.ASYMPTOTIC: "yellow", Guarantee.HEURISTIC: "red"}


def as_text(*parts: Any) -> str:
    """The parts as a terminal of 80 columns without colour would show them."""
    page = StringIO()
    console = console_of(file=page, width=WIDTH, no_color=True)
    for part in parts:
        console.print(part)
    return "\n".join(line.rstrip() for line in page.getvalue().rstrip("\n").split("\n"))


def console_of(**options: Any) -> Console:
    """A console that takes text for text: no markup in it, and nothing that a terminal would obey."""
    from rich.console import Console
    from rich.segment import Segment

    class Plain(Console):
        def render(self, *given: Any, **settings: Any) -> Iterator[Segment]:
            for segment in super().render(*given, **settings):
                yield segment if segment.control else segment._replace(text=visible_lines(segment.text))

    return Plain(markup=False, highlight=False, **options)


def claim_line(claim: Claim) -> str:
    """The claim in one line, or a line for each element of an array."""
    shape = np.shape(claim.upper)
    deltas = np.broadcast_to(np.asarray(claim.delta), shape)
    places = list(np.ndindex(shape))
    lines = [
        f"{_interval(claim, place)}{per(claim)}, {claim.method}, {confidence(float(deltas[place]))}, "
        f"{claim.guarantee.sentence}"
        for place in places[:SHOWN]
    ]
    return "\n".join(lines + ([f"... and {len(places) - SHOWN} more"] if len(places) > SHOWN else []))


def _interval(claim: Claim, place: tuple[int, ...]) -> str:
    estimate = None if claim.estimate is None else float(np.asarray(claim.estimate)[place])
    lower, upper = float(np.asarray(claim.lower)[place]), float(np.asarray(claim.upper)[place])
    digits = digits_for(upper - lower)
    middle = rounded(estimate, digits, "nearest")
    if claim.side == "upper":
        return f"{middle}, at most {rounded(upper, digits, 'up')}"
    if claim.side == "lower":
        return f"{middle}, at least {rounded(lower, digits, 'down')}"
    return f"{middle} [{rounded(lower, digits, 'down')}, {rounded(upper, digits, 'up')}]"


def claim_parts(claim: Claim) -> Parts:
    """One claim, in a line and in a sentence, and what it rests on."""
    return [claim_line(claim), "", claim_sentence(claim), *assumptions([claim]), "", f"Source: {claim.source}"]


def assumptions(claims: Iterable[Claim]) -> Parts:
    """What the claims rest on, each sentence once."""
    return listed(list(dict.fromkeys(str(sentence) for claim in claims for sentence in claim.assumes)))


def listed(sentences: Sequence[str]) -> Parts:
    """What is assumed, a line each."""
    ends = [";"] * (len(sentences) - 1) + ["."]
    return ["", "This assumes that", *(wrapped(f"{s}{end}", "  - ") for s, end in zip(sentences, ends, strict=True))]


def bounds_parts(report: Report) -> Parts:
    """Every claim of the report side by side, and what they rest on."""
    from rich.text import Text

    table = empty_table("method", "lower", "upper", "width", "holds for", "worst coverage")
    digits = digits_for(min((float(claim.width) for claim in report.claims), default=1.0))
    for line in report.lines:
        claim = line.claim
        lower, upper = float(claim.lower), float(claim.upper)
        table.add_row(
            claim.method,
            rounded(lower, digits, "down"),
            rounded(upper, digits, "up"),
            rounded(upper - lower, digits, "nearest"),
            Text(BRIEF[claim.guarantee], style=COLOUR[claim.guarantee]),
            UNKNOWN if line.coverage is None else rounded(line.coverage, 4, "down"),
        )
    return [
        *_shared(report.claims),
        table,
        "",
        "Each interval holds on its own. Choosing the narrowest after looking voids the guarantee: "
        "fix the method beforehand.",
        *assumptions(report.claims),
    ]


def _shared(claims: Sequence[Claim]) -> Parts:
    """What all claims side by side have in common: the estimate, the number of examples, confidence and side."""
    if not claims:
        return []
    first = claims[0]
    estimate = None if first.estimate is None else float(first.estimate)
    sides = "both sides" if first.side == "both" else f"{first.side} limits"
    middle = rounded(estimate, digits_for(float(first.width)), "nearest")
    return [f"{first.measure} {middle} of {first.n} examples, {confidence(float(first.delta))}, {sides}", ""]


def plan_parts(plan: Plan) -> Parts:
    """What to label and what to look for."""
    level = confidence(plan.delta)
    if plan.wins is not None and plan.losses is not None:
        return _comparison_parts(plan, plan.wins, plan.losses, level)
    if plan.half_width is not None:
        when = "whatever the rate is" if plan.expect is None else f"if the rate is {plan.expect:g}"
        sure = "" if plan.expect is None else f" with probability {plan.power:g}"
        goal = f"the {level} interval reaches at most {plan.half_width:g} to either side{sure}, {when}"
    elif plan.expect:
        goal = (
            f"a rate of at most {plan.at_most:g} will be proven at {level} with probability {plan.power:g}, "
            f"if the rate is {plan.expect:g}"
        )
    else:
        goal = f"no error among them proves a rate of at most {plan.at_most:g} at {level}"
    parts: Parts = [f"Label {plan.n} examples: {goal}."]
    if plan.accept:
        parts.append(f"It is proven if at most {plan.accept} of them are errors.")
    return [*parts, *_from_where_on(plan), "", f"Method: {plan.method}, {plan.guarantee.sentence}."]


def _comparison_parts(plan: Plan, wins: float, losses: float, level: str) -> Parts:
    """What to label so that two models are told apart."""
    better = "first" if wins > losses else "second"
    return [
        f"Label {plan.n} examples: the {better} model will be found better at {level} with probability {plan.power:g}, "
        f"if the first alone is right on {wins:g} of them and the second alone on {losses:g}.",
        f"Only examples that one of the two alone gets right tell; expect some {plan.n * (wins + losses):.0f} of them.",
        *_from_where_on(plan),
        "",
        f"Method: {plan.method}, {plan.guarantee.sentence}.",
    ]


def _from_where_on(plan: Plan) -> Parts:
    if plan.n_always == plan.n:
        return []
    return [f"Counts being whole, not every larger number does; from {plan.n_always} on, all do."]


def coverage_parts(results: Sequence[Coverage], guarantee: Guarantee) -> Parts:
    """How a method kept its promise: what was counted out, what was simulated, and the verdict."""
    first = results[0]
    parts: Parts = [f"{first.method}, {first.side}, {confidence(first.delta)}, {guarantee.sentence}", ""]
    exact = [result for result in results if result.repeats is None]
    if exact:
        least = min(result.coverage for result in exact)
        worst = next(result for result in exact if result.coverage <= least + TIED)
        parts.append(
            f"Exact worst coverage {percent(worst.coverage, 5, 'down')} at n = {worst.n}, "
            f"where the true rate is {worst.at:.6g}."
        )
        if len(exact) > 1:
            heights = [result.coverage for result in exact]
            top = max(*heights, 1 - worst.delta)
            parts += ["", f"  {_sparkline(heights, worst.coverage, top)}"]
            parts.append(f"  n from {exact[0].n} to {exact[-1].n}, coverage from {worst.coverage:.4f} to {top:.4f}")
    if len(exact) < len(results):
        parts += ["", _coverage_table([result for result in results if result.repeats is not None])]
    if guarantee is not Guarantee.FINITE:
        verdict = "It promises nothing at a given sample size."
    elif all(result.kept for result in results):
        verdict = "The promise is kept."
    else:
        verdict = "The promise is BROKEN."
    return [*parts, "", verdict]


def _sparkline(heights: Sequence[float], low: float, high: float) -> str:
    """Heights as blocks, the lowest of each stretch where there are more values than columns."""
    blocks = "▁▂▃▄▅▆▇█"
    stretches = np.array_split(np.asarray(heights), min(WIDTH - 4, len(heights)))
    scaled = [(stretch.min() - low) / max(high - low, 1e-12) for stretch in stretches]
    return "".join(blocks[int(np.clip(height * 7.999, 0, 7))] for height in scaled)


def _coverage_table(results: Sequence[Coverage]) -> Table:
    table = empty_table("drawn from", "n", "samples", "missed", "coverage")
    for result in results:
        covered = rounded(result.coverage, 4, "down")
        table.add_row(result.law, str(result.n), str(result.repeats), str(result.misses), covered)
    return table


def empty_table(*columns: str, left: int = 1) -> Table:
    """A table with this header, to be filled."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for index, column in enumerate(columns):
        table.add_column(column, justify="left" if index < left else "right")
    return table
