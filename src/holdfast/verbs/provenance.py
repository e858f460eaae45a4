"""A call as one would write it, for the provenance of what it answered."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import cache
from inspect import signature
from typing import Any

import numpy as np

from holdfast.catalog import Bound, Measure
from holdfast.evidence.costs import Costs

LONGEST = 400  # characters of one option: a matrix of costs of many labels is not written out


def called(verb: Callable[..., Any], given: Mapping[str, Any], without: Collection[str]) -> str:
    """The call with every option that is not at its default, and without the rows.

    Examples
    --------
    >>> def judge(rows, bins=None, side="both"): ...
    >>> called(judge, {"rows": [1, 2], "bins": np.array([0, 0.5, 1]), "side": "both"}, without=["rows"])
    'holdfast.judge(bins=[0.0, 0.5, 1.0])'
    """
    usual = _defaults(verb)
    told = {name: _written(value) for name, value in given.items() if name not in without and value is not usual[name]}
    options = ", ".join(f"{name}={text}" for name, text in told.items() if text != _written(usual[name]))
    return f"holdfast.{verb.__name__}({options})"


@cache
def _defaults(verb: Callable[..., Any]) -> dict[str, Any]:
    return {name: option.default for name, option in signature(verb).parameters.items()}


def _written(value: Any) -> str:
    text = repr(_plain(value))
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def _plain(value: Any) -> Any:
    """The value in words that Python itself has."""
    if isinstance(value, (Bound, Measure)):
        return value.name
    if isinstance(value, Costs):
        return {"labels": list(value.labels), "rows": "predicted", "matrix": value.matrix.tolist()}
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if isinstance(value, Mapping):
        return {_plain(key): _plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    return value
