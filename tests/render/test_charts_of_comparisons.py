"""Charts of comparisons: who is drawn, where, in which colour, and that swapping the models mirrors it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import holdfast as hf
from holdfast.render.charts import CHARTS, charts_of
from holdfast.render.charts.cells import LOOKS, MOST_DETAILED, MOST_MODELS, MOST_NUMBERED, OTHER, beats
from holdfast.render.charts.intervals import MOST_ROWS
from holdfast.render.charts.models import FEW_PAIRS, differences, error_rates
from holdfast.render.kinds import OF_COMPARISONS
from holdfast.render.page import save_chart
from holdfast.render.phrases import estimate_and_limits
from tests.needs import module
from tests.render.contests import HOSTILE, best_first, over_datasets, over_folds, rivals, scored

Rows = list[dict[str, Any]]


def rows(chart: Any, field: str) -> Rows:
    """The rows of the first data set that has such a field."""
    return next(data for data in chart.to_dict()["datasets"].values() if data and field in data[0])


def words(chart: Any) -> str:
    title = chart.to_dict()["title"]
    return " ".join([title["text"], *title["subtitle"]])


def error_rate(report: hf.Report, model: str) -> float:
    return float(next(line.claim.estimate for line in report.whole if line.model == model and line.against is None))  # type: ignore[arg-type]


# ---- Which there are


def test_each_comparison_has_the_charts_it_bears_in_order() -> None:
    assert list(rivals(3).charts) == ["differences", "beats", "error-rates"]
    assert list(over_folds().charts) == ["differences", "beats"]
    assert list(over_datasets().charts) == ["ranks", "beats"]
    assert not set(OF_COMPARISONS) & set(charts_of(hf.assess(correct=[True, False, True])))
    assert [CHARTS[name](hf.Report.of([])) for name in OF_COMPARISONS] == [None] * 4


@pytest.mark.parametrize("name", ["differences", "beats", "error-rates"])
@pytest.mark.parametrize(
    "number", [2, pytest.param(5, marks=pytest.mark.long), pytest.param(50, marks=pytest.mark.long)]
)
def test_every_chart_can_be_drawn(name: str, number: int, tmp_path: Path) -> None:
    module("vl_convert")
    save_chart(rivals(number).charts[name], tmp_path / "chart.svg")
    assert "</svg>" in (tmp_path / "chart.svg").read_text(encoding="utf-8")


# ---- Differences


def test_one_pair_is_told_by_every_method() -> None:
    report = rivals(2, margin=0.03)
    chart = differences(report)
    drawn = rows(chart, "numbers")
    lines = [line for line in report.whole if line.against]
    assert [row["row"] for row in drawn] == [line.claim.method for line in lines] == ["paired-fisher", "tango"]
    for row, line in zip(drawn, lines, strict=True):
        assert (row["lower"], row["estimate"], row["upper"]) == (
            line.claim.lower,
            line.claim.estimate,
            line.claim.upper,
        )
        assert row["numbers"] == " ".join(estimate_and_limits(line.claim))
        assert row["guarantee"] == line.claim.guarantee.sentence
    assert len({row["guarantee"] for row in drawn}) == 2
    assert rows(chart, "low") == [{"low": -0.03, "high": 0.03}]
    assert rows(chart, "none") == [{"none": 0.0}]
    assert "Left of the line the first is better. Shaded: the margin of 0.03." in words(chart)


def test_without_a_margin_nothing_is_shaded() -> None:
    chart = differences(rivals(3))
    assert not [data for data in chart.to_dict()["datasets"].values() if data and "low" in data[0]]
    assert "Shaded" not in words(chart)
    assert "hold together, 95 %" in words(chart)
    drawn = rows(chart, "numbers")
    assert [row["row"] for row in drawn[:2]] == ["model 1 − model 2, paired-fisher", "model 1 − model 2, tango"]
    assert len(drawn) == 6


def test_results_that_should_be_high_are_read_from_the_other_side() -> None:
    assert "Right of the line the first is better." in words(differences(over_folds("higher")))
    assert "Left of the line the first is better." in words(differences(over_folds()))
    assert "meant for all pairs together" in words(differences(over_folds()))


def test_of_more_pairs_the_deciding_method_is_drawn() -> None:
    drawn = rows(differences(rivals(7)), "numbers")
    assert len(drawn) == 21 > FEW_PAIRS
    assert {row["method"] for row in drawn} == {"paired-fisher"}
    assert "All 21 pairs, by paired-fisher." in words(differences(rivals(7)))


def test_of_very_many_pairs_those_of_the_leader_are_drawn_the_right_way_round() -> None:
    report = rivals(50)
    leader, *others = best_first(report)
    assert leader != report.details["models"][0]  # so that some pairs must be turned
    chart = differences(report)
    drawn = rows(chart, "numbers")
    assert [row["pair"] for row in drawn] == [f"{leader} − {other}" for other in others]
    assert len(drawn) == 49 <= MOST_ROWS
    for row, other in zip(drawn, others, strict=True):
        claim = report["error-rate-difference", (leader, other)]
        assert (row["lower"], row["estimate"], row["upper"]) == (claim.lower, claim.estimate, claim.upper)
        assert row["estimate"] == pytest.approx(error_rate(report, leader) - error_rate(report, other))
        assert row["estimate"] <= 0
    assert f"{leader}, which has the lowest error rate here, against each other one; 1,225 pairs in all." in words(
        chart
    )


# ---- Who beats whom


def test_the_matrix_says_of_the_row_what_the_report_says_of_the_pair() -> None:
    report = rivals(5)
    cells = {(cell["row"], cell["column"]): cell for cell in rows(beats(report), "outcome")}
    assert len(cells) == 20
    outcomes = set()
    for pair in report.details["pairs"]:
        cell, turned = cells[pair["first"], pair["second"]], cells[pair["second"], pair["first"]]
        assert cell["outcome"] == pair["outcome"]
        assert turned["outcome"] == {"better": "worse", "worse": "better"}.get(pair["outcome"], pair["outcome"])
        claim = report["error-rate-difference", (pair["second"], pair["first"])]
        assert turned["numbers"] == " ".join(estimate_and_limits(claim))
        straight = report["error-rate-difference", (pair["first"], pair["second"])]
        assert (claim.lower, claim.upper) == (-float(straight.upper), -float(straight.lower))
        assert float(cell["difference"]) == -float(turned["difference"])
        assert cell["p"] == turned["p"]
        assert float(cell["p"]) >= pair["adjusted_p"]
        outcomes.add(pair["outcome"])
    assert outcomes == {"better", "worse", "not settled"}
    settled = sum(pair["outcome"] != "not settled" for pair in report.details["pairs"])
    assert words(beats(report)).startswith(f"Of 10 pairs {settled} are settled Blue: the row's model is better. Orange")


def test_models_stand_in_the_order_of_how_they_did() -> None:
    chart = beats(rivals(5)).to_dict()
    for way in ("x", "y"):
        assert chart["layer"][0]["encoding"][way]["scale"]["domain"] == best_first(rivals(5))


@pytest.mark.parametrize("number", [2, MOST_DETAILED, MOST_NUMBERED, MOST_NUMBERED + 1])
def test_cells_bear_what_they_have_room_for(number: int) -> None:
    chart = beats(rivals(number, 200)).to_dict()
    texts = [layer["encoding"]["text"]["field"] for layer in chart["layer"] if "text" in layer["encoding"]]
    expected = (
        ["difference", "chance"] if number <= MOST_DETAILED else ["difference"] if number <= MOST_NUMBERED else []
    )
    assert texts == expected
    assert chart["width"]["step"] * number <= 700


@pytest.mark.long
def test_the_best_of_very_many_are_drawn() -> None:
    report = rivals(MOST_MODELS + 2, 100)
    chart = beats(report)
    assert len(rows(chart, "outcome")) == MOST_MODELS * (MOST_MODELS - 1)
    assert {cell["row"] for cell in rows(chart, "outcome")} == set(best_first(report)[:MOST_MODELS])
    assert "The best 50 of 52 here" in words(chart)


def test_every_outcome_has_a_look_and_its_mirror() -> None:
    margin = rivals(6, 2_000, spread=0.03, margin=0.02)
    found = {pair["outcome"] for pair in margin.details["pairs"]}
    assert found & {"not inferior", "equivalent"}
    drawn = {cell["outcome"] for cell in rows(beats(margin), "outcome")}
    assert drawn == found | {OTHER.get(outcome, outcome) for outcome in found} <= set(LOOKS)
    layers = [layer for layer in beats(margin).to_dict()["layer"] if layer["mark"]["type"] == "rect"]
    assert len(layers) == len(drawn)
    for outcome in drawn:
        assert LOOKS[outcome][2] in words(beats(margin))
    assert {other: one for one, other in OTHER.items()} == OTHER


def test_identical_models_are_no_difference() -> None:
    truth = np.arange(40) % 2
    report = hf.compare(truth, {"a": truth, "b": truth})
    (cell, turned) = rows(beats(report), "outcome")
    assert cell["outcome"] == turned["outcome"] == "no difference"
    assert (cell["difference"], turned["difference"], cell["p"]) == ("0.000", "0.000", "1")
    assert words(beats(report)).startswith("a against b: no difference")


def test_ranks_are_beaten_as_wilcoxon_says() -> None:
    report = over_datasets()
    cells = {(cell["row"], cell["column"]): cell["outcome"] for cell in rows(beats(report), "outcome")}
    for model in report.details["models"]:
        beaten = any(outcome == "worse" for (row, _), outcome in cells.items() if row == model)
        assert beaten == (model not in report.details["may_be_best"])
    assert set(cells.values()) == {"better", "worse", "not settled"}


# ---- Error rates


def test_each_model_has_its_own_error_rate_best_first() -> None:
    report = rivals(5)
    drawn = rows(error_rates(report), "best")
    assert [row["model"] for row in drawn] == best_first(report)
    for row in drawn:
        claim = report["error-rate", row["model"]]
        assert (row["lower"], row["upper"]) == (claim.lower, claim.upper)
        best = row["model"] in report.details["may_be_best"]
        assert (row["best"] == "yes", row["row"].endswith(" *")) == (best, best)
    assert "All intervals hold together, 95 %" in words(error_rates(report))
    with pytest.warns(UserWarning, match="plain intervals"):
        plain = rivals(3, plain=True)
    assert "Each interval holds on its own, and not for a model selected" in words(error_rates(plain))


def test_other_measures_do_not_slip_in() -> None:
    assert {row["measure"] for row in rows(differences(scored()), "numbers")} == {"f1-difference"}  # which decides


# ---- Names are data


def test_hostile_names_stay_short_and_apart() -> None:
    report = rivals(7, names=HOSTILE)
    for name, chart in report.charts.items():
        drawn = rows(chart, "row")
        assert len({row["row"] for row in drawn}) == (7 if name != "differences" else 21)
        assert max(len(str(value)) for row in drawn for value in row.values()) < 1_000
        assert not any("\x00" in str(value) or "\u202e" in str(value) for row in drawn for value in row.values())
