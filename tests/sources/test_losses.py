"""Reading a column of losses: plain files in all their dialects, and hostile ones."""

from __future__ import annotations

import gzip
import io
from datetime import date
from pathlib import Path
from types import SimpleNamespace

import polars as pl
import pytest

from holdfast.errors import HoldfastError
from holdfast.evidence import Losses
from holdfast.sources.losses import read_losses
from tests.snapshots import matches


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # so that messages hold no path of this machine


def read(content: bytes | str, column: str | None = None, name: str = "losses.csv") -> list[float]:
    Path(name).write_bytes(content.encode() if isinstance(content, str) else content)
    return read_losses(name, column).tolist()


# ---- What can be read


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        pytest.param("0.1\n0.2\n", [0.1, 0.2], id="plain"),
        pytest.param("0.1\n0.2", [0.1, 0.2], id="no last line break"),
        pytest.param("loss\n0.1\n0.2\n", [0.1, 0.2], id="a header"),
        pytest.param("0.1", [0.1], id="one value"),
        pytest.param("0.1\r\n0.2\r\n", [0.1, 0.2], id="CRLF"),
        pytest.param("loss\r\n0.1\r\n", [0.1], id="CRLF and a header"),
        pytest.param("\ufeff0.1\n0.2\n", [0.1, 0.2], id="BOM"),
        pytest.param("\ufeffloss\n0.1\n", [0.1], id="BOM and a header"),
        pytest.param('"0.1"\n"0.2"\n', [0.1, 0.2], id="quotes"),
        pytest.param('"loss"\n0.1\n', [0.1], id="a quoted header"),
        pytest.param(" 0.1 \n\t0.2\n", [0.1, 0.2], id="spaces"),
        pytest.param("0.1\n0.2\n\n\n", [0.1, 0.2], id="blank lines at the end"),
        pytest.param("id;loss\n1;0.1\n2;0.2\n", [0.1, 0.2], id="semicolons"),
        pytest.param("id\tloss\n1\t0.1\n", [0.1], id="tabs"),
        pytest.param("1e-3\n1E-3\n+0.5\n.5\n5\n-2\n", [1e-3, 1e-3, 0.5, 0.5, 5.0, -2.0], id="ways to write numbers"),
        pytest.param("0.1000000000000000055511151231257827\n", [0.1], id="many digits"),
        pytest.param("id,loss,note\n1,0.1,a\n2,0.2,b\n", [0.1, 0.2], id="the column called loss"),
        pytest.param("id,LOSSES\n1,0.1\n", [0.1], id="the column called LOSSES"),
        pytest.param('note,loss\n"a, ""quoted""",0.1\n', [0.1], id="a comma in quotes"),
        pytest.param('note,loss\n"two\nlines",0.1\nx,0.2\n', [0.1, 0.2], id="a line break in quotes"),
    ],
)
def test_files_in_all_their_dialects(content: str, expected: list[float]) -> None:
    assert read(content) == expected


def test_a_chosen_column() -> None:
    assert read("a,b,c\n1,2,3\n4,5,6\n", "b") == [2.0, 5.0]
    assert read("loss,b\n1,2\n", "b") == [2.0]
    assert read("squared\n1\n", "squared") == [1.0]
    assert read("Fehlerhöhe,b\n1,2\n", "Fehlerhöhe") == [1.0]


def test_every_float_is_read_to_the_last_bit() -> None:
    values = [1 / 3, 0.1 + 0.2, 5e-324, 2.0**-53, 1 - 2.0**-53, 123456789.123456789]
    assert read("\n".join(map(repr, values))) == values


def test_other_encodings_and_compression() -> None:
    assert read("loss\n0.1\n".encode("utf-16")) == [0.1]
    assert read(gzip.compress(b"loss\n0.1\n")) == [0.1]
    assert read(gzip.compress(b"0.1\n0.2\n"), name="losses.csv.gz") == [0.1, 0.2]
    Path("cut.gz").write_bytes(gzip.compress(b"0.1\n" * 1000)[:20])
    assert "damaged or cut off" in refusal("cut.gz")


def test_a_million_lines() -> None:
    assert len(read("0.5\n" * 10**6)) == 10**6


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"0.1\n0.2\n")))
    assert read_losses("-").tolist() == [0.1, 0.2]


@pytest.mark.parametrize("kind", ["parquet", "ndjson", "ipc", "ipc_stream"])
def test_files_of_every_kind(kind: str) -> None:
    getattr(pl.DataFrame({"id": ["a", "b"], "Loss": [0.25, 1], "text": [" .5", "1e-3"]}), f"write_{kind}")("f")
    assert read_losses("f").tolist() == [0.25, 1]
    assert read_losses("f", "text").tolist() == [0.5, 1e-3]
    assert refusal("f", "id") == "f, row 1: a loss should be a number; found 'a'."
    getattr(pl.DataFrame({"0.5": [0, 1, None]}), f"write_{kind}")("f")  # names are no losses here, whatever they are
    assert refusal("f") == "f, row 3: a loss should be a number; found nothing."
    getattr(pl.DataFrame({"x": [0, 1]}), f"write_{kind}")("f")
    assert read_losses("f").tolist() == [0, 1]


def test_what_is_no_number_in_any_spelling_is_refused() -> None:
    pl.DataFrame({"loss": [date(2020, 1, 1)]}).write_parquet("f")
    assert refusal("f") == "f: 'loss' should hold losses; it holds values of type Date."
    pl.DataFrame({"loss": [0.5]}).clear().write_parquet("f")
    assert refusal("f") == "f has a header but no losses below it."


