"""Writes flowers.csv, here: the sizes of 150 irises and their species, as scikit-learn ships them."""

from __future__ import annotations

import csv
from pathlib import Path

from sklearn.datasets import load_iris

data = load_iris()
names = [name.removesuffix(" (cm)").replace(" ", "_") for name in data.feature_names]
with (Path(__file__).parent / "flowers.csv").open("w", newline="", encoding="utf-8") as file:
    table = csv.writer(file, lineterminator="\n")
    table.writerow([*names, "species"])
    table.writerows([*row, data.target_names[label]] for row, label in zip(data.data, data.target, strict=True))
