"""What scores are worth, drawn: the ROC curve with its band, and what came true of them, bin by bin."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from holdfast.catalog import find_measure
from holdfast.claims import Assumption, Claim, chance_of_error
from holdfast.combine import sayable
from holdfast.displays.display import Display, diagonal, plain, scores_of, square, told
from holdfast.errors import HoldfastError
from holdfast.evidence import Array
from holdfast.evidence.ranking.calibration import BINS, Bins, Reliability
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
        return phrases.point(self.claim)

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
        band = f"{phrases.confidence(self.curve.delta)} band, {self.curve.guarantee.sentence}"
        ax.fill(*corners, color=line.get_color(), alpha=0.15, lw=0, label=f"{band},\nat all thresholds at once")
        diagonal(ax, "no better than chance")
        square(ax, "false positive rate", f"true positive rate (positive: {plain(self.pos_label)})")
        ax.legend(loc="lower right", fontsize="small", edgecolor="none", framealpha=0.85)


def _stairs(edges: Array, heights: Array) -> tuple[Array, Array]:
    """The heights between each edge and the next."""
    return np.repeat(edges, 2)[1:-1], np.repeat(heights, 2)


MOST_NUMBERED = 12  # bins that are marked with their number of examples


@dataclass(eq=False)
class CalibrationDisplay(Display):
    """How often scores came true, bin by bin, with intervals that hold for all bins together.

    Examples
    --------
    >>> display = CalibrationDisplay.of([0, 0, 1, 1] * 20, [0.1, 0.6, 0.5, 0.9] * 20, bins=2)
    >>> print(display.claim)
    0.000 [0.000, 0.197], clopper-pearson, 97.5 %, holds at every sample size
    0.667 [0.514, 0.798], clopper-pearson, 97.5 %, holds at every sample size
    """

    bins: Reliability
    claim: Claim  # about the bins: an array
    error: Claim  # about the calibration error, on fixed bins
    delta: float  # of all bins together
    pos_label: str
    answers = ("predict_proba",)

    @classmethod
    def of(
        cls,
        y_true: Any,
        y_prob: Any,
        *,
        bins: Bins = BINS,
        pos_label: object = None,
        confidence: float | str = 0.95,
        name: str | None = None,
    ) -> Self:
        """The numbers alone; bins are a number of equally wide ones, their edges, or "quantiles"."""
        delta = chance_of_error(confidence)
        scores, label = scores_of(y_true, y_prob, pos_label)
        held = Reliability.of(scores, bins)
        if not held.exact:
            raise HoldfastError("So many scores are read in steps, and some step is in two bins; give fewer bins.")
        by_bin = find_measure("calibration")(held)
        overall = find_measure("ece")(held if held.fixed else Reliability.of(scores))
        claim = default_methods(by_bin)[0](by_bin, sayable(delta / len(held.names)), "both")
        error = default_methods(overall)[0](overall, delta, "both")
        assumes = (*claim.assumes, Assumption.FIXED_BINS) if held.fixed else claim.assumes
        claim = replace(claim, measure="calibration", assumes=assumes)
        return cls(held, claim, error, float(delta), label, name=name)

    @property
    def prob_true(self) -> Array:
        """The share of each bin that came true; NaN for an empty one."""
        return np.asarray(self.claim.estimate, np.float64)

    @property
    def prob_pred(self) -> Array:
        """The mean score of each bin; NaN for an empty one."""
        return self.bins.mean_forecast

    def draw(self, ax: Any) -> None:
        held = self.bins.n > 0
        x, y, n = self.prob_pred[held], self.prob_true[held], self.bins.n[held]
        lower, upper = np.asarray(self.claim.lower)[held], np.asarray(self.claim.upper)[held]
        level, together = phrases.confidence(self.delta), f"intervals of {len(self.bins.names)} bins together"
        words = f"{level} {together}, {self.claim.guarantee.sentence}\ncalibration error {told(self.error)}"
        reach = [y - lower, upper - y]
        drawn = ax.errorbar(x, y, reach, fmt="o", ms=5, lw=1.5, capsize=3, label=self.named(words))
        if diagonal(ax, "scores that mean what they say") and len(x) <= MOST_NUMBERED:
            how: dict[str, Any] = {"fontsize": "x-small", "color": drawn[0].get_color(), "textcoords": "offset points"}
            for at, share, number in zip(x, y, n, strict=True):
                below = {"xytext": (6, -2), "va": "top"} if share > 0.05 else {"xytext": (6, 2), "va": "bottom"}
                ax.annotate(f"n={number:,}", (at, share), **below, **how)
        label = plain(self.pos_label)
        square(ax, f"mean score of {label} in the bin", f"share that was {label}")
        ax.legend(loc="upper left", bbox_to_anchor=(0, -0.14), borderaxespad=0, fontsize="small", frameon=False)
