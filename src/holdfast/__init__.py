"""What your hold-out set lets you hold fast to.

Three questions, each answered by one verb: how wrong is my classifier (`bound`), how much data would settle it
(`plan`), does a method keep its promise (`verify`). Names are imported on first use, so `import holdfast` is cheap.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from holdfast.catalog import Bound, methods
    from holdfast.claims import Assumption, Claim, Coverage, Guarantee, Source
    from holdfast.errors import HoldfastError
    from holdfast.evidence import Counts, Losses
    from holdfast.report import Plan, Report
    from holdfast.verbs.bound import bound, every_bound, p_value
    from holdfast.verbs.plan import plan
    from holdfast.verify import coverage, coverage_curves, verify, worst_coverage

_HOME = {
    "Assumption": "claims",
    "Bound": "catalog",
    "Claim": "claims",
    "Counts": "evidence",
    "Coverage": "claims",
    "Guarantee": "claims",
    "HoldfastError": "errors",
    "Losses": "evidence",
    "Plan": "report",
    "Report": "report",
    "Source": "claims",
    "bound": "verbs.bound",
    "coverage": "verify",
    "coverage_curves": "verify",
    "every_bound": "verbs.bound",
    "methods": "catalog",
    "p_value": "verbs.bound",
    "plan": "verbs.plan",
    "verify": "verify",
    "worst_coverage": "verify",
}

__all__ = [
    "Assumption",
    "Bound",
    "Claim",
    "Counts",
    "Coverage",
    "Guarantee",
    "HoldfastError",
    "Losses",
    "Plan",
    "Report",
    "Source",
    "bound",
    "coverage",
    "coverage_curves",
    "every_bound",
    "methods",
    "p_value",
    "plan",
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
