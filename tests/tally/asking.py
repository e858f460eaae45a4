"""Predictions in one line, and what the tally says to them."""

from __future__ import annotations

from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
import pytest

from holdfast.errors import HoldfastError
from holdfast.predictions import Missing, Predictions
from holdfast.tally import Tally, tally


def given(missing: Missing = "refuse", score_labels: tuple[str, ...] = (), **columns: Any) -> Predictions:
    frame = pl.DataFrame({name: pl.Series(name, values, strict=False) for name, values in columns.items()})
    return Predictions(nw.from_native(frame.lazy()), tuple(columns), score_labels, missing)


def of(truth: Any, predicted: Any, score: Any = None, **asked: Any) -> Tally:
    missing = asked.pop("missing", "refuse")
    columns = {"truth": truth, "predicted": predicted} | ({} if score is None else {"score": score})
    return tally(given(missing, **columns), **asked)


def refusal(*columns: Any, **asked: Any) -> str:
    with pytest.raises(HoldfastError) as caught:
        of(*columns, **asked)
    told = str(caught.value)
    assert len(told) <= 600
    assert told.count("\n") < 6
    return told


def probabilities(random: np.random.Generator, size: int, classes: int) -> Any:
    return random.dirichlet(np.ones(classes), size)
