"""Measures read off the counts of a table: of one label, and averages over labels."""

from __future__ import annotations

import numpy as np

from holdfast.catalog import measure
from holdfast.claims import Source
from holdfast.evidence import Array, Contingency, Counts, Overlap, Proportions, SmoothStatistic, Strata
from holdfast.evidence.tables.statistic import f1_of_rates, mean_of_rates, npv_of_rates, precision_of_rates

ZAKI = Source("zaki2014", "22.1.1")
ZAKI_TWO = Source("zaki2014", "22.1.2")


@measure(
    better="lower",
    unit="rate",
    out_of="all",
    told_of=("group",),
    needs_labels=False,
    source=Source("zaki2014", "(22.1)"),
)
def error_rate(table: Contingency) -> Counts:
    """Examples whose predicted label is not the actual one."""
    return Counts(table.errors, table.n)


@measure(better="higher", unit="rate", out_of="all", needs_labels=False, source=Source("zaki2014", "(22.2)"))
def accuracy(table: Contingency) -> Counts:
    """Examples whose predicted label is the actual one."""
    return Counts(table.n - table.errors, table.n)


@measure(
    better="higher",
    unit="rate",
    out_of="predicted",
    of_rates=precision_of_rates,
    told_of=("class", "group"),
    per_class=True,
    source=ZAKI,
    aliases=("class-accuracy", "ppv", "positive-predictive-value"),
)
def precision(table: Contingency) -> Counts:
    """Examples truly of the class, out of those predicted as such."""
    return Counts(table.hits, table.predicted)


@measure(
    better="higher",
    unit="rate",
    out_of="actual",
    of_mix=None,
    told_of=("class", "group"),
    per_class=True,
    source=ZAKI,
    aliases=("sensitivity", "true-positive-rate", "tpr", "coverage"),
)
def recall(table: Contingency) -> Counts:
    """Examples the model finds, out of those truly of the class."""
    return Counts(table.hits, table.actual)


@measure(
    better="higher",
    unit="index",
    out_of="predicted",
    of_rates=f1_of_rates,
    told_of=("class",),
    called="F1",
    per_class=True,
    source=ZAKI,
    aliases=("f-measure", "f-score"),
)
def f1(table: Contingency) -> Overlap:
    r"""The harmonic mean of precision and recall.

    Notes
    -----
    .. math:: F = \frac{2\,n_{ii}}{n_i + m_i} = \frac{2 J}{1 + J}, \qquad J = \frac{n_{ii}}{n_i + m_i - n_{ii}}

    Given how many examples are of the class or predicted as such, those that are both are binomial with the
    probability J: a limit on J is a limit on F, at every sample size (Lam 2023).
    """
    return Overlap(table.hits, table.actual + table.predicted - table.hits)


@measure(
    better="higher",
    unit="rate",
    out_of="actual",
    of_mix="others",
    per_class=True,
    of_found="lower",
    source=ZAKI_TWO,
    aliases=("true-negative-rate", "tnr"),
)
def specificity(table: Contingency) -> Counts:
    """Examples not predicted as the class, out of those truly not of it."""
    others = table.n[..., None] - table.actual
    return Counts(others - (table.predicted - table.hits), others)


@measure(
    better="lower",
    unit="rate",
    out_of="actual",
    of_mix="others",
    per_class=True,
    of_found="upper",
    source=ZAKI_TWO,
    aliases=("fpr", "fall-out"),
)
def false_positive_rate(table: Contingency) -> Counts:
    """Examples predicted as the class, out of those truly not of it."""
    return Counts(table.predicted - table.hits, table.n[..., None] - table.actual)


@measure(
    better="lower",
    unit="rate",
    out_of="actual",
    of_mix=None,
    per_class=True,
    source=ZAKI_TWO,
    aliases=("fnr", "miss-rate"),
)
def false_negative_rate(table: Contingency) -> Counts:
    """Examples the model misses, out of those truly of the class."""
    return Counts(table.actual - table.hits, table.actual)


@measure(
    better="higher",
    unit="rate",
    out_of="predicted",
    of_rates=npv_of_rates,
    called="NPV",
    per_class=True,
    of_found="lower",
    source=ZAKI_TWO,
    aliases=("negative-predictive-value",),
)
def npv(table: Contingency) -> Counts:
    """Examples truly not of the class, out of those not predicted as such."""
    rejected = table.n[..., None] - table.predicted
    return Counts(rejected - (table.actual - table.hits), rejected)


@measure(better=None, unit="rate", out_of="all", per_class=True, of_found="upper", needs_predictions=False, source=ZAKI)
def prevalence(table: Contingency) -> Counts:
    """Examples truly of the class, out of all."""
    return Counts(table.actual, table.n[..., None])


SOKOLOVA = Source("sokolova2009", "multi-class measures")


