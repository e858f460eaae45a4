"""Bounds on the rate behind a count: k events in n independent trials.

Behind them those about examples one already holds: some labelled, the rest still unlabelled.
"""

from __future__ import annotations

import numpy as np
from scipy.special import ndtri

from holdfast.catalog import method
from holdfast.claims import Assumption, Guarantee, Source
from holdfast.errors import UnfitMethod
from holdfast.evidence import Array, Counts, Sample, whole
from holdfast.numerics.binomial import beta_quantile, binomial_tail, binomial_tail_inverse, hypergeometric_tail
from holdfast.numerics.limit import Upper, raised
from holdfast.numerics.roots import crossing, score_root


def _fewer_errors(errors: Counts, null: Array, room: Array) -> Array:
    """The chance of so few errors at the null: the exact one-sided test."""
    return binomial_tail(errors.k, errors.n, null, room)


@method(
    guarantee=Guarantee.FINITE,
    source=Source("anguita2012", "(26)"),
    aliases=("CP", "exact"),
    p_value=_fewer_errors,
)
def clopper_pearson(errors: Counts, delta: Array) -> Upper:
    r"""Largest error rate under which so few errors are not too surprising.

    Notes
    -----
    .. math:: \max\{p : \mathrm{Bin}(n, k, p) \ge \delta\}

    No smaller bound that grows with k keeps the promise at every p. The lower limit uses P(X >= k); Theorem 2
    of Shah and Shanian prints P(X > k), which is too large by one count, though their Table 2 is right.

    Examples
    --------
    >>> clopper_pearson(Counts(0, 107), delta=0.025, side="upper").upper
    0.033887...
    >>> print(clopper_pearson(Counts(8, 30)))
    0.267 [0.122, 0.459], clopper-pearson, 95 %, holds at every sample size
    """
    return binomial_tail_inverse(errors.k, errors.n, delta)


@method(guarantee=Guarantee.ASYMPTOTIC, source=Source("anguita2012", "(19)"), aliases=("WIL", "score"))
def wilson(sample: Sample, delta: Array) -> Upper:
    r"""Solve the normal approximation for the true rate, with the true rate's own variance.

    Notes
    -----
    .. math:: (L - \hat L)^2 = z_{1-\delta}^2 \, L (1 - L) / n

    Printed again as (20)-(22), where B lacks a factor z: :math:`B = z \sqrt{z^2/n^2 + 4 \hat L (1 - \hat L) / n}`
    is right. Losses are treated as if their variance were the largest a loss in [0, 1] can have.

    Examples
    --------
    >>> claim = wilson(Counts(750, 1000), delta=0.2)
    >>> print(f"{claim.lower:.3f} {claim.upper:.3f}")  # the slides' 73.2 % to 76.7 %
    0.732 0.767
    """
    return score_root(sample, normal_quantile(delta) ** 2 / sample.n)


@method(guarantee=Guarantee.ASYMPTOTIC, source=Source("anguita2012", "(16)"), aliases=("NOR", "wald"), needs="s2")
def normal(sample: Sample, delta: Array) -> Upper:
    r"""Add z standard errors, as if the mean were normal and its variance known.

    Notes
    -----
    .. math:: \hat L + z_{1-\delta} \sqrt{s^2 / n}, \qquad s^2 = \hat L (1 - \hat L) \text{ for counts}

    With no errors it claims a rate of exactly 0: coverage falls to nothing near 0 and 1.

    Examples
    --------
    >>> claim = normal(Counts(70, 100), delta=0.1)
    >>> print(f"{claim.lower:.3f} {claim.upper:.3f}")  # the slides print .624 and .776, having rounded on the way
    0.625 0.775
    """
    return raised(sample, normal_quantile(delta) * np.sqrt(sample.s2 / sample.n))


@method(guarantee=Guarantee.ASYMPTOTIC, source=Source("agresti1998", "section 2"))
def agresti_coull(errors: Counts, delta: Array) -> Upper:
    r"""Add half of z squared to events and non-events, then proceed as for the normal approximation.

    Notes
    -----
    .. math:: \tilde n = n + z^2, \quad \tilde p = (k + z^2/2) / \tilde n, \quad
              \tilde p + z \sqrt{\tilde p (1 - \tilde p) / \tilde n}

    Examples
    --------
    >>> claim = agresti_coull(Counts(0, 10))
    >>> print(f"{claim.lower:.3f} {claim.upper:.3f}")
    0.000 0.321
    """
    z = normal_quantile(delta)
    size = errors.n + z**2
    centre, rest = (errors.k + z**2 / 2) / size, (errors.n - errors.k + z**2 / 2) / size
    slack = z * np.sqrt(centre * rest / size)
    return Upper(centre + slack, rest - slack)


