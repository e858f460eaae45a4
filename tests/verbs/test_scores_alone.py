"""What is read off scores needs no predictions, and what needs no scores is not broken by any."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import holdfast as hf
from holdfast.render.page import page_html
from tests.needs import module
from tests.shapes import validate

SHAPE = json.loads((Path(hf.__file__).parent / "schemas" / "report-1.json").read_text(encoding="utf-8"))
RANDOM = np.random.default_rng(6)
TRUTH = (RANDOM.random(120) < 0.4).astype(int)
SCORE = np.clip(0.3 + 0.3 * TRUTH + RANDOM.normal(0, 0.2, 120), 0, 1)
PREDICTED = (SCORE >= 0.5).astype(int)
OF_SCORES = {"auc", "average-precision", "gini", "ks", "log-loss", "brier", "ece"}


def named(report: hf.Report) -> dict[str, Any]:
    return {line.measure: (line.claim.estimate, line.claim.lower, line.claim.upper) for line in report.whole}


def test_what_is_read_off_scores_is_the_same_without_predictions() -> None:
    whole, alone = hf.assess(TRUTH, PREDICTED, SCORE), hf.assess(TRUTH, score=SCORE)
    assert named(alone) == {name: of for name, of in named(whole).items() if name in OF_SCORES | {"prevalence"}}
    assert list(alone.curves) == list(whole.curves)
    told = json.loads(alone.to_json())
    validate(told, SHAPE)
    assert not {"errors", "contingency"} & told.keys()
    (note,) = [note for note in told["notes"] if "There are no predictions" in note]
    assert "operating_point=" in note
    assert "there are no predictions" in str(alone)
    assert "erred" not in str(alone)


def test_every_form_of_it(tmp_path: Path) -> None:
    frame = pl.DataFrame({"y": TRUTH, "p": SCORE})
    expected = named(hf.assess(TRUTH, score=SCORE))
    frame.write_csv(tmp_path / "scores.csv")
    for source in (tmp_path / "scores.csv", frame, frame.lazy()):
        assert named(hf.assess(hf.read(source))) == expected
    module("duckdb")
    duckdb: Any = importlib.import_module("duckdb")
    assert named(hf.assess(hf.read(duckdb.from_arrow(frame.to_arrow())))) == expected
    both = hf.assess(TRUTH, score=np.column_stack([1 - SCORE, SCORE]))
    assert both["auc", "1"].estimate == expected["auc"][0]


def test_page_notebook_and_pictures() -> None:
    report = hf.assess(TRUTH, score=SCORE, bins=4)
    assert list(report.seen) == ["levels", "scores", "thresholds"]
    page = page_html(report)
    assert "there are no predictions" in page
    assert "Confusion" not in page
    assert "erred" not in report._repr_html_()
    assert "matrix" not in report.charts
    assert {"roc", "forest"} <= set(report.charts)
    with pytest.raises(hf.HoldfastError, match=r"The data do not bear posterior-loss\. There are no predictions"):
        hf.assess(TRUTH, score=SCORE, only="posterior-loss")


def test_crossed() -> None:
    by_class = hf.assess(TRUTH, score=SCORE, sampling="by-class")
    assert {line.measure for line in by_class.whole} == {"auc", "gini", "ks"}
    groups = {"place": np.arange(120) % 2}
    grouped = hf.assess(TRUTH, score=SCORE, groups=groups)
    assert not grouped.blocks
    assert any("Nothing is said of each group" in note for note in grouped.details["notes"])
    named = hf.assess(TRUTH, score=SCORE, groups=groups, only="auc")
    assert {block.claim.measure for block in named.blocks} == {"auc", "auc-gap"}
    clusters = hf.assess(TRUTH, score=SCORE, clusters=np.arange(120) // 2)
    assert clusters["auc"].estimate == pytest.approx(grouped["auc"].estimate)
    assert not [line for line in clusters.lines if line.measure in ("error-rate", "recall", "mcc")]
    assert any("There are no predictions" in note for note in clusters.details["notes"])
    with pytest.raises(hf.HoldfastError, match=r"The data do not bear recall\. There are no predictions"):
        hf.assess(TRUTH, score=SCORE, only="recall")
    with pytest.raises(hf.HoldfastError, match=r"Groups are told by their tables\. There are no predictions"):
        hf.gate(TRUTH, score=SCORE, at_most=0.5, groups=groups)


def test_a_gate_on_scores_needs_no_predictions() -> None:
    assert hf.gate(TRUTH, score=SCORE, measure="auc", at_least=0.6).answer == "proven"


def test_rows_without_a_score() -> None:
    gaps = np.where(np.arange(120) % 10 == 0, np.nan, SCORE)
    report = hf.assess(TRUTH, PREDICTED, gaps)
    assert report["error-rate"].n == 120
    assert {report[name].n for name in ("auc", "log-loss", "brier", "average-precision")} == {108}
    assert report.details["missing"] == {"score": 12}
    for missing in ("refuse", "wrong"):
        for call in (
            lambda missing=missing: hf.assess(TRUTH, PREDICTED, gaps, only="auc", missing=missing),
            lambda missing=missing: hf.assess(TRUTH, score=gaps, missing=missing),
            lambda missing=missing: hf.gate(TRUTH, PREDICTED, gaps, measure="auc", at_least=0.5, missing=missing),
        ):
            with pytest.raises(hf.HoldfastError, match="12 without a score"):
                call()
    assert hf.assess(TRUTH, score=gaps, missing="drop")["auc"].n == 108


STRAY = pl.DataFrame(
    {
        "disease": np.where(TRUTH, "ill", "healthy"),
        "call": np.where(PREDICTED, "ill", "healthy"),
        "score_a": SCORE,
        "score_b": SCORE / 2,
        "score_note": "unread",
    }
)


def test_scores_are_read_only_where_they_are_needed() -> None:
    rows = hf.read(STRAY.lazy(), truth="disease", predicted="call")
    recall = hf.assess(rows, only="recall")
    assert not any("score" in note for note in recall.details["notes"])
    assert hf.gate(rows, at_most=0.5).notes == hf.gate(STRAY["disease"], STRAY["call"], at_most=0.5).notes
    whole = hf.assess(rows)
    assert "auc" not in named(whole)
    (note,) = [note for note in whole.details["notes"] if "score" in note]
    assert note.startswith("The scores, found by the names of their columns, were left out. ")
    for call in (
        lambda: hf.assess(rows, only="auc"),
        lambda: hf.assess(rows, bins=3, positive="ill"),
        lambda: hf.gate(rows, measure="auc", at_least=0.5),
        lambda: hf.threshold(rows, positive="ill", sensitivity_at_least=0.5),
        lambda: hf.assess(hf.read(STRAY, truth="disease", predicted="call", score=["score_a", "score_b"])),
    ):
        with pytest.raises(hf.HoldfastError, match="'healthy' has no score column"):
            call()


def test_scores_may_be_left_out() -> None:
    frame = pl.DataFrame({"truth": TRUTH, "predicted": PREDICTED, "score": SCORE})
    for report in (hf.assess(hf.read(frame, score=False)), hf.assess(hf.read(frame), score=False)):
        assert "auc" not in named(report)
        assert not report.curves
