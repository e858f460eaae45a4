"""What is shown of models over many data sets, and of a duel on a stream: the page of a comparison, and more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from holdfast.render.outline.comparison import LONGEST, LONGEST_VERDICT, comparison, verdict_and_more, with_verdict
from holdfast.render.outline.parts import (
    Column,
    Definitions,
    Medium,
    Name,
    Outline,
    Room,
    Rows,
    Section,
    Sentence,
    Styled,
    Table,
    claims_table,
)
from holdfast.render.phrases import BRIEF, confidence, e_value, p_value, percent, rounded
from holdfast.report import Report
from holdfast.report.facts.compared import Practical
from holdfast.report.facts.comparison import DatasetsFacts, DuelFacts, Sequential
from holdfast.wording import counted, examples, printable

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


MOST_LOOKS = 12  # of the table; the picture has some thousand


def duel(report: Report, facts: DuelFacts) -> Outline:
    """As text a comparison like any other; on the page the evidence."""
    evidence, claim = facts.sequential, report.claims[0]
    more = f"{verdict_and_more(report, facts)[1]} {_when(int(claim.n), evidence)}"
    return with_verdict(
        report,
        facts,
        lambda medium: comparison(report, facts).sections(medium) if medium == "text" else _on_page(report, facts),
        more_on_page=more if evidence.changed_after is None else facts.notes[0],
        promise="That the verdict or the interval is ever wrong, at whatever moment one looks or stops, has a chance "
        f"of {100 * float(claim.delta):g} % at most if all of this is true:",
        unscripted="The picture needs JavaScript; the evidence at some of the looks is in the tables below.",
    )


def _on_page(report: Report, facts: DuelFacts) -> Iterator[Section]:
    evidence, claim, test, p = facts.sequential, report.claims[0], facts.test, p_value(facts.pairs[0].adjusted_p)
    names, measure = [printable(name, LONGEST.page) for name in facts.models], facts.measure_compared.replace("-", " ")
    yield Section(
        [claims_table([(f"{measure}: {' − '.join(names)}", claim)], "The difference")],
        "The difference",
        [
            f"The {measure} of the first model minus that of the second. The interval holds what no look so far has "
            "refuted; it may be read at any moment."
        ],
    )
    yield Section(
        [_evidence(facts, names)],
        "The evidence",
        [
            "What betting on either model has multiplied a stake by. A model is called better once this has reached "
            f"{e_value(evidence.needed)}, that is 2/delta. Against both being equally good: p = {p}, which only ever "
            "falls."
        ],
    )
    yield from _looks(report.views.get("wealth", {"n": []}), names)
    source = [("", f"Tests that {test.null}. p = {p}."), ("Source", test.source)]
    yield Section([Definitions([(test.test, claim.guarantee, "", source)])], "The test and its source")


def _when(n: int, evidence: Sequential) -> str:
    """After how many examples this is said, and since when it could be."""
    since = f"there was enough to tell after {evidence.settled_after:,}, and " if evidence.settled_after else ""
    return f"That is after {examples(n)}; {since}one may look after each."


def _evidence(facts: DuelFacts, names: Sequence[str]) -> Table:
    pair, evidence = facts.pairs[0], facts.sequential
    counted = pair.won is not None
    titles = ["Alone right"] * counted + ["E-value for it", "Enough"]
    alone = [[f"{number:,}"] if counted else [] for number in (pair.won, pair.lost)]
    of_each = zip(names, alone, (evidence.e_value.first, evidence.e_value.second), strict=True)
    rows: Rows = [[name, *won, e_value(e), e_value(evidence.needed)] for name, won, e in of_each]
    columns = [Column.words(None, "Model"), *(Column(None, title) for title in titles)]
    return Table(columns, rows, "The evidence", css="short", id="evidence")


def _looks(history: Mapping[str, Any], names: Sequence[str]) -> Iterator[Section]:
    """Both e-values at some of the looks, the last among them."""
    last = len(history["n"]) - 1
    if last < 0:
        return
    places = sorted({round(last * step / (MOST_LOOKS - 1)) for step in range(MOST_LOOKS)})
    rows = [[f"{history['n'][i]:,}", e_value(history["first"][i]), e_value(history["second"][i])] for i in places]
    columns = [Column(None, "Examples"), *(Column(None, name, css="wraps") for name in names)]
    table = Table(columns, rows, "How it grew", css="short", id="looks")
    some = "some of the looks" if len(rows) > 1 else "the one look"
    yield Section([table], "How it grew", [f"The e-value for either model, at {some}."])
