"""Bagging that counts votes: every model of a bootstrap sample has one, however sure it is."""

from __future__ import annotations

from typing import Any
from warnings import warn

import numpy as np
from sklearn.ensemble import BaggingClassifier
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted, validate_data

from holdfast.evidence import Array


class MajorityBagging(BaggingClassifier):  # type: ignore[misc]  # scikit-learn has no types
    r"""Bagging by majority vote, as textbooks print it; all else is scikit-learn's `BaggingClassifier`.

    That class averages the probabilities of its models where they have any, so that one model which is very sure
    outweighs two that lean the other way. Here each model names a class and the most named wins; of equals the first in
    `classes_`. Parameters and attributes are those of `BaggingClassifier`, and so are the models, seed by seed.

    Notes
    -----
    Zaki and Meira [1]_, section 22.3.1:

    .. math:: v_j(x) = |\{i : M_i(x) = c_j\}|, \qquad M^K(x) = \mathrm{argmax}_{c_j} v_j(x)

    which for the classes +1 and -1 is the sign of :math:`\sum_i M_i(x)`. Their Example 22.13 leaves the sign of zero
    open, and with an even K its two columns disagree about such points: the zero-one loss counts a tie as right, the
    squared loss as half wrong. A tie goes to the first class here.

    `predict_proba` is the share of the votes. `decision_function` is the sum above, for the second class of two; of
    more classes, the votes for each.

    References
    ----------
    .. [1] M. J. Zaki and W. Meira (2014), Data Mining and Analysis, section 22.3.1. Cambridge University Press.

    Examples
    --------
    >>> model = MajorityBagging(n_estimators=5, random_state=0).fit([[0.0], [1.0], [2.0], [3.0]], ["a", "a", "b", "b"])
    >>> model.predict([[0.5], [2.5]]).tolist(), model.decision_function([[0.5], [2.5]]).tolist()
    (['a', 'b'], [-5.0, 5.0])
    """

    def predict_proba(self, X: Any) -> Array:  # scikit-learn's name
        """The share of the models that name each class."""
        return self._votes(X) / len(self.estimators_)

    def predict_log_proba(self, X: Any) -> Array:
        """The logarithm of the shares; minus infinity for a class that no model names."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def decision_function(self, X: Any) -> Array:
        """Of two classes, the votes for the second less those for the first; of more, the votes for each."""
        votes = self._votes(X)
        return votes[:, 1] - votes[:, 0] if votes.shape[1] == 2 else votes

    def _votes(self, X: Any) -> Array:
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse=["csr", "csc"], dtype=None, ensure_all_finite=False, reset=False)
        named = Parallel(n_jobs=self.n_jobs, verbose=self.verbose)(
            delayed(_named)(model, X, features)
            for model, features in zip(self.estimators_, self.estimators_features_, strict=True)
        )
        votes = np.zeros((X.shape[0], len(self.classes_)))
        row = np.arange(len(votes))
        for codes in named:
            votes[row, codes] += 1
        return votes

    def _set_oob_score(self, X: Any, y: Array) -> None:
        """What scikit-learn calls with oob_score=True; the rows that a model did not learn from vote as they would."""
        votes = np.zeros((len(y), len(self.classes_)))
        for model, sample, features in zip(
            self.estimators_, self.estimators_samples_, self.estimators_features_, strict=True
        ):
            left_out = np.setdiff1d(np.arange(len(y)), sample)
            if len(left_out):
                votes[left_out, _named(model, X[left_out], features)] += 1
        seen = votes.any(axis=1)
        if not seen.all():
            warn(
                f"{np.count_nonzero(~seen):,} of {len(y):,} examples were in every sample, so that no model can speak "
                "for them; they are left out of oob_score_. Train more models.",
                stacklevel=3,
            )
        self.oob_decision_function_ = np.full(votes.shape, np.nan)
        self.oob_decision_function_[seen] = votes[seen] / votes[seen].sum(axis=1, keepdims=True)
        self.oob_score_ = float((votes.argmax(axis=1) == y)[seen].mean()) if seen.any() else float("nan")


def _named(model: Any, X: Any, features: Array) -> Array:
    """The place of the class that a model names for each row; the models learnt places, not labels."""
    every = len(features) == X.shape[1] and (features == np.arange(len(features))).all()
    return np.asarray(model.predict(X if every else X[:, features])).astype(np.intp)
