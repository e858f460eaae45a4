"""Boosting by weighted resampling: each model learns from a sample in which the hard examples come up more often."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, Self

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.ensemble import BaseEnsemble
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import check_random_state, get_tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from holdfast.errors import HoldfastError, UnknownName
from holdfast.evidence import Array
from holdfast.wording import quoted

AT_HALF = ("retry", "invert")
TINY = float(np.finfo(np.float64).tiny)
ROUNDING = 1e-12  # the model of the round before has an error of one half now, give or take the last digits
READ = {"accept_sparse": ["csr"], "dtype": None, "ensure_all_finite": False}  # what is missing is the model's affair


class ResamplingAdaBoost(ClassifierMixin, BaseEnsemble):  # type: ignore[misc]  # scikit-learn has no types
    r"""AdaBoost that hands each model a weighted resample, so that any classifier will do.

    Parameters
    ----------
    estimator
        What is trained in every round, by default a decision stump. It need not know about weights.
    n_estimators
        How many models to train at most.
    at_half
        What to do with a model no better than guessing: "retry" with another sample, or, of two classes, "invert" its
        predictions.
    tries
        How many samples a round may draw; after so many failures boosting ends with the models it has.
    random_state
        A seed, or a generator of numpy; the same seed gives the same models.

    Attributes
    ----------
    estimators_
        The models, in their order.
    estimator_weights_
        The weight of each in the vote; infinite for a model without error, which then decides alone.
    estimator_errors_
        The weighted error of each, after inversion where it was inverted.
    inverted_
        Whether its predictions are taken the other way round.
    classes_
        The labels, sorted.

    Notes
    -----
    With the weights :math:`w^0 = 1/n`, round :math:`t` draws n examples with replacement by :math:`w^{t-1}`, trains
    :math:`M_t`, and takes its error on all examples,

    .. math:: \epsilon_t = \sum_i w_i^{t-1} I(M_t(x_i) \ne y_i), \qquad
              \alpha_t = \ln\frac{1 - \epsilon_t}{\epsilon_t} + \ln(k - 1), \qquad
              w_i^t \propto w_i^{t-1} \exp\{\alpha_t I(M_t(x_i) \ne y_i)\}

    and the class with the largest :math:`\sum_t \alpha_t I(M_t(x) = c)` wins; of equals the first in `classes_`.

    This is algorithm 22.5 of Zaki and Meira [1]_, mended: it trains K models (``while t < K`` stops at K - 1); a model
    without error ends it and is kept (there it is lost, and the first one would leave none at all); the weights of the
    models are part of the answer (they are not returned, though the vote needs them); a failed round draws a new sample
    (the text says to return to the training, which would repeat it on the old one) and cannot go on for ever. A sample
    with a single class teaches nothing and counts as failed.

    Many classes: guessing errs with :math:`(k - 1)/k`, which is the threshold here, with the weight above, as in
    SAMME [2]_; of two classes both are those of the algorithm. Printed, the threshold is one half for every k.

    Bagging is no special case of it, as the source has it: no run of the algorithm leaves all weights alike.

    References
    ----------
    .. [1] M. J. Zaki and W. Meira (2014), Data Mining and Analysis, algorithm 22.5. Cambridge University Press.
    .. [2] J. Zhu, H. Zou, S. Rosset and T. Hastie (2009), Multi-class AdaBoost. Statistics and Its Interface 2.

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]]
    >>> y = ["out", "out", "in", "in", "out", "out"]  # no single threshold tells them apart
    >>> model = ResamplingAdaBoost(n_estimators=20, random_state=0).fit(X, y)
    >>> print(model.score(X, y))
    1.0
    """

    def __init__(
        self,
        estimator: Any = None,
        n_estimators: int = 50,
        *,
        at_half: Literal["retry", "invert"] = "retry",
        tries: int = 20,
        random_state: Any = None,
    ) -> None:
        super().__init__(estimator=estimator, n_estimators=n_estimators)
        self.at_half = at_half
        self.tries = tries
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:  # scikit-learn's name
        """Train up to `n_estimators` models, each on a sample that the errors of those before it have shaped."""
        X, y = validate_data(self, X, y, **READ)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        self._check_options()
        self._validate_estimator(default=DecisionTreeClassifier(max_depth=1))
        self.estimators_: list[Any] = []
        kept: list[tuple[float, float, bool]] = []
        rng = check_random_state(self.random_state)
        weights = np.full(len(codes), 1 / len(codes))
        for _ in range(self.n_estimators):
            better = self._model_better_than_guessing(X, y, codes, weights, rng)
            if better is None:
                break
            model, wrong, error, inverted = better
            self.estimators_.append(model)
            vote = self._vote_of(error)
            kept.append((vote, error, inverted))
            if error == 0:
                break
            weights = np.where(wrong, weights * np.exp(vote), weights)
            weights /= weights.sum()
        if not kept:
            raise HoldfastError(
                f"None of {self.tries:,} samples gave {type(self.estimator_).__name__} a model that is better than "
                "guessing; give another estimator, or more tries."
            )
        self.estimator_weights_, self.estimator_errors_, inverted_ = (
            np.array(each) for each in zip(*kept, strict=True)
        )
        self.inverted_ = inverted_.astype(bool)
        return self

    def predict(self, X: Any) -> Array:
        """The class with the largest weighted vote, of equals the first in `classes_`."""
        winner = self._votes(X).argmax(axis=1)
        return self.classes_[winner]

    def decision_function(self, X: Any) -> Array:
        """Of two classes, the vote for the second less that for the first; of more, the vote for each."""
        votes = self._votes(X)
        return votes[:, 1] - votes[:, 0] if votes.shape[1] == 2 else votes

    def staged_predict(self, X: Any) -> Iterator[Array]:
        """What the first model predicts, the first two together, the first three ..."""
        for votes in self._staged_votes(X):
            yield self.classes_[votes.argmax(axis=1)]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        base = get_tags(self.estimator if self.estimator is not None else DecisionTreeClassifier())
        tags.input_tags.sparse, tags.input_tags.allow_nan = base.input_tags.sparse, base.input_tags.allow_nan
        return tags

    def _check_options(self) -> None:
        for name in ("n_estimators", "tries"):
            value = getattr(self, name)
            if not isinstance(value, (int, np.integer)) or value < 1:
                raise HoldfastError(f"{name} should be a whole number from 1 upwards; got {quoted(value)}.")
        if self.at_half not in AT_HALF:
            raise UnknownName("way with a model no better than guessing", self.at_half, AT_HALF)
        if self.at_half == "invert" and len(self.classes_) > 2:
            raise HoldfastError(
                f"Only with two classes do inverted predictions say anything, and there are {len(self.classes_):,}; "
                'use at_half="retry" (--param at_half=retry).'
            )

    def _model_better_than_guessing(
        self,
        X: Any,
        y: Array,
        codes: Array,
        weights: Array,
        rng: Any,
    ) -> tuple[Any, Array, float, bool] | None:
        """A model with where it errs, how much that weighs, and whether it is inverted; None where all tries fail."""
        several = len(self.classes_) > 1
        guessing = 1 - 1 / len(self.classes_)
        for _ in range(self.tries):
            sample = rng.choice(len(codes), len(codes), p=weights)
            model = self._make_estimator(append=False, random_state=rng)
            if several and (codes[sample] == codes[sample[0]]).all():
                continue
            wrong = model.fit(X[sample], y[sample]).predict(X) != y
            inverted = self.at_half == "invert" and several and weights[wrong].sum() > guessing
            wrong ^= inverted
            # After many rounds the weight of an example may vanish; a model that errs there is not perfect for that.
            error = max(float(weights[wrong].sum()), TINY) if wrong.any() else 0.0
            if error < guessing - ROUNDING or error == 0:
                return model, wrong, error, inverted
        return None

    def _vote_of(self, error: float) -> float:
        if error == 0:
            return np.inf
        return float(np.log((1 - error) / error) + np.log(len(self.classes_) - 1))

    def _votes(self, X: Any) -> Array:
        *_, votes = self._staged_votes(X)
        return votes

    def _staged_votes(self, X: Any) -> Iterator[Array]:
        """The weighted vote for each class after one model, after two ...; the same array, filled up."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, **READ)
        votes = np.zeros((X.shape[0], len(self.classes_)))
        row = np.arange(len(votes))
        for model, weight, inverted in zip(self.estimators_, self.estimator_weights_, self.inverted_, strict=True):
            chosen = np.searchsorted(self.classes_, model.predict(X))
            if inverted:
                chosen = 1 - chosen
            if np.isinf(weight):  # it outvotes all before it, and is the last
                votes[:] = 0
                weight = 1.0
            votes[row, chosen] += weight
            yield votes
