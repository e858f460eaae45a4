"""Whatever is given, `assess` gives the right answer or an error that can be read; never anything else."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import holdfast as hf
from holdfast.errors import HoldfastError
from tests.cli.test_fuzz import hostile

values = st.one_of(st.none(), st.booleans(), st.integers(-3, 3), st.floats(allow_nan=True), hostile)


def checked(report: hf.Report) -> hf.Report:
    """What holds of every report."""
    for line in report.lines:
        claim = line.claim
        assert math.isfinite(claim.lower)
        assert math.isfinite(claim.upper)
        assert claim.lower <= claim.upper
        if claim.estimate is not None:
            assert claim.lower <= claim.estimate <= claim.upper, line
    json.loads(report.to_json())
    assert max(map(len, str(report).splitlines())) <= 80
    report.to_frame()
    return report


@settings(max_examples=150)
@given(st.lists(st.tuples(values, values), max_size=12), st.sampled_from(["refuse", "drop", "wrong"]))
def test_columns_of_anything(rows: list[tuple[object, object]], missing: str) -> None:
    truth, predicted = [row[0] for row in rows], [row[1] for row in rows]
    try:
        report = checked(hf.assess(truth, predicted, missing=missing))  # type: ignore[arg-type]
    except HoldfastError as error:
        refused = str(error)
    else:
        refused = ""
    if refused:
        assert len(refused) <= 600
        assert refused.count("\n") < 6
        return
    absent = [[v is None or v != v for v in row] for row in rows]
    kept = [r for r, gone in zip(rows, absent, strict=True) if not (gone[0] or (gone[1] and missing == "drop"))]
    wrong = sum(1 for a, b in kept if b is None or b != b or a != b)
    assert (report.details["errors"], report.provenance["rows"]) == (wrong, len(kept))


@settings(max_examples=40)
@given(
    st.lists(st.tuples(st.booleans(), st.booleans(), st.floats(width=32)), min_size=1, max_size=15),
    st.sampled_from([np.float64, np.float32, list]),
)
def test_scores_of_any_kind(rows: list[tuple[bool, bool, float]], kind: object) -> None:
    truth, predicted, scores = (list(column) for column in zip(*rows, strict=True))
    given_scores = scores if kind is list else np.array(scores, kind)  # type: ignore[call-overload]
    try:
        report = checked(hf.assess(truth, predicted, given_scores))
    except HoldfastError:
        report = None
    if report is None:
        assert not all(math.isfinite(score) for score in scores)
        return
    own = [s for t, s in zip(truth, scores, strict=True) if t and not math.isnan(s)]
    others = [s for t, s in zip(truth, scores, strict=True) if not t and not math.isnan(s)]
    area = report["auc"].estimate
    if not own or not others:
        assert area is None
    else:
        won = sum((a > b) + (a == b) / 2 for a in own for b in others)
        assert area == pytest.approx(won / (len(own) * len(others)), abs=1e-12)
