"""Claims, plans and promises: what is said of them, in parts that text and documents lay out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from holdfast.claims import Claim, Coverage, Guarantee
from holdfast.render.outline.parts import ANY, VERDICT, Assumed, Column, Parts, Sentence, Stated, Table, Verbatim
from holdfast.render.phrases import (
    BEFORE,
    UNKNOWN,
    claim_sentence,
    confidence,
    digits_for,
    estimate_and_limits,
    per,
    percent,
    point,
    rounded,
    rows_of,
)
from holdfast.report import Plan, Report
from holdfast.wording import WIDTH, counted

TIED = 1e-12  # coverages that differ by less differ by rounding only
MANY_DIGITS = 15  # decimals, in a line that has room for them
SHOWN = 10  # elements of an array claim that are printed


def claim_line(claim: Claim) -> str:
    """The claim in one line, or a line for each element of an array."""
    rows = rows_of(claim, SHOWN)
    lines = [
        f"{_interval(row.claim)}{per(claim)}, {claim.method}, {confidence(float(row.claim.delta))}, "
        f"{claim.guarantee.sentence}"
        for row in rows
    ]
    left = int(np.size(claim.upper)) - len(rows)
    return "\n".join(lines + ([f"... and {left} more"] if left else []))


def _interval(claim: Claim) -> str:
    estimate, limits = estimate_and_limits(claim, MANY_DIGITS)
    return f"{estimate}{' ' if claim.side == 'both' else ', '}{BEFORE['words'][claim.side]}{limits}"


def claim_parts(claim: Claim, title: str = "") -> Parts:
    """One claim, in a line and in a sentence, and what it rests on."""
    return [
        Stated(claim, title),
        Sentence((claim_sentence(claim),), VERDICT, loose=True),
        Assumed.by([claim]),
        source_of(claim),
    ]


def source_of(claim: Claim) -> Sentence:
    return Sentence((f"Source: {claim.source}",), loose=True)


def bounds_parts(report: Report) -> Parts:
    """Every claim of the report side by side, and what they rest on."""
    if not report.claims:
        return [Sentence(("This report makes no claim.",))]
    titles = ("lower", "upper", "width", "holds for", "worst coverage")
    digits = digits_for(min(float(claim.width) for claim in report.claims))
    rows = [
        [
            claim.method,
            rounded(float(claim.lower), digits, "down"),
            rounded(float(claim.upper), digits, "up"),
            rounded(float(claim.upper) - float(claim.lower), digits, "nearest"),
            claim.guarantee,
            UNKNOWN if line.coverage is None else rounded(line.coverage, 4, "down"),
        ]
        for line in report.lines
        for claim in [line.claim]
    ]
    fixed = (
        "Each interval holds on its own. Choosing the narrowest after looking voids the guarantee: "
        "fix the method beforehand."
    )
    table = Table([Column.words("method"), *map(Column, titles)], rows, most=ANY)
    return [_shared(report.claims), table, Sentence((fixed,), loose=True), Assumed.by(report.claims)]


def _shared(claims: Sequence[Claim]) -> Sentence:
    """What all claims side by side have in common: the estimate, the number of examples, confidence and side."""
    first = claims[0]
    sides = "both sides" if first.side == "both" else f"{first.side} limits"
    middle = rounded(point(first), digits_for(float(first.width)), "nearest")
    common = f"{first.measure} {middle} of {first.n} examples, {confidence(float(first.delta))}, {sides}"
    return Sentence((common,), loose=True)


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
    sentences = [f"Label {plan.n} examples: {goal}."]
    if plan.accept:
        sentences.append(f"It is proven if at most {plan.accept} of them are errors.")
    return _planned(plan, sentences)


def _comparison_parts(plan: Plan, wins: float, losses: float, level: str) -> Parts:
    """What to label so that two models are told apart."""
    better = "first" if wins > losses else "second"
    return _planned(
        plan,
        [
            f"Label {plan.n} examples: the {better} model will be found better at {level} with probability "
            f"{plan.power:g}, if the first alone is right on {wins:g} of them and the second alone on {losses:g}.",
            "Only examples that one of the two alone gets right tell; expect some "
            f"{plan.n * (wins + losses):.0f} of them.",
        ],
    )


def _planned(plan: Plan, sentences: Sequence[str]) -> Parts:
    """How many examples, from which number on all do, and by which method."""
    always = f"Counts being whole, not every larger number does; from {plan.n_always} on, all do."
    method = f"Method: {plan.method}, {plan.guarantee.sentence}."
    goals = [*sentences, *([] if plan.n_always == plan.n else [always])]
    if plan.overall is not None:
        goals.append(
            f"That is so at every gate of a ledger for {counted(plan.gates or 0, 'gate')} and "
            f"{counted(plan.promotions or 0, 'promotion')}, at {confidence(plan.overall)} over all of them: the least "
            f"that a gate spends is {plan.delta:.3g}."
        )
    return [Sentence(tuple(goals), loose=True), Sentence((method,), loose=True)]


def coverage_parts(results: Sequence[Coverage], guarantee: Guarantee) -> Parts:
    """How a method kept its promise: what was counted out, what was simulated, and the verdict."""
    first = results[0]
    promise = f"{first.method}, {first.side}, {confidence(first.delta)}, {guarantee.sentence}"
    parts: Parts = [Sentence((promise,), loose=True)]
    exact = [result for result in results if result.repeats is None]
    if exact:
        least = min(result.coverage for result in exact)
        worst = next(result for result in exact if result.coverage <= least + TIED)
        counted = (
            f"Exact worst coverage {percent(worst.coverage, 5, 'down')} at n = {worst.n}, "
            f"where the true rate is {worst.at:.6g}."
        )
        parts.append(Sentence((counted,), loose=True))
        if len(exact) > 1:
            heights = [result.coverage for result in exact]
            top = max(*heights, 1 - worst.delta)
            ends = f"n from {exact[0].n} to {exact[-1].n}, coverage from {worst.coverage:.4f} to {top:.4f}"
            parts.append(Verbatim(f"  {_sparkline(heights, worst.coverage, top)}\n  {ends}"))
    if len(exact) < len(results):
        parts.append(_coverage_table([result for result in results if result.repeats is not None]))
    if guarantee is not Guarantee.FINITE:
        verdict = "It promises nothing at a given sample size."
    elif all(result.kept for result in results):
        verdict = "The promise is kept."
    else:
        verdict = "The promise is BROKEN."
    return [*parts, Sentence((verdict,), VERDICT)]


def _sparkline(heights: Sequence[float], low: float, high: float) -> str:
    """Heights as blocks, the lowest of each stretch where there are more values than columns."""
    blocks = "▁▂▃▄▅▆▇█"
    stretches = np.array_split(np.asarray(heights), min(WIDTH - 4, len(heights)))
    scaled = [(stretch.min() - low) / max(high - low, 1e-12) for stretch in stretches]
    return "".join(blocks[int(np.clip(height * 7.999, 0, 7))] for height in scaled)


def _coverage_table(results: Sequence[Coverage]) -> Table:
    rows = [
        [each.law, str(each.n), str(each.repeats), str(each.misses), rounded(each.coverage, 4, "down")]
        for each in results
    ]
    return Table([Column.words("drawn from"), *map(Column, ("n", "samples", "missed", "coverage"))], rows, most=ANY)
