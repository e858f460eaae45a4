"""How probably is one model better by more than what matters? A Bayesian answer, which promises no coverage."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Self

import numpy as np

from holdfast.evidence import Array

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
