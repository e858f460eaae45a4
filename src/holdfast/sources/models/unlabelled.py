"""A table of what the models of a panel said on further inputs, whose labels nobody has seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from holdfast.errors import HoldfastError
from holdfast.evidence.pools.panel import Panel, Unlabelled
from holdfast.predictions import Missing
from holdfast.sources.columns import ColumnPlaces, check_apart
from holdfast.sources.header import Header
from holdfast.tally.panel.unlabelled import unlabelled_of_columns
from holdfast.wording import listed, opening, quoted


@dataclass(frozen=True)
class Further:
    """The columns of the models, called as in the panel, and perhaps one of a further classifier."""

    models: Sequence[str]
    target: str | None = None

    def find(self, header: Header) -> ColumnPlaces:
        names = header.names
        header.check_distinct()
        if lost := [name for name in self.models if name not in names]:
            raise HoldfastError(
                f"{opening(header.source)} has no column of the model {quoted(lost[0])}; it needs one for every model "
                f"of the labelled examples. It has {listed([*names], 120)}."
            )
        places = {f"model_{place}": header.place(name) for place, name in enumerate(self.models)}
        if self.target is not None:
            places["target"] = header.place(self.target)
        check_apart({role: place for role, place in places.items() if role != "target"}, names)
        return ColumnPlaces(places)


def read_unlabelled(
    source: Any,
    panel: Panel,
    *,
    target: str | None = None,
    missing: Missing = "refuse",
    separator: str | None = None,
) -> Unlabelled:
    """What the panel's models said on further inputs, from a file or a data frame with a column for each of them.

    Parameters
    ----------
    target
        The column of a further classifier, whose error is to be inferred.
    missing
        Where a model has no answer: "refuse", "drop" the input, or count the answer as "wrong".
    """
    from holdfast.sources.selection import read_predictions

    rows = read_predictions(source, Further(panel.models, target), missing, separator)
    return unlabelled_of_columns(rows, panel)
