"""Results of cross-validation, fold by fold, and what they say about the difference of two models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from itertools import combinations
from typing import Literal, Self, get_args

import numpy as np
from numpy.typing import ArrayLike

from holdfast.arguments import check
from holdfast.errors import InvalidEvidence, UnknownName
from holdfast.evidence.evidence import ROUNDING, Need
from holdfast.evidence.folds.values import FoldValues, RepeatedValues, rows_of, sizes_of
from holdfast.evidence.value import Array, Differences, Integers, Scale, Value, numbers, shown, whole

Scheme = Literal["kfold", "repeated", "5x2", "resampled", "bootstrap"]
Better = Literal["lower", "higher"]


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Folds(Value):
    """What each model scored on each fold, all models being trained and tested on the same examples.

    Parameters
    ----------
    values
        By the name of each model its results: one per fold, or, where cross-validation was repeated, one row per
        repeat.
    n_train, n_test
        How many examples a fold is trained and tested on: one number, or one per fold. They may be left out where the
        scheme says what matters, which part of the examples is tested on.
    scheme
        "kfold", "repeated" (k folds, several times), "5x2" (two halves, five times), "resampled" (random splits) or
        "bootstrap". By default what the shape says: "kfold" for one row, "5x2" for five rows of two, or "repeated".
    measure, better, low, high
        What the results are, which way is better, and the range they lie in by their nature.

    Examples
    --------
    >>> folds = Folds({"naive": [7/30, 8/30, 3/30, 12/30, 9/30], "full": [6/30, 6/30, 5/30, 10/30, 7/30]}, n_test=30)
    >>> folds
    Folds(2 models, kfold, 5 folds, error-rate)
    >>> folds.difference("naive", "full")
    FoldDifferences(5 folds, mean=0.0333333)
    """

    models: tuple[str, ...]
    values: Array  # (models, repeats, folds)
    n_train: Integers | None  # (repeats, folds)
    n_test: Integers | None
    scheme: Scheme
    measure: str
    better: Better
    low: float
    high: float

    def __init__(
        self,
        values: Mapping[str, ArrayLike],
        *,
        n_train: ArrayLike | None = None,
        n_test: ArrayLike | None = None,
        scheme: Scheme | None = None,
        measure: str = "error-rate",
        better: Better = "lower",
        low: float = 0.0,
        high: float = 1.0,
    ) -> None:
        if not isinstance(values, Mapping) or not values:
            raise InvalidEvidence(f"Folds needs the results of each model by its name; got {shown(values)}.")
        for name, given, kind in (
            *(("low", low, float), ("high", high, float), ("measure", measure, str)),
            *(("better", better, Better), ("scheme", scheme, Scheme | None)),
        ):
            check("hf.Folds", name, given, kind)
        if better not in get_args(Better):
            raise UnknownName("way of being better", better, get_args(Better))
        scale, models = Scale.stated("Folds needs", low, high), tuple(str(name) for name in values)
        if len(set(models)) < len(models):
            raise InvalidEvidence("Folds needs a name of its own for each model; two are called the same.")
        results = _stacked(models, values)
        outside = (results < low) | (results > high)
        if outside.any():
            model, _, _ = np.unravel_index(np.argmax(outside), outside.shape)
            raise InvalidEvidence(
                f"The results of {models[model]} should lie in [{low:g}, {high:g}]; one is "
                f"{results[outside][0]:.15g}. State the measure's own range by `low=, high=` (--measure NAME)."
            )
        shape = results.shape[1:]
        scheme = _scheme(scheme, *shape)
        trained, tested = sizes_of("n_train", n_train, shape), sizes_of("n_test", n_test, shape)
        if scheme in ("resampled", "bootstrap") and (trained is None or tested is None):
            raise InvalidEvidence(
                f"With the scheme {scheme!r}, only n_train= and n_test= say how much the splits have in common; "
                "give both."
            )
        self._set(models=models, values=results, n_train=trained, n_test=tested, scheme=scheme)
        self._set(measure=measure, better=better, low=scale.low, high=scale.high)

    @classmethod
    def from_errors(
        cls,
        errors: Mapping[str, ArrayLike],
        n_test: ArrayLike,
        n_train: ArrayLike | None = None,
        scheme: Scheme | None = None,
    ) -> Self:
        """From the number of errors of each model on each fold.

        Examples
        --------
        >>> Folds.from_errors({"naive": [7, 8, 3, 12, 9], "full": [6, 6, 5, 10, 7]}, 30).values[:, 0, 0]
        array([0.23333333, 0.2       ])
        """
        tested = whole("n_test, the number of examples tested on,", n_test)
        counts = {name: whole(f"The number of errors of {name}", given) for name, given in errors.items()}
        for name, wrong in counts.items():
            try:
                possible = bool(np.all(wrong <= tested) and np.all(tested > 0))
            except ValueError:
                possible = False
            if not possible:
                raise InvalidEvidence(f"Each fold of {name} needs 0 <= errors <= n_test, and n_test of at least 1.")
        rates = {name: wrong / tested for name, wrong in counts.items()}
        return cls(rates, n_train=n_train, n_test=n_test, scheme=scheme)

    @property
    def repeats(self) -> int:
        return int(self.values.shape[1])

    @property
    def folds(self) -> int:
        """How many folds each repeat has."""
        return int(self.values.shape[2])

    @property
    def examples(self) -> int | None:
        """How many there are in all, where that is known."""
        if self.n_train is None or self.n_test is None:
            return None if self.n_test is None else int(self.n_test[0].sum())
        sizes = {"bootstrap": self.n_train[0, 0], "resampled": self.n_train[0, 0] + self.n_test[0, 0]}
        return int(sizes.get(self.scheme, self.n_test[0].sum()))

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Each two models, in their order."""
        return list(combinations(self.models, 2))

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of the models' names and results."""
        digest = sha256("\0".join(self.models).encode())
        digest.update(np.ascontiguousarray(self.values, "<f8").tobytes())
        return digest.hexdigest()

    def difference(self, first: str, second: str) -> FoldDifferences:
        """First minus second, fold by fold."""
        return self._minus(self._place(first), self._place(second))

    def differences(self) -> FoldDifferences:
        """First minus second of all pairs at once, in the order of `pairs`."""
        first, second = np.triu_indices(len(self.models), 1)
        return self._minus(first, second)

    def _minus(self, first: Integers | int, second: Integers | int) -> FoldDifferences:
        kind = {"5x2": FiveByTwo, "repeated": RepeatedDifferences}.get(self.scheme, FoldDifferences)
        return kind(self.values[first] - self.values[second], self.n_train, self.n_test, self.high - self.low)

    def _place(self, model: str) -> int:
        if model not in self.models:
            raise UnknownName("model", model, self.models)
        return self.models.index(model)

    def __repr__(self) -> str:
        several = f"{self.repeats} times " if self.repeats > 1 else ""
        return f"Folds({len(self.models)} models, {self.scheme}, {several}{self.folds} folds, {self.measure})"


