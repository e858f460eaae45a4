"""What is shown of models over many data sets: their ranks in text, and the page of every comparison."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from holdfast.render.outline.comparison import LONGEST_VERDICT, comparison
from holdfast.render.outline.parts import Column, Medium, Name, Outline, Room, Rows, Section, Sentence, Styled, Table
from holdfast.render.phrases import BRIEF, confidence, percent, rounded
from holdfast.report import Report
from holdfast.report.facts.compared import Practical
from holdfast.report.facts.comparison import DatasetsFacts
from holdfast.wording import counted, printable

MOST_MODELS, MOST_PAIRS = Room(60, 0), Room(30, 0)
OF_TWO = Room(15, 0)  # characters of a name of a pair
LETTERS = "abcdefghijklmnopqrstuvwxyz"
SAID = {"friedman": "Friedman", "iman-davenport": "Iman-Davenport"}


def datasets(report: Report, facts: DatasetsFacts) -> Outline:
    """Who is better over data sets like these."""
    whole = comparison(report, facts)
    rule = f"({facts.verdict.rule}, {confidence(facts.critical_difference.delta)})"
    headline = Sentence((printable(str(facts.verdict), LONGEST_VERDICT), rule))

    def sections(medium: Medium) -> Iterable[Section]:
        if medium == "page":
            return whole.sections(medium)
        return [Section([headline, Sentence((_scores(facts),)), *_tables(facts)])]

    return replace(whole, sections=sections)


def _scores(facts: DatasetsFacts) -> str:
    what = printable(facts.measure, 40) if facts.measure else "scores"
    return f"{len(facts.models)} models on {counted(len(facts.datasets), 'data set')}, {what}, {facts.better} is better"


def _tables(facts: DatasetsFacts) -> Iterator[Table | Sentence]:
    tests = ", ".join(f"{SAID[test.test]} p = {_p(test.p)}" for test in facts.tests if test.first is None)
    limit = rounded(facts.critical_difference.value, 3, "up")
    yield _ranks(facts)
    yield Sentence(
        (
            f"All models alike? {tests} (large n).",
            f"Mean ranks less than {limit} apart are joined by a letter: Nemenyi's test cannot tell them.",
        )
    )
    yield _pairs(facts)
    held = BRIEF[facts.deciding_test.guarantee]
    yield Sentence(
        (
            f"p-values of all pairs together. Wilcoxon, which decides: Holm, {held}; sign: Holm, every n; Nemenyi: "
            "large n.",
        )
    )
    yield from _practical(facts.practical)


def _ranks(facts: DatasetsFacts) -> Table:
    """The models, best first, with a letter for each set that Nemenyi's test cannot tell apart."""
    joined = [*zip(LETTERS, map(set, facts.cliques), strict=False)]
    columns = [Column.words("model", longest=Room(36, 0)), Column("mean rank")]
    columns += [Column("may be best", css="center"), Column.words("joined")]
    rows = [
        [
            Name(model),
            rounded(rank, 2, "nearest"),
            model in facts.may_be_best,
            " ".join(letter for letter, clique in joined if model in clique),
        ]
        for model, rank in sorted(facts.ranks.items(), key=lambda item: item[1])
    ]
    return Table(columns, rows, most=MOST_MODELS)


def _two(*titles: str) -> list[Column]:
    return [Column.words(title, longest=OF_TWO) if place < 2 else Column(title) for place, title in enumerate(titles)]


def _pairs(facts: DatasetsFacts) -> Table:
    """The pairs with the smallest p-values, those that decide first."""
    adjusted = {(test.first, test.second, test.test.partition("-")[0]): test.adjusted or 0.0 for test in facts.tests}
    rows = []
    for pair in sorted(facts.pairs, key=lambda pair: (pair.adjusted_p, pair.p)):
        names, counts = pair.models, (str(pair.won), str(pair.lost))
        if facts.ranks[pair.second] < facts.ranks[pair.first]:
            names, counts = names[::-1], counts[::-1]
        decided = pair.adjusted_p <= facts.critical_difference.delta
        p = Styled(_p(pair.adjusted_p), "bold" if decided else "")
        others = (_p(adjusted[(*pair.models, test)]) for test in ("sign", "nemenyi"))
        rows.append([*map(Name, names), *counts, p, *others])
    columns = _two("better", "other", "won", "lost", "Wilcoxon", "sign", "Nemenyi")
    return Table(columns, rows, most=MOST_PAIRS)


def _practical(beliefs: tuple[Practical, ...]) -> Iterator[Table | Sentence]:
    """How probably a difference matters."""
    if beliefs:
        first = beliefs[0]
        sentence = f"How probably is one better by more than {first.rope:g}? Bayesian signed-rank test, no proof; seed "
        yield Sentence((f"{sentence}{first.seed}, {first.samples:,} draws.",))
        shares = ((row.first_better, row.equivalent, row.second_better) for row in beliefs)
        rows: Rows = [
            [Name(row.first), Name(row.second), *(percent(share, 3, "nearest") for share in each)]
            for row, each in zip(beliefs, shares, strict=True)
        ]
        yield Table(_two("first", "second", "first better", "neither", "second better"), rows, most=MOST_PAIRS)


def _p(value: float) -> str:
    """A p-value to read: three decimals, rounded up, or its size where it is smaller."""
    return rounded(value, 3, "up") if value >= 0.001 else f"{value:.1e}"
