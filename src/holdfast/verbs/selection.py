"""Choosing parameters inside the training part, so that what is tested never had a say in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from holdfast.errors import HoldfastError, UnknownName
from holdfast.resampling.given import count

INNER = 5  # folds of the inner cross-validation, unless told


def chosen_inside(estimator: Any, grid: Mapping[str, Sequence[Any]], inner: int, seed: int) -> Any:
    """An estimator that chooses among the grid by a cross-validation of its own, and then trains on all it was given.

    That is scikit-learn's grid search: what is new is only that it stands inside each training part.
    """
    from sklearn.model_selection import GridSearchCV, KFold

    if not isinstance(grid, Mapping) or not grid:
        raise HoldfastError(f"grid= (--grid) takes the values to try by the name of each parameter; got {grid!r}.")
    tried = {}
    for name, values in grid.items():
        if isinstance(values, (str, bytes)) or not hasattr(values, "__len__") or not len(values):
            raise HoldfastError(f"grid= (--grid) needs a list of values for {name}; got {values!r}.")
        tried[parameter_of(estimator, name)] = list(values)
    folds = KFold(count("inner, the folds that choose,", inner, 2), shuffle=True, random_state=seed)
    return GridSearchCV(estimator, tried, cv=folds, error_score="raise")


def parameter_of(estimator: Any, name: str) -> str:
    """The parameter of that name; of a pipeline, that of its last step will do.

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> parameter_of(make_pipeline(StandardScaler(), DecisionTreeClassifier()), "max_depth")
    'decisiontreeclassifier__max_depth'
    """
    known = estimator.get_params()
    last = f"{estimator.steps[-1][0]}__{name}" if hasattr(estimator, "steps") else name
    found = next((each for each in (name, last) if each in known), None)
    if found is None:
        raise UnknownName(f"parameter of {type(estimator).__name__}", name, sorted(known))
    return found
