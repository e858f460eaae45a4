"""No command writes over what it reads, nor two outputs to one file; what is no file is written into."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import click
import pytest

from holdfast import cli
from holdfast.cli.verb import File, Kept, Read, Written
from tests.cli.conftest import Run
from tests.needs import device

ROWS = "truth,predicted,m1,m2\n" + "a,a,a,b\nb,b,b,a\n" * 10
COSTS = "predicted \\ actual,a,b\na,0,5\nb,1,0\n"
GATE = ("gate", "data.csv", "--at-most", "0.9")
ESTIMATOR = ("--target", "truth", "--estimator", "mine.py:Tree", "--engine", "serial")


@pytest.fixture(autouse=True)
def data(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for name in ("data.csv", "second.csv", "data.html", "folder/a.csv", "mine.py"):
        (tmp_path / name).write_text(ROWS, encoding="utf-8")
    (tmp_path / "costs.csv").write_text(COSTS, encoding="utf-8")
    (tmp_path / "all.toml").write_text("[[condition]]\nmeasure = 'error-rate'\nat_most = 0.9\n", encoding="utf-8")
    (tmp_path / "link.html").symlink_to("data.csv")
    os.link(tmp_path / "data.csv", tmp_path / "hard.html")


def content(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


OVERWRITING = [
    (*GATE, "--markdown", "data.csv"),
    ("assess", "data.csv", "--markdown", "link.html"),
    ("compare", "data.csv", "--models", "m1,m2", "--sequential", "--markdown", "hard.html"),
    (*GATE, "--junit", "data.csv"),
    (*GATE, "--junit", "./folder/../data.csv"),
    (*GATE, "--junit", "link.html"),
    (*GATE, "--junit", "hard.html"),
    ("gate", "data.csv", "second.csv", "--at-most", "0.9", "--junit", "second.csv"),
    ("gate", "folder", "--at-most", "0.9", "--junit", "folder/a.csv"),
    ("gate", "f*/*.csv", "--at-most", "0.9", "--junit", "folder/a.csv"),
    ("gate", "data.csv", "--conditions", "all.toml", "--junit", "all.toml"),
    (*GATE, "--costs", "costs.csv", "--junit", "costs.csv"),
    ("assess", "data.html", "--html", "data.html"),
    ("assess", "data.csv", "--html", "link.html"),
    ("assess", "data.csv", "--chart", "hard.html:matrix"),
    ("compare", "data.csv", "--models", "m1,m2", "--html", "link.html"),
    ("compare", "data.csv", "--models", "m1,m2", "--chart", "link.html:beats"),
    ("compare", "data.csv", "--sequential", "--models", "m1,m2", "--state", "data.csv"),
    ("compare", "data.csv", "--sequential", "--models", "m1,m2", "--chart", "link.html:wealth"),
    ("panel", "data.html", "--html", "data.html"),
    ("panel", "data.csv", "--unlabelled", "data.html", "--html", "data.html"),
    ("committee", "data.csv", "--html", "hard.html"),
    ("cross-assess", "data.csv", *ESTIMATOR, "--html", "link.html"),
    ("cross-assess", "data.csv", *ESTIMATOR, "--html", "mine.py"),
    ("decompose", "data.csv", *ESTIMATOR, "--html", "link.html"),
    ("learning-curve", "data.csv", *ESTIMATOR, "--html", "link.html"),
    ("monitor", "data.csv", "--state", "data.csv"),
]


@pytest.mark.parametrize("words", OVERWRITING, ids=" ".join)
def test_an_input_is_never_a_target(run: Run, tmp_path: Path, words: tuple[str, ...]) -> None:
    before = content(tmp_path)
    answer = run(*words)
    assert (answer.code, answer.out) == (2, "")
    assert "would overwrite" in answer.err
    assert "which is read; name another file." in answer.err
    assert content(tmp_path) == before


TWICE = [
    ("assess", "data.csv", "--html", "a.html", "--chart", "./a.html:matrix"),
    ("assess", "data.csv", "--html", "to-a.html", "--chart", "a.html:matrix"),
    ("compare", "data.csv", "--sequential", "--models", "m1,m2", "--state", "a.html", "--html", "a.html"),
    ("compare", "data.csv", "--sequential", "--models", "m1,m2", "--state", "a.html", "--chart", "to-a.html:wealth"),
]


@pytest.mark.parametrize("words", TWICE, ids=" ".join)
def test_no_file_is_written_twice(run: Run, tmp_path: Path, words: tuple[str, ...]) -> None:
    (tmp_path / "to-a.html").symlink_to("a.html")
    answer = run(*words)
    assert (answer.code, answer.out) == (2, "")
    assert "a.html would be written twice, by --" in answer.err
    assert not (tmp_path / "a.html").exists()


def test_what_a_stream_is_redirected_to_counts_too(tmp_path: Path) -> None:
    """Replaced, the file would be parted from what the shell has opened."""
    words = [sys.executable, "-m", "holdfast", "gate", "-", "--at-most", "0.9", "--junit"]
    with (tmp_path / "data.csv").open("rb") as rows, (tmp_path / "out.xml").open("wb") as out:
        for name, said in (("out.xml", b"written twice, by standard output and by --junit"), ("data.csv", b"read")):
            done = subprocess.run(
                [*words, name], cwd=tmp_path, stdin=rows, stdout=out, stderr=subprocess.PIPE, check=False
            )
            assert (done.returncode, said in done.stderr) == (2, True)
    assert (tmp_path / "data.csv").read_text(encoding="utf-8") == ROWS


def test_what_is_beside_the_rows_may_be_written(run: Run, tmp_path: Path) -> None:
    """What holds no rows is no input, though it lies in the folder that is read."""
    for _ in range(2):
        answer = run("gate", "folder", "--at-most", "0.9", "--junit", "folder/answer.xml")
        assert (answer.code, answer.err) == (0, "")
    assert (tmp_path / "folder/a.csv").read_text(encoding="utf-8") == ROWS


def test_devices_take_several_outputs_and_stay_devices(run: Run, tmp_path: Path) -> None:
    null, full = device(tmp_path / "null.html", 3), device(tmp_path / "full", 7)
    answer = run("assess", "data.csv", "--html", "null.html", "--chart", "null.html:matrix")
    assert answer.code == 0
    answer = run(*GATE, "--junit", "full")
    assert (answer.code, answer.err) == (2, "holdfast: Cannot write full: No space left on device.\n")
    assert all(stat.S_ISCHR(path.lstat().st_mode) for path in (null, full))
    assert not [*tmp_path.glob(".*")]


def test_every_option_that_names_a_file_says_whether_it_is_read_or_written() -> None:
    """By its type, from which the check takes what must be apart; folders are looked into by whoever fills them."""
    unsaid = [
        f"{name} {option.opts[0]}"
        for name, command in cli.cli.commands.items()
        for option in command.params
        if "FILE" in (option.metavar or "") and not isinstance(option.type, File)
    ]
    assert unsaid == []


def test_the_kinds_of_files() -> None:
    kinds = {
        f"{name} {option.opts[0]}": type(option.type)
        for name, command in cli.cli.commands.items()
        for option in command.params
        if isinstance(option.type, File) and isinstance(option, click.Option)
    }
    written = {name.split()[1] for name, kind in kinds.items() if issubclass(kind, Written)}
    read = {name.split()[1] for name, kind in kinds.items() if issubclass(kind, Read)}
    assert written == {"--html", "--chart", "--junit", "--markdown", "--state", "--ledger", "--key"}
    assert read == {
        *("--costs", "--conditions", "--unlabelled", "--losses", "--estimator", "--strata-shares", "--baseline"),
        *("--truth-file", "--key"),
    }
    assert {name for name, kind in kinds.items() if kind is Kept} == {
        "monitor --state",
        "compare --state",
        "ledger --key",
    }
