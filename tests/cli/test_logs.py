"""Logs of evaluations at the command line: one command each, the counts in the first lines, and exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import holdfast as hf
from tests.cli.conftest import Run
from tests.shapes import validate
from tests.sources.logs.making import DATA, header, sample, write_eval

INSPECT, LM_EVAL = DATA / "inspect", DATA / "lm-eval"
ALPHA, BETA = str(INSPECT / "doubling-alpha.eval"), str(INSPECT / "doubling-beta.eval")
FAULTY, GAMMA = str(INSPECT / "faulty-alpha.eval"), str(INSPECT / "counting-gamma.eval")
SHAPE = json.loads((Path(hf.__file__).parent / "schemas" / "report-1.json").read_text(encoding="utf-8"))


def squeezed(text: str) -> str:
    return " ".join(text.split())


def test_a_log_is_assessed_by_what_it_says_itself(run: Run) -> None:
    answer = run("assess", ALPHA)
    assert answer.code == 0
    text = squeezed(answer.out)
    assert "72.9 % of all that they could be worth" in text  # 17.5 of 24 samples, C, P, I and N being 1, 1/2, 0 and 0
    assert "Inspect 0.3.285, task 'doubling', model 'mockllm/alpha', score 'graded'" in text
    assert "24 samples of 12 questions, all scored" in text
    assert "There are 3 clusters" in text
    assert "subject=law" in text


def test_samples_without_a_score_are_refused_told_and_obey_missing(run: Run) -> None:
    refused = run("assess", FAULTY)
    assert (refused.code, refused.out) == (2, "")
    assert "Of the 6 samples of" in refused.err
    assert "1 crashed, 1 not scored: q01, q02" in refused.err
    first = " ".join(run("assess", FAULTY, "--missing", "wrong").out.split()[:60])
    assert "On 6 examples the model erred 3 times" in first
    assert "6 samples: 4 scored, 1 crashed, 1 not scored" in first
    assert "On 4 examples the model erred once" in squeezed(run("assess", FAULTY, "--missing", "drop").out)


def test_missing_is_the_worst_end_of_the_range(run: Run) -> None:
    told = {}
    for missing in ("drop", "wrong"):
        out = run("assess", GAMMA, "--scorer", "nearness", "--missing", missing, "--json").out
        told[missing] = {line["measure"]: line for line in json.loads(out)["claims"] if line.get("per") == "row"}
    scored = 14 * 1.0 + 0.75 + 3 * 0.5
    assert told["drop"]["accuracy"]["estimate"] == pytest.approx(scored / 20)
    assert told["wrong"]["accuracy"]["estimate"] == pytest.approx(scored / 21)


def test_marks_have_the_range_that_is_stated(run: Run, tmp_path: Path) -> None:
    marks = [1, 5, 3, 5, 4, 2]
    write_eval(tmp_path / "marks.eval", [sample(f"q{place}", judge=mark) for place, mark in enumerate(marks)])
    assert "outside of the range" in run("assess", "marks.eval").err
    claims = json.loads(run("assess", "marks.eval", "--range", "1,5", "--json").out)["claims"]
    mean = sum((mark - 1) / 4 for mark in marks) / 6
    assert next(each["estimate"] for each in claims if each["measure"] == "accuracy") == pytest.approx(mean)


def test_two_logs_are_one_verdict(run: Run) -> None:
    answer = run("compare", ALPHA, BETA, "--scorer", "includes")
    assert answer.code == 0
    text = squeezed(answer.out)
    assert "Which of alpha and beta is better is not settled" in text
    assert "48 rows for 12 items and 2 models" in text
    page = run("compare", ALPHA, BETA, "--scorer", "includes", "--html", "page.html", "--json")
    report = json.loads(page.out)
    validate(report, SHAPE)
    assert [each.split(":")[0] for each in report["provenance"]["logs"]] == [
        "doubling-alpha.eval",
        "doubling-beta.eval",
    ]
    assert "Read from logs" in Path("page.html").read_text(encoding="utf-8")
    again = hf.Report.from_json(page.out)
    assert "24 samples of 12 questions" in squeezed(str(again))


def test_folders_of_lm_eval_are_compared_by_document(run: Run) -> None:
    ask = ("compare", str(LM_EVAL / "alpha"), str(LM_EVAL / "beta"))
    assert "several tasks: toy_algebra, toy_law" in run(*ask).err
    assert "several metrics: acc, acc_norm" in run(*ask, "--task", "toy_law").err
    answer = run(*ask, "--task", "toy_law", "--metric", "acc")
    assert answer.code == 0
    assert "15 samples, all scored" in squeezed(answer.out)


def test_a_gate_takes_the_log_before(run: Run) -> None:
    ask = ("gate", ALPHA, "--baseline", BETA, "--margin", "0.01", "--by", "subject", "--scorer", "includes")
    answer = run(*ask)
    assert answer.code == 3
    assert "at most 0.01 worse than the baseline overall and in each of 3 groups" in squeezed(answer.out)
    assert "doubling-beta.eval" in answer.out


def test_an_unfinished_run_is_read_only_where_that_is_asked(run: Run, tmp_path: Path) -> None:
    samples = [sample(f"q{place}", match="CI"[place % 2]) for place in range(8)]
    write_eval(tmp_path / "run.eval", samples, header(samples) | {"status": "cancelled"})
    assert "ended with the status 'cancelled'; it holds 8 samples" in run("assess", "run.eval").err
    assert run("assess", "run.eval", "--partial").code == 0


def test_doctor_says_what_is_in_logs_and_what_is_wrong(run: Run) -> None:
    answer = run("doctor", GAMMA)
    assert answer.code == 1
    text = squeezed(answer.out)
    assert "lucky: 21 samples of 7 questions: 19 scored, 1 not scored, 1 crashed" in text
    assert "nearness (taken)" in text
    assert "in 3 clusters, by story; divided by topic" in text
    assert "no error rate below 63 % could be proven" in text
    healthy = run("doctor", ALPHA, BETA)
    assert healthy.code == 0
    assert "Nothing is missing" in healthy.out
    validate(json.loads(run("doctor", ALPHA, "--json").out), SHAPE)


def test_doctor_says_why_runs_cannot_be_compared(run: Run) -> None:
    answer = run("doctor", ALPHA, FAULTY)
    assert answer.code == 1
    assert "cannot be compared: the task is 'doubling' in the first and 'faulty' in the second" in squeezed(answer.out)
    assert run("doctor", str(LM_EVAL / "tasks" / "law.jsonl")).code == 2


def test_doctor_counts_what_an_unfinished_run_holds(run: Run, tmp_path: Path) -> None:
    samples = [sample("a", match="C"), sample("b", match="I")]
    write_eval(tmp_path / "run.eval", samples, header(samples) | {"status": "error"})
    assert "it holds 2 samples" in run("doctor", "run.eval").err
    assert run("doctor", "run.eval", "--partial").code == 0


def test_options_of_logs_are_refused_of_tables(run: Run, tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("truth,predicted\na,a\nb,a\n")
    for option, value in (("--scorer", "match"), ("--task", "gpqa"), ("--models", "alpha")):
        answer = run("assess", "p.csv", option, value)
        assert answer.code == 2
        assert f"{option} is asked of the log of an evaluation" in answer.err
