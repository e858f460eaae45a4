"""The confusion matrix, drawn with the interval of each cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Self

import numpy as np

from holdfast.claims import Claim
from holdfast.displays.display import Display, plain
from holdfast.errors import HoldfastError, UnknownName
from holdfast.evidence import Counts, Integers
from holdfast.predictions import Predictions
from holdfast.render import phrases
from holdfast.tally import tally
from holdfast.verbs.bound import bound

Rows = Literal["actual", "predicted"]

MOST_TOLD = 6  # labels of a matrix whose cells have room for an interval
MOST_COUNTED = 25  # labels of a matrix whose cells have room for a number


@dataclass(eq=False)
class ConfusionDisplay(Display):
    """The confusion matrix, each cell with its share of the actual class and the interval of that share.

    Rows are actual and columns predicted labels, as scikit-learn has them; with `rows="predicted"` it is turned.

    Examples
    --------
    >>> display = ConfusionDisplay.of(["cat", "cat", "dog"], ["cat", "dog", "dog"])
    >>> display.confusion_matrix.tolist(), display.claim.upper.round(3).tolist()
    ([[1, 1], [0, 1]], [[0.987, 0.987], [0.975, 1.0]])
    """

    confusion_matrix: Integers
    claim: Claim  # about the shares of each actual class: an array of the matrix's shape
    display_labels: tuple[str, ...]
    rows: Rows = "actual"
    answers = ("predict",)

    @classmethod
    def of(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        labels: Sequence[object] | None = None,
        rows: Rows = "actual",
        confidence: float | str = 0.95,
        name: str | None = None,
    ) -> Self:
        """The numbers alone; labels are in your order, by default those that occur."""
        if rows not in ("actual", "predicted"):
            raise UnknownName("meaning of the rows", rows, ["predicted", "actual"])
        counted = tally(Predictions.given(y_true, y_pred, labels=labels), labels=labels).table
        if counted is None:
            raise HoldfastError("A confusion matrix needs truth and predicted; got whether each answer was right.")
        table = counted.table if rows == "predicted" else counted.table.T
        actual = np.broadcast_to(counted.actual if rows == "predicted" else counted.actual[:, np.newaxis], table.shape)
        claim = bound(Counts(table, actual), confidence=confidence)
        # A label that nothing but predictions put on the list is there because of these very cells.
        unseen = np.isin(np.arange(len(counted.labels)), counted.only_predicted)
        lower = np.where(unseen[:, np.newaxis] if rows == "predicted" else unseen, 0.0, claim.lower)
        claim = replace(claim, measure="share of the actual class", lower=lower)
        return cls(table, claim, counted.labels, rows, name=name)

    @property
    def side(self) -> float:
        return float(np.clip(3.0 + 0.85 * len(self.display_labels), 5.0, 11.0))

    def draw(self, ax: Any) -> None:
        share = np.nan_to_num(np.asarray(self.claim.estimate, np.float64))
        ax.imshow(share, cmap="Blues", vmin=0.0, vmax=1.15, aspect="equal")
        names = [plain(label) for label in self.display_labels]
        size = len(names)
        if size <= MOST_COUNTED:
            for place in np.ndindex(share.shape):
                self._tell(ax, place, "white" if share[place] > 0.55 else "#17202a")
            upright = size * max(map(len, names), default=0) <= 40
            ax.set_xticks(range(size), names, rotation=0 if upright else 40, ha="center" if upright else "right")
            ax.set_yticks(range(size), names)
        else:
            ax.set_xticks([])
            ax.set_yticks([])
        up, across = ("actual", "predicted") if self.rows == "actual" else ("predicted", "actual")
        ax.set(xlabel=across, ylabel=up)
        level = phrases.confidence(float(self.claim.delta))
        title = f"share of the actual class,\n{level} interval of each on its own,\n{self.claim.guarantee.sentence}"
        ax.set_title(self.named(title), loc="left", fontsize="small")

    def _tell(self, ax: Any, place: tuple[int, ...], ink: str) -> None:
        """Write into a cell how often, and where there is room which share that is."""
        column, row = place[1], place[0]
        count = f"{self.confusion_matrix[place]:,}"
        if len(self.display_labels) > MOST_TOLD:
            ax.text(column, row, count, ha="center", va="center", color=ink, fontsize="x-small")
            return
        estimate = phrases.rounded(float(np.asarray(self.claim.estimate)[place]), 3, "nearest")
        lower = phrases.rounded(float(np.asarray(self.claim.lower)[place]), 3, "down")
        upper = phrases.rounded(float(np.asarray(self.claim.upper)[place]), 3, "up")
        ax.text(column, row - 0.06, count, ha="center", va="bottom", color=ink, fontsize="large")
        shares = f"{estimate}\n[{lower}, {upper}]"
        size = "small" if len(self.display_labels) <= 3 else "x-small"
        ax.text(column, row + 0.02, shares, ha="center", va="top", color=ink, fontsize=size, linespacing=1.3)
