"""Any answer as a comment on a pull request: verdict, tables, a fold, and no word of others that is markup."""

from __future__ import annotations

import re
from html import unescape
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

import holdfast as hf
from holdfast.render.document.markdown import escaped, markdown_of
from holdfast.render.kinds import KINDS, parts_of, report_of
from holdfast.render.outline.parts import Assumed, Sentence, Stated, Table
from holdfast.render.phrases import BRIEF
from holdfast.report import Decision, Report
from holdfast.report.decision import Threshold
from holdfast.report.facts.kind import Kind
from holdfast.report.facts.listing import (
    BoundFacts,
    ExaminationFacts,
    ExaminedRun,
    ExaminedScore,
    MeasuresFacts,
    MethodsFacts,
    PlanFacts,
    VerificationFacts,
)
from holdfast.report.look import DuelLook, Look
from holdfast.wording import printable
from tests.decisions import HOSTILE, decided, together
from tests.results import DECISIONS, REPORTS, result_of
from tests.snapshots import matches

FOLD = ("<details>\n<summary>This assumes that</summary>", "</details>")
SCORE = ExaminedScore(name="match | @x", kind="right or wrong", scored=8, missing={"error": 1}, taken=True)
RUN = ExaminedRun(
    log="a|b.eval",
    tool="inspect",
    version="0.3",
    task="<b>",
    model="alpha",
    samples=9,
    questions=3,
    clusters=None,
    cluster=None,
    groups=(),
    scores=(SCORE,),
)


def ledger() -> Report:
    """Of a test set that was asked once."""
    with TemporaryDirectory() as folder:
        ids, truth = range(40), ["a", "b"] * 20
        book = hf.Ledger.open(f"{folder}/tests.db", truth, ids=ids, key=f"{folder}/labels.key", gates=4, promotions=1)
        hf.gate(truth, truth, ids=ids, at_most=0.5, ledger=book)
        return book.show()


LISTED = {  # reports of kinds that commands alone make
    "ledger": ledger,
    "bound": lambda: Report.of([result_of("bound")], BoundFacts()),
    "plan": lambda: Report.of([], PlanFacts(result_of("plan"))),
    "verification": lambda: Report.of([], VerificationFacts(tuple(hf.verify("clopper-pearson", [5, 6, 7])))),
    "methods": lambda: Report.of(
        [], MethodsFacts(tuple(m.to_dict() for m in hf.methods()), tuple(p.to_dict() for p in hf.procedures()))
    ),
    "method": lambda: Report.of([], MethodsFacts((hf.methods()[0].to_dict(),))),
    "examination": lambda: Report.of([], ExaminationFacts(runs=(RUN,), claimable=("a",), problems=("no *b*",))),
    "measures": lambda: Report.of([], MeasuresFacts(tuple(m.to_dict() for m in hf.measures()))),
}
OTHERS = {
    "a plan": lambda: result_of("plan"),
    "threshold": lambda: result_of("threshold"),
    "no threshold": lambda: hf.threshold([0, 1] * 4, np.arange(8) / 8, positive=1, specificity_at_least=0.99),
    "look": lambda: result_of("monitor").look,
    "duel look": lambda: result_of("sequential").look,
}
ROWS = ("table", "thead", "tbody", "tr", "th", "td", "paragraph", "bullet_list", "list_item", "strong")
HARMLESS = {"text", "inline", "hardbreak", "html_block", *(f"{tag}_{end}" for tag in ROWS for end in ("open", "close"))}
ANSWERS = {**{name: lambda name=name: result_of(name) for name in (*REPORTS, *DECISIONS)}, **LISTED, **OTHERS}


def parsed(markdown: str) -> list[Token]:
    """The tokens, those in lines among them; raw HTML is allowed, as GitHub allows it."""
    tokens = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).parse(markdown)
    return [each for token in tokens for each in (token, *(token.children or ()))]


def html_of(markdown: str) -> list[str]:
    """All raw HTML that comes out."""
    return [token.content.strip() for token in parsed(markdown) if token.type.startswith("html")]


def tables(markdown: str) -> list[list[list[str]]]:
    """The rows of each table, as they are read."""
    found: list[list[list[str]]] = []
    inside = False
    for token in parsed(markdown):
        inside = token.type == "table_open" or (inside and token.type != "table_close")
        if token.type == "table_open":
            found.append([])
        elif token.type == "tr_open":
            found[-1].append([])
        elif token.type == "inline" and inside:
            found[-1][-1].append("".join(child.content for child in token.children or ()))
    return found


