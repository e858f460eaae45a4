"""Tables of MLflow and W&B: scores as the raw files have them; and their traps."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from holdfast.errors import HoldfastError
from tests.sources.logs.making import DATA
from tests.sources.logs.tools.reading import by_id, run


@pytest.mark.parametrize(("model", "metric"), [("alpha", "exact"), ("alpha", "nearness"), ("beta", "nearness")])
def test_mlflow_scores_are_those_of_its_table(model: str, metric: str) -> None:
    path = DATA / "mlflow" / f"classic-{model}.eval_results_table.json"
    table = json.loads(path.read_text())
    place = table["columns"].index(f"{metric}/score")
    raw = {row[0]: row[place] for row in table["data"]}
    read = run(path, metric=metric)
    assert {id_: None if score != score else score for id_, score in by_id(read).items()} == raw
    assert sum(read.missing.values()) == [*raw.values()].count(None)
    assert read.model == f"classic-{model}"


def test_mlflow_expectations_are_no_scores_and_crashes_are_not_wrong_answers() -> None:
    path = DATA / "mlflow" / "genai-alpha.log_table.json"
    read = run(path, metric="right")
    assert read.others == ("polite", "closeness")  # and not what was expected
    assert (read.missing, np.nansum(read.scored), read.values) == ({"crashed": 1}, 10, None)
    table = json.loads(path.read_text())
    state, right = (table["columns"].index(name) for name in ("state", "right/value"))
    assert [row[right] for row in table["data"] if row[state] == "ERROR"] == [False]  # which a scorer made of nothing


def test_wandb_leaves_null_and_nan_unscored() -> None:
    (path,) = (DATA / "wandb").glob("alpha*")
    assert "NaN" in path.read_text()
    read = run(path)
    assert (read.score_name, read.by_headline, read.scored.sum()) == ("correct", True, 13)
    graded = run(path, metric="score")
    assert (graded.missing, np.nansum(graded.scored), graded.lost()) == ({"not scored": 2}, 15.5, "q07, q11")


def test_a_table_in_several_files_is_read_whole_or_not_at_all(tmp_path: Path) -> None:
    for place in range(3):
        part = {"columns": ["id", "correct"], "data": [[f"q{place}", place != 1]], "log_mode": "INCREMENTAL"}
        (tmp_path / f"t{place}.table.json").write_text(json.dumps(part | {"increment_num": place}))
    with pytest.raises(HoldfastError, match="one of 3 files that W&B wrote of one table"):
        run(tmp_path / "t2.table.json")
    assert by_id(run(tmp_path)) == {"q0": 1, "q1": 0, "q2": 1}


def test_rows_of_another_width_are_refused(tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text(json.dumps({"columns": ["id", "correct"], "data": [["a", True], ["b"]]}))
    with pytest.raises(HoldfastError, match="other cells than its 2 columns"):
        run(tmp_path / "t.json")


def test_a_table_of_labels_is_no_table_of_scores_and_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text(json.dumps({"columns": ["truth", "predicted"], "data": [["a", "a"], ["b", "a"]]}))
    with pytest.raises(HoldfastError, match=r"no column is a score; its columns: truth, predicted\..*as CSV"):
        run(tmp_path / "t.json")
