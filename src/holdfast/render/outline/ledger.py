"""What is shown of a ledger: what is left, the looks one by one, and what a rate would still get."""

from __future__ import annotations

from collections.abc import Iterator

from holdfast.render.outline.parts import ANY, Column, Medium, Name, Outline, Room, Section, Sentence, Styled, Table
from holdfast.render.phrases import percent
from holdfast.report import Report
from holdfast.report.facts.listing import LedgerFacts, LedgerState, LevelPoint
from holdfast.wording import counted

LONGEST = Room(34, 200)  # of a condition
COLOURS = {"proven": "green", "not proven": "yellow"}


def ledger(report: Report, facts: LedgerFacts) -> Outline:
    """The state in two lines, then the looks."""
    state = facts.ledger
    return Outline(
        headline=(_so_far(state), _next(state, facts)),
        beside=[Sentence((_terms(state), f"Head {state.head}"))],
        sections=lambda medium: _sections(facts, medium),
        promise="What is called proven is right as often as the ledger promises if models, conditions and the decision "
        "to ask depend on the test set through its sealed answers alone, and if what each gate assumes is true.",
        unscripted="The pictures need JavaScript; every number in them is in the tables below.",
    )


def _so_far(state: LedgerState) -> str:
    opened = counted(state.open_looks, "open look")
    return (
        f"{counted(state.gates, 'sealed gate')} and {opened}, {counted(state.promotions, 'promotion')}; "
        f"{state.left:.4g} of {state.delta:g} is left of what may go wrong."
    )


def _next(state: LedgerState, facts: LedgerFacts) -> str:
    if state.retired is not None:
        return f"The test set is retired: {state.retired}."
    if state.waiting is not None:
        return f"Entry {state.waiting} waits for its answer."
    if state.next_level is None:
        return "The next gate says how much of it it spends."
    point = next(each for each in facts.levels if not each.asked)
    return (
        f"The next gate spends {state.next_level:.4g}: an error rate of {100 * state.rate:g} % on these rows would "
        f"then be proven to be at most {percent(point.upper, 4, 'up')}."
    )


def _terms(state: LedgerState) -> str:
    known = "ids" if state.known_by == "id" else "position"
    return (
        f"{state.name}, opened on {state.opened} for {counted(state.rows, 'row')} known by their {known}, at "
        f"{100 * (1 - state.delta):.12g} % confidence; {state.policy}."
    )


def _sections(facts: LedgerFacts, medium: Medium) -> Iterator[Section]:
    rows = []
    for look in facts.looks:
        answer = look.answer or ("waits" if look.level is not None else "all shown")
        words: object = answer if medium == "page" else Styled(answer, COLOURS.get(answer, ""))
        spent, left = (f"{each:.3g}" if each is not None else "" for each in (look.level, look.left))
        rows.append([str(look.entry), look.time[:10], Name(look.about), words, spent, left])
    columns = [
        Column("entry"),
        Column.words("date"),
        Column.words("asked", longest=LONGEST),
        Column.words("answer"),
        Column("spent"),
        Column("left"),
    ]
    if rows:
        yield Section([Table(columns, rows, "The looks", most=ANY)], "The looks")
    if medium == "page":
        yield Section([_levels(facts.levels)], "What a rate would get", [_about(facts.ledger)])


def _about(state: LedgerState) -> str:
    return (
        f"The one-sided limit that an error rate of {100 * state.rate:g} % on {counted(state.rows, 'row')} gets, by "
        "clopper-pearson at the level of each gate. It comes from the number of rows and the levels alone. Gates to "
        "come are as if none were proven."
    )


def _levels(points: tuple[LevelPoint, ...]) -> Table:
    columns = [Column("gate"), Column("spends"), Column("limit"), Column.words("what became of it")]
    rows = [[str(each.gate), f"{each.level:.3g}", percent(each.upper, 4, "up"), _became(each)] for each in points]
    return Table(columns, rows, "What a rate would get", css="short", id="levels")


def _became(point: LevelPoint) -> str:
    return "to come" if not point.asked else "proven" if point.proven else "not proven"
