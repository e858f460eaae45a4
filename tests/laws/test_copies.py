"""Whatever a verb answers with survives pickle, copy and joblib: the copy says and shows what the original does."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pytest

import holdfast as hf
from holdfast.render.page import page_html
from tests.results import FIRST, REPORTS, RESULTS, TRUTH, result_of

WAYS: dict[str, Callable[[Any], Any]] = {
    "pickle": lambda result: pickle.loads(pickle.dumps(result)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}


def facts(result: Any) -> Any:
    """All that a result says, as plain values."""
    if hasattr(result, "to_json"):
        return result.to_json()
    if hasattr(result, "to_dict"):
        return result.to_dict()
    if isinstance(result, hf.Predictions):
        return {name: getattr(column, "codes", column).tolist() for name, column in result.frame.columns.items()}
    if isinstance(result, float | np.ndarray):
        return np.asarray(result).tolist()
    return {name: str(value) for name, value in vars(result).items() if not name.startswith("_")}


def shown(report: hf.Report) -> dict[str, Any]:
    """What is made of a report on demand."""
    return {
        "text": str(report),
        "frame": report.to_frame().to_dicts(),
        "notebook": report._repr_html_() if report.claims else "",
        "views": report.views,
        "curves": {name: curve.to_dict() for name, curve in report.curves.items()},
        "claims": [claim.to_dict() for claim in report.claims],
    }


@pytest.mark.crossing(12)
@pytest.mark.parametrize("name", RESULTS)
def test_a_copy_says_the_same(name: str) -> None:
    result = result_of(name)
    text = str(result)
    said = facts(result)
    for way, copied in WAYS.items():
        again = copied(result)
        assert type(again) is type(result), way
        assert str(again) == text, way
        assert facts(again) == said, way


@pytest.mark.parametrize(
    "name", [name if name in FIRST else pytest.param(name, marks=pytest.mark.long) for name in REPORTS]
)
def test_a_pickled_report_shows_the_same(name: str) -> None:
    report = result_of(name)
    assert shown(pickle.loads(pickle.dumps(report))) == shown(report)


@pytest.mark.crossing(1)
@pytest.mark.parametrize(
    "name", ["assess", "compare", *(pytest.param(each, marks=pytest.mark.long) for each in ("duel", "cross-assess"))]
)
def test_a_pickled_report_has_the_same_page_and_pictures(name: str) -> None:
    report = result_of(name)
    again = pickle.loads(pickle.dumps(report))
    assert page_html(again) == page_html(report)
    pictures = ({key: chart.to_dict() for key, chart in each.charts.items()} for each in (again, report))
    assert next(pictures) == next(pictures)


def test_a_report_that_was_looked_at_is_no_larger() -> None:
    report = hf.assess(TRUTH, np.roll(TRUTH, 1))
    before = len(pickle.dumps(report))
    assert all((report.lines, report.views, report.charts))
    assert len(pickle.dumps(report)) <= 1.1 * before


def test_what_follows_a_stream_goes_on_from_a_copy() -> None:
    monitor, duel = (pickle.loads(pickle.dumps(result_of(name))) for name in ("monitor", "sequential"))
    assert monitor.update(errors=1, n=10).claim.n == result_of("monitor").claim.n + 10
    assert duel.update(first=[True], second=[False]).n == result_of("sequential").n + 1


def test_joblib_writes_and_reads_reports(tmp_path: Path) -> None:
    for name in ("assess", "compare", "gate", "threshold"):
        joblib.dump(result_of(name), tmp_path / name)
        assert facts(joblib.load(tmp_path / name)) == facts(result_of(name))


@pytest.mark.long
def test_processes_hand_reports_back() -> None:
    report, verdict = joblib.Parallel(n_jobs=2)(joblib.delayed(_made)(name) for name in ("assess", "compare"))
    assert shown(report) == shown(result_of("assess"))
    assert verdict.verdict.outcome == result_of("compare").verdict.outcome


def _made(name: str) -> Any:
    return result_of(name)


def test_of_many_rows_a_report_keeps_what_its_curves_need_and_not_the_rows() -> None:
    """A score, its counts in both classes and the losses it makes: a few numbers a row, however it is copied."""
    draw = np.random.default_rng(5)
    score = draw.random(20_000)
    truth, predicted = draw.random(20_000) < score, score >= 0.5
    ranked = pickle.dumps(hf.assess(truth, predicted, score, positive=True))
    assert len(ranked) < 60 * 20_000
    assert pickle.loads(ranked).views["thresholds"]["declared"] == 0.5
    few, many = (len(pickle.dumps(hf.assess(truth[:n], predicted[:n]))) for n in (200, 20_000))
    assert many < 1.02 * few < 25_000
    assert len(pickle.dumps(hf.assess(correct=truth == predicted))) < 10**4


def test_every_kind_of_result_is_here() -> None:
    """Whoever makes a public class of results adds one of them."""
    kinds = {type(result_of(name)).__name__ for name in RESULTS}
    public = {name for name in hf.__all__ if isinstance(getattr(hf, name), type)}
    aside = {"Answer", "Assumption", "Guarantee", "HoldfastError", "Line", "Source", "Verdict"}  # parts of the others
    aside |= {"Ledger"}  # no result, but where looks are kept
    assert public - aside <= kinds, public - aside - kinds
    assert {"RocDisplay", "CalibrationDisplay", "ConfusionDisplay"} <= kinds
