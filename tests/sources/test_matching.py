"""Each file counts once, links that lead back are not followed, and what cannot be read is said."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import holdfast as hf
from holdfast.errors import HoldfastError
from holdfast.sources.costs import read_costs
from holdfast.sources.examples import read_examples
from holdfast.sources.losses import read_losses
from holdfast.sources.models.folds import read_folds
from holdfast.sources.models.scoreboard import read_datasets

CSV = "truth,predicted\n" + "a,a\nb,a\n" * 5


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def written(*names: str) -> None:
    for name in names:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(CSV)


def rows(source: Any) -> int:
    predictions = hf.read(source)
    return predictions.fetch(predictions.frame).height


def refusal(source: Any) -> str:
    with pytest.raises(HoldfastError) as error:
        rows(source)
    return str(error.value)


@pytest.mark.parametrize("link", [os.symlink, os.link, None])
def test_a_file_that_comes_twice_is_refused(link: Any) -> None:
    written("d/p.csv")
    if link is None:
        assert refusal(["d/p.csv", "d/p.csv"]) == (
            "d/p.csv is given twice, and its rows would count twice; name it once."
        )
        assert "the same file" in refusal(["d/p.csv", "d/../d/p.csv"])
        assert "twice" in refusal(["d", "d/p.csv"])
        return
    link(Path("d/p.csv").absolute(), "d/q.csv")
    wanted = "d/p.csv and d/q.csv are the same file, and its rows would count twice; leave one out."
    assert refusal(["d/p.csv", "d/q.csv"]) == refusal("d") == refusal("d/*.csv") == wanted


def test_links_that_lead_back_are_not_followed() -> None:
    written("d/p.csv", "d/sub/r.csv", "beside/s.csv")
    Path("d/self").symlink_to(".")
    Path("d/again").symlink_to(".")  # two of them would be a tree of 2**40 folders
    Path("d/sub/up").symlink_to("..")
    Path("d/latest").symlink_to("sub")
    Path("d/above").symlink_to("../..")
    for source in ("d", "d/**", "d/**/*.csv"):
        assert rows(source) == 20, source
    assert rows("d/sub") == 10
    Path("d/other").symlink_to("../beside")
    assert rows("d") == rows("d/**/*.csv") == 30
    assert "d/latest/r.csv and d/sub/r.csv are the same file" in refusal("d/*/r.csv")


@pytest.mark.parametrize("pattern", ["d/*", "d/**/*.csv", "d/**", "d/*/*.csv", "?/p.csv", "d/[p]*"])
def test_patterns_find_what_the_standard_library_finds(pattern: str) -> None:
    written("d/p.csv", "d/.hidden/x.csv", "d/.h.csv", "d/one/a.csv", "d/one/two/b.csv")
    found = {file for match in Path().glob(pattern) for file in ([match] if match.is_file() else match.rglob("*.csv"))}
    visible = {file for file in found if not any(part.startswith(".") for part in file.parts)}
    assert rows(pattern) == 10 * len(visible)


def test_what_cannot_be_read_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    written("d/p.csv", "d/sub/q.csv")
    scan = os.scandir

    def denied(folder: Path) -> Any:
        if Path(folder).name == "sub":
            raise PermissionError(13, "Permission denied")
        return scan(folder)

    monkeypatch.setattr(os, "scandir", denied)
    for source in ("d", "d/*", "d/**/*.csv", "d/*/*.csv"):
        assert refusal(source) == "Cannot read d/sub: Permission denied."


def test_a_link_to_nowhere_and_a_pipe_among_files_are_errors() -> None:
    written("d/p.csv", "e/p.csv")
    Path("d/q.csv").symlink_to("nowhere")
    assert refusal("d") == "Cannot read d/q.csv: No such file or directory."
    os.mkfifo("e/q.csv")
    for source in ("e", "e/*"):
        assert "e/q.csv is no file but a pipe or a device" in refusal(source)


def test_a_model_is_not_compared_with_itself() -> None:
    Path("a.csv").write_text("id,truth,predicted\n1,x,x\n2,y,x\n")
    Path("b.csv").hardlink_to("a.csv")
    for source in (["a.csv", "b.csv"], {"A": "a.csv", "B": "a.csv"}):
        with pytest.raises(HoldfastError, match="a model compared with itself says nothing"):
            hf.read_models(source, on="id")


# ---- Pipes


@pytest.fixture
def pipe() -> Iterator[Any]:
    """A pipe that some bytes are written to, once."""
    threads = []

    def made(content: str, name: str = "pipe") -> str:
        os.mkfifo(name)
        threads.append(threading.Thread(target=Path(name).write_text, args=(content,)))
        threads[-1].start()
        return name

    yield made
    for thread in threads:
        thread.join(5)
        assert not thread.is_alive()


def test_a_pipe_is_read_once_by_every_reader(pipe: Any) -> None:
    assert rows(pipe(CSV)) == 10
    assert rows([pipe(CSV, "p1"), pipe(CSV, "p2")]) == 20
    assert rows(pipe('{"truth":"a","predicted":"b"}\n', "p3")) == 1
    assert read_costs(pipe("predicted \\ actual,a,b\na,0,1\nb,2,0\n", "p4")).labels == ("a", "b")
    assert read_losses(pipe("0.5\n0.25\n", "p5")).tolist() == [0.5, 0.25]
    assert read_datasets(pipe("dataset,m,n\nx,1,2\ny,2,3\n", "p6")).models == ("m", "n")
    assert read_folds(pipe("fold,m1,m2\n1,.1,.2\n2,.2,.3\n", "p7"), measure="error-rate") is not None
    conditions = hf.read_conditions(pipe("[[condition]]\nmeasure = 'error-rate'\nat_most = 0.05\n", "p8"))
    assert len(conditions["conditions"]) == 1
    table = "id,truth,predicted\n1,x,x\n2,y,x\n"
    assert hf.read_models([pipe(table, "p9"), pipe(table, "p10")], on="id").models == ("p9", "p10")
    examples = read_examples(pipe("size,kind\n1,a\n2,b\n", "p11"), target="kind")
    assert examples.y == ["a", "b"]


def test_a_device_is_refused_at_once() -> None:
    for device in (os.devnull, "/dev/zero"):
        assert refusal(device) == (
            f"{device} is a device, not a file; name a file, or give - and let the rows come in through a pipe."
        )


# ---- Names


@pytest.mark.parametrize("kind", ["csv", "parquet", "arrow", "ndjson", "ipc"])
def test_a_name_that_is_no_text(kind: str) -> None:
    frame = pl.DataFrame({"truth": ["a", "b"], "predicted": ["a", "a"]})
    write = {"csv": "csv", "parquet": "parquet", "arrow": "ipc", "ndjson": "ndjson", "ipc": "ipc_stream"}[kind]
    getattr(frame, f"write_{write}")("plain")
    odd = os.fsdecode(b"d/\xff." + kind.encode())
    Path("d").mkdir()
    try:
        Path("plain").rename(odd)
    except OSError:
        pytest.skip("this file system has names in UTF-8 only")
    for source in (odd, "d", f"d/*.{kind}"):
        assert rows(source) == 2
