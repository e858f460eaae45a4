"""monitor and compare --sequential on a file that grows: no row is lost and none is counted twice."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from holdfast.cli.verb import FAULT
from holdfast.files import progress
from holdfast.sources.lines import growing
from holdfast.streams import machine
from holdfast.verbs.stream.duel import Duel, sequential
from holdfast.verbs.stream.monitor import Monitor
from holdfast.verbs.stream.monitor import monitor as made
from tests.cli.conftest import Answer, Run

Steps = list[Callable[[], object]]
MONITOR = ("monitor", "rows", "--state", "state.json")
COMPARE = ("compare", "rows", "--sequential", "--models", "a,b", "--pass-fail", "--state", "state.json")


def append(content: str) -> None:
    with Path("rows").open("a", encoding="utf-8", newline="") as file:
        file.write(content)


def outcomes(seed: int, size: int) -> list[int]:
    return (np.random.default_rng(seed).random(size) < 0.2).astype(int).tolist()


def n(answer: Answer) -> int:
    return int(json.loads(answer.out.splitlines()[-1])["n"])


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> Iterator[Steps]:
    """What happens each time that the file has no more; after the last of it, somebody presses Ctrl-C."""
    happening: Steps = []
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background would ignore it, for ever

    def sleep(_: float) -> None:
        happening.pop(0)() if happening else signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(growing.time, "sleep", sleep)
    yield happening
    signal.signal(signal.SIGINT, before)


# ---- The same file again


@pytest.mark.parametrize("follow", [(), ("--follow",)])
def test_a_file_read_again_is_counted_once(run: Run, steps: Steps, follow: tuple[str, ...]) -> None:
    for command, rows in ((MONITOR, "erred\n" + "0\n1\n" * 5), (COMPARE, "a,b\n" + "1,0\n0,0\n" * 5)):
        Path("rows").write_text(rows, encoding="utf-8")
        Path("state.json").unlink(missing_ok=True)
        first = run(*command, *follow, "--json")
        assert (n(first), first.err) == (10, "")
        for _ in range(3):
            again = run(*command, *follow, "--json")
            assert (n(again), again.code, again.out) == (10, first.code, first.out)
            assert again.err == "holdfast: skipped 10 rows of rows read earlier; going on after line 11.\n"
        append("1,1\n" if command is COMPARE else "1\n")
        assert n(run(*command, *follow, "--json")) == 11


def test_without_a_state_a_file_is_read_as_ever(run: Run) -> None:
    Path("rows").write_text("0\n1\n0", encoding="utf-8")
    for _ in range(2):
        answer = run("monitor", "rows", "--json")
        assert (n(answer), answer.err) == (3, "")


def test_a_header_is_remembered_by_being_read_again(run: Run) -> None:
    Path("rows").write_text('\ufefftext,"b",a\r\n"two\r\nlines",1,0\r\n', encoding="utf-8", newline="")
    run(*COMPARE)
    append('"one, ""quoted""",0,1\r\n"not yet\r\n')
    refused = run(*COMPARE)
    assert refused.code == 2
    assert "A quote in the row that ends on line 5 of rows opens and never closes. What came" in refused.err
    append('but now",1,1\r\nx,2,0\r\n')
    assert "Line 7 of rows says '2' in the column 'b', not 0 or 1" in run(*COMPARE).err
    duel = Duel.load("state.json")
    assert duel.to_dict() == sequential(names=("a", "b")).update(first=[0, 1, 1], second=[1, 0, 1]).to_dict()


def test_a_bad_line_is_named_again_until_it_is_repaired(run: Run) -> None:
    Path("rows").write_text("0\n1\nx\n", encoding="utf-8")
    assert "Line 3 of rows is 'x'" in run(*MONITOR).err
    assert "Line 3 of rows is 'x'" in run(*MONITOR).err
    Path("rows").write_text("0\n1\n1\n", encoding="utf-8")
    assert n(run(*MONITOR, "--json")) == 3


