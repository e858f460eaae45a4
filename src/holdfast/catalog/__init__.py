"""The catalog: bounds, procedures and measures, each declared where it is written and found here by name."""

from collections.abc import Sequence

from holdfast.catalog.bound import ALWAYS, MEASURES, OUTWARD, Bound, Formula, find, find_entry, method, methods
from holdfast.catalog.measure import Limit, Measure, find_measure, measure, measure_called, measures
from holdfast.catalog.procedure import AnyProcedure, Procedure, find_procedure, procedure, procedures

Methods = str | Bound | Sequence[str | Bound]  # by name, or themselves: one or several
Measures = str | Measure | Sequence[str | Measure]

__all__ = [
    "ALWAYS",
    "MEASURES",
    "OUTWARD",
    "AnyProcedure",
    "Bound",
    "Formula",
    "Limit",
    "Measure",
    "Measures",
    "Methods",
    "Procedure",
    "find",
    "find_entry",
    "find_measure",
    "find_procedure",
    "measure",
    "measure_called",
    "measures",
    "method",
    "methods",
    "procedure",
    "procedures",
]
