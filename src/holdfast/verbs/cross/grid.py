"""What is trained: a learner, perhaps one that chooses its parameters inside the training part, and in which words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from holdfast.errors import HoldfastError, UnknownName
from holdfast.report.facts.training import Estimator, Preparation
from holdfast.resampling.given import count
from holdfast.training.learner import Learner
from holdfast.training.preparation import Prepared

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
    step, learner = estimator.steps[-1] if hasattr(estimator, "steps") else ("", estimator)
    found = next((each for each in (name, f"{step}__{name}") if each in known), None)
    if found is None:
        inside = learner.get_params() if hasattr(learner, "get_params") else ()
        raise UnknownName(
            f"parameter of {type(learner).__name__}", name, sorted({*known, *inside}), sorted(inside or known)
        )
    return found


def trained(learner: Learner, ready: Prepared) -> dict[str, Any]:
    """What every report of training says of what was trained, and on what."""
    parts, changed = learner.to_dict(), ready.encoded or ready.imputed
    grid = None if parts["grid"] is None else {name: tuple(values) for name, values in parts["grid"].items()}
    return {
        "learner": str(learner),
        "estimator": Estimator(parts["name"], parts["parameters"], grid),
        "prepared": Preparation(ready.encoded, ready.imputed) if changed else None,
    }
