"""Writes questions.csv, passages.csv and outcomes.csv, here: what two language models and a classifier never said.

All of it is synthetic. questions.csv: two models on 200 questions, each question alone, in four topics; 1 is a pass.
passages.csv: the same two on 40 passages with five questions each; who misreads a passage misses several of its
questions. outcomes.csv: whether a classifier in service erred, 2,000 cases in their order; after the first 1,200 its
inputs have changed.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
TOPICS = ("arithmetic", "law", "medicine", "reading")


def write(name: str, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    with (HERE / name).open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(header)
        table.writerows(rows)


draw = np.random.default_rng(9)

# Two models on questions that have nothing to do with each other, but are as hard for one as for the other.
hard = draw.normal(size=200)
topic = draw.permutation(np.repeat(np.arange(4), 50))
atlas, borea = (
    (0.8 * hard + 0.6 * draw.normal(size=200) < skill - 0.5 * (topic == 1)).astype(int) for skill in (0.85, 0.65)
)
write(
    "questions.csv",
    ["question", "topic", "atlas", "borea"],
    ((i + 1, TOPICS[topic[i]], atlas[i], borea[i]) for i in range(200)),
)

# Forty passages: most of what makes a question hard is the passage it is about.
passage = np.repeat(np.arange(40), 5)
trouble = 0.8 * draw.normal(size=40)[passage]
atlas, borea = ((trouble + 0.6 * draw.normal(size=200) < skill).astype(int) for skill in (0.85, 0.65))
write(
    "passages.csv",
    ["passage", "question", "atlas", "borea"],
    ((f"p{passage[i] + 1:02}", i + 1, atlas[i], borea[i]) for i in range(200)),
)

# A stream: 3 errors in 100 while the inputs are what they were, 12 in 100 afterwards. With the seed above
# a limit of the monitor missed the 3 in 100; the page that shows the stream says so.
erred = (np.random.default_rng(3).random(2_000) < np.where(np.arange(2_000) < 1_200, 0.03, 0.12)).astype(int)
write("outcomes.csv", ["erred"], ([each] for each in erred))
