"""The set covering machine of Marchand and Shawe-Taylor, with what its training set alone lets one claim."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from numbers import Integral, Real
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_is_fitted, validate_data

from holdfast.bounds.panel import log_choices, log_share_of_size, sample_compression
from holdfast.claims import Claim, Side, chance_of_error
from holdfast.errors import HoldfastError, InvalidEvidence, UnknownName
from holdfast.evidence import Array, Integers, shown
from holdfast.evidence.pools.pool import Compressed
from holdfast.learners.balls import Ball, Mask, Views, blocks, covers, squared_distances

TYPES = ("conjunction", "disjunction")


class SetCoveringMachine(ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn is untyped
    r"""A short conjunction or disjunction of balls around training examples, found greedily.

    A ball is centred on one training example and reaches to another. A conjunction says yes where all its balls do,
    a disjunction where one does. Scale the features first where their units differ: distances are Euclidean.

    Parameters
    ----------
    type
        "conjunction" or "disjunction". A disjunction is the conjunction learned for the other class, negated.
    p
        What it costs a ball to put an example of the inner class (yes for a conjunction, no for a disjunction) on the
        wrong side, where putting one of the other class on the right side earns 1; `inf` forbids it.
    s
        The most balls; None for as many as still put an example right.

    Attributes
    ----------
    classes_ : the two classes, no and yes, in sorted order.
    n_features_in_, feature_names_in_ : as everywhere in scikit-learn.
    centres_, borders_ : row numbers of the training examples behind each ball, in the order in which it was found.
    radii_ : the balls' radii.
    kept_ : row numbers of all centres and borders: the machine can be rebuilt from these examples.

    Notes
    -----
    With inner examples P and outer ones N still undecided, each step takes the ball with the largest

    .. math:: |Q| - p |R|

    where Q are the examples of N and R those of P that the ball decides to be outer; all of them are then decided.
    Borders are inner examples. A ball around an inner example includes its border and decides what lies outside; one
    around an outer example excludes it and decides what lies inside. Of equal balls that with fewer R, then the first
    centre, then the first border is taken, so that the same rows in the same order give the same machine. It ends
    when no outer example is left, none can be gained, or s is reached; so one fit serves every smaller s
    (`shortened`, `staged_predict`).

    A step costs some operations for each pair of examples; 3 bytes are kept for each pair during training.

    References
    ----------
    marchand2002 (the machine), laviolette2005 (the claim), in docs/references.bib.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).uniform(-1, 1, (400, 2))
    >>> y = np.where((X**2).sum(axis=1) < 0.5, "in", "out")
    >>> machine = SetCoveringMachine("disjunction", s=6).fit(X, y)
    >>> print(machine.predict([[0.0, 0.1], [0.9, 0.9]]))
    ['in' 'out']
    >>> print(machine.claim(side="upper"))  # on the training examples alone
    0.0025, at most 0.0934, sample-compression, 95 %, holds at every sample size
    """

    classes_: NDArray[Any]

    def __init__(
        self,
        type: Literal["conjunction", "disjunction"] = "conjunction",  # noqa: A002  (so it is called in the literature)
        p: float = 1.0,
        s: int | None = None,
    ) -> None:
        self.type = type
        self.p = p
        self.s = s

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Find the balls."""
        penalty, most = self._checked_parameters()
        points, labels = validate_data(self, X, y, dtype=np.float64)
        inner = self._inner(labels)
        views = Views(points, inner)
        if not np.isfinite(views.farthest):
            raise InvalidEvidence(
                "The set covering machine needs distances that fit a float; the largest of these does not when "
                "squared. Divide the features by a constant."
            )
        balls, decided = _greedy(views, penalty, most)
        self._keep(balls, points, inner)
        self._evidence = self._compressed(inner, decided)
        return self

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """The class of each row."""
        return self._named(self._votes(X) > 0)

    def decision_function(self, X: ArrayLike) -> Array:
        """Above 0 for the second class, and the farther from 0 the more balls decide so: half of a ball is the line."""
        votes = self._votes(X)
        return votes - 0.5 if self._outer_class else 0.5 - votes

    def staged_predict(self, X: ArrayLike) -> Iterator[NDArray[Any]]:
        """The class of each row by the first ball alone, by the first two, and so on."""
        decided = np.logical_or.accumulate(self._deciding(X), axis=1)
        return (self._named(each) for each in decided.T)

    def shortened(self, s: int) -> Self:
        """The machine that training with this smaller s would have given."""
        check_is_fitted(self)
        short = copy(self).set_params(s=s)
        _, most = short._checked_parameters()
        size = int(min(most, len(self.centres_)))
        for name in ("centres_", "borders_", "radii_", "_squares", "_centre_points", "_centre_inner"):
            setattr(short, name, getattr(self, name)[:size])
        short.kept_ = np.union1d(short.centres_, short.borders_)
        short._evidence = self._evidence.of(slice(size + 1))
        return short

    def claim(self, confidence: float | str | None = None, *, delta: float | None = None, side: Side = "both") -> Claim:
        """What the training examples alone let one claim about the error rate on new ones.

        It holds whatever `type`, `p` and `s` were chosen on these examples and however, since it holds for all such
        machines at once. It does not hold where something else was learned from these examples first, such as a
        scaling of the features.
        """
        check_is_fitted(self)
        return sample_compression(self._evidence.of(-1), chance_of_error(confidence, delta), side)

    def staged_claim(
        self, confidence: float | str | None = None, *, delta: float | None = None, side: Side = "both"
    ) -> Claim:
        """The same for the first ball alone, for the first two, and so on, in arrays; all hold together."""
        check_is_fitted(self)
        return sample_compression(self._evidence.of(slice(1, None)), chance_of_error(confidence, delta), side)

    def _checked_parameters(self) -> tuple[float, float]:
        if self.type not in TYPES:
            raise UnknownName("type of set covering machine", self.type, TYPES)
        if isinstance(self.p, bool) or not isinstance(self.p, Real) or not float(self.p) >= 0:
            raise HoldfastError(f"p, the price of a wrong side, must be a number from 0 to inf; got {shown(self.p)}.")
        if self.s is None:
            return float(self.p), np.inf
        if isinstance(self.s, bool) or not isinstance(self.s, Integral) or self.s < 1:
            raise HoldfastError(f"s, the most balls, must be a whole number from 1 on, or None; got {shown(self.s)}.")
        return float(self.p), int(self.s)

    def _inner(self, labels: NDArray[Any]) -> Mask:
        """Which examples the balls should leave undecided; learns the classes."""
        check_classification_targets(labels)
        self.classes_, codes = np.unique(labels, return_inverse=True)
        if len(self.classes_) > 2:
            raise InvalidEvidence(
                f"Only binary classification is supported. The type of the target is {type_of_target(labels)}. "
                "For many classes use sklearn.multiclass.OneVsRestClassifier(SetCoveringMachine())."
            )
        if len(self.classes_) < 2:
            raise InvalidEvidence(
                f"The set covering machine needs examples of two classes; got one class, {self.classes_.tolist()[0]!r}."
            )
        self._outer_class = TYPES.index(self.type)  # what a ball decides for
        return np.asarray(codes != self._outer_class)

    def _keep(self, balls: list[Ball], points: Array, inner: Mask) -> None:
        self.centres_ = np.array([ball.centre for ball in balls], np.int64)
        self.borders_ = np.array([ball.border for ball in balls], np.int64)
        self.kept_ = np.union1d(self.centres_, self.borders_)
        self._squares = np.array([ball.square for ball in balls], np.float64)
        self.radii_ = np.sqrt(self._squares)
        self._centre_points, self._centre_inner = points[self.centres_], inner[self.centres_]

    def _compressed(self, inner: Mask, decided: Integers) -> Compressed:
        """The evidence behind the empty machine, the one with the first ball, and so on."""
        sizes = np.arange(len(self.centres_) + 1)
        # An example is kept from the first ball on of which it is the centre or the border.
        since = np.full(len(inner), len(sizes))
        np.minimum.at(since, np.concatenate([self.centres_, self.borders_]), np.tile(sizes[1:], 2))
        kept = since <= sizes[:, np.newaxis]
        wrong = (decided <= sizes[:, np.newaxis]) == inner
        pairs = (kept & inner).sum(axis=1) * np.maximum(kept.sum(axis=1) - 1, 0)  # a centre, and an inner border
        message = np.log(0.5) + log_share_of_size(sizes) - log_choices(pairs, sizes)
        return Compressed((wrong & ~kept).sum(axis=1), len(inner), kept.sum(axis=1), message)

    def _deciding(self, X: ArrayLike) -> Mask:
        """Which balls decide each row."""
        check_is_fitted(self)
        points = validate_data(self, X, dtype=np.float64, reset=False)
        covered = np.empty((len(points), len(self._squares)), np.bool_)
        for rows in blocks(*covered.shape):
            distances = squared_distances(points[rows], self._centre_points)
            covered[rows] = covers(distances, self._squares, self._centre_inner)
        return covered

    def _votes(self, X: ArrayLike) -> Integers:
        return self._deciding(X).sum(axis=1)

    def _named(self, decided: Mask) -> NDArray[Any]:
        return self.classes_[np.where(decided, self._outer_class, 1 - self._outer_class)]


def _greedy(views: Views, penalty: float, most: float) -> tuple[list[Ball], Integers]:
    """The balls, and the number of that which decided each example first; one more than there are where none did."""
    inner_left, outer_left = views.inner.copy(), ~views.inner
    undecided = np.ones(len(views.inner), np.bool_)
    balls: list[Ball] = []
    first = np.zeros(len(undecided), np.int64)
    while len(balls) < most and outer_left.any():
        ball, gained = views.best(inner_left, outer_left, penalty)
        if not gained:
            break
        balls.append(ball)
        covered = views.cover(ball, inner_left, penalty)
        first[covered & undecided] = len(balls)
        for left in (inner_left, outer_left, undecided):
            left &= ~covered
    first[undecided] = len(balls) + 1
    return balls, first