@measure(
    better="higher",
    unit="rate",
    out_of="actual",
    of_mix=None,
    of_classes="all",
    source=Source("brodersen2010", "definition"),
    aliases=("macro-recall",),
)
def balanced_accuracy(table: Contingency) -> Strata:
    r"""The mean recall over the classes.

    Notes
    -----
    .. math:: \frac{1}{K} \sum_i \frac{n_{ii}}{n_i}

    over the classes that were declared, or else, as in scikit-learn, over those that some example is truly of. A class
    that was declared and does not occur has an unknown recall; the limits are not. Given how many examples are of each
    class, the hits are independent binomials.

    Examples
    --------
    >>> iris = Contingency([[10, 0, 0], [0, 7, 5], [0, 3, 5]], ["setosa", "versicolor", "virginica"], rows="predicted")
    >>> balanced_accuracy(iris)
    Strata(mean=0.733333, parts=3, n=30)
    """
    return Strata(Counts(table.hits[..., table.truths], table.actual[..., table.truths]))


@measure(
    better="higher",
    unit="index",
    out_of="predicted",
    of_rates=mean_of_rates(precision_of_rates, by_prevalence=False),
    of_classes="all",
    source=SOKOLOVA,
)
def macro_precision(table: Contingency) -> Strata:
    r"""The mean precision over all classes.

    Notes
    -----
    .. math:: \frac{1}{K} \sum_i \frac{n_{ii}}{m_i}

    Given how many examples are predicted as each class, the hits are independent binomials. The precision of a class
    that was never predicted is unknown, and so is the mean; its limits are not.
    """
    return Strata(Counts(table.hits[..., table.classes], table.predicted[..., table.classes]))


@measure(
    better="higher",
    unit="index",
    out_of="predicted",
    of_rates=mean_of_rates(f1_of_rates, by_prevalence=False),
    of_classes="all",
    source=SOKOLOVA,
)
def macro_f1(table: Contingency) -> Proportions:
    r"""The mean F1 over all classes.

    Notes
    -----
    .. math:: \frac{1}{K} \sum_i \frac{2\,n_{ii}}{n_i + m_i}

    An error belongs to two classes, so the parts depend on each other.
    """
    hits = table.hits[..., table.classes]
    either = table.actual[..., table.classes] + table.predicted[..., table.classes] - hits
    return Proportions(Overlap(hits, either), n=table.n)


@measure(better="higher", unit="index", of_rates=mean_of_rates(precision_of_rates, by_prevalence=True), source=SOKOLOVA)
def weighted_precision(table: Contingency) -> SmoothStatistic:
    r"""The precisions of the classes, weighted by how often each class occurs.

    Notes
    -----
    .. math:: \sum_i \frac{n_i}{n} \frac{n_{ii}}{m_i}

    Unknown where a class that occurs was never predicted, of which scikit-learn says 0 and warns.
    """
    return SmoothStatistic(table, _mean_precision)


@measure(better="higher", unit="index", out_of="all", source=SOKOLOVA)
def weighted_recall(table: Contingency) -> Counts:
    r"""The recalls of the classes, weighted by how often each class occurs: the accuracy.

    Notes
    -----
    .. math:: \sum_i \frac{n_i}{n} \frac{n_{ii}}{n_i} = \frac{1}{n} \sum_i n_{ii}
    """
    return Counts(table.n - table.errors, table.n)


@measure(better="higher", unit="index", of_rates=mean_of_rates(f1_of_rates, by_prevalence=True), source=SOKOLOVA)
def weighted_f1(table: Contingency) -> SmoothStatistic:
    r"""The F1 of the classes, weighted by how often each class occurs.

    Notes
    -----
    .. math:: \sum_i \frac{n_i}{n} \frac{2\,n_{ii}}{n_i + m_i}

    No limit that holds at every sample size is offered: the weights are seen along with what they weigh, so that for K
    classes K shares and K frequencies would have to hold together. `macro-f1`, whose weights are fixed, has one.
    """
    return SmoothStatistic(table, _mean_f1)


def _mean_precision(table: Contingency) -> Array:
    return _weighted(table, table.hits, table.predicted)


def _mean_f1(table: Contingency) -> Array:
    return _weighted(table, 2 * table.hits, table.actual + table.predicted)


def _weighted(table: Contingency, part: Array, whole: Array) -> Array:
    """The shares part / whole weighted by the actual classes; NaN where one that counts is undefined."""
    occurs, n = np.real(table.actual) > 0, np.asarray(table.n)
    shares = _quotient(part, whole)
    return _quotient(np.sum(np.where(occurs, table.actual * shares, 0.0), axis=-1), n)


def _quotient(part: Array, whole: Array) -> Array:
    """Part / whole, NaN where there is none; of whatever kind of numbers."""
    kind = np.result_type(part, whole, np.float64)
    return np.divide(part, whole, out=np.full(np.shape(whole), np.nan, kind), where=np.real(whole) > 0)
