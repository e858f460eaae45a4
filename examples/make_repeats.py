"""Writes repeats.csv, here: a language model that does not exist, asked each of 24 questions twenty times.

The questions are about eight passages, three each. Some are answered right whatever happens, some by chance.
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

QUESTIONS, SAMPLES, OF_PASSAGE = 24, 20, 3
draw = np.random.default_rng(24)

chance = draw.choice([1.0, 0.98, 0.9, 0.55], QUESTIONS, p=[0.45, 0.3, 0.15, 0.1])
right = draw.random((QUESTIONS, SAMPLES)) < chance[:, np.newaxis]

with (Path(__file__).parent / "repeats.csv").open("w", newline="", encoding="utf-8") as file:
    table = csv.writer(file, lineterminator="\n")
    table.writerow(["passage", "question", "sample", "correct"])
    for i in range(QUESTIONS):
        for j in range(SAMPLES):
            table.writerow([f"p{i // OF_PASSAGE + 1}", f"q{i + 1:02}", j + 1, int(right[i, j])])
