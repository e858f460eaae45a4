"""The page of a duel as a file: the verdict first, how the evidence grew, and names that stay data."""

from __future__ import annotations

import re
from typing import Any

import pytest

from holdfast.render.outline.datasets import MOST_LOOKS
from holdfast.render.phrases import e_value as number
from holdfast.render.phrases import estimate_and_limits
from holdfast.verbs.stream.duel import Duel, sequential
from tests.render.contests import HOSTILE
from tests.render.test_page import Read
from tests.render.test_page_comparison import Tables

NAMES = ("new", "old")


def settled(names: tuple[str, str] = NAMES, **options: Any) -> Duel:
    return sequential(names=names, **options).update(first=[1, 1, 0, 1, 1] * 60, second=[0, 1, 1, 0, 1] * 60)


KINDS: list[Any] = [
    settled,
    lambda: settled(margin=0.05),
    sequential,
    lambda: sequential().update(won=1, lost=0, n=1),
    lambda: sequential().update(won=0, lost=0, n=50),
    lambda: sequential(losses=True, high=5.0).update(first=[0.5, 0.25, 3.0], second=[0.1, 0.2, 0.4]),
    lambda: sequential().update(won=[1] * 99 + [0] * 999, lost=[0] * 99 + [1] * 999, n=1),
]


@pytest.mark.crossing(3)
@pytest.mark.parametrize("made", KINDS)
def test_the_verdict_stands_on_top_of_what_it_rests_on(made: Any) -> None:
    duel = made()
    html = duel.to_html()
    page, tables = Read(html), Tables(html).rows
    assert page.open == []
    assert page.visible.lower().startswith(str(duel.verdict).lower())
    assert [attributes["id"] for tag, attributes in page.tags if tag == "h2"] == [
        *("assumed", "pictures", "tables", "methods", "provenance")
    ]
    for sentence in duel.claim.assumes:
        assert str(sentence)[1:] in page.visible
    for value in duel.report().provenance.values():
        assert f"{value:,}" if isinstance(value, int) else str(value) in page.visible
    assert str(duel.claim.source) in page.visible
    (row,) = tables["The difference"][1:]
    assert row[1:4] == [*estimate_and_limits(duel.claim), duel.claim.method]
    assert [row[-2] for row in tables["The evidence"][1:]] == [number(e) for e in duel.e_value]
    (picture,) = (attributes for attributes in page.all("div") if attributes.get("role") == "img")
    assert "The e-values are at the end" in (picture["aria-label"] or "")
    assert len(page.data["charts"]) == 1
    assert len(html.encode()) < 2_000_000


def test_it_says_how_often_it_is_wrong_and_since_when_there_was_enough() -> None:
    duel = settled(delta=0.1)
    said = Read(duel.to_html()).visible
    assert f"That is after 300 examples; there was enough to tell after {duel.settled_after}," in said
    assert "at whatever moment one looks or stops, has a chance of 10 % at most if all of this is true:" in said
    assert "once this has reached 20, that is 2/delta" in said
    assert "To be read with care" not in said


def test_each_model_has_what_is_its_own() -> None:
    duel = settled()
    assert Tables(duel.to_html()).rows["The evidence"][1:] == [
        ["new", "120", number(duel.e_value.first), "40"],
        ["old", "60", number(duel.e_value.second), "40"],
    ]
    assert duel.report().details["may_be_best"] == ["new"]
    turned = sequential(names=NAMES).update(won=60, lost=120, n=300)
    assert turned.report().details["may_be_best"] == ["old"]
    assert sequential().report().details["may_be_best"] == ["first", "second"]


def test_a_change_is_said_at_once() -> None:
    duel = KINDS[-1]()
    said = Read(duel.to_html()).visible
    assert said.index(f"After {duel.changed_after} examples no difference fits all") < said.index("What this rests on")
    assert "With 95 % confidence" not in said


def test_the_table_of_looks_ends_with_the_last_one() -> None:
    duel = settled()
    header, *rows = Tables(duel.to_html()).rows["How it grew"]
    assert header == ["Examples", *NAMES]
    assert len(rows) == MOST_LOOKS
    history = duel.history
    told = {f"{n:,}": [number(a), number(b)] for n, a, b in zip(*history, strict=True)}
    assert all(told[n] == values for n, *values in rows)
    assert rows[0][0] == "1"
    assert rows[-1] == ["300", *map(number, duel.e_value)]


@pytest.mark.parametrize("names", [HOSTILE[:2], HOSTILE[2:4], HOSTILE[4:6], ("not settled", "Equivalent")])
def test_names_are_data_never_markup(names: tuple[str, str]) -> None:
    html = settled(names).to_html()
    page = Read(html)
    assert "<script>alert" not in html
    assert not page.all("img")
    assert [tag for tag, _ in page.tags].count("script") == 3
    assert page.open == []
    assert "x" * 100 not in page.visible.split("Where this comes from")[0]
    assert not {"\x00", "\u202e"} & set(page.visible)
    assert not {"<", "&"} & set(page.texts["script"][0])
    assert not re.search(
        "not settled|equivalent", page.visible.split("What this rests on")[0].split("\u2190")[0].lower()
    )


@pytest.mark.parametrize("made", [*KINDS, lambda: settled(HOSTILE[:2])])
def test_a_notebook_shows_the_verdict_and_no_scripts(made: Any) -> None:
    duel = made()
    html = duel._repr_html_()
    page = Read(html)
    assert page.open == []
    assert page.visible.lower().startswith(str(duel.verdict).lower())
    assert not {"script", "img"} & {tag for tag, _ in page.tags}
