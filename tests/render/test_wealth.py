"""The picture of a duel: what it draws, and that it draws nothing it cannot."""

from __future__ import annotations

import json
from typing import Any

import pytest

from holdfast.render.charts.looks import HIGHEST, LOWEST, wealth_chart
from holdfast.render.phrases import e_value as number
from holdfast.render.text.answers import duel_line
from holdfast.verbs.stream.duel import Duel, sequential


def drawn(duel: Duel) -> dict[str, Any]:
    settings = duel.settings
    chart = wealth_chart(duel.history, names=settings.names, delta=settings.delta, settled_after=duel.settled_after)
    return dict(chart.to_dict())


def rows_of(specification: dict[str, Any]) -> list[list[dict[str, Any]]]:
    """Of each layer what it shows."""
    return [specification["datasets"][layer["data"]["name"]] for layer in specification["layer"]]


def points(specification: dict[str, Any]) -> list[dict[str, Any]]:
    return max(rows_of(specification), key=len)


def test_both_e_values_from_1_on_and_the_line_of_two_over_delta() -> None:
    duel = sequential(delta=0.1, names=("new", "old")).update(first=[1, 1, 0, 1] * 30, second=[0, 1, 1, 0] * 30)
    found = drawn(duel)
    rows = points(found)
    assert [row["e"] for row in rows if row["n"] == 0] == [1, 1]
    assert [row["e"] for row in rows if row["n"] == 120] == list(duel.e_value)
    assert {row["model"] for row in rows} == {"new is better", "old is better"}
    assert len(rows) == 2 * 121
    ends = rows_of(found)
    assert [{"e": 20, "said": "enough: 20"}] in ends
    assert ([{"n": duel.settled_after}] in ends) == duel.settled
    scale = next(
        layer["encoding"]["y"]["scale"] for layer in found["layer"] if "scale" in layer["encoding"].get("y", {})
    )
    assert scale["type"] == "log"


def test_it_says_in_words_what_it_shows() -> None:
    duel = sequential(names=("new", "x" * 500)).update(won=40, lost=2, n=100)
    found = drawn(duel)
    ends = " and ".join(
        f"{number(e)} that {name} is better" for e, name in zip(duel.e_value, ("new", "x" * 399 + "…"), strict=True)
    )
    assert found["description"].endswith(f". The e-values are at the end {ends}; enough would be 40.")
    assert {row["model"] for row in points(found)} == {"new is better", "x" * 15 + "…" + "x" * 8 + " is better"}


@pytest.mark.parametrize(
    ("won", "lost", "title"),
    [
        ([1], [0], "Not enough to tell yet, after 1 example"),
        ([1] * 9, [0] * 9, "Enough to tell, after 8 examples"),
        ([1] * 99 + [0] * 999, [0] * 99 + [1] * 999, "No difference fits all examples, after 1"),
    ],
)
def test_its_title_says_what_has_happened(won: list[int], lost: list[int], title: str) -> None:
    report = sequential().update(won=won, lost=lost, n=1).report()
    assert report.charts["wealth"].to_dict()["title"]["text"].startswith(title)
    assert list(report.charts) == ["wealth"]


def test_an_empty_duel_and_one_beyond_the_floats() -> None:
    assert "Not enough to tell yet, after 0 examples" in json.dumps(drawn(sequential()))
    extreme = sequential().update(won=[1] * 50 + [10**5], lost=0, n=[1] * 50 + [10**5])
    heights = [row["e"] for row in points(drawn(extreme))]
    assert min(heights) >= LOWEST
    assert max(heights) == HIGHEST
    assert "over 1e300" in duel_line(extreme.look)
    json.dumps(drawn(extreme), allow_nan=False)


@pytest.mark.parametrize(
    ("e", "told"),
    [(1.0, "1"), (39.999, "39.9"), (40.0, "40"), (1234.9, "1.23e+03"), (0.00123456, "0.00123"), (0.0, "0")],
)
def test_e_values_are_never_told_as_more_than_they_are(e: float, told: str) -> None:
    assert number(e) == told
