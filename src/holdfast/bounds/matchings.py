"""The area under the ROC curve by bets on all ways to match the two classes at once: no order enters.

A row is an example of the smaller class, a column one of the larger. In one matching every row has a column of its own,
and wins it (1), ties with it (1/2) or loses it (0). The rows are sorted so that whatever a row wins or ties with, the
rows after it win. For such boards the mean over all matchings of the sum of products over k rows has a recursion, row
by row (rook numbers of a Ferrers board, Goldman, Joichi and White 1975), and with ties one group of equal rows at a
time. All terms are positive, and what is kept, the mean product of k rows, lies in [0, 1]: nothing cancels.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy.special import gammaln

from holdfast.catalog import method
from holdfast.claims import Guarantee, Source
from holdfast.errors import UnfitMethod
from holdfast.evidence import Array, Integers, Scores
from holdfast.numerics.limit import Upper
from holdfast.numerics.roots import crossing
from holdfast.numerics.wealth.ratios import CAP, TUNED_FOR

LARGEST = 5_000  # examples of the smaller class, up to which it answers by default: in half a second for 10^6 others
MOST = 20_000  # up to which it answers at all
VARIANCES = 0.25 / 2.0 ** np.arange(8)  # what the bets are sized for
TIES = {0: 0.5, 1: 0.0, -1: 1.0}  # what equal scores are worth to the others, by what they are worth to the class
SMALLEST = 1e-12  # a limit below it is 0


def matchings_p_value(scores: Scores, null: Array, room: Array) -> Array:
    """One over the wealth won against an area of the null or more, at most 1, with bets sized for delta = 0.05."""
    bets = _Bets(scores, TUNED_FOR)
    return np.array([np.exp(-max(bets.log_wealth(float(each)), 0.0)) for each in np.ravel(room)]).reshape(room.shape)


@method(
    guarantee=Guarantee.FINITE,
    source=Source("goldman1975", "rook numbers of Ferrers boards"),
    p_value=matchings_p_value,
    nested=False,
)
def auc_matchings(scores: Scores, delta: Array) -> Upper:
    r"""Largest area that bets on every way to match the two classes, all at once, cannot refute.

    Notes
    -----
    Match the r examples of the smaller class with different ones of the other. The pairs are independent, and with
    h = 1 where the pair is ranked wrongly, 1/2 where the scores are equal, the product of :math:`1 + \lambda (h - m)`
    has a mean of at most 1 if the area is at least 1 - m. So has its mean over *all* matchings, and no order enters:

    .. math:: E(m) = \frac18 \sum_{j} \sum_{k=0}^{r} \binom{r}{k} T_k\, \lambda_j^k\, (1 - \lambda_j m)^{r-k},
              \qquad \lambda_j = \min\Bigl(\sqrt{\frac{2 \ln(1/\delta)}{r\,v_j}},\ \frac{0.98}{m}\Bigr),
              \quad v_j = 2^{-2-j},

    with :math:`T_k` the mean product of k pairs of a matching, by a recursion (`bounds/matchings.py`), and

    .. math:: U = 1 - \sup\{m : E(m) \ge 1/\delta\}

    by Markov's inequality. Every factor falls in m. The stakes depend on r, delta and m alone, never on the scores, and
    a tied pair is worth 1/2 in the product itself, not half a column. Averaging over the matchings removes what one of
    them adds by chance: the spread that is left is that of DeLong. About 1.5 times its width where `auc-bentkus` has
    1.6 to 2.6.

    The time grows as the square of r. It answers by default up to r = 5,000; beyond, `auc-bentkus` does, which by then
    is as narrow where the classes are of one size, and r alone decides.

    Examples
    --------
    >>> print(auc_matchings(Scores(np.arange(40), np.arange(40) >= 20)))
    1.000 [0.828, 1.000], auc-matchings, 95 %, holds at every sample size
    >>> print(auc_matchings(Scores(np.arange(40) * 7 % 40, np.arange(40) >= 20)))
    0.550 [0.276, 0.799], auc-matchings, 95 %, holds at every sample size
    """
    each = np.broadcast_to(delta, (len(scores.each), *np.shape(delta)))
    rooms = [
        np.array([_Bets(one, float(level)).largest_refuted() for level in np.ravel(levels)]).reshape(np.shape(delta))
        for one, levels in zip(scores.each, each, strict=True)
    ]
    room = rooms[0] if len(rooms) == 1 else np.stack(rooms)
    return Upper(1.0 - room, room)


class _Bets:
    """The wealth of bets that pairs are ranked wrongly, averaged over all matchings."""

    def __init__(self, scores: Scores, delta: float) -> None:
        _, own, others = scores.cells()
        ties = TIES[scores.lean]
        # The smaller class has the rows: one of the class is wrong below one of the others, and the other way round.
        fewer = others.sum() > own.sum()
        board = Board.of(own[::-1], others[::-1], ties) if fewer else Board.of(others, own, ties)
        if board.size > MOST:
            raise UnfitMethod(
                f"auc-matchings takes a time that grows as the square of the smaller class, here of {board.size:,} "
                f"examples; it answers for up to {MOST:,}. Choose auc-bentkus."
            )
        self.target, self.size = -np.log(delta), board.size
        means = mean_products(board)
        k = np.arange(float(means.size))
        self.mean = float(means[1]) if means.size > 1 else 0.0
        ways = gammaln(board.size + 1.0) - gammaln(k + 1.0) - gammaln(board.size - k + 1.0)
        self.logs = ways + np.log(means)  # what is not held adds nothing, where all terms are positive
        self.k, self.stakes = k, np.sqrt(2.0 * self.target / (max(board.size, 1) * VARIANCES))

    def log_wealth(self, m: float) -> float:
        stakes = np.minimum(self.stakes, CAP / m)[:, np.newaxis]
        terms = self.logs + self.k * np.log(stakes) + (self.size - self.k) * np.log1p(-stakes * m)
        largest = float(terms.max())
        return float(largest + np.log(np.exp(terms - largest).sum() / VARIANCES.size))

    def largest_refuted(self) -> float:
        """The largest chance of a wrong pair against which the wealth reaches 1/delta; 0 where there is none."""
        if self.mean < SMALLEST:
            return 0.0

        def excess(m: Array) -> Array:
            return np.array([self.log_wealth(m.item()) - self.target])

        root = crossing(excess, np.array([SMALLEST]), np.array([self.mean])).item()
        return root if root > SMALLEST else 0.0


LEAST = float(np.finfo(float).tiny)
AT_ONCE = 64  # rows whose factors are found in one go


class Board(NamedTuple):
    """Groups of rows that are equal, in their order: how many rows, how many columns they beat, how many they tie."""

    rows: Integers
    beaten: Integers
    tied: Integers
    columns: int

    @classmethod
    def of(cls, rows: Integers, columns: Integers, ties: float = 0.5) -> Board:
        """From how many of either class have each score, rising; `ties` are worth 1/2, or 1, or nothing."""
        below = np.cumsum(columns) - columns
        beaten = below + (columns if ties == 1.0 else 0)
        tied = columns if ties == 0.5 else np.zeros_like(columns)
        held = rows > 0
        return cls(rows[held], beaten[held], tied[held], int(columns.sum()))

    @property
    def size(self) -> int:
        return int(self.rows.sum())


def mean_products(board: Board) -> Array:
    """For each k the mean product of k rows, over all choices of the rows and over all matchings.

    It falls in k. What is too small for a float is left off, and with it all that follows.

    Examples
    --------
    >>> print(mean_products(Board.of(np.array([1, 1]), np.array([1, 1]))))  # rows 0, 1 against columns 0, 1
    [1.    0.5   0.125]
    """
    means, before = np.ones(1), 0
    logs = gammaln(np.arange(board.columns + board.size + 2.0) + 1.0)  # of factorials
    single = (board.rows == 1) | (board.tied == 0)  # rows that do not share the columns they tie with
    for start, stop in pairwise([0, *(np.flatnonzero(np.diff(single)) + 1).tolist(), single.size]):
        groups = [each[start:stop] for each in board[:3]]
        if single[start:stop].all():
            worth = np.repeat(groups[1] + groups[2] / 2, groups[0])
            for with_row in _row_by_row(means, before, worth, board.columns):
                means = with_row
            before += worth.size
            continue
        for rows, beaten, tied in zip(*(each.tolist() for each in groups), strict=True):
            means = _with_ties(means, before, rows, beaten, tied, board.columns, logs)
            before += rows
    return means


def _row_by_row(means: Array, before: int, worth: Array, columns: int) -> Iterator[Array]:
    """After each row more than those before, of which a product of k rows has it or has it not."""
    for start in range(0, worth.size, AT_ONCE):
        some = worth[start : start + AT_ONCE, np.newaxis]
        rows = before + start + 1.0 + np.arange(float(some.size))[:, np.newaxis]
        k = np.arange(float(means.size + some.size))
        free = np.maximum(some - k, 0.0) / np.maximum(columns - k, 1.0)  # what a column that is still free is worth
        for without, within in zip(1.0 - k / rows, (k + 1.0) / rows * free, strict=True):
            more = np.zeros(means.size + 1)
            np.multiply(without[: means.size], means, out=more[:-1])
            more[1:] += within[: means.size] * means
            means = _held(more)
            yield means


def _held(means: Array) -> Array:
    """Without what a float does not hold in full."""
    return means if means[-1] >= LEAST else means[: np.count_nonzero(means >= LEAST)]


def _with_ties(means: Array, before: int, rows: int, beaten: int, tied: int, columns: int, logs: Array) -> Array:
    r"""A group of equal rows: s of them have columns that they tie with, the others may have columns that they beat.

    Of k rows in all, s tied ones add

    .. math:: \binom{a}{s} \frac{(b)_s}{2^s} \frac{(k)_s}{(i)_s\, (N - k + s)_s}

    times what a - s rows without a tie leave of the other k - s, with a rows and b ties in the group, i rows so far and
    N columns.
    """
    every = before + rows
    more = np.zeros(min(means.size + rows, every + 1))
    by_row = _row_by_row(means, before, np.full(rows, float(beaten)), columns)
    for untied in range(rows + 1):
        s = rows - untied
        if s <= tied:
            first, stop = s, s + means.size
            constant = logs[rows] - logs[s] - logs[rows - s] + logs[tied] - logs[tied - s] - s * np.log(2.0)
            constant += logs[every - s] - logs[every]
            by_k = logs[first:stop] - logs[first - s : stop - s]
            by_k += logs[columns - np.arange(first, stop)] - logs[columns - np.arange(first, stop) + s]
            more[first:stop] += means * np.exp(constant + by_k)
        means = next(by_row, means)
    return _held(more)
