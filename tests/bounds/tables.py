"""Every table of two labels with n examples, how likely each is, and the true value of each measure."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import NamedTuple

import numpy as np
from scipy.special import gammaln, xlogy

from holdfast.catalog import Bound, Measure
from holdfast.claims import SIDES, Side
from holdfast.evidence import Array, Contingency

PREVALENCES = (0.02, 0.1, 0.3, 0.5, 0.85, 0.99)
RECALLS = (0.0, 0.02, 0.1, 0.35, 0.5, 0.75, 0.9, 0.98, 1.0)
DELTAS = (0.5, 0.2, 0.05, 0.01)
ROUNDING = 1e-9  # relative, of a chance
RATE = 1e-12  # of a true value


class World(NamedTuple):
    """Where the examples come from: the prevalence of the first label and the two recalls, as arrays."""

    prevalence: Array
    first: Array
    second: Array

    @property
    def cells(self) -> Array:
        """Predicted down, actual across, of each world."""
        hit, miss = self.prevalence * self.first, self.prevalence * (1 - self.first)
        reject, alarm = (1 - self.prevalence) * self.second, (1 - self.prevalence) * (1 - self.second)
        return np.stack([np.stack([hit, alarm], -1), np.stack([miss, reject], -1)], -2)


WORLDS = World(*(each.ravel() for each in np.meshgrid(PREVALENCES, RECALLS, RECALLS, indexing="ij")))
Truth = Callable[[World, Contingency], Array]  # the true value for each table (down) or for all, in each world (across)


@cache
def all_tables(n: int) -> Contingency:
    """Every table of two labels with n examples, as one stack."""
    counts = np.stack(np.meshgrid(*[np.arange(n + 1)] * 3, indexing="ij"), -1).reshape(-1, 3)
    counts = counts[counts.sum(axis=1) <= n]
    counts = np.column_stack([counts, n - counts.sum(axis=1)])
    return Contingency(counts.reshape(-1, 2, 2), ["first", "second"], rows="predicted")


@cache
def chances(n: int) -> Array:
    """The probability of each table (down) in each world (across)."""
    counts = all_tables(n).table.reshape(-1, 1, 4)
    logs = (
        gammaln(n + 1) - gammaln(counts + 1).sum(axis=-1) + xlogy(counts, WORLDS.cells.reshape(1, -1, 4)).sum(axis=-1)
    )
    return np.exp(logs)


def coverage(bound: Bound, measure: Measure, truth: Truth, n: int, delta: float, side: Side) -> Array:
    """The exact chance that the limits hold, in each world; NaN where there is no true value."""
    tables = all_tables(n)
    claim = bound(measure(tables), delta, side)
    lower, upper = (limit[:, 0] if limit.ndim > 1 else limit for limit in (claim.lower, claim.upper))
    true = truth(WORLDS, tables)
    held = (lower[:, np.newaxis] <= true + RATE) & (true - RATE <= upper[:, np.newaxis])
    covered = np.sum(chances(n) * held, axis=0)
    return np.where(np.isnan(true).any(axis=0) if true.ndim > 1 else np.isnan(true), np.nan, covered)


def broken(
    bound: Bound,
    measure: Measure,
    truth: Truth,
    sizes: Iterable[int],
    deltas: Iterable[float] = DELTAS,
    sides: Iterable[Side] = SIDES,
) -> list[str]:
    """Where the promise is not kept."""
    found = []
    for n in sizes:
        for delta in deltas:
            for side in sides:
                covered = coverage(bound, measure, truth, n, delta, side)
                worst = int(np.nanargmin(covered))
                if 1 - covered[worst] > delta * (1 + ROUNDING):
                    world = tuple(float(each[worst]) for each in WORLDS)
                    found.append(
                        f"{bound.name} of {measure.name}, n = {n}, {delta}, {side}: {covered[worst]} at {world}"
                    )
    return found


def true_f1(world: World, _: Contingency) -> Array:
    return _f1(world.cells)[..., 0]


def true_macro_f1(world: World, _: Contingency) -> Array:
    return _f1(world.cells).mean(axis=-1)


def true_balanced_accuracy(world: World, _: Contingency) -> Array:
    return (world.first + world.second)[np.newaxis] / 2


def true_macro_precision(world: World, _: Contingency) -> Array:
    return _share(_hits(world.cells), world.cells.sum(axis=-1)).mean(axis=-1)


def true_mcc(world: World, _: Contingency) -> Array:
    share = world.cells.sum(axis=-1)[..., 0]
    spread = world.prevalence * (1 - world.prevalence) * share * (1 - share)
    return _share(_hits(world.cells)[..., 0] - world.prevalence * share, np.sqrt(spread))


def true_kappa(world: World, _: Contingency) -> Array:
    share, cells = world.cells.sum(axis=-1)[..., 0], world.cells
    by_chance = world.prevalence * share + (1 - world.prevalence) * (1 - share)
    return _share(_hits(cells).sum(axis=-1) - by_chance, 1 - by_chance)


def _hits(cells: Array) -> Array:
    return np.diagonal(cells, axis1=-2, axis2=-1)


def _f1(cells: Array) -> Array:
    return _share(2 * _hits(cells), cells.sum(axis=-1) + cells.sum(axis=-2))


def _share(part: Array, whole: Array) -> Array:
    return np.divide(part, whole, out=np.full(whole.shape, np.nan), where=whole > 1e-12)
