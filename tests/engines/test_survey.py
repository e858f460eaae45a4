"""Means, ratios and differences under any design against R's survey, and areas against pROC and by hand."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import holdfast as hf
from holdfast.catalog import find_measure
from holdfast.evidence.draws import Draws, Influence, Ratio
from holdfast.measures.influences import area_of
from holdfast.tally.designs.drawn import Drawn
from holdfast.tally.designs.reading import readings
from tests.needs import require

MODELS = ("first", "second")
MEASURES = ("error-rate", "recall", "precision", "f1", "brier")
DESIGNS = ("rows", "weights", "clusters", "strata", "clusters-weights", "clusters-strata", "clusters-strata-weights")
SURVEY = """
suppressMessages(library(survey))
rows <- read.csv(commandArgs(TRUE)[1], check.names = FALSE)
all <- rep(1, nrow(rows))
for (name in strsplit(commandArgs(TRUE)[2], " ")[[1]]) {
  has <- function(word) grepl(word, name)
  drawn <- svydesign(ids = if (has("clusters")) ~cluster else ~1, strata = if (has("strata")) ~stratum else NULL,
                     weights = rows[[paste0("w.", name)]], data = rows)
  parts <- function(model) {
    p <- rows[[model]]
    list(`error-rate` = list(p != rows$truth, all), recall = list(p * rows$truth, rows$truth),
         precision = list(p * rows$truth, p), f1 = list(2 * p * rows$truth, p + rows$truth),
         brier = list((rows[[paste0("score.", model)]] - rows$truth)^2, all))
  }
  both <- list(parts("first"), parts("second"))
  for (which in c("all", "x", "y")) for (measure in names(both[[1]])) {
    drawn$variables$part1 <- both[[1]][[measure]][[1]] * 1
    drawn$variables$whole1 <- both[[1]][[measure]][[2]] * 1
    drawn$variables$part2 <- both[[2]][[measure]][[1]] * 1
    drawn$variables$whole2 <- both[[2]][[measure]][[2]] * 1
    some <- if (which == "all") drawn else drawn[rows$group == which, ]
    one <- svyratio(~part1, ~whole1, some)
    gap <- svycontrast(svytotal(~part1 + whole1 + part2 + whole2, some),
                       quote(part1 / whole1 - part2 / whole2))
    cat(name, which, measure, sprintf("%.17g", c(coef(one), SE(one), coef(gap), SE(gap))), "\\n")
    if (measure == "error-rate" && which == "all") {
      mean <- svymean(~part1, some)
      stopifnot(abs(coef(mean) - coef(one)) < 1e-12, abs(SE(mean) - SE(one)) < 1e-12)
    }
  }
}
"""
PROC = """
suppressMessages(library(pROC))
rows <- read.csv(commandArgs(TRUE)[1])
curve <- function(score) roc(rows$truth, score, levels = c(0, 1), direction = "<", quiet = TRUE)
first <- curve(rows$score.first)
second <- curve(rows$score.second)
cat(sprintf("%.17g", c(auc(first), var(first, method = "delong"),
  auc(first) - auc(second), var(first, method = "delong") + var(second, method = "delong")
  - 2 * cov(first, second, method = "delong"))), "\\n")
