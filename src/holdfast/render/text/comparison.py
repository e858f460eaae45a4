"""The report of a comparison as text: the verdict, the pairs, the models, what is assumed, what to do next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from textwrap import fill
from typing import TYPE_CHECKING, Any

from holdfast.claims import Claim, Guarantee
from holdfast.render.ci.verdict import conditions, foremost, notes_of, verdict
from holdfast.render.numbers import confidence, digits_for, percent, rounded, significant, without_last_places
from holdfast.render.standings import (
    Belief,
    Tier,
    beliefs_of,
    delta_of,
    differences_of,
    firmness,
    named_measure,
    number_of_pairs,
    tests_of,
    tiers_of,
    told_line,
)
from holdfast.render.text.assessment import estimate_and_limits, origin, sentences, shown
from holdfast.render.text.duel import opening
from holdfast.render.text.text import BRIEF, COLOUR, WIDTH, Parts, assumptions, by_cluster, empty_table, per
from holdfast.report.verdict import spoken

if TYPE_CHECKING:
    from rich.table import Table

    from holdfast.report import Line, Report

MOST_PAIRS = 20  # on the screen; all that are told are in the JSON
MOST_OF_TIER = 4  # models that are named
LONGEST_MODEL = 10
SHORT = 14  # characters of two names that leave room for four decimals
LONGEST_VERDICT = 1_000  # characters
SMALLEST = 5e-324
DIFFERENCE = "error-rate-difference"


def comparison_parts(report: Report) -> Parts:
    """Everything a reader should see, top-down."""
    parts: Parts = [fill(headline(report), WIDTH), ""]
    for place, sentence in enumerate(required(report)):
        parts += [fill(sentence, WIDTH, initial_indent="  - " * (place > 0), subsequent_indent="    " * (place > 0))]
    parts += [""] * ("decision" in report.details)
    parts += [_pairs_table(report), ""]
    parts += [_tiers_table(tiers), ""] if (tiers := tiers_of(report)) else []
    one = len(report.details["pairs"]) == 1  # then there is room for every method's answer
    deciding = {id(line) for line in differences_of(report)}
    others = [line for line in report.whole if line.against is not None and (one or id(line) not in deciding)]
    parts += [_measures_table(report, others, one), ""] if others else []
    parts += _tests(report)
    own = [line for line in report.whole if line.against is None]
    parts += [_models_table(report, own), ""] if own else []
    parts += sentences("Note", report.details.get("notes", ()))
    parts += [*assumptions(report.claims), ""]
    parts += sentences("Next", report.details.get("next", ()))
    return [*parts, origin(report)]


def headline(report: Report) -> str:
    """The verdict, and how far the models are apart, in words for people who do not speak statistics."""
    return " ".join(part for part in verdict_and_more(report) if part)


def required(report: Report) -> list[str]:
    """Whether what was required of the first model is proven; a sentence for each other model where there are many."""
    if "decision" not in report.details:
        return []
    decision = report.decision
    parts = foremost(decision, MOST_PAIRS)
    rest = sum(1 for _ in conditions(decision)) - len(parts)
    more = [verdict(replace(part, caution=None)) for part in parts] if decision.parts else []
    whole = " ".join([f"Required: {verdict(decision)}", *notes_of(decision)])  # a caution is said once
    return [whole, *more, *([f"... and {rest:,} more"] if rest else [])]


def verdict_and_more(report: Report) -> tuple[str, str]:
    """The verdict; and of two models the interval of their difference, of many how firmly it holds."""
    sentence, line = opening(shown(str(report.verdict), LONGEST_VERDICT)), told_line(report)
    if line is None:
        return sentence, _so(report)
    claim, measure = line.claim, named_measure(report)
    first, second = spoken((str(line.model), str(line.against)))
    return sentence, (
        f"With {confidence(float(claim.delta))} confidence the {measure} of {first} minus that of {second}"
        f"{', both of the average cluster,' if by_cluster([claim]) else ''} is {_range(claim)}; this "
        f"{claim.guarantee.sentence}."
    )


def _range(claim: Claim) -> str:
    """The limits, outward, in percent if they are of error rates."""
    show, digits = percent if claim.measure == DIFFERENCE else rounded, digits_for(float(claim.width))
    return f"between {show(float(claim.lower), digits, 'down')} and {show(float(claim.upper), digits, 'up')}"


def _so(report: Report) -> str:
    """With which confidence the verdict is true, and how firmly that holds; nothing where nothing is ruled out."""
    best, outcome = report.details["may_be_best"], report.verdict.outcome
    if outcome == "no difference" or (outcome == "not settled" and len(best) in (0, len(report.details["models"]))):
        return ""
    firmly, told = firmness(report), bool(report.verdict.about.proviso)  # whether the verdict itself says so
    if firmly is Guarantee.HEURISTIC:
        return "" if told else f"This {firmly.sentence}."
    so = "the best is among these" if outcome == "not settled" else "this is so"
    return f"With {confidence(delta_of(report))} confidence {so}{'' if told else f'; it {firmly.sentence}'}."


def _level(report: Report) -> str:
    together = report.details.get("simultaneous")
    delta = together["delta"] if together else next(line.claim.delta for line in report.whole if line.against)
    return confidence(float(delta)) + (" joint" if together else "")


def _pairs_table(report: Report) -> Table:
    """Each pair: what tells them apart, the difference in what decides, and the verdict."""
    from rich.text import Text

    claims = {(line.model, line.against): line.claim for line in reversed(differences_of(report))}
    counted = "won" in report.details["pairs"][0]
    header = ["alone right"] if counted else []
    over = per(next(iter(claims.values())))
    table = empty_table("first - second", *header, f"difference, {_level(report)}{over}", "p", "first is")
    told = report.details["pairs"][:MOST_PAIRS]
    names = [f"{_name(pair['first'])} - {_name(pair['second'])}" for pair in told]
    digits = 4 if max(map(len, names)) <= SHORT else 3
    for name, pair in zip(names, told, strict=True):
        counts = [f"{pair['won']:,} : {pair['lost']:,}"] if counted else []
        difference = " ".join(estimate_and_limits(claims[pair["first"], pair["second"]], digits))
        table.add_row(Text(name), *counts, difference, p_value(pair["adjusted_p"]), pair["outcome"])
    if (number := number_of_pairs(report)) > MOST_PAIRS:
        table.add_row(f"... {number - MOST_PAIRS:,} more")
    return table


def _tiers_table(tiers: Sequence[Tier]) -> Table:
    """Of very many models, those that none of their tier beats, each beaten by one of the tier above."""
    from rich.text import Text

    table = empty_table("tier", "models", "the best of them here")
    table.columns[-1].justify = "left"
    for tier in tiers[:MOST_PAIRS]:
        named = ", ".join(_name(model) for model in tier.models[:MOST_OF_TIER])
        more = ", ..." if len(tier.models) > MOST_OF_TIER else ""
        table.add_row(str(tier.place), f"{len(tier.models):,}", Text(named + more))
    if len(tiers) > MOST_PAIRS:
        table.add_row(f"... {len(tiers) - MOST_PAIRS:,} more")
    return table


def _measures_table(report: Report, lines: Sequence[Line], one: bool) -> Table:
    """Every method's answer, in every measure; of one pair its names need not be said again."""
    from rich.text import Text

    first = [] if one else ["first - second"]
    interval = f"{_level(report)} interval"
    over = ["per"] if by_cluster(report.claims) else []
    left = len(first) + 1 + len(over)
    table = empty_table(*first, "difference in", *over, interval, "method", "holds at", left=left)
    table.columns[-2].justify = table.columns[-1].justify = "left"
    if over:
        table.padding = (0, 1, 0, 0)  # closer together, for each line says what it averages over
    for line in lines[:MOST_PAIRS]:
        of = line.measure.removesuffix("-difference") + (f" {shown(line.label, 10)}" if line.label else "")
        mark = Text(BRIEF[line.claim.guarantee], style=COLOUR[line.claim.guarantee])
        pair = [] if one else [Text(f"{_name(line.model)} - {_name(line.against)}")]
        digits = 4 if one else 3
        weighed = [line.claim.per] if over else []
        table.add_row(
            *pair, Text(of), *weighed, " ".join(estimate_and_limits(line.claim, digits)), line.claim.method, mark
        )
    if len(lines) > MOST_PAIRS:
        table.add_row(f"... {len(lines) - MOST_PAIRS:,} more")
    return table


