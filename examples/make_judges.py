"""Writes judges.csv, judges_new.csv and judges_key.csv, here: a jury of nine language-model judges that never existed.

The table is synthetic. Three families of three judges each read answers and say "accept" or "reject". Some answers
are hard for everybody, families share weaknesses, and judges slip by themselves. Of 1,500 answers, in random order, a
person has looked at the first 500; judges_key.csv holds what a person would have said of the others.
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
JUDGES = [f"judge_{family}{size}" for family in "abc" for size in (1, 2, 3)]
ANSWERS, LABELLED = 1_500, 500

draw = np.random.default_rng(8)
good = draw.random(ANSWERS) < 0.6
hard = draw.normal(size=ANSWERS)  # for everybody
family = draw.normal(size=(3, ANSWERS))  # for the judges of one family
own = draw.normal(size=(9, ANSWERS))
skill = np.tile([1.15, 1.3, 1.45], 3) + np.repeat([-0.1, 0.0, 0.1], 3)
trouble = 0.6 * hard + 0.6 * np.repeat(family, 3, axis=0) + 0.55 * own
says = np.where(trouble > skill[:, None], ~good, good)
words = np.array(["reject", "accept"])


def write(name: str, header: list[str], columns: list[np.ndarray]) -> None:
    with (HERE / name).open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(header)
        table.writerows(zip(*columns, strict=True))


before, after = slice(None, LABELLED), slice(LABELLED, None)
truth, verdicts = words[good.astype(int)], words[says.astype(int)]
write("judges.csv", ["person", *JUDGES], [truth[before], *verdicts[:, before]])
write("judges_new.csv", JUDGES, [*verdicts[:, after]])
write("judges_key.csv", ["person"], [truth[after]])
