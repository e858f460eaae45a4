"""Runs of several models: joined by question, epochs as samples of one, and refused where they cannot be compared."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import holdfast as hf
from holdfast.errors import HoldfastError
from holdfast.sources.logs.asked import ANYTHING
from holdfast.sources.logs.run import Row, Run, run_of
from holdfast.sources.models.of_logs import panel_of_logs
from tests.sources.logs.making import DATA, members, sample, write_eval

INSPECT = DATA / "inspect"
ALPHA, BETA = INSPECT / "doubling-alpha.eval", INSPECT / "doubling-beta.eval"


def log(path: Path, scores: dict[Any, str], **evaluation: Any) -> Path:
    """A log with a letter for each epoch of a question."""
    samples = [sample(id_, epoch, match=grade) for id_, told in scores.items() for epoch, grade in enumerate(told, 1)]
    return write_eval(path, samples, **evaluation)


def test_epochs_are_samples_of_a_question_and_not_rows_of_their_own() -> None:
    panel = hf.read_models([ALPHA, BETA], scorer="includes")
    raw = [members(path)["summaries.json"] for path in (ALPHA, BETA)]
    assert (panel.n, panel.models, panel.rows) == (12, ("alpha", "beta"), 48)
    for place, samples in enumerate(raw):
        shares = [
            np.mean([each["scores"]["includes"]["value"] == "I" for each in samples if each["id"] == id_])
            for id_ in sorted({each["id"] for each in samples})
        ]
        assert panel.wrong[place].tolist() == shares
    assert panel.clusters is not None
    assert len({*panel.clusters.tolist()}) == len({each["metadata"]["passage"] for each in raw[0]}) == 3
    assert [sentence.split(":")[0] for sentence in panel.logs] == ["doubling-alpha.eval", "doubling-beta.eval"]


def test_a_gate_against_the_log_before_is_that_of_the_panel() -> None:
    panel = hf.read_models([ALPHA, BETA], scorer="includes", by="subject")
    rows = hf.read(ALPHA, scorer="includes", by="subject")
    ask = {"margin": 0.01, "by": "subject"}
    one, other = hf.gate(panel, **ask), hf.gate(rows, baseline=BETA, **ask)
    assert [*map(str, one.leaves())] == [*map(str, other.leaves())]
    assert one.answer == other.answer == hf.Answer.OPEN
    assert len(other.provenance["logs"]) == 2


def test_a_folder_of_logs_is_all_its_models(tmp_path: Path) -> None:
    for name, grades in {"a": "CC", "b": "CI", "c": "II"}.items():
        log(tmp_path / f"{name}.eval", {"q1": grades, "q2": grades[::-1]}, model=f"org/{name}")
    log(tmp_path / "other.eval", {"q1": "C", "q2": "C"}, model="org/d", task="gpqa")
    with pytest.raises(HoldfastError, match="several tasks: toy, gpqa"):
        hf.read_models(tmp_path)
    panel = hf.read_models(tmp_path, task="toy")
    assert panel.models == ("a", "b", "c")
    assert panel.wrong.tolist() == [[0, 0], [0.5, 0.5], [1, 1]]
    assert hf.read_models(tmp_path, task="toy", models=["c", "a"]).models == ("c", "a")


def test_two_runs_of_one_model_are_called_after_their_files(tmp_path: Path) -> None:
    paths = [log(tmp_path / f"{name}.eval", {"q1": "C", "q2": "I"}) for name in ("monday", "tuesday")]
    assert hf.read_models(paths).models == ("monday", "tuesday")
    assert hf.read_models({"old": paths[0], "new": paths[1]}).models == ("old", "new")


def test_numbers_in_one_run_and_text_in_the_other_name_the_same_questions(tmp_path: Path) -> None:
    one = log(tmp_path / "one.eval", {1: "C", 2: "I"}, model="a")
    samples = [sample("1", match="C") | {"input": "What is 1?"}, sample("2", match="C")]
    other = write_eval(tmp_path / "two.eval", samples, model="b")
    assert hf.read_models([one, other]).wrong.tolist() == [[False, True], [False, False]]


@pytest.mark.parametrize(
    ("unlike", "reason"),
    [
        ({"task_version": 2}, "version of the task is 1 in the first and 2 in the second"),
        ({"dataset": {"name": "more", "sample_ids": ["q1", "q2"]}}, "data set is 'data' in the first and 'more'"),
    ],
)
def test_runs_that_did_not_answer_the_same_are_refused(tmp_path: Path, unlike: dict[str, Any], reason: str) -> None:
    one = log(tmp_path / "one.eval", {"q1": "C", "q2": "I"}, model="a")
    other = log(tmp_path / "two.eval", {"q1": "C", "q2": "I"}, model="b", **unlike)
    with pytest.raises(HoldfastError, match=f"cannot be compared: the {reason}"):
        hf.read_models([one, other])


def test_another_question_under_the_same_id_is_refused(tmp_path: Path) -> None:
    one = log(tmp_path / "one.eval", {"q1": "C", "q2": "I"}, model="a")
    samples = [sample("q1", match="C"), sample("q2", match="C") | {"target": "something else"}]
    other = write_eval(tmp_path / "two.eval", samples, model="b")
    with pytest.raises(HoldfastError, match="of the 2 questions in both, 1 has another input or target, such as q2"):
        hf.read_models([one, other])


def test_questions_of_one_run_alone_are_counted_and_obey_missing(tmp_path: Path) -> None:
    one = log(tmp_path / "one.eval", {"q1": "C", "q2": "I", "q3": "C"}, model="a")
    other = log(tmp_path / "two.eval", {"q1": "C", "q2": "C"}, model="b")
    with pytest.raises(HoldfastError, match=r"Of the 3 items of .*, 1 lacks an answer"):
        hf.read_models([one, other])
    assert hf.read_models([one, other], missing="drop").n == 2
    wrong = hf.read_models([one, other], missing="wrong")
    assert wrong.wrong.tolist() == [[False, True, False], [False, False, True]]
    assert "Counted as errors, 1 in all" in " ".join(wrong.notes)


def test_a_log_beside_a_table_is_refused(tmp_path: Path) -> None:
    one = log(tmp_path / "one.eval", {"q1": "C", "q2": "I"}, model="a")
    (tmp_path / "b.csv").write_text("id,correct\nq1,1\nq2,0\n")
    with pytest.raises(HoldfastError, match=r"is the log of an evaluation and .* is none that is known"):
        hf.read_models([one, tmp_path / "b.csv"])


def test_columns_of_tables_are_not_named_of_logs() -> None:
    with pytest.raises(HoldfastError, match=r"A log says itself what was asked.*leave out correct="):
        hf.read_models([ALPHA, BETA], correct="graded")
    with pytest.raises(HoldfastError, match="scorer= is asked of the log of an evaluation"):
        hf.read(pl.DataFrame({"truth": ["a", "b"], "predicted": ["a", "a"]}), scorer="match")


CLUSTERS, QUESTIONS, EPOCHS = 40, 3, 3


def drawn(model: str, chance: np.ndarray[Any, Any], rng: np.random.Generator, alone: bool = False) -> Run:
    """A run on questions of passages: what a model finds in a passage goes for all of its questions and epochs."""
    rows = [
        Row(
            f"{cluster}.{question}" + (f".{epoch}" if alone else ""),
            bool(rng.random() < chance[cluster, question]),
            groups={"passage": cluster},
            repeat=1 if alone else epoch,
        )
        for cluster in range(CLUSTERS)
        for question in range(QUESTIONS)
        for epoch in range(1, EPOCHS + 1)
    ]
    known = {"tool": "toy", "version": None, "source": model, "model": model, "task": "toy", "score_name": "match"}
    return run_of(rows, ANYTHING, **known, cluster=None if alone else "passage")


@pytest.mark.long
def test_false_verdicts_are_at_most_delta_for_repeats_in_clusters() -> None:
    """Two models that are equally good on the average passage, though not on any; rows taken alone say otherwise."""
    trials, delta, wrong = 120, 0.2, {"clustered": 0, "alone": 0}
    rng = np.random.default_rng(23)
    for _ in range(trials):
        reads = rng.random((2, CLUSTERS)) < 0.5  # whether each model understands the passage, independently
        for way in wrong:
            chances = [np.where(each, 0.95, 0.05)[:, None].repeat(QUESTIONS, axis=1) for each in reads]
            runs = [drawn(name, chance, rng, way == "alone") for name, chance in zip("ab", chances, strict=True)]
            report = hf.compare(panel_of_logs(runs, ["a", "b"]), delta=delta)
            wrong[way] += report.verdict.outcome in ("better", "worse")
    assert wrong["clustered"] <= delta * trials + 4.8 * (trials * delta * (1 - delta)) ** 0.5
    assert wrong["alone"] > 0.4 * trials  # what pooling would do
