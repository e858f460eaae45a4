"""What all splits' models said, beside the truth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from holdfast.predictions.coded import spelled
from holdfast.training.fit import Fit, Work
from holdfast.training.given import Codes, fingerprint

if TYPE_CHECKING:
    import polars as pl

    from holdfast.resampling import Plan


@dataclass(frozen=True, eq=False)
class Fits(Mapping[int, Fit]):
    """Of each split that was asked for, the predictions for its test rows: `fits[split]`.

    Labels are told by their place in `classes`, the distinct labels of y in sorted order; `truth` holds the place of
    each row's own. `notes` says what went otherwise than expected; `engine` and `tasks`, how the work was done.
    """

    classes: list[Any]
    truth: Codes
    plan: Plan
    found: dict[int, Fit]
    notes: tuple[str, ...] = ()
    engine: str = "serial"
    tasks: int = 0
    work: Work | None = None  # what was asked for

    def __getitem__(self, split: int) -> Fit:
        return self.found[split]

    def __iter__(self) -> Iterator[int]:
        return iter(sorted(self.found))

    def __len__(self) -> int:
        return len(self.found)

    @property
    def seconds(self) -> float:
        """What all splits together took, whoever fitted them."""
        return sum(fit.seconds for fit in self.found.values())

    @property
    def scored_by(self) -> str | None:
        """The method that all scores came from, predict_proba or decision_function; None where there are none."""
        ways = {fit.scored_by for fit in self.found.values()}
        return ways.pop() if len(ways) == 1 else None

    @property
    def scored(self) -> bool:
        """Whether there are scores."""
        return self.scored_by is not None

    @cached_property
    def fingerprint(self) -> str:
        """The SHA-256 of the examples and their labels, in their order."""
        return fingerprint(self.classes, self.truth, *([] if self.work is None else [self.work.X]))

    @cached_property
    def rows(self) -> NDArray[np.int64]:
        """The test rows of all splits, one split after another."""
        return np.concatenate([np.empty(0, np.int64), *(self.plan.test(split) for split in self)])

    @cached_property
    def predicted(self) -> Codes:
        """The predicted label of each of `rows`, by its place."""
        return np.concatenate([np.empty(0, np.int32), *(self.found[split].predicted for split in self)])

    @cached_property
    def scores(self) -> NDArray[np.float64] | None:
        """The scores of each of `rows`: of two classes the second's, of more a column a class; None without."""
        if self.scored_by is None:
            return None
        return np.concatenate([self.found[split].scores for split in self])

    def frame(self) -> pl.DataFrame:
        """A row for each test row of each split: row, repeat, fold, truth, predicted, and scores if there are any."""
        import polars as pl

        times = [len(self.found[split].predicted) for split in self]
        places = np.array([self.plan.place(split) for split in self], np.int32).reshape(-1, 2)
        repeat, fold = np.repeat(places, times, axis=0).T
        classes = pl.Series(self.classes)
        columns: dict[str, Any] = {
            "row": self.rows,
            "repeat": repeat,
            "fold": fold,
            "truth": classes.gather(self.truth[self.rows]),
            "predicted": classes.gather(self.predicted),
        }
        if self.scores is not None and self.scores.ndim == 1:
            columns["score"] = self.scores
        elif self.scores is not None:
            columns |= {f"score_{spelled(label)}": self.scores[:, i] for i, label in enumerate(self.classes)}
        return pl.DataFrame(columns)
