"""How wrong is this estimator, really? Its predictions for X beside the true y, assessed like any other."""

from __future__ import annotations

from typing import Any

import numpy as np

from holdfast.arguments import checked
from holdfast.errors import HoldfastError, UnknownName
from holdfast.evidence import Array
from holdfast.predictions import Predictions
from holdfast.predictions.coded import spelled
from holdfast.report import Report
from holdfast.training.fit import LOWEST
from holdfast.training.given import by_pairs
from holdfast.verbs.assess.assess import assess
from holdfast.wording import brief

BESIDE = ("groups", "clusters", "margin", "missing")  # options that belong to the rows
TOLD = (str, int, float)  # options short enough to be told in the provenance


def assess_estimator(estimator: Any, X: Any, y: Any, **options: Any) -> Report:  # scikit-learn's name
    """What the test set X, y lets you claim about a fitted scikit-learn classifier, or anything that acts like one.

    Parameters
    ----------
    estimator
        Has `predict`; with `predict_proba`, or else `decision_function`, and `classes_`, its scores are assessed too.
        It must not have seen X and y while it was fitted.
    X, y
        What it is to predict from, and the true labels.
    options
        Those of `assess`, `labels` among them, which may list more than the estimator knows. Of two classes the
        positive one is by default the second, as everywhere in scikit-learn.

    Examples
    --------
    >>> class Threshold:
    ...     classes_ = ["low", "high"]
    ...     def predict(self, X):
    ...         return ["high" if x > 0 else "low" for x in X]
    ...     def decision_function(self, X):
    ...         return np.asarray(X)
    >>> report = assess_estimator(Threshold(), [-2.0, -1.0, 1.0, 3.0], ["low", "low", "low", "high"])
    >>> print(report["error-rate"])
    0.250 [0.006, 0.806], clopper-pearson, 95 %, holds at every sample size
    >>> print(report["auc", "high"].estimate)
    1.0
    """
    kind = type(estimator).__name__
    predicted, scores, classes = predictions_of(estimator, X)
    beside = {name: options.pop(name) for name in BESIDE if name in options}
    if scores is not None and len(classes) == 2:
        if options.get("positive") is None:
            options["positive"] = options.pop("pos_label", None)
        place = 1 if options["positive"] is None else place_of(options["positive"], classes)
        options["positive"] = classes[place]
        scores = scores[:, place] if scores.ndim == 2 else scores if place else -scores
    elif scores is not None:
        names = [spelled(each) for each in classes]
        others = [each for each in options.get("labels") or () if spelled(each) not in names]
        lowest = 0.0 if hasattr(estimator, "predict_proba") else LOWEST  # of a label that it never saw
        scores, classes = np.pad(scores, ((0, 0), (0, len(others))), constant_values=lowest), [*classes, *others]
    rows = Predictions.from_arrays(y, predicted, scores, labels=classes or None, **beside)
    words = ", ".join(f"{name}={value!r}" for name, value in options.items() if isinstance(value, TOLD))
    return checked(assess)(rows, **options).with_command(
        f"holdfast.assess_estimator({', '.join(filter(None, [kind, words]))})"
    )


def predictions_of(estimator: Any, X: Any) -> tuple[Any, Array | None, list[Any]]:
    """What the estimator predicts, its scores, and the classes that they speak for.

    The scores are a column a class; of two classes also one number a row, for the second. Where it has none, or none
    that belong to a class, there are no scores and no classes.
    """
    _check(estimator)
    predicted = _asked(estimator, "predict", X)
    if np.ndim(predicted) > 1 and np.shape(predicted)[1] != 1:
        raise HoldfastError(
            f"{type(estimator).__name__} predicts {np.shape(predicted)[1]:,} labels a row; assess one output at a time "
            "with hf.assess(truth, predicted)."
        )
    way = next((name for name in ("predict_proba", "decision_function") if hasattr(estimator, name)), None)
    if way is None:
        return predicted, None, []
    scores, classes = np.asarray(_asked(estimator, way, X), np.float64), _classes(estimator, way)
    if scores.ndim == 2 and scores.shape[1] == 1:
        scores = scores[:, 0]
    fits = scores.shape[1] == len(classes) if scores.ndim == 2 else len(classes) == 2
    fits = fits and not (way == "decision_function" and len(classes) > 2 and by_pairs(estimator))
    # A column a pair of classes, or the one class that was there to be fitted, ranks no class against the others.
    return (predicted, scores, classes) if fits and len(classes) > 1 else (predicted, None, [])


def _check(estimator: Any) -> None:
    name = type(estimator).__name__
    if isinstance(estimator, type):
        raise HoldfastError(
            f"{estimator.__name__} is a class; make one and fit it first: {estimator.__name__}().fit(X_train, y_train)."
        )
    if not callable(getattr(estimator, "predict", None)):
        raise HoldfastError(f"assess_estimator needs an estimator with predict; {name} has none.")
    kind = _kind(estimator)
    if kind not in (None, "classifier"):
        raise HoldfastError(
            f"{name} is a {str(kind).replace('_', ' ')}, and what is assessed here are classifiers: their predictions "
            "are right or wrong."
        )


def _kind(estimator: Any) -> str | None:
    """What scikit-learn takes it for: newer estimators say it by a tag, older ones by an attribute."""
    tags = getattr(estimator, "__sklearn_tags__", None)
    kind = getattr(tags(), "estimator_type", None) if callable(tags) else None
    return kind if kind is not None else getattr(estimator, "_estimator_type", None)


def _asked(estimator: Any, name: str, X: Any) -> Any:
    """What the estimator answers; that it is not fitted, in our words."""
    try:
        return getattr(estimator, name)(X)
    except Exception as error:
        kind = type(estimator).__name__
        if type(error).__name__ != "NotFittedError":  # scikit-learn's, which need not be installed
            raise HoldfastError(
                f"{name} of this {kind} fails on these examples: {type(error).__name__}: {brief(error)}"
            ) from error
        raise HoldfastError(
            f"This {kind} is not fitted yet: call fit first, on examples that are not among these."
        ) from None


def _classes(estimator: Any, way: str) -> list[Any]:
    classes = getattr(estimator, "classes_", None)
    if classes is None:
        raise HoldfastError(
            f"{type(estimator).__name__} has {way} but no classes_, so that nobody knows which label a score speaks "
            "for: use hf.assess(truth, predicted, score, positive=...)."
        )
    return [each.item() if isinstance(each, np.generic) else each for each in classes]


def place_of(positive: object, classes: list[Any]) -> int:
    names = [spelled(each) for each in classes]
    if spelled(positive) not in names:
        raise UnknownName("class of the estimator", positive, names)
    return names.index(spelled(positive))
