"""Learners that no well-kept library has, as scikit-learn estimators.

They need the extra: pip install 'holdfast[train]'. Each is imported on first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from holdfast.errors import HoldfastError

if TYPE_CHECKING:
    from holdfast.learners.bagging import MajorityBagging
    from holdfast.learners.boosting import ResamplingAdaBoost
    from holdfast.learners.decision_list import DecisionList
    from holdfast.learners.set_covering import SetCoveringMachine

__all__ = ["DecisionList", "MajorityBagging", "ResamplingAdaBoost", "SetCoveringMachine"]

_HOMES = {
    "DecisionList": "decision_list",
    "MajorityBagging": "bagging",
    "ResamplingAdaBoost": "boosting",
    "SetCoveringMachine": "set_covering",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] != "sklearn":
            raise
        raise HoldfastError(f"{name} needs scikit-learn, of the extra train: pip install 'holdfast[train]'.") from None


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
