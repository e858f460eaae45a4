"""Files of every kind, several at once, and places that hold none."""

from __future__ import annotations

import csv
import gzip
import io
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import narwhals.stable.v2 as nw
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.errors import HoldfastError
from holdfast.predictions import Predictions
from holdfast.sources import read
from holdfast.sources.formats import text
from tests.needs import require
from tests.snapshots import matches, messages

FRAME = pl.DataFrame({"truth": ["a", "b"], "predicted": ["b", "b"], "score": [0.25, 1.0]})
ROWS = [("a", "b", 0.25), ("b", "b", 1.0)]
CSV = "truth,predicted,score\na,b,0.25\nb,b,1\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # so that messages hold no path of this machine


def rows(source: Any, **asked: Any) -> list[tuple[Any, ...]]:
    predictions = read(source, **asked)
    return predictions.fetch(predictions.frame).rows()


def written(content: str | bytes, name: str = "f.csv") -> str:
    Path(name).parent.mkdir(exist_ok=True, parents=True)
    Path(name).write_bytes(content.encode() if isinstance(content, str) else content)
    return name


def as_bytes(write: Callable[[io.BytesIO], Any]) -> bytes:
    buffer = io.BytesIO()
    write(buffer)
    return buffer.getvalue()


KINDS = {
    "csv": CSV.encode(),
    "tsv": CSV.replace(",", "\t").encode(),
    "txt": CSV.replace(",", ";").encode(),
    "csv.gz": gzip.compress(CSV.encode()),
    "parquet": as_bytes(FRAME.write_parquet),
    "arrow": as_bytes(FRAME.write_ipc),
    "feather": as_bytes(FRAME.write_ipc_stream),
    "ndjson": as_bytes(FRAME.write_ndjson),
    "jsonl": as_bytes(FRAME.write_ndjson),
    "jsonl.gz": gzip.compress(as_bytes(FRAME.write_ndjson)),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_file(kind: str) -> None:
    predictions = read(written(KINDS[kind], f"f.{kind}"))
    assert predictions.columns == ("truth", "predicted", "score")
    assert predictions.source == f"f.{kind}"
    assert [str(dtype) for dtype in predictions.frame.collect_schema().values()] == ["String", "String", "Float64"]
    assert predictions.fetch(predictions.frame).rows() == ROWS
    assert rows(Path(f"f.{kind}")) == ROWS


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_through_standard_input_or_by_another_name(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(KINDS[kind])))
    assert rows("-") == ROWS
    assert rows(written(KINDS[kind], "data")) == ROWS


@pytest.mark.parametrize("kind", KINDS)
def test_several_files(kind: str) -> None:
    for i in range(3):
        written(KINDS[kind], f"runs/{i}.{kind}")
    assert rows(f"runs/*.{kind}") == 3 * ROWS
    assert rows("runs") == 3 * ROWS
    assert rows([f"runs/2.{kind}", Path(f"runs/0.{kind}")]) == 2 * ROWS
    assert rows((f"runs/[01].{kind}",)) == 2 * ROWS


def test_a_folder_as_spark_leaves_it() -> None:
    written(KINDS["parquet"], "out/part-0.parquet")
    written(KINDS["parquet"], "out/day=1/part-1.parquet")
    written(b"", "out/_SUCCESS")
    written(b"x", "out/.part-0.parquet.crc")
    written(b"x", "out/_temporary/0.parquet")
    written(b"not data", "out/README.md")
    assert rows("out") == 2 * ROWS


def test_a_name_may_look_like_a_pattern() -> None:
    assert rows(written(CSV, "f[1].csv")) == ROWS
    assert rows(written(CSV, "f*.csv")) == ROWS
    assert rows(written(KINDS["parquet"], "f[2].parquet")) == ROWS


def test_files_may_have_their_columns_in_any_order() -> None:
    written("truth,predicted\na,b\n", "1.csv")
    written("note;predicted;truth\nx;d;c\n", "2.csv")
    assert rows("*.csv") == [("a", "b"), ("c", "d")]
    FRAME.select("score", "predicted", "truth", pl.lit(1).alias("more")).write_parquet("b.parquet")
    FRAME.write_parquet("a.parquet")
    assert rows("*.parquet") == 2 * ROWS


