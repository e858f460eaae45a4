"""What the scores of two models of a panel differ by, for every measure that is read off scores."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast.catalog import Measure
from holdfast.errors import InvalidEvidence
from holdfast.evidence import NO_ANSWER, Array, Evidence, Margins, Scores
from holdfast.evidence.pairs.influence import KinkedSway, SmoothSway
from holdfast.evidence.pairs.separate import Apart
from holdfast.evidence.pools.panel import Panel
from holdfast.evidence.ranking.calibration import Reliability
from holdfast.evidence.ranking.distance import Gini
from holdfast.evidence.ranking.paired_scores import PairedScores
from holdfast.measures.calibration import ece, ece_of_clusters
from holdfast.measures.costs import hard_loss
from holdfast.predictions.wording import quoted
from holdfast.verbs.compare.per_draw import gap_of_errors, mean_gap


class ScoredPair:
    """The evidence that the scores of two models give for each measure of scores."""

    def __init__(self, panel: Panel, first: int, second: int) -> None:
        self.panel, self.models = panel, (first, second)

    def why_not(self, measure: Measure) -> str | None:
        """Why the scores do not bear the measure; None where they do."""
        panel = self.panel
        if panel.scores is None or panel.truth is None or panel.positive is None:
            return "it needs the true labels and the scores of the positive one for every model."
        if measure.takes is Scores:
            return None if measure.influence is not None else "how much each example changes it is not declared."
        if measure.takes is not Reliability and measure.row_losses is None and measure is not hard_loss:
            return "what each example loses is not declared."
        scores = panel.scores[[*self.models]]
        likely = not np.any((scores < 0) | (scores > 1))
        if measure.takes is Margins:
            return self._no_margins(likely)
        if likely:
            return None
        return f"the scores run from {scores.min():g} to {scores.max():g}, so they are no probabilities."

    def _no_margins(self, likely: bool) -> str | None:
        if likely:
            return "the scores look like probabilities; a margin needs decision values, negative on one side."
        if (classes := sum(label != NO_ANSWER for label in self.panel.labels)) > 2:
            return f"a margin needs two labels, one on either side of 0, and there are {classes:,}."
        return None

    def evidence(self, measure: Measure, **stated: Any) -> Evidence:
        """What the examples say of the first model's value minus the second's."""
        if measure.takes is Scores:
            return self._ranked(measure)
        if measure.takes is Reliability:
            return Apart(*self._calibrated())
        if measure.takes is Margins:
            return self._decided(measure, **stated)
        return self._mean_gap(measure, np.where(self._positive, self._scores, 1.0 - self._scores), **stated)

    @cached_property
    def _scores(self) -> Array:
        assert self.panel.scores is not None  # see why_not
        return self.panel.scores[[*self.models]]

    @cached_property
    def _positive(self) -> NDArray[np.bool_]:
        if self.panel.positive not in self.panel.labels:
            raise InvalidEvidence(f"No label of {self.panel.source} is {quoted(self.panel.positive)}.")
        return np.asarray(self.panel.truth == self.panel.labels.index(self.panel.positive))

    def _ranked(self, measure: Measure) -> Evidence:
        positive, clusters = self._positive, self.panel.clusters
        if clusters is None and measure.gives[0] in (Scores, Gini):  # what is read off placements goes together
            return self._placed.gini if measure.gives[0] is Gini else self._placed
        one, other = (measure(Scores(scores, positive)) for scores in self._scores)
        if clusters is None and not measure.smooth:
            return Apart(one, other)
        assert measure.influence is not None  # see why_not
        influences, influences_too = (measure.influence(scores, positive) for scores in self._scores)
        gap = float(one.mean - other.mean) if one.known else float("nan")
        low, high = measure.range
        kind = SmoothSway if measure.smooth else KinkedSway
        return kind.of(gap, influences - influences_too, positive, clusters, most=high - low)

    @cached_property
    def _placed(self) -> PairedScores:
        one, other = self._scores
        return PairedScores(one, other, self._positive)

    def _calibrated(self) -> Iterator[Evidence]:
        """The calibration error of each model, on bins that no data chose."""
        clusters = self.panel.clusters
        for scores in self._scores:
            if clusters is None:
                yield ece(Reliability.of(Scores(scores, self._positive)))
            else:
                yield ece_of_clusters(scores, self._positive, clusters)

    def _decided(self, measure: Measure, **stated: Any) -> Evidence:
        margins = np.where(self._positive, self._scores, -self._scores)
        if measure is hard_loss:
            wrong, wrong_too = (margins < 0) | ((margins == 0) & self._positive)
            return gap_of_errors(self.panel, wrong, wrong_too)
        return self._mean_gap(measure, margins, **stated)

    def _mean_gap(self, measure: Measure, values: Array, **stated: Any) -> Evidence:
        """The mean difference of what each row loses: by its margin, or by the probability of what came true."""
        assert measure.row_losses is not None  # see why_not
        (one, most), (other, _) = (measure.row_losses(each, **stated) for each in values)
        return mean_gap(self.panel, one - other, most)
