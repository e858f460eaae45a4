r"""What the validated errors of a few classifiers, and unlabelled inputs, say of the errors of any other classifier.

Every labelling of the inputs under which all cores err as often as they may gives the target some number of errors;
a linear programme finds the least and the most. Whatever multipliers a solver comes up with, weak duality makes a
true limit of them, so nothing rests on the solver's tolerances:

.. math:: \max \le \sum_m \max(\lambda_m l_m, \lambda_m u_m) + \sum_v P_v \max_y (c_{vy} - \lambda \cdot a_{vy}).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import linprog, minimize

from holdfast.catalog import procedure
from holdfast.claims import Assumption, Guarantee, Source
from holdfast.errors import HoldfastError, InvalidEvidence
from holdfast.evidence import Array, Integers

BLOCK = 2**22  # answers of members that are looked at at once


@dataclass(frozen=True, eq=False)
class Patterns:
    """Groups of inputs, and what each label that would make the target wrong does to the errors of the cores.

    Where the target is right on every input, core m errs `apart[m]` times: wherever it disagrees. Each option is a
    label, other than the target's, of one group; an input that turns out to have it costs the target one error
    more, and core m `change[m, option]` more. The options of a group stand side by side.
    """

    times: Integers  # inputs of each group
    starts: Integers  # the first option of each group
    change: Array  # cores by options
    apart: Array  # of each core

    @property
    def group(self) -> Integers:
        """The group of each option."""
        sizes = np.diff(np.append(self.starts, self.change.shape[1]))
        return np.repeat(np.arange(len(self.times)), sizes)

    @classmethod
    def of(cls, target: NDArray[np.integer], cores: NDArray[np.integer], labels: int) -> Patterns:
        """The patterns of a target's answers and those of the cores, cores by inputs, all codes below `labels`.

        Examples
        --------
        >>> found = Patterns.of(np.array([0, 1, 1, 0]), np.array([[0, 1, 1, 1], [1, 1, 0, 0]]), labels=2)
        >>> found.times.tolist(), found.apart.tolist()
        ([1, 2, 1], [1, 2])
        >>> found.change.astype(int).tolist()
        [[1, 1, -1], [1, -1, 1]]
        """
        answers, times = _distinct(_first_to_say(target, cores, labels))
        own = np.arange(1, len(answers))[:, None]
        # A label is named by the first core that says it; 0 is the target's, and -1 the labels that nobody says.
        name, group = np.nonzero(answers[1:] == own)
        voiced = 1 + np.bincount(group, minlength=len(times))
        silent = np.flatnonzero(voiced < labels)
        group = np.append(group, silent)
        name = np.append(name + 1, np.full(len(silent), -1))
        order = np.argsort(group, kind="stable")
        group, name = group[order], name[order]
        chosen = answers[1:, group]
        change = (chosen == 0).astype(np.float64) - (chosen == name)
        return cls(times, np.searchsorted(group, np.arange(len(times))), change, (answers[1:] != 0) @ times)

    @classmethod
    def of_averages(
        cls, target: NDArray[np.integer], members: NDArray[np.integer], labels: int, weights: Array
    ) -> Patterns:
        """The same for cores that draw one of the members for each input, as the rows of `weights` say.

        Examples
        --------
        >>> said = np.array([[0, 1, 1, 1], [1, 1, 0, 0]])
        >>> found = Patterns.of_averages(np.array([0, 1, 1, 0]), said, 2, np.array([[0.5, 0.5]]))
        >>> found.apart.tolist(), found.change.tolist()
        ([1.5], [[0.0, 1.0, 0.0, 0.0]])
        """
        n, cores = len(target), len(weights)
        change = np.empty((cores, n, labels - 1))
        right = np.empty((cores, n))
        width = max(BLOCK // max(len(members), 1), 1)
        for start in range(0, n, width):
            here = slice(start, start + width)
            shares = np.stack([weights @ (members[:, here] == label) for label in range(labels)], axis=2)
            mine = target[here]
            right[:, here] = np.take_along_axis(shares, mine[None, :, None].astype(np.intp), axis=2)[:, :, 0]
            others = np.arange(labels - 1) + (np.arange(labels - 1) >= mine[:, None])
            change[:, here] = right[:, here, None] - np.take_along_axis(shares, others[None], axis=2)
        apart = weights.sum(axis=1) * n - right.sum(axis=1)
        times, starts = np.ones(n, np.int64), np.arange(n) * (labels - 1)
        return cls(times, starts, change.reshape(cores, -1), apart)


def _first_to_say(target: NDArray[np.integer], cores: NDArray[np.integer], labels: int) -> NDArray[np.integer]:
    """For the target and each core, on each input, the place of the first of them to give this answer.

    Inputs on which the same ones agree look alike then, whatever it is that they say.
    """
    first = np.zeros((len(cores) + 1, len(target)), np.min_scalar_type(len(cores) + 1))
    if labels == 2:
        apart = cores != target
        return np.vstack([first[:1], apart * (1 + apart.argmax(axis=0, keepdims=True))]).astype(first.dtype)
    for place in range(1, len(first)):
        same = cores[: place - 1] == cores[place - 1]
        first[place] = place
        for earlier in reversed(range(1, place)):
            np.copyto(first[place], earlier, where=same[earlier - 1])
        np.copyto(first[place], 0, where=cores[place - 1] == target)
    return first


def _distinct(columns: NDArray[np.integer]) -> tuple[NDArray[np.integer], Integers]:
    """The different columns, and how often each stands there."""
    rows = np.ascontiguousarray(columns.T)
    whole = rows.view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1]))).ravel()
    _, place, times = np.unique(whole, return_index=True, return_counts=True)
    return columns[:, place], times


FEW = 10_000  # options up to which a solver finds the optimum; beyond, a descent comes as close as matters
SMOOTHINGS = (0.1, 0.03, 0.01)  # of the maximum that an input takes over its labels
LARGEST = 50.0  # multiplier: what an error of a core can be worth, in errors of the target
STOP = {"maxiter": 60, "maxcor": 30, "ftol": 1e-9, "gtol": 1e-7}

SOURCE = Source("bax1997", "section 1")
LIMITED_BY = ("hypergeometric", "hypergeometric-levels", "squares-pool", "hoeffding-difference")  # models, averages
CORES = (Assumption.EXCHANGEABLE, Assumption.FIXED_CORES, Assumption.FIXED_PLAN)

_solver: Any = linprog  # whose stubs know no sparse matrices
_descent: Any = minimize


class Infeasible(HoldfastError):
    """No labels of the inputs let all cores err as often as their limits say."""

    def __init__(self) -> None:
        super().__init__(
            "The programme is infeasible: no labels of the unlabelled inputs let every core err as often as its limits "
            "say. Either these limits failed, which happens with a chance of at most delta, or the validation examples "
            "and the unlabelled inputs are not of one population, or the models stand in another order there. Nothing "
            "is claimed: check the data."
        )


class Limits(NamedTuple):
    """The least and the largest error rate of a target on the unlabelled inputs."""

    lower: float
    upper: float


@procedure(name="core-programme", guarantee=Guarantee.FINITE, source=SOURCE, assumes=CORES, rests_on=LIMITED_BY)
def by_programme(patterns: Patterns, lower: Array, upper: Array) -> Limits:
    r"""The range of the target's error rate over all labellings under which every core keeps within its limits.

    Parameters
    ----------
    lower, upper
        Limits of the error rate of each core on these inputs, which hold together.

    Notes
    -----
    With :math:`x_{vy}` the inputs of pattern v whose label is y, and :math:`P_v` all inputs of the pattern,

    .. math::
        \max, \min \sum_{v,y} x_{vy} 1[c_v \ne y] \quad \text{where} \quad
        l_m \le \sum_{v,y} x_{vy} 1[g_{mv} \ne y] \le u_m, \qquad \sum_y x_{vy} = P_v.

    Fractions of inputs are allowed, so the range may be wider than that of whole labels, never narrower; its ends
    are whole numbers of errors.

    Examples
    --------
    Two cores that err on 1 to 2 of 10 inputs, and a target that sides with the first but for one input:

    >>> cores = np.array([[0] * 10, [1, 1] + [0] * 8])
    >>> target = np.array([0, 0, 0, 0, 0, 0, 0, 0, 0, 1])
    >>> by_programme(Patterns.of(target, cores, labels=2), np.array([0.1, 0.1]), np.array([0.2, 0.2]))
    Limits(lower=0.1, upper=0.3)
    """
    if np.any(lower > upper):
        raise InvalidEvidence("The limits of a core must be a lower and an upper one, in this order.")
    n = int(patterns.times.sum())
    least, most = (_whole(np.asarray(end, np.float64) * n) - patterns.apart for end in (lower, upper))
    top = np.floor(_Programme(patterns, least, most, 1.0).limit())
    bottom = np.ceil(-_Programme(patterns, least, most, -1.0).limit())
    if max(bottom, 0) > min(top, n):
        raise Infeasible
    return Limits(float(max(0.0, bottom) / n), float(min(top, n) / n))


@procedure(name="nearest-core", guarantee=Guarantee.FINITE, source=SOURCE, assumes=CORES, rests_on=LIMITED_BY[:1])
def by_each_core(
    target: NDArray[np.integer], cores: NDArray[np.integer], lower: Array, upper: Array
) -> tuple[Array, Array]:
    r"""Limits of the target's error rate from each core alone: its own, widened by how often the two disagree.

    Notes
    -----
    .. math:: l_m - D_m \le \nu'_c \le u_m + D_m

    with :math:`D_m` the share of the inputs on which target and core disagree: only there can just one of them be
    right. The limits of all cores hold together, so that the highest lower and the lowest upper one are claimed.

    Examples
    --------
    >>> by_each_core(np.array([0, 0, 1, 1]), np.array([[0, 0, 1, 0]]), np.array([0.25]), np.array([0.5]))
    (array([0.]), array([0.75]))
    """
    apart = np.mean(cores != target, axis=1)
    return np.maximum(lower - apart, 0.0), np.minimum(upper + apart, 1.0)


def _whole(errors: Array) -> Array:
    """Numbers of errors that were rates, whole again where they were."""
    near = np.rint(errors)
    return np.where(np.abs(errors - near) <= 1e-9 * np.maximum(near, 1.0), near, errors)


@dataclass(frozen=True, eq=False)
class _Programme:
    """Take options so that their number, times the sign, is large and the changes of the cores keep within limits."""

    patterns: Patterns
    least: Array
    most: Array
    sign: float

    @cached_property
    def n(self) -> int:
        return int(self.patterns.times.sum())

    def limit(self) -> float:
        """No less than the largest value there is."""
        few = self.patterns.change.shape[1] <= FEW
        multipliers = self._solved() if few else self._descended()
        rounding = 1e-12 * self.n * (1.0 + float(np.abs(multipliers).sum()))
        return self.dual(multipliers) + rounding

    def dual(self, multipliers: Array) -> float:
        """The limit that weak duality makes of any multipliers."""
        worth = self.sign - multipliers @ self.patterns.change
        gains = np.maximum(np.maximum.reduceat(worth, self.patterns.starts), 0.0)
        ends = np.maximum(multipliers * self.least, multipliers * self.most)
        return float(ends.sum() + self.patterns.times @ gains)

    def _solved(self) -> Array:
        """The multipliers at which the solver proves its optimum."""
        patterns, cores = self.patterns, len(self.least)
        options, group = patterns.change.shape[1], patterns.group
        rows = sparse.hstack([sparse.csr_array(patterns.change), -sparse.eye_array(cores)], format="csc")
        top = np.append(patterns.times[group], self.most)
        bounds = np.column_stack([np.append(np.zeros(options), self.least), top])
        # A group with several options has no more of them together than it has inputs.
        several = np.flatnonzero(np.bincount(group) > 1)
        within = np.flatnonzero(np.isin(group, several))
        places = np.searchsorted(several, group[within]), within
        shared = sparse.csc_array((np.ones(len(within)), places), shape=(len(several), options + cores))
        limited: dict[str, Any] = {"A_ub": shared, "b_ub": patterns.times[several]} if len(several) else {}
        cost = np.append(np.full(options, -self.sign), np.zeros(cores))
        solution = _solver(cost, **limited, A_eq=rows, b_eq=np.zeros(cores), bounds=bounds, method="highs-ds")
        if solution.status == 2:
            raise Infeasible
        if solution.status != 0:
            raise HoldfastError(f"The linear programme could not be solved: {solution.message}")
        return -np.asarray(solution.eqlin.marginals)

    def _descended(self) -> Array:
        """Multipliers close to the best: those of ever less smooth versions of the dual limit."""
        cores, group = len(self.least), self.patterns.group
        change, starts, times = self.patterns.change, self.patterns.starts, self.patterns.times
        ends = np.append(self.most, -self.least)

        def smooth(both: Array, smoothing: float) -> tuple[float, Array]:
            """The limit with a soft maximum in place of a hard one, and its slope; upper limits are paid for first."""
            worth = (self.sign - (both[:cores] - both[cores:]) @ change) / smoothing
            top = np.maximum(np.maximum.reduceat(worth, starts), 0.0)
            share = np.exp(worth - top[group])
            total = np.exp(-top) + np.add.reduceat(share, starts)
            changed = change @ (share * (times / total)[group])
            value = both @ ends + smoothing * (times @ (top + np.log(total)))
            return value / self.n, (ends - np.append(changed, -changed)) / self.n

        found, within = np.zeros(2 * cores), [(0.0, LARGEST)] * (2 * cores)
        for smoothing in SMOOTHINGS:
            found = _descent(smooth, found, (smoothing,), "L-BFGS-B", jac=True, bounds=within, options=STOP).x
        return np.asarray(found[:cores] - found[cores:])
