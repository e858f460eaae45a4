"""Text files: what is a row, what is a cell, and what is wrong with a file."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from holdfast.errors import HoldfastError
from holdfast.sources import content
from holdfast.sources.formats import text
from holdfast.sources.formats.text import Text, examine
from tests.snapshots import matches, messages


def cells(found: Text) -> list[tuple[str | None, ...]]:
    return found.scan().collect().rows()


READ: dict[str, tuple[bytes, tuple[str, ...], list[tuple[str | None, ...]]]] = {
    "plain": (b"a,b\n1,2\n3,4\n", ("a", "b"), [("1", "2"), ("3", "4")]),
    "no last line break": (b"a,b\n1,2", ("a", "b"), [("1", "2")]),
    "CRLF": (b"a,b\r\n1,2\r\n", ("a", "b"), [("1", "2")]),
    "one row": (b"a\n1\n", ("a",), [("1",)]),
    "header only": (b"a,b\n", ("a", "b"), []),
    "header only, blank lines after": (b"a,b\n\n\n", ("a", "b"), []),
    "blank lines before": (b"\n\r\na,b\n1,2\n", ("a", "b"), [("1", "2")]),
    "blank lines after": (b"a,b\r\n1,2\r\n\r\n\n", ("a", "b"), [("1", "2")]),
    "blank lines in one column": (b"a\n1\n\n2\n\n", ("a",), [("1",), (None,), ("2",)]),
    "a blank first row in one column": (b"a\n\n1\n", ("a",), [(None,), ("1",)]),
    "empty cells": (b"a,b\n,\n1,\n,2\n", ("a", "b"), [(None, None), ("1", None), (None, "2")]),
    "quotes": (b'"a","b"\n"1","2"\n', ("a", "b"), [("1", "2")]),
    "quotes in quotes": (b'a,"b"""\n"""1""","2"\n', ("a", 'b"'), [('"1"', "2")]),
    "line breaks in quotes": (b'"a\nx",b\n"1\r\n2","3\n\n"\n', ("a\nx", "b"), [("1\r\n2", "3\n\n")]),
    "separators in quotes": (b'a,b\n"1,2","3;4"\n', ("a", "b"), [("1,2", "3;4")]),
    "a lone return in quotes": (b'a,b\n"1\r2",3\n', ("a", "b"), [("1\r2", "3")]),
    "BOM": (b"\xef\xbb\xbfa,b\n1,2\n", ("a", "b"), [("1", "2")]),
    "BOM and quotes": (b'\xef\xbb\xbf"a","b"\n1,2\n', ("a", "b"), [("1", "2")]),
    "UTF-16": ("a,b\né,😀\n".encode("utf-16"), ("a", "b"), [("é", "😀")]),
    "UTF-16, big-endian": (b"\xfe\xff" + "a,b\n1,2\n".encode("utf-16-be"), ("a", "b"), [("1", "2")]),
    "UTF-32": ("a,b\n1,2\n".encode("utf-32"), ("a", "b"), [("1", "2")]),
    "UTF-8": ("ä,b\né,😀\n".encode(), ("ä", "b"), [("é", "😀")]),
    "semicolons": (b"a;b\n1,5;2\n", ("a", "b"), [("1,5", "2")]),
    "tabs": (b"a\tb\n1,x\t2\n", ("a", "b"), [("1,x", "2")]),
    "bars": (b"a|b\n1|2\n", ("a", "b"), [("1", "2")]),
    "commas in one column of a table of tabs": (b"a, b\tc\n1\t2\n", ("a, b", "c"), [("1", "2")]),
    "a comma in the header only": (b'"a,b";c;d\n1;2;3\n', ("a,b", "c", "d"), [("1", "2", "3")]),
    "a name twice": (b"a,a\n1,2\n", ("a", "a"), [("1", "2")]),
    "no names": (b",\n1,2\n", ("", ""), [("1", "2")]),
    "numbers that look alike": (b"a,b\n007,7\n1.0,1\n", ("a", "b"), [("007", "7"), ("1.0", "1")]),
    "markup": (b"a,b\n<script>,&amp;\n", ("a", "b"), [("<script>", "&amp;")]),
    "a NUL": (b"a,b\n\x00,1\n", ("a", "b"), [("\x00", "1")]),
    "what looks like comments": (b"a,b\n#1,2\n", ("a", "b"), [("#1", "2")]),
}


