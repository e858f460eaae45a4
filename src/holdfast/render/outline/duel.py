"""What is shown of a duel on a stream: the verdict, how the evidence grew, and the difference at this moment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from holdfast.render.outline.comparison import LONGEST, comparison, verdict_and_more, with_verdict
from holdfast.render.outline.parts import Column, Definitions, Outline, Rows, Section, Table, claims_table
from holdfast.render.phrases import e_value, p_value
from holdfast.report import Report
from holdfast.report.facts.comparison import DuelFacts, Sequential
from holdfast.wording import examples, printable

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
