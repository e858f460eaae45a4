"""What came true of scores, drawn bin by bin."""

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
from holdfast.verbs.bound import default_methods

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
        said = f"{level} {together}, {self.claim.guarantee.sentence}\ncalibration error {told(self.error)}"
        reach = [y - lower, upper - y]
        drawn = ax.errorbar(x, y, reach, fmt="o", ms=5, lw=1.5, capsize=3, label=self.named(said))
        if diagonal(ax, "scores that mean what they say") and len(x) <= MOST_NUMBERED:
            how: dict[str, Any] = {"fontsize": "x-small", "color": drawn[0].get_color(), "textcoords": "offset points"}
            for at, share, number in zip(x, y, n, strict=True):
                below = {"xytext": (6, -2), "va": "top"} if share > 0.05 else {"xytext": (6, 2), "va": "bottom"}
                ax.annotate(f"n={number:,}", (at, share), **below, **how)
        label = plain(self.pos_label)
        square(ax, f"mean score of {label} in the bin", f"share that was {label}")
        ax.legend(loc="upper left", bbox_to_anchor=(0, -0.14), borderaxespad=0, fontsize="small", frameon=False)
