"""The tests between models, and what Bayes makes of them."""

from __future__ import annotations

from collections.abc import Iterator

from holdfast.claims import Guarantee
from holdfast.render.outline.parts import Column, Definitions, Name, Room, Rows, Section, Sentence, Table
from holdfast.render.phrases import p_value, percent, rounded
from holdfast.report.facts.compared import Belief, Compared
from holdfast.wording import printable

MOST_PAIRS = 20  # in text
LONGEST = Room(10, 40)
PAIR = Column.words("first - second", "First − second", LONGEST)


def tests_in_text(facts: Compared) -> Iterator[Section]:
    """Every test of a pair of which several were made, and Bayes' answer."""
    tests = facts.every_test[:MOST_PAIRS]
    if not tests:
        return
    columns = [PAIR, Column.words("test"), Column("statistic"), Column("p"), Column.words("holds at")]
    names = (Name(str(test.first), str(test.second)) for test in tests)
    numbers = ((test.test, rounded(test.statistic, 3, "nearest"), p_value(test.p), test.guarantee) for test in tests)
    yield Section([Table(columns, [[name, *of_test] for name, of_test in zip(names, numbers, strict=True)])])
    if beliefs := facts.beliefs[:MOST_PAIRS]:
        yield Section([Sentence(tuple(map(_believed, beliefs)))])


def _believed(belief: Belief) -> str:
    first, equal, second = (percent(share, 3, "nearest") for share in belief.shares)
    one, other = (printable(name, LONGEST.text) for name in (belief.first, belief.second))
    return (
        f"Bayes, who promises no coverage: {one} better {first}, equal within {belief.rope:g} {equal}, {other} better "
        f"{second}."
    )


def tests_on_page(facts: Compared, among: set[str]) -> Iterator[Section]:
    """Of each pair its p-values by every test, where several were made; Bayes' answer; and each test by itself."""
    yield from _each(facts, among)
    beliefs = [belief for belief in facts.beliefs if {belief.first, belief.second} <= among]
    if beliefs:
        sentence = (
            f"Bayes' probabilities that either model is better by more than {beliefs[0].rope:g}, or that neither is. "
            "They are beliefs, and promise no coverage. "
        )
        columns = [PAIR, *(Column(None, title) for title in ("First better", "Neither", "Second better"))]
        rows: Rows = [[Name(b.first, b.second), *(percent(share, 3, "nearest") for share in b.shares)] for b in beliefs]
        table = Table(columns, rows, "Bayes' probabilities", css="")
        yield Section([table], "How probably does it matter?", [sentence, Guarantee.HEURISTIC])
    yield Section([Definitions([*_tests(facts)])], "The tests and their sources")


def _each(facts: Compared, among: set[str]) -> Iterator[Section]:
    by_name: dict[tuple[str, str], dict[str, str]] = {}
    tests = [test for test in facts.every_test if test.first is not None]
    for test in tests:
        first, second = str(test.first), str(test.second)
        if {first, second} <= among:
            p = test.p if test.adjusted is None else test.adjusted
            by_name.setdefault((first, second), {})[test.test] = p_value(p)
    if not by_name:
        return
    columns = [PAIR, *(Column(None, name) for name in next(iter(by_name.values())))]
    rows: Rows = [[Name(*pair), *p.values()] for pair, p in by_name.items()]
    corrected = "of each pair by itself" if tests[0].adjusted is None else "corrected for all pairs"
    sentence = f"p-values {corrected}; the first test decides."
    yield Section([Table(columns, rows, "Every test", css="")], "Every test", [sentence])


def _tests(facts: Compared) -> Iterator[tuple[str, Guarantee, str, list[tuple[str, str]]]]:
    """What each test asks, how firmly it holds, and on whose word; the deciding one first."""
    every, deciding = facts.every_test, facts.deciding_test
    at_once = {test.test: f" p = {p_value(test.p)}." for test in every if test.first is None}
    by_name = {test.test: (test.null, test.guarantee, test.source) for test in every}
    by_name = {deciding.test: (deciding.null, deciding.guarantee, deciding.source)} | by_name
    for name, (null, guarantee, source) in by_name.items():
        remark = "its p-values stand beside each pair" if name == deciding.test else ""
        yield name, guarantee, remark, [("", f"Tests that {null}.{at_once.get(name, '')}"), ("Source", source)]