def test_every_kind_of_answer_is_tried() -> None:
    pictured = (Report, Decision, Threshold)
    kinds = {report_of(answer).kind for make in ANSWERS.values() if isinstance(answer := make(), pictured)}
    assert kinds == {*Kind} == {*KINDS}
    assert {type(make()) for make in OTHERS.values()} >= {hf.Plan, type(result_of("threshold")), Look, DuelLook}


@pytest.mark.crossing(9)
@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_is_a_verdict_tables_and_a_fold(name: str) -> None:
    answer = ANSWERS[name]()
    parts, markdown = parts_of(answer), answer.to_markdown()
    assert markdown == markdown_of(answer)
    tokens = parsed(markdown)
    shown = [part for part in parts if isinstance(part, (Table, Stated))]
    assert len(tables(markdown)) == len(shown)
    for part, rows in zip(shown, tables(markdown), strict=True):
        assert len({len(row) for row in rows}) == 1
        assert isinstance(part, Stated) or len(rows) == 1 + min(len(part.rows), part.most.text)
    folded = any(isinstance(part, Assumed) and part.sentences for part in parts)
    assert html_of(markdown) == [*FOLD] * folded
    if isinstance(parts[0], (Sentence, Stated)):  # as all do but lists, of the catalog or of what is in logs
        assert [token.type for token in tokens[:4]] == ["paragraph_open", "inline", "text", "strong_open"]
        assert markdown.startswith("**")
    assert {token.type for token in tokens} <= HARMLESS | {"code_block"}


@pytest.mark.crossing(7)
@pytest.mark.parametrize("name", [*REPORTS, *DECISIONS])
def test_the_numbers_are_those_of_the_text(name: str) -> None:
    answer = result_of(name)
    words = " ".join(str(answer).split())
    for rows in tables(answer.to_markdown()):
        for cell in (cell for row in rows[1:] for cell in row if re.fullmatch(r"[-\d.,% \[\]≤≥]+", cell)):
            assert " ".join(cell.split()) in words
    firm = [*BRIEF.values(), *(guarantee.sentence for guarantee in BRIEF)]
    assert all(each in answer.to_markdown() for each in firm if each in words)


def test_markdown() -> None:
    names = ("assess-clusters", "compare", "gate-groups", "threshold", "look", "plan", "verification")
    matches("markdown", "\n\n".join(f"## {name}\n\n{ANSWERS[name]().to_markdown()}" for name in names))


@pytest.mark.parametrize("label", [*HOSTILE, "a|b\nc", "GH-12 www.evil.example http://evil.example x@y.example :tada:"])
def test_no_label_is_markup(label: str) -> None:
    answers: list[Any] = [together(decided(label=label, group=label), decided(label="b"))]
    truth = np.array([label, "b", "c"] * 8, object)
    predicted = np.roll(truth, 1)
    answers += (
        []
        if "\ud800" in label
        else [  # which no table holds
            hf.assess(truth, predicted, groups={label or "g": truth}),
            hf.compare(truth, {label or "m": truth, "other": predicted}),
            hf.threshold(truth == label, np.arange(24) / 24, positive=True, specificity_at_least=0.1),
        ]
    )
    for answer in answers:
        markdown = answer.to_markdown()
        assert {*html_of(markdown)} == {*FOLD}
        assert {token.type for token in parsed(markdown)} <= HARMLESS
        for rows in tables(markdown):
            assert len({len(row) for row in rows}) == 1
        assert all(line == line.rstrip("\r\x85\u2028") for line in markdown.split("\n"))
        assert not re.search(r"@(?!\u200b)|://|#\d|www\.|GH-\d", markdown.replace("&#8203;", "\u200b"))


def test_what_is_read_is_what_was_written() -> None:
    for label in HOSTILE[:-1]:
        read = MarkdownIt().renderInline(f"x {escaped(label)} y").replace("\u200b", "")
        assert unescape(read).split() == f"x {printable(label, 2_000)} y".split()


def test_a_comment_has_room_on_github() -> None:
    many = np.arange(4_000) % 1_000
    report = hf.assess(many, np.roll(many, 1) % 900, groups={"g": np.arange(4_000) // 2})
    markdown = report.to_markdown()
    assert len(markdown) < 65_536
    assert "... 1,980 more" in markdown


def test_a_report_without_claims_says_so() -> None:
    assert Report.of([]).to_markdown() == "**This report makes no claim.**"
