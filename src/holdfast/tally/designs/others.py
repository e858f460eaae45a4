"""What is said of all rows but those of a group: taken from the whole, where that is less work than to read it off."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from holdfast.catalog import Measure
from holdfast.evidence import Evidence
from holdfast.evidence.draws import Influence, Ratio, combined
from holdfast.evidence.scale import Scale
from holdfast.tally.designs.areas import areas_of_others
from holdfast.tally.designs.divided import Divided, Division
from holdfast.tally.designs.drawn import Drawn

Readings = dict[str | None, Evidence]  # by the label that each is about


@dataclass(frozen=True)
class Others:
    """A measure of the rows of all groups but one, whichever that is, draw by draw."""

    divided: Divided
    division: Division
    measure: Measure
    whole: Callable[[], Readings]

    def than(self, place: int, rows: Drawn, own: Readings, read: Callable[[Drawn], Callable[[], Readings]]) -> Readings:
        """What is said of all but the group of this place, from its rows and what is said of them."""
        if self._areas is not None:
            return {label: each[place] for label, each in self._areas.items()}
        whole = self.whole()
        found = {label: _left(whole.get(label), part) for label, part in own.items()}
        if all(each is not None for each in found.values()):
            return {label: each for label, each in found.items() if each is not None}
        return read(self.divided.rest(self.division, place, rows))()

    @cached_property
    def _areas(self) -> dict[str | None, list[Influence]] | None:
        """Those of all groups, where the measure is one and rows stand in the order of their scores."""
        rows = self.divided.rows
        if not self.measure.of_pairs or not self.divided.ranked:
            return None
        ((label, _),) = rows.scores.items()
        found = areas_of_others(rows, label, self.division, Scale(*self.measure.range))
        return None if found is None else {label: found}


def _left(whole: Evidence | None, part: Evidence) -> Ratio | Influence | None:
    """What the whole has besides its part; None where that does not follow from both."""
    if isinstance(whole, Ratio) and isinstance(part, Ratio):
        return whole.without(part)
    if not (isinstance(whole, Influence) and isinstance(part, Influence)):
        return None
    factors = [factor for factor, _ in whole.terms]
    if not factors or factors != [factor for factor, _ in part.terms]:
        return None
    pairs = zip(whole.terms, part.terms, strict=True)
    return combined(factors, [ratio.without(own) for (_, ratio), (_, own) in pairs])
