"""What is shown of a decision and of a threshold: what to do, each condition with its numbers, and what it rests on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from holdfast.claims import Assumption, Claim
from holdfast.render.ci.verdict import more, reason
from holdfast.render.outline.parts import (
    ANY,
    Both,
    Column,
    Medium,
    Name,
    Outline,
    Room,
    Section,
    Styled,
    Table,
    claims_table,
)
from holdfast.render.phrases import (
    at_worst,
    averaged,
    confidence,
    digits_apart,
    digits_for,
    estimate_and_limits,
    per,
    percent,
    point,
    rounded,
)
from holdfast.report import Answer, Decision, Report
from holdfast.report.decision import WORST_FIRST, Threshold
from holdfast.report.facts.listing import DecisionFacts, ThresholdFacts
from holdfast.report.lines import Line, in_a_sentence, told_in_percent
from holdfast.wording import counted, printable

MOST_ROWS = Room(20, 200)  # conditions or groups; all of them are in the JSON
ROOM = 38  # columns of text for what is decided on, beside its numbers and the answer
LONGEST_GROUP = 17  # of these, where a condition stands beside it
LONGEST = 60  # characters of a name on the page
LONGEST_NOTE = 1_000
MOST_DIGITS = 17
MOST_DIGITS_IN_TABLE = 6
OVERALL = "overall"  # in the column of groups, for what is asked of all rows
COLOUR = {0: "green", 1: "red", 3: "yellow"}  # by exit code
BRIEF = {answer: str(answer) for answer in Answer} | {Answer.OPEN: "open"}
EACH = "What is called proven of a part holds on its own, and of all parts together where all of them are proven."

TOGETHER = "What is called proven of single parts holds together."


def decision(report: Report, facts: DecisionFacts) -> Outline:
    """The answer, and each condition in each group."""
    gate = facts.gate
    answer = str(gate.answer)

    def sections(medium: Medium) -> Iterator[Section]:
        leaves = [*gate.leaves()]
        if gate.parts:
            title = "Each condition" if gate.hold_together is None or len(gate.parts) > 1 else "Each part"
            yield Section([answers(leaves)], title)
            yield from methods(leaves) if medium == "text" else ()
        elif gate.claim is not None:
            yield Section([limits(gate)], "Both limits")

    first, rest = _sentences(gate)
    return Outline(
        headline=("", f"{answer[:1].upper()}{answer[1:]}: {first}"),
        more=rest,
        sections=sections,
        holding=(TOGETHER if gate.simultaneous else EACH) if gate.parts else "",
        promise="The answer is wrong no more often than it promises if all of this is true:",
    )


def headline(decision: Decision) -> str:
    """The answer, what it rests on and what to do, in words for people who do not speak statistics."""
    return f"{decision.answer}: {' '.join(filter(None, _sentences(decision)))}"


def _sentences(decision: Decision) -> tuple[str, str]:
    """The same behind the answer: what it is about, and what goes on from there."""
    why = "" if decision.caution is None else f" {printable(decision.caution, LONGEST_NOTE)}"
    if decision.rule is not None and not decision.parts:
        return f"{printable(decision.condition, 200)} ({reason(decision)}).", why.strip()
    if decision.claim is not None:
        return _found(decision), f"{_advice(decision)}{why}".strip()
    counts = _counted(decision) if decision.parts else ""
    return f"{printable(decision.condition, 200)}.", f"{counts}{_advice(decision)}".strip()


def _counted(decision: Decision) -> str:
    """All of it in one statement where it is one, else how many parts got which answer, each on its own."""
    answers = [leaf.answer for leaf in decision.leaves()]
    sure = _sure(decision).strip()
    if decision.answer is Answer.PROVEN:
        return f" {sure[:1].upper()}{sure[1:]} all of it holds." if sure else ""
    counted = [(answers.count(answer), answer) for answer in WORST_FIRST if answer in answers]
    numbers = [f"{number:,} {'is' if number == 1 else 'are'} {BRIEF[answer]}" for number, answer in counted]
    way = "All together" if decision.simultaneous else "Each on its own"
    each = f"{way}{f', {sure}' if sure else ''}"
    return f" {each}: {', '.join(numbers) if numbers[1:] else f'all are {BRIEF[answers[0]]}'}."


def _found(decision: Decision) -> str:
    """What the claim says of the limit."""
    claim, limit = decision.claim, decision.at_least if decision.at_most is None else decision.at_most
    assert claim is not None
    assert limit is not None
    subject = f"the {_subject(decision)}"
    wanted = f"{'at most' if decision.at_most is not None else 'at least'} {_limit(claim.measure, limit)}"
    if decision.answer is not Answer.OPEN:
        sentence = f"{_sure(decision)}{subject} is {_bounded(claim, limit, float(claim.width))}"
        return f"{sentence}, and {wanted} was asked for."
    if claim.estimate is None or decision.other is None:
        return f"nothing is known of {subject} yet; {wanted} was asked for."
    lower, upper = (decision.other, claim) if claim.side == "upper" else (claim, decision.other)
    width = float(upper.upper) - float(lower.lower)
    estimate = _number(claim.measure, float(claim.estimate), digits_for(width), "nearest")
    least, most = (_bounded(side, limit, width) for side in (lower, upper))
    return (
        f"{subject} is {estimate} on {_size(claim)}; the true one is {least} and {most}, each "
        f"{_sure(decision).rstrip()}. {wanted.capitalize()} was asked for."
    )


def _subject(decision: Decision) -> str:
    measure = decision.claim.measure if decision.claim is not None else decision.condition
    of = "" if decision.label is None else f" of {printable(decision.label)}"
    where = "" if decision.group is None else f" where {printable(decision.group, 60)}"
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
    return f" About {more(decision.needed)} would probably settle it."


def _size(claim: Claim) -> str:
    """What the claim rests on."""
    return counted(int(claim.n), "cluster" if Assumption.CLUSTERS in claim.assumes else "example")


def limits(decision: Decision) -> Table:
    """The claim that decides, and the one on the other side."""
    words, numbers = ("method", "holds at"), ("estimate", "limit", "confidence")
    columns = [Column.words("measure"), *map(Column, numbers), *map(Column.words, words)]
    rows = [
        [
            f"{claim.measure}{per(claim)}{', at worst' if at_worst(claim) else ''}",
            *signed(replace(decision, claim=claim)),
            confidence(float(claim.delta)),
            claim.method,
            claim.guarantee,
        ]
        for claim in (decision.claim, decision.other)
        if claim is not None
    ]
    return Table(columns, rows, "Both limits", most=ANY)


def _named(leaf: Decision) -> str:
    """The condition, whichever group it is asked of."""
    return leaf.condition.removesuffix(f", {leaf.group}")


def answers(leaves: Sequence[Decision]) -> Table:
    """Each condition, in each group, with its answer."""
    ordered = (
        leaves if len(leaves) <= MOST_ROWS.text else sorted(leaves, key=lambda leaf: WORST_FIRST.index(leaf.answer))
    )
    grouped = any(leaf.group is not None for leaf in leaves)
    titles = ["condition"] * (not grouped or len({*map(_named, leaves)}) > 1) + ["group"] * grouped
    widest = min(max(len(leaf.group or OVERALL) for leaf in leaves), LONGEST_GROUP)
    room = {"condition": ROOM - 3 - widest, "group": widest} if titles[1:] else dict.fromkeys(titles, ROOM)
    columns = [Column.words(title, longest=Room(room[title], LONGEST)) for title in titles]
    observed = any(leaf.passes is not None for leaf in leaves)  # of questions
    columns += [Column("observed")] if observed else []
    columns += [
        *(Column("estimate"), Column("limit"), Column("answer", css="outcome", number=False)),
        *(Column.words(None, "Method", css="method"), Column.words(None, "Holds at")),
    ]
    rows = []
    for leaf in ordered:
        over = "" if leaf.claim is None else per(leaf.claim)
        words = {"condition": Name(_named(leaf) + over), "group": Name(leaf.group or OVERALL)}
        answer = Both(Styled(str(leaf.answer), COLOUR[leaf.exit_code]), str(leaf.answer))
        method = ["", ""] if leaf.claim is None else [leaf.claim.method, leaf.claim.guarantee]
        passes = "" if leaf.passes is None or leaf.claim is None else f"{leaf.passes:,} of {leaf.claim.n:,}"
        named = [*(words[title] for title in titles), *([passes] if observed else [])]
        rows.append([*named, *signed(leaf), answer, *method])
    return Table(columns, rows, "Each condition", most=MOST_ROWS)


def methods(leaves: Sequence[Decision]) -> Iterator[Section]:
    """By which method each condition was decided on, and how firmly that holds."""
    decided = ((_named(leaf), leaf.claim) for leaf in leaves if leaf.claim is not None)
    rows = [*dict.fromkeys((Name(name), claim.method, claim.guarantee) for name, claim in decided)]
    columns = [Column.words("condition", longest=Room(ROOM, 0)), Column.words("method"), Column.words("holds at")]
    if rows:
        yield Section([Table(columns, rows)])


def signed(leaf: Decision) -> tuple[str, str]:
    """The estimate, and the limit with the digits that set it apart from the one that was asked for."""
    claim, limit = leaf.claim, leaf.at_least if leaf.at_most is None else leaf.at_most
    if claim is None or limit is None:
        return "", ""
    value, way, sign = (claim.lower, "down", "≥") if claim.side == "lower" else (claim.upper, "up", "≤")
    least = min(digits_for(float(claim.width)), MOST_DIGITS_IN_TABLE)
    estimate = rounded(point(claim), least, "nearest")
    digits = digits_apart(float(value), way, limit, least, MOST_DIGITS_IN_TABLE)
    return estimate, f"{sign} {rounded(float(value), digits, way)}"


NAME = Room(24, 60)  # characters of the name of a group
MOST_CLAIMS = Room(60, 200)  # lines about groups
SAID = {"recall": "sensitivity"}  # the word that goes with specificity
ALONE = "Each limit holds on its own, not all of them together."


def threshold(report: Report, facts: ThresholdFacts) -> Outline:
    """The rule, what is proven of it, and what else may be said."""
    chosen = facts.threshold
    level, claim = confidence(chosen.delta), chosen.claim
    if claim is None:
        wish = chosen.condition.replace(" at least", " of at least")
        sentence = f"No threshold is proven to have a {wish} with {level} confidence."
        return Outline(headline=("Not enough data.", sentence), sections=lambda medium: (), holding="")

    def sections(medium: Medium) -> Iterator[Section]:
        whole = [line for line in report.whole if line.group is None]
        yield Section([_table("at this threshold", whole, medium)], "At this threshold")
        if chosen.groups:
            yield Section([_table("in each group", chosen.groups, medium)], "In each group")

    return Outline(
        headline=(
            f"Call it {printable(chosen.positive, 40)} when the score is at least {chosen.threshold!r}.",
            f"With {level} confidence {_proven(chosen, claim)}; this {claim.guarantee.sentence}.",
        ),
        sections=sections,
        holding=f"All of these limits hold together with {level} confidence." if chosen.simultaneous else ALONE,
        loose=True,
        promise="The first limit is right as often as it promises if all of this is true:",
    )


def named(line: Line, longest: int = NAME.text) -> str:
    """The rate, and the group that it is of."""
    measure = SAID.get(line.claim.measure, line.claim.measure)
    return measure if line.group is None else f"{printable(line.group, longest)}: {measure}"


def _proven(chosen: Threshold, claim: Claim) -> str:
    """What is proven of the threshold, in words."""
    if " at least" in chosen.condition:
        return f"its true {chosen.condition.replace(' at least', ' is at least')}"
    where = chosen.condition.removeprefix("least expected cost")
    return f"its true expected cost is at most {estimate_and_limits(claim)[1]}{where}"


def _table(first: str, lines: Sequence[Line], medium: Medium) -> Table:
    """What is said of the threshold, of all rows or of each group."""
    longest = NAME.text if medium == "text" else NAME.page
    return claims_table(
        [(named(line, longest), line.claim) for line in lines],
        first.capitalize(),
        title=("estimate", f"{confidence(float(lines[0].claim.delta))} limits"),
        first=first,
        limits={"one_sided": "words"},
        dense=lines[0].group is not None,
        most=MOST_CLAIMS,
    )
