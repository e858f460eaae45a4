"""Dataclasses become JSON and come back; what is of another kind is refused, and it is said where it stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal

import pytest

from holdfast.plain import LARGEST, Absent, Count, Number, Plain, Rate, Share, Unreadable, plain, read


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True)
class Inner(Plain):
    n: Count
    colour: Colour


@dataclass(frozen=True)
class Outer(Plain):
    name: str
    share: Share
    rate: Rate | None
    several: tuple[Inner, ...]
    pair: tuple[float, float]
    by_name: Mapping[str, int | str]
    way: Literal["up", "down"]
    flag: bool
    more: Absent[Inner] = None


GIVEN: dict[str, Any] = {
    "name": "a",
    "share": 0.5,
    "rate": None,
    "several": [{"n": 0, "colour": "red"}, {"n": 2, "colour": "blue"}],
    "pair": [1, 2.5],
    "by_name": {"x": 1, "y": "z"},
    "way": "up",
    "flag": True,
}


def test_there_and_back() -> None:
    made = Outer.from_dict(GIVEN)
    assert made.several == (Inner(0, Colour.RED), Inner(2, Colour.BLUE))
    assert made.pair == (1, 2.5)
    assert isinstance(made.pair[0], int)  # as it was written
    assert made.to_dict() == GIVEN
    assert [*made.to_dict()] == [*GIVEN]
    more = Outer.from_dict({**GIVEN, "more": {"n": 1, "colour": "red"}})
    assert more.to_dict()["more"] == {"n": 1, "colour": "red"}
    assert type(plain(Colour.RED)) is str


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": 3}, "name takes text; got 3"),
        ({"share": 1}, "share takes a number between 0 and 1; got 1"),
        ({"share": 0}, "share takes a number between 0 and 1; got 0"),
        ({"share": "0.5"}, "share takes a number between 0 and 1; got '0.5'"),
        ({"rate": 1.5}, "rate takes a number from 0 to 1; got 1.5"),
        ({"rate": float("nan")}, "rate takes a number from 0 to 1; got nan"),
        ({"several": {}}, "several takes a list; got {}"),
        (
            {"several": [{"n": 1, "colour": "red"}, {"n": -1, "colour": "red"}]},
            "several[1].n takes a whole number from 0",
        ),
        ({"several": [{"n": True, "colour": "red"}]}, "several[0].n takes a whole number from 0 on; got True"),
        ({"several": [{"n": LARGEST + 1, "colour": "red"}]}, "several[0].n takes a whole number from 0 on; got 9"),
        ({"several": [{"n": 1, "colour": "green"}]}, "several[0].colour takes 'red' or 'blue'; got 'green'"),
        ({"several": [{"n": 1, "colour": ["red"]}]}, "several[0].colour takes 'red' or 'blue'; got ['red']"),
        ({"several": [{"n": 1}]}, "several[0] has no colour"),
        ({"several": [[1, "red"]]}, "several[0] takes an object; got [1, 'red']"),
        ({"pair": [1]}, "pair takes a list; got [1]"),
        ({"pair": [1, 10**400]}, "pair[1] takes a number; got 1000"),
        ({"pair": [1, float("inf")]}, "pair[1] takes a number; got inf"),
        ({"by_name": {"x": None}}, "by_name.x takes a whole number or text; got None"),
        ({"way": "left"}, "way takes 'up' or 'down'; got 'left'"),
        ({"flag": 1}, "flag takes true or false; got 1"),
        ({"more": "x" * 99}, "more takes an object; got 'xxx"),
        ({"other": 1}, "it has 'other', which this version does not know"),
    ],
)
def test_what_is_of_another_kind_is_refused_where_it_stands(change: dict[str, Any], message: str) -> None:
    with pytest.raises(Unreadable) as refused:
        Outer.from_dict(GIVEN | change)
    assert str(refused.value).startswith(message)
    assert len(str(refused.value)) < 120


def test_a_key_may_be_missing_only_where_json_leaves_it_out() -> None:
    for name in GIVEN:
        with pytest.raises(Unreadable, match=f"it has no {name}"):
            Outer.from_dict({key: value for key, value in GIVEN.items() if key != name})


def test_things_that_are_counted_and_things_of_which_there_is_one() -> None:
    assert read(Count, 0) == 0
    with pytest.raises(Unreadable, match="it takes a whole number from 1 on; got 0"):
        read(Number, 0)
    assert read(int, 10**30) == 10**30  # such as a seed