def test_text_is_taken_as_it_stands() -> None:
    labels = ["007", "7", "1.0", "True", "NA", " x ", "<b>", "😀", "a,b", 'say ""hi""', "two\nlines"]
    content = "truth,predicted\n" + "".join(f'"{label}","{label}"\n' for label in labels)
    expected = [label.replace('""', '"') for label in labels]
    assert rows(written(content)) == [(label, label) for label in expected]


def test_an_empty_cell_is_missing_with_quotes_or_without() -> None:
    assert rows(written('truth,predicted,score\n,"",\n"",,""\n')) == 2 * [(None, None, None)]


def test_scores_in_text() -> None:
    content = "truth,predicted,score\n" + "".join(f"a,b,{score}\n" for score in (" .5 ", "1e-3", "inf", "-inf", "+2"))
    assert [row[2] for row in rows(written(content))] == [0.5, 1e-3, float("inf"), float("-inf"), 2.0]


def test_right_or_wrong_is_left_to_the_tally() -> None:
    assert rows(written("id,correct\n1,true\n2,\n3,0\n")) == [("true",), (None,), ("0",)]
    assert rows(written("passed\n1\n\n0\n")) == [("1",), (None,), ("0",)]


def test_a_field_that_first_appears_late() -> None:
    content = '{"truth":"a"}\n' * 5001 + '{"truth":"a","predicted":"b"}\n'
    assert rows(written(content, "f.jsonl"))[-1] == ("a", "b")


def test_a_label_that_first_appears_late() -> None:
    content = "truth,predicted\n" + "1,1\n" * 20_000 + "spam,1\n"
    assert rows(written(content))[-1] == ("spam", "1")


def test_a_hundred_thousand_labels() -> None:
    content = "truth,predicted\n" + "".join(f"label {i},label {i}\n" for i in range(10**5))
    predictions = read(written(content))
    assert predictions.fetch(predictions.frame.select(nw.col("truth").n_unique())).item() == 10**5


def test_a_header_of_ten_thousand_columns() -> None:
    names = [f"feature_{i}" for i in range(10**4)]
    names[5000], names[9999] = "truth", "predicted"
    content = ",".join(names) + "\n" + ",".join(str(i) for i in range(10**4)) + "\n"
    assert rows(written(content)) == [("5000", "9999")]


