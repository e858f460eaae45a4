"""holdfast compare: columns, a long table, joined files, folds, data sets; and one line where that cannot be."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import holdfast as hf
from tests.cli.conftest import Run
from tests.cli.test_cli import parsed, tidy
from tests.snapshots import matches

ITEMS = 300


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The same answers in every shape."""
    random = np.random.default_rng(11)
    truth = random.integers(0, 2, ITEMS)
    rates = {"alpha": 0.08, "beta": 0.2, "gamma": 0.22}
    models = {name: np.where(random.random(ITEMS) < rate, 1 - truth, truth) for name, rate in rates.items()}
    wide = pl.DataFrame({"id": range(ITEMS), "truth": truth, **models})
    wide.write_csv(tmp_path / "preds.csv")
    for name in models:
        wide.select("id", "truth", predicted=name).sample(fraction=1.0, shuffle=True, seed=1).write_parquet(
            tmp_path / f"{name}.parquet"
        )
    long = [
        wide.select(question="id", model=pl.lit(m), passed=(pl.col(m) == pl.col("truth")).cast(int)) for m in models
    ]
    pl.concat(long).write_csv(tmp_path / "long.csv")
    scores = {name: (0.7 + 0.2 * random.random(9) + 0.03 * i).round(4) for i, name in enumerate(("nb", "svm", "tree"))}
    pl.DataFrame({"dataset": [f"d{i}" for i in range(9)], **scores}).write_csv(tmp_path / "scores.csv")
    folds = {
        "fold": range(10),
        "svm": (0.1 + 0.05 * random.random(10)).round(4),
        "tree": (0.12 + 0.05 * random.random(10)).round(4),
    }
    pl.DataFrame(folds).write_csv(tmp_path / "folds.csv")
    return tmp_path


def test_columns_of_predictions(run: Run, folder: Path) -> None:
    answer = run("compare", "preds.csv", "--models", "alpha,beta,gamma")
    assert (answer.code, answer.err) == (0, "")
    assert max(map(len, answer.out.splitlines())) <= 80
    matches("cli_compare", tidy(answer.out))


def test_every_shape_of_the_same_answers_gives_the_same_verdicts(run: Run, folder: Path) -> None:
    wide = parsed(run("compare", "preds.csv", "--models", "alpha,beta", "--json"))
    long = parsed(
        run(
            "compare",
            "long.csv",
            "--id",
            "question",
            "--model",
            "model",
            "--correct",
            "passed",
            "--models",
            "alpha,beta",
            "--json",
        )
    )
    joined = parsed(run("compare", "alpha.parquet", "beta.parquet", "--on", "id", "--json"))
    assert wide["pairs"] == long["pairs"] == joined["pairs"]
    numbers = [[(c["estimate"], c["lower"], c["upper"]) for c in report["claims"]] for report in (wide, long, joined)]
    assert numbers[0] == numbers[1] == numbers[2]
    assert wide["verdict"]["outcome"] == "better"


def test_non_inferiority(run: Run, folder: Path) -> None:
    report = parsed(run("compare", "alpha.parquet", "beta.parquet", "--on", "id", "--margin", "0.01", "--json"))
    assert report["verdict"]["rule"] == "paired-fisher"
    assert report["verdict"]["margin"] == 0.01


def test_data_sets(run: Run, folder: Path) -> None:
    answer = run("compare", "scores.csv", "--datasets", "dataset", "--models", "nb,svm,tree", "--better", "higher")
    assert (answer.code, answer.err) == (0, "")
    matches("cli_compare_datasets", tidy(answer.out))


def test_folds(run: Run, folder: Path) -> None:
    answer = run("compare", "folds.csv", "--folds", "fold", "--models", "svm,tree", "--measure", "error-rate")
    assert (answer.code, answer.err) == (0, "")
    matches("cli_compare_folds", tidy(answer.out))


def test_the_plain_interval_comes_with_a_warning_and_no_traceback(run: Run, folder: Path) -> None:
    answer = run("compare", "preds.csv", "--models", "alpha,beta", "--plain")
    assert answer.code == 0
    assert "do not hold" in answer.out
    assert answer.err == ""


