"""How clearly each answer was right, and what a model itself expects of its answers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

import numpy as np
from numpy.typing import ArrayLike

from holdfast.errors import InvalidEvidence
from holdfast.evidence.value import Array, Integers, Value, whole

ROUNDING = 1e-6  # by which the probabilities of an example may miss adding up to one


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Margins(Value):
    """One number per example, the true sign times the decision value: positive where the answer was right.

    A decision value of 0 stands for the negative class, so a margin of 0 is an error, but for the
    `right_at_zero` examples that are truly negative. Infinite margins are margins.

    Examples
    --------
    >>> Margins([1.5, -0.2, 0.0])
    Margins(n=3, errors=2)
    >>> Margins.of_decisions([True, False, False], [1.5, 0.2, 0.0])
    Margins(n=3, errors=1)
    """

    values: Array  # rising: the order of the examples leaves no trace
    right_at_zero: int
    dropped: int  # rows that were left out for want of a margin
    n: Integers

    def __init__(self, values: ArrayLike, right_at_zero: int = 0, dropped: int = 0) -> None:
        given = np.asarray(values)
        if given.ndim != 1 or (given.size and given.dtype.kind not in "iuf"):
            raise InvalidEvidence("Margins needs one number an example, in one column.")
        ordered = np.sort(given.astype(np.float64)) + 0.0  # -0.0 is 0.0
        if missing := int(np.isnan(ordered).sum()):
            raise InvalidEvidence(f"Margins needs a number for every example; {missing:,} are NaN.")
        zeros, right = int(np.sum(ordered == 0)), int(whole("right_at_zero", right_at_zero))
        if right > zeros:
            raise InvalidEvidence(f"Of {zeros:,} margins that are 0, {right:,} cannot be right.")
        self._set(values=ordered, right_at_zero=right, dropped=dropped, n=np.asarray(ordered.size))

    @classmethod
    def of_decisions(cls, positive: ArrayLike, decision: ArrayLike, dropped: int = 0) -> Margins:
        """From whether each example is truly positive, and its decision value."""
        truly, value = np.asarray(positive, bool), np.asarray(decision, np.float64)
        if truly.shape != value.shape:
            raise InvalidEvidence(f"There are {truly.size:,} true classes and {value.size:,} decision values.")
        return cls(np.where(truly, value, -value), int(np.sum(~truly & (value == 0))), dropped)

    @property
    def errors(self) -> int:
        return int(np.searchsorted(self.values, 0.0, side="right")) - self.right_at_zero

    @cached_property
    def fingerprint(self) -> str:
        """The SHA-256, as 64 hex digits, of the margins in any order."""
        digest = sha256(b"holdfast margins 1\n")
        digest.update(self.right_at_zero.to_bytes(8, "little"))
        digest.update(self.values.astype("<f8").tobytes())
        return digest.hexdigest()

    def __repr__(self) -> str:
        return f"Margins(n={self.n}, errors={self.errors})"


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Posteriors(Value):
    """The probability that a model gives to each label, one row per example, and the label that it predicted.

    Examples
    --------
    >>> Posteriors([[0.9, 0.1], [0.4, 0.6]], [0, 1], ["ham", "spam"])
    Posteriors(n=2, 2 labels)
    """

    probabilities: Array  # examples down, labels across; each row adds up to one
    predicted: Integers  # places of labels
    labels: tuple[str, ...]
    n: Integers

    def __init__(self, probabilities: ArrayLike, predicted: ArrayLike, labels: tuple[str, ...] | list[str]) -> None:
        given, answers, names = np.asarray(probabilities, np.float64), whole("predicted", predicted), tuple(labels)
        if given.ndim != 2 or given.shape != (answers.size, len(names)) or np.any(answers >= len(names)):
            raise InvalidEvidence("Posteriors needs a row of probabilities and a predicted label an example.")
        total = given.sum(axis=1, keepdims=True)
        if not (np.all(given >= 0) and np.all(np.abs(total - 1.0) <= ROUNDING)):
            raise InvalidEvidence(
                "Posteriors needs probabilities: from 0 on, and adding up to 1 for each example; these do not."
            )
        self._set(probabilities=given / total, predicted=answers, labels=names, n=np.asarray(answers.size))

    def __repr__(self) -> str:
        return f"Posteriors(n={self.n}, {len(self.labels)} labels)"
