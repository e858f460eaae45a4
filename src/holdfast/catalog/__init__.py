"""The catalog: bounds and measures, each declared where it is written and found here by name."""

from holdfast.catalog.bound import ALWAYS, MEASURES, OUTWARD, Bound, Formula, find, method, methods
from holdfast.catalog.measure import Limit, Measure, find_measure, measure, measures

__all__ = [
    "ALWAYS",
    "MEASURES",
    "OUTWARD",
    "Bound",
    "Formula",
    "Limit",
    "Measure",
    "find",
    "find_measure",
    "measure",
    "measures",
    "method",
    "methods",
]
