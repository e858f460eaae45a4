"""Experiments of ragas: rows that broke off are found in the data set."""

from __future__ import annotations

import csv

from tests.sources.logs.making import DATA
from tests.sources.logs.tools.reading import by_id, run


def test_ragas_rows_that_broke_off_are_found_in_the_data_set() -> None:
    path = DATA / "ragas" / "experiments" / "alpha-toy-alpha.csv"
    with path.open() as file:
        raw = {row["user_input"]: row["verdict"] for row in csv.DictReader(file)}
    read = run(path, metric="verdict")
    assert (len(raw), len(read.ids), read.missing, read.lost()) == (14, 15, {"not in the log": 1}, "Spell 4")
    assert {id_: score == 1 for id_, score in by_id(read).items() if score == score} == {
        id_: verdict == "pass" for id_, verdict in raw.items()
    }
    assert run(path.with_name("beta-toy-beta.csv"), metric="verdict").scored.sum() == 6
