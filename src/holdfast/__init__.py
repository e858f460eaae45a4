"""What your hold-out set lets you hold fast to.

Questions, each answered by one verb: how wrong is my classifier (`assess`, or `bound` from counts alone), may it be
shipped (`gate`), at which threshold (`threshold`), is it still as good (`monitor`), is another one better (`compare`),
how much data would settle it (`plan`), what if there is no test set to spare (`cross_assess`), what are several models
worth together (`panel`), or their vote (`committee`), or a model that has no labels (`infer`), does a method keep its
promise (`verify`). Names are imported on first use, so `import holdfast` is cheap.

pytest reads its plugin from here before any test; it need not look into this file for assertions: PYTEST_DONT_REWRITE
"""

from __future__ import annotations

import sys
from importlib import import_module
from inspect import isfunction
from types import ModuleType
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from holdfast import displays, testing
    from holdfast.catalog import Bound, Measure, Procedure, measures, methods, procedures
    from holdfast.claims import Assumption, Claim, Coverage, Guarantee, PValue, Source
    from holdfast.errors import HoldfastError
    from holdfast.evidence import Contingency, Counts, Losses, Scores
    from holdfast.evidence.costs import Costs
    from holdfast.evidence.folds.folds import Folds
    from holdfast.predictions import Predictions
    from holdfast.predictions.design import Design
    from holdfast.report import Answer, Decision, Line, Plan, Report, Verdict
    from holdfast.report.decision import Threshold
    from holdfast.selection.bands import Curve, precision_recall, roc
    from holdfast.sources import read
    from holdfast.sources.conditions import read_conditions
    from holdfast.sources.costs import read_costs
    from holdfast.sources.models.folds import read_folds
    from holdfast.sources.models.models import read_unlabelled
    from holdfast.verbs.assess.assess import assess
    from holdfast.verbs.assess.estimator import assess_estimator
    from holdfast.verbs.bound import bound, every_bound, p_value
    from holdfast.verbs.compare.compare import compare
    from holdfast.verbs.compare.datasets import compare_datasets
    from holdfast.verbs.cross.cross_assess import CrossAssessment, cross_assess
    from holdfast.verbs.cross.decompose import decompose
    from holdfast.verbs.cross.learning_curve import learning_curve
    from holdfast.verbs.doctor import doctor
    from holdfast.verbs.gate.gate import gate
    from holdfast.verbs.ledger.ledger import Ledger
    from holdfast.verbs.panel.committee import committee
    from holdfast.verbs.panel.infer import infer
    from holdfast.verbs.panel.models import Panel, read_models
    from holdfast.verbs.panel.panel import panel
    from holdfast.verbs.plan import plan
    from holdfast.verbs.stream.duel import Duel, sequential
    from holdfast.verbs.stream.monitor import Monitor, monitor
    from holdfast.verbs.threshold.threshold import threshold
    from holdfast.verify import coverage, coverage_curves, verify, worst_coverage

_HOME = {
    "Answer": "report",
    "Assumption": "claims",
    "Bound": "catalog",
    "Claim": "claims",
    "Contingency": "evidence",
    "Costs": "evidence.costs",
    "Counts": "evidence",
    "Coverage": "claims",
    "CrossAssessment": "verbs.cross.cross_assess",
    "Curve": "selection.bands",
    "Decision": "report",
    "Design": "predictions.design",
    "Duel": "verbs.stream.duel",
    "Folds": "evidence.folds.folds",
    "Guarantee": "claims",
    "HoldfastError": "errors",
    "Ledger": "verbs.ledger.ledger",
    "Line": "report",
    "Losses": "evidence",
    "Measure": "catalog",
    "Monitor": "verbs.stream.monitor",
    "PValue": "claims",
    "Panel": "verbs.panel.models",
    "Plan": "report",
    "Predictions": "predictions",
    "Procedure": "catalog",
    "Report": "report",
    "Scores": "evidence",
    "Source": "claims",
    "Threshold": "report.decision",
    "Verdict": "report",
    "assess": "verbs.assess.assess",
    "assess_estimator": "verbs.assess.estimator",
    "bound": "verbs.bound",
    "committee": "verbs.panel.committee",
    "compare": "verbs.compare.compare",
    "compare_datasets": "verbs.compare.datasets",
    "coverage": "verify",
    "coverage_curves": "verify",
    "cross_assess": "verbs.cross.cross_assess",
    "decompose": "verbs.cross.decompose",
    "doctor": "verbs.doctor",
    "every_bound": "verbs.bound",
    "gate": "verbs.gate.gate",
    "infer": "verbs.panel.infer",
    "learning_curve": "verbs.cross.learning_curve",
    "measures": "catalog",
    "methods": "catalog",
    "monitor": "verbs.stream.monitor",
    "p_value": "verbs.bound",
    "panel": "verbs.panel.panel",
    "plan": "verbs.plan",
    "precision_recall": "selection.bands",
    "procedures": "catalog",
    "read": "sources",
    "read_conditions": "sources.conditions",
    "read_costs": "sources.costs",
    "read_folds": "sources.models.folds",
    "read_models": "verbs.panel.models",
    "read_unlabelled": "sources.models.models",
    "roc": "selection.bands",
    "sequential": "verbs.stream.duel",
    "threshold": "verbs.threshold.threshold",
    "verify": "verify",
    "worst_coverage": "verify",
}

__all__ = [
    "Answer",
    "Assumption",
    "Bound",
    "Claim",
    "Contingency",
    "Costs",
    "Counts",
    "Coverage",
    "CrossAssessment",
    "Curve",
    "Decision",
    "Design",
    "Duel",
    "Folds",
    "Guarantee",
    "HoldfastError",
    "Ledger",
    "Line",
    "Losses",
    "Measure",
    "Monitor",
    "PValue",
    "Panel",
    "Plan",
    "Predictions",
    "Procedure",
    "Report",
    "Scores",
    "Source",
    "Threshold",
    "Verdict",
    "assess",
    "assess_estimator",
    "bound",
    "committee",
    "compare",
    "compare_datasets",
    "coverage",
    "coverage_curves",
    "cross_assess",
    "decompose",
    "displays",
    "doctor",
    "every_bound",
    "gate",
    "infer",
    "learning_curve",
    "measures",
    "methods",
    "monitor",
    "p_value",
    "panel",
    "plan",
    "precision_recall",
    "procedures",
    "read",
    "read_conditions",
    "read_costs",
    "read_folds",
    "read_models",
    "read_unlabelled",
    "roc",
    "sequential",
    "testing",
    "threshold",
    "verify",
    "worst_coverage",
]


class _House(ModuleType):
    """The package: where a verb and a module share a name, such as measures, the verb is what it offers."""

    def __setattr__(self, name: str, value: object) -> None:
        if not (isinstance(value, ModuleType) and name in _HOME):  # Python says it of every module it has imported
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _House


def __getattr__(name: str) -> Any:
    if name in ("displays", "testing"):  # modules of their own: what a plot and a test-suite call
        return import_module(f"holdfast.{name}")
    if name not in _HOME:
        raise AttributeError(f"module 'holdfast' has no attribute {name!r}")
    value = getattr(import_module(f"holdfast.{_HOME[name]}"), name)
    if isfunction(value):  # whose signature says what may be given
        value = import_module("holdfast.arguments").checked(value)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