def test_rows_left_out_are_not_counted_later(run: Run) -> None:
    Path("rows").write_text("a,b\n1,0\n,1\n", encoding="utf-8")
    assert n(run(*COMPARE, "--missing", "drop", "--json")) == 1
    append("1,1\n")
    answer = run(*COMPARE, "--missing", "wrong", "--json")
    assert n(answer) == 2


def test_an_empty_line_is_missing_only_if_a_row_follows(run: Run) -> None:
    Path("rows").write_text("0\n\n", encoding="utf-8")
    assert run(*MONITOR).code == 0
    append("1\n")
    assert "Line 2 of rows is empty" in run(*MONITOR).err


# ---- Other files, and what cannot be known


def test_the_next_day_s_file_goes_on_and_the_last_one_s_is_not_counted_again(run: Run) -> None:
    Path("rows").write_text("0\n1\n", encoding="utf-8")
    Path("tuesday").write_text("1\n1\n1\n", encoding="utf-8")
    run(*MONITOR)
    second = run("monitor", "tuesday", "--state", "state.json", "--json")
    assert n(second) == 5
    assert second.err == "holdfast: tuesday is none of the files read earlier; it is read from its start.\n"
    assert n(run(*MONITOR, "--json")) == 5


def test_a_file_cut_or_written_anew(run: Run) -> None:
    Path("rows").write_text("0\n1\n0\n", encoding="utf-8")
    run(*MONITOR)
    Path("rows").write_text("0\n", encoding="utf-8")
    answer = run(*MONITOR)
    assert answer.code == 2
    assert "If all of its rows are new, say so with --as-new; if not, start with another state." in answer.err
    assert n(run(*MONITOR, "--as-new", "--json")) == 4


@pytest.mark.parametrize("command", [MONITOR, COMPARE])
def test_a_state_of_an_earlier_version(run: Run, command: tuple[str, ...]) -> None:
    """It is loaded, and knows of no file."""
    text = "a,b\n1,0\n" if command is COMPARE else "1\n"
    Path("rows").write_text(text, encoding="utf-8")
    run(*command)
    saved: dict[str, Any] = json.loads(Path("state.json").read_bytes())
    older = {name: value for name, value in saved.items() if name not in ("input", "sha256")}
    older["schema"] = older["schema"].replace("/2", "/1")
    Path("state.json").write_text(json.dumps({**older, "sha256": machine.digest(older)}), encoding="utf-8")
    answer = run(*command)
    assert answer.code == 2
    assert "This state knows nothing of the file rows: whether its rows are among those counted before" in answer.err
    assert n(run(*command, "--as-new", "--json")) == 2
    assert n(run(*command, "--json")) == 2


