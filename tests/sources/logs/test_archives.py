"""Archives and JSON of strangers: an answer or one clear error, whatever they hold, and no memory to fill."""

from __future__ import annotations

import json
import tracemalloc
import zipfile
import zlib
from io import BytesIO
from pathlib import Path

import pytest

from holdfast import read
from holdfast.errors import HoldfastError
from holdfast.sources.logs import archives
from holdfast.sources.logs.archives import JsonStream
from tests.sources.logs.making import DATA, header, sample, write_archive, write_eval

REAL = DATA / "inspect" / "doubling-alpha.eval"
SAMPLES = [sample("a", match="C"), sample("b", match="I")]


@pytest.mark.parametrize("kept", [30, 1_000, 30_000, 59_000])
def test_an_archive_that_is_cut_off_is_said_to_be(tmp_path: Path, kept: int) -> None:
    path = tmp_path / "cut.eval"
    path.write_bytes(REAL.read_bytes()[:kept])
    with pytest.raises(HoldfastError, match="damaged"):
        read(path)


def test_a_byte_that_is_wrong_in_the_samples_is_told(tmp_path: Path) -> None:
    path = tmp_path / "flipped.eval"
    content = bytearray(REAL.read_bytes())
    with zipfile.ZipFile(BytesIO(bytes(content))) as archive:
        start = archive.getinfo("summaries.json").header_offset + 80
    content[start : start + 40] = bytes(40)
    path.write_bytes(content)
    with pytest.raises(HoldfastError, match="damaged"):
        read(path)


@pytest.mark.parametrize("text", ["", "{", "[1, 2", '[{"id": 1}', "null", "[[[]]]", "[" * 100_000, '"text"', "[1 2]"])
def test_wrong_json_is_told_in_a_sentence(tmp_path: Path, text: str) -> None:
    held = {"header.json": json.dumps(header(SAMPLES)), "summaries.json": text}
    with pytest.raises(HoldfastError, match=r"damaged|should hold"):
        read(write_archive(tmp_path / "odd.eval", held))


def test_what_is_no_log_but_called_one_is_refused(tmp_path: Path) -> None:
    path = write_archive(tmp_path / "other.eval", {"word/document.xml": "<xml/>"})
    with pytest.raises(HoldfastError, match="is no log file, though its name says so"):
        read(path)


@pytest.mark.long
def test_a_member_that_unpacks_to_far_more_than_it_weighs_fills_no_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, "LARGEST_LIST", 2**20)  # of 4 GiB
    path = write_archive(
        tmp_path / "bomb.eval",
        {"header.json": json.dumps(header(SAMPLES)), "summaries.json": b"[" + b" " * 2**23 + b"]"},
    )
    assert path.stat().st_size < 2**14
    tracemalloc.start()
    with pytest.raises(HoldfastError, match=r"unpacks to more than 1,048,576 bytes"):
        read(path)
    with (  # and where nothing declares how much it is
        zipfile.ZipFile(path) as archive,
        archive.open("summaries.json") as stream,
        pytest.raises(HoldfastError, match=r"bomb unpacks to more than 1,048,576 bytes"),
    ):
        list(JsonStream(stream, "bomb").items())
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 2**23


def test_a_member_of_ten_gigabytes_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    packer = zlib.compressobj(wbits=-15)
    blanks = packer.compress(b" " * 2**20) + packer.flush(zlib.Z_FULL_FLUSH)  # after which it may be repeated
    path = tmp_path / "bomb.eval"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("header.json", json.dumps(header(SAMPLES)))
        archive.writestr("summaries.json", blanks * 10_240)
        bomb = archive.getinfo("summaries.json")
        bomb.compress_type, bomb.file_size = zipfile.ZIP_DEFLATED, 10 * 2**30
    assert path.stat().st_size < 2**24
    tracemalloc.start()
    with pytest.raises(HoldfastError, match=r"unpacks to more than 4,294,967,296 bytes"):
        read(path)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 2**24


def test_a_value_that_does_not_end_fills_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "LARGEST_VALUE", 2**21)
    with pytest.raises(HoldfastError, match="longer than 2,097,152 characters"):
        JsonStream(BytesIO(b'"' + b"x" * 2**24), "run.json").value()


def test_values_over_the_borders_of_blocks_are_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "BLOCK", 3)
    given = [{"id": 12345, "text": "é" * 7, "score": float("inf")}, 1234567, "x", [], {}]
    content = json.dumps(given, ensure_ascii=False).encode()
    assert [*JsonStream(BytesIO(content), "run.json").items()] == given
    assert [*JsonStream(BytesIO(b"12345\n 678"), "run.json").records()] == [12345, 678]


def test_zstandard_without_what_reads_it_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "_reader", lambda: zipfile)
    if hasattr(zipfile, "ZIP_ZSTANDARD"):
        pytest.skip("this Python reads Zstandard by itself")
    with pytest.raises(HoldfastError, match=r"Zstandard.*pip install 'holdfast\[logs\]'"):
        read(REAL)


def test_an_archive_comes_in_through_a_pipe_too(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = write_eval(tmp_path / "a.eval", SAMPLES)
    monkeypatch.setattr("holdfast.sources.opening.standard_input", path.read_bytes)
    assert len(read("-").runs[0].ids) == 2
