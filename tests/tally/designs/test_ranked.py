"""Numbers beside rows not drawn one by one: what is missing is refused, left out or wrong, as of plain rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import holdfast as hf
from holdfast.errors import HoldfastError
from holdfast.predictions import Missing

TRUTH, PREDICTED = ["yes", "no"] * 12, ["yes", "no", "yes", "yes"] * 6
RIGHT = [a == b for a, b in zip(TRUTH, PREDICTED, strict=True)]
CLUSTERS = [place // 3 for place in range(24)]
MARGIN = [0.5 if right else -0.25 for right in RIGHT]
KINDS: dict[str, dict[str, Any]] = {
    "labels": {"truth": TRUTH, "predicted": PREDICTED},
    "right or wrong": {"correct": RIGHT},
}


def linear_loss(kind: str, missing: Missing = "refuse", gone: int = 0, **design: Any) -> float:
    margin = np.array(MARGIN)
    margin[:gone] = np.nan
    report = hf.assess(**KINDS[kind], margin=margin, only="linear-loss", missing=missing, **design)
    return float(next(iter(report)).claim.estimate)


@pytest.mark.parametrize("kind", [*KINDS])
@pytest.mark.parametrize("missing", ["drop", "wrong"])
def test_a_missing_margin_counts_alike_in_clusters_and_of_plain_rows(kind: str, missing: Missing) -> None:
    """Of clusters of one; with none missing, of any clusters of one size."""
    alone = {"clusters": range(24), "max_cluster": 1}
    assert linear_loss(kind, missing, gone=5, **alone) == pytest.approx(linear_loss(kind, missing, gone=5))
    assert linear_loss(kind, clusters=CLUSTERS, max_cluster=3) == pytest.approx(linear_loss(kind))
    assert linear_loss(kind, missing, gone=5, **alone) != pytest.approx(linear_loss(kind))


@pytest.mark.parametrize("kind", [*KINDS])
@pytest.mark.parametrize("gone", [1, 24])
def test_a_missing_margin_is_refused_in_clusters(kind: str, gone: int) -> None:
    with pytest.raises(HoldfastError, match=f"there are {gone} without a margin"):
        linear_loss(kind, gone=gone, clusters=CLUSTERS, max_cluster=3)
    with pytest.raises(HoldfastError):
        linear_loss(kind, "drop", gone=24, clusters=CLUSTERS, max_cluster=3)


def test_what_is_left_out_for_want_of_a_margin_is_said() -> None:
    margin = np.array(MARGIN)
    margin[:5] = np.nan
    report = hf.assess(TRUTH, PREDICTED, margin=margin, clusters=CLUSTERS, max_cluster=3, missing="drop")
    assert "Of the 24 rows, 5 have no margin" in " ".join(str(report).split())
