"""SIGTERM and SIGHUP end what is done as Ctrl-C does: nothing is left behind, and the exit code tells the signal."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest

from holdfast.cli import Ended, ended_by_signals
from tests.cli.conftest import Run

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
FLOWERS = str(Path(__file__).parents[2] / "examples" / "flowers.csv")
BAYES = ("--target", "species", "--estimator", "sklearn.naive_bayes:GaussianNB", "--engine", "serial")
SLOW = """
import os, time
from pathlib import Path
from sklearn.naive_bayes import GaussianNB

class Slow(GaussianNB):
    def fit(self, X, y):
        Path(os.environ["MARKS"], f"{os.getpid()}-{time.monotonic_ns()}").touch()
        time.sleep(0.5)
        return super().fit(X, y)
"""


@pytest.fixture(autouse=True)
def handlers() -> Iterator[None]:
    """What is told to end ignores what comes later; the tests go on."""
    numbers = signal.SIGTERM, signal.SIGHUP
    before = [signal.signal(number, signal.SIG_DFL) for number in numbers]
    yield
    for number, handler in zip(numbers, before, strict=True):
        signal.signal(number, handler)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_signal_is_an_interrupt_with_its_own_code(number: int, code: int) -> None:
    put_away = []

    def work() -> None:
        try:
            os.kill(os.getpid(), number)
        except Ended:
            os.kill(os.getpid(), number)  # the second one leaves what is put away alone
            put_away.append(1)
            raise SystemExit(130) from None

    with pytest.raises(SystemExit) as left:
        ended_by_signals()(work)()
    assert left.value.code == code
    assert put_away == [1]
    os.kill(os.getpid(), number)  # nor is what runs at exit disturbed


def test_what_is_ignored_stays_so_and_all_is_as_before_afterwards() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup has it
    wakeup = signal.set_wakeup_fd(-1)
    signal.set_wakeup_fd(wakeup)
    with ended_by_signals():
        os.kill(os.getpid(), signal.SIGHUP)
        assert signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    assert signal.set_wakeup_fd(wakeup) == wakeup


def test_an_error_without_a_signal_is_what_it_was() -> None:
    with pytest.raises(KeyError), ended_by_signals():
        raise KeyError


def test_beside_the_main_thread_there_are_no_signals() -> None:
    done = []

    def work() -> None:
        with ended_by_signals():
            done.append(1)

    thread = Thread(target=work)
    thread.start()
    thread.join()
    assert done == [1]


GATED = ("gate", "p.csv", "--at-most", "0.5", "--junit", "out")
TRAINED = ("cross-assess", FLOWERS, *BAYES, "--folds", "2", "--measure", "error-rate", "--html", "out.html")


@pytest.mark.parametrize("words", [GATED, pytest.param(TRAINED, marks=pytest.mark.long)], ids=lambda words: words[0])
def test_a_page_that_is_being_written_leaves_nothing(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    (tmp_path / "p.csv").write_text("truth,predicted\n" + "a,a\nb,b\n" * 9)
    (tmp_path / words[-1]).write_text("what was there before")
    monkeypatch.setattr(os, "replace", lambda *_: os.kill(os.getpid(), signal.SIGTERM))
    answer = run(*words)
    assert answer.code == 143
    assert "Traceback" not in answer.err
    assert {path.name for path in tmp_path.iterdir()} == {"p.csv", words[-1]}
    assert (tmp_path / words[-1]).read_text() == "what was there before"


def test_what_is_finished_is_kept_and_said(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = SLOW.replace(
        "time.sleep(0.5)", "os.kill(os.getpid(), 1) if len(os.listdir(os.environ['MARKS'])) > 2 else 0"
    )
    (tmp_path / "mine.py").write_text(source)
    (tmp_path / "marks").mkdir()
    monkeypatch.setenv("MARKS", str(tmp_path / "marks"))
    answer = run("cross-assess", FLOWERS, *BAYES[:3], "mine.py:Slow", *BAYES[4:], "--save", "kept")
    assert (answer.code, answer.out) == (129, "")
    assert answer.err.split("\n") == [
        "What is finished is in kept; --resume kept goes on.",
        "",
        "holdfast: interrupted",
        "",
    ]
    assert len(list(Path("kept").glob("parts-*"))) == 1


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="looks at processes and shared memory")
@pytest.mark.parametrize(
    ("number", "code", "group"),
    [(signal.SIGTERM, 143, False), (signal.SIGHUP, 129, True), (signal.SIGKILL, -9, False)],
    ids=["a supervisor, told to one", "a terminal, told to all", "killed"],
)
def test_processes_leave_nothing(tmp_path: Path, number: int, code: int, group: bool) -> None:
    temporary, marks = tmp_path / "temporary", tmp_path / "marks"
    temporary.mkdir()
    marks.mkdir()
    (tmp_path / "mine.py").write_text(SLOW)
    engine = ("--engine", "processes", "--workers", "2", "--save", "kept")
    process = subprocess.Popen(
        [sys.executable, "-m", "holdfast", "cross-assess", FLOWERS, *BAYES[:3], "mine.py:Slow", *engine],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(temporary), "MARKS": str(marks)},
        start_new_session=True,
    )
    while not list(tmp_path.glob("kept/parts-*")) and process.poll() is None:
        time.sleep(0.02)
    workers = {int(mark.name.partition("-")[0]) for mark in marks.iterdir()}
    (os.killpg if group else os.kill)(process.pid, number)
    out, err = process.communicate(timeout=300)  # nobody keeps the pipe open
    assert (process.returncode, out) == (code, b"")
    if number != signal.SIGKILL:
        assert err == b"What is finished is in kept; --resume kept goes on.\n\nholdfast: interrupted\n"
    shared = [path.name for path in Path("/dev/shm").iterdir() if f"{process.pid}" in path.name]
    assert (shared, [*temporary.iterdir()], [*filter(_alive, workers)]) == ([], [], [])
    assert list((tmp_path / "kept").glob("parts-*")) != []


def _alive(worker: int) -> bool:
    """Whether the process runs; one that waits to be buried does not."""
    try:
        return Path(f"/proc/{worker}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