@pytest.mark.parametrize("case", READ)
def test_what_can_be_read(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    given, header, rows = READ[case]
    separator = examine(given, "f.csv").separator  # which is found from the first block
    for size in (1, 3, 2**20):
        monkeypatch.setattr(text, "BLOCK", size)
        found = examine(given, "f.csv", separator)
        assert found.header == header, size
        assert found.rows == len(rows), size
        assert cells(found) == rows, size


@pytest.mark.parametrize("name", ["f.csv.gz", "f.csv"])
def test_compressed_whatever_its_name(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(gzip.compress(b"a,b\n1,2\n"))
    assert cells(examine(path, name)) == [("1", "2")]


def test_a_separator_that_is_given() -> None:
    assert examine(b"a#b,c\n1#2\n", "f", "#").header == ("a", "b,c")
    assert examine(b"a\tb,c\n1\t2\n", "f", "tab").header == ("a", "b,c")
    assert examine(b"a\tb,c\n1\t2\n", "f", "\\t").header == ("a", "b,c")
    assert examine(b"a,b\n", "f", ";").header == ("a,b",)


def test_a_file_of_many_blocks_and_wide_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "BLOCK", 1000)
    line = ",".join(map(str, range(300)))
    found = examine("\n".join([line] * 50).encode(), "f")
    assert (len(found.header), found.rows) == (300, 49)


BROKEN: dict[str, bytes] = {
    "empty": b"",
    "blank": b"\n\r\n\n",
    "BOM only": b"\xef\xbb\xbf",
    "a short row": b"a,b,c\n1,2,3\n4,5\n6,7,8\n",
    "a short last row": b"a,b\n1,2\n3",
    "a long row": b"a,b\n1,2\n3,4,5\n",
    "a separator too many": b"a,b\n1,2,\n",
    "a shifted row": b"id,text,truth,predicted\n1,hi,a,b\n2,hello, world,a,b\n",
    "a short row and a long one": b"a,b,c\n1,2\n1,2,3,4\n",
    "a blank line between": b"a,b\n1,2\n\n3,4\n",
    "blank lines between": b"a,b\r\n1,2\r\n\r\n\r\n3,4\r\n",
    "a blank line after the header": b"a,b\n\n1,2\n",
    "a quote that never closes": b'a,b\n1,2\n3,"4\n5,6\n',
    "a quote that never closes in the header": b'a,"b\n1,2\n',
    "a quote within a cell": b'a,b\n1,2\n5" disk,3\n',
    "two quotes within a cell": b'a,b\nsay "hi" now,3\n',
    "a word after a quote": b'a,b\n"1"x,2\n',
    "a space before a quote": b'a,b\n1, "2,3"\n',
    "a quote within the header": b'a"x",b\n1,2\n',
    "lone returns": b"a,b\r1,2\r3,4\r",
    "a lone return": b"a,b\n1,2\n3\rx,4\n",
    "latin-1": "a,b\n1,2\nHöhe,3\n".encode("latin-1"),
    "UTF-16 without a mark": "truth,predicted\n1,2\n".encode("utf-16-le"),
    "half of UTF-16": "a,b\n1,2\n".encode("utf-16")[:-1],
    "a picture": b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01",
    "zip": b"PK\x03\x04rest",
    "zstd": b"(\xb5/\xfdrest",
    "bzip2": b"BZh91AY",
    "xz": b"\xfd7zXZ\x00",
}


@pytest.mark.parametrize("size", [2**20, 5, 1])
def test_what_cannot_be_read_is_told_with_its_line(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "BLOCK", size)
    matches(
        "errors_of_text",
        messages({case: lambda given=given: examine(given, "f.csv") for case, given in BROKEN.items()}),
    )


@pytest.mark.parametrize("size", [1, 2, 3, 7, 2**20])
@pytest.mark.parametrize(
    ("given", "line"),
    [
        (b"a,b\n1,2\n3\n", 3),
        (b"\n\na,b\n1,2\n3\n", 5),
        (b'a,b\n"1\n\n",2\n3\n', 5),
        (b'a,b\n"1\n\n",2\n\n3,4\n', 5),
        (b'a,b\n"\n\nx"x,2\n', 4),
        (b'a,b\n"1\n2",3\n"4,5\n6,7\n', 4),
        (b"a,b\n" + b"1,2\n" * 1000 + b"3\n" + b"1,2\n" * 1000, 1002),
        (b'a,b\n"\n",\n1,\xff\n', 4),
    ],
)
def test_lines_are_those_of_the_file(given: bytes, line: int, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "BLOCK", size)
    with pytest.raises(HoldfastError, match=rf"line {line}\b"):
        examine(given, "f.csv")


def test_a_damaged_gz(tmp_path: Path) -> None:
    whole = gzip.compress(b"a,b\n" + b"1,2\n" * 10**5)
    for name, given in {"cut": whole[: len(whole) // 2], "no end": whole[:-4], "noise": whole[:30] + b"x" * 50}.items():
        path = tmp_path / name
        path.write_bytes(given)
        with pytest.raises(HoldfastError, match=r"^f.csv.gz is compressed and damaged or cut off"):
            examine(path, "f.csv.gz")


def test_separators_that_cannot_be() -> None:
    for separator in ("", ";;", "é", '"', "\n", "\r"):
        with pytest.raises(HoldfastError, match=r"^separator= should be one plain character"):
            examine(b"a,b\n1,2\n", "f", separator)


def test_a_foreign_encoding_is_decoded_only_where_it_is_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(content, "LARGEST_DECODED", 100)
    with pytest.raises(HoldfastError, match=r"^f is in UTF-16 and large; save it in UTF-8\.$"):
        examine(("a,b\n" + "1,2\n" * 100).encode("utf-16"), "f")


def test_a_record_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "BLOCK", 64)
    monkeypatch.setattr(text, "LONGEST_RECORD", 1000)
    with pytest.raises(HoldfastError, match="line 2 opens and never closes"):
        examine(b'a,b\n"1,2\n' + b"1,2\n" * 10**4, "f")
