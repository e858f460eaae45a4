"""Logs of lm-eval: documents, filters and metrics as the raw files have them; and its traps."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from holdfast.errors import HoldfastError
from holdfast.sources.logs.asked import Asked
from holdfast.sources.logs.reading import runs_of
from holdfast.sources.logs.run import Run
from holdfast.sources.models.of_logs import differences
from holdfast.sources.opening import files_of
from tests.sources.logs.making import DATA, write_lines

GROUPS = DATA / "lm-eval-groups" / "out"
TIME = "2026-11-18T10-00-00.000000"


def run(path: Path, **asked: Any) -> Run:
    (only,) = runs_of(files_of(path, None, Asked(**asked)))
    return only


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def generated(folder: Path, model: str, right: str, metrics: tuple[str, ...] = ("exact_match",), **also: Any) -> Path:
    """A folder as lm-eval writes it for tasks/gen.yaml: two filters of three responses, and results beside them."""
    records = []
    for filter_ in ("strict", "maj3"):
        for place in range(10):
            score = float(right[place] == "1") if filter_ == "strict" else 1.0
            records.append(
                {
                    "doc_id": place,
                    "doc": {"question": f"q{place}", "answer": "a", "topic": "even" if place % 2 == 0 else "odd"},
                    "resps": [["x", "y", "z"]],
                    "filter": filter_,
                    "metrics": [*metrics],
                    "doc_hash": f"doc{place}",
                    "prompt_hash": f"prompt{place}",
                    "target_hash": f"target{place}",
                    **dict.fromkeys(metrics, score),
                    **also,
                }
            )
    write_lines(folder / f"samples_toy_gen_{TIME}.jsonl", records)
    results = {
        "results": {},
        "configs": {"toy_gen": {"dataset_path": "json"}},
        "versions": {"toy_gen": 2.0},
        "n-shot": {"toy_gen": 0},
        "n-samples": {"toy_gen": {"original": 10, "effective": 10}},
        "higher_is_better": {"toy_gen": dict.fromkeys(metrics, True) | {"brier_score": False}},
        "lm_eval_version": "0.4.13",
        "model_name": model,
    }
    (folder / f"results_{TIME}.json").write_text(json.dumps(results, indent=1))
    return folder


@pytest.mark.parametrize("task", ["toy_law", "toy_algebra"])
@pytest.mark.parametrize("metric", ["acc", "acc_norm"])
@pytest.mark.parametrize("model", ["alpha", "beta"])
def test_scores_are_those_of_the_raw_file(task: str, metric: str, model: str) -> None:
    read = run(DATA / "lm-eval" / model, task=task, metric=metric)
    (path,) = (DATA / "lm-eval" / model).glob(f"samples_{task}_*.jsonl")
    raw = lines(path)
    assert [*read.ids] == [each["doc_hash"] for each in raw]
    assert read.scored.tolist() == [each[metric] for each in raw]
    (results,) = (DATA / "lm-eval" / model).glob("results_*.json")
    told = json.loads(results.read_text())
    assert np.isclose(read.scored.mean(), told["results"][task][f"{metric},none"])
    assert (read.model, read.task, read.version) == (told["model_name"], task, told["lm_eval_version"])
    assert read.values is None


@pytest.mark.parametrize(
    ("place", "task", "right"),
    [
        ("zero/alpha", "facts_books", 2),
        ("zero/alpha", "facts_rivers", 4),
        ("zero/alpha", "facts_stars", 3),
        ("zero/beta", "facts_rivers", 2),
        ("two/alpha", "facts_rivers", 4),
        ("part/beta", "facts_rivers", 1),
        ("ignored/alpha", "facts_fixed", 5),
    ],
)
def test_sums_are_those_of_the_runs(place: str, task: str, right: int) -> None:
    read = run(GROUPS / place, task=task, metric="acc")
    (path,) = (GROUPS / place).glob(f"samples_{task}_*.jsonl")
    assert read.scored.sum() == right == sum(each["acc"] for each in lines(path))
    assert len(read.ids) == len(lines(path))


def test_two_filters_are_never_two_rows_of_a_question(tmp_path: Path) -> None:
    folder = generated(tmp_path / "alpha", "alpha", "1111000000")
    with pytest.raises(HoldfastError, match=r"several filters: strict, maj3\. Say which with filter="):
        run(folder)
    strict = run(folder, filter="strict")
    assert len(strict.ids) == strict.questions == 10
    assert (strict.scored.sum(), run(folder, filter="maj3").scored.sum()) == (4.0, 10.0)
    assert strict.score_name == "exact_match,strict"
    assert "3 responses to each document and one score" in strict.notes[0]


def test_several_metrics_are_asked_about(tmp_path: Path) -> None:
    folder = generated(tmp_path / "alpha", "alpha", "1111000000", ("exact_match", "f1"))
    with pytest.raises(HoldfastError, match=r"several metrics: exact_match, f1"):
        run(folder, filter="strict")
    assert run(folder, filter="strict", metric="f1").values is not None  # a share, of which any number may be


def test_what_is_no_item_score_is_said_to_be_none(tmp_path: Path) -> None:
    odd = {"brier_score": [1, "[0.55 0.45]"]}
    folder = generated(tmp_path / "alpha", "alpha", "1111000000", ("exact_match", "brier_score"), **odd)
    with pytest.raises(HoldfastError, match=r"'brier_score' is not an item score.*Of exact_match it does"):
        run(folder, filter="strict", metric="brier_score")
    assert run(folder, filter="strict").score_name == "exact_match,strict"


def test_a_metric_of_which_less_is_better_is_refused(tmp_path: Path) -> None:
    folder = generated(tmp_path / "alpha", "alpha", "1111000000", ("exact_match", "brier_score"))
    with pytest.raises(HoldfastError, match="less is better"):
        run(folder, filter="strict", metric="brier_score")


def test_several_tasks_are_asked_about_and_groups_are_none() -> None:
    with pytest.raises(HoldfastError, match=r"several tasks: toy_algebra, toy_law"):
        run(DATA / "lm-eval" / "alpha", metric="acc")
    with pytest.raises(HoldfastError, match=r"'facts' is a group of tasks: facts_books, facts_rivers, facts_stars"):
        run(GROUPS / "zero" / "alpha", task="facts", metric="acc")


def test_prompts_are_compared_row_by_row() -> None:
    ask = {"task": "facts_rivers", "metric": "acc"}
    zero, two, part = (run(GROUPS / place, **ask) for place in ("zero/alpha", "two/alpha", "part/beta"))
    reasons = [*differences(zero, two)]
    assert "number of examples in the prompt is 0 in the first and 2" in reasons[0]
    assert "of the 11 questions in both, 11 have another prompt or target" in reasons[1]
    hashes = [json.loads(next((GROUPS / each).glob("results_*.json")).read_text())["task_hashes"]["facts_rivers"]
              for each in ("zero/alpha", "part/beta")]  # fmt: skip
    assert hashes[0] != hashes[1]
    assert [*differences(zero, part)] == []  # hashes of the whole task differ under a limit, and the prompts do not


def test_a_task_of_another_name_is_another_though_its_hash_is_equal() -> None:
    fixed = run(GROUPS / "ignored" / "alpha", metric="acc")
    zero = run(GROUPS / "zero" / "alpha", task="facts_rivers", metric="acc")
    assert "the task is 'facts_rivers' in the first and 'facts_fixed' in the second" in next(differences(zero, fixed))
    assert fixed.alike["number of examples in the prompt"] == 0  # two were asked for, and the log says what was done


def test_a_part_of_a_task_is_said_to_be_one() -> None:
    read = run(GROUPS / "part" / "beta", metric="acc")
    assert "has 5 of the 11 documents of its task" in read.notes[0]


def test_results_alone_bring_their_samples_and_without_them_are_refused(tmp_path: Path) -> None:
    (results,) = (DATA / "lm-eval" / "alpha").glob("results_*.json")
    assert len(run(results, task="toy_law", metric="acc").ids) == 15
    alone = tmp_path / results.name
    alone.write_bytes(results.read_bytes())
    with pytest.raises(HoldfastError, match="logs samples"):
        run(alone)


def test_samples_without_results_are_called_after_their_folder(tmp_path: Path) -> None:
    folder = generated(tmp_path / "gamma", "gamma", "1111000000")
    (folder / f"results_{TIME}.json").unlink()
    read = run(folder, filter="strict")
    assert (read.model, read.task, read.version) == ("gamma", "toy_gen", None)


def test_equal_documents_are_questions_of_their_own(tmp_path: Path) -> None:
    folder = generated(tmp_path / "alpha", "alpha", "1111000000", doc_hash="same")
    assert [*run(folder, filter="strict").ids][:3] == ["same", "same (2)", "same (3)"]


def test_documents_that_are_not_there_are_counted(tmp_path: Path) -> None:
    folder = generated(tmp_path / "alpha", "alpha", "1111000000")
    path = folder / f"samples_toy_gen_{TIME}.jsonl"
    write_lines(path, [each for each in lines(path) if each["doc_id"] != 3])
    assert run(folder, filter="strict").missing == {"not in the log": 1}
