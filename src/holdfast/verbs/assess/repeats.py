"""What repeats of the same questions tell: how reliably each is answered, and whose the spread is."""

from __future__ import annotations

import numpy as np

from holdfast.bounds.binomial import clopper_pearson
from holdfast.bounds.influence import influence
from holdfast.claims import Assumption, Side
from holdfast.evidence import Array, Counts
from holdfast.predictions import Predictions
from holdfast.report.facts.assessment import Asked, Repeats, Spread
from holdfast.tally import Tally, tally
from holdfast.tally.designs.drawn import QUESTION, questions_as_groups
from holdfast.tally.designs.repeats import split

MOST = 1_000  # questions that are told of one by one
OWN_SHARE = "share-of-own-randomness"


class Repeated:
    """Rows that are samples of questions, counted for each question."""

    def __init__(self, rows: Predictions, counted: Tally, positive: object, labels: object) -> None:
        drawn = counted.drawn
        self.names: tuple[str, ...] = ()
        if "value" not in rows.columns and counted.unpredicted is None:
            groups = questions_as_groups(rows)
            each = tally(groups, positive=positive, labels=labels, by=[(QUESTION,)], right_or_wrong=True).groups[0]  # type: ignore[arg-type]  # as they were given
            self.names = tuple(name.removeprefix(f"{QUESTION}=") for name in each.names)
            self.samples = Counts(each.table.n - each.table.errors, each.table.n)
        self.split = None if drawn is None else split(drawn.tables.rows)

    def told(self, level: Array, side: Side) -> Repeats | None:
        """What is said of them at this delta; None where no question was asked twice."""
        if not self.names:
            spread = self._spread(level)  # of partial credit, whose questions are told of together alone
            if spread is None or self.split is None:
                return None
            claim = spread.share
            return Repeats(self.split.questions, float(level), claim.method, claim.guarantee, (), spread)
        if self.samples.n.max() < 2:
            return None
        claim = clopper_pearson(self.samples, level, side)
        lower, upper = np.asarray(claim.lower), np.asarray(claim.upper)
        order = np.lexsort((upper, self.samples.k / self.samples.n))[:MOST].tolist()
        k, n = self.samples.k.tolist(), self.samples.n.tolist()
        each = tuple(Asked(self.names[i], n[i], k[i], float(lower[i]), float(upper[i])) for i in order)
        return Repeats(len(self.names), float(level), claim.method, claim.guarantee, each, self._spread(level))

    def _spread(self, level: Array) -> Spread | None:
        if self.split is None or self.split.share is None:
            return None
        variance, within = self.split.variance, self.split.within
        claim = influence(self.split.share, level, "both")
        assumes = (*claim.assumes, Assumption.OWN_SAMPLES)
        share = type(claim)(**{**vars(claim), "measure": OWN_SHARE, "assumes": assumes})
        return Spread(variance, within, variance - within, share)