@pytest.mark.parametrize("kind", ["csv", "parquet", "arrow", "jsonl"])
def test_rows_are_not_read_before_they_are_asked_for(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("computed")

    written(KINDS[kind], f"f.{kind}")
    monkeypatch.setattr(pl.LazyFrame, "collect", never)
    assert read(f"f.{kind}").columns == ("truth", "predicted", "score")


def test_the_row_of_a_score_that_is_no_number() -> None:
    content = "truth,predicted,score\n" + '"a\nb",b,0.5\n' * 1000 + "a,b,oops\n" + "a,b,0.5\n" * 1000
    for source in (written(content), written(content.replace(",", "\t"), "f.tsv")):
        predictions = read(source)
        query = predictions.frame.select(nw.col("score").sum())
        with pytest.raises(HoldfastError, match=f"^{source}, row 1001: score should be a number; found 'oops'.$"):
            predictions.fetch(query)
    several = read(written("truth,predicted,score_a,score_b\na,b,1,0\na,b,1,x\n"))
    with pytest.raises(HoldfastError, match=r"^f.csv, row 2: score_1 should be a number; found 'x'.$"):
        several.fetch(several.frame)


# ---- What cannot be read


def refused() -> dict[str, Callable[[], object]]:
    written("truth,predicted\na,b\n", "mixed/a.csv")
    written(KINDS["parquet"], "mixed/b.parquet")
    Path("void").mkdir()
    written("notes", "void/README.md")
    written("truth,score\na,1\n", "unlike/a.csv")
    written("truth,predicted,score\na,b,1\n", "unlike/b.csv")
    written("truth,predicted\na,b\n", "unlike2/a.csv")
    written("x,y\na,b\n", "unlike2/b.csv")
    FRAME.write_parquet("types1.parquet")
    FRAME.with_columns(truth=pl.Series([1, 2])).write_parquet("types2.parquet")

    def fetched(source: Any, **asked: Any) -> Callable[[], object]:
        return lambda: rows(source, **asked)

    return {
        "a missing file": fetched("missing.csv"),
        "a missing folder": fetched("missing/f.csv"),
        "a missing file in a list": fetched([written(CSV), "missing.csv"]),
        "a pattern without a match": fetched("runs/*.parquet"),
        "an empty list": fetched([]),
        "a folder without data": fetched("void"),
        "a folder of several kinds": fetched("mixed"),
        "files with other columns": fetched("unlike"),
        "a file without the columns": fetched("unlike2"),
        "a NUL in the name": fetched("f\0.csv"),
        "a name too long": fetched("x" * 300 + ".csv"),
        "an empty name": fetched("nowhere/.."),
        "empty": fetched(written(b"", "empty.csv")),
        "header only": fetched(written("truth,predicted\n", "header.csv")),
        "no header": fetched(written("a,b\nb,b\n", "headless.csv")),
        "ragged": fetched(written("truth,predicted\na,b\na\n", "ragged.csv")),
        "shifted": fetched(written("n,truth,predicted\n1,a,b\n2,x,a,b\n", "shifted.csv")),
        "UTF-16 without a mark": fetched(written(CSV.encode("utf-16-le"), "wide.csv")),
        "a truncated gz": fetched(written(KINDS["csv.gz"][:-9], "cut.csv.gz")),
        "a truncated Parquet": fetched(written(KINDS["parquet"][:-9], "cut.parquet")),
        "no Parquet": fetched(written(CSV, "no.parquet")),
        "an empty Parquet": fetched(written(b"", "empty.parquet")),
        "a truncated Arrow": fetched(written(KINDS["arrow"][:-9], "cut.arrow")),
        "no Arrow": fetched(written(CSV, "no.feather")),
        "broken NDJSON": fetched(written('{"truth": "a", "predicted":\n', "broken.jsonl")),
        "an empty NDJSON": fetched(written("", "empty.jsonl")),
        "text that is called JSON": fetched(written(CSV, "text.json")),
        "a list in JSON": fetched(written('[{"truth": 1}]', "list.json")),
        "NDJSON of other columns": fetched(written('{"a": 1}\n', "other.jsonl")),
        "nested NDJSON": fetched(written('{"truth": {"x": 1}, "predicted": 1}\n', "nested.jsonl")),
        "columns of two types": fetched(["types1.parquet", "types2.parquet"]),
        "a separator too long": fetched(written(CSV), separator="::"),
        "a score of words": fetched(written("truth,predicted,score\na,b,high\n", "words.csv")),
        "a decimal comma": fetched(written("truth;predicted;score\na;b;0,5\n", "comma.csv")),
        "another way with missing": fetched(written(CSV), missing="skip"),
    }


def test_scores_that_only_some_files_have_are_left_out() -> None:
    written("truth,predicted\na,b\n", "some/a.csv")
    written("truth,predicted,score\na,b,1\n", "some/b.csv")
    rows = read("some")
    assert rows.columns == ("truth", "predicted")
    assert "some/b.csv has others than some/a.csv" in rows.notes[0]


def test_refusals_of_files() -> None:
    told = messages(refused())
    engine = re.compile(r"(Cannot read (?:cut\.\w+|\w+\.jsonl?|2 files): ).+")  # another version has other words
    matches("errors_of_reading", engine.sub(r"\1(polars says why)", told))
    for line in told.splitlines():
        assert len(line) <= 600


def test_permission_denied(monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(self: Path, *_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    written(CSV)
    monkeypatch.setattr(Path, "open", denied)
    with pytest.raises(HoldfastError, match=r"^Cannot read f.csv: Permission denied\.$"):
        read("f.csv")


def test_standard_input_that_is_closed_or_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(HoldfastError, match=r"^Standard input is closed; give the path of a file\.$"):
        read("-")
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"")))
    with pytest.raises(HoldfastError, match=r"^standard input is empty"):
        read("-")
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(KINDS["csv.gz"][:-9])))
    with pytest.raises(HoldfastError, match=r"^standard input is compressed and damaged"):
        read("-")


# ---- Whatever the bytes

cell = st.text(st.characters(exclude_categories=["Cs"]), max_size=4) | st.sampled_from(
    ['"', '""', ",", ";", "\t", "|", "\n", "\r\n", "\r", "", "<b>&amp;</b>", "😀", "a,b", "NA", "0.5", "#", "\x00"]
)


