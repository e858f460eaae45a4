"""Rates read off a contingency table: each is a count of events in a count of trials."""

from __future__ import annotations

from holdfast.catalog import measure
from holdfast.claims import Source
from holdfast.evidence import Contingency, Counts, Overlap
from holdfast.evidence.tables.prevalence import f1_of_rates, npv_of_rates, precision_of_rates

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
