"""DeLong's variance and the area against R's pROC, on random scores with and without ties, in one R process."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from holdfast.bounds.binomial import normal_quantile
from holdfast.bounds.ranking import delong_variance
from holdfast.evidence import Scores
from tests.needs import require

SEEDS = 12
SCRIPT = """
suppressMessages(library(pROC))
rows <- read.csv(commandArgs(TRUE)[1], colClasses = c("integer", "integer", "numeric"))
for (id in unique(rows$id)) {
  one <- rows[rows$id == id, ]
  curve <- roc(one$positive, one$score, levels = c(0, 1), direction = "<", quiet = TRUE)
  limits <- ci.auc(curve, method = "delong", conf.level = 0.95)
  cat(sprintf("%d %.17g %.17g %.17g %.17g\\n", id, as.numeric(auc(curve)), var(curve, method = "delong"),
              limits[1], limits[3]))
}
"""


def samples() -> list[tuple[np.ndarray, np.ndarray]]:
    """From no ties to nearly all, from balanced classes to a few positives."""
    made = []
    for seed in range(SEEDS):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(20, 300))
        positive = rng.permutation(n) < max(3, int(n * rng.choice([0.05, 0.3, 0.5])))
        scores = rng.normal(positive * rng.uniform(-1, 2))
        made.append((np.round(scores, seed % 4) if seed % 4 < 3 else scores, positive))
    return made


@pytest.fixture(scope="module")
def from_r(tmp_path_factory: pytest.TempPathFactory) -> dict[int, list[float]]:
    require(shutil.which("Rscript") is not None, "Rscript is not installed (Debian: r-base-core).")
    asked = subprocess.run(["Rscript", "-e", 'cat(requireNamespace("pROC", quietly = TRUE))'], capture_output=True)
    require(asked.stdout.strip() == b"TRUE", "R has no package pROC (Debian: r-cran-proc).")
    folder: Path = tmp_path_factory.mktemp("pROC")
    lines = [
        f"{i},{int(truth)},{score!r}"
        for i, (scores, positive) in enumerate(samples())
        for score, truth in zip(scores.tolist(), positive.tolist(), strict=True)
    ]
    (folder / "rows.csv").write_text("\n".join(["id,positive,score", *lines]), encoding="utf-8")
    (folder / "ask.R").write_text(SCRIPT, encoding="utf-8")
    told = subprocess.run(
        ["Rscript", "--vanilla", str(folder / "ask.R"), str(folder / "rows.csv")],
        capture_output=True,
        text=True,
        check=True,
    )
    rows = [line.split() for line in told.stdout.splitlines()]
    return {int(row[0]): [float(each) for each in row[1:]] for row in rows}


@pytest.mark.parametrize("seed", range(SEEDS))
def test_area_variance_and_plain_interval_are_those_of_proc(seed: int, from_r: dict[int, list[float]]) -> None:
    scores = Scores(*samples()[seed])
    area, variance, lower, upper = from_r[seed]
    assert float(scores.mean) == pytest.approx(area, rel=1e-13)
    assert delong_variance(scores) == pytest.approx(variance, rel=1e-10)
    reach = float(normal_quantile(np.asarray(0.025))) * np.sqrt(delong_variance(scores))
    plain = max(float(scores.mean) - reach, 0.0), min(float(scores.mean) + reach, 1.0)
    assert plain == pytest.approx((lower, upper), rel=1e-9)


def test_the_samples_cover_ties_and_both_sides_of_one_half() -> None:
    tied = [Scores(*rows).order.tied > 0 for rows in samples()]
    areas = [float(Scores(*rows).mean) for rows in samples()]
    assert any(tied)
    assert not all(tied)
    assert min(areas) < 0.5 < max(areas)
