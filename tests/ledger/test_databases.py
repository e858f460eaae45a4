"""Both databases: gates at once, processes killed, connections lost; nothing is spent twice, and nothing lost."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from holdfast.errors import HoldfastError
from holdfast.ledger.account import NO_ANSWER, NOT_PROVEN
from holdfast.ledger.book import Book
from holdfast.ledger.budget import Planned
from holdfast.ledger.rows import key_at
from tests.ledger.asking import READY, asking, told
from tests.ledger.servers import fresh, postgres


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with postgres() as address:
        yield address


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.long)])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Of a ledger that nobody has opened."""
    if request.param == "sqlite":
        return str(tmp_path / "tests.db")
    return fresh(request.getfixturevalue("server"))


def opened(address: str, folder: Path, gates: int = 10_000) -> Book:
    return Book.open(address, lambda: key_at(folder / "key"), ["1", "2"], ["a", "b"], 0.05, Planned(gates, 3), wait=300)


def concurrent(address: str, folder: Path, processes: int, gates: int) -> None:
    """As many processes as that ask so often each: every gate is there once, and all levels follow from the rule."""
    book = opened(address, folder)
    running = [asking(address, gates, f"p{number}") for number in range(processes)]
    answers = [answer for _, here in running for answer in told(here) if answer != READY]
    for process, _ in running:
        process.join()
    assert [process.exitcode for process, _ in running] == [0] * processes
    account = book.verify()
    assert account.budget.gates == processes * gates
    assert sorted(entry for entry, _ in answers) == [look.entry for look in account.looks]
    assert {look.answer for look in account.looks} == {NOT_PROVEN}
    assert len({look.command for look in account.looks}) == processes * gates


def killed(address: str, folder: Path, kills: int, seed: int) -> tuple[int, int]:
    """Processes that are killed at any moment: the ledger verifies, and no answer was shown that is not in it."""
    book, chance, shown, gate = opened(address, folder), random.Random(seed), {}, 0.05
    for number in range(kills):
        process, here = asking(address, 1000, f"k{number}")
        assert here.recv() == READY
        for _ in range(chance.randrange(3)):
            asked = time.monotonic()
            shown |= dict([here.recv()])
            gate = time.monotonic() - asked  # however busy the machine is
        time.sleep(chance.uniform(0, gate))
        process.kill()
        shown |= dict(told(here))
        process.join()
    book.ask("last", ["c"], "", lambda level: False)
    account = book.verify()
    answers = {look.entry: look.answer for look in account.looks}
    assert all(answers[entry] == NOT_PROVEN for entry in shown)
    assert account.budget.gates == len(account.looks)
    died = sum(answer == NO_ANSWER for answer in answers.values())
    return len(shown), died


def test_a_ledger_is_kept_by_either_database(address: str, tmp_path: Path) -> None:
    book = opened(address, tmp_path)
    assert book.ask("c", ["x"], "", lambda level: True).proven
    book.look("assess", "c", "", 2, "all")
    assert [look.kind for look in Book(address).verify().looks] == ["sealed gate", "open look"]
    with pytest.raises(HoldfastError, match="already"):
        opened(address, tmp_path)


def test_two_gates_at_once_are_taken_one_after_another(address: str, tmp_path: Path) -> None:
    concurrent(address, tmp_path, processes=2, gates=3)


@pytest.mark.long
def test_eight_processes_ask_25_gates_each(address: str, tmp_path: Path) -> None:
    concurrent(address, tmp_path, processes=8, gates=25)


@pytest.mark.long
def test_a_hundred_kills_lose_nothing(address: str, tmp_path: Path) -> None:
    shown, died = killed(address, tmp_path, kills=100, seed=25)
    assert shown > 0
    assert died > 0  # or the kills came too late to show anything


@pytest.mark.long
def test_a_connection_that_is_lost_is_a_sentence_and_no_answer(tmp_path: Path) -> None:
    with postgres() as server:
        book = opened(server, tmp_path)

        def lost(level: float) -> bool:
            with book.database.engine.connect() as connection:
                connection.exec_driver_sql(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
                )
            return True

        # The lock is gone with its session; the answer is still written, for no other gate has come in between.
        answer = book.ask("c", ["x"], "", lost)
        assert book.verify().looks[-1].answer == "proven"
        assert answer.proven
    with pytest.raises(HoldfastError, match="Cannot use the ledger"):
        book.account()
    with pytest.raises(HoldfastError, match="Cannot use"):
        Book("postgresql://nobody@localhost:1/none", wait=2)
