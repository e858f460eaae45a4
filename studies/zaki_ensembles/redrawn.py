"""What hangs on samples that nobody knows any more: where the printed values fall among those of samples drawn anew."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from studies.checks import RARE, Check, Status, drawn, number, statement
from studies.zaki_ensembles.iris import ROUNDS, Iris
from studies.zaki_ensembles.printed import (
    BAGGED,
    BEST_K,
    C_GRID,
    COMBINED,
    EPSILONS,
    LEAST_AT,
    LEAST_LOSS_AT,
    LEAST_TEST_ERROR,
    WORST_K,
    N,
)

REDRAWN = "redrawn"  # stands in `how` of every check that is not the same whatever the seed


def seen(place: str, printed: str, truths: ArrayLike, how: str) -> Check:
    """A sentence about one run: in which share of redrawn ones it is so. Rarely proves nothing against that run.

    Examples
    --------
    >>> seen("Example 22.13", "the worst is K = 3", [True, False], "2 runs, redrawn").found
    'so in 50 %'
    """
    share = float(np.mean(np.asarray(truths, bool)))
    status = Status.AGREES if share >= RARE else Status.UNKNOWN
    return Check(place, "statement", printed, f"so in {100 * share:.0f} %", status, how)


def spread_checks(iris: Iris, found: list[Any]) -> list[Check]:
    """Example 22.12: `found` is redraws x values of C x (loss, bias, variance)."""
    table = np.array(found)
    loss, bias, variance = (table[..., part] for part in range(3))
    place, how = "Example 22.12", f"{len(table)} times ten bootstrap samples, {REDRAWN}"
    low, middle, high = 0, C_GRID.index(LEAST_LOSS_AT), len(C_GRID) - 1
    return [
        number(place, "points n", "150", len(iris.signs), "rows of iris.csv"),
        number(place, "classes k", "2", len(np.unique(iris.signs)), "Iris-versicolor against the other two"),
        seen(
            place,
            "the variance increases with C (Figures 22.7a to 22.7c)",
            (variance[:, low] < variance[:, middle]) & (variance[:, middle] < variance[:, high]),
            f"C = {C_GRID[low]:g}, {C_GRID[middle]:g} and {C_GRID[high]:g}; {how}. From C = 0.1 upwards it increases "
            f"in {100 * np.mean(variance[:, 1] < variance[:, high]):.0f} %",
        ),
        seen(
            place,
            "as the bias reduces, the variance increases",
            (bias[:, high] < bias[:, 1]) & (variance[:, high] > variance[:, 1]),
            f"from C = {C_GRID[1]:g} to C = {C_GRID[high]:g}; {how}",
        ),
        seen(place, "the lowest expected loss is obtained when C = 1", loss.argmin(axis=1) == middle, how),
    ]


def bagged_checks(found: dict[str, Any]) -> list[Check]:
    """Example 22.13: `found` has, by K, redraws x (wrong, ties)."""
    counts = {models: np.array(found[str(models)]) for models, _, _ in BAGGED}
    redraws = len(next(iter(counts.values())))
    place, how = "Example 22.13", f"{redraws} times K bootstrap samples, {REDRAWN}"
    checks = []
    for models, zero_one, squared in BAGGED:
        wrong, ties = counts[models].T
        checks.append(drawn(place, f"zero-one loss, K = {models}", zero_one, wrong / N, how))
        checks.append(drawn(place, f"squared loss, K = {models}", squared, (4 * wrong + ties) / N, how))
    losses = np.stack([4 * counts[models][:, 0] + counts[models][:, 1] for models, _, _ in BAGGED])
    order = [models for models, _, _ in BAGGED]
    worst, best = losses[order.index(WORST_K)], losses[order.index(BEST_K)]
    return [
        *checks,
        seen(place, f"K = {WORST_K} is worst, K = {BEST_K} best", _ends(worst, best, losses), f"squared loss; {how}"),
    ]


def _ends(worst: np.ndarray, best: np.ndarray, losses: np.ndarray) -> np.ndarray:
    return np.asarray((worst == losses.max(axis=0)) & (best == losses.min(axis=0)) & (worst > best))


def effect_checks(found: list[list[Any]]) -> list[Check]:
    """What bagging does to bias and variance; of each learner a row alone and one bagged."""
    place = "section 22.3.1"
    of_stable, of_unstable = ([np.array(row[3:]) for row in found[first : first + 2]] for first in (0, 2))
    bias, variance = of_unstable[0] - of_unstable[1]
    gained = of_stable[0][1] - of_stable[1][1]
    how = f"fresh training sets of {N} points, {REDRAWN}"
    return [
        statement(
            place,
            "bagging can help reduce the variance, especially if the base classifiers are unstable",
            bool(variance > 0 and variance > gained),
            f"the variance of trees falls by {variance:.3f}, of machines by {gained:.3f}; {how}",
        ),
        statement(
            place,
            "it does not, in general, have much effect on the bias",
            bool(abs(bias) < variance),
            f"the squared bias of trees falls by {bias:.3f}; {how}",
        ),
    ]


def boosted_checks(found: dict[str, Any]) -> list[Check]:
    """Example 22.14: weighted errors and those of the combined classifiers, redraws x rounds."""
    epsilons, combined = np.array(found["epsilons"]), np.array(found["combined"])
    place, how = "Example 22.14", f"{len(epsilons):,} times four rounds, {REDRAWN}"
    checks = [
        drawn(place, f"ε{mark}, weighted error of h{mark}", printed, epsilons[:, t], how)
        for t, (mark, printed) in enumerate(zip("₁₂₃₄", EPSILONS, strict=True))
    ]
    checks += [
        drawn(place, f"training error of M{mark}", COMBINED[t], combined[:, t], how) for t, mark in ((2, "³"), (3, "⁴"))
    ]
    marked = combined[:, 3] < combined[:, 0]
    return [*checks, seen(place, "a marked drop in the error as K increases (M⁴ below M¹)", marked, how)]


def crossed_checks(found: dict[str, Any]) -> list[Check]:
    """Figure 22.9b: curves of training and testing error, redraws x rounds."""
    training, testing = (np.array(found[name]) for name in ("training", "testing"))
    place, how = "Example 22.14", f"{len(testing)} times five folds, {ROUNDS} rounds, {REDRAWN}"
    at = LEAST_AT - 1
    return [
        drawn(place, "least testing error along K", LEAST_TEST_ERROR, testing.min(axis=1), how),
        drawn(place, "K at which the testing error is least", str(LEAST_AT), testing.argmin(axis=1) + 1, how),
        seen(
            place,
            "as K increases, both the training and the testing error reduce",
            (training[:, at] < training[:, 0]) & (testing[:, at] < testing[:, 0]),
            f"K = {LEAST_AT} against K = 1; {how}",
        ),
        seen(
            place,
            "the training error essentially goes to 0",
            training[:, -1] < 0.01,
            f"below 0.01 at K = {ROUNDS}; {how}",
        ),
    ]
