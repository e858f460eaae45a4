"""The ledger of a test set as a user has it: opened once, named at every look, shown and verified."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from holdfast.arguments import check
from holdfast.claims import chance_of_error
from holdfast.errors import HoldfastError, addressed
from holdfast.evidence import Counts, shown
from holdfast.ledger.account import ELSEWHERE, Account, Standing, account_of, told
from holdfast.ledger.book import Book
from holdfast.ledger.budget import Budget, ByHand, chosen_rule
from holdfast.ledger.chain import head_of
from holdfast.ledger.database import WAIT
from holdfast.ledger.rows import Key, changed, key_at, key_beside, overlap, read_key
from holdfast.predictions.coded import texts
from holdfast.report import Report, origin
from holdfast.report.facts.listing import LedgerFacts, LedgerState, LevelPoint
from holdfast.sources.labels import read_labels_of
from holdfast.verbs.bound import bound
from holdfast.wording import counted

Place = str | os.PathLike[str]


class Ledger:
    """What one test set was asked, what it answered, and what may still be claimed with it.

    Parameters
    ----------
    address
        A file, which SQLite keeps, or the address of a database, postgresql://...
    key
        The file of the key that the rows were hashed with; beside the labels it is called as their file and .key.
    truth_file
        The labels, where the key is found beside them.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> ids, truth = range(300), [1, 0] * 150
    >>> path, key = f"{folder.name}/tests.db", f"{folder.name}/labels.key"
    >>> ledger = Ledger.open(path, truth, ids=ids, key=key, gates=20, promotions=2)
    >>> from holdfast.verbs.gate.gate import gate
    >>> print(gate(truth, truth, ids=ids, at_most=0.05, ledger=ledger).answer)
    proven
    >>> print(gate(truth, [1] * 300, ids=ids, at_most=0.05, ledger=ledger).answer)
    not proven
    >>> ledger.account.budget.gates, ledger.account.budget.promotions
    (2, 1)
    >>> folder.cleanup()
    """

    def __init__(
        self,
        address: Place,
        *,
        key: Place | None = None,
        truth_file: Any = None,
        wait: float = WAIT,
        command: str | None = None,
    ) -> None:
        for name, given, kind in (("address", address, Place), ("key", key, Place | None), ("wait", wait, float)):
            check("hf.Ledger", name, given, kind)
        self.book = Book(address, wait)
        self.command = command  # by which it is used, where that is no call
        self.at_hand: Sequence[str] | None = None  # the ids of the rows that are looked at, where these have none
        self._key = key if key is not None else _beside(truth_file)

    @classmethod
    def open(
        cls,
        address: Place,
        truth: Any = None,
        *,
        ids: Any = None,
        truth_file: Any = None,
        id: str | None = None,  # noqa: A002 - the word for it, on the command line too
        separator: str | None = None,
        key: Place | None = None,
        gates: int | None = None,
        promotions: int | None = None,
        spend: float | None = None,
        confidence: float | str | None = None,
        delta: float | None = None,
        wait: float = WAIT,
    ) -> Self:
        """A new ledger: it commits to the rows, to what may go wrong and to how gates spend it.

        Parameters
        ----------
        truth, ids
            The labels, and what each row is known by; without ids it is known by its position.
        truth_file, id, separator
            Instead: a file or data frame of labels, in which `truth` and `id` name columns.
        key
            Where the key is kept, or will be; by default beside the file of the labels.
        gates, promotions
            How many gates are planned, and how many of them may be proven and followed by others.
        spend
            Instead: the share of what is left that every gate spends, without an end. With neither, each gate says.
        confidence, delta
            One of the two: delta is the chance that anything false is ever called proven.
        """
        for name, given, kind in (
            *(("address", address, Place), ("key", key, Place | None), ("wait", wait, float)),
            *(("id", id, str | None), ("separator", separator, str | None), ("spend", spend, float | None)),
            *(("gates", gates, int | None), ("promotions", promotions, int | None)),
        ):
            check("hf.Ledger.open", name, given, kind)
        level = chance_of_error(confidence, delta)
        if level.ndim:
            raise HoldfastError("A ledger is opened for one confidence.")
        rule = chosen_rule(gates, promotions, spend)
        place = key if key is not None else _beside(truth_file)
        if place is None:
            raise HoldfastError("Say by key= (--key) in which file the key is to be kept.")
        if truth_file is not None:
            names, labels = read_labels_of(truth_file, id, truth, separator)
        else:
            names, labels = _given(truth, ids)
        known = id is not None if truth_file is not None else ids is not None
        columns = (id, truth) if truth_file is not None else (None, None)
        terms, version = (float(level), rule), origin()["version"]
        Book.open(address, lambda: key_at(place), names, labels, *terms, version, columns, not known, wait)
        return cls(address, key=place, wait=wait)

    @cached_property
    def key(self) -> Key:
        if self._key is None:
            raise HoldfastError("Name the file of the key by key= (--key): it lies beside the labels.")
        key = read_key(self._key)
        self.book.check_key(key)
        return key

    @property
    def account(self) -> Account:
        """Where it stands."""
        return self.book.account()

    @property
    def head(self) -> str:
        """The hash of the last entry, to be pinned elsewhere."""
        return self.book.head

    def verify(
        self,
        head: str | None = None,
        *,
        truth_file: Any = None,
        id: str | None = None,  # noqa: A002 - the word for it, on the command line too
        truth: str | None = None,
        separator: str | None = None,
    ) -> list[str]:
        """The chain, the levels and, with the labels, the rows, recomputed: sentences on what holds.

        What is broken first is raised as an error.
        """
        from holdfast.ledger.chain import Broken

        account = self.book.verify(head)
        sentences = [
            f"The chain of {counted(len(self.book.links()), 'entry').replace('entrys', 'entries')} holds, and every "
            "level is what its rule says.",
            f"The rows kept are the {account.opened.rows:,} that the first entry commits to.",
        ]
        if head is not None:
            sentences.append(f"The head {head[:16]} is one of its entries.")
        if truth_file is None:
            return [
                *sentences,
                addressed("The labels were not looked at: give truth_file= (--truth-file), beside its key."),
            ]
        if self._key is None:
            self._key = _beside(truth_file)
        key = self.key
        opened = account.opened
        ids, labels = read_labels_of(truth_file, id or opened.id_column, truth or opened.truth_column, separator)
        rows, other = overlap(key, self.book.rows, ids), changed(key, self.book.rows, ids, labels)
        if other or not rows.exact:
            also = f", {counted(other, 'row')} with another label" if other else ""
            raise Broken(f"The labels are not those committed to: of {account.opened.rows:,} rows {rows}{also}.")
        return [*sentences, f"The labels are those committed to: all {rows.same:,} rows, each with its label."]

    def show(self, rate: float = 0.05) -> Report:
        """The looks, their answers, what is left, and what a rate would get as looks go on."""
        if isinstance(rate, bool) or not isinstance(rate, (int, float)) or not 0 <= rate <= 1:
            raise HoldfastError(f"rate= (--rate) is an error rate from 0 to 1; got {shown(rate)}.")
        links = self.book.links()
        account = account_of(links)
        opened, budget = account.opened, account.budget
        retired, policy = account.retired, opened.policy
        by_hand = isinstance(policy, ByHand)
        state = LedgerState(
            self.book.database.name,
            head_of(links),
            opened.time,
            opened.rows,
            opened.known_by,
            opened.delta,
            policy.words,
            budget.left,
            budget.gates,
            budget.promotions,
            account.open_looks,
            float(rate),
            None if retired or by_hand or account.pending else policy.level(budget),
            retired,
            None if account.first_open is None else told(account.first_open),
            None if account.pending is None else account.pending.number,
        )
        levels = tuple(_levels(account, float(rate)))
        return Report.of([], LedgerFacts(state, account.looks, levels, tuple(_notes(account))))

    def __str__(self) -> str:
        return str(self.show())

    def __repr__(self) -> str:
        budget = self.account.budget
        return f"<Ledger {self.book.database.name}: {budget.gates} gates, {budget.left:.4g} left>"

    @property
    def by_id(self) -> bool:
        """Whether it knows rows by their ids, and not by their position."""
        return self.book.opened.known_by == "id"

    def look(self, verb: str, ids: Sequence[str] | None, mark: str, command: str, gives: str) -> Standing:
        """Write down an open look at rows; they need not be all, and there may be others among them."""
        rows = None if ids is None else overlap(self.key, self.book.rows, ids)
        look = self.book.look(verb, command, mark, None if rows is None else rows.same, gives)
        return Standing.of(self.account, look, self.head, None if rows is None else str(rows))


def _beside(truth_file: Any) -> Path | None:
    return key_beside(truth_file) if isinstance(truth_file, (str, os.PathLike)) else None


def _given(truth: Any, ids: Any) -> tuple[list[str], list[str | None]]:
    """Labels and ids that are arrays."""
    from holdfast.predictions.arrays import read_labels

    if truth is None or isinstance(truth, str):
        raise HoldfastError("Give the labels, by truth= or by truth_file= (--truth-file).")
    labels = texts(read_labels("truth", truth).to_list())
    places = [str(place) for place in range(1, len(labels) + 1)]
    names: list[str | None] = [*places] if ids is None else texts(read_labels("ids", ids).to_list())
    if len(names) != len(labels):
        raise HoldfastError(f"There are {len(labels):,} labels and {len(names):,} ids; give one for each row.")
    if None in names:
        raise HoldfastError(f"{counted(names.count(None), 'row')} without an id; a ledger knows rows by them.")
    return [name for name in names if name is not None], labels


MOST_AHEAD = 200  # gates to come whose limits are told
OPEN_AHEAD = 20  # of them, where there is no end


def _levels(account: Account, rate: float) -> Iterator[LevelPoint]:
    """Every gate that was asked, and those to come if none of them is proven."""
    n = account.opened.rows
    gates = [look for look in account.looks if look.level is not None]
    rows = [(look.level, look.answer == "proven") for look in gates]
    gates_asked, budget, policy = len(rows), account.budget, account.opened.policy
    ahead = [] if isinstance(policy, ByHand) or account.pending else [*_ahead(account, budget)]
    for number, (level, proven) in enumerate([*rows, *((level, False) for level in ahead)], 1):
        assert level is not None  # it is a gate
        limit = bound(Counts(int(rate * n), n), "clopper-pearson", delta=level, side="upper").upper
        yield LevelPoint(number, level, float(limit), number <= gates_asked, proven)


def _ahead(account: Account, budget: Budget) -> Iterator[float]:
    policy = account.opened.policy
    most = MOST_AHEAD if hasattr(policy, "gates") else OPEN_AHEAD
    while most and policy.retired(budget) is None:
        level = policy.level(budget)
        yield level
        budget, most = budget.after(level, proven=False), most - 1


def _notes(account: Account) -> Iterator[str]:
    opened = account.opened
    yield (
        f"Not proven leaves what a gate did not spend, proven leaves what it did: over everything that could ever be "
        f"asked, the chances of a false 'proven' add up to {100 * opened.delta:g} % at most, whatever answers led to "
        "which question."
    )
    if account.first_open is not None:
        yield (
            f"There was an open look, {told(account.first_open)}: since then only gates are covered whose model, "
            "condition and decision to ask were settled without it, as whoever asked attests."
        )
    yield ELSEWHERE