@pytest.mark.long
@settings(deadline=None, derandomize=True, max_examples=300)
@given(data=st.data(), width=st.integers(2, 4), block=st.sampled_from([1, 2, 5, 64, 2**20]))
def test_what_was_written_is_read_back(data: st.DataObject, width: int, block: int) -> None:
    names = data.draw(st.permutations(["truth", "predicted", "no\nte", "x"][:width]))
    table = data.draw(st.lists(st.lists(cell, min_size=width, max_size=width), min_size=1, max_size=8))
    separator = data.draw(st.sampled_from(",;\t|"))
    lone_returns = any("\r" in each for row in table for each in row)  # which the writer leaves without quotes
    buffer = io.StringIO(newline="")
    writer = csv.writer(
        buffer,
        delimiter=separator,
        lineterminator=data.draw(st.sampled_from(["\n", "\r\n"])),
        quoting=csv.QUOTE_ALL if lone_returns or data.draw(st.booleans()) else csv.QUOTE_MINIMAL,
    )
    writer.writerow(names)
    writer.writerows(table)
    content = buffer.getvalue()
    content = data.draw(st.sampled_from([content, content.removesuffix("\n").removesuffix("\r"), content + "\n\n"]))
    encoded = content.encode(data.draw(st.sampled_from(["utf-8", "utf-8-sig", "utf-16"])))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text, "BLOCK", block)
        found = rows(written(encoded), separator=separator)
    places = [names.index(name) for name in ("truth", "predicted")]
    assert found == [tuple(row[place] or None for place in places) for row in table]


def ours(source: str) -> Predictions | None:
    """What is read, or None where it is refused in our words; anything else fails."""
    try:
        predictions = read(source)
        predictions.fetch(predictions.frame)
    except HoldfastError as error:
        message = str(error)
        assert len(message) <= 600
        assert message.count("\n") < 6
        return None
    return predictions


@settings(deadline=None, derandomize=True, max_examples=300)
@given(
    content=st.binary(max_size=60)
    | st.text(alphabet='truth,predicted;\t\n\r"ab 1é\ufeff', max_size=60).map(str.encode),
    kind=st.sampled_from(["csv", "jsonl", "parquet", "dat"]),
)
def test_any_bytes_are_read_or_refused_in_our_words(content: bytes, kind: str) -> None:
    ours(written(content, f"f.{kind}"))
    ours(written(b"truth,predicted\n" + content, "f.csv"))
    ours(written(b'{"truth": 1, "predicted": 2}\n' + content, "f.jsonl"))


@settings(deadline=None, derandomize=True, max_examples=200)
@given(
    kind=st.sampled_from(["csv", "csv.gz", "parquet", "jsonl"]),
    changes=st.lists(
        st.tuples(st.integers(0, 10**4), st.binary(max_size=3), st.integers(0, 3)), min_size=1, max_size=3
    ),
)
def test_a_damaged_file_is_read_or_refused_in_our_words(kind: str, changes: list[tuple[int, bytes, int]]) -> None:
    content = KINDS[kind]
    for place, added, removed in changes:
        place %= len(content) + 1
        content = content[:place] + added + content[place + removed :]
    ours(written(content, f"f.{kind}"))


@pytest.mark.long
@pytest.mark.parametrize("way", ["path", "-"])
def test_a_small_file_that_unpacks_to_a_large_one_is_counted_in_blocks(way: str) -> None:
    require(Path("/proc/self/status").exists(), "the system does not tell the most memory of a process")
    with gzip.open("large.csv.gz", "wb") as stream:
        stream.write(b"truth,predicted\n")
        for _ in range(100):
            stream.write(b"a,a\nb,b\na,b\n" * 100_000)  # 120 MB in all, which took 1 GB as text in columns
    # What rusage calls the most memory of a process may be that of the one that started it.
    code = (
        "import re, sys; import holdfast as hf; report = hf.assess(hf.read(sys.argv[1]));"
        "print(report.claims[0].n, re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1])"
    )
    with Path("large.csv.gz").open("rb") as stream:
        done = subprocess.run(
            [sys.executable, "-c", code, "large.csv.gz" if way == "path" else "-"],
            stdin=stream,
            capture_output=True,
            text=True,
            check=True,
        )
    rows, memory = map(int, done.stdout.split())
    assert rows == 30_000_000
    assert memory * 1024 < 500e6
