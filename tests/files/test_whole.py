"""Files appear whole or not at all, where the path leads, with the rights that they had."""

from __future__ import annotations

import os
import resource
import socket
import stat
import subprocess
import sys
from pathlib import Path
from threading import Thread

import pytest

from holdfast.errors import HoldfastError
from holdfast.files import append_to, write_whole, written
from tests.needs import device


def test_a_new_file(tmp_path: Path) -> None:
    write_whole(tmp_path / "a.txt", b"new")
    assert (tmp_path / "a.txt").read_bytes() == b"new"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_an_old_file_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"old and longer")
    write_whole(str(tmp_path / "a.txt"), b"new")
    assert (tmp_path / "a.txt").read_bytes() == b"new"


def test_a_bare_name_is_written_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_whole("a.txt", b"new")
    assert os.listdir(tmp_path) == ["a.txt"]


def test_the_file_has_the_rights_any_new_file_has(tmp_path: Path) -> None:
    (tmp_path / "usual").write_bytes(b"")
    write_whole(tmp_path / "ours", b"")
    usual, ours = ((tmp_path / name).stat().st_mode for name in ("usual", "ours"))
    assert stat.S_IMODE(ours) == stat.S_IMODE(usual)


@pytest.mark.parametrize("failing", ["os.replace", "os.fchmod", "os.open"])
def test_a_failure_leaves_the_old_file_and_no_litter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    (tmp_path / "a.txt").write_bytes(b"old")

    def broken(*arguments: object, **options: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(failing, broken)
        with pytest.raises(HoldfastError, match=r"Cannot write .*a\.txt: No space left on device\."):
            write_whole(tmp_path / "a.txt", b"new")
    assert (tmp_path / "a.txt").read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_an_interruption_leaves_no_litter_either(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("os.replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_whole(tmp_path / "a.txt", b"new")
    assert os.listdir(tmp_path) == []


def test_places_that_take_no_file(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for place in ("missing/a.txt", "folder", "x" * 300, "nul\0byte"):
        with pytest.raises(HoldfastError, match="Cannot write"):
            write_whole(tmp_path / place, b"new")
    assert os.listdir(tmp_path) == ["folder"]


def test_a_name_as_long_as_the_file_system_takes(tmp_path: Path) -> None:
    name = "x" * 250 + ".html"
    (tmp_path / name).write_bytes(b"old")  # the file system does take it
    write_whole(tmp_path / name, b"new")
    assert (tmp_path / name).read_bytes() == b"new"


# ---- Where the path leads


def test_a_link_stays_and_what_it_leads_to_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "a.txt").write_bytes(b"old")
    (tmp_path / "link").symlink_to("again")
    (tmp_path / "again").symlink_to(tmp_path / "there" / "a.txt")
    (tmp_path / "dangling").symlink_to("there/b.txt")
    for name in ("link", "dangling"):
        write_whole(tmp_path / name, b"new")
        assert (tmp_path / name).is_symlink()
    assert [path.read_bytes() for path in sorted((tmp_path / "there").iterdir())] == [b"new", b"new"]
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(HoldfastError, match=r"Cannot write .*loop: Too many levels"):
        write_whole(tmp_path / "loop", b"new")


def test_a_named_pipe_is_written_into(tmp_path: Path) -> None:
    pipe, taken = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = Thread(target=lambda: taken.append(pipe.read_bytes()))
    reader.start()
    write_whole(pipe, b"new" * 100_000)
    reader.join()
    assert taken == [b"new" * 100_000]
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert os.listdir(tmp_path) == ["pipe"]


def test_a_socket_is_written_into(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # the path of a socket is short
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket")
        listening.listen()
        write_whole("socket", b"new")
        with listening.accept()[0] as connection:
            assert connection.recv(100) == b"new"
    assert os.listdir() == ["socket"]


def test_devices_are_written_into(tmp_path: Path) -> None:
    """Nodes of our own: what fails here would take those of the machine away."""
    null, full = device(tmp_path / "null", 3), device(tmp_path / "full", 7)
    write_whole(null, b"new")
    with pytest.raises(HoldfastError, match=r"Cannot write .*full: No space left on device"):
        write_whole(full, b"new")
    assert all(stat.S_ISCHR(path.lstat().st_mode) for path in (null, full))
    assert sorted(os.listdir(tmp_path)) == ["full", "null"]


@pytest.mark.parametrize("place", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link"])
def test_a_stream_that_is_open_goes_on_where_it_is(tmp_path: Path, place: str) -> None:
    """Also where it is a file: to replace that would part it from whoever has opened it."""
    (tmp_path / "link").symlink_to("/dev/stdout")
    code = f"from holdfast.files import write_whole; print('before'); write_whole({place!r}, b'new\\n'); print('after')"
    with (tmp_path / "out").open("wb") as out:
        subprocess.run([sys.executable, "-c", code], stdout=out, cwd=tmp_path, check=True)
    assert (tmp_path / "out").read_text(encoding="utf-8") == "before\nnew\nafter\n"
    assert sorted(os.listdir(tmp_path)) == ["link", "out"]


# ---- Its rights


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o666, 0o755])
def test_an_old_file_keeps_its_rights(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"old")
    path.chmod(mode)
    with written(path) as file:
        (beside,) = tmp_path.glob(".holdfast-*")
        assert not stat.S_IMODE(beside.stat().st_mode) & ~mode  # on the way nobody else reads it either
        file.write(b"new")
    assert (stat.S_IMODE(path.stat().st_mode), path.read_bytes()) == (mode, b"new")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_an_old_file_keeps_its_owner(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"old")
    os.chown(path, 1234, 5678)
    path.chmod(0o640)
    write_whole(path, b"new")
    known = path.stat()
    assert (known.st_uid, known.st_gid, stat.S_IMODE(known.st_mode)) == (1234, 5678, 0o640)


def test_a_file_that_must_not_be_written_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"old")
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write anything
    with pytest.raises(HoldfastError, match=r"Cannot write .*: Permission denied"):
        write_whole(path, b"new")
    assert path.read_bytes() == b"old"


# ---- Full disks


def test_a_disk_that_fills_up_on_the_way_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"old")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, before[1]))
    try:
        for durable in (False, True):
            with pytest.raises(HoldfastError, match=r"^Cannot write .*a\.txt: File too large\.$"):
                write_whole(path, b"new" * 100_000, durable=durable)
        with pytest.raises(HoldfastError, match=r"^Cannot write the list to .*a\.txt: File too large\.$"):
            append_to(path, b"new" * 100_000, "the list")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a.txt"]
    append_to(path, b" and new")
    assert path.read_bytes() == b"old and new"


def test_no_name_reaches_a_terminal_raw(tmp_path: Path) -> None:
    with pytest.raises(HoldfastError) as refused:
        write_whole(f"{tmp_path}/no\x1b[31m\n/a.txt", b"new")
    assert str(refused.value).isprintable()
