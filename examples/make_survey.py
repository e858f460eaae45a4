"""Writes survey.csv, here: two classifiers on letters from clinics, drawn as surveys are, and none of it is real.

Sixty clinics were drawn within two regions, four letters of each. The north was drawn more often than it is frequent:
it is a third of all letters and half of these. A letter that is marked urgent was kept for certain, any other with a
chance of one half, so that it counts for two. A reader gave the summary of each letter 0, 0.5 or 1.
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

CLINICS, LETTERS = 60, 4
draw = np.random.default_rng(22)

clinic = np.repeat(np.arange(CLINICS), LETTERS)
region = np.where(clinic < CLINICS // 2, "north", "south")
trouble = draw.normal(size=CLINICS)[clinic] * 0.6 + 0.3 * (region == "north")
urgent = draw.random(clinic.size) < 0.4
truth = np.where(draw.random(clinic.size) < 0.35, "refer", "keep")
wrong = np.where(truth == "refer", "keep", "refer")
atlas, borea = (np.where(trouble + 0.8 * draw.normal(size=clinic.size) < skill, truth, wrong) for skill in (1.5, 1.0))
grade = draw.choice(["0", "0.5", "1"], clinic.size, p=[0.15, 0.25, 0.6])

with (Path(__file__).parent / "survey.csv").open("w", newline="", encoding="utf-8") as file:
    table = csv.writer(file, lineterminator="\n")
    table.writerow(["clinic", "region", "urgent", "weight", "truth", "atlas", "borea", "grade"])
    for i in range(clinic.size):
        table.writerow(
            [
                f"c{clinic[i] + 1:02}",
                region[i],
                "yes" if urgent[i] else "no",
                1 if urgent[i] else 2,
                truth[i],
                atlas[i],
                borea[i],
                grade[i],
            ]
        )
