"""What so much reuse costs: limits of one rate by the number of looks, and the labels that ease.ml/ci asks for."""

from __future__ import annotations

from math import ceil, exp, lgamma, log
from typing import NamedTuple

import holdfast as hf
from holdfast.ledger.budget import Budget, Planned
from studies.checks import number
from studies.pages import Page

STEPS = 32  # of ease.ml/ci's table
EPSILON = 0.01
ERRORS, ROWS, DELTA = 500, 10_000, 0.05


def add(page: Page) -> None:
    _limits(page)
    _sizes(page)


# ---- One rate, asked once and a hundred times


def _limits(page: Page) -> None:
    page.section(
        "What it costs",
        f"The upper limit of {ERRORS} errors in {ROWS:,}, at 95 % in all: used once, by the ledger at the first gate "
        "and at the one that has least to spend, by an equal part of δ for every history with so many promotions, and "
        "if every look had its own part of the labels.",
    )
    once = _limit(ERRORS, ROWS, DELTA)
    rows = []
    for gates in (10, 32, 100):
        for promotions in (0, 1, 3, 5):
            plan = Planned(gates, promotions)
            first, least = plan.level(Budget(DELTA)), plan.smallest(DELTA)
            counted = DELTA / sum(_choose(gates, j + 1) for j in range(promotions + 1))
            fresh = _limit(ERRORS // gates, ROWS // gates, DELTA / gates)
            rows.append(
                (
                    gates,
                    promotions,
                    *(f"{_limit(ERRORS, ROWS, d):.2%}" for d in (first, least, counted)),
                    f"{fresh:.1%}",
                )
            )
    page.table(("gates", "promotions", "first gate", "least", "equal parts", "fresh labels each"), rows)
    page.say(f"Used once the limit is {once:.2%}.")


def _limit(errors: int, n: int, delta: float) -> float:
    return float(hf.bound(hf.Counts(errors, n), delta=delta, side="upper").upper)


def _choose(n: int, k: int) -> float:
    return round(exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)))


# ---- ease.ml/ci


class Gate(NamedTuple):
    """A condition of ease.ml/ci's kind, and the labels that an exact test needs for it at one level."""

    words: str
    delta: float
    histories: float
    theirs: float
    exact: int


def _sizes(page: Page) -> None:
    page.section(
        "ease.ml/ci's sample sizes, recomputed",
        "From the formulas of its paper and code: Hoeffding's inequality at δ divided by the number of histories, H if "
        "answers are not released or the first pass ends it (none), 2^H if they are (full), H = 32; a difference of "
        "two accuracies gives half of ε and of δ to each.",
    )
    rows = []
    for delta in (0.01, 0.001, 0.0001):
        for epsilon in (0.1, 0.05, 0.025, 0.01):
            one = [hoeffding(epsilon, delta, histories) for histories in (STEPS, 2.0**STEPS)]
            two = [hoeffding(epsilon / 2, delta / 2, histories) for histories in (STEPS, 2.0**STEPS)]
            rows.append((f"{1 - delta:g}", epsilon, *(f"{size:,}" for size in (*one, *two))))
    header = ("1 - δ", "ε", "accuracy, none", "accuracy, full", "difference, none", "difference, full")
    page.table(header, rows)
    page.say(
        "And beside exact tests at the same levels. ε = 0.01 is read as: with a chance of 1 - δ it is proven, if the "
        "truth is better by 2 ε than what is asked for. The difference is of two models that differ on 10 % of the "
        "rows (Bennett's inequality, δ in four parts), of which the new one wins six in ten (McNemar's exact test, "
        "one-sided)."
    )
    page.table(
        ("gate", "δ", "answers", "ease.ml/ci", "exact", "ratio"),
        [
            (
                gate.words,
                f"{gate.delta:g}",
                _answers(gate),
                f"{gate.theirs:,}",
                f"{gate.exact:,}",
                f"{gate.theirs / gate.exact:.1f}",
            )
            for gate in gates()
        ],
    )
    adaptive = [bennett(0.0001, histories) / 1000 for histories in (STEPS, 2.0**STEPS)]
    labelled = 0.1 * bennett(0.0001, 1) / 1000
    how = "ln(4 H / δ) / (p h(ε/p)), p = 0.1, ε = 0.01, δ = 0.0001"
    page.check(
        number("4.1", "thousand samples for 32 steps, not adaptive", "29", adaptive[0], how, cut=True),
        number("4.1", "thousand samples for 32 steps, adaptive", "67", adaptive[1], how + ", with 2^H for H", cut=True),
        number(
            "abstract", "thousand labels a test", "2", labelled, "the same for one step, of which a tenth is labelled"
        ),
    )


def gates() -> list[Gate]:
    """Conditions on one accuracy, and on two models that differ on a tenth of the rows."""
    found = []
    for accuracy, histories in ((0.95, STEPS), (0.9, STEPS), (0.8, STEPS), (0.5, STEPS), (0.95, 2.0**STEPS)):
        rate = 1 - accuracy
        plan = hf.plan(at_most=rate, expect=round(rate - 2 * EPSILON, 9), power=0.99, delta=0.01 / histories)
        sizes = hoeffding(EPSILON, 0.01, histories), plan.n
        found.append(Gate(f"accuracy at least {accuracy:g}", 0.01, histories, *sizes))
    for histories in (STEPS, 2.0**STEPS):
        plan = hf.plan(wins=0.06, losses=0.04, power=1 - 0.0001, delta=2 * 0.0001 / histories)
        found.append(Gate("new better than old", 0.0001, histories, bennett(0.0001, histories), plan.n))
    return found


def hoeffding(epsilon: float, delta: float, histories: float) -> int:
    """Labels for one accuracy within epsilon, above it, at delta shared among so many histories.

    Examples
    --------
    >>> hoeffding(0.1, 0.01, 32), hoeffding(0.05, 0.005, 32)
    (404, 1753)
    """
    return ceil(log(histories / delta) / (2 * epsilon**2))


def bennett(delta: float, histories: float, differ: float = 0.1) -> int:
    """Labels for a difference within EPSILON of two models that differ on such a part of the rows.

    Examples
    --------
    >>> bennett(0.0001, 32)
    29048
    """
    u = EPSILON / differ
    return ceil(log(4 * histories / delta) / (differ * ((1 + u) * log(1 + u) - u)))


def _answers(gate: Gate) -> str:
    return "none" if gate.histories == STEPS else "full"
