"""Entries are chained, levels follow from the rules, and whatever was changed is found."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from holdfast.errors import HoldfastError
from holdfast.ledger import database
from holdfast.ledger.account import NO_ANSWER
from holdfast.ledger.book import Book, Spent
from holdfast.ledger.budget import ByHand, OpenEnd, Planned, Rule
from holdfast.ledger.chain import Answered, Broken, Link
from holdfast.ledger.rows import key_at, read_key

IDS, TRUTHS = ["1", "2", "3"], ["a", "b", "a"]


def opened(folder: Path, rule: Rule | None = None) -> Book:
    return Book.open(
        folder / "tests.db", lambda: key_at(folder / "key"), IDS, TRUTHS, 0.05, rule or Planned(4, 1), wait=5
    )


def asked(book: Book, proven: bool = False, **more: Any) -> bool:
    return book.ask("command", ["error-rate at most 0.1"], "f" * 64, lambda level: proven, **more).proven


def test_a_gate_spends_before_it_is_answered(tmp_path: Path) -> None:
    book = opened(tmp_path)
    seen: list[int] = []

    def decide(level: float) -> bool:
        seen.append(len(Book(tmp_path / "tests.db").links()))
        return True

    answer = book.ask("command", ["x"], "", decide)
    assert seen == [2]  # it was written down already
    assert answer.proven
    assert answer.account.budget.left == answer.look.level
    assert [link.number for link in book.links()] == [1, 2, 3]
    assert book.verify().budget == answer.account.budget


def test_more_gates_than_the_plan_has_are_refused_and_nothing_is_written(tmp_path: Path) -> None:
    book = opened(tmp_path, Planned(2, 0))
    asked(book)
    asked(book)
    before = book.head
    with pytest.raises(Spent, match="all of its 2 gates"):
        asked(book)
    assert book.head == before
    assert Spent.exit_code == 3


def test_what_dies_before_its_answer_has_spent_and_is_listed(tmp_path: Path) -> None:
    book = opened(tmp_path)

    def interrupted(level: float) -> bool:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        book.ask("command", ["x"], "", interrupted)
    left = book.account().budget.left
    asked(book)
    account = book.verify()
    assert account.looks[0].answer == NO_ANSWER
    assert account.looks[0].left is not None
    assert account.looks[0].left < left == 0.05
    assert account.budget.gates == 2


def test_an_answer_that_came_too_late_is_not_shown(tmp_path: Path) -> None:
    """Where a lock was lost, another gate has taken this one for dead."""
    book = opened(tmp_path)

    def overtaken(level: float) -> bool:
        asked(Book(tmp_path / "tests.db"))  # the same process may hold the lock again, as one without locks would
        return True

    with pytest.raises(HoldfastError, match="took this gate for dead"):
        book.ask("command", ["x"], "", overtaken)
    assert [look.answer for look in book.verify().looks] == [NO_ANSWER, "not proven"]


def test_by_hand_and_with_an_open_end(tmp_path: Path) -> None:
    book = opened(tmp_path, ByHand())
    with pytest.raises(HoldfastError, match="leaves it to each gate"):
        asked(book)
    for wrong in (0.0, -1.0, True, "much"):
        with pytest.raises(HoldfastError, match="above 0"):
            asked(book, spend=wrong)
    with pytest.raises(Spent, match=r"0\.05 is left"):
        asked(book, spend=0.06)
    assert not asked(book, spend=0.02)
    assert asked(book, True, spend=0.03)
    assert book.verify().budget.left == 0.03
    (tmp_path / "other").mkdir()
    endless = opened(tmp_path / "other", OpenEnd(0.1))
    with pytest.raises(HoldfastError, match="leave out spend_now"):
        asked(endless, spend=0.01)
    assert not asked(endless)
    assert endless.account().looks[0].level == 0.005


def test_after_an_open_look_a_gate_must_say_why_it_depends_on_none(tmp_path: Path) -> None:
    book = opened(tmp_path)
    book.look("assess", "command", "", 3, "everything")
    for reason in (None, ""):
        with pytest.raises(Spent, match="not covered"):
            asked(book, independent=reason)
    asked(book, independent="frozen in May")
    look = book.verify().looks[-1]
    assert (look.covered, look.independent) == (False, "frozen in May")


# ---- Whatever was changed is found


def change(book: Book, statement: str, *values: object) -> None:
    with sqlite3.connect(book.database.address) as connection:
        connection.execute(statement, values)
    connection.close()


def rewritten(book: Book, number: int, edit: Callable[[dict[str, Any]], None]) -> None:
    """A forger who can hash: the entry and all that follow are made anew."""
    links = book.links()
    last: Link | None = None
    for link in links:
        content = json.loads(link.content)
        if link.number == number:
            edit(content)
        text = json.dumps(content, sort_keys=True, separators=(",", ":"))
        previous = "0" * 64 if last is None else last.hash
        fresh = Link(link.number, previous, text, "")
        last = Link(link.number, previous, text, fresh.computed)
        change(
            book,
            "UPDATE holdfast_entries SET previous = ?, content = ?, hash = ? WHERE number = ?",
            *(last.previous, last.content, last.hash, last.number),
        )


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        (
            "UPDATE holdfast_entries SET content = replace(content, 'false', 'true') WHERE number = 3",
            "Entry 3 was changed",
        ),
        ("DELETE FROM holdfast_entries WHERE number = 3", "Entry 3 is missing"),
        ("DELETE FROM holdfast_entries WHERE number = 1", "Entry 1 is missing"),
        ("UPDATE holdfast_entries SET number = number + 10 WHERE number > 3", "Entry 4 is missing"),
        ("UPDATE holdfast_entries SET previous = 'x' WHERE number = 4", "Entry 4 does not follow"),
        ("DELETE FROM holdfast_rows WHERE place = (SELECT min(place) FROM holdfast_rows)", "rows"),
        ("UPDATE holdfast_rows SET row = place", "rows"),
    ],
)
def test_what_was_changed_dropped_or_moved_is_found(tmp_path: Path, statement: str, words: str) -> None:
    book = opened(tmp_path)
    asked(book)
    asked(book)
    change(book, statement)
    with pytest.raises(Broken, match=words):
        Book(tmp_path / "tests.db").verify()


def _level(content: dict[str, Any]) -> None:
    content["level"] /= 2


def _left(content: dict[str, Any]) -> None:
    content["left"] = 0.06


@pytest.mark.parametrize(("number", "edit", "words"), [(2, _level, "not what its policy"), (4, _left, "was left")])
def test_a_forger_who_can_hash_still_has_to_keep_the_rules(
    tmp_path: Path, number: int, edit: Callable[[dict[str, Any]], None], words: str
) -> None:
    book = opened(tmp_path)
    asked(book)
    asked(book)
    rewritten(book, number, edit)
    with pytest.raises(Broken, match=words):
        book.verify()


def test_a_head_that_was_pinned_finds_a_history_that_was_made_anew(tmp_path: Path) -> None:
    book = opened(tmp_path)
    asked(book)
    pinned = book.head
    book.verify(pinned)
    book.verify(pinned[:12].upper())
    asked(book)
    book.verify(pinned)  # an earlier entry is still there
    rewritten(book, 2, lambda content: content.update(command="another"))
    book.verify()  # by itself the forged chain holds
    with pytest.raises(Broken, match="No entry has the hash"):
        book.verify(pinned)
    for nonsense in ("12", "x" * 64, "a" * 65):
        with pytest.raises(HoldfastError, match="hash of 64 digits"):
            book.verify(nonsense)


def test_an_entry_is_a_link_of_its_place_and_words() -> None:
    first = Link.after(None, Answered(1, True))
    assert Link(2, first.previous, first.content, first.hash).computed != first.hash
    with pytest.raises(Broken, match="no entry of a ledger holds"):
        _ = Link(1, first.previous, '{"kind":"answer","gate":0}', "").entry


# ---- Bad input


def test_what_is_no_ledger_is_refused(tmp_path: Path) -> None:
    with pytest.raises(HoldfastError, match="There is no ledger"):
        Book(tmp_path / "nowhere.db")
    assert not (tmp_path / "nowhere.db").exists()
    text = tmp_path / "text.db"
    text.write_text("id,label\n" * 400, encoding="utf-8")
    with pytest.raises(HoldfastError, match="no ledger"):
        Book(text)
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE something (x)")
    connection.close()
    with pytest.raises(HoldfastError, match="something else"):
        Book(other)
    with pytest.raises(HoldfastError, match="something else"):
        Book.open(other, lambda: key_at(tmp_path / "k"), IDS, TRUTHS, 0.05, Planned(2, 0))
    empty = tmp_path / "empty.csv"
    empty.touch()
    with pytest.raises(HoldfastError, match="is an empty file, and no ledger"):
        Book.open(empty, lambda: key_at(tmp_path / "k"), IDS, TRUTHS, 0.05, Planned(2, 0))
    assert not empty.stat().st_size
    with pytest.raises(HoldfastError, match="SQLite"):
        Book("mysql://host/base")
    with pytest.raises(HoldfastError, match="Cannot use the ledger"):
        Book(tmp_path)


def test_a_newer_ledger_is_refused_and_an_older_one_brought_up_to_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = opened(tmp_path)

    def second(connection: Any) -> None:
        connection.exec_driver_sql("CREATE TABLE later (x INTEGER)")

    with monkeypatch.context() as patch:
        patch.setattr(database, "MIGRATIONS", (*database.MIGRATIONS, second))
        Book(tmp_path / "tests.db").verify()
        with sqlite3.connect(tmp_path / "tests.db") as connection:
            assert connection.execute("SELECT version FROM holdfast_version").fetchall() == [(2,)]
        connection.close()
    with pytest.raises(HoldfastError, match="version 2, and this Holdfast knows up to 1"):
        Book(tmp_path / "tests.db")
    change(book, "UPDATE holdfast_version SET version = 1")
    rewritten(book, 1, lambda content: content.update(version=2))
    with pytest.raises(Broken, match="version 2"):
        Book(tmp_path / "tests.db").account()


def test_a_ledger_is_opened_once_and_leaves_nothing_where_that_fails(tmp_path: Path) -> None:
    opened(tmp_path)
    with pytest.raises(HoldfastError, match="already"):
        opened(tmp_path)
    with pytest.raises(HoldfastError, match="id that came before"):
        Book.open(tmp_path / "b.db", lambda: key_at(tmp_path / "key"), ["1", "1"], ["a", "b"], 0.05, Planned(2, 0))
    with pytest.raises(HoldfastError, match="without a label"):
        Book.open(tmp_path / "b.db", lambda: key_at(tmp_path / "key"), ["1"], [None], 0.05, Planned(2, 0))
    with pytest.raises(HoldfastError, match="no rows"):
        Book.open(tmp_path / "b.db", lambda: key_at(tmp_path / "key"), [], [], 0.05, Planned(2, 0))
    with pytest.raises(HoldfastError, match="Cannot use"):
        Book.open(tmp_path / "no" / "b.db", lambda: key_at(tmp_path / "key"), IDS, TRUTHS, 0.05, Planned(2, 0))
    assert sorted(os.listdir(tmp_path)) == ["key", "tests.db"]


def test_a_disk_that_is_full_leaves_no_ledger_and_loses_no_entry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = opened(tmp_path)
    asked(book)
    before = book.links()
    original = database._opened

    def full(path: Path, wait: float) -> sqlite3.Connection:
        connection: sqlite3.Connection = original(path, wait)
        size = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {max(size, 1)}")
        return connection

    monkeypatch.setattr(database, "_opened", full)
    crowded = Book(tmp_path / "tests.db")
    with pytest.raises(HoldfastError, match="disk is full"):
        crowded.ask("x" * 100_000, ["c"], "", lambda level: True)
    with pytest.raises(HoldfastError, match="disk is full"):
        Book.open(tmp_path / "new.db", lambda: key_at(tmp_path / "key"), IDS, TRUTHS, 0.05, Planned(2, 0))
    monkeypatch.undo()
    assert Book(tmp_path / "tests.db").links() == before
    assert not (tmp_path / "new.db").exists()


@contextmanager
def no_rights(folder: Path) -> Iterator[None]:
    """As somebody who may not even look into the folder; root, whom nothing is forbidden, becomes nobody."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    folder.chmod(0)
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)
        folder.chmod(0o700)


