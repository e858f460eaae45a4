"""Two models over many data sets: Wilcoxon's signed ranks and the sign test, for many pairs at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Self

import numpy as np
from scipy.special import ndtr

from holdfast.catalog import procedure
from holdfast.claims import Guarantee, PValue, Source
from holdfast.comparisons.ranks import RANDOM, SMALLEST, average_ranks
from holdfast.evidence import Array
from holdfast.numerics.binomial import binomial_tail

MOST_EXACT = 100  # data sets up to which every pattern of signs is counted
PRATT = Source("pratt1959", "signed ranks with zeros")
SYMMETRIC = "on a random data set a difference is as likely to speak for one model as, equally large, for the other"
EVEN = "on a random data set each of the two models is as likely to be the better one"


def wilcoxon(differences: Array) -> PValue:
    """Wilcoxon's signed-rank test of each column of differences, two-sided: exact up to 100 data sets.

    Examples
    --------
    >>> found = wilcoxon(np.array([[-0.3], [-0.1], [-0.4], [-0.2], [0.0], [-0.5]]))
    >>> print(found.value, found.statistic)
    [0.0625] [0.]
    """
    return (wilcoxon_exact if len(differences) <= MOST_EXACT else wilcoxon_normal)(differences)


@procedure(guarantee=Guarantee.FINITE, source=PRATT, assumes=RANDOM)
def wilcoxon_exact(differences: Array) -> PValue:
    r"""Wilcoxon's signed-rank test of each column of differences, two-sided, by counting all patterns of signs.

    Notes
    -----
    The sizes of all differences are ranked, equal ones sharing their average rank, zeros included; then the zeros are
    left out, as Pratt has it: the sum of the ranks on either side is what is surprising, `statistic` the smaller one.
    (Leaving zeros out before ranking, as Wilcoxon did, can turn the verdict when every difference moves the same way.)

    Given the sizes, each sign is a toss of a coin under the null. With ties as they are, over the ranks r that are
    left, the chance of a sum s is the coefficient of :math:`x^s` in

    .. math:: \prod_r \frac{1 + x^{r}}{2}

    and the p-value is exact, twice the chance of a sum so small.

    Examples
    --------
    >>> wilcoxon_exact(np.array([[-0.3], [-0.1], [-0.4], [-0.2], [0.0], [-0.5]])).value
    array([0.0625])
    """
    ranks = _signed_ranks(differences)
    chance = _chance_of_sum(ranks.doubled, ranks.smaller)
    return wilcoxon_exact.p_value(_two_sided(ranks, chance), SYMMETRIC, ranks.smaller / 2)


@procedure(guarantee=Guarantee.ASYMPTOTIC, source=PRATT, assumes=RANDOM)
def wilcoxon_normal(differences: Array) -> PValue:
    r"""Wilcoxon's signed-rank test of each column of differences, two-sided, as if the sum of ranks were normal.

    Notes
    -----
    Ranks are those of the exact test, zeros as Pratt has them, and

    .. math:: z = (|W_+ - W_-| / 2 - 1/2) / \sqrt{\textstyle\sum r^2 / 4},

    so that p holds only as data sets grow. It is never below that of the rarest pattern of signs.

    Examples
    --------
    >>> wilcoxon_normal(np.array([[-0.3], [-0.1], [-0.4], [-0.2], [0.0], [-0.5]])).value.round(4)
    array([0.0625])
    """
    ranks = _signed_ranks(differences)
    chance = _normal_chance(ranks.doubled, ranks.gap)
    return wilcoxon_normal.p_value(_two_sided(ranks, chance), SYMMETRIC, ranks.smaller / 2)


@procedure(name="sign", guarantee=Guarantee.FINITE, source=Source("demsar2006", "3.1.4"), assumes=RANDOM)
def sign_test(differences: Array) -> PValue:
    r"""The sign test of each column of differences, two-sided and exact; where the models tie nothing is counted.

    Notes
    -----
    .. math:: \min\big(1,\ 2 P(X \le \min(w, l))\big), \qquad X \sim \mathrm{Bin}(w + l, 1/2)

    with w data sets on which the first model is better and l on which the second is.

    Examples
    --------
    >>> found = sign_test(np.array([[-0.3], [-0.1], [-0.4], [0.2], [0.0], [-0.5]]))
    >>> print(found.value, found.statistic)
    [0.375] [1]
    """
    below, above = np.sum(differences < 0, axis=0), np.sum(differences > 0, axis=0)
    fewer = np.minimum(below, above)
    value = np.minimum(2 * binomial_tail(fewer, below + above, 0.5), 1.0)
    value = np.where(below == above, 1.0, np.maximum(value, SMALLEST))
    return sign_test.p_value(value, EVEN, fewer)


class _SignedRanks(NamedTuple):
    """Of each pair of models, in whole numbers."""

    doubled: Array  # twice the ranks of the sizes of all differences, 0 for those that are none
    smaller: Array  # twice the sum of ranks on the side where that is smaller
    gap: Array  # twice |W+ - W-|


def _signed_ranks(differences: Array) -> _SignedRanks:
    ranks = average_ranks(np.abs(differences).T) * (differences != 0).T  # one row a pair; zeros weigh nothing
    doubled = np.rint(2 * ranks).astype(np.int64)
    below = np.sum(np.where(differences.T < 0, doubled, 0), axis=1)
    above = np.sum(doubled, axis=1) - below
    return _SignedRanks(doubled, np.minimum(below, above), np.abs(above - below))


def _two_sided(ranks: _SignedRanks, chance: Array) -> Array:
    # No pattern of m signs is rarer than one in 2**m, whatever a normal law says.
    least = np.maximum(np.ldexp(1.0, -np.count_nonzero(ranks.doubled, axis=1)), SMALLEST)
    return np.minimum(2 * np.maximum(chance, least), 1.0)


def _chance_of_sum(ranks: Array, most: Array) -> Array:
    """The chance that a random part of each row of whole numbers sums to `most` or less, each number a coin's toss."""
    rows, row_of = np.unique(np.sort(ranks, axis=1), axis=0, return_inverse=True)  # without ties all pairs share one
    row_of = row_of.reshape(-1)
    chances = np.empty(len(ranks))
    for number, row in enumerate(rows):  # a row fits the cache, all of them together would not
        here = row_of == number
        tosses = row[row > 0]
        ways = np.zeros(int(most[here].max()) + 1)  # of reaching each sum
        ways[0] = 1.0
        for rank in tosses[tosses < len(ways)].tolist():
            ways[rank:] += ways[:-rank]
        chances[here] = np.ldexp(np.cumsum(ways)[most[here]], -len(tosses))
    return np.minimum(chances, 1.0)


