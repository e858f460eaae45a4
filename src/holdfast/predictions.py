"""Truth beside a model's output, wherever the rows live."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw

Missing = Literal["refuse", "drop", "wrong"]


@dataclass(frozen=True, eq=False)
class Predictions:
    """Rows under fixed names: `truth` and `predicted`, or `correct` alone; perhaps `score`, or `score_0`, `score_1`, ...

    The frame is lazy and may live in any engine that narwhals speaks: nothing is read before it is tallied.
    """

    frame: nw.LazyFrame[Any]
    columns: tuple[str, ...]  # which of the fixed names are there
    score_labels: tuple[str, ...] = ()  # the label that each of several score columns speaks for
    missing: Missing = "refuse"  # what to do with a row without truth or prediction
    source: str = "the data"  # what messages call it