def _stacked(models: tuple[str, ...], values: Mapping[str, ArrayLike]) -> Array:
    rows = [np.atleast_2d(numbers(str(name), given)) for name, given in values.items()]
    for name, row in zip(models, rows, strict=True):
        if row.ndim > 2 or not row.size:
            raise InvalidEvidence(
                f"{name} needs one result a fold, or a row of them a repeat; got {rows_of(*row.shape)}."
            )
        if row.shape != rows[0].shape:
            raise InvalidEvidence(
                f"{name} has {rows_of(*row.shape)} and {models[0]} has {rows_of(*rows[0].shape)}; every model "
                "needs a result on every fold."
            )
    return np.stack(rows)


def _scheme(given: Scheme | None, repeats: int, folds: int) -> Scheme:
    if given is None:
        given = "kfold" if repeats == 1 else "5x2" if (repeats, folds) == (5, 2) else "repeated"
    if given not in get_args(Scheme):
        raise UnknownName("scheme", given, get_args(Scheme))
    fitting = {
        "kfold": repeats == 1 and folds > 1,
        "repeated": repeats > 1 and folds > 1,
        "5x2": (repeats, folds) == (5, 2),
        "resampled": repeats == 1,
        "bootstrap": repeats == 1,
    }
    if not fitting[given]:
        needed = {"kfold": "one row of two folds or more", "repeated": "several rows of two folds or more"}
        needed["5x2"] = "five rows of two"
        raise InvalidEvidence(
            f"The scheme {given!r} needs {needed.get(given, 'one row of splits')}; got {rows_of(repeats, folds)}."
        )
    return given


@dataclass(frozen=True, eq=False, init=False, repr=False)
class FoldDifferences(FoldValues):
    """How much larger the result of the first model is than that of the second, on each fold.

    The folds lie along the last axis, repeats along the one before; what stands before these is pairs of models.
    `width` is that of the range of either model's results, so that differences lie between minus and plus `width`.
    """

    _called = "differences"

    def __init__(
        self,
        values: ArrayLike,
        n_train: ArrayLike | None = None,
        n_test: ArrayLike | None = None,
        width: float = 1.0,
    ) -> None:
        super().__init__(values, n_train, n_test, -width, width)
        self._set(scale=Differences.of(float(width)))

    @property
    def width(self) -> float:
        return float(self.scale.high)

    @property
    def same(self) -> Array:
        """Where no fold tells the two models apart."""
        return np.abs(self.offsets).max(axis=(-2, -1)) <= ROUNDING

    @property
    def offers(self) -> frozenset[Need]:
        return super().offers - {Need.ONE_MODEL}


@dataclass(frozen=True, eq=False, init=False, repr=False)
class RepeatedDifferences(FoldDifferences, RepeatedValues):
    """Differences of k folds, several times over: one row per repeat."""


@dataclass(frozen=True, eq=False, init=False, repr=False)
class FiveByTwo(RepeatedDifferences):
    """Differences on two halves, each trained on the other, five times over."""

    def __init__(
        self,
        values: ArrayLike,
        n_train: ArrayLike | None = None,
        n_test: ArrayLike | None = None,
        width: float = 1.0,
    ) -> None:
        super().__init__(values, n_train, n_test, width)
        if self.values.shape[-2:] != (5, 2):
            raise InvalidEvidence(f"FiveByTwo needs five rows of two folds; got {rows_of(*self.values.shape[-2:])}.")

    @property
    def within(self) -> Array:
        """The variance of both halves of a repeat, averaged over the repeats; NaN where they never differ."""
        apart = self.offsets[..., 0] - self.offsets[..., 1]
        square = np.mean(apart * apart, axis=-1) / 2
        return np.where(np.abs(apart).max(axis=-1) > ROUNDING, square, np.nan)
