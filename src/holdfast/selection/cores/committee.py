r"""What may be said of the vote of several classifiers where it cannot be tested by itself.

With labels that the weights have not seen the vote is one classifier: count its errors. The inequalities here serve
where weights saw the labels, or where only limits of the members' errors and unlabelled inputs are there. With z the
weight of the members that are wrong on an example, the vote can only be wrong where z is at least one half.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holdfast.bounds.bounded import maurer_pontil
from holdfast.bounds.panel import pac_bayes
from holdfast.bounds.squares import LARGEST, squares
from holdfast.catalog import AnyProcedure, procedure
from holdfast.claims import Assumption, Claim, Guarantee, Side, Source
from holdfast.errors import InvalidEvidence
from holdfast.evidence import Array, Integers, Losses
from holdfast.evidence.pools.averages import shares
from holdfast.evidence.pools.pool import Gibbs
from holdfast.numerics.voting import votes

VOTE = "vote-error-rate"
# Who gives the limits of the members' average error: of these labels, drawn in whatever way, of weights that saw them,
# of unlabelled inputs.
MEANS = (
    *("squares", "maurer-pontil", "pac-bayes", "strata-bets", "cluster-sums"),
    *("hypergeometric", "hypergeometric-levels", "squares-pool", "hoeffding-difference"),
)


def _votes(
    predicted: NDArray[np.integer], labels: int, weights: ArrayLike | None
) -> Iterator[tuple[Integers, Array | Integers]]:
    return votes(predicted, labels, None if weights is None else shares(weights, len(predicted)))


def vote(predicted: NDArray[np.integer], labels: int, weights: ArrayLike | None = None) -> NDArray[np.intp]:
    """What the models say together, on each input: the label with most weight, and of several the first.

    Examples
    --------
    >>> vote(np.array([[0, 1, 2], [1, 1, 0], [2, 0, 0]]), labels=3)
    array([0, 1, 0])
    >>> vote(np.array([[0, 1, 2], [1, 1, 0], [2, 0, 0]]), labels=3, weights=[1, 1, 3])
    array([2, 0, 0])
    """
    chosen = [
        np.take_along_axis(names, np.argmax(_ahead(weight), axis=1)[:, np.newaxis], axis=1)[:, 0]
        for names, weight in _votes(predicted, labels, weights)
    ]
    return np.concatenate(chosen) if chosen else np.zeros(0, np.intp)


def tied_votes(predicted: NDArray[np.integer], labels: int, weights: ArrayLike | None = None) -> int:
    """On how many inputs several labels have most weight.

    Examples
    --------
    >>> tied_votes(np.array([[0, 1, 2], [1, 1, 0], [2, 0, 0]]), labels=3)
    1
    """
    each = (_ahead(weight).sum(axis=1) for _, weight in _votes(predicted, labels, weights))
    return sum(int(np.count_nonzero(ahead > 1)) for ahead in each)


def _ahead(weight: Array | Integers) -> NDArray[np.bool_]:
    """Which labels have most weight. Sums in another order may differ in their last digits: that breaks no tie."""
    return np.asarray(weight >= weight.max(axis=1, keepdims=True) * (1 - 1e-12))


@procedure(
    guarantee=Guarantee.FINITE, source=Source("lacasse2006", "twice the risk of the Gibbs classifier"), rests_on=MEANS
)
def factor_two(losses: Losses, delta: float, divergence: float | None = None) -> Claim:
    r"""The vote errs at most twice as often as its members do on average.

    Parameters
    ----------
    losses
        The weight of the members that were wrong, on each labelled example.
    divergence
        That of weights that saw these labels from the prior ones; None for weights fixed beforehand.

    Notes
    -----
    .. math:: L \le 2\, E z

    by Markov's inequality: where the vote errs, z is at least one half.

    Examples
    --------
    >>> z = Losses([0.0, 0.25, 0.0, 0.5] * 100)
    >>> print(round(factor_two(z, 0.05).upper, 3), round(tandem(z, 0.05).upper, 3), round(c_bound(z, 0.05).upper, 3))
    0.424 0.372 0.382
    """
    claim = _mean(losses, delta, divergence)
    return about_vote(claim, factor_two, 2.0 * float(claim.upper))


@procedure(guarantee=Guarantee.FINITE, source=Source("masegosa2020", "the tandem loss"), rests_on=MEANS)
def tandem(losses: Losses, delta: float, divergence: float | None = None) -> Claim:
    r"""The vote errs at most four times as often as two members, drawn at random, are wrong together.

    Notes
    -----
    .. math:: L \le 4\, E z^2

    for any number of labels. Where the weights saw the labels, a pair is drawn, and the divergence counts twice.

    Examples
    --------
    >>> print(round(tandem(Losses([0.0, 0.25, 0.0, 0.5] * 100), 0.05).upper, 3))
    0.372
    """
    squares = Losses(losses.values**2)
    claim = _mean(squares, delta, None if divergence is None else 2.0 * divergence)
    return about_vote(claim, tandem, 4.0 * float(claim.upper))


@procedure(guarantee=Guarantee.FINITE, source=Source("lacasse2006", "the C-bound"), rests_on=MEANS)
def c_bound(losses: Losses, delta: float, divergence: float | None = None) -> Claim:
    r"""How often the vote errs at most, by mean and second moment of the weight that is wrong.

    Notes
    -----
    .. math:: L \le 1 - \frac{(1 - 2 E z)^2}{E (1 - 2z)^2}, \qquad E z < 1/2,

    at its largest over all means and second moments that their limits, at half of delta each, leave open.

    Examples
    --------
    >>> print(round(c_bound(Losses([0.0, 0.25, 0.0, 0.5] * 100), 0.05).upper, 3))
    0.382
    """
    first = _mean(losses, delta / 2, divergence, side="both")
    second = _mean(Losses(losses.values**2), delta / 2, None if divergence is None else 2.0 * divergence)
    worst = largest_c_bound(np.asarray(first.lower), np.asarray(first.upper), np.asarray(second.upper))
    return about_vote(replace(first, delta=delta), c_bound, float(worst))


BY_MEMBERS = (factor_two, c_bound, tandem)


def largest_c_bound(lower: Array, upper: Array, second: Array) -> Array:
    """The largest C-bound for a mean between limits and a second moment that is at most so large.

    It rises with the second moment; with the mean it rises up to twice the second moment and then falls.

    Examples
    --------
    >>> print(largest_c_bound(np.array(0.1), np.array(0.2), np.array(0.08)).round(3))
    0.32
    """
    second = np.minimum(second, upper)  # z is at most 1
    mean = np.clip(2.0 * second, lower, upper)
    margin = 1.0 - 2.0 * mean
    moment = np.maximum(margin + 4.0 * second - 2.0 * mean, margin**2)  # of 1 - 2z, no less than the squared mean
    with np.errstate(divide="ignore", invalid="ignore"):
        bound = 1.0 - margin**2 / moment
    return np.where((upper < 0.5) & (moment > 0), np.clip(bound, 0.0, 1.0), 1.0)


def by_members(
    average: Claim, predicted: NDArray[np.integer], labels: int, weights: ArrayLike | None = None
) -> list[Claim]:
    r"""What a claim about the members' average error on these inputs, and their answers to them, say of the vote.

    Notes
    -----
    How often two members differ on the inputs, :math:`D`, is known. With two labels :math:`E z^2 = E z - D/2`; with
    more, :math:`E z^2 \le \min(E z, 2 E z - D)`, for where two members differ one of them at least is wrong.

    Examples
    --------
    >>> from holdfast.bounds.binomial import hypergeometric
    >>> from holdfast.evidence import Counts
    >>> average = hypergeometric(Counts(100, 1000), 0.05, unlabelled=1000)
    >>> predicted = np.random.default_rng(0).random((5, 1000)) < 0.1
    >>> [(claim.method, round(claim.upper, 3)) for claim in by_members(average, predicted, labels=2)]
    [('factor-two', 0.256), ('c-bound', 0.209), ('tandem', 0.212)]
    """
    if np.ndim(average.upper):
        raise InvalidEvidence("The vote needs one claim about the members' average; got several.")
    total = 0.0
    for _, weight in _votes(predicted, labels, weights):
        share = weight / weight.sum(axis=1, keepdims=True)
        total += float((1.0 - (share**2).sum(axis=1)).sum())
    apart = total / predicted.shape[1]
    lower, upper = float(average.lower), float(average.upper)
    both = upper - apart / 2 if labels == 2 else min(upper, 2 * upper - apart)
    if labels == 2:  # the second moment is tied to the mean, and the C-bound rises with it
        c = 1.0 - (1.0 - 2.0 * upper) ** 2 / (1.0 - 2.0 * apart) if upper < 0.5 and apart < 0.5 else 1.0
    else:
        c = float(largest_c_bound(np.asarray(lower), np.asarray(upper), np.asarray(max(both, 0.0))))
    limits = (2.0 * upper, max(c, 0.0), max(4.0 * both, 0.0))
    if labels == 2:
        average = replace(average, assumes=(*average.assumes, Assumption.TWO_LABELS))
    return [about_vote(average, by, limit) for by, limit in zip(BY_MEMBERS, limits, strict=True)]


def _mean(losses: Losses, delta: float, divergence: float | None, side: Side = "upper") -> Claim:
    if divergence is not None:
        return pac_bayes(Gibbs(losses, divergence), delta, side)
    return (squares if losses.n <= LARGEST else maurer_pontil)(losses, delta, side)


def about_vote(claim: Claim, by: AnyProcedure, upper: float) -> Claim:
    """The claim as one about the vote: an upper limit, and no estimate."""
    limit = min(float(upper), 1.0)
    return by.claim_from(claim, measure=VOTE, estimate=None, lower=0.0, upper=limit, side="upper")
