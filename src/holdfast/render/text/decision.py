"""What a gate decided, as text: the answer in a sentence, the numbers behind it, what is assumed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from textwrap import fill
from typing import TYPE_CHECKING

from holdfast.claims import Assumption, Claim
from holdfast.render.ci.verdict import notes_of, reason
from holdfast.render.numbers import confidence, digits_apart, digits_for, percent, rounded
from holdfast.render.text.assessment import examples_of, shown
from holdfast.render.text.text import BRIEF as HOLDS
from holdfast.render.text.text import COLOUR as FIRMNESS
from holdfast.render.text.text import WIDTH, Parts, assumptions, averaged, empty_table, per
from holdfast.report import Answer, Decision
from holdfast.report.about import in_a_sentence, told_in_percent
from holdfast.report.decision import WORST_FIRST

if TYPE_CHECKING:
    from rich.table import Table

MOST_ROWS = 20  # conditions or groups on the screen; all of them are in the JSON
ROOM = 38  # columns for what is decided on, beside its numbers and the answer
LONGEST_GROUP = 17  # of these, where a condition stands beside it
LONGEST_NOTE = 1_000
MOST_DIGITS = 17
MOST_DIGITS_IN_TABLE = 6
COLOUR = {0: "green", 1: "red", 3: "yellow"}  # by exit code
BRIEF = {answer: str(answer) for answer in Answer} | {Answer.OPEN: "open"}


def decision_parts(decision: Decision) -> Parts:
    """Everything a reader should see, top-down."""
    leaves = list(decision.leaves())
    parts: Parts = [_wrapped(headline(decision)), ""]
    if decision.parts:
        parts += [_answers(leaves), "", *_methods(leaves)]
    elif decision.claim is not None:
        parts += [_limits(decision), ""]
    notes = notes_of(decision)
    if notes:
        parts += ["Note:", *(_wrapped(shown(note, LONGEST_NOTE), "  - ") for note in notes)]
    claims = [leaf.claim for leaf in leaves if leaf.claim is not None]
    parts += assumptions(claims) if claims else []
    return [*parts, *_origin(decision)]


def headline(decision: Decision) -> str:
    """The answer, what it rests on and what to do, in words for people who do not speak statistics."""
    why = "" if decision.caution is None else f" {shown(decision.caution, LONGEST_NOTE)}"
    if decision.rule is not None and not decision.parts:
        return f"{decision.answer}: {shown(decision.condition, 200)} ({reason(decision)}).{why}"
    if decision.claim is not None:
        return f"{decision.answer}: {_found(decision)}{_advice(decision)}{why}"
    said = _counted(decision) if decision.parts else ""
    return f"{decision.answer}: {shown(decision.condition, 200)}.{said}{_advice(decision)}"


def _counted(decision: Decision) -> str:
    """All of it in one statement where it is one, else how many parts got which answer, each on its own."""
    answers = [leaf.answer for leaf in decision.leaves()]
    sure = _sure(decision).strip()
    if decision.answer is Answer.PROVEN:
        return f" {sure[:1].upper()}{sure[1:]} all of it holds." if sure else ""
    counted = [(answers.count(answer), answer) for answer in WORST_FIRST if answer in answers]
    told = [f"{number:,} {'is' if number == 1 else 'are'} {BRIEF[answer]}" for number, answer in counted]
    each = f"Each on its own{f', {sure}' if sure else ''}"
    return f" {each}: {', '.join(told) if told[1:] else f'all are {BRIEF[answers[0]]}'}."


def _found(decision: Decision) -> str:
    """What the claim says of the limit."""
    claim, limit = decision.claim, decision.at_least if decision.at_most is None else decision.at_most
    assert claim is not None
    assert limit is not None
    subject = f"the {_subject(decision)}"
    asked = f"{'at most' if decision.at_most is not None else 'at least'} {_limit(claim.measure, limit)}"
    if decision.answer is not Answer.OPEN:
        said = f"{_sure(decision)}{subject} is {_bounded(claim, limit, float(claim.width))}"
        return f"{said}, and {asked} was asked for."
    if claim.estimate is None or decision.other is None:
        return f"nothing is known of {subject} yet; {asked} was asked for."
    lower, upper = (decision.other, claim) if claim.side == "upper" else (claim, decision.other)
    width = float(upper.upper) - float(lower.lower)
    estimate = _number(claim.measure, float(claim.estimate), digits_for(width), "nearest")
    least, most = (_bounded(side, limit, width) for side in (lower, upper))
    return (
        f"{subject} is {estimate} on {_size(claim)}; the true one is {least} and {most}, each "
        f"{_sure(decision).rstrip()}. {asked.capitalize()} was asked for."
    )


def _subject(decision: Decision) -> str:
    measure = decision.claim.measure if decision.claim is not None else decision.condition
    of = "" if decision.label is None else f" of {shown(decision.label)}"
    where = "" if decision.group is None else f" where {shown(decision.group, 60)}"
    average = "" if decision.claim is None else averaged(decision.claim)
    return f"{in_a_sentence(measure)}{of}{average}{where}"


def _bounded(claim: Claim, limit: float, width: float) -> str:
    """At most or at least so much, with the digits it takes to see on which side of the limit that is."""
    value, way, word = float(claim.upper), "up", "at most"
    if claim.side == "lower":
        value, way, word = float(claim.lower), "down", "at least"
    return (
        f"{word} {_number(claim.measure, value, digits_apart(value, way, limit, digits_for(width), MOST_DIGITS), way)}"
    )


def _number(measure: str, value: float, digits: int, way: str) -> str:
    return (percent if told_in_percent(measure) else rounded)(value, digits, way)


def _limit(measure: str, limit: float) -> str:
    """The limit as it was asked for."""
    return f"{100 * limit:.12g} %" if told_in_percent(measure) else f"{limit:.12g}"


def _sure(decision: Decision) -> str:
    return "" if decision.delta is None else f"with {confidence(decision.delta)} confidence "


def _advice(decision: Decision) -> str:
    if decision.answer is not Answer.OPEN or decision.needed is None:
        return ""
    return f" About {_about(decision.needed)} would probably settle it."


def _about(number: int) -> str:
    """A number of which nobody should believe more than two digits."""
    scale = 10 ** max(len(str(number)) - 2, 0)
    return "1 more example" if number == 1 else f"{-(-number // scale) * scale:,} more examples"


def _size(claim: Claim) -> str:
    """What the claim rests on."""
    clusters = Assumption.CLUSTERS in claim.assumes
    return (
        f"{claim.n:,} clusters" if clusters and claim.n != 1 else "1 cluster" if clusters else _examples(int(claim.n))
    )


def _examples(number: int) -> str:
    return "1 example" if number == 1 else f"{number:,} examples"


def _limits(decision: Decision) -> Table:
    """The claim that decides, and the one on the other side."""
    from rich.text import Text

    table = empty_table("measure", "estimate", "limit", "confidence", "method", "holds at")
    table.columns[4].justify = table.columns[5].justify = "left"
    for claim in (decision.claim, decision.other):
        if claim is not None:
            mark = Text(HOLDS[claim.guarantee], style=FIRMNESS[claim.guarantee])
            told = signed(replace(decision, claim=claim))
            table.add_row(f"{claim.measure}{per(claim)}", *told, confidence(float(claim.delta)), claim.method, mark)
    return table


def _answers(leaves: Sequence[Decision]) -> Table:
    """Each condition, in each group, with its answer."""
    from rich.text import Text

    ordered = leaves if len(leaves) <= MOST_ROWS else sorted(leaves, key=lambda leaf: WORST_FIRST.index(leaf.answer))
    names = [leaf.condition.removesuffix(f", {leaf.group}") for leaf in leaves]
    grouped = any(leaf.group is not None for leaf in leaves)
    titles = ["condition"] * (not grouped or len(set(names)) > 1) + ["group"] * grouped
    widest = min(max(len(leaf.group or "") for leaf in leaves), LONGEST_GROUP)
    room = {"condition": ROOM - 3 - widest, "group": widest} if titles[1:] else dict.fromkeys(titles, ROOM)
    table = empty_table(*titles, "estimate", "limit", "answer", left=len(titles))
    table.columns[-1].justify = "left"
    for leaf in islice(ordered, MOST_ROWS):
        over = "" if leaf.claim is None else per(leaf.claim)
        words = {"condition": leaf.condition.removesuffix(f", {leaf.group}") + over, "group": leaf.group or ""}
        answer = Text(str(leaf.answer), style=COLOUR[leaf.exit_code])
        table.add_row(*(Text(shown(words[title], room[title])) for title in titles), *signed(leaf), answer)
    if len(leaves) > MOST_ROWS:
        table.add_row(f"... {len(leaves) - MOST_ROWS:,} more")
    return table


def _methods(leaves: Sequence[Decision]) -> Parts:
    """By which method each condition was decided on, and how firmly that holds."""
    from rich.text import Text

    rows = dict.fromkeys(
        (leaf.condition.removesuffix(f", {leaf.group}"), leaf.claim.method, leaf.claim.guarantee)
        for leaf in leaves
        if leaf.claim is not None
    )
    if not rows:
        return []
    table = empty_table("condition", "method", "holds at", left=3)
    for condition, method, guarantee in islice(rows, MOST_ROWS):
        table.add_row(Text(shown(condition, ROOM)), method, Text(HOLDS[guarantee], style=FIRMNESS[guarantee]))
    if len(rows) > MOST_ROWS:
        table.add_row(f"... {len(rows) - MOST_ROWS:,} more")
    return [table, ""]


def signed(leaf: Decision) -> tuple[str, str]:
    """The estimate, and the limit with the digits that set it apart from the one that was asked for."""
    claim, limit = leaf.claim, leaf.at_least if leaf.at_most is None else leaf.at_most
    if claim is None or limit is None:
        return "", ""
    value, way, sign = (claim.lower, "down", "≥") if claim.side == "lower" else (claim.upper, "up", "≤")
    least = min(digits_for(float(claim.width)), MOST_DIGITS_IN_TABLE)
    estimate = rounded(None if claim.estimate is None else float(claim.estimate), least, "nearest")
    digits = digits_apart(float(value), way, limit, least, MOST_DIGITS_IN_TABLE)
    return estimate, f"{sign} {rounded(float(value), digits, way)}"


def _wrapped(sentence: str, indent: str = "") -> str:
    """Lines of 80 columns, a number on the same line as its percent sign."""
    lines = fill(sentence.replace(" %", "\xa0%"), WIDTH, initial_indent=indent, subsequent_indent=" " * len(indent))
    return lines.replace("\xa0", " ")


def _origin(decision: Decision) -> Parts:
    known = decision.provenance
    if "version" not in known:
        return []
    rows = [examples_of(known)] if "rows" in known else []
    mark = [f"SHA-256\n{known['fingerprint']}"] if "fingerprint" in known else []
    return ["", ", ".join([f"holdfast {known['version']}", *rows, *mark])]
