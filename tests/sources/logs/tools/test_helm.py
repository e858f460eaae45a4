"""Logs of HELM: scores as the raw file has them; and its traps."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from holdfast.errors import HoldfastError
from tests.sources.logs.making import DATA
from tests.sources.logs.tools.reading import by_id, run


def test_helm_splits_are_asked_about_and_its_scores_are_those_of_the_file() -> None:
    folder = DATA / "helm" / "last_word"
    with pytest.raises(HoldfastError, match="several splits: valid, test"):
        run(folder)
    with pytest.raises(HoldfastError, match="several metrics: exact_match, quasi_exact_match"):
        run(folder, split="test")  # and no count of tokens among them
    for split, right, number in (("test", 4, 6), ("valid", 2, 3)):
        read = run(folder, split=split, metric="exact_match")
        raw = {
            each["instance_id"]: stat["mean"]
            for each in json.loads((folder / "per_instance_stats.json").read_text())
            for stat in each["stats"]
            if stat["name"]["name"] == "exact_match" and stat["name"]["split"] == split
        }
        assert by_id(read) == raw
        assert (read.scored.sum(), len(read.ids), read.model) == (right, number, "simple/model1")


def test_helm_leaves_perturbed_instances_out(tmp_path: Path) -> None:
    def instance(id_: str, **also: Any) -> dict[str, Any]:
        name = {"name": "exact_match", "split": "test", **also}
        return {"instance_id": id_, "train_trial_index": 0, "stats": [{"name": name, "mean": 1.0}], **also}

    rows = [instance("id0"), instance("id0", perturbation={"name": "typos"}), instance("id1")]
    (tmp_path / "per_instance_stats.json").write_text(json.dumps(rows))
    read = run(tmp_path)
    assert [*read.ids] == ["id0", "id1"]
    assert "1 row of perturbed instances" in read.notes[0]