def test_examples_are_questions_however_many_rows_they_have(run: Run, folder: Path) -> None:
    asked = ("--id", "question", "--model", "model", "--correct", "passed")
    long = run("compare", "long.csv", *asked)
    assert f", {ITEMS} examples in {3 * ITEMS} rows, SHA-256" in tidy(long.out)
    joined = run("compare", "alpha.parquet", "beta.parquet", "--on", "id")
    assert f", {ITEMS} examples in {2 * ITEMS} rows, SHA-256" in joined.out
    assert f", {ITEMS} examples, SHA-256" in run("compare", "preds.csv", "--models", "alpha,beta").out
    samples = pl.read_csv(folder / "long.csv")
    pl.concat([samples, samples]).write_csv(folder / "samples.csv")
    report = parsed(run("compare", "samples.csv", *asked, "--html", "page.html", "--json"))
    assert (report["provenance"]["examples"], report["provenance"]["rows"]) == (ITEMS, 6 * ITEMS)
    assert "<dt>Examples</dt>" in (folder / "page.html").read_text("utf-8").replace("\n", "")
    seen = hf.read_models(folder / "long.csv", id="question", model="model", correct="passed")
    assert f", {ITEMS} examples in {3 * ITEMS} rows, SHA-256" in str(hf.panel(seen))


def test_shares_and_looks(run: Run, folder: Path) -> None:
    options = (
        "--share",
        "alpha=0.9",
        "--share",
        "beta=0.1",
        "--looks",
        "5",
        "--test",
        "mid-p",
        "--measure",
        "accuracy",
    )
    report = parsed(run("compare", "preds.csv", "--models", "alpha,beta", *options, "--json"))
    assert {c["model"]: c["delta"] for c in report["claims"] if c["measure"] == "error-rate"} == {
        "alpha": 0.009,
        "beta": 0.001,
    }
    assert report["pairs"][0]["test"] == "mcnemar-mid-p"


@pytest.mark.parametrize(
    ("models", "options", "code"),
    [
        ("alpha,beta,gamma", ("--fail-unless", "better"), 0),
        ("beta,alpha,gamma", ("--fail-unless", "better"), 1),
        ("beta,gamma", ("--fail-unless", "better"), 3),
        ("alpha,beta", ("--fail-unless", "not-worse", "--margin", "0.02"), 0),
        ("beta,alpha", ("--fail-unless", "not-worse", "--margin", "0.02"), 1),
        ("beta,gamma", ("--fail-unless", "equivalent", "--margin", "0.2", "--html", "page.html"), 0),
        ("alpha,beta", ("--fail-unless", "equivalent", "--margin", "0.02"), 1),
        ("alpha,beta", ("--fail-unless", "better", "--measure", "macro-f1"), 3),
        ("alpha,beta", ("--fail-unless", "better", "--measure", "macro-f1", "--accept", "large-n"), 0),
        ("beta,alpha", ("--margin", "0.02"), 0),
    ],
)
def test_the_exit_code_is_that_of_what_is_required(
    run: Run, folder: Path, models: str, options: tuple[str, ...], code: int
) -> None:
    answer = run("compare", "preds.csv", "--models", models, *options, "--json")
    assert (answer.code, "Traceback" in answer.err) == (code, False)
    told = json.loads(answer.out)
    assert ("decision" in told) == ("--fail-unless" in options)
    if "decision" in told:
        large = "macro-f1" in options  # which no method here proves
        answers = {0: "proven", 1: "refuted", 3: "not enough data"}
        assert told["decision"]["answer"] == ("supported (large n)" if large else answers[code])
    if "--html" in options:
        assert "Required: beta and gamma equivalent within 0.2: proven" in (folder / "page.html").read_text("utf-8")


def test_costs_and_classes(run: Run, folder: Path) -> None:
    (folder / "costs.csv").write_text("predicted\\actual,0,1\n0,0,3\n1,1,0\n", encoding="utf-8")
    options = ("--costs", "costs.csv", "--classes", "0,1", "--json")
    report = parsed(run("compare", "preds.csv", "--models", "alpha,beta", *options))
    told = {claim["measure"] for claim in report["claims"]}
    assert told >= {"expected-cost-difference", "squared-loss-difference", "absolute-loss-difference"}


