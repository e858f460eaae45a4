"""Whatever nobody expected is one line and an exit code that no answer has; its traceback is saved on request."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from holdfast.cli import cli
from holdfast.cli.verb import FAULT
from tests.cli.conftest import Run


class Panic(BaseException):
    """As a library in Rust raises one: no Exception."""


Breaking = Callable[[BaseException], None]


@pytest.fixture
def breaking(monkeypatch: pytest.MonkeyPatch) -> Breaking:
    """Makes `holdfast bound` end with whatever is given."""

    def end_with(error: BaseException) -> None:
        def fail(**_: object) -> None:
            raise error

        monkeypatch.setattr(cli.commands["bound"], "callback", fail)

    return end_with


@pytest.mark.parametrize(
    "error",
    [
        StopIteration(),
        RecursionError("maximum recursion depth exceeded"),
        KeyError("constructor"),
        ZeroDivisionError("first\n\x1b[2Jsecond"),
        Panic("called `Option::unwrap()` on a `None` value"),
        AssertionError(),
        TimeoutError(),
    ],
    ids=lambda error: type(error).__name__,
)
def test_a_fault_is_one_line_and_no_answer(run: Run, breaking: Breaking, error: BaseException) -> None:
    breaking(error)
    answer = run("bound", "--errors", "1", "--n", "9")
    assert (answer.code, answer.out) == (FAULT, "")
    line = answer.err.removesuffix("\n")
    assert line.isprintable()
    assert line.startswith("holdfast: holdfast bound failed at ")
    assert type(error).__name__ in line
    assert "a fault of Holdfast" in line
    assert "Traceback" not in line


@pytest.mark.parametrize("words", [("--debug", "bound"), ("bound", "--debug")])
def test_the_traceback_is_saved_on_request(
    run: Run, breaking: Breaking, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    breaking(ZeroDivisionError("by nothing"))
    answer = run(*words, "--errors", "1", "--n", "9")
    assert answer.code == FAULT
    (saved,) = tmp_path.glob("holdfast-fault-*.txt")
    assert f"The traceback is in {saved};" in answer.err
    content = saved.read_text(encoding="utf-8")
    assert "ZeroDivisionError: by nothing" in content
    assert "--errors 1" in content


def test_a_traceback_that_cannot_be_saved_is_no_fault_of_its_own(
    run: Run, breaking: Breaking, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    breaking(ZeroDivisionError())
    answer = run("--debug", "bound", "--errors", "1", "--n", "9")
    assert answer.code == FAULT
    assert "could not be saved (No such file or directory)" in answer.err


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (KeyboardInterrupt(), 130, "holdfast: interrupted"),
        (MemoryError(), 2, "holdfast: this does not fit into memory; ask for fewer examples."),
        (PermissionError(13, "Permission denied", "a\nb"), 2, r"holdfast: cannot use 'a\nb': Permission denied."),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_is_no_fault_of_holdfast_keeps_its_code(
    run: Run, breaking: Breaking, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int, line: str
) -> None:
    monkeypatch.setattr("holdfast.cli.tell_nobody", lambda: None)  # which would close the output of the test itself
    breaking(error)
    answer = run("bound", "--errors", "1", "--n", "9")
    assert (answer.code, answer.err.lstrip("\n")) == (code, f"{line}\n")  # click ends the line with ^C on it


def test_every_command_can_be_asked_for_it() -> None:
    assert all("--debug" in [word for option in verb.params for word in option.opts] for verb in cli.commands.values())


def test_its_exit_code_is_that_of_no_answer() -> None:
    """0 is proven or told, 1 refuted, 2 asked wrongly, 3 not decided; the system's own begin at 126."""
    assert FAULT == 70