@method(guarantee=Guarantee.ASYMPTOTIC, source=Source("brown2001", "section 3.1.3"))
def jeffreys(errors: Counts, delta: Array) -> Upper:
    r"""The posterior's quantile under Jeffreys' prior; 0 and 1 where no event or nothing but events occurred.

    Notes
    -----
    .. math:: \mathrm{BetaInv}(1 - \delta;\ k + 1/2,\ n - k + 1/2)

    Examples
    --------
    >>> claim = jeffreys(Counts(1, 10))
    >>> print(f"{claim.lower:.4f} {claim.upper:.4f}")
    0.0110 0.3813
    """
    survivors, events = errors.n - errors.k + 0.5, errors.k + 0.5
    room, limit = beta_quantile(survivors, events, delta)
    full = errors.k == errors.n
    return Upper(np.where(full, 1.0, limit), np.where(full, 0.0, room))


def _half_counted(errors: Counts, null: Array, room: Array) -> Array:
    """The chance of fewer errors at the null, and half that of as many."""
    fewer = binomial_tail(errors.k - 1, errors.n, null, room)
    return (fewer + binomial_tail(errors.k, errors.n, null, room)) / 2


@method(guarantee=Guarantee.ASYMPTOTIC, source=Source("brown2001", "section 4.2.1"), p_value=_half_counted)
def mid_p(errors: Counts, delta: Array) -> Upper:
    r"""Clopper-Pearson with the observed count itself counted half.

    Notes
    -----
    .. math:: \max\{p : P(X < k) + P(X = k) / 2 \ge \delta\}

    Its coverage is right on average over p, not at every p.

    Examples
    --------
    >>> claim = mid_p(Counts(0, 10))
    >>> print(f"{claim.upper:.4f}")  # 1 - 0.05 ** (1 / 10)
    0.2589
    """
    k, n, delta = np.broadcast_arrays(errors.k, errors.n, delta)
    counts = Counts(k, n)

    def excess(logit: Array) -> Array:
        p, room = 1 / (1 + np.exp(-logit)), 1 / (1 + np.exp(logit))
        return _half_counted(counts, p, room) - delta

    # Between the exact limits for k - 1 and for k, on the scale of log-odds, where both ends keep their digits.
    below, above = binomial_tail_inverse(np.maximum(k - 1, 0), n, delta), binomial_tail_inverse(k, n, delta)
    start = np.where(k > 0, np.log(below.limit / below.room), -800.0)
    end = np.minimum(np.log(above.limit / above.room), 800.0)
    logit = crossing(excess, start, end)
    certain = (delta < 0.5) & (k == n)
    return Upper(np.where(certain, 1.0, 1 / (1 + np.exp(-logit))), np.where(certain, 0.0, 1 / (1 + np.exp(logit))))


def _acceptability(errors: Counts, null: Array, room: Array) -> Array:
    """Blaker's p-value: the smaller tail plus the largest opposite tail that is no larger."""
    low = binomial_tail(errors.k, errors.n, null, room)
    high = binomial_tail(errors.n - errors.k, errors.n, room, null)
    smaller = np.minimum(low, high)
    p, rest = np.where(high <= low, null, room), np.where(high <= low, room, null)
    matching = _largest_count(errors.n, p, rest, smaller)
    return np.minimum(smaller + binomial_tail(matching, errors.n, p, rest), 1.0)