def test_what_cannot_be_asked_is_one_line(run: Run, folder: Path) -> None:
    (folder / "twice.csv").write_text("id,truth,predicted\n1,a,a\n1,a,b\n", encoding="utf-8")
    (folder / "short.csv").write_text("id,truth,predicted\n1,0,0\n2,1,1\n", encoding="utf-8")
    calls = [
        ("compare",),
        ("compare", "preds.csv", "--models", "alpha"),
        ("compare", "preds.csv", "--models", "alpha,bta"),
        ("compare", "preds.csv", "--models", "m_*"),
        ("compare", "preds.csv", "--models", "alpha,beta", "--better", "higher"),
        ("compare", "preds.csv", "--models", "alpha,beta", "--state", "duel.json"),
        ("compare", "preds.csv", "--models", "alpha,beta", "--margin", "2"),
        ("compare", "preds.csv", "--models", "alpha,beta", "--share", "alpha"),
        ("compare", "preds.csv", "--models", "alpha,beta", "--share", "alpha=0.5", "--share", "alpha=0.5"),
        ("compare", "preds.csv", "--models", "alpha,beta", "--score", "alpha=id", "--score", "alpha=id"),
        ("compare", "preds.csv", "--models", "alpha,beta", "--clip", "0.1"),
        ("compare", "preds.csv", "--models", "alpha,beta", "--method", "clopper-pearson"),
        ("compare", "preds.csv", "--models", "alpha,beta", "--sequential", "--looks", "3"),
        ("compare", "scores.csv", "--datasets", "dataset", "--looks", "3"),
        ("compare", "scores.csv", "--datasets", "data"),
        ("compare", "folds.csv", "--folds", "fold", "--cluster", "x"),
        ("compare", "folds.csv", "--folds", "fold"),
        ("compare", "alpha.parquet", "twice.csv", "--on", "id"),
        ("compare", "alpha.parquet", "short.csv", "--on", "id"),
        ("compare", "missing.csv", "--models", "a,b"),
        ("compare", "preds.csv", "--models", "alpha,beta", "--fail-unless", "not-worse"),
        ("compare", "preds.csv", "--models", "alpha,beta", "--accept", "large-n"),
        ("compare", "preds.csv", "--models", "alpha,beta", "--fail-unless", "better", "--sequential"),
        ("compare", "folds.csv", "--folds", "fold", "--fail-unless", "better"),
        ("compare", "scores.csv", "--datasets", "dataset", "--fail-unless", "better"),
    ]
    told = []
    for call in calls:
        answer = run(*call)
        assert (answer.code, answer.out) == (2, ""), call
        assert len(answer.err) <= 600
        assert answer.err.count("\n") <= 6
        assert "Traceback" not in answer.err
        told.append(f"$ holdfast {' '.join(call)}\n{answer.err.rstrip()}")
    matches("cli_compare_errors", "\n".join(told))


@pytest.mark.parametrize("clusters", [(), ("--cluster", "patient")])
def test_every_measure_of_scores_is_compared_where_it_is_asked_for(
    run: Run, tmp_path: Path, clusters: tuple[str, ...]
) -> None:
    random = np.random.default_rng(5)
    truth = random.integers(0, 2, ITEMS)
    scores = {name: (0.3 * truth + 0.7 * random.random(ITEMS)).round(3) for name in ("old", "new")}
    answers = {name: (each > 0.5).astype(int) for name, each in scores.items()}
    beside = {f"score_{name}": each for name, each in scores.items()}
    rows = pl.DataFrame({"truth": truth, **answers, **beside, "patient": np.arange(ITEMS) // 4})
    rows.write_csv(tmp_path / "scored.csv")
    wanted = ("average-precision", "ks", "ece", "auc", "gini")
    asked = [word for name in wanted for word in ("--measure", name)]
    read = ("--score", "old=score_old", "--score", "new=score_new", "--positive", "1")
    answer = run("compare", "scored.csv", "--models", "old,new", *read, *asked, *clusters, "--html", "page.html")
    assert (answer.code, max(map(len, answer.out.splitlines())) <= 80) == (0, True)
    assert all(f"{name} 1 " in answer.out for name in wanted)
    assert "average-precision" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_what_a_soak_found_is_a_line(run: Run) -> None:
    Path("unnamed.csv").write_text(",,\na,b,c\n" * 3, encoding="utf-8")
    Path("two.csv").write_text("truth,m1,m2\n" + "1,1,0\n" * 9, encoding="utf-8")
    for words in (["unnamed.csv", "--pass-fail"], ["two.csv", "--models", "m1,m2", "--looks", "9" * 400]):
        answer = run("compare", *words)
        assert (answer.code, answer.out) == (2, ""), words
