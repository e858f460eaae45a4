"""What a ledger says: its looks, what is left, and the limit that a stated rate would get as looks go on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from holdfast.errors import HoldfastError
from holdfast.evidence import Counts, shown
from holdfast.ledger.account import ELSEWHERE, Account, account_of, told
from holdfast.ledger.budget import Budget, ByHand
from holdfast.ledger.chain import head_of
from holdfast.report import Report
from holdfast.report.facts.ledger import LedgerFacts, LedgerState, LevelPoint
from holdfast.verbs.bound import bound

if TYPE_CHECKING:
    from holdfast.verbs.ledger.ledger import Ledger

MOST_AHEAD = 200  # gates to come whose limits are told
OPEN_AHEAD = 20  # of them, where there is no end


def shown_ledger(ledger: Ledger, rate: float = 0.05) -> Report:
    """The ledger as a report; nothing in it comes from a truth but the answers that it gave."""
    if isinstance(rate, bool) or not isinstance(rate, (int, float)) or not 0 <= rate <= 1:
        raise HoldfastError(f"rate= (--rate) is an error rate from 0 to 1; got {shown(rate)}.")
    links = ledger.book.links()
    account = account_of(links)
    opened, budget = account.opened, account.budget
    retired, policy = account.retired, opened.policy
    by_hand = isinstance(policy, ByHand)
    state = LedgerState(
        ledger.book.database.name,
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


def _levels(account: Account, rate: float) -> Iterator[LevelPoint]:
    """Every gate that was asked, and those to come if none of them is proven."""
    n = account.opened.rows
    gates = [look for look in account.looks if look.level is not None]
    rows = [(look.level, look.answer == "proven") for look in gates]
    asked, budget, policy = len(rows), account.budget, account.opened.policy
    ahead = [] if isinstance(policy, ByHand) or account.pending else [*_ahead(account, budget)]
    for number, (level, proven) in enumerate([*rows, *((level, False) for level in ahead)], 1):
        assert level is not None  # it is a gate
        limit = bound(Counts(int(rate * n), n), "clopper-pearson", delta=level, side="upper").upper
        yield LevelPoint(number, level, float(limit), number <= asked, proven)


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
