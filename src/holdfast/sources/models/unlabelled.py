"""A table of what the models of a panel said on further inputs, whose labels nobody has seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any

from holdfast.errors import HoldfastError
from holdfast.evidence.pools.panel import Panel
from holdfast.evidence.pools.unlabelled import Unlabelled
from holdfast.predictions import Missing
from holdfast.predictions.wording import listed, opening, quoted
from holdfast.sources.columns import Found, Header, check_apart
from holdfast.tally.panel.unlabelled import unlabelled_of_columns


@dataclass(frozen=True)
class Further:
    """The columns of the models, called as in the panel, and perhaps one of a further classifier."""

    models: Sequence[str]
    target: str | None = None

    def find(self, names: Sequence[str], source: str) -> Found:
        header = Header(names, source)
        header.check_distinct()
        if lost := [name for name in self.models if name not in names]:
            raise HoldfastError(
                f"{opening(source)} has no column of the model {quoted(lost[0])}; it needs one for every model of the "
                f"labelled examples. It has {listed([*names], 120)}."
            )
        places = {f"model_{place}": header.place(name) for place, name in enumerate(self.models)}
        if self.target is not None:
            places["target"] = header.place(self.target)
        check_apart({role: place for role, place in places.items() if role != "target"}, names)
        return Found(places)


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
    from holdfast.sources.files import read_files
    from holdfast.sources.frames import read_frame

    asked = Further(panel.models, target)
    if isinstance(source, (str, PathLike)):
        return unlabelled_of_columns(read_files(source, asked, missing, separator), panel)
    return unlabelled_of_columns(read_frame(source, asked, missing), panel)
