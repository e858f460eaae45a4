"""What is handed in to be trained and on what: checked once, then trusted."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast.errors import HoldfastError, InvalidEvidence
from holdfast.predictions.arrays import read_labels
from holdfast.predictions.coded import kind, spelled
from holdfast.tally.labels import ordered
from holdfast.wording import brief, quoted

Codes = NDArray[np.int32]
NEEDED = ("get_params", "fit", "predict")


def checked(estimator: Any) -> Any:
    """An unfitted copy of the classifier; what cannot be one is refused."""
    try:
        from sklearn.base import clone
    except ImportError:
        raise HoldfastError("Training needs scikit-learn: pip install 'holdfast[train]'.") from None
    name = named(estimator)
    if inspect.isclass(estimator):
        raise HoldfastError(f"The estimator is the class {name} itself; make one of it: {name}().")
    lacking = [method for method in NEEDED if not callable(getattr(estimator, method, None))]
    if lacking:
        advice = " It is a function: call it, and give what it makes." if inspect.isroutine(estimator) else ""
        raise HoldfastError(
            f"The estimator should be a scikit-learn classifier, with {', '.join(NEEDED)}; {name} has no "
            f"{' and no '.join(lacking)}.{advice}"
        )
    if _regressor(estimator):
        raise HoldfastError(
            f"{name} is a regressor: it predicts numbers, and errors are counted on labels. Give a classifier."
        )
    try:
        return clone(estimator)
    except Exception as error:
        raise HoldfastError(
            f"scikit-learn cannot copy {name}, which every split needs fresh ({brief(error)}). "
            "Its __init__ should keep each parameter as it is, under its own name."
        ) from error


def named(estimator: Any) -> str:
    """What an estimator, or its class, is called."""
    called = estimator if inspect.isclass(estimator) or inspect.isroutine(estimator) else type(estimator)
    return str(called.__name__)


def told(estimator: Any) -> str:
    """The estimator with its parameters, on one line."""
    return brief(" ".join(repr(estimator).split()), 300)


def _regressor(estimator: Any) -> bool:
    from sklearn.base import is_regressor

    try:
        return bool(is_regressor(estimator))
    except Exception:  # it merely acts like an estimator of scikit-learn, and has none of its tags
        return getattr(estimator, "_estimator_type", None) == "regressor"


def labelled(y: Any, rows: int) -> tuple[NDArray[Any], Codes]:
    """The distinct labels in sorted order, and the place among them of each row's."""
    column = read_labels("y", y)
    if len(column) != rows:
        raise InvalidEvidence(f"y has {len(column):,} labels and the plan {rows:,} rows; they should be of one length.")
    if column.missing:
        row = int(np.argmax(column.codes < 0))
        raise InvalidEvidence(
            f"y misses {column.missing:,} of {rows:,} labels, the first in row {row}. "
            "Leave out the rows without a label."
        )
    values = column.distinct
    fractions = column.placed([isinstance(value, float) and value != value // 1 for value in values], 0, np.bool_)
    if fractions.any():
        first = values[column.codes[fractions.argmax()]]
        raise InvalidEvidence(f"y should hold labels; it holds numbers such as {first}. Make classes of them.")
    return np.array(values, object if kind(values[0]) == "text" else None), column.codes


def declared_labels(y: Any, rows: int, labels: Sequence[object] | None) -> tuple[str, ...] | None:
    """The labels of examples to learn from that were declared, if any were; no others may occur."""
    if labels is None:
        return None
    return tuple(ordered({spelled(label) for label in labelled(y, rows)[0].tolist()}, labels))


def tabled(X: Any, rows: int) -> Any:  # scikit-learn's name
    """The examples, held so that rows can be taken from them."""
    if isinstance(X, (list, tuple)) and X and isinstance(X[0], (list, tuple, np.ndarray)):
        try:
            X = np.asarray(X)
        except ValueError as error:
            raise InvalidEvidence(f"The rows of X differ in length ({brief(error)}).") from None
    elif hasattr(X, "tocsr"):
        X = X.tocsr()  # other sparse kinds cannot be asked for rows
    elif hasattr(X, "collect"):
        raise InvalidEvidence(f"X is a {type(X).__name__} that is not read yet; give X.collect().")
    elif not hasattr(X, "shape") and not isinstance(X, (list, tuple)):
        if isinstance(X, (str, bytes)) or not hasattr(X, "__array__"):
            raise InvalidEvidence(f"X needs one row an example: an array or a data frame; got {quoted(X)}.")
        X = np.asarray(X)
    shape = getattr(X, "shape", None)
    length = len(X) if shape is None else shape[0] if shape else 0
    if length != rows:
        raise InvalidEvidence(f"X has {length:,} rows and y {rows:,} labels; they should be of one length.")
    return X


def taken(X: Any, places: NDArray[np.int64]) -> Any:
    """Some rows of the examples, as scikit-learn takes them."""
    if isinstance(X, np.ndarray):
        return X[places]
    from sklearn.utils import _safe_indexing

    return _safe_indexing(X, places)


def fingerprint(*data: Any) -> str:
    """The SHA-256 of arrays, sparse matrices, data frames and lists, in the order of their rows."""
    digest = sha256()
    for given in data:
        for array in _arrays(given):
            plain = np.ascontiguousarray(array)
            digest.update(f"{plain.dtype.str} {plain.shape} ".encode())
            if plain.dtype.hasobject:
                digest.update(repr(plain.tolist()).encode("utf-8", "surrogatepass"))
            elif plain.size:
                digest.update(plain.view(np.uint8).data)
    return digest.hexdigest()


def _arrays(given: Any) -> list[Any]:
    if isinstance(given, np.ndarray):
        return [given]
    if hasattr(given, "indptr"):
        return [np.array(given.shape), given.indptr, given.indices, given.data]
    if hasattr(given, "columns"):
        names = list(given.columns)
        columns = [given.iloc[:, i] if hasattr(given, "iloc") else given[name] for i, name in enumerate(names)]
        return [np.array([str(name) for name in names], object), *map(_values, columns)]
    objects = np.empty(len(given), object)
    objects[:] = list(given)
    return [objects]


def _values(column: Any) -> NDArray[Any]:
    """The values of a column; among objects None where there is none, whatever its library writes for it."""
    values = np.asarray(column)
    missing = getattr(column, "isna", None) or getattr(column, "is_null", None)
    if values.dtype.hasobject and missing is not None:
        values = values.copy()
        values[np.asarray(missing(), np.bool_)] = None
    return values


def by_pairs(estimator: Any) -> bool:
    """Whether decision_function has a column a pair of classes; of three classes that looks like a column a class."""
    parameters = estimator.get_params(deep=True) if hasattr(estimator, "get_params") else {}
    return any(name.endswith("decision_function_shape") and value == "ovo" for name, value in parameters.items())


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