"""


def rows() -> pl.DataFrame:
    """Clusters of one to six rows, each within one of three strata, and two models that err together."""
    random = np.random.default_rng(8)
    cluster = np.repeat(np.arange(36), random.integers(1, 7, 36))
    shared, own = random.normal(size=36)[cluster], random.normal(size=(3, cluster.size))
    truth = (shared + own[0] > 0.2) * 1
    scores = [np.round(1 / (1 + np.exp(-(own[0] + 0.5 * shared + 0.7 * each))), 2) for each in own[1:]]
    columns = {"truth": truth, "cluster": cluster, "stratum": cluster % 3, "group": own[1] > 0}
    columns |= {f"score.{name}": score for name, score in zip(MODELS, scores, strict=True)}
    columns |= {name: (score >= 0.5) * 1 for name, score in zip(MODELS, scores, strict=True)}
    frame = pl.DataFrame({**columns, "weight": random.choice([0.5, 1.0, 1.7], cluster.size)})
    return frame.with_columns(group=pl.when("group").then(pl.lit("x")).otherwise(pl.lit("y")))


SHARES = np.array([0.5, 0.3, 0.2])


def drawn(design: str, frame: pl.DataFrame) -> tuple[Draws, np.ndarray, np.ndarray]:
    """What was drawn, the draw of each row, and what each row weighs."""
    held = {name: frame[name].to_numpy() for name in ("cluster", "stratum", "weight")}
    draw = held["cluster"] if "clusters" in design else np.arange(frame.height)
    weight = held["weight"] if "weights" in design else np.ones(frame.height)
    if "strata" not in design:
        return Draws(np.ones(draw.max() + 1)), draw, weight
    stratum = np.zeros(draw.max() + 1, np.int64)
    stratum[draw] = held["stratum"]
    factor = (SHARES / np.bincount(stratum))[stratum]
    return Draws(np.ones(stratum.size), stratum, factor), draw, weight * factor[draw]


def stated(design: str, frame: pl.DataFrame) -> dict[str, Any]:
    """The same as verbs take it."""
    given: dict[str, Any] = {"clusters": frame["cluster"]} if "clusters" in design else {}
    given |= {"weights": frame["weight"]} if "weights" in design else {}
    shares = {str(place): share for place, share in enumerate(SHARES.tolist())}
    return given | ({"strata": frame["stratum"], "shares": shares} if "strata" in design else {})


def evidence(design: str, frame: pl.DataFrame, model: str, measure: str, group: str = "all") -> Ratio | Influence:
    """What one model's answers say of the class 1, draw by draw."""
    draws, draw, weight = drawn(design, frame)
    score, truth = frame[f"score.{model}"].to_numpy(), frame["truth"].to_numpy()
    entries = Drawn(
        draws,
        draw,
        weight,
        truth,
        frame[model].to_numpy(),
        square=(score - truth) ** 2,
        probability=np.where(truth == 1, score, 1 - score),
        scores={"1": score},
        labels=("0", "1"),
        truths=np.arange(2),
    )
    if group != "all":
        entries = entries.kept(frame["group"].to_numpy() == group, group)
    found = dict(readings(find_measure(measure), entries))
    one = found["1"] if "1" in found else found[None]
    assert isinstance(one, (Ratio, Influence))
    return one


def survey_error(one: Ratio | Influence) -> float:
    """The standard error with n/(n - 1) of the draws of each stratum, in place of CR2."""
    values, draws = one.influence.values, one.draws
    stratum = np.zeros(values.size, np.int64) if draws.stratum is None else draws.stratum
    number = np.bincount(stratum)
    off = values - (np.bincount(stratum, values) / number)[stratum]
    return float(np.sqrt(np.sum(number / (number - 1) * np.bincount(stratum, off**2))))


def asked(script: str, package: str, folder: Path, frame: pl.DataFrame, *more: str) -> list[list[str]]:
    """What R answers, line by line."""
    require(shutil.which("Rscript") is not None, "Rscript is not installed (Debian: r-base-core).")
    has = subprocess.run(["Rscript", "-e", f'cat(requireNamespace("{package}", quietly = TRUE))'], capture_output=True)
    require(has.stdout.strip() == b"TRUE", f"R has no package {package} (Debian: r-cran-{package.lower()}).")
    frame.write_csv(folder / "rows.csv")
    (folder / "ask.R").write_text(script, encoding="utf-8")
    command = ["Rscript", "--vanilla", str(folder / "ask.R"), str(folder / "rows.csv"), *more]
    answer = subprocess.run(command, capture_output=True, text=True, check=True)
    return [line.split() for line in answer.stdout.splitlines()]


@pytest.fixture(scope="module")
def from_survey(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str, str], list[float]]:
    frame = rows()
    weights = {f"w.{design}": drawn(design, frame)[2] for design in DESIGNS}
    folder = tmp_path_factory.mktemp("survey")
    lines = asked(SURVEY, "survey", folder, frame.with_columns(**weights), " ".join(DESIGNS))
    return {(line[0], line[1], line[2]): [float(each) for each in line[3:]] for line in lines}


@pytest.mark.crossing(4)
@pytest.mark.parametrize("group", ["all", "x", "y"])
@pytest.mark.parametrize("design", DESIGNS)
def test_estimates_and_errors_are_those_of_survey(
    design: str, group: str, from_survey: dict[tuple[str, str, str], list[float]]
) -> None:
    frame = rows()
    for measure in MEASURES:
        estimate, error, gap, gap_error = from_survey[design, group, measure]
        first, second = (evidence(design, frame, model, measure, group) for model in MODELS)
        assert float(first.estimate) == pytest.approx(estimate, rel=1e-9)
        assert survey_error(first) == pytest.approx(error, rel=1e-9)
        between = first - second
        assert float(between.estimate) == pytest.approx(gap, rel=1e-9, abs=1e-12)
        assert survey_error(between) == pytest.approx(gap_error, rel=1e-9)


