"""Guaranteed bounds on the average of a sequence of models, each tested on examples that came after its own.

What a model loses on the next example has, whatever happened before, the model's own risk as its mean. So sums over the
sequence behave as sums over independent examples do; only that the risks, and with them what is claimed, are random.
"""

from __future__ import annotations

import numpy as np

from holdfast.bounds.cross import RANGED
from holdfast.catalog import method
from holdfast.claims import Guarantee, Source
from holdfast.evidence import Array
from holdfast.evidence.folds.progressive import Progressive
from holdfast.numerics.limit import Upper, moved_up
from holdfast.numerics.roots import crossing
from holdfast.numerics.wealth.ratios import TUNED_FOR

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
    >>> from holdfast.evidence.folds.progressive import Progressive
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
