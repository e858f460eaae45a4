"""The ROC curve, drawn with its band."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from holdfast.claims import Claim, chance_of_error
from holdfast.displays.display import Display, diagonal, plain, scores_of, square, told
from holdfast.evidence import Array
from holdfast.render import phrases
from holdfast.selection.bands import Curve, roc
from holdfast.verbs.bound import default_methods


@dataclass(eq=False)
class RocDisplay(Display):
    """The ROC curve with a band that holds at all thresholds at once, and the area under it with its interval.

    Examples
    --------
    >>> display = RocDisplay.of([0, 0, 1, 1] * 20, [0.1, 0.6, 0.5, 0.9] * 20)
    >>> print(display.claim)
    0.750 [0.545, 0.889], auc-matchings, 95 %, holds at every sample size
    """

    curve: Curve
    claim: Claim  # about the area under the curve
    pos_label: str
    thinned: bool = False  # whether the curve leaves out some thresholds
    answers = ("predict_proba", "decision_function")

    @classmethod
    def of(
        cls,
        y_true: Any,
        y_score: Any,
        *,
        pos_label: object = None,
        confidence: float | str = 0.95,
        name: str | None = None,
    ) -> Self:
        """The numbers alone: the score speaks for `pos_label`, by default for the obvious one of two labels."""
        delta = chance_of_error(confidence)
        scores, label = scores_of(y_true, y_score, pos_label)
        claim = default_methods(scores)[0](scores, delta, "both")
        curve = roc(scores, delta)
        return cls(
            curve, replace(claim, measure="auc"), label, curve.threshold.size <= scores.order.distinct, name=name
        )

    @property
    def roc_auc(self) -> float | None:
        return None if self.claim.estimate is None else float(self.claim.estimate)

    def envelope(self) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
        """The upper and the lower side of all rectangles of the band, each as x and y of a staircase.

        Where thresholds were left out, each rectangle reaches to those of its neighbours: both rates rise from one
        threshold to the next, so that the points in between lie inside too.
        """
        curve, high, low = self.curve, self.curve.y_upper, self.curve.y_lower
        if self.thinned:
            high, low = np.append(high[1:], 1.0), np.append(0.0, low[:-1])
        return _stairs(np.append(curve.x_lower, 1.0), high), _stairs(np.append(0.0, curve.x_upper), low)

    def draw(self, ax: Any) -> None:
        (line,) = ax.plot(self.curve.x, self.curve.y, lw=1.8, label=self.named(f"AUC {told(self.claim)}"))
        upper, lower = self.envelope()
        corners = (np.append(over, under[::-1]) for over, under in zip(upper, lower, strict=True))
        said = f"{phrases.confidence(self.curve.delta)} band, {self.curve.guarantee.sentence}"
        ax.fill(*corners, color=line.get_color(), alpha=0.15, lw=0, label=f"{said},\nat all thresholds at once")
        diagonal(ax, "no better than chance")
        square(ax, "false positive rate", f"true positive rate (positive: {plain(self.pos_label)})")
        ax.legend(loc="lower right", fontsize="small", edgecolor="none", framealpha=0.85)


def _stairs(edges: Array, heights: Array) -> tuple[Array, Array]:
    """The heights between each edge and the next."""
    return np.repeat(edges, 2)[1:-1], np.repeat(heights, 2)
