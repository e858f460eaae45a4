"""Finished splits as Parquet, and back."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import numpy as np

from holdfast.training.fit import Fit, Work


def packed(fits: dict[int, Fit], work: Work) -> bytes:
    """The rows of some splits: how each was predicted, by the place of its label, and scored."""
    import polars as pl

    frames = []
    for split, fit in fits.items():
        columns: dict[str, Any] = {"row": work.plan.test(split), "predicted": fit.predicted}
        for i in range(_width(work)):
            columns[f"score_{i}"] = None if fit.scores is None else fit.scores.reshape(len(fit.predicted), -1)[:, i]
        frames.append(
            pl.DataFrame(columns, schema_overrides={f"score_{i}": pl.Float64 for i in range(_width(work))}).select(
                pl.lit(split, pl.Int64).alias("split"),
                pl.all(),
                pl.lit(fit.seconds).alias("seconds"),
                pl.lit(fit.scored_by or "").alias("scored_by"),
                pl.lit(fit.note).alias("note"),
            )
        )
    content = BytesIO()
    pl.concat(frames).write_parquet(content)
    return content.getvalue()


def _width(work: Work) -> int:
    return 0 if not work.scores else 1 if len(work.labels) == 2 else len(work.labels)


def unpacked(content: bytes, work: Work) -> dict[int, Fit]:
    """The splits that were packed for this work; a ValueError where this version of Parquet's reader fails."""
    import polars as pl

    try:
        frame = pl.read_parquet(BytesIO(content))
    except pl.exceptions.PolarsError as error:
        raise ValueError(str(error)) from error
    names = [f"score_{i}" for i in range(_width(work))]
    fits = {}
    for (split,), rows in frame.partition_by("split", as_dict=True, maintain_order=True).items():
        seconds, way, note = rows.select("seconds", "scored_by", "note").row(0)
        scores = rows.select(names).to_numpy() if way else None
        if scores is not None:
            scores = np.ascontiguousarray(scores[:, 0] if len(names) == 1 else scores)
        fits[int(split)] = Fit(rows["predicted"].to_numpy(), scores, way or None, seconds, note)
    return fits
