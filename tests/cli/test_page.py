"""holdfast assess --html, --chart and --operating-point: what is written beside what is printed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from holdfast.render import charts, page
from holdfast.verbs.assess import assess as verb
from tests.cli.conftest import Run

EXAMPLES = Path(__file__).parents[2] / "examples"
EXAMPLE = (str(EXAMPLES / "predictions.csv"), "--positive", "malignant")
CHEAP = (*EXAMPLE, "--measure", "error-rate", "--measure", "auc")


def test_the_page_is_written_and_said_to_be(run: Run) -> None:
    plain = run("assess", *EXAMPLE)
    answer = run("assess", *EXAMPLE, "--html", "report.html")
    assert (answer.code, answer.err) == (0, "Page written to report.html\n")
    assert answer.out.split("\n")[:-3] == plain.out.split("\n")[:-3]  # the provenance tells the command
    written = Path("report.html").read_text(encoding="utf-8")
    assert written.lower().startswith("<!doctype html>")
    assert "default-src 'none'" in written
    assert "malignant" in written
    assert len(written) < 2_000_000


def test_json_stays_json_and_does_not_know_of_the_page(run: Run) -> None:
    told = [json.loads(run("assess", *CHEAP, "--json", *more).out) for more in ((), ("--html", "a.html"))]
    for each in told:
        del each["provenance"]["command"]
    assert told[0] == told[1]
    assert Path("a.html").exists()


@pytest.mark.parametrize("file", ["forest.html", "matrix.png", "ROC.SVG", "my-model.svg:scores"])
def test_a_chart_is_named_by_its_file(run: Run, file: str) -> None:
    answer = run("assess", *CHEAP, "--chart", file)
    written = file.partition(":")[0]
    assert (answer.code, answer.err) == (0, f"Chart written to {written}\n")
    begins = {".svg": b"<svg", ".html": b"<!", ".png": b"\x89PNG"}[Path(written).suffix.lower()]
    assert Path(written).read_bytes().startswith(begins)


def test_several_charts_and_the_page_at_once(run: Run) -> None:
    answer = run("assess", *CHEAP, "--chart", "roc.svg", "--chart", "precision-recall.svg", "--html", "page.html")
    assert answer.err.splitlines() == [
        "Page written to page.html",
        "Chart written to roc.svg",
        "Chart written to precision-recall.svg",
    ]
    assert Path("roc.svg").read_text(encoding="utf-8") != Path("precision-recall.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (
            ("--chart", "curve.svg"),
            "There is no picture named 'curve'; choose from calibration, forest, groups, matrix, ",
        ),
        (("--chart", "rok.svg"), "There is no picture named 'rok'; did you mean 'roc'?"),
        (("--chart", "roc"), "'roc' ends in none of these"),
        (("--chart", "roc.gif"), "'roc.gif' ends in none of these"),
        (("--chart", "nowhere/roc.svg"), "Cannot write nowhere/roc.svg: there is no folder nowhere."),
        (("--html", "report.pdf"), "The page is written as .html; got report.pdf."),
        (("--html", "nowhere/report.html"), "Cannot write nowhere/report.html: there is no folder nowhere."),
        (("--html", "roc.html", "--chart", "roc.html"), "roc.html would be written twice"),
        (("--chart", "roc.svg", "--chart", "./roc.svg"), "roc.svg would be written twice"),
    ],
)
def test_whatever_is_wrong_with_a_file_is_told_before_the_work(
    run: Run, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], told: str
) -> None:
    def worked(*_: Any, **__: Any) -> None:
        raise AssertionError("the work had begun")

    monkeypatch.setattr(verb, "assess", worked)
    answer = run("assess", *EXAMPLE, *arguments)
    assert (answer.code, answer.out) == (2, "")
    assert told in answer.err
    assert len(answer.err.splitlines()) == 1
    assert list(Path().iterdir()) == []


def test_a_picture_that_the_data_do_not_bear(run: Run) -> None:
    answer = run("assess", *CHEAP, "--chart", "groups.svg")
    assert answer.code == 2
    assert "error rate" in answer.out  # the report is not lost for it
    assert "These data bear no picture groups; they bear forest, matrix, roc" in answer.err
    assert not Path("groups.svg").exists()


def test_what_the_page_needs_is_only_made_for_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from holdfast.verbs.assess import page_data as views

    def made(*_: Any, **__: Any) -> None:
        raise AssertionError("nobody asked for it")

    for name in ("levels", "matrix", "plan", "histogram", "thresholds"):
        monkeypatch.setattr(views, name, made)
    assert run("assess", *CHEAP).code == 0


def test_the_operating_point(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[Any] = []
    monkeypatch.setattr(page, "save_answer", lambda report, path: kept.append((report, path)))
    for arguments in ((), ("--operating-point", "0.3")):
        assert run("assess", *CHEAP, "--html", "x.html", *arguments).code == 0
    own, given = (report.seen["thresholds"]() for report, _ in kept)
    assert own["declared"] == 0.5
    assert "model's own rule" in own["why"]
    assert given["declared"] == 0.3
    assert "declared beforehand" in given["why"]
    answer = run("assess", *CHEAP, "--operating-point", "high")
    assert (answer.code, "high" in answer.err) == (2, True)


def test_a_file_that_cannot_be_written_is_one_line(run: Run) -> None:
    Path("roc.svg").mkdir()
    answer = run("assess", *CHEAP, "--chart", "roc.svg")
    assert answer.code == 2
    assert answer.err.startswith("holdfast: Cannot write roc.svg")


def test_the_names_of_the_pictures() -> None:
    names = ["forest", "matrix", "roc", "precision-recall", "scores", "calibration", "groups", "plan"]
    names += ["differences", "ranks", "beats", "error-rates", "wealth"]
    names += ["splits", "decomposition", "learning-curve", "interval-width"]
    names += ["model-errors", "agreement", "ways", "conditions", "rates", "trade-off", "limits", "levels"]
    assert list(charts.CHARTS) == names