@pytest.mark.parametrize("design", DESIGNS)
def test_what_verbs_print_is_estimated_as_survey_does(
    design: str, from_survey: dict[tuple[str, str, str], list[float]]
) -> None:
    frame = rows()
    how = {"only": MEASURES, "positive": 1, "labels": [0, 1], "groups": {"group": frame["group"]}}
    given = stated(design, frame)
    report = hf.assess(frame["truth"], frame["first"], frame["score.first"], **how, **given)
    for measure in MEASURES:
        label = "1" if measure in ("recall", "precision", "f1") else None
        for group in ("all", "x", "y"):
            about = [
                line.claim
                for line in report.lines
                if (line.measure, line.label) == (measure, label)
                and line.group == (None if group == "all" else f"group={group}")
                and line.claim.per == "row"
            ]
            assert about
            for claim in about:
                assert claim.estimate == pytest.approx(from_survey[design, group, measure][0], rel=1e-9)


@pytest.mark.parametrize("design", DESIGNS)
def test_differences_are_estimated_as_survey_does(
    design: str, from_survey: dict[tuple[str, str, str], list[float]]
) -> None:
    frame = rows()
    answers = {name: frame[name] for name in MODELS}
    for measure in ("error-rate", "recall", "precision", "f1"):
        design_of_rows = hf.Design(**stated(design, frame))
        report = hf.compare(frame["truth"], answers, only=measure, positive=1, labels=[0, 1], design=design_of_rows)
        gaps = [line.claim for line in report.lines if line.measure == f"{measure}-difference" and line.label != "0"]
        gaps = [claim for claim in gaps if claim.per == "row"]
        assert gaps
        for claim in gaps:
            assert claim.estimate == pytest.approx(from_survey[design, "all", measure][2], rel=1e-9, abs=1e-12)


def test_the_correction_for_leverage_is_that_of_survey_where_draws_carry_as_much() -> None:
    """Every cluster with four rows: 1/(1 - h) is n/(n - 1)."""
    random = np.random.default_rng(1)
    above, below = random.integers(0, 5, 30) / 1.0, np.full(30, 4.0)
    ratio = Ratio(above, below, Draws(np.ones(30)))
    assert np.sqrt(ratio.influence.spread.variance) == pytest.approx(survey_error(ratio), rel=1e-12)


# ---- Areas


def test_classes_as_strata_give_delongs_variance(tmp_path: Path) -> None:
    frame = rows()
    ((area, variance, gap, gap_variance),) = (
        [float(each) for each in line] for line in asked(PROC, "pROC", tmp_path, frame)
    )
    truth = frame["truth"].to_numpy()
    draws = Draws(np.ones(truth.size), truth, np.ones(truth.size))
    both = [Influence(*area_of(frame[f"score.{m}"].to_numpy(), truth == 1), np.ones(truth.size), draws) for m in MODELS]
    assert both[0].value == pytest.approx(area, rel=1e-12)
    assert survey_error(both[0]) ** 2 == pytest.approx(variance, rel=1e-10)
    assert float((both[0] - both[1]).estimate) == pytest.approx(gap, rel=1e-10)
    assert survey_error(both[0] - both[1]) ** 2 == pytest.approx(gap_variance, rel=1e-10)


def obuchowski(score: np.ndarray, truth: np.ndarray, cluster: np.ndarray) -> tuple[float, float]:
    """The area and her variance of it (1997, section 2), term by term, over all clusters and pairs of rows.

    The factor of each term is that of all clusters, I/(I - 1); hers counts, for the rows of a class, only the clusters
    that hold any.
    """
    ill, well = score[truth == 1], score[truth == 0]
    won = (ill[:, None] > well) + 0.5 * (ill[:, None] == well)
    area, m, n = float(won.mean()), ill.size, well.size
    of_ill, of_well = won.mean(axis=1) - area, won.mean(axis=0) - area
    s10 = s01 = s11 = 0.0
    names = np.unique(cluster)
    for name in names:
        one, other = of_ill[cluster[truth == 1] == name].sum(), of_well[cluster[truth == 0] == name].sum()
        s10, s01, s11 = s10 + one * one, s01 + other * other, s11 + one * other
    factor = names.size / (names.size - 1)
    return area, factor * (s10 / m**2 + s01 / n**2 + 2 * s11 / (m * n))


def test_a_clustered_area_has_obuchowskis_variance() -> None:
    frame = rows()
    one = evidence("clusters", frame, "first", "auc")
    columns = [frame[name].to_numpy() for name in ("score.first", "truth", "cluster")]
    area, variance = obuchowski(*columns)
    assert float(one.estimate) == pytest.approx(area, rel=1e-12)
    assert survey_error(one) ** 2 == pytest.approx(variance, rel=1e-10)
    shown = hf.assess(columns[1], score=columns[0], clusters=columns[2], positive=1, only="auc")["auc"]
    assert shown.estimate == pytest.approx(area, rel=1e-12)
    assert one.influence.spread.variance == pytest.approx(variance, rel=0.1)  # which CR2 corrects otherwise
