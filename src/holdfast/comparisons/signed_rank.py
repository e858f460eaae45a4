"""Two models over many data sets: Wilcoxon's signed ranks and the sign test, for many pairs at once."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtr

from holdfast.claims import Assumption, Guarantee, PValue, Source
from holdfast.comparisons.ranks import SMALLEST, average_ranks
from holdfast.evidence import Array
from holdfast.numerics.binomial import binomial_tail

MOST_EXACT = 100  # data sets up to which every pattern of signs is counted
SYMMETRIC = "on a random data set a difference is as likely to speak for one model as, equally large, for the other"
EVEN = "on a random data set each of the two models is as likely to be the better one"


def wilcoxon(differences: Array) -> PValue:
    r"""Wilcoxon's signed-rank test of each column of differences, two-sided.

    Notes
    -----
    The sizes of all differences are ranked, equal ones sharing their average rank, zeros included; then the zeros are
    left out, as Pratt has it: the sum of the ranks on either side is what is surprising, `statistic` the smaller one.
    (Leaving zeros out before ranking, as Wilcoxon did, can turn the verdict when every difference moves the same way.)

    Given the sizes, each sign is a toss of a coin under the null. Up to 100 data sets all patterns of signs are
    counted, with ties as they are: over the ranks r that are left, the chance of a sum s is the coefficient of
    :math:`x^s` in

    .. math:: \prod_r \frac{1 + x^{r}}{2}

    and the p-value is exact, twice the chance of a sum so small. Beyond, the sum is taken for normal,
    :math:`z = (|W_+ - W_-| / 2 - 1/2) / \sqrt{\sum r^2 / 4}`, and p holds only as data sets grow.

    Examples
    --------
    >>> found = wilcoxon(np.array([[-0.3], [-0.1], [-0.4], [-0.2], [0.0], [-0.5]]))
    >>> print(found.value, found.statistic)
    [0.0625] [0.]
    """
    n = len(differences)
    ranks = average_ranks(np.abs(differences).T) * (differences != 0).T  # one row a pair; zeros weigh nothing
    doubled = np.rint(2 * ranks).astype(np.int64)
    below = np.sum(np.where(differences.T < 0, doubled, 0), axis=1)
    above = np.sum(doubled, axis=1) - below
    smaller = np.minimum(below, above)
    exact = n <= MOST_EXACT
    chance = _chance_of_sum(doubled, smaller) if exact else _normal_chance(doubled, np.abs(above - below))
    # No pattern of m signs is rarer than one in 2**m, whatever a normal law says.
    least = np.maximum(np.ldexp(1.0, -np.count_nonzero(doubled, axis=1)), SMALLEST)
    value = np.minimum(2 * np.maximum(chance, least), 1.0)
    return PValue(
        "wilcoxon-exact" if exact else "wilcoxon-normal",
        value,
        SYMMETRIC,
        Guarantee.FINITE if exact else Guarantee.ASYMPTOTIC,
        Source("pratt1959", "signed ranks with zeros"),
        smaller / 2,
        (Assumption.RANDOM_DATASETS,),
    )


def sign_test(differences: Array) -> PValue:
    """The sign test of each column of differences, two-sided and exact; where the models tie nothing is counted.

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
    source = Source("demsar2006", "3.1.4")
    return PValue("sign", value, EVEN, Guarantee.FINITE, source, fewer, (Assumption.RANDOM_DATASETS,))


def _chance_of_sum(ranks: Array, most: Array) -> Array:
    """The chance that a random part of each row of whole numbers sums to `most` or less, each number a coin's toss."""
    rows, row_of = np.unique(np.sort(ranks, axis=1), axis=0, return_inverse=True)  # without ties all pairs share one
    row_of = row_of.reshape(-1)
    found = np.empty(len(ranks))
    for number, row in enumerate(rows):  # a row fits the cache, all of them together would not
        here = row_of == number
        tosses = row[row > 0]
        ways = np.zeros(int(most[here].max()) + 1)  # of reaching each sum
        ways[0] = 1.0
        for rank in tosses[tosses < len(ways)].tolist():
            ways[rank:] += ways[:-rank]
        found[here] = np.ldexp(np.cumsum(ways)[most[here]], -len(tosses))
    return np.minimum(found, 1.0)


def _normal_chance(doubled: Array, gap: Array) -> Array:
    """The same for many numbers, by the normal law; `doubled` are twice the ranks and `gap` twice |W+ - W-|."""
    spread = np.sqrt(np.sum((doubled / 2.0) ** 2, axis=1) / 4)
    z = np.maximum(gap / 4 - 0.5, 0.0) / np.where(spread > 0, spread, 1.0)
    return np.asarray(ndtr(-z))
