"""Whether scores mean what they say, of rows as they were drawn: what came true of each bin, and the error."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from holdfast.catalog import Measure
from holdfast.errors import HoldfastError
from holdfast.evidence import Array, Evidence, Scores
from holdfast.evidence.ranking.calibration import FixedBins, Reliability
from holdfast.tally.designs.drawn import EVENTS, Drawn


def calibrated(measure: Measure, rows: Drawn, label: str, bins: FixedBins) -> Iterator[tuple[str | None, Evidence]]:
    """What is said of bins that no score has chosen, of each or of all together; of rows drawn one by one by counts."""
    scores, positive = rows.scores[label], np.asarray(rows.truth == rows.labels.index(label))
    place = bins.places(scores)
    if not np.isfinite(bins.edges[-1]) or bins.edges[0] > 0:  # the grades of a scale
        _refuse_others(scores, bins)
    if rows.draws.rows and rows.draws.stratum is None:
        evidence = measure(_reliability(scores, positive, bins))
        if measure.label_is != "bin":
            yield label, evidence
            return
        yield from ((name, evidence.of(at)) for at, name in enumerate(bins.names))
    elif measure.label_is == "bin":
        for at, name in enumerate(bins.names):
            yield name, rows.ratio(positive.astype(np.float64), (place == at).astype(np.float64), levels=EVENTS)
    else:
        assert measure.influence is not None  # it declares it
        value, added = measure.influence(scores, positive, rows.rows, edges=bins.edges)
        yield label, replace(rows.influence(value, added), smooth=measure.smooth)


def _reliability(scores: Array, positive: NDArray[np.bool_], bins: FixedBins) -> Reliability:
    """The same of rows that weigh one each."""
    place, size = bins.places(scores), len(bins.names)
    read = Reliability.of(Scores(scores, positive))
    n, own = np.bincount(place, minlength=size), np.bincount(place[positive], minlength=size)
    return replace(read, names=bins.names, positives=own, n=n, forecasts=np.bincount(place, scores, size))


def _refuse_others(scores: Array, bins: FixedBins) -> None:
    values = bins.edges[:-1]
    strange = scores[values[np.minimum(np.searchsorted(values, scores), values.size - 1)] != scores]
    if strange.size:
        raise HoldfastError(f"The score {strange[0]:.10g} is of none of the grades {', '.join(bins.names)}.")