@pytest.mark.skipif(os.name == "nt", reason="rights are kept otherwise there")
def test_without_rights_nothing_is_read_or_written(tmp_path: Path) -> None:
    book = opened(tmp_path)
    asked(book)
    before = book.links()
    with no_rights(tmp_path):
        for use in (lambda: Book(tmp_path / "tests.db").links(), lambda: asked(Book(tmp_path / "tests.db"))):
            with pytest.raises(HoldfastError, match=r"rights|Permission denied"):
                use()
        with pytest.raises(HoldfastError, match=r"rights|Permission denied"):
            Book.open(tmp_path / "new.db", lambda: key_at(tmp_path / "key"), IDS, TRUTHS, 0.05, Planned(2, 0))
        with pytest.raises(HoldfastError, match="Permission denied"):
            read_key(tmp_path / "key")
    assert Book(tmp_path / "tests.db").links() == before
    assert sorted(os.listdir(tmp_path)) == ["key", "tests.db"]


def test_a_key_is_for_its_owner_alone_and_is_never_replaced(tmp_path: Path) -> None:
    key = key_at(tmp_path / "key")
    assert os.stat(tmp_path / "key").st_mode & 0o777 == 0o600
    assert key_at(tmp_path / "key").secret == key.secret == read_key(tmp_path / "key").secret
    with pytest.raises(HoldfastError, match="no key"):
        read_key(tmp_path / "nowhere")
    for content in ("", "zz", "ab" * 16, "é"):
        (tmp_path / "wrong").write_text(content, encoding="utf-8")
        with pytest.raises(HoldfastError, match="no key of a ledger"):
            read_key(tmp_path / "wrong")
    (tmp_path / "other").mkdir()
    book = opened(tmp_path / "other")
    with pytest.raises(HoldfastError, match="not the key"):
        book.check_key(key)