def _normal_chance(doubled: Array, gap: Array) -> Array:
    """The same for many numbers, by the normal law; `doubled` are twice the ranks and `gap` twice |W+ - W-|."""
    spread = np.sqrt(np.sum((doubled / 2.0) ** 2, axis=1) / 4)
    z = np.maximum(gap / 4 - 0.5, 0.0) / np.where(spread > 0, spread, 1.0)
    return np.asarray(ndtr(-z))


SAMPLES = 20_000
PRIOR = 0.5  # the weight of one imagined data set on which the models do not differ
ROUNDING = 1e-12  # of the largest difference: a difference is not above the rope by less
BLOCK = 2**16  # weights worked on at once: what stays in the cache


def signed_rank_probabilities(differences: Array, rope: float, samples: int = SAMPLES, seed: int = 0) -> Array:
    r"""Posterior probabilities that the first model is better, that neither is, and that the second is, by pair.

    Parameters
    ----------
    differences
        Losses of the first minus the second model, one column a pair.
    rope
        The region of practical equivalence: a difference of at most this is none.
    samples, seed
        Draws from the posterior; all pairs share them.

    Notes
    -----
    With weights :math:`w \sim \mathrm{Dirichlet}(1/2, 1, \dots, 1)` on a difference of 0 and the N that were seen

    .. math:: \theta_1 = \sum_{ij} w_i w_j [z_i + z_j < -2r], \quad
              \theta_= = \sum_{ij} w_i w_j [|z_i + z_j| \le 2r], \quad
              \theta_2 = \sum_{ij} w_i w_j [z_i + z_j > 2r]

    and each probability is the share of draws in which its theta is the largest (Benavoli et al. 2014, 2017). It is an
    estimate from draws, good to about :math:`1 / \sqrt{4 \cdot \mathrm{samples}}`.

    Examples
    --------
    >>> better, same, worse = signed_rank_probabilities(np.full((10, 1), -0.05), rope=0.01)[0]
    >>> print(better, same, worse)
    1.0 0.0 0.0
    """
    seen = np.vstack([np.zeros(differences.shape[1]), differences])  # the imagined data set first
    sides = [[_Above.of(z, rope), _Above.of(-z, rope)] for z in seen.T]
    counts = np.zeros((differences.shape[1], 3))
    for weights in _weights(len(seen), samples, seed):
        for pair, (above, below) in enumerate(sides):
            second, first = above.share(weights), below.share(weights)
            neither = 1 - (first + second)
            # Ties go to no difference; swapped models swap the other two, draw by draw.
            won, lost = (first > second) & (first > neither), (second > first) & (second > neither)
            counts[pair] += np.count_nonzero(won), np.count_nonzero(~(won | lost)), np.count_nonzero(lost)
    return counts / samples


def _weights(size: int, samples: int, seed: int) -> Iterator[Array]:
    """Draws of the weights, a column each, as many at once as fit."""
    generator = np.random.default_rng(seed)
    shape = np.ones(size)
    shape[0] = PRIOR
    step = max(BLOCK // size, 64)
    for start in range(0, samples, step):
        yield np.ascontiguousarray(generator.dirichlet(shape, min(step, samples - start)).T)


class _Above(NamedTuple):
    """The pairs of differences whose average is above the rope: in rising order each goes with so many of the last."""

    places: Array  # of the differences that go with any, rising
    partners: Array  # how many of the largest each goes with
    largest: Array  # places of the differences, falling, as far as they are partners

    @classmethod
    def of(cls, z: Array, rope: float) -> Self:
        order = np.argsort(z, kind="stable")
        halves = z[order] / 2
        least = rope + ROUNDING * np.abs(z).max()
        partners = len(z) - np.searchsorted(halves, least - halves, side="right")
        some = partners > 0
        return cls(order[some], partners[some], order[::-1][: partners.max(initial=0)])

    def share(self, weights: Array) -> Array:
        """For each draw, the weight of all these pairs, by running sums: the work grows like the data sets."""
        sums = np.cumsum(weights[self.largest], axis=0)
        return np.einsum("is,is->s", weights[self.places], sums[self.partners - 1])
