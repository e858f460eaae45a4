"""What answers cost: matrices of costs, distances of numeric classes, losses of a margin."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from scipy.special import expit

from holdfast.catalog import measure
from holdfast.claims import Source
from holdfast.errors import HoldfastError, InvalidEvidence
from holdfast.evidence import NO_ANSWER, Array, Contingency, Counts, Integers, Losses, numbers, shown
from holdfast.evidence.costs import Charged, ChargedStrata, Costs, Tiers
from holdfast.evidence.ranking.forecasts import Margins, Posteriors
from holdfast.numerics.arrays import UNITS, whole_sum
from holdfast.wording import listed, quoted

EXPECTED = Source("zaki2014", "(22.13)")
LOSS = Source("zaki2014", "22.3")
FEW_LEVELS = 3  # costs above the lowest, up to which each one's share has exact limits of its own
MOST_TIERS = 1_000  # of all classes together; with more, the limits would say nothing
MOST_VALUES = 10**6  # beyond them the moments say nearly as much and take no memory
FARTHEST = 1e50  # that classes may be apart: the squares of their squares must stay within the floats
ANY = (float("-inf"), float("inf"))


@measure(better="lower", unit="cost", out_of="all", source=EXPECTED, range=ANY)
def expected_cost(table: Contingency, costs: Costs) -> Charged | Tiers | Losses:
    r"""What an answer costs on average, under a stated cost for every pair of labels.

    Notes
    -----
    .. math:: \frac1n \sum_{ij} n_{ij}\, c_{ij}

    It is the costs that decide who answers, never the data. Two different costs make it an error rate in other
    units: exact. One or two more, as for two kinds of error, make it a sum of nested shares: exact limits for each,
    at an equal part of delta. With still more it is a bounded loss.

    Examples
    --------
    >>> table = Contingency([[96, 10], [8, 171]], ["malignant", "benign"], rows="predicted")
    >>> expected_cost(table, costs=Costs([[0, 1], [10, 0]], ["malignant", "benign"], rows="predicted"))
    Tiers(mean=0.0315789, parts=2, n=285, low=0, high=10)
    """
    return _mean_cost(table, costs.of(table), costs.levels)


@measure(better="lower", unit="loss", out_of="all", source=LOSS, range=(0.0, float("inf")))
def squared_loss(table: Contingency, classes: Iterable[float]) -> Charged | Tiers | Losses:
    r"""The squared distance of the predicted from the actual class, where classes are numbers.

    Notes
    -----
    .. math:: (\hat y - y)^2

    `classes` are all the numbers that may be true or predicted, seen or not: they set the largest loss there can be.

    Examples
    --------
    >>> grades = Contingency([[3, 1], [0, 6]], ["1", "2"], rows="predicted")
    >>> squared_loss(grades, classes=[1, 2, 3])
    Tiers(mean=0.025, parts=2, n=10, low=0, high=4)
    """
    return _mean_distance(table, classes, power=2)


@measure(better="lower", unit="loss", out_of="all", source=LOSS, range=(0.0, float("inf")))
def absolute_loss(table: Contingency, classes: Iterable[float]) -> Charged | Tiers | Losses:
    r"""The distance of the predicted from the actual class, where classes are numbers.

    Notes
    -----
    .. math:: |\hat y - y|

    `classes` are all the numbers that may be true or predicted, seen or not: they set the largest loss there can be.
    """
    return _mean_distance(table, classes, power=1)


@measure(better=None, unit="cost", out_of="all", source=EXPECTED, range=ANY)
def posterior_loss(posteriors: Posteriors, costs: Costs | None = None) -> Losses:
    r"""What the model's own probabilities say its answers cost: its belief, and no statement about the truth.

    Notes
    -----
    .. math:: \frac1n \sum_i \sum_y P(y \mid x_i)\, c_{\hat y_i y}, \qquad
              \frac1n \sum_i \bigl(1 - P(\hat y_i \mid x_i)\bigr) \text{ without costs}

    Set beside the expected cost it tells whether the model knows how well it does. It needs no labels.

    Examples
    --------
    >>> posterior_loss(Posteriors([[0.9, 0.1], [0.4, 0.6]], [0, 1], ["ham", "spam"]))
    Losses(n=2, mean=0.25, s2=0.0225)
    """
    given, labels = posteriors.probabilities, posteriors.labels
    if costs is None:
        believed = 1.0 - np.take_along_axis(given, posteriors.predicted[:, np.newaxis], axis=1)[:, 0]
        return _losses(believed, 0.0, 1.0)
    places = costs.places(labels)
    charged = costs.matrix[np.ix_(places, places)]
    charged[:, [label == NO_ANSWER for label in labels]] = 0.0
    believed = np.einsum("ij,ij->i", given, charged[posteriors.predicted])
    return _losses(believed, costs.low, costs.high)


@measure(
    better="lower",
    unit="loss",
    out_of="all",
    row_losses=lambda margins: (np.where(margins <= 0, 1.0, 0.0), 0.0, 1.0),
    source=Source("anguita2012", "(2), (3)"),
)
def hard_loss(margins: Margins) -> Counts:
    r"""Examples on the wrong side: their margin is negative, or 0 and they are not of the negative class.

    Notes
    -----
    .. math:: \ell_H(\hat y, y) = [\mathrm{sign}(\hat y) \ne y], \qquad \mathrm{sign}(0) = -1

    A margin column does not tell a 0 of the negative class, which is right, from one of the positive class, which is
    wrong; all are then taken for wrong. The true class and the decision value tell them apart.

    Examples
    --------
    >>> hard_loss(Margins([1.5, -0.2, 0.0]))
    Counts(k=2, n=3)
    """
    return Counts(margins.errors, margins.n)


def logistic_losses(margins: Array, alpha: float = 1.0) -> Array:
    """The logistic soft loss of each margin."""
    steepness = numbers("alpha", alpha)
    if steepness.ndim or not steepness > 0:
        raise HoldfastError(
            f"alpha, the steepness of the logistic loss, must be one number above 0; got {shown(alpha)}."
        )
    with np.errstate(over="ignore"):  # beyond the floats the loss is 0 or 1
        return np.asarray(expit(-steepness * margins))


def linear_losses(margins: Array) -> Array:
    """The linear soft loss of each margin."""
    return np.asarray((1.0 - np.clip(margins, -1.0, 1.0)) / 2.0)


@measure(
    better="lower",
    unit="loss",
    out_of="all",
    row_losses=lambda margins, alpha=1.0: (logistic_losses(margins, alpha), 0.0, 1.0),
    source=Source("anguita2012", "(4)"),
)
def logistic_loss(margins: Margins, alpha: float = 1.0) -> Losses:
    r"""The logistic soft loss of a margin: near 1 where it is clearly wrong, 1/2 at 0, near 0 where clearly right.

    Notes
    -----
    .. math:: \ell_{\log}(\hat y, y) = \frac{e^{-\alpha y \hat y}}{1 + e^{-\alpha y \hat y}}

    The survey leaves the steepness :math:`\alpha > 0` open; it is 1 unless said otherwise, and 2 makes the linear
    soft loss its tangent. It is no log loss: it lies in [0, 1].

    Examples
    --------
    >>> logistic_loss(Margins([0.0, 0.0]))
    Losses(n=2, mean=0.5, s2=0)
    """
    return _losses(logistic_losses(margins.values, alpha), 0.0, 1.0)


@measure(
    better="lower",
    unit="loss",
    out_of="all",
    row_losses=lambda margins: (linear_losses(margins), 0.0, 1.0),
    source=Source("anguita2012", "(5)"),
)
def linear_loss(margins: Margins) -> Losses:
    r"""The linear soft loss of a margin: 1 up to a margin of -1, 0 from a margin of 1 on, and straight between.

    Notes
    -----
    .. math:: \ell_S(\hat y, y) = \min\Bigl(1, \max\Bigl(0, \frac{1 - y \hat y}{2}\Bigr)\Bigr)

    Examples
    --------
    >>> linear_loss(Margins([-7.0, 0.0, 0.5, 1.0]))
    Losses(n=4, mean=0.4375, s2=0.136719)
    """
    return _losses(linear_losses(margins.values), 0.0, 1.0)


def cost_by_class(table: Contingency, costs: Costs, prevalence: Mapping[str, float]) -> ChargedStrata | Tiers:
    r"""The expected cost where the classes are as frequent as stated, from a test set that holds so many of each.

    Notes
    -----
    .. math:: \sum_j \pi_j \sum_i c_{ij}\, P(\text{predicted } i \mid \text{actual } j)

    Where no class has more than two different costs, each has one rate and the rates are independent. Otherwise the
    shares of its examples that cost at least so much take the place of a class's rate.

    Examples
    --------
    >>> table = Contingency([[96, 10], [8, 171]], ["malignant", "benign"], rows="predicted")
    >>> costs = Costs([[0, 1], [10, 0]], ["malignant", "benign"], rows="predicted")
    >>> cost_by_class(table, costs, {"malignant": 0.01, "benign": 0.99})
    ChargedStrata(mean=0.0572371, parts=2, n=285, low=0, high=1.09)
    """
    shares, cell, (_, columns, times) = _frequencies(costs, prevalence), costs.of(table), table.cells
    own = [np.unique(costs.matrix[:, place]) for place in costs.truths]  # the costs of each class
    place = np.repeat(costs.truths, [levels.size - 1 for levels in own])
    level, step = np.concatenate([levels[1:] for levels in own]), np.concatenate([np.diff(levels) for levels in own])
    if place.size > MOST_TIERS:
        raise InvalidEvidence(
            f"The classes have {place.size:,} different costs above their lowest; at stated frequencies of the classes "
            f"{MOST_TIERS:,} is the most. Give fewer, or sample the examples as they come."
        )
    of_class = costs.places(table.labels)[columns][:, np.newaxis] == place
    parts = Counts(times @ (of_class & (cell[:, np.newaxis] >= level)), times @ of_class)
    weights = shares[place] * step
    low, span = float(shares[costs.truths] @ [levels[0] for levels in own]), float(weights.sum())
    if not span > 0:
        raise InvalidEvidence("At these frequencies of the classes every answer costs the same: nothing to estimate.")
    kind = ChargedStrata if max(levels.size for levels in own) == 2 else Tiers
    return kind(parts, weights / span, table.n, low, low + span)


def _frequencies(costs: Costs, prevalence: Mapping[str, float]) -> Array:
    """The stated frequency of each label of the costs."""
    names = [costs.labels[place] for place in costs.truths]
    if {*prevalence} != {*names}:
        raise InvalidEvidence(
            f"The prevalence of every class is needed, and of no other: the costs have {listed(names)}, "
            f"it is stated for {listed([*prevalence])}."
        )
    stated = numbers("prevalence", [prevalence.get(label, 0.0) for label in costs.labels])
    if np.any(stated < 0) or not np.isclose(stated.sum(), 1.0, rtol=0, atol=1e-9):
        raise InvalidEvidence(f"Prevalences must be numbers from 0 on that add up to 1; got {shown(dict(prevalence))}.")
    return stated


def _mean_cost(table: Contingency, cell: Array, levels: Array) -> Charged | Tiers | Losses:
    """Evidence for the mean of the cells' costs, of a kind that the possible costs decide."""
    times, low, high = table.cells[2], float(levels[0]), float(levels[-1])
    if levels.size == 2:
        return Charged(times @ (cell == high), table.n, low, high)
    if levels.size <= 1 + FEW_LEVELS:
        reached = times @ (cell[:, np.newaxis] >= levels[1:])
        weights = np.diff(levels) / (high - low)
        return Tiers(Counts(reached, table.n[..., np.newaxis]), weights, table.n, low, high)
    if times.ndim == 1:
        return _losses(cell, low, high, times)
    # Of a stack of tables, as the bootstrap draws them, the moments will do.
    shares, n = (cell - low) / (high - low), np.maximum(table.n, 1)
    mean = np.minimum(times @ shares / n, 1.0)
    s2 = np.clip(times @ shares**2 / n - mean**2, 0.0, mean * (1.0 - mean))
    width = high - low
    return Losses.from_moments(table.n, np.minimum(low + width * mean, high), width**2 * s2, low=low, high=high)


