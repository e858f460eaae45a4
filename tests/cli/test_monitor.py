"""holdfast monitor: rows in, claims out, the state kept."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import ArrayLike

import holdfast as hf
from holdfast.verbs.stream.monitor import Monitor
from holdfast.verbs.stream.monitor import monitor as made
from tests.cli.conftest import Answer, Run
from tests.shapes import validate

SHAPE = json.loads((Path(hf.__file__).parent / "schemas" / "look-1.json").read_text(encoding="utf-8"))


@pytest.fixture
def feed(run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """The command with these lines as its standard input."""

    def call(text: str, *arguments: str) -> Answer:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        return run("monitor", *arguments)

    return call


def lines(seed: int, rate: float, size: int) -> str:
    return "".join(f"{int(value)}\n" for value in np.random.default_rng(seed).random(size) < rate)


def final(answer: Answer) -> dict[str, object]:
    looks = [json.loads(line) for line in answer.out.splitlines()]
    for look in looks:
        validate(look, SHAPE)
    return looks[-1]


def test_rows_become_a_claim(feed: Run) -> None:
    answer = feed("0\n" * 97 + "1\n" * 3)
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith("After 100 examples:\n0.0300 [0.0014, 0.0461], beta-binomial, 95 %, ")
    assert "With 95 % confidence the true error rate is between" in answer.out
    assert "one may look, and" in answer.out
    assert max(map(len, answer.out.splitlines())) <= 80


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("0\n0\n1\n", ()),
        ("wrong\n0\n0\n1\n", ()),
        ("\n\nwrong\r\n0\r\n0\r\n1\r\n", ()),
        ("\ufefffalse\nFalse\nTrue", ()),
        ("0.0\n0.0\n1.0\n\n\n", ()),
        ("errors,n\n0,1\n0 , 1\n1,1\n", ()),
        ("correct\n1\n1\n0\n", ("--correct",)),
        ("correct,n\n1,1\ntrue\n0,1\n", ("--correct",)),
        ("Erred\n0\n0\n1\n", ()),
        ('"wrong"\n0\n0\n1\n', ()),
        ("my_flag\n0\n0\n1\n", ("--column", "my_flag")),
        ("day;my_flag\n1;0\n2;0\n3;1\n", ("--column", "my_flag")),
        ('{"ok": true}\n{"ok": 1, "x": 2}\n{"ok": 0}\n', ("--column", "ok", "--correct")),
    ],
)
def test_ways_to_write_two_right_and_one_wrong(feed: Run, text: str, arguments: tuple[str, ...]) -> None:
    answer = feed(text, "--json", *arguments)
    expected = made().update(errors=[0, 0, 1], n=1)
    assert answer.code == 0
    assert final(answer) == expected.to_dict()


def test_losses_and_their_range(feed: Run) -> None:
    answer = feed("loss\n1\n3.5\n2e0\n", "--losses", "--high", "4", "--confidence", "0.9", "--json")
    assert final(answer) == made(losses=True, high=4.0, confidence=0.9).update(losses=[1, 3.5, 2]).to_dict()


@pytest.mark.parametrize(
    ("text", "arguments", "said"),
    [
        (
            "ok\n0\n",
            (),
            "Line 1 of the input is 'ok'; a row is 0 or 1, where 1 is an error, or errors,n such as 3,100. If",
        ),
        ("my_flag\n0\n", (), "If it names the column below it, say so: --column my_flag. What came before"),
        ("correct\n1\n", (), "If it names the column below it, where 1 is right, say so: --correct."),
        ("wrong\n1\n", ("--correct",), "Line 1 of the input is 'wrong'"),
        ("O.5\n0.5\n", ("--losses",), "Line 1 of the input is 'O.5'"),
        ("0\n1\nmaybe\n0\n", (), "Line 3 of the input is 'maybe'; a row is 0 or 1, where 1 is an error, or errors,n"),
        ("0\nwrong\n0\n", (), "Line 2 of the input is 'wrong'"),
        ("2\n0\n", (), "Line 1 of the input is '2'"),
        ("0\n\n1\n", (), "Line 2 of the input is empty; drop or repair missing values."),
        ("3,2\n", (), "Line 1 of the input is '3,2'"),
        ("1,2,3\n", (), "Line 1 of the input is '1,2,3'"),
        ("1\n-1,3\n", (), "Line 2 of the input is '-1,3'"),
        ("1\nmaybe\n", ("--correct",), "where 1 is right, or right,n such as 3,100"),
        ("0.1\n1.5\n", ("--losses",), "Line 2 of the input is '1.5'; a row is one loss between 0 and 1. Give"),
        ("nan\n", ("--losses",), "Line 1 of the input is 'nan'"),
        ("0,5\n", ("--losses",), "Line 1 of the input is '0,5'"),
        ("0\n" + "9" * 200_000, (), "Line 2 of the input is '999"),
    ],
)
def test_a_line_that_is_no_row_is_named(feed: Run, text: str, arguments: tuple[str, ...], said: str) -> None:
    answer = feed(text, *arguments)
    assert (answer.code, answer.out) == (2, "")
    assert said in answer.err
    assert answer.err.count("\n") == 1


def test_what_came_before_a_bad_line_is_kept(feed: Run, tmp_path: Path) -> None:
    answer = feed("1\n0\n0\nx\n1\n", "--state", "state.json")
    assert answer.code == 2
    assert answer.err.endswith("What came before it is counted, 3 rows, and kept in state.json.\n")
    assert Monitor.load(tmp_path / "state.json").to_dict() == made().update(errors=[1, 0, 0], n=1).to_dict()


def test_a_state_is_resumed_and_gives_what_one_run_gives(feed: Run) -> None:
    text = lines(1, 0.1, 500)
    cut = text.index("\n", 300) + 1
    feed(text[:cut], "--state", "two.json", "--at-least", "0.01")
    second = feed(text[cut:], "--state", "two.json", "--json")
    whole = feed(text, "--state", "one.json", "--at-least", "0.01", "--json")
    assert final(second) == final(whole)
    assert Path("one.json").read_bytes() == Path("two.json").read_bytes()


def test_a_state_of_other_settings_is_refused(feed: Run) -> None:
    feed("0\n", "--state", "state.json", "--at-most", "0.1", "--correct")
    for arguments, said in (
        (("--at-most", "0.2"), "was made for at most = 0.1; asked was at most = 0.2"),
        (("--losses",), "was made for losses = False; asked was losses = True"),
        (("--confidence", "0.9"), "was made for chance of being wrong = 0.05; asked was chance of being wrong = 0.1"),
    ):
        answer = feed("0\n", "--state", "state.json", *arguments)
        assert answer.code == 2
        assert said in answer.err
    assert final(feed("1\n", "--state", "state.json", "--json"))["estimate"] == 0.5  # --correct is remembered


def test_a_damaged_state_is_refused_and_left_alone(feed: Run) -> None:
    Path("state.json").write_text("{", encoding="utf-8")
    answer = feed("0\n", "--state", "state.json")
    assert answer.code == 2
    assert "state.json is damaged" in answer.err
    assert Path("state.json").read_text(encoding="utf-8") == "{"
    assert feed("0\n", "--state", "nowhere/state.json").code == 2


def test_an_alarm_stops_at_its_row(feed: Run) -> None:
    text = lines(2, 0.4, 40_000)  # more than is read at once
    answer = feed(text, "--at-most", "0.2", "--state", "state.json")
    found = Monitor.load("state.json")
    assert answer.code == 1
    assert found.alarm_after == found.n < 1000
    assert f"Alarm after {found.n} examples: the error rate is above 0.2." in answer.out
    again = feed(text, "--state", "state.json", "--json")
    assert (again.code, final(again)["n"]) == (1, found.n)  # once broken, no more is read
    batches = feed("1,10\n1,10\n1,10\n9,10\n9,10\n9,10\n9,10\n", "--at-most", "0.2", "--json")
    assert batches.code == 1
    assert final(batches)["alarm_after"] == final(batches)["n"]


def test_a_change_stops_too(feed: Run) -> None:
    answer = feed(lines(3, 0.01, 3000) + lines(4, 0.9, 500), "--json")
    assert answer.code == 1
    assert final(answer)["changed"] is True
    assert 3000 < int(str(final(answer)["changed_after"])) == final(answer)["n"]


def test_the_news_come_first(feed: Run) -> None:
    """An interval that says nothing is told to be one; in JSON it stands as ever."""
    answer = feed(lines(3, 0.01, 600) + lines(4, 0.9, 200), "--every", "1")
    *looks, last = answer.out.split("\nAfter ")
    assert len(looks) == 1
    assert " no error rate fits all of them: it has changed on the way" in " ".join(last.split())[:80]
    assert "; its limits are 0 and 1, all that it can be, and say nothing." in " ".join(last.split())
    assert "confidence" not in last
    answer = feed("1\n" * 50, "--at-most", "0.1")
    first, _, claim, *_ = answer.out.splitlines()
    assert first.startswith("Alarm after ")
    assert claim.startswith("After ")
    watched = made(at_most=0.1).update(errors=np.ones(50), n=1)
    assert str(watched).splitlines()[0].startswith("Alarm after ")
    assert repr(watched).startswith("<Monitor, alarm after 50 examples: ")


def test_a_claim_every_so_many_rows(feed: Run) -> None:
    text = lines(5, 0.1, 25)
    answer = feed(text, "--every", "10")
    assert [line.split(":")[0] for line in answer.out.splitlines()[:2]] == ["10", "20"]
    assert "After 25 examples:" in answer.out
    spoken = [json.loads(line)["n"] for line in feed(text, "--every", "10", "--json").out.splitlines()]
    assert spoken == [10, 20, 25]
    spoken = [json.loads(line)["n"] for line in feed(text, "--every", "5", "--json").out.splitlines()]
    assert spoken == [5, 10, 15, 20, 25]


def test_nothing_in_nothing_claimed(feed: Run) -> None:
    answer = feed("", "--json")
    assert answer.code == 0
    assert (final(answer)["n"], final(answer)["estimate"], final(answer)["upper"]) == (0, None, 1.0)


def test_options_that_do_not_go_together(feed: Run) -> None:
    for arguments, said in (
        (("--high", "2"), "this monitor counts errors"),
        (("--losses", "--correct"), "never right or wrong"),
        (("--at-most", "1.5"), "--at-most must lie between 0 and 1"),
        (("--every", "0"), "--every"),
        (("--confidence", "95"), "Did you mean 0.95?"),
    ):
        answer = feed("0\n", *arguments)
        assert answer.code == 2
        assert said in answer.err


def test_two_monitors_on_one_file(feed: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One that heeds no lock takes over; the other says so instead of undoing what the first has counted."""
    update, other = Monitor.update, tmp_path / "other.json"
    made().save(other)

    def meanwhile(self: Monitor, **batch: ArrayLike) -> Monitor:
        other.replace(tmp_path / "state.json")
        return update(self, **batch)

    monkeypatch.setattr(Monitor, "update", meanwhile)
    answer = feed("0\n" * 10, "--state", "state.json", "--confidence", "0.9")
    assert answer.code == 2
    assert "Another monitor has written state.json meanwhile, and what it counted would be lost" in answer.err
    assert Monitor.load(tmp_path / "state.json").settings.delta == 0.05


@pytest.mark.skipif(os.name != "posix", reason="signals as a shell sends them")
def test_interrupted_while_waiting_for_rows(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "holdfast", "monitor", "--state", "state.json", "--every", "2", "--json"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        # Of what a shell has put into the background, an interrupt is ignored, and so by all that it starts.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdin.write(b"0\n1\n0\n")
        running.stdin.flush()
        assert json.loads(running.stdout.readline())["n"] == 2  # shown while the pipe is still open
        until = time.monotonic() + 120
        while Monitor.load(tmp_path / "state.json").n < 3 and time.monotonic() < until:
            time.sleep(0.01)
        running.send_signal(signal.SIGINT)
        assert running.wait(timeout=120) == 130
        assert b"interrupted" in running.stderr.read()
    assert Monitor.load(tmp_path / "state.json").n == 3
