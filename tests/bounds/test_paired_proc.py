"""Paired DeLong against R's pROC: the difference, its variance, interval and p-value, in one R process."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from holdfast.bounds.paired import paired_delong
from holdfast.evidence.ranking.distance import PairedScores
from holdfast.invert import solve_for_delta
from tests.needs import require

SEEDS = 12
SCRIPT = """
suppressMessages(library(pROC))
rows <- read.csv(commandArgs(TRUE)[1], colClasses = c("integer", "integer", "numeric", "numeric"))
for (id in unique(rows$id)) {
  one <- rows[rows$id == id, ]
  curve <- function(score) roc(one$positive, score, levels = c(0, 1), direction = "<", quiet = TRUE)
  first <- curve(one$first)
  second <- curve(one$second)
  told <- suppressWarnings(roc.test(first, second, paired = TRUE, method = "delong", conf.level = 0.95))
  spread <- var(first, method = "delong") + var(second, method = "delong") - 2 * cov(first, second, method = "delong")
  cat(sprintf("%d %.17g %.17g %.17g %.17g\\n", id, as.numeric(auc(first)) - as.numeric(auc(second)), spread,
              as.numeric(told$statistic), told$p.value))
}
"""


def samples() -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """From no ties to nearly all, from balanced classes to a few positives, from unrelated scores to nearly equal."""
    made = []
    for seed in range(SEEDS):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(20, 300))
        positive = rng.permutation(n) < max(3, int(n * rng.choice([0.05, 0.3, 0.5])))
        shared = rng.normal(positive * rng.uniform(-1, 2))
        scores = [shared + rng.choice([0.2, 1.0]) * rng.normal(positive * rng.uniform(-1, 1)) for _ in range(2)]
        first, second = (np.round(each, seed % 4) if seed % 4 < 3 else each for each in scores)
        made.append((first, second, positive))
    return made


@pytest.fixture(scope="module")
def from_r(tmp_path_factory: pytest.TempPathFactory) -> dict[int, list[float]]:
    require(shutil.which("Rscript") is not None, "Rscript is not installed (Debian: r-base-core).")
    asked = subprocess.run(["Rscript", "-e", 'cat(requireNamespace("pROC", quietly = TRUE))'], capture_output=True)
    require(asked.stdout.strip() == b"TRUE", "R has no package pROC (Debian: r-cran-proc).")
    folder: Path = tmp_path_factory.mktemp("pROC")
    lines = [
        f"{i},{int(truth)},{first!r},{second!r}"
        for i, rows in enumerate(samples())
        for first, second, truth in zip(*(each.tolist() for each in rows), strict=True)
    ]
    (folder / "rows.csv").write_text("\n".join(["id,positive,first,second", *lines]), encoding="utf-8")
    (folder / "ask.R").write_text(SCRIPT, encoding="utf-8")
    told = subprocess.run(
        ["Rscript", "--vanilla", str(folder / "ask.R"), str(folder / "rows.csv")],
        capture_output=True,
        text=True,
        check=True,
    )
    rows = [line.split() for line in told.stdout.splitlines()]
    return {int(row[0]): [float(each) for each in row[1:]] for row in rows}


@pytest.mark.crossing(3)
@pytest.mark.parametrize("seed", range(SEEDS))
def test_difference_variance_and_test_are_those_of_proc(seed: int, from_r: dict[int, list[float]]) -> None:
    scores = PairedScores(*samples()[seed])
    gap, variance, z, p = from_r[seed]
    assert float(scores.estimate) == pytest.approx(gap, abs=1e-13)
    assert scores.variance == pytest.approx(variance, rel=1e-8, abs=1e-15)
    assert float(scores.estimate) / np.sqrt(scores.variance) == pytest.approx(z, rel=1e-7, abs=1e-10)
    ours = float(solve_for_delta(paired_delong, scores, np.asarray(0.5), "both"))  # type: ignore[arg-type]
    assert ours == pytest.approx(p, rel=1e-7)
    claim, reach = paired_delong(scores), 1.959963984540054 * np.sqrt(variance)
    assert (claim.lower, claim.upper) == pytest.approx((max(gap - reach, -1), min(gap + reach, 1)), abs=1e-9)


def test_the_samples_differ_in_what_matters() -> None:
    found = [PairedScores(*rows) for rows in samples()]
    assert min(float(each.estimate) for each in found) < 0 < max(float(each.estimate) for each in found)
    tied = [len(np.unique(first)) < first.size for first, _, _ in samples()]
    assert any(tied)
    assert not all(tied)
