"""What the printed digits of Examples 22.13 and 22.14 leave possible: rates of 150 points are whole numbers of points.

Fractions throughout, so that nothing here hangs on rounding but the rounding of the book.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np

from studies.checks import Check, number, statement
from studies.zaki_ensembles.printed import ALPHAS, BAGGED, BEST_K, COMBINED, EPSILONS, WORST_K, N

BAGGING, BOOSTING = "Example 22.13", "Example 22.14"
SUBSCRIPTS = "₁₂₃₄"


def rounds_to(value: Fraction, printed: str) -> bool:
    """Whether it may have been printed so; what lies half-way counts for both sides."""
    low, high = _limits(printed)
    return low <= value <= high


@cache
def _limits(printed: str) -> tuple[Fraction, Fraction]:
    half = Fraction(Decimal(1).scaleb(int(Decimal(printed).as_tuple().exponent))) / 2
    return Fraction(printed) - half, Fraction(printed) + half


def points(printed: str, n: int = N) -> list[int]:
    """The numbers of points whose rate is printed so.

    Examples
    --------
    >>> points("0.047"), points("0.305")
    ([7], [])
    """
    return [count for count in range(n + 1) if rounds_to(Fraction(count, n), printed)]


def vote(error: Fraction | float) -> float:
    """The weight of a classifier in the combined one: ln((1 - e) / e)."""
    return float(np.log(float((1 - error) / error)))


# Example 22.13


@dataclass(frozen=True)
class Row:
    """One row of the table: how many points are wrong, and how many tied if ties explain what the columns differ by."""

    models: int
    wrong: int
    ties: int

    def errors(self, of_a_tie: float) -> float:
        return self.wrong + of_a_tie * self.ties


def rows() -> list[Row]:
    """A wrong sign costs (±2)² = 4, a sum of zero (±1 - 0)² = 1: what is left of the squared loss are ties."""
    found = []
    for models, zero_one, squared in BAGGED:
        (wrong,), (costs,) = points(zero_one), points_of_cost(squared)
        found.append(Row(models, wrong, costs - 4 * wrong))
    return found


def points_of_cost(printed: str) -> list[int]:
    """The whole sums of squares over 150 points whose mean is printed so."""
    return [total for total in range(4 * N + 1) if rounds_to(Fraction(total, N), printed)]


def consistent(zero_one: str, squared: str) -> list[str]:
    """The ways with ties under which both losses can be so: as one class or the other, or as wrong in both columns."""
    ways = {"a tie is given to a class": (Fraction(0), 0), "a tie is no class, and wrong": (Fraction(1), 1)}
    found = []
    for way, (in_zero_one, in_squared) in ways.items():
        most = N if in_squared else 0
        pairs = ((wrong, ties) for wrong in range(20) for ties in range(min(most, 20) + 1))
        fits = (
            rounds_to((wrong + in_zero_one * ties) / Fraction(N), zero_one)
            and rounds_to(Fraction(4 * wrong + in_squared * ties, N), squared)
            for wrong, ties in pairs
        )
        found += [way] if any(fits) else []
    return found


def bagging_checks() -> list[Check]:
    checks = [_table_row(row, zero_one, squared) for row, (_, zero_one, squared) in zip(rows(), BAGGED, strict=True)]
    table = rows()
    worst = {max(table, key=lambda row: row.errors(tie)).models for tie in (0.0, 0.5, 1.0)}
    as_squares = min(table, key=lambda row: row.errors(0.25)).models
    as_errors = min(table, key=lambda row: row.errors(1.0)).models
    return [
        *checks,
        statement(
            BAGGING,
            f"the worst training performance is obtained for K = {WORST_K}",
            worst == {WORST_K},
            "most errors in the table, whether a tie counts for nothing, a half or one",
        ),
        statement(
            BAGGING,
            f"the best for K = {BEST_K}",
            as_squares == as_errors == BEST_K,
            "both losses as section 22.3 defines them, with sign(0) = 0, which is neither class",
            right=f"K = {as_squares} by the squared loss, K = {as_errors} by the zero-one loss",
            why="The zero-one column counts ties as right",
        ),
    ]


def _table_row(row: Row, zero_one: str, squared: str) -> Check:
    loss, least = Fraction(row.wrong, N), Fraction(4 * row.wrong, N)
    other = f"{float(loss + Fraction(row.ties, N)):.3f} with {squared}"
    return statement(
        BAGGING,
        f"K = {row.models}: zero-one loss {zero_one}, squared loss {squared}",
        bool(consistent(zero_one, squared)),
        f"{row.wrong} of {N} wrong; a wrong sign costs 2² = 4, so that the squared loss is 4 × the zero-one loss",
        right=f"{zero_one} with {float(least):.3f}, or, if a tie errs, {other}",
        why=f"K is even: sums of zero ({row.ties}), counted as right in one column and as (±1 - 0)² = 1 in the other",
    )


# Example 22.14


@dataclass(frozen=True)
class Second:
    """A second round: it errs on so many points that the first got right, and on so many that the first got wrong."""

    first: int  # errors of h1
    fresh: int
    again: int

    @property
    def error(self) -> Fraction:
        """After round 1 the wrong points weigh one half together, and the right ones the other half."""
        return Fraction(self.fresh, 2 * (N - self.first)) + Fraction(self.again, 2 * self.first)

    @property
    def alone(self) -> int:
        """Points that h2 gets wrong, without weights."""
        return self.fresh + self.again


@cache
def seconds() -> list[Second]:
    """All second rounds whose error may be printed as it is."""
    (first,) = points(EPSILONS[0])
    every = (Second(first, fresh, again) for fresh in range(N - first + 1) for again in range(first + 1))
    return [each for each in every if rounds_to(each.error, EPSILONS[1])]


def thirds() -> Iterator[tuple[Second, Fraction]]:
    """All third rounds with the printed error of h3 and of the vote of three, where any two outvote the third."""
    (voted,) = points(COMBINED[2])
    for second in seconds():
        e1, e2 = Fraction(second.first, N), second.error
        weigh = {
            (wrong1, wrong2): Fraction(1, N) / (2 * (e1 if wrong1 else 1 - e1)) / (2 * (e2 if wrong2 else 1 - e2))
            for wrong1, wrong2 in product((False, True), repeat=2)
        }
        both = second.again  # on these the vote of three is lost already
        for fresh, again in product(range(second.fresh + 1), range(second.first - both + 1)):
            if both + fresh + again != voted:
                continue
            for third, all_three in product(range(N - second.first - second.fresh + 1), range(both + 1)):
                error = (
                    third * weigh[False, False]
                    + fresh * weigh[False, True]
                    + again * weigh[True, False]
                    + all_three * weigh[True, True]
                )
                if rounds_to(error, EPSILONS[2]):
                    yield second, error


def boosting_checks(best_line: int | None) -> list[Check]:
    """`best_line` is the least number of points that a straight line gets wrong, where the points are there to tell."""
    (first,) = points(EPSILONS[0])
    possible, later = seconds(), list(thirds())
    second_votes = sorted({vote(each.error) for each in possible})
    third_votes = sorted({vote(error) for _, error in later})
    low, high = (vote(float(EPSILONS[2]) + shift) for shift in (0.0005, -0.0005))
    of_second = sorted({second.error for second in possible})
    weights = [float(each) for each in ALPHAS]
    follows_first = _follows(0, weights[:2])
    outvoted = all(2 * weights[place] < sum(weights[:3]) for place in range(3))
    checks = [
        _alpha(0, vote(Fraction(first, N)), f"ln((1 - ε)/ε) with ε = {first}/{N}"),
        _alpha(
            1,
            min(second_votes, key=lambda value: abs(value - float(ALPHAS[1]))),
            f"with ε₁ = {first}/{N} the only ε₂ that rounds to {EPSILONS[1]} is "
            + ", ".join(str(each) for each in of_second),
            "A real ε₂ of 0.3045 would give both digits, but no number of points does",
        ),
        statement(
            BOOSTING,
            f"α₃ = {ALPHAS[2]} at ε₃ = {EPSILONS[2]}",
            low <= float(ALPHAS[2]) <= high,
            f"the digits of ε₃ leave {low:.4f} to {high:.4f}",
        ),
        _alpha(3, vote(float(EPSILONS[3])), f"ln((1 - ε)/ε) with ε = {EPSILONS[3]}"),
        statement(
            BOOSTING,
            "the ε_t are “their error rates on the training set”",
            all(points(each) for each in EPSILONS),
            f"of {N} points no whole number gives {', '.join(each for each in EPSILONS if not points(each))}",
            right="weighted error rates, of which only the first is a plain one",
            why="The weights of Algorithm 22.5 are all alike in its first round only",
        ),
        statement(
            BOOSTING,
            "training errors of M¹ to M⁴: " + ", ".join(COMBINED),
            all(points(each) for each in COMBINED),
            f"as rates of {N} points: {', '.join(str(points(each)[0]) for each in COMBINED)}",
        ),
        number(
            BOOSTING,
            "training error of M¹, which is h₁ alone",
            COMBINED[0],
            first / N,
            "ε₁: the weights are all alike then",
        ),
        number(
            BOOSTING,
            "training error of M²",
            COMBINED[1],
            first / N if follows_first else float("nan"),
            "α₁ > α₂: for all four pairs of answers sign(α₁M₁ + α₂M₂) = M₁, so that M² errs where h₁ does",
            _added_lines(best_line),
        ),
        statement(
            BOOSTING,
            f"ε₁ to ε₃, and {COMBINED[2]} for M³",
            bool(later) and outvoted,
            "all sets of points on which three classifiers can err, counted through: possible only if h₂ by itself is "
            f"wrong on {', '.join(sorted({str(second.alone) for second, _ in later}))} points",
        ),
        statement(
            BOOSTING,
            f"the same with α₃ = {ALPHAS[2]}",
            any(abs(each - float(ALPHAS[2])) <= 0.0005 for each in third_votes),
            f"the {len(third_votes)} values of ε₃ that are possible give α₃ from {third_votes[0]:.4f} to "
            f"{third_votes[-1]:.4f}, and none rounds to it",
            right=f"the nearest is {min(third_votes, key=lambda value: abs(value - float(ALPHAS[2]))):.4f}",
            why="The tables may come from several runs",
        ),
    ]
    return checks if best_line is None else [*checks, _weak(best_line)]


def _weak(best_line: int) -> Check:
    (third,) = points(COMBINED[2])
    return statement(
        BOOSTING,
        "no individual linear hyperplane can discriminate between the classes very well",
        best_line > third,
        f"the best of all lines gets {best_line} of {N} wrong ({best_line / N:.3f}), exactly; "
        f"M³ is said to get {third} wrong",
    )


def _added_lines(best_line: int | None) -> str:
    """How the error of M² may have come about, if it is what the best of all lines does."""
    if best_line is None or best_line not in points(COMBINED[1]):
        return ""
    return (
        f"{best_line} errors is the least that any straight line makes here, and h₁ and h₂ added up before the sign "
        "is taken give a straight line"
    )


def _alpha(place: int, found: float, how: str, why: str = "") -> Check:
    return number(BOOSTING, f"α{SUBSCRIPTS[place]} at ε = {EPSILONS[place]}", ALPHAS[place], found, how, why)


def _follows(leader: int, weights: list[float]) -> bool:
    """Whether the weighted sum has the sign of one classifier's answer, whatever the others say."""
    answers = np.array([*product((-1, 1), repeat=len(weights))])
    return bool((np.sign(answers @ weights) == answers[:, leader]).all())
