"""What your hold-out set lets you hold fast to.

Three questions, each answered by one verb: how wrong is my classifier (`assess`, or `bound` from counts alone), how
much data would settle it (`plan`), does a method keep its promise (`verify`). Names are imported on first use, so
`import holdfast` is cheap.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from holdfast.bounds.bands import Curve, precision_recall, roc
    from holdfast.catalog import Bound, Measure, measures, methods
    from holdfast.claims import Assumption, Claim, Coverage, Guarantee, Source
    from holdfast.errors import HoldfastError
    from holdfast.evidence import Contingency, Counts, Losses, Scores
    from holdfast.predictions import Predictions
    from holdfast.report import Line, Plan, Report
    from holdfast.sources import read
    from holdfast.verbs.assess import assess
    from holdfast.verbs.bound import bound, every_bound, p_value
    from holdfast.verbs.plan import plan
    from holdfast.verify import coverage, coverage_curves, verify, worst_coverage

_HOME = {
    "Assumption": "claims",
    "Bound": "catalog",
    "Claim": "claims",
    "Contingency": "evidence",
    "Counts": "evidence",
    "Coverage": "claims",
    "Curve": "bounds.bands",
    "Guarantee": "claims",
    "HoldfastError": "errors",
    "Line": "report",
    "Losses": "evidence",
    "Measure": "catalog",
    "Plan": "report",
    "Predictions": "predictions",
    "Report": "report",
    "Scores": "evidence",
    "Source": "claims",
    "assess": "verbs.assess",
    "bound": "verbs.bound",
    "coverage": "verify",
    "coverage_curves": "verify",
    "every_bound": "verbs.bound",
    "measures": "catalog",
    "methods": "catalog",
    "p_value": "verbs.bound",
    "plan": "verbs.plan",
    "precision_recall": "bounds.bands",
    "read": "sources",
    "roc": "bounds.bands",
    "verify": "verify",
    "worst_coverage": "verify",
}

__all__ = [
    "Assumption",
    "Bound",
    "Claim",
    "Contingency",
    "Counts",
    "Coverage",
    "Curve",
    "Guarantee",
    "HoldfastError",
    "Line",
    "Losses",
    "Measure",
    "Plan",
    "Predictions",
    "Report",
    "Scores",
    "Source",
    "assess",
    "bound",
    "coverage",
    "coverage_curves",
    "every_bound",
    "measures",
    "methods",
    "p_value",
    "plan",
    "precision_recall",
    "read",
    "roc",
    "verify",
    "worst_coverage",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'holdfast' has no attribute {name!r}")
    value = getattr(import_module(f"holdfast.{_HOME[name]}"), name)
    globals()[name] = value  # a verb and its module may share a name: the verb wins
    return value


def __dir__() -> list[str]:
    return __all__