def feed(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    import io

    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


def test_of_standard_input_a_restart_cannot_know(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for command, rows in ((MONITOR, "1\n"), (COMPARE, "a,b\n1,0\n")):
        Path("state.json").unlink(missing_ok=True)
        command = tuple("-" if word == "rows" else word for word in command)
        feed(monkeypatch, rows)
        assert run(*command).err == ""
        feed(monkeypatch, rows)
        again = run(*command, "--json")
        assert n(again) == 2
        assert "state.json holds what was counted before; whether rows of" in again.err
        assert "cannot be known. Name the file that is written (FILE --follow), or the column of ids" in again.err


# ---- Ids


def test_with_ids_a_row_is_counted_once_wherever_it_comes_from(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for command, header in (((*MONITOR, "--column", "wrong"), "wrong,key"), (COMPARE, "a,b,key")):
        Path("state.json").unlink(missing_ok=True)
        cells = "1" if command is not COMPARE else "1,0"
        rows = [f"{cells},{key}" for key in "abcd"]
        stdin = (*("-" if word == "rows" else word for word in command), "--id", "key", "--json")
        feed(monkeypatch, "\n".join([header, *rows[:2], rows[0]]))
        answer = run(*stdin)
        assert (n(answer), answer.err) == (2, "holdfast: skipped 1 row whose id was counted before.\n")
        feed(monkeypatch, "\n".join([header, *rows[:3]]))
        answer = run(*stdin)
        assert (n(answer), answer.err) == (3, "holdfast: skipped 2 rows whose id was counted before.\n")
        Path("rows").write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
        assert n(run(*command, "--id", "key", "--json")) == 4
        Path("rows").write_text("\n".join([header, rows[3], f"{cells},e"]), encoding="utf-8")
        assert n(run(*command, "--id", "key", "--json")) == 5


def test_ids_that_were_forgotten_are_said_to_be(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "MOST_IDS", 2)
    command = ("monitor", "--column", "wrong", "--id", "key", "--state", "state.json", "--json")
    feed(monkeypatch, "wrong,key\n" + "".join(f"0,{key}\n" for key in range(5)))
    assert n(run(*command)) == 5
    feed(monkeypatch, "wrong,key\n0,4\n0,9\n")
    answer = run(*command)
    assert n(answer) == 6
    assert "state.json knows the ids of the last 2 rows; of the 3 before them it cannot tell" in answer.err


@pytest.mark.parametrize(
    ("arguments", "text", "said"),
    [
        (("--id", "key"), "0\n", "say which that is with --column"),
        (("--column", "wrnog"), "wrong\n0\n", "no column named 'wrnog'; did you mean 'wrong'?"),
        (
            ("--column", "wrong", "--id", "key"),
            "wrong,key\n0,\n",
            "says nothing in the column 'key'; a row needs its id",
        ),
        (("--column", "wrong"), "wrong,key\n,1\n", "says nothing in the column 'wrong'; a row is 0 or 1"),
        (("--column", "wrong"), "wrong,key\nok,1\n", "Line 2 of the input says 'ok' in the column 'wrong'; a row is"),
        (("--column", "wrong"), '{"wrong": 0}\n[]\n', "Line 2 of the input is no object of JSON"),
        (("--follow",), "0\n", "standard input is none; name the file"),
        (("--as-new",), "0\n", "--as-new is about a FILE"),
        (("rows", "--as-new"), "", "--as-new says something only beside --state or --follow"),
    ],
)
def test_what_cannot_be_asked(
    run: Run, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], text: str, said: str
) -> None:
    feed(monkeypatch, text)
    answer = run("monitor", *arguments)
    assert answer.code == 2
    assert said in answer.err


def test_options_of_a_stream_say_nothing_elsewhere(run: Run) -> None:
    for option in ("--follow", "--as-new"):
        answer = run("compare", "rows", "--models", "a,b", option)
        assert (answer.code, answer.err) == (2, f"holdfast: {option} says something only beside --sequential.\n")


# ---- Following


def test_it_waits_for_whole_rows_until_interrupted(run: Run, steps: Steps) -> None:
    Path("rows").write_text("0\n1", encoding="utf-8")
    steps += [lambda: append("\n0\n1"), lambda: append("")]
    answer = run(*MONITOR, "--follow", "--json", "--every", "1")
    assert answer.code == 0
    assert [json.loads(line)["n"] for line in answer.out.splitlines()] == [1, 2, 3]
    assert Monitor.load("state.json").to_dict() == made().update(errors=[0, 1, 0], n=1).to_dict()
    append("\n")
    assert n(run(*MONITOR, "--json")) == 4


def test_an_alarm_ends_it(run: Run, steps: Steps) -> None:
    Path("rows").write_text("0\n", encoding="utf-8")
    steps += [lambda: append("1\n" * 50)]
    answer = run(*MONITOR, "--follow", "--at-most", "0.1")
    assert answer.code == 1
    assert answer.out.startswith("Alarm after ")
    assert steps == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_being_told_to_end_gives_the_exit_code_of_what_is_known(run: Run, steps: Steps, number: int) -> None:
    for rows, code in (("1,0\n", 0), ("0,1\n", 1), ("1,1\n", 3)):
        Path("state.json").unlink(missing_ok=True)
        Path("rows").write_text("a,b\n" + rows * 200, encoding="utf-8")
        steps[:] = [lambda: signal.raise_signal(number)]
        before = signal.getsignal(number)
        answer = run(*COMPARE, "--follow")
        assert (answer.code, answer.err) == (code, "")
        assert "After 200 examples" in answer.out
        assert signal.getsignal(number) == before


def test_a_verdict_is_told_when_it_is_reached(run: Run, steps: Steps) -> None:
    Path("rows").write_text("a,b\n1,0\n", encoding="utf-8")
    steps += [lambda: append("1,0\n" * 100)]
    answer = run(*COMPARE, "--follow")
    assert answer.out.splitlines()[:2] == ["a is better than b: it errs less often."] * 2  # when it was, and at the end
    Path("state.json").unlink()
    Path("rows").write_text("a,b\n1,0\n", encoding="utf-8")
    steps += [lambda: append("1,0\n" * 100)]
    looks = [json.loads(line) for line in run(*COMPARE, "--follow", "--json").out.splitlines()]
    assert [(look["n"], look["verdict"]["outcome"]) for look in looks] == [(101, "better"), (101, "better")]


def test_a_change_that_ends_it_is_told_once(run: Run, steps: Steps) -> None:
    Path("rows").write_text("a,b\n" + "1,0\n" * 300, encoding="utf-8")
    steps += [lambda: append("0,1\n" * 2000)]
    lines = run(*COMPARE, "--follow").out.splitlines()
    assert lines[0] == "a is better than b: it errs less often."
    assert lines[1].startswith("After ")
    assert "no difference fits all of them" in " ".join(lines[1:3])


def test_a_rotated_file_has_a_header_of_its_own(run: Run, steps: Steps) -> None:
    Path("rows").write_text("a,b\n1,0\n", encoding="utf-8")

    def rotate() -> None:
        Path("rows").rename("rows.1")
        Path("rows").write_text("b;x;a\n1;x;0\n1;x;1\n", encoding="utf-8")

    steps += [rotate, lambda: None]
    answer = run(*COMPARE, "--follow", "--json")
    assert answer.err == "holdfast: rows is none of the files read earlier; it is read from its start.\n"
    expected = sequential(names=("a", "b")).update(first=[1, 0, 1], second=[0, 1, 1])
    assert Duel.load("state.json").to_dict() == expected.to_dict()
    assert n(run(*COMPARE, "--json")) == 3


def test_a_record_left_open_by_a_rotated_file_is_told(run: Run, steps: Steps) -> None:
    Path("rows").write_text('a,b,c\n1,0,x\n0,1,"open\n', encoding="utf-8")

    def rotate() -> None:
        Path("rows").rename("rows.1")
        Path("rows").write_text("a,b,c\n1,1,x\n", encoding="utf-8")

    steps += [rotate, lambda: None]
    answer = run(*COMPARE, "--follow")
    assert answer.code == 2
    assert "A quote in the row that ends on line 3 of rows opens and never closes." in answer.err
    assert Duel.load("state.json").n == 1


# ---- Two at once


@pytest.mark.parametrize("command", [MONITOR, COMPARE])
def test_a_state_that_another_process_holds(run: Run, tmp_path: Path, command: tuple[str, ...]) -> None:
    Path("rows").write_text("a,b\n1,0\n" if command is COMPARE else "1\n", encoding="utf-8")
    code = "from holdfast.files import holding\nwith holding('state.json'): print(flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        other.stdout.readline()
        answer = run(*command, "--wait", "0.05")
        assert (answer.code, answer.out) == (2, "")
        assert answer.err == (
            f"holdfast: state.json is in use by another process ({other.pid}), still after 0.05 seconds; wait longer "
            "with --wait, or keep another state.\n"
        )
        assert not Path("state.json").exists()
        other.communicate(b"\n")
    assert run(*command).code in (0, 3)
    assert sorted(os.listdir()) == ["rows", "state.json"]


def test_waiting_is_for_a_state(run: Run) -> None:
    Path("rows").write_text("1\n", encoding="utf-8")
    for words, said in (
        (("monitor", "rows", "--wait", "3"), "--wait says how long to wait for --state; name a state"),
        ((*MONITOR, "--wait", "-1"), "-1"),
        (("compare", "rows", "--wait", "3"), "--wait"),
    ):
        answer = run(*words)
        assert answer.code == 2
        assert said in answer.err


# ---- Killed


class Killed(BaseException):
    """The process ends here, and nothing that it would have done afterwards is done."""


@pytest.mark.parametrize("command", [MONITOR, (*COMPARE, "--id", "key")])
def test_killed_at_any_step_of_a_save_it_goes_on_as_if_it_had_not_been(
    run: Run, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    """Each run dies at its next step but one, before the step or after it, until one comes through."""
    drawn = outcomes(1, 20)
    lines = [f"{row},{1 - row},{key}" if len(command) > len(MONITOR) else f"{row}" for key, row in enumerate(drawn)]
    header = ["a,b,key"] if len(command) > len(MONITOR) else []
    Path("rows").write_text("\n".join([*header, *lines]) + "\n", encoding="utf-8")
    left = 0

    def deadly(step: Callable[..., Any], after: bool) -> Callable[..., Any]:
        def dying(*given: Any) -> Any:
            nonlocal left
            left -= 1
            result = step(*given) if after or left else None
            if not left:
                raise Killed
            return result

        return dying

    monkeypatch.setattr(growing, "CHUNK", 16)
    deaths = 0
    for after in (False, True):
        for steps in range(1, 200):
            with monkeypatch.context() as dangerous:
                left = 1 + 2 * (steps % 6)
                dangerous.setattr(os, "fsync", deadly(lambda _: None, after))
                dangerous.setattr(os, "replace", deadly(os.replace, after))
                if run(*command).code != FAULT:  # which is how the end of the process shows in this one
                    break
                deaths += 1
    assert deaths > 5
    answer = run(*command, "--json")
    duel, watched = sequential(names=("a", "b")), made()
    if command is MONITOR:
        assert json.loads(answer.out) == watched.update(errors=drawn, n=1).to_dict()
    else:
        second = [1 - row for row in drawn]
        assert json.loads(answer.out) == json.loads(json.dumps(duel.update(first=drawn, second=second).to_dict()))
    once = [word.replace("state.json", "once.json") for word in command]
    run(*once)
    assert Path("once.json").read_bytes() == Path("state.json").read_bytes()


@pytest.mark.long
@pytest.mark.skipif(os.name != "posix", reason="kills as a shell does")
def test_killed_9_times_while_the_file_is_written_and_rotated(tmp_path: Path) -> None:
    """SIGKILL at moments of chance; what is counted in the end is every row, once."""
    moments, drawn, written = random.Random(0), outcomes(2, 4_500), 0
    path = tmp_path / "rows"
    path.write_text("", encoding="utf-8")
    command = [sys.executable, "-m", "holdfast", "monitor", "rows", "--follow", "--state", "state.json", "--every", "3"]
    once = [word for word in command[:-2] if word != "--follow"]
    for killing in range(9):
        with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as child:
            assert child.stdout is not None
            with path.open("a", encoding="utf-8") as file:
                for row in drawn[written : written + 500]:
                    file.write(f"{row}")
                    file.flush()  # half a line is there, too
                    file.write("\n")
            written += 500
            child.stdout.readline()  # it has begun
            time.sleep(moments.random() * 0.1)
            child.kill()
        if killing % 3 == 2:  # what is left of a file is read before the next one is
            subprocess.run(once, cwd=tmp_path, check=True, capture_output=True)
            path.rename(tmp_path / f"rows.{killing}")
            path.write_text("", encoding="utf-8")
    subprocess.run(once, cwd=tmp_path, check=True, capture_output=True)
    watched = Monitor.load(tmp_path / "state.json")
    assert watched.to_dict() == made().update(errors=drawn, n=1).to_dict()
