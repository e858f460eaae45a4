"""Logs of Inspect: counts, denominators, epochs, clusters and groups as the raw files have them; and its traps."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import holdfast as hf
from holdfast.errors import HoldfastError
from holdfast.sources.logs.asked import Asked
from holdfast.sources.logs.reading import runs_of
from holdfast.sources.logs.run import Run
from holdfast.sources.opening import files_of
from tests.sources.logs.making import DATA, header, members, sample, shared, write_archive, write_eval

GRADES = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0, True: 1.0, False: 0.0}
INSPECT = DATA / "inspect"


def run(path: Path, **asked: Any) -> Run:
    (only,) = runs_of(files_of(path, None, Asked(**asked)))
    return only


def raw_values(path: Path, scorer: str, key: str | None = None) -> dict[tuple[str, int], float | None]:
    """By question and epoch the score of the raw file, None where there is none."""
    found = {}
    for each in members(path)["summaries.json"]:
        value = each["scores"].get(scorer, {}).get("value")
        value = value[key] if key is not None and value is not None else value
        number = GRADES[value] if isinstance(value, (str, bool)) else value
        found[str(each["id"]), each["epoch"]] = None if number is None or number != number else float(number)
    return found


def read_values(read: Run) -> dict[tuple[str, int], float | None]:
    numbers = [None if number != number else number for number in read.scored.tolist()]
    return dict(zip(zip(read.ids, read.repeats, strict=True), numbers, strict=True))


@pytest.mark.parametrize(
    ("log", "scorer", "key"),
    [
        ("doubling-alpha.eval", "graded", None),
        ("doubling-beta.eval", "includes", None),
        ("doubling-alpha.eval", "rubric", "quality"),
        ("faulty-alpha.eval", "sometimes", None),
        ("counting-gamma.eval", "nearness", None),
        ("counting-gamma.eval", "sheet", "truth"),
        ("counting-gamma.eval", "lucky", None),
    ],
)
def test_scores_are_those_of_the_raw_file(log: str, scorer: str, key: str | None) -> None:
    read = run(INSPECT / log, scorer=scorer if key is None else f"{scorer}.{key}")
    raw = raw_values(INSPECT / log, scorer, key)
    assert read_values(read) == raw
    assert len(read.ids) == members(INSPECT / log)["header.json"]["results"]["total_samples"]
    assert sum(read.missing.values()) == list(raw.values()).count(None)


@pytest.mark.parametrize("log", ["counting-delta.eval", "counting-gamma.json", "doubling-alpha.json"])
def test_logs_that_do_not_ship_are_read_as_they_are(log: str) -> None:
    path = shared(f"inspect/{log}")
    samples = json.loads(path.read_text())["samples"] if log.endswith(".json") else members(path)["summaries.json"]
    read = run(path)
    scorer = read.score_name
    raw = {(str(each["id"]), each["epoch"]): each["scores"].get(scorer, {}).get("value") for each in samples}
    raw = {key: GRADES.get(value, value) for key, value in raw.items()}
    assert read_values(read) == raw


def test_model_task_version_cluster_and_groups_come_from_the_log() -> None:
    read = run(INSPECT / "doubling-alpha.eval")
    assert (read.model, read.task, read.version) == ("mockllm/alpha", "doubling", "0.3.285")
    assert (read.score_name, read.by_headline, read.cluster, read.divisions) == (
        "graded",
        True,
        "passage",
        ("subject",),
    )
    raw = members(INSPECT / "doubling-alpha.eval")["summaries.json"]
    assert [*read.groups["passage"]] == [each["metadata"]["passage"] for each in raw]
    assert read.others == ("rubric.quality", "rubric.brevity", "includes")


def test_counts_are_of_rows_and_not_of_what_is_left_after_reduction() -> None:
    results = members(INSPECT / "counting-gamma.eval")["header.json"]["results"]
    lucky = next(each for each in results["scores"] if each["scorer"] == "lucky")
    assert (lucky["scored_samples"], lucky["unscored_samples"]) == (7, 0)  # which hides a crash and a refusal
    read = run(INSPECT / "counting-gamma.eval", scorer="lucky")
    assert read.missing == {"not scored": 1, "crashed": 1}
    assert "21 samples of 7 questions: 19 scored, 1 not scored, 1 crashed" in read.sentence()


def test_a_bare_nan_is_not_scored() -> None:
    raw = raw_values(INSPECT / "faulty-alpha.eval", "sometimes")
    assert Counter(run(INSPECT / "faulty-alpha.eval").errors) == {None: 4, "crashed": 1, "not scored": 1}
    assert sum(value or 0.0 for value in raw.values()) == np.nansum(run(INSPECT / "faulty-alpha.eval").scored)


def test_letters_are_levels_and_own_scorers_are_right_or_wrong() -> None:
    graded = run(INSPECT / "doubling-alpha.eval", scorer="graded").values
    assert graded is not None
    assert graded.levels == (0.0, 0.5, 1.0)
    assert run(INSPECT / "doubling-alpha.eval", scorer="includes").values is None
    number = run(INSPECT / "doubling-alpha.eval", scorer="rubric.quality").values
    assert number is not None
    assert number.levels == ()


def test_a_model_grader_is_right_or_wrong_unless_its_options_give_partial_credit(tmp_path: Path) -> None:
    samples = [sample("a", model_graded_qa="C"), sample("b", model_graded_qa="I")]
    plain = header(samples)
    assert run(write_eval(tmp_path / "plain.eval", samples, plain)).values is None
    plain["eval"]["scorers"][0]["options"] = {"partial_credit": True}
    assert run(write_eval(tmp_path / "credit.eval", samples, plain)).values is not None


def test_a_run_without_header_is_refused_with_what_its_journal_holds(tmp_path: Path) -> None:
    samples = [sample("a", match="C"), sample("b", match="I")]
    start = header([*samples, sample("c", match="C")])
    journal = {"_journal/start.json": json.dumps({"version": 2, "eval": start["eval"], "plan": {}})}
    journal |= {f"_journal/summaries/{place}.json": json.dumps([each]) for place, each in enumerate(samples, 1)}
    path = write_archive(tmp_path / "broken.eval", journal)
    with pytest.raises(HoldfastError, match=r"no header.*did not finish; it holds 2 samples.*partial=True"):
        run(path)
    read = run(path, partial=True)
    assert [*read.ids] == ["a", "b"]
    assert "1 sample of 3 were never answered" in read.notes[0]


def test_a_run_that_ended_in_an_error_is_refused(tmp_path: Path) -> None:
    samples = [sample("a", match="C"), sample("b", error="CancelledError()")]
    head = header(samples) | {"status": "error", "results": None}
    with pytest.raises(HoldfastError, match=r"status 'error'.*it holds 2 samples"):
        run(write_eval(tmp_path / "error.eval", samples, head))
    assert run(tmp_path / "error.eval", partial=True).missing == {"crashed": 1}


def test_a_log_of_reductions_alone_is_refused(tmp_path: Path) -> None:
    samples = [sample("a", match="C")]
    write_eval(tmp_path / "bare.eval", [], header(samples))
    with pytest.raises(HoldfastError, match="log_samples off"):
        run(tmp_path / "bare.eval")


def test_lists_are_asked_about_and_never_0(tmp_path: Path) -> None:
    path = write_eval(tmp_path / "list.eval", [sample("a", parts=[1, 0]), sample("b", parts=[1, 1])])
    with pytest.raises(HoldfastError, match=r"'parts'.*holds \[1, 0\].*would be a guess"):
        run(path)


def test_samples_that_were_asked_and_are_not_there_are_counted(tmp_path: Path) -> None:
    samples = [sample("a", 1, match="C"), sample("a", 2, match="C"), sample("b", 1, match="I")]
    read = run(write_eval(tmp_path / "less.eval", samples, dataset={"sample_ids": ["a", "b"]}))
    assert read.missing == {"not in the log": 1}
    assert (read.ids[-1], read.repeats[-1]) == ("b", 2)


def test_ids_with_slashes_and_dots_are_names_and_no_paths(tmp_path: Path) -> None:
    samples = [sample("set/b #1", match="C"), sample("../../etc/passwd", match="I")]
    told = {"header.json": json.dumps(header(samples)), "summaries.json": json.dumps(samples)}
    path = write_archive(
        tmp_path / "names.eval", {**told, "../../outside.json": "{}", "samples/set/b #1_epoch_1.json": "{}"}
    )
    assert [*run(path).ids] == ["set/b #1", "../../etc/passwd"]
    assert not (tmp_path.parent.parent / "outside.json").exists()


def test_an_id_that_comes_twice_is_refused(tmp_path: Path) -> None:
    path = write_eval(tmp_path / "twice.eval", [sample("a", match="C"), sample("a", match="I"), sample("b", match="I")])
    with pytest.raises(HoldfastError, match="1 sample twice or more, such as 'a'"):
        run(path)


def test_a_retried_sample_is_a_good_one(tmp_path: Path) -> None:
    again = sample("a", match="C") | {"retries": 1}
    assert run(write_eval(tmp_path / "again.eval", [again, sample("b", match="I")])).missing == {}


def test_several_scorers_without_headline_are_asked_about(tmp_path: Path) -> None:
    samples = [sample("a", match="C", includes="C"), sample("b", match="I", includes="C")]
    head = header(samples)
    head["results"]["headline"] = None
    path = write_eval(tmp_path / "two.eval", samples, head)
    with pytest.raises(HoldfastError, match=r"several scorers: match, includes\. Say which with scorer="):
        run(path)
    with pytest.raises(HoldfastError, match="did you mean 'match'"):
        run(path, scorer="mach")
    assert run(path, scorer="includes").scored.tolist() == [1.0, 1.0]


def test_a_scorer_of_several_values_is_asked_which() -> None:
    with pytest.raises(HoldfastError, match=r"gives several values: sheet\.form, sheet\.truth, sheet\.length"):
        run(INSPECT / "counting-gamma.eval", scorer="sheet")


def test_what_says_nothing_of_inspect_is_refused() -> None:
    with pytest.raises(HoldfastError, match=r"metric= says nothing of a log of Inspect.*use scorer="):
        run(INSPECT / "doubling-alpha.eval", metric="accuracy")


def test_two_ways_to_cluster_are_asked_about(tmp_path: Path) -> None:
    samples = [sample(str(place), match="C", metadata={"a": place, "b": place}) for place in range(3)]
    head = header(samples)
    head["eval"]["scorers"][0]["metrics"] = [{"name": "stderr", "options": {"cluster": key}} for key in ("a", "b")]
    path = write_eval(tmp_path / "both.eval", samples, head)
    with pytest.raises(HoldfastError, match=r"in several ways, by a, b: say which with cluster="):
        run(path)
    assert run(path, cluster="b").cluster == "b"


def test_epochs_are_samples_of_a_question_and_never_rows_of_their_own(tmp_path: Path) -> None:
    """Without a cluster that the log declares: pooled, 20 questions of 5 epochs would be 100 draws."""
    samples = [sample(f"q{i}", epoch, match="C" if i % 2 else "I") for i in range(20) for epoch in range(1, 6)]
    path = write_eval(tmp_path / "run.eval", samples)
    claim = hf.assess(hf.read(path))["error-rate"]
    assert claim.n == 20
    wrong = hf.bound(hf.Losses([1.0, 0.0] * 10), "squares")
    assert (claim.lower, claim.upper) == (pytest.approx(wrong.lower), pytest.approx(wrong.upper))
    once = write_eval(tmp_path / "once.eval", [each for each in samples if each["epoch"] == 1])
    assert hf.assess(hf.read(once))["error-rate"].n == 20


def test_other_arguments_of_the_task_are_said(tmp_path: Path) -> None:
    samples = [sample(f"q{i}", match="C" if i % 3 else "I") for i in range(9)]
    paths = [
        write_eval(tmp_path / f"{shots}.eval", samples, model=f"mockllm/{shots}", task_args={"n": 9, "shots": shots})
        for shots in (0, 5)
    ]
    (note,) = [note for note in hf.compare(hf.read_models(paths)).facts.notes if "arguments of the task" in note]
    assert "shots (0 and 5)" in note
    assert "n (" not in note


def test_one_run_in_two_forms_is_not_compared_with_itself(tmp_path: Path) -> None:
    samples = [sample(f"q{i}", match="C") for i in range(4)]
    write_eval(tmp_path / "one.eval", samples)
    (tmp_path / "one.json").write_text(json.dumps({**header(samples), "samples": samples}))
    write_eval(tmp_path / "two.eval", samples, model="mockllm/beta")
    with pytest.raises(HoldfastError, match=r"^one\.eval, one\.json in .* may be one run in two forms"):
        hf.read_models(tmp_path)


def test_empty_arrays_of_names_name_nothing(tmp_path: Path) -> None:
    path = write_eval(tmp_path / "run.eval", [sample(f"q{i}", match="C") for i in range(4)])
    nothing: Any = np.array([], object)
    assert hf.read(path, models=nothing).columns == hf.read(path).columns
    with pytest.raises(HoldfastError, match="no columns that look like"):
        hf.read(path, score=nothing)
