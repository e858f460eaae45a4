"""What is trained, in the words of whoever gave it: its name, what is not usual of it, what it chooses among."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from holdfast.errors import HoldfastError
from holdfast.training.given import named
from holdfast.wording import quoted

LONGEST_NAME = 120  # characters of a learner in a sentence
LONGEST_VALUE = 200  # of a parameter


@dataclass(frozen=True)
class Learner:
    """An estimator as a reader should know it."""

    name: str  # in a sentence: its class and what is not usual of it, or what it was called
    place: str  # where it is, as MODULE:NAME
    parameters: Mapping[str, Any] = field(default_factory=dict)  # those that are not as the class has them
    grid: Mapping[str, Sequence[Any]] = field(default_factory=dict)  # what it chooses among, in each training part

    @classmethod
    def of(
        cls,
        estimator: Any,
        called: str | None = None,
        grid: Mapping[str, Sequence[Any]] | None = None,
        varied: str | None = None,
    ) -> Learner:
        """The learner that this estimator is, called as whoever gave it does; of what is varied its own value is void.

        Examples
        --------
        >>> from sklearn.tree import DecisionTreeClassifier
        >>> tree = DecisionTreeClassifier(max_depth=3)
        >>> print(Learner.of(tree))
        DecisionTreeClassifier(max_depth=3)
        >>> print(Learner.of(DecisionTreeClassifier(), "sklearn.tree:DecisionTreeClassifier", {"max_depth": [1, 3]}))
        DecisionTreeClassifier (max_depth chosen from 1, 3)
        >>> print(Learner.of(tree, "model.py:make_model"))
        model.py:make_model
        """
        if called is not None and not (isinstance(called, str) and called.strip()):
            raise HoldfastError(
                f"name= is what the output calls the learner, such as 'my forest'; got {quoted(called)}."
            )
        void = {varied, *(grid or ())}
        kind = named(estimator)
        parameters = {name: value for name, value in _unusual(estimator).items() if name not in void}
        written = ", ".join(f"{name}={_text(value)}" for name, value in parameters.items())
        by_class = called is None or called.rpartition(":")[2] == kind  # it says no more than the class does
        name = (f"{kind}({written})" if written else kind) if by_class else str(called)
        place = called or f"{type(estimator).__module__}:{type(estimator).__qualname__}"
        return cls(_one_line(name, LONGEST_NAME), _one_line(place, LONGEST_VALUE), parameters, grid or {})

    def __str__(self) -> str:
        if not self.grid:
            return self.name
        chosen = "; ".join(f"{name} chosen from {', '.join(map(_text, each))}" for name, each in self.grid.items())
        return f"{self.name} ({_one_line(chosen, LONGEST_NAME)})"

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "name": self.place,
            "parameters": {name: _plain(value) for name, value in self.parameters.items()},
            "grid": {name: [_plain(value) for value in each] for name, each in self.grid.items()} or None,
        }


def _unusual(estimator: Any) -> dict[str, Any]:
    """The parameters that differ from what the class is made with."""
    parameters = estimator.get_params(deep=False)
    try:
        usual = {name: each.default for name, each in inspect.signature(type(estimator).__init__).parameters.items()}
    except (TypeError, ValueError):  # some that are written in C do not say
        usual = {}
    return {name: value for name, value in parameters.items() if _text(value) != _text(usual.get(name))}


def _plain(value: Any) -> Any:
    """The value as JSON has it; what JSON has not is written out."""
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, str):
        return _one_line(value, LONGEST_VALUE)
    finite = not isinstance(value, float) or np.isfinite(value)
    return value if value is None or (isinstance(value, (int, float)) and finite) else _text(value)


def _text(value: Any) -> str:
    """The value as Python writes it; where in memory it lies says nothing."""
    try:
        written = repr(value.item() if isinstance(value, np.generic) else value)
    except Exception:  # a stranger's, who does not write himself
        written = f"<{type(value).__name__}>"
    return _one_line(re.sub(r" at 0x[0-9a-fA-F]+", "", written), LONGEST_VALUE)


def _one_line(text: str, longest: int) -> str:
    line = "".join(c if c.isprintable() else " " for c in " ".join(text.split()))
    return line if len(line) <= longest else line[: longest - 1] + "…"