@method(guarantee=Guarantee.FINITE, source=Source("blaker2000", "Theorem 1"), one_sided=False, p_value=_acceptability)
def blaker(errors: Counts, delta: Array) -> Upper:
    r"""Rates whose tail beyond k, with the largest opposite tail that is no larger, stays above delta.

    Notes
    -----
    Lies inside the Clopper-Pearson interval and is exact too, but only as an interval: its ends are not bounds by
    themselves. For the lower limit, start from Clopper-Pearson's, where P(X >= k) = delta / 2, and let c be the
    largest count with P(X <= c) no larger. Until P(X <= c + 1) may be counted in as well, at which point the sum
    exceeds delta for certain, the sum is P(X >= k) + P(X <= c), which falls and then rises in p. So its first
    crossing of delta is the only one from below, and no sliver can be missed.

    Examples
    --------
    >>> claim = blaker(Counts(3, 10))
    >>> print(f"{claim.lower:.6f} {claim.upper:.6f}")
    0.087264 0.619411
    """
    k, n, delta = np.broadcast_arrays(errors.n - errors.k, errors.n, delta)  # the lower limit of the mirror image
    outer = binomial_tail_inverse(n - k, n, delta / 2)
    matching = _largest_count(n, outer.room, outer.limit, delta / 2)

    def excluded(logit: Array) -> Array:
        p, room = 1 / (1 + np.exp(-logit)), 1 / (1 + np.exp(logit))
        beyond = binomial_tail(n - k, n, room, p)
        crossed = beyond + binomial_tail(matching, n, p, room) - delta
        return -np.maximum(crossed, beyond - binomial_tail(matching + 1, n, p, room))

    start = np.where(k > 0, np.log(outer.room / outer.limit), -800.0)
    end = np.where(k < n, np.log(np.maximum(k, 1) / np.maximum(n - k, 1)), 800.0)
    logit = crossing(excluded, start, end)
    return Upper(np.where(k > 0, 1 / (1 + np.exp(logit)), 1.0), np.where(k > 0, 1 / (1 + np.exp(-logit)), 0.0))


def normal_quantile(delta: Array) -> Array:
    """Z with P(Z > z) = delta, and 0 from delta = 1/2 on: no limit lies on the wrong side of the estimate."""
    return np.maximum(-ndtri(delta), 0.0)


def _largest_count(n: Array, p: Array, room: Array, most: Array) -> Array:
    """The largest c with P(X <= c) at most `most`; -1 where there is none."""
    low, high = np.broadcast_arrays(np.full(np.shape(n), -1), n)
    low, high = np.array(low, np.int64), np.array(high, np.int64)
    while np.any(high - low > 1):
        middle = (low + high) // 2
        fits = binomial_tail(middle, n, p, room) <= most
        low, high = np.where(fits, middle, low), np.where(fits, high, middle)
    return low


@method(
    guarantee=Guarantee.FINITE,
    source=Source("thatcher1964", "section 2"),
    assumes=(Assumption.EXCHANGEABLE, Assumption.FIXED_MODEL, Assumption.FIXED_PLAN),
    exact=True,
    measure="unlabelled-error-rate",
)
def hypergeometric(errors: Counts, delta: Array, *, unlabelled: Array) -> Upper:
    r"""Most errors among the unlabelled under which so few among the labelled are not too surprising.

    Notes
    -----
    With d labelled examples, k of them errors, and d' unlabelled ones, all N = d + d' in random order,

    .. math:: \max\{k' \in 0..d' : P(\mathrm{Hyp}(N, k + k', d) \le k) > \delta\} / d'

    It speaks about these very examples, not about a population, and needs exchangeability only. It replaces
    Bax's Eq. 8, which is about twice as wide.

    Examples
    --------
    >>> claim = hypergeometric(Counts(50, 1000), unlabelled=1000)
    >>> print(claim.lower, claim.upper)
    0.032 0.071
    """
    rest = whole("unlabelled, the number of examples still to be labelled,", unlabelled)
    if np.any(rest < 1):
        raise UnfitMethod(f"unlabelled must be at least 1 example; got {unlabelled!r}.")
    try:
        k, d, rest, delta = np.broadcast_arrays(errors.k, errors.n, rest, delta)
    except ValueError:
        raise UnfitMethod(
            f"The counts have shape {errors.k.shape}, unlabelled {rest.shape}; they must match."
        ) from None
    # k' = 0 always stands: with no further error the labelled ones hold them all.
    low, high = np.zeros(k.shape, np.int64), rest + 1
    while np.any(high - low > 1):
        middle = (low + high) // 2
        stands = hypergeometric_tail(k, d + rest, k + middle, d) > delta
        low, high = np.where(stands, middle, low), np.where(stands, high, middle)
    return Upper(low / rest, (rest - low) / rest)
