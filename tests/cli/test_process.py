"""The command line as a process: pipes, encodings, completion, limits of memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

VALUES = "loss\n" + "0.1\n0.3\n0.2\n" * 5


def holdfast(
    *arguments: str | bytes,
    feed: str = "",
    cwd: Path | None = None,
    before: Callable[[], None] | None = None,
    **environment: str,
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "holdfast", *arguments],
        input=feed.encode(),
        capture_output=True,
        timeout=300,
        cwd=cwd,
        preexec_fn=before,
        env={**os.environ, "PYTHONUTF8": "1", "COLUMNS": "80", **environment},
        check=False,
    )


def test_a_claim(tmp_path: Path) -> None:
    done = holdfast("bound", "--errors", "8", "--n", "30", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode().startswith("0.267 [0.122, 0.459], clopper-pearson, 95 %")
    assert b"\x1b" not in done.stdout  # no colours into a pipe


def test_the_installed_command(tmp_path: Path) -> None:
    command = Path(sys.executable).parent / "holdfast"
    if not command.exists():
        pytest.skip("the package is on the path, not installed")
    done = subprocess.run([command, "--version"], capture_output=True, timeout=300, cwd=tmp_path, check=False)
    assert (done.returncode, done.stdout.decode().split()[0]) == (0, "holdfast,")


def test_losses_from_a_pipe() -> None:
    done = holdfast("bound", "--losses", "-", "--json", feed=VALUES)
    assert done.returncode == 0
    assert json.loads(done.stdout)["provenance"]["rows"] == 15


def test_bad_input_is_told_on_standard_error() -> None:
    done = holdfast("bound", "--errors", "31", "--n", "30")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"holdfast: Counts needs k <= n")


def test_a_reader_that_leaves_is_no_error() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "holdfast", "methods", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    with process.stderr as errors:
        assert b"Traceback" not in errors.read()
    assert process.wait(timeout=300) == 0


@pytest.mark.long
@pytest.mark.parametrize(
    ("limit", "code", "output"),
    [
        ("0.01", 1, ()),
        ("0.1", 3, ("--json",)),
        *(
            pytest.param(*more, marks=pytest.mark.long)
            for more in (("0.5", 0, ()), ("0.1", 3, ()), ("0.01", 1, ("--github",)))
        ),
    ],
)
def test_a_reader_that_leaves_does_not_turn_the_answer(
    tmp_path: Path, limit: str, code: int, output: tuple[str, ...]
) -> None:
    (tmp_path / "p.csv").write_text("truth,predicted\n" + "a,a\n" * 90 + "a,b\n" * 10, encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, "-m", "holdfast", "gate", "p.csv", "--at-most", limit, *output],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
    )
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    with process.stderr as errors:
        assert errors.read() == b""
    assert process.wait(timeout=300) == code


def test_an_alarm_that_nobody_reads_is_one() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "holdfast", "monitor", "--at-most", "0.05"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    process.stdout.close()
    assert process.stdin is not None
    with process.stdin as rows:
        rows.write(b"1\n" * 20)
    assert process.wait(timeout=300) == 1


@pytest.mark.long
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
@pytest.mark.parametrize("output", [(), ("--json",)])
def test_an_answer_that_cannot_be_written_is_none(output: tuple[str, ...]) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "holdfast", "bound", "--errors", "1", "--n", "9", *output],
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=300,
            check=False,
        )
    assert (done.returncode, done.stderr) == (2, b"holdfast: cannot write the answer: No space left on device.\n")


@pytest.mark.long
@pytest.mark.skipif(os.name != "posix", reason="closes what a shell would")
def test_closed_streams() -> None:
    done = holdfast("bound", "--errors", "1", "--n", "9", before=lambda: os.close(1))
    assert (done.returncode, done.stderr) == (0, b"")
    done = holdfast("monitor", before=lambda: os.close(0))
    assert done.returncode == 2
    assert done.stderr.startswith(b"holdfast: Standard input is closed")


@pytest.mark.long
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("holdfast bound --method wil", "wilson"),
        ("holdfast ver", "verify"),
        ("holdfast bound --unl", "--unlabelled"),
    ],
)
def test_the_shell_completes(words: str, expected: str) -> None:
    done = holdfast(_HOLDFAST_COMPLETE="bash_complete", COMP_WORDS=words, COMP_CWORD=str(len(words.split()) - 1))
    assert f"plain,{expected}" in done.stdout.decode().splitlines()


@pytest.mark.long
@pytest.mark.parametrize(
    "words", [("bound", "--errors", "0", "--n", "0"), ("verify", "blaker", "--n", "5..9")], ids=" ".join
)
def test_a_terminal_that_knows_only_ascii(words: tuple[str, ...]) -> None:
    done = holdfast(*words, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="file names are bytes on Linux")
def test_a_file_name_that_is_no_text(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/\xff.csv"
    Path(os.fsdecode(path)).write_text(VALUES, encoding="utf-8")
    done = holdfast("bound", "--losses", path, "--json", PYTHONIOENCODING="utf-8:strict")
    assert b"Traceback" not in done.stderr
    assert json.loads(done.stdout)["provenance"]["rows"] == 15


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="needs a limit on memory")
@pytest.mark.parametrize("sizes", ["1000000000000", "1..1000000000000"])
def test_more_examples_than_memory(sizes: str) -> None:
    import resource

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (4 * 2**30, 4 * 2**30))

    done = holdfast("verify", "blaker", "--n", sizes, before=limited)
    assert done.returncode == 2
    (line,) = done.stderr.decode().splitlines()
    assert line.startswith("holdfast: ")
