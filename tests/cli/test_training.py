from __future__ import annotations

import os
import sys
import warnings

import pytest

from holdfast.cli.training import listed_values, values_of, watched
from holdfast.errors import HoldfastError


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("1..3", [1, 2, 3]),
        ("-1 .. 1", [-1, 0, 1]),
        ("0.5", [0.5]),
        ("1,two,None", [1, "two", None]),
        ("'a,b',c", ["'a", "b'", "c"]),
        ("(1, 2),(3,)", [(1, 2), (3,)]),
        ("inf,1", [float("inf"), 1]),
        ("True,False", [True, False]),
    ],
)
def test_values_are_read_as_python_writes_them(given: str, expected: list[object]) -> None:
    found = listed_values("--values", given)
    assert found == expected
    assert [type(each) for each in found] == [type(each) for each in expected]


@pytest.mark.parametrize("given", ["3..1", "1..100000"])
def test_a_range_rises_and_ends(given: str) -> None:
    with pytest.raises(HoldfastError, match="--values"):
        listed_values("--values", given)


@pytest.mark.parametrize("given", [["max_depth"], ["=3"], ["max_depth="], ["a=1", "a=2"]])
def test_what_names_no_parameter_is_refused(given: list[str]) -> None:
    with pytest.raises(HoldfastError, match="--grid"):
        values_of("--grid", given)


def test_nobody_watches_and_nothing_is_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    with watched("Training") as progress:
        progress(1, 2)
    assert capsys.readouterr() == ("", "")


def test_a_watcher_sees_how_far_it_is(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    with watched("Training") as progress:
        progress(1, 2)
        progress(2, 2)
    out, err = capsys.readouterr()
    assert not out
    assert "Training" in err
    assert "2/2" in err


def test_what_a_learner_prints_is_no_answer(capfd: pytest.CaptureFixture[str]) -> None:
    with watched("Training"):
        sys.stdout.write("in python\n")
        os.write(1, b"below python\n")
    sys.stdout.write("answer\n")
    out, err = capfd.readouterr()
    assert out == "answer\n"
    assert {"in python", "below python"} <= set(err.splitlines())


def test_what_a_learner_warns_of_is_said_once(capsys: pytest.CaptureFixture[str]) -> None:
    with watched("Training"):
        for _ in range(3):
            warnings.warn("it did not converge\nat all", UserWarning, stacklevel=1)
    assert capsys.readouterr().err == "holdfast: while training: UserWarning: it did not converge\n"
    assert "PYTHONWARNINGS" not in os.environ
