"""Labels in a file of their own are joined by the item, and no row is lost on the way."""

from __future__ import annotations

from pathlib import Path

import pytest

import holdfast as hf
from holdfast.errors import HoldfastError
from holdfast.sources.labels import with_labels

TRUTH = "id,label,site\n1,a,x\n2,b,y\n3,a,x\n"
PREDS = "id,predicted\n3,a\n1,b\n2,b\n"


def written(folder: Path, truth: str = TRUTH, predicted: str = PREDS) -> tuple[str, str]:
    for name, text in (("truth.csv", truth), ("preds.csv", predicted)):
        (folder / name).write_text(text, encoding="utf-8")
    return str(folder / "preds.csv"), str(folder / "truth.csv")


def test_labels_are_joined_whatever_the_order(tmp_path: Path) -> None:
    preds, truth = written(tmp_path)
    rows = hf.read(preds, truth_file=truth, on="id", by="site")
    report = hf.assess(rows)
    assert report.facts.errors == 1  # type: ignore[attr-defined]
    whole = hf.assess(["a", "b", "a"], ["a", "b", "b"], groups={"site": ["x", "y", "x"]})
    assert str(report["error-rate"]) == str(whole["error-rate"])
    assert str(report["error-rate", None, "site=x"]) == str(whole["error-rate", None, "site=x"])


def test_frames_and_numbers_are_joined_as_files_are(tmp_path: Path) -> None:
    import polars as pl

    preds, _ = written(tmp_path)
    labels = pl.DataFrame({"id": [1, 2, 3], "truth": ["a", "b", "a"]})
    assert hf.assess(hf.read(preds, truth_file=labels, on="id")).facts.errors == 1  # type: ignore[attr-defined]
    answers = pl.DataFrame({"predicted": ["b", "b", "a"]})
    assert hf.assess(hf.read(answers, truth_file=labels)).facts.errors == 1  # type: ignore[attr-defined]


def test_the_labels_of_the_file_count_and_not_those_beside_the_predictions(tmp_path: Path) -> None:
    preds, truth = written(tmp_path, predicted="id,predicted,label,truth\n3,a,b,b\n1,b,b,b\n2,b,b,b\n")
    assert hf.assess(hf.read(preds, truth_file=truth, on="id")).facts.errors == 1  # type: ignore[attr-defined]


@pytest.mark.parametrize(("truth", "predicted"), [(TRUTH[:-6], PREDS), (TRUTH, PREDS[:-4])])
def test_a_row_that_one_file_lacks_is_missing_and_not_dropped(tmp_path: Path, truth: str, predicted: str) -> None:
    rows = hf.read(written(tmp_path, truth, predicted)[0], truth_file=written(tmp_path, truth, predicted)[1], on="id")
    with pytest.raises(HoldfastError, match="missing"):
        hf.assess(rows)


@pytest.mark.parametrize(
    ("truth", "predicted", "how", "words"),
    [
        (TRUTH + "1,b,x\n", PREDS, {"on": "id"}, "several labels for 1 item"),
        (TRUTH, PREDS + ",b\n", {"on": "id"}, "1 row without a value"),
        (TRUTH, PREDS, {"on": "idd"}, "did you mean 'id'"),
        (TRUTH, PREDS, {"on": "id", "truth": "labl"}, "label"),
        ("id,x\n1,2\n", PREDS, {"on": "id"}, "no column that looks like the truth"),
        (TRUTH, PREDS + "4,b\n", {}, "4 rows and"),
    ],
)
def test_what_cannot_be_joined_is_refused(
    tmp_path: Path, truth: str, predicted: str, how: dict[str, str], words: str
) -> None:
    preds, labels = written(tmp_path, truth, predicted)
    with pytest.raises(HoldfastError, match=words):
        hf.read(preds, truth_file=labels, **how)  # type: ignore[arg-type]


def test_on_alone_joins_nothing(tmp_path: Path) -> None:
    with pytest.raises(HoldfastError, match="truth_file"):
        hf.read(written(tmp_path)[0], on="id")


def test_of_sealed_labels_nothing_wrong_is_told(tmp_path: Path) -> None:
    preds, truth = written(tmp_path, truth='id,label,site\n1,"a,x\n2,b,y\n')
    with pytest.raises(HoldfastError):
        hf.read(preds, truth_file=truth, on="id")
    table, name = with_labels(preds, truth, "id", sealed=True)
    assert table.values(table.header.place(name)) == [None] * 3
