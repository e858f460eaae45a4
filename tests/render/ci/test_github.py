"""What GitHub's runner obeys are our commands only, and what its pages show is what was said."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from holdfast.errors import HoldfastError
from holdfast.render.ci.github import MOST_ROWS, _command, annotations, summary, without_commands, write_summary
from holdfast.render.ci.verdict import condition_line, one_line, verdict
from holdfast.report import Answer, Decision
from tests.decisions import HOSTILE, decided, together
from tests.snapshots import matches

COMMAND = re.compile(r"::(\w+) title=([^:,\r\n]*)::(.*)")


CLAIMED = [answer for answer in Answer if answer is not Answer.NOT_PROVEN]  # a ledger says that, and no more


def obeyed(output: str) -> list[tuple[str, str, str]]:
    """What the runner reads: a line that starts with two colons is a command, its values percent-decoded."""
    found = []
    for line in re.split(r"\r\n|\r|\n", output.removesuffix("\n")):
        command = COMMAND.fullmatch(line)
        assert command, line
        name, title, message = command.groups()
        for sign, code in ((",", "%2C"), (":", "%3A"), ("\n", "%0A"), ("\r", "%0D"), ("%", "%25")):
            title = title.replace(code, sign)
            message = message if sign in ",:" else message.replace(code, sign)
        found.append((name, title, message))
    return found


def test_an_annotation_for_each_condition() -> None:
    parts = [decided(answer) for answer in CLAIMED]
    told = obeyed(annotations(together(*parts)))
    assert told == [
        (name, f"{part.answer}: {part.condition}", verdict(part))
        for name, part in zip(
            ("error", "warning", "warning", "warning", "notice"),
            [parts[place] for place in (2, 3, 4, 1, 0)],
            strict=True,
        )
    ]


def test_what_holds_for_large_n_decides_where_that_was_accepted() -> None:
    parts = [decided(answer, accept="large-n") for answer in (Answer.SUPPORTED, Answer.CONTRADICTED)]
    told = obeyed(annotations(together(*parts)))
    assert [name for name, _, _ in told] == ["error", "notice"]
    assert all("holds only as the sample grows, which was accepted" in message for _, _, message in told)
    page = summary(together(*parts))
    assert [page.count(mark) for mark in "✅❌❔"] == [1, 1, 0]
    assert page.count("| wilson | large n |") == 2


def test_no_more_annotations_than_are_shown() -> None:
    ten = [decided(Answer.OPEN, str(number)) for number in range(10)]
    assert len(obeyed(annotations(together(*ten)))) == 10
    told = obeyed(annotations(together(*ten, decided(Answer.OPEN, "x"), decided(Answer.REFUTED, "y"))))
    assert [name for name, _, _ in told] == ["error"] + ["warning"] * 10
    assert [title for _, title, _ in told[-2:]] == [
        "not enough data: error-rate of 8 at most 0.05",
        "not enough data: 2 more conditions",
    ]


def test_the_signs_that_mean_something_are_encoded() -> None:
    (line,) = annotations(decided(Answer.REFUTED, "a, b: 5 %")).splitlines()
    assert line.startswith("::error title=refuted%3A error-rate of a%2C b%3A 5 %25 at most 0.05::error-rate of a, b: ")
    assert ", 95 %25, " in line
    assert (
        _command(decided(Answer.OPEN), "a\r\nb", "c\r\nd") == "::warning title=not enough data%3A a%0D%0Ab::c%0D%0Ad\n"
    )


@pytest.mark.parametrize("label", HOSTILE, ids=range(len(HOSTILE)))
def test_no_label_becomes_a_command(label: str) -> None:
    decision = decided(Answer.REFUTED, label, group=label)
    ((name, title, message),) = obeyed(annotations(decision))
    assert name == "error"
    assert title == f"refuted: {condition_line(decision)}"
    assert message == verdict(decision)


@given(st.text(st.characters(), max_size=80), st.sampled_from(Answer))
def test_no_text_becomes_a_command(text: str, answer: Answer) -> None:
    assert len(obeyed(annotations(together(decided(answer, text), decided(answer, group=text))))) == 2


@given(st.text(st.characters(), max_size=80))
def test_no_text_becomes_markup(text: str) -> None:
    assert tags(summary(decided(Answer.OPEN, text, notes=(text,)))) == tags(
        summary(decided(Answer.OPEN, "x", notes=("x",)))
    )


def test_text_with_labels_can_be_shown_without_being_obeyed() -> None:
    text = "before\n::error::no\n::resume::\nafter \ud800"
    first, *shown, last = without_commands(text).removesuffix("\n").split("\n")
    assert first.startswith("::stop-commands::")
    token = first.removeprefix("::stop-commands::")
    assert last == f"::{token}::"
    assert "\n".join(shown) == text
    assert token not in text
    assert len(token) == 64


def rendered(markdown: str) -> str:
    return MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).render(markdown)


def tags(markdown: str) -> list[str]:
    return re.findall("<[^>]*>", rendered(markdown))


def test_the_summary() -> None:
    parts = [decided(answer, "fraud" if answer is Answer.OPEN else None) for answer in CLAIMED]
    matches("gate_summary", summary(together(*parts, notes=("Looking again needs --looks.",))))
    assert verdict(parts[0]) in rendered(summary(parts[0]))


@pytest.mark.parametrize("label", HOSTILE, ids=range(len(HOSTILE)))
def test_no_label_becomes_markup(label: str) -> None:
    plain = rendered(summary(together(decided(Answer.OPEN, "x"), decided(Answer.REFUTED, "y", notes=("z",)))))
    page = rendered(summary(together(decided(Answer.OPEN, label), decided(Answer.REFUTED, label, notes=(label,)))))
    assert re.findall("<[^>]*>", page) == re.findall("<[^>]*>", plain)
    cells = re.findall("<td>(error-rate.*?)</td>", page)
    assert len(cells) == 2
    if label.strip():
        assert _unescaped(cells[0]) == condition_line(decided(label=label))


def _unescaped(html: str) -> str:
    for sign, entity in (("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("&", "&amp;")):
        html = html.replace(entity, sign)
    return html


def test_of_very_many_conditions_those_that_failed_are_shown() -> None:
    proven = [decided(label=str(number)) for number in range(MOST_ROWS + 10)]
    page = summary(together(*proven, decided(Answer.REFUTED, "last")))
    assert "error-rate of last at most 0.05" in page
    assert page.count("error-rate of ") == MOST_ROWS
    assert "11 more conditions are not shown." in page
    assert "more conditions" not in summary(together(*proven[:MOST_ROWS]))


def test_a_condition_without_a_claim_has_a_row() -> None:
    page = summary(Decision(Answer.REFUTED, "everything in order"))
    assert "| ❌ | everything in order | – | – | – | – | – | – | refuted |" in page


def test_the_summary_is_appended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page, decision = tmp_path / "summary.md", decided(Answer.OPEN, "lone \ud800")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(page))
    page.write_text("before\n", encoding="utf-8")
    assert write_summary(decision)
    assert write_summary(decided())
    assert page.read_text(encoding="utf-8") == f"before\n{summary(decision)}\n{summary(decided())}\n"
    assert one_line("lone \ud800") in rendered(summary(decision))


def test_outside_a_runner_nothing_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    assert not write_summary(decided())
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "")
    assert not write_summary(decided())


def test_a_summary_that_cannot_be_written_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "nowhere" / "summary.md"))
    with pytest.raises(HoldfastError, match=r"Cannot write the summary to .*nowhere.*: No such file"):
        write_summary(decided())
