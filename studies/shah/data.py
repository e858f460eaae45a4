"""The sixteen data sets of Table 1: read, coded and split as the paper says, as far as it says."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from studies.runs import Run

Array = NDArray[Any]


@dataclass(frozen=True)
class Described:
    """A row of Table 1, with the names that Table 2 and our files have for it."""

    name: str  # in Table 2
    printed: str  # in Table 1
    file: str
    test: int
    train: int
    attributes: int

    @property
    def examples(self) -> int:
        return self.test + self.train


TABLE_1 = (
    Described("USvotes", "Usvotes", "usvotes.csv", 200, 235, 16),
    Described("Bupa", "bupa", "bupa.csv", 175, 170, 6),
    Described("Credit", "Credit", "credit.csv", 300, 353, 15),
    Described("Glass", "Glass", "glass.csv", 107, 107, 9),
    Described("Haberman", "Haberman", "haberman.csv", 150, 144, 3),
    Described("HeartS", "HeartS", "hearts.csv", 147, 150, 13),
    Described("Sonar", "sonar", "sonar.csv", 103, 105, 60),
    Described("SonarM", "SonarM", "sonarm.csv", 104, 104, 60),
    Described("BreastCancer", "BreastCancer", "breastcancer.csv", 343, 340, 9),
    Described("Wdbc", "Wdbc", "wdbc.csv", 284, 285, 30),
    Described("Tic-Tac-Toe", "Tic-tac-toe", "tictactoe.csv", 479, 479, 9),
    Described("Ionosphere", "Ionosphere", "ionosphere.csv", 175, 176, 34),
    Described("Letter-AB", "Letter_AB", "letter_ab.csv", 1055, 500, 16),
    Described("Letter-OQ", "Letter_OQ", "letter_oq.csv", 1036, 500, 16),
    Described("Letter-DO", "Letter_DO", "letter_do.csv", 1055, 500, 16),
    Described("Mushroom", "Mushroom", "mushroom.csv", 4062, 4062, 22),
)
OPENML = {"haberman.csv": ("haberman", 1), "mushroom.csv": ("mushroom", 1)}  # name there, and version
MARKS = {"sonarm.csv": "sonarm_split.csv"}  # which rows train and which test, where a set comes with that


@dataclass(frozen=True, eq=False)
class DataSet:
    """Its examples twice: words as codes, for who counts them, and unfolded into indicators, for who measures."""

    about: Described
    y: Array
    numbers: int  # of the attributes, those that are numbers: the first columns of either form
    coded: Array  # one column an attribute
    unfolded: Array  # a column for each word of an attribute; one is enough where there are two
    missing: int  # values that are missing: a word of their own
    trains: Array | None = None  # which rows train, where the set says so

    @property
    def attributes(self) -> int:
        return self.coded.shape[1]

    def split(self, seed: int, draw: int = 0) -> tuple[Array, Array]:
        """Rows that train and rows that test, in the sizes of Table 1: the marked ones, or drawn by chance."""
        if self.trains is not None:
            return np.flatnonzero(self.trains), np.flatnonzero(~self.trains)
        chance = np.random.Generator(np.random.PCG64([seed, crc32(self.about.name.encode()), draw]))
        order = np.argsort(chance.random(len(self.y)), kind="stable")
        test, train = np.split(order[: self.about.examples], [self.about.test])
        return np.sort(train), np.sort(test)


def load(about: Described, run: Run) -> DataSet | None:
    """The data set; None, and its file noted as missing, where it is not to be had."""
    file = run.file(about.file)
    if file is None:
        if not run.fetch or about.file not in OPENML:
            return None
        rows = fetched(*OPENML[about.file])
        run.missing.discard(about.file)
    else:
        rows = read(file)
    trains = None
    if about.file in MARKS:
        marks = run.file(MARKS[about.file])
        if marks is None:
            return None
        trains = np.array([row[-1] == "train" for row in read(marks)])
    return coded(about, rows, trains)


def read(file: Path) -> list[list[str]]:
    """The rows below the header, the class last."""
    with file.open(newline="", encoding="utf-8") as lines:
        return list(csv.reader(lines))[1:]


def fetched(name: str, version: int) -> list[list[str]]:
    """The same from OpenML, through scikit-learn; needs a network and pandas."""
    from sklearn.datasets import fetch_openml

    found = fetch_openml(name=name, version=version, as_frame=True, parser="auto")
    table = found.data.assign(**{"class": found.target}).astype(object)
    rows = [["" if value != value or value in (None, "?") else str(value) for value in row] for row in table.to_numpy()]
    return without_contradictions(rows) if name == "haberman" else rows


def without_contradictions(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """The rows but those whose attributes another row has under the other class: what is left of Haberman's 306 is 294.

    >>> without_contradictions([["1", "a"], ["1", "b"], ["2", "a"], ["2", "a"]])
    [['2', 'a'], ['2', 'a']]
    """
    classes = defaultdict(set)
    for *attributes, label in rows:
        classes[tuple(attributes)].add(label)
    return [list(row) for row in rows if len(classes[tuple(row[:-1])]) == 1]


def coded(about: Described, rows: Sequence[Sequence[str]], trains: Array | None = None) -> DataSet:
    """Columns of numbers stay numbers, all others are words, a missing value being one more word.

    The words an attribute can have are part of its description: coding them looks at no label and learns nothing.
    """
    *columns, labels = zip(*rows, strict=True)
    numbers = [np.array(column, float) for column in columns if _numeric(column)]
    words = [np.unique(column, return_inverse=True)[1] for column in columns if not _numeric(column)]
    indicators = [indicator for codes in words for indicator in _indicators(codes)]
    return DataSet(
        about,
        np.unique(labels, return_inverse=True)[1],
        len(numbers),
        np.column_stack([*numbers, *words]).astype(float),
        np.column_stack([*numbers, *indicators]).astype(float),
        sum(value == "" for column in columns for value in column),
        trains,
    )


def _indicators(codes: Array) -> list[Array]:
    values = range(int(codes.max()) + 1)
    return [codes == value for value in values] if len(values) > 2 else [codes == value for value in values][1:]


def _numeric(column: Iterable[str]) -> bool:
    try:
        return all(np.isfinite(float(value)) for value in column)
    except ValueError:
        return False
