"""What several models said on inputs whose labels nobody has seen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from holdfast.errors import InvalidEvidence


@dataclass(frozen=True, eq=False, repr=False)
class Unlabelled:
    """The predictions of a panel's models on further inputs, models along the first axis.

    Examples
    --------
    >>> Unlabelled(("a", "b"), ("ham", "spam"), np.array([[0, 1, 1], [0, 0, 1]]))
    Unlabelled(2 models, n=3)
    """

    models: tuple[str, ...]
    labels: tuple[str, ...]  # those of the panel, and behind them any that only stand here
    predicted: NDArray[np.integer]  # of each model and input, as its place in `labels`
    target: NDArray[np.integer] | None = None  # what a further classifier predicted of each input, likewise
    fingerprint: str = ""  # SHA-256 of models and answers, in any order of the inputs
    notes: tuple[str, ...] = ()  # what the reader should know of

    def __post_init__(self) -> None:
        if self.predicted.ndim != 2 or self.predicted.shape[0] != len(self.models):
            raise InvalidEvidence(
                f"The unlabelled inputs need a row of predictions for each of {len(self.models):,} models; "
                f"got shape {self.predicted.shape}."
            )
        if not self.n:
            raise InvalidEvidence(
                "There are no unlabelled inputs to speak about; leave them out, or give at least one."
            )
        if self.target is not None and self.target.shape != (self.n,):
            raise InvalidEvidence(
                f"The target needs one prediction for each of {self.n:,} unlabelled inputs; got {self.target.shape}."
            )

    @property
    def n(self) -> int:
        """How many inputs there are."""
        return int(self.predicted.shape[1])

    def check_models(self, models: tuple[str, ...]) -> None:
        """Refuse the inputs unless they were answered by just the models of a panel."""
        if self.models != models:
            raise InvalidEvidence("The panel and the unlabelled inputs need the same models, in the same order.")

    def __repr__(self) -> str:
        return f"Unlabelled({len(self.models)} models, n={self.n:,})"