def _mean_distance(table: Contingency, classes: Iterable[float], power: int) -> Charged | Tiers | Losses:
    values = np.unique(numbers("classes", [*classes]))
    if values.size < 2:
        raise InvalidEvidence("classes must be two different numbers at least: all that may be true or predicted.")
    if np.ptp(values) > FARTHEST or np.diff(values).min() < 1 / FARTHEST:
        raise InvalidEvidence("The classes are too far apart or too near each other; give them in other units.")
    labels = np.array([_class(label, values) for label in table.labels])
    predicted, actual, _ = table.cells
    some = values[: None if values.size <= 1 + FEW_LEVELS else 1]  # those from the first are too many then already
    levels = np.unique(np.abs(values[:, np.newaxis] - some) ** power)
    return _mean_cost(table, np.abs(labels[predicted] - labels[actual]) ** power, levels)


def _class(label: str, values: Array) -> float:
    """The number that a label stands for."""
    try:
        number = float(label)
    except ValueError:
        advice = (
            ' Leave out rows without a prediction by missing="drop" (--missing drop).' if label == NO_ANSWER else ""
        )
        raise InvalidEvidence(
            f"Distances need classes that are numbers; the data hold the label {quoted(label)}.{advice}"
        ) from None
    if number not in values:
        raise InvalidEvidence(f"The data hold the class {quoted(label)}, which is not among the classes stated.")
    return number


def _losses(values: Array, low: float, high: float, times: Integers | None = None) -> Losses:
    """The losses in rising order, or their moments: in either case the order of the examples leaves no trace."""
    n = values.size if times is None else int(times.sum())
    if n <= MOST_VALUES:
        each = values if times is None else np.repeat(values, times)
        return Losses(np.sort(np.clip(each, low, high)), low, high)
    shares, width = np.clip((values - low) / (high - low), 0.0, 1.0), high - low
    total, squares = whole_sum(shares, times), whole_sum(shares * shares, times)
    parts = n * UNITS
    mean, variance = total / parts, max(parts * squares - total**2, 0) / parts**2
    return Losses.from_moments(n, min(low + width * mean, high), width**2 * variance, low=low, high=high)
