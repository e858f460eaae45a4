"""Guaranteed bounds on the average of a sequence of models, each tested on examples that came after its own.

What a model loses on the next example has, whatever happened before, the model's own risk as its mean. So sums over the
sequence behave as sums over independent examples do; only that the risks, and with them what is claimed, are random.

Where the draws of a cross-validation are groups of rows, the average of its models is bounded by bets on the draws of
all folds. A draw of fold j is a pair of a part a and a whole b, 0 <= a <= b <= 1, and its ratio is the mean of a over
that of b among the draws that the fold's model could have met. An upper limit is one minus the lower limit of
(b - a, b).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from holdfast.bounds.cross import RANGED
from holdfast.catalog import method
from holdfast.claims import Guarantee, Source
from holdfast.evidence import Array, Integers
from holdfast.evidence.folds.sample import Progressive
from holdfast.evidence.folds.values import FoldRatio
from holdfast.numerics.limit import Upper, moved_up
from holdfast.numerics.roots import crossing
from holdfast.numerics.wealth.ratios import CAP, SMALLEST, TUNED_FOR

STAKES = 7


@method(
    guarantee=Guarantee.FINITE,
    source=Source("blum1999", "progressive validation"),
    assumes=RANGED,
    needs="random folds of fixed sizes",
    name="progressive",
)
def progressive_hoeffding(sequence: Progressive, delta: Array) -> Upper:
    r"""Add Hoeffding's slack for all examples tested on, to the mean of a sequence of models tested on what comes next.

    Notes
    -----
    .. math:: \hat L + \sqrt{\frac{\ln(1/\delta)}{2 n}}

    Each model is trained on examples that came before and tested on the next ones, so that what the losses differ from
    the risk of the model of the moment has mean 0 whatever happened before: Hoeffding's inequality holds for such sums
    as for independent ones (Azuma's form). The claim is about the average model of the sequence, each with the weight
    of the examples that it was tested on.

    Examples
    --------
    >>> from holdfast.evidence.folds.sample import Progressive
    >>> print(round(progressive_hoeffding(Progressive(0.1, 500), delta=0.05, side="upper").upper, 4))
    0.1547
    """
    return moved_up(sequence.mean, sequence.complement, np.sqrt(-np.log(delta) / (2 * sequence.n)))


def mixture_p_value(sequence: Progressive, null: Array, room: Array) -> Array:
    """One over the wealth won against an average risk of the null or more, at most 1, with stakes for delta = 0.05."""
    return np.asarray(np.exp(-np.maximum(_log_wealth(sequence, _stakes(sequence.n, np.asarray(TUNED_FOR)), room), 0.0)))


@method(
    guarantee=Guarantee.FINITE,
    source=Source("waudbysmith2024", "Proposition 2"),
    assumes=RANGED,
    needs="random folds of fixed sizes",
    p_value=mixture_p_value,
    nested=False,
)
def progressive_mixture(sequence: Progressive, delta: Array) -> Upper:
    r"""Largest average risk that seven bets, on each model's losses as they come, have not refuted together.

    Notes
    -----
    With the part :math:`y_t = 1 - x_t` that is spared of the loss on example t, and :math:`r_t` its mean for the model
    of the moment, the convex :math:`e^{\lambda y}` lies below its chord, so that whatever happened before

    .. math:: E\bigl[e^{\lambda y_t}\bigr] \le 1 + r_t (e^\lambda - 1).

    Hence the product of :math:`e^{\lambda y_t} / (1 + r_t (e^\lambda - 1))`, a wealth that starts at 1, has a mean of
    at most 1, and so has its average over stakes. The logarithm of the denominator is concave in :math:`r_t`: with
    the average :math:`\bar r` of all :math:`r_t`, the wealth is at least

    .. math::
        W(\bar r) = \frac{1}{7} \sum_{j=0}^{6}
        \exp\bigl(n \lambda_j \bar y - n \ln(1 + \bar r\,(e^{\lambda_j} - 1))\bigr),
        \qquad 1 - U = \sup\{r : W(r) \ge 1/\delta\},

    and by Markov's inequality :math:`\bar r` is below :math:`1 - U` with a chance of delta at most. The stakes are

    .. math:: \lambda_j = \sqrt{\frac{2 \ln(1/\delta)}{n v_j}}, \qquad
              v_j = \frac14 \Bigl(\frac{4 \ln(1/\delta)}{n}\Bigr)^{j/6},

    the variances :math:`v_j` from 1/4 down to that of a handful of events. **They depend on n and delta alone**: the
    average risk is random here, and a stake that follows the risk in question, as Chernoff's bound has it, is fair for
    none of its values: a learner that adapts to its luck makes such limits of 20 examples miss 23.8 % at 20 %, found by
    backward induction, and these 14.3 %.

    Where the examples are taken in several orders, the mean over these stands in place of a single order's: of each
    stake the wealth is then the geometric mean of those of the orders, which is no more than their mean.

    The interval is 1.4 to 1.7 times the normal one wherever ten errors or more are expected; Hoeffding's slack has 1.5
    at a risk of 0.3 and 3.5 at 0.03.

    Examples
    --------
    >>> print(progressive_mixture(Progressive(0.03, 1000)))
    0.0300 [0.0162, 0.0494], progressive-mixture, 95 %, holds at every sample size
    """
    target, stakes = -np.log(delta), _stakes(sequence.n, delta)
    nothing = np.zeros(np.broadcast_shapes(stakes.shape[1:], sequence.complement.shape))
    # What is given back is refuted still: on the safe side of where the search ends.
    room = crossing(lambda share: _log_wealth(sequence, stakes, share) - target, nothing, sequence.complement)
    return Upper(1.0 - room, room)


def _stakes(n: Array, delta: Array) -> Array:
    """Along a new first axis."""
    tested, target = np.broadcast_arrays(np.maximum(n, 1), -np.log(delta))
    step = np.arange(STAKES).reshape(-1, *(1,) * tested.ndim) / (STAKES - 1)
    variance = 0.25 * np.minimum(4.0 * target / tested, 1.0) ** step
    return np.asarray(np.sqrt(2.0 * target / (tested * variance)))


def _log_wealth(sequence: Progressive, stakes: Array, room: Array) -> Array:
    """What the bets have won, on average, against an average risk that leaves so much room below 1."""
    won = sequence.n * (stakes * sequence.complement - np.log1p(room * np.expm1(stakes)))
    return np.asarray(np.logaddexp.reduce(won, axis=0) - np.log(STAKES))


@method(
    guarantee=Guarantee.FINITE,
    source=Source("waudbysmith2024", "Proposition 2"),
    assumes=RANGED,
    needs="random folds",
)
def fold_bets(folds: FoldRatio, delta: Array) -> Upper:
    r"""Largest average rate of the folds' models that bets on the groups each was tested on do not refute together.

    Notes
    -----
    With the part a that is spared and the whole b of a group, both in parts of the most that a group can hold, and
    J folds, for each of a few stakes c with its share w of delta,

    .. math::
        1 - U_c = \min\Bigl\{\frac{1}{J} \sum_j \theta_j : \frac{1}{J} \sum_j \sum_{i \in j}
        \ln\Bigl(1 + c\,\frac{a_i - \theta_j b_i}{\theta_j}\Bigr) \le \ln \frac{1}{w_c\,\delta}\Bigr\},
        \qquad U = \min_c U_c.

    Given what fold j's model was trained on, its groups are independent draws with :math:`E[a] = \theta_j E[b]`, so
    that the product of the bets on them, its wealth, has mean 1. By Hölder's inequality the geometric mean of the
    wealth of all folds has a mean of at most 1, however the folds have to do with each other, and is above
    :math:`1/(w \delta)` with a chance of :math:`w \delta` at most. The logarithms are convex in :math:`\theta_j`: the
    minimum is found by a multiplier, and any other multiplier gives less.

    What is not so: that the groups of all folds are independent given the models.
    Each model saw the groups that the others are tested on; of the product in place of the geometric mean, as for
    strata, a learner can make intervals miss 10 % of the time with 10 folds, and 60 to 70 % with 20, at a delta of 5 %.

    The stakes are .98, half of delta, and one third of it, one ninth ..., as many as the groups of a fold are worth.

    Examples
    --------
    >>> rates = np.tile([0.25, 0.4, 0.3, 0.35, 0.25], 5)
    >>> print(fold_bets(FoldRatio(rates, np.ones(25), fold=np.repeat(np.arange(5), 5), most=1)))
    0.310 [0.125, 0.718], fold-bets, 95 %, holds at every sample size
    """
    part, whole = (folds.below - folds.above) / folds.most, folds.below / folds.most
    each = [least_average(part, whole, folds.fold, folds.folds, float(level)) for level in np.ravel(delta)]
    room = np.reshape(each, np.shape(delta))
    return Upper(1.0 - room, room)


STEP = 3.0  # by which a stake is smaller than the one before it
FIRST = 0.5  # the share of delta that the largest stake has
NEWTON = 40  # steps at most; five are enough where folds are alike
STILL = 1e-13  # a step of a logarithm that changes nothing
TINY = float(np.finfo(np.float64).tiny)
FARTHEST = (-600.0, 60.0)  # logarithms of multipliers: ratios are next to 0 at the first and 1 at the last


def stakes_for(draws: float) -> tuple[Array, Array]:
    """What part of a stake is lost on a draw without a part, and the share of delta that each such bet has.

    Parameters
    ----------
    draws
        Of one fold: the more there are, the smaller stakes are worth having.

    Examples
    --------
    >>> stakes_for(5)[0].round(3), stakes_for(5)[1]
    (array([0.98 , 0.327, 0.109]), array([0.5 , 0.25, 0.25]))
    """
    more = max(int(np.ceil(np.log(2.0 * CAP * np.sqrt(max(draws, 1.0))) / np.log(STEP))), 1)
    return CAP / STEP ** np.arange(more + 1), np.append(FIRST, np.full(more, (1.0 - FIRST) / more))


def least_average(part: Array, whole: Array, fold: Integers, folds: int, delta: float) -> float:
    """A lower limit for the average over the folds of their ratios, however the folds have to do with each other.

    Examples
    --------
    >>> part, fold = np.tile([0.2, 0.4, 0.3, 0.3, 0.3], 5), np.repeat(np.arange(5), 5)
    >>> round(least_average(part, np.ones(25), fold, 5, 0.025), 4)
    0.1206
    """
    pairs, place = np.unique(part + 1j * whole, return_inverse=True)
    alike, times = np.unique(place.reshape(-1) * folds + fold, return_counts=True)
    draws = _Draws(pairs.real[alike // folds], pairs.imag[alike // folds], alike % folds, times * 1.0, folds)
    stakes, shares = stakes_for(part.size / folds)
    limit = max(draws.least(*each) for each in zip(stakes.tolist(), -np.log(shares * delta), strict=True))
    return limit if limit > SMALLEST else 0.0


@dataclass(frozen=True, eq=False)
class _Draws:
    """Different draws of each fold, and how often each occurs."""

    part: Array
    whole: Array
    fold: Integers
    times: Array
    folds: int

    def per_fold(self, values: Array) -> Array:
        return np.bincount(self.fold, self.times * values, self.folds)

    def least(self, stake: float, most: float) -> float:
        r"""The least average of ratios at which the mean over folds of the logarithm of the wealth is at most `most`.

        The logarithm of a fold's wealth, the sum of :math:`\ln(1 + c (a_i / \theta - b_i))`, is convex in theta and
        falls: so the minimum is where its slope is the same in every fold, one over a multiplier. Whatever the
        multiplier, the value of Lagrange's function is no more than the minimum.
        """
        won, left = stake * self.part, 1.0 - stake * self.whole
        seen = self.per_fold(self.part) > 0  # of a fold without a part nothing speaks against a ratio of 0
        if not seen.any():
            return 0.0
        lost = self.per_fold(np.log(left))

        def wealth(log_ratio: Array) -> float:
            logs = self.per_fold(np.log(left + won * np.exp(-log_ratio)[self.fold]))
            return float(np.where(seen, logs, lost).mean())

        def ratios(log_multiplier: float) -> Array:
            """Logarithms of the ratios at which the slopes are the same."""
            log_ratio = np.full(self.folds, min(log_multiplier, -1.0))
            for _ in range(NEWTON):
                share = won / np.maximum(won + left * np.exp(log_ratio)[self.fold], TINY)
                steepness, bend = np.where(seen, self.per_fold(share), 1.0), self.per_fold(share * (1.0 - share))
                step = (np.log(steepness) - log_ratio + log_multiplier) / (1.0 + bend / steepness)
                step = np.where(seen, np.minimum(step, -log_ratio), 0.0)
                log_ratio = log_ratio + step
                if np.max(np.abs(step)) < STILL:
                    break
            return log_ratio

        def excess(log_multiplier: Array) -> Array:
            return np.array([wealth(ratios(log_multiplier.item())) - most])

        log_multiplier = crossing(excess, np.array(FARTHEST[:1]), np.array(FARTHEST[1:])).item()
        log_ratio = ratios(log_multiplier)
        average = float(np.where(seen, np.exp(log_ratio), 0.0).mean())
        return average + float(np.exp(log_multiplier)) * min(wealth(log_ratio) - most, 0.0)
