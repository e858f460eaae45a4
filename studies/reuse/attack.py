"""Guesses that happen to do well are put to the vote: how often the vote is called better than guessing, falsely.

Labels are tossed and guesses too, so that the errors of a guess are Bin(n, 1/2) and, given their number, any set of
rows of that size is as likely as any other. So a guess that is dropped need not be drawn row by row.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from scipy.stats import binom

import holdfast as hf
from holdfast.ledger.budget import Budget, Planned
from studies.pages import Page
from studies.reuse import pictures
from studies.runs import Run

ROWS = 2000
DELTA = 0.05
PROMOTIONS = 3  # three guesses pass, and make up the vote
LOOKS = (4, 5, 7, 10, 20, 50, 100, 200)
RUNS = 20_000
PUBLISHED_RUNS = 1000  # where every guess is drawn row by row
NAIVE, SHARED, LEDGER = "a 95 % interval each time", "δ / K each time", "the ledger"


def add(page: Page, run: Run) -> None:
    rows = run.kept("attack", lambda: played(run))
    page.section(
        "The attack",
        f"{ROWS:,} labels, K looks. With *{NAIVE}* scores are published: each of K - 1 guesses is turned so that it "
        "errs on less than half, all of them vote, and the last look asks whether the vote is better than guessing. "
        f"With *{SHARED}* and with *{LEDGER}* only proven or not proven is said. Whoever plays asks of each guess for "
        f"an error rate that it truly has, but so low that few pass; the first {PROMOTIONS} that do vote, and the last "
        f"gate asks for less than 1/2. The ledger was opened for K gates and {PROMOTIONS} promotions.",
    )
    page.picture("attack", pictures.attack(rows, DELTA), "How often a vote of guesses is called better than guessing")
    page.table(
        ("looks K", *(f"{way}: false, of so many" for way in (NAIVE, SHARED, LEDGER))),
        [(looks, *(_share(rows, looks, way) for way in (NAIVE, SHARED, LEDGER))) for looks in LOOKS],
    )
    naive, shared, ledger = ([row for row in rows if row["way"] == way] for way in (NAIVE, SHARED, LEDGER))
    page.say(
        f"At K = 100 an interval that does not know of earlier looks is wrong in {_at(100, naive)} of the attacks. "
        f"δ / K is wrong in {_at(100, shared)}: it is shared among the gates of one path, and after a promotion "
        "another path goes on. It holds if the first promotion is the last gate. The ledger is wrong in "
        f"{max(row['rate'] for row in ledger):.2%} at most, at every K, and promises {DELTA:.0%}."
    )


def played(run: Run) -> list[dict[str, Any]]:
    """Each way of counting looks, for each number of them: false claims, and between which rates theirs lies."""
    rows = []
    generator = np.random.default_rng(run.seed)
    for looks in run.steps("attack", LOOKS):
        runs = RUNS // 40 if run.fast else RUNS
        published = PUBLISHED_RUNS // 40 if run.fast else PUBLISHED_RUNS
        plan = Planned(looks, PROMOTIONS)
        found = [
            (NAIVE, sum(_published(looks, generator) for _ in range(published)), published),
            (SHARED, sum(_sealed(looks, generator) for _ in range(runs)), runs),
            (LEDGER, sum(_sealed(looks, generator, plan) for _ in range(runs)), runs),
        ]
        for way, false, of in found:
            limits = hf.bound(hf.Counts(false, of), confidence="0.999")
            rows.append(
                {
                    "looks": looks,
                    "way": way,
                    "false": false,
                    "runs": of,
                    "rate": false / of,
                    "lower": float(limits.lower),
                    "upper": float(limits.upper),
                }
            )
    return rows


def _published(looks: int, generator: np.random.Generator) -> bool:
    """Whether the vote of all guesses, each turned towards the better side, is called better than guessing."""
    errs = generator.integers(0, 2, (looks - 1, ROWS), dtype=np.int8)
    worse = errs.sum(axis=1, dtype=np.int64) > ROWS / 2
    votes = np.where(worse[:, None], 1 - errs, errs).sum(axis=0, dtype=np.int64)
    ties = generator.integers(0, 2, ROWS)
    wrong = np.where(2 * votes == looks - 1, ties, 2 * votes > looks - 1).sum()
    return int(wrong) <= _most_errors(DELTA)


def _sealed(looks: int, generator: np.random.Generator, plan: Planned | None = None) -> bool:
    """Whether the vote of the guesses that passed is called better than guessing by the last gate.

    Levels are those of the plan; without one, delta is shared among the gates alone.

    A gate passes with as many errors as whoever plays likes: at any level there is a rate, of 1/2 or more, that its
    limit reaches just then. So many are asked for that the promotions are likely to be used up when gates are.
    """
    budget = Budget(DELTA)
    passed: list[int] = []
    errors = generator.binomial(ROWS, 0.5, looks - 1)
    for gate, wrong in enumerate(errors):
        if len(passed) == PROMOTIONS:
            break
        proven = bool(wrong <= _quantile(PROMOTIONS - len(passed), looks - 1 - gate))
        if plan is not None:
            budget = budget.after(plan.level(budget), proven)
        if proven:
            passed.append(int(wrong))
    return _vote(passed, generator) <= _most_errors(DELTA / looks if plan is None else plan.level(budget))


def _vote(passed: list[int], generator: np.random.Generator) -> int:
    """Errors of the majority of three guesses with so many errors each; of fewer than three, of the best one."""
    if len(passed) < PROMOTIONS:
        return min(passed, default=ROWS // 2)
    first, second, third = passed
    both = generator.hypergeometric(first, ROWS - first, second)
    one = first + second - 2 * both
    _, decided, _ = generator.multivariate_hypergeometric([both, one, ROWS - both - one], third)
    return int(both + decided)


@cache
def _quantile(wanted: int, left: int) -> int:
    """The errors that so many of the guesses that are left stay below, on average."""
    return int(binom.ppf(wanted / left, ROWS, 0.5)) if wanted < left else ROWS


@cache
def _most_errors(level: float) -> int:
    """The most errors of which the exact upper limit is still below 1/2."""
    most = int(binom.ppf(level, ROWS, 0.5))
    return most if binom.cdf(most, ROWS, 0.5) <= level else most - 1


def _share(rows: list[dict[str, Any]], looks: int, way: str) -> str:
    (row,) = [row for row in rows if (row["looks"], row["way"]) == (looks, way)]
    return f"{row['rate']:.2%}, {row['runs']:,}"


def _at(looks: int, rows: list[dict[str, Any]]) -> str:
    (found,) = [row["rate"] for row in rows if row["looks"] == looks]
    return f"{found:.1%}"
