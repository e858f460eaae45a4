"""What was written as JSON is read back: it prints the same, and what is no such JSON is refused in one line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

import holdfast as hf
from holdfast.errors import HoldfastError
from holdfast.render.kinds import KINDS, parts_of
from holdfast.render.page import page_html
from holdfast.render.text.layout import as_text
from holdfast.report.look import DuelLook, Look
from holdfast.report.reading import answer_from
from tests.corpus.outcomes import _still, stored
from tests.fuzz.trying import broken, called
from tests.render.contests import HOSTILE, rivals
from tests.results import DECISIONS, FIRST, OTHERS, REPORTS, result_of

ANSWERS = {**REPORTS, **DECISIONS, "threshold": OTHERS["threshold"]}


@cache
def outcomes() -> dict[str, Any]:
    return stored()


def written(outcome: dict[str, Any]) -> list[dict[str, Any]]:
    """Each object of JSON that came out; of what has no schema, none."""
    several = outcome["json"] if isinstance(outcome.get("json"), list) else [outcome.get("json")]
    return [each for each in several if isinstance(each, dict) and "schema" in each]


def commands() -> Iterator[tuple[str, dict[str, Any]]]:
    yield from ((name, outcome) for name, outcome in outcomes().items() if written(outcome))


@pytest.mark.crossing(17)
@pytest.mark.parametrize("name", [name for name, _ in commands()])
def test_every_json_of_the_corpus_prints_what_the_verb_printed(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outcome, file = outcomes()[name], tmp_path / "kept.json"
    objects = written(outcome)
    file.write_text("\n".join(json.dumps(each) for each in objects), encoding="utf-8")
    again = called(["show", str(file), "--json"])
    assert (again.code, again.err) == (0, "")
    read = [json.loads(line) for line in again.out.splitlines()] if len(objects) > 1 else [json.loads(again.out)]
    assert read == objects
    said = outcome.get("text") or outcomes().get(name.replace(" --json", ""), {}).get("text")
    assert said, "nothing tells what the verb prints"
    if name.startswith("hf: "):
        answer = answer_from(json.dumps(objects[0]))
        assert isinstance(answer, (Look, DuelLook)) or _still(str(answer)) == said  # a stream prints itself otherwise
    else:
        assert _still(called(["show", str(file)]).out) == said


@pytest.mark.crossing(7)
@pytest.mark.parametrize("name", ANSWERS)
def test_results_come_back_as_they_were(name: str) -> None:
    answer = result_of(name)
    again = type(answer).from_json(answer.to_json())
    assert again.to_json() == answer.to_json()
    assert str(again) == str(answer)
    assert again.to_json().encode() == type(answer).from_json(answer.to_json().encode()).to_json().encode()


@pytest.mark.crossing(3)
@pytest.mark.parametrize(
    "name", [name if name in FIRST else pytest.param(name, marks=pytest.mark.long) for name in REPORTS]
)
def test_notebook_document_and_page_are_the_same_but_for_what_json_does_not_hold(name: str) -> None:
    report: hf.Report = result_of(name)
    again = hf.Report.from_json(report.to_json())
    assert again._repr_html_() == report._repr_html_()
    assert again.to_markdown() == report.to_markdown()
    assert again.to_latex() == report.to_latex()
    assert again.to_frame().equals(report.to_frame())
    assert (again.curves, again.views) == ({}, {})
    page, lost = page_html(again), KINDS[report.kind].lost
    assert (f"which does not hold {lost}." in page.replace("&#39;", "'")) == bool(lost)
    if not lost:
        assert page == page_html(report)
    assert {*again.charts} <= {*report.charts}


def test_pass_at_k_is_called_as_it_was(tmp_path: Path) -> None:
    rows = "".join(f"{i // 8},{'ab'[i // 4 % 2]},{int(i % 3 > i // 4 % 2)}\n" for i in range(160))
    (tmp_path / "long.csv").write_text(f"id,model,correct\n{rows}", encoding="utf-8")
    panel = hf.read_models(tmp_path / "long.csv", id="id", model="model", correct="correct")
    report = hf.compare(panel, pass_at=2, only="pass-at-k")
    assert "pass@2" in str(report)
    assert str(hf.Report.from_json(report.to_json())) == str(report)


def test_two_ways_to_divide_the_rows_stay_two() -> None:
    groups = {"country": ["DE", "FR"] * 20, "device": ["a", "a", "b", "b"] * 10}
    report = hf.assess(["x", "y"] * 20, ["x", "y", "y", "y"] * 10, groups=groups, by=["country", "device"], only="f1")
    again = hf.Report.from_json(report.to_json())
    assert [block.groups for block in again.blocks] == [list(block.groups) for block in report.blocks]
    assert [block.better for block in again.blocks] == [block.better for block in report.blocks]
    assert str(again) == str(report)


def test_names_of_others_stay_data() -> None:
    report = rivals(7, names=HOSTILE)
    assert str(hf.Report.from_json(report.to_json())) == str(report)
    assert page_html(hf.Report.from_json(report.to_json())) == page_html(report)


REFUSED = {
    "": "This is not JSON: Expecting value",
    "nonsense": "This is not JSON: Expecting value",
    "[1, 2]": "This JSON is not of holdfast",
    "{}": "This JSON is not of holdfast",
    '{"schema": 3}': "This JSON is not of holdfast",
    '{"schema": "https://example.org"}': "This JSON is not of holdfast",
    '{"schema": "holdfast/report/2"}': "This JSON says 'holdfast/report/2', and what can be read here is",
    '{"schema": "holdfast/report/1"}': "This JSON was not written like this: it has no provenance.",
    '{"schema": "holdfast/report/1", "provenance": {"version": "1"}, "claims": {}}': "claims takes a list; got {}.",
    '{"schema": "holdfast/report/1", "provenance": {}, "claims": []}': "provenance has no version.",
    '{"schema": "holdfast/report/1", "provenance": {"rows": 1e300}, "claims": []}': "provenance.rows takes a whole",
    '{"schema": "holdfast/report/1", "provenance": {"version": "1"}, "claims": [], "else": 1}': "it has 'else', which",
    '{"schema": "holdfast/report/1", "provenance": {}, "claims": [NaN]}': "This is not JSON: NaN is no number.",
    '{"schema": "holdfast/report/1", "provenance": {}, "claims": [1e999]}': "This is not JSON: 1e999 is no number.",
    "[" * 100_000: "it is nested too deeply",
    '{"schema": "holdfast/report/1", "x": ' + "9" * 5000 + "}": "This is not JSON: Exceeds the limit",
}


@pytest.mark.parametrize(("text", "message"), REFUSED.items(), ids=range(len(REFUSED)))
def test_what_is_no_such_json_is_refused_in_one_line(text: str, message: str) -> None:
    with pytest.raises(HoldfastError) as refused:
        answer_from(text)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 300


def test_each_class_reads_its_own() -> None:
    decision, report = result_of("gate"), result_of("bounds")
    with pytest.raises(HoldfastError, match="says 'holdfast/decision/1', and what can be read here is"):
        hf.Report.from_json(decision.to_json())
    with pytest.raises(HoldfastError, match="what can be read here is holdfast/decision/1"):
        hf.Decision.from_json(report.to_json())


def test_a_decision_whose_exit_code_is_another_is_refused() -> None:
    plain = result_of("gate").to_dict()
    with pytest.raises(HoldfastError, match="exit_code takes"):
        hf.Decision.from_json(json.dumps(plain | {"exit_code": 1 - plain["exit_code"]}))


def test_looks_that_contradict_themselves_are_refused() -> None:
    plain = hf.monitor().update(errors=1, n=9).to_dict()
    with pytest.raises(HoldfastError, match="changed contradicts changed_after, which is None"):
        answer_from(json.dumps(plain | {"changed": True}))


def test_an_alarm_says_which_limit_was_broken() -> None:
    for errors, way in ((90, "above 0.4"), (0, "below 0.2")):
        watched = hf.monitor(at_most=0.4, at_least=0.2).update(errors=errors, n=100)
        assert way in watched.notes[0]
        assert as_text(*parts_of(answer_from(watched.look.to_json()))) == as_text(*parts_of(watched.look))


def changed(random: Random, value: Any) -> Any:
    """The value with something in it that is not as it was."""
    other = random.choice([None, True, -1, 0, 1e308, 2**60, "", "x", "<b>", [], {}, [[]], {"a": 1}, ["x"]])
    if isinstance(value, dict) and value and random.random() < 0.85:
        name, accident = random.choice(sorted(value)), random.random()
        if accident < 0.1:
            return {key: each for key, each in value.items() if key != name}
        return value | {f"{name}x" if accident > 0.95 else name: changed(random, value[name])}
    if isinstance(value, list) and value and random.random() < 0.85:
        place = random.randrange(len(value))
        return value[:place] + ([] if random.random() < 0.15 else [changed(random, value[place])]) + value[place + 1 :]
    return other


@pytest.mark.crossing(3)
@pytest.mark.parametrize("seed", range(8))
def test_whatever_somebody_changes_is_shown_or_refused(seed: int, tmp_path: Path) -> None:
    random, file = Random(seed), tmp_path / "changed.json"
    answers = [each for _, outcome in commands() for each in written(outcome)]
    for _ in range(20):
        answer = random.choice(answers)
        for _ in range(random.choice((1, 1, 2))):
            answer = changed(random, answer)
        file.write_text(json.dumps(answer), encoding="utf-8")
        words = ["show", str(file), *random.choice(([], ["--json"], ["--html", str(tmp_path / "page.html")]))]
        outcome = called(words)
        assert outcome.code in (0, 2), (answer, outcome.err)
        assert not [*broken(words, outcome)], (answer, outcome.err)
        if outcome.code == 2:
            assert outcome.err.count("\n") == 1
            assert outcome.err.startswith("holdfast: ")