def _tests(report: Report) -> Parts:
    """Every test of a pair of which several were made, and Bayes' answer."""
    from rich.text import Text

    told = tests_of(report)[:MOST_PAIRS]
    if not told:
        return []
    table = empty_table("first - second", "test", "statistic", "p", "holds at", left=2)
    table.columns[-1].justify = "left"
    for test in told:
        guarantee = Guarantee(test["guarantee"])
        mark = Text(BRIEF[guarantee], style=COLOUR[guarantee])
        name = Text(f"{_name(test['first'])} - {_name(test['second'])}")
        table.add_row(name, test["test"], rounded(test["statistic"], 3, "nearest"), p_value(test["p"]), mark)
    believed = [_believed(belief) for belief in beliefs_of(report)[:MOST_PAIRS]]
    return [table, "", *believed, *([""] if believed else [])]


def _believed(belief: Belief) -> str:
    first, equal, second = (percent(share, 3, "nearest") for share in belief.shares)
    return fill(
        f"Bayes, who promises no coverage: {_name(belief.first)} better {first}, equal within {belief.rope:g} "
        f"{equal}, {_name(belief.second)} better {second}.",
        WIDTH,
    )


def _models_table(report: Report, lines: Sequence[Line]) -> Table:
    """Each model's own error rate, so that it holds whichever model is selected."""
    from rich.text import Text

    best, inside = set(report.details.get("may_be_best", ())), report.verdict.about.inside
    own = f"{lines[0].measure}{per(lines[0].claim)}"
    table = empty_table("model", own, "interval", f"may be the best{shown(inside, SHORT)}")
    for line in sorted(lines, key=lambda each: (each.claim.estimate is None, each.claim.estimate))[:MOST_PAIRS]:
        estimate, limits = estimate_and_limits(line.claim, 4)
        table.add_row(Text(_name(line.model, 30)), estimate, limits, "yes" if line.model in best else "")
    return table


def p_value(p: float) -> str:
    """A p-value in few characters, rounded up, and never 0."""
    if p < 1e-4:
        return significant(max(p, SMALLEST), 1, "up")
    return "1" if p == 1 else rounded(without_last_places(p), 4, "up")


def _name(model: Any, longest: int = LONGEST_MODEL) -> str:
    return shown(str(model), longest)
