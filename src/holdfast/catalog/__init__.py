"""The catalog: bounds and measures, each declared where it is written and found here by name."""

from collections.abc import Sequence

from holdfast.catalog.bound import ALWAYS, MEASURES, OUTWARD, Bound, Formula, find, method, methods
from holdfast.catalog.measure import Limit, Measure, find_measure, measure, measure_called, measures

Methods = str | Bound | Sequence[str | Bound]  # by name, or themselves: one or several
Measures = str | Measure | Sequence[str | Measure]

__all__ = [
    "ALWAYS",
    "MEASURES",
    "OUTWARD",
    "Bound",
    "Formula",
    "Limit",
    "Measure",
    "Measures",
    "Methods",
    "find",
    "find_measure",
    "measure",
    "measure_called",
    "measures",
    "method",
    "methods",
]
