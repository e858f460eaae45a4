"""Which way is better, by the name of a measure: of the catalog, or one that everybody knows."""

from __future__ import annotations

import re

from holdfast.catalog.measure import Better, measures

LONGEST_NAME = 60  # of a measure that is looked up
# Words for measures, beside those of the catalog, of which everybody knows which way is better.
HIGHER = {"acc", "auroc", "auc roc", "auc pr", "pr auc", "f1 score", "r2", "exact match", "win rate", "pass rate"}
LOWER = {
    *("error", "err", "errors", "loss", "misclassification rate", "cost", "regret", "perplexity"),
    *("mae", "mse", "rmse", "nll", "logloss", "brier loss", "zero one loss", "mean loss", "test error"),
}


def implied(measure: str | None) -> Better | None:
    """Which way is better by the name of the measure; None where it does not say so.

    Examples
    --------
    >>> implied("accuracy"), implied("Error_Rate"), implied("banana")
    ('higher', 'lower', None)
    """
    if measure is None or len(measure) > LONGEST_NAME:
        return None
    word = re.sub(r"[\s_\-.@]+", " ", measure.strip().casefold())
    for entry in measures():
        if word in (name.replace("-", " ") for name in (entry.name, *entry.aliases)):
            return entry.better
    return "higher" if word in HIGHER else "lower" if word in LOWER else None