def test_the_name_of_a_text_file_says_that_it_is_one() -> None:
    assert read("{a,loss\n1,0.5\n") == [0.5]


# ---- What cannot: one line that says where and what to do

HOSTILE = {
    "empty": b"",
    "nothing but blanks": b"\n \r\n\t\n",
    "a BOM and nothing else": b"\xef\xbb\xbf",
    "header only": b"loss\n",
    "header only, two columns": b"loss,id\n",
    "a first line that is neither a loss nor called one": b"O.1\n0.2\n",
    "text below numbers": b"0.1\n0.2\nabc\n0.3\n",
    "text below a header": b"loss\n0.1\nn/a\n",
    "text in the chosen column": b"id,loss\n1,0.1\n2,oops\n",
    "a blank line between": b"loss\n0.1\n\n0.2\n",
    "an empty cell": b"id,loss\n1,0.1\n2,\n",
    "NaN": b"0.1\nnan\n",
    "NA": b"loss\n0.1\nNA\n",
    "a decimal comma in one column": b"loss\n0,1\n",
    "true and false": b"loss\ntrue\nfalse\n",
    "an underscore in a number": b"0.1\n1_000\n",
    "latin-1": "loss\n0.1\nH\u00f6he\n".encode("latin-1"),
    "UTF-16 without a mark": "loss\n0.1\n".encode("utf-16-le"),
    "a quote within a cell": b'loss,note\n0.1,5" disk\n',
    "latin-1 header": "H\u00f6he,loss\n1,0.1\n".encode("latin-1"),
    "more cells than columns": b"loss,b\n0.1,1\n0.2,2,3\n",
    "fewer cells than columns": b"id,loss\n1,0.1\n2\n",
    "several columns": b"a,b\n1,2\n",
    "several columns, no header": b"0.1,0.2\n0.3,0.4\n",
    "two columns called loss": b"loss,Loss\n1,2\n",
    "a quote that never ends": b'loss\n"0.1\n0.2\n',
    "a NUL": b"loss\n0.1\n\x00\n",
    "binary": bytes(range(256)),
    "a huge field": b"loss\n0.1\n" + b"9" * 10**6 + b"x\n",
    "a picture": b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01",
    "terminal codes": b"loss\n0.1\n\x1b[31mred\x1b[0m\n",
}


def refusal(name: str, column: str | None = None) -> str:
    with pytest.raises(HoldfastError) as caught:
        read_losses(name, column)
    message = str(caught.value)
    assert "\n" not in message
    assert "\x1b" not in message
    assert len(message) < 400
    return message


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_file_is_refused_in_one_line(case: str) -> None:
    Path("f.csv").write_bytes(HOSTILE[case])
    assert "f.csv" in refusal("f.csv")


def test_every_refusal_of_a_file_says_where() -> None:
    told = []
    for case, content in HOSTILE.items():
        Path("f.csv").write_bytes(content)
        told.append(f"{case}\n  {refusal('f.csv')}")
    matches("errors_of_files", "\n".join(told))


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("0.1\n0.2\nabc\n", 3),
        ("loss\n0.1\nabc\n", 3),
        ("loss\r\n0.1\r\nabc\r\n", 3),
        ("\ufeffloss\n0.1\nabc\n", 3),
        ("0.5\n" * 99_999 + "abc\n" + "0.5\n" * 1000, 100_000),
        ("loss\n0.1\n\nabc\n", 3),  # the blank line comes first
        ("\nloss\n0.1\nabc\n", 4),
        ("\n\nloss,b\n0.1,1\n0.2\n", 5),
    ],
    ids=["plain", "header", "CRLF", "BOM", "far down", "blank between", "blank before", "blank before a short row"],
)
def test_the_line_number_is_that_of_the_file(content: str, line: int) -> None:
    Path("f.csv").write_bytes(content.encode())
    assert f"f.csv, line {line}:" in refusal("f.csv")


def test_an_infinite_loss_is_refused_here_or_as_evidence() -> None:
    for word in ("inf", "-inf", "1e999", "Infinity"):
        with pytest.raises(HoldfastError):
            Losses(read(f"0.1\n{word}\n"))


def test_places_that_hold_no_file() -> None:
    Path("folder").mkdir()
    assert refusal("folder") == "Cannot read the losses from folder: Is a directory."
    assert refusal("missing.csv") == "Cannot read the losses from missing.csv: No such file or directory."
    assert "Cannot read the losses from" in refusal("missing/folder/f.csv")
    refusal("x" * 256)
    refusal("nul\0byte")


def test_an_unreadable_file(monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(self: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", denied)
    assert refusal("f.csv") == "Cannot read the losses from f.csv: Permission denied."


def test_an_unknown_column_is_answered_with_the_known_ones() -> None:
    Path("f.csv").write_text("id,loss\n1,2\n", encoding="utf-8")
    assert refusal("f.csv", "lost") == "There is no column named 'lost'; did you mean 'loss'?"
    assert refusal("f.csv", "weight") == "There is no column named 'weight'; choose from id, loss."
    Path("f.csv").write_text("0.1\n0.2\n", encoding="utf-8")
    assert "no header" in refusal("f.csv", "loss")


def test_a_column_that_stands_twice_is_not_chosen_at_random() -> None:
    Path("f.csv").write_text("loss,loss\n1,2\n", encoding="utf-8")
    assert "loss" in refusal("f.csv", "loss")


def test_standard_input_is_named_in_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"0.1\nabc\n")))
    assert refusal("-") == "standard input, line 2: a loss should be a number; found 'abc'."
