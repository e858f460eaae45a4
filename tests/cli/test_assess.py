"""holdfast assess: files in, a report out, and one line where that cannot be."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path

import polars as pl
import pytest

from tests.cli.conftest import Run
from tests.cli.test_cli import parsed, tidy
from tests.snapshots import matches

EXAMPLES = Path(__file__).parents[2] / "examples"
ROWS = "truth,predicted,score\n" + "spam,spam,0.9\nham,ham,0.2\nspam,ham,0.4\nham,ham,0.1\n" * 5


@pytest.fixture
def predictions(tmp_path: Path) -> str:
    (tmp_path / "predictions.csv").write_text(ROWS, encoding="utf-8")
    return "predictions.csv"


def test_the_shipped_example(run: Run) -> None:
    answer = run("assess", str(EXAMPLES / "predictions.csv"), "--positive", "malignant")
    assert (answer.code, answer.err) == (0, "")
    assert max(map(len, answer.out.splitlines())) <= 80
    matches("cli_assess", tidy(answer.out))


def test_json(run: Run, predictions: str) -> None:
    report = parsed(run("assess", predictions, "--positive", "spam", "--json"))
    assert report["provenance"]["command"] == "holdfast assess predictions.csv --positive spam --json"
    assert report["provenance"]["rows"] == 20
    assert report["positive"] == "spam"
    assert report["errors"] == 5
    assert report["contingency"] == {"labels": ["ham", "spam"], "rows": "predicted", "table": [[10, 5], [0, 5]]}
    first = report["claims"][0]
    assert (first["measure"], first["model"], first["label"], first["group"]) == ("error-rate", None, None, None)


def test_every_form_of_the_same_rows_gives_the_same_report(run: Run, tmp_path: Path, predictions: str) -> None:
    frame = pl.read_csv(io.StringIO(ROWS))
    frame.write_parquet(tmp_path / "p.parquet")
    frame.sample(fraction=1.0, shuffle=True, seed=3).write_parquet(tmp_path / "shuffled.parquet")
    frame.write_ndjson(tmp_path / "p.ndjson")
    frame.write_ipc(tmp_path / "p.arrow")
    (tmp_path / "p.tsv").write_text(ROWS.replace(",", "\t"), encoding="utf-8")
    (tmp_path / "p.csv").write_text(ROWS.replace(",", ";"), encoding="utf-8-sig")
    (tmp_path / "p.csv.gz").write_bytes(gzip.compress(ROWS.encode()))
    (tmp_path / "many").mkdir()
    for part in range(4):
        frame[part * 5 : part * 5 + 5].write_parquet(tmp_path / "many" / f"{part}.parquet")

    def claims(name: str) -> object:
        report = parsed(run("assess", name, "--positive", "spam", "--json"))
        return report["claims"], report["provenance"]["fingerprint"]

    wanted = claims(predictions)
    names = ["p.parquet", "shuffled.parquet", "p.ndjson", "p.arrow", "p.tsv", "p.csv", "p.csv.gz", "many/*.parquet"]
    for name in names:
        assert claims(name) == wanted, name


def test_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(ROWS.encode())))
    assert parsed(run("assess", "-", "--positive", "spam", "--json"))["errors"] == 5


def test_columns_by_name(run: Run, tmp_path: Path) -> None:
    text = "id,y,yhat,p\n1,spam,spam,0.9\n2,ham,spam,0.6\n"
    (tmp_path / "other.csv").write_text(text, encoding="utf-8")
    words = ("--truth", "y", "--predicted", "yhat", "--score", "p", "--positive", "spam", "--json")
    assert parsed(run("assess", "other.csv", *words))["errors"] == 1


def test_pass_or_fail(run: Run, tmp_path: Path) -> None:
    (tmp_path / "answers.csv").write_text("question,correct\n1,1\n2,0\n3,1\n", encoding="utf-8")
    report = parsed(run("assess", "answers.csv", "--json"))
    assert report["errors"] == 1
    assert {claim["measure"] for claim in report["claims"]} == {"error-rate", "accuracy"}


def test_missing_answers(run: Run, tmp_path: Path) -> None:
    (tmp_path / "gaps.csv").write_text("truth,predicted\na,a\nb,\na,b\n,a\n", encoding="utf-8")
    refused = run("assess", "gaps.csv")
    assert refused.code == 2
    assert "1 without truth" in refused.err
    assert "row 2" in refused.err
    assert parsed(run("assess", "gaps.csv", "--missing", "drop", "--json"))["provenance"]["rows"] == 2
    (tmp_path / "unanswered.csv").write_text("truth,predicted\na,a\nb,\na,b\n", encoding="utf-8")
    wrong = parsed(run("assess", "unanswered.csv", "--missing", "wrong", "--json"))
    assert (wrong["errors"], wrong["provenance"]["rows"]) == (2, 3)


def test_only_some_measures_and_a_method(run: Run, predictions: str) -> None:
    words = ("--positive", "spam", "--measure", "recall", "--measure", "auc", "--method", "wilson", "--json")
    report = parsed(run("assess", predictions, *words))
    assert {claim["measure"] for claim in report["claims"]} == {"recall", "auc"}
    assert {claim["method"] for claim in report["claims"] if claim["measure"] == "recall"} == {"wilson"}


def test_measures(run: Run) -> None:
    answer = run("measures")
    assert "balanced-accuracy" in answer.out
    assert max(map(len, tidy(answer.out).splitlines())) <= 80
    assert "harmonic mean" in run("measures", "f1").out
    assert run("measures", "f11").err == "holdfast: There is no measure named 'f11'; did you mean 'f1'?\n"
    names = [entry["name"] for entry in parsed(run("measures", "--json"))["measures"]]
    assert names[0] == "error-rate"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("empty", b""),
        ("header", b"truth,predicted\n"),
        ("ragged", b"truth,predicted,score\na,a,0.1\nb,b\n"),
        ("long", b"truth,predicted\na,a\nb,b,b\n"),
        ("shifted", b"id,note,truth,predicted\n1,x,a,a\n2,hello, world,a,a\n"),
        ("twice", b"truth,truth,predicted\na,b,a\n"),
        ("utf16", "truth,predicted\na,b\n".encode("utf-16-be")),
        ("latin", "truth,predicted\ncafé,b\n".encode("latin-1")),
        ("quote", b'truth,predicted\n"a,a\nb,b\n'),
        ("truncated.gz", gzip.compress(ROWS.encode() * 100, mtime=0)[:-40]),
        ("columns", b"a,b\n1,2\n"),
        ("formats", b"truth,predicted\n1,1.0\n0,0.0\n"),
        ("binary", bytes(range(256)) * 20),
    ],
)
def test_what_cannot_be_read_is_told_in_one_message(run: Run, tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    answer = run("assess", name)
    assert answer.code == 2, answer.out
    assert answer.out == ""
    assert answer.err.startswith("holdfast: ")
    assert "Traceback" not in answer.err
    assert len(answer.err) <= 600
    assert answer.err.count("\n") <= 6


def test_what_is_not_there(run: Run, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for words in (("nowhere.csv",), ("folder",), ("none/*.parquet",), ("nowhere.csv", "folder")):
        answer = run("assess", *words)
        assert (answer.code, answer.out) == (2, "")
        assert len(answer.err) <= 600


def test_json_is_json_even_for_hostile_labels(run: Run, tmp_path: Path) -> None:
    rows = 'truth,predicted\n"a""b","a""b"\n"x\ny","x\ny"\n<script>,<script>\n🙂,🙂\n"[red]x[/red]",🙂\n'
    (tmp_path / "hostile.csv").write_text(rows, encoding="utf-8")
    labels = parsed(run("assess", "hostile.csv", "--json"))["contingency"]["labels"]
    assert set(labels) == {'a"b', "x\ny", "<script>", "🙂", "[red]x[/red]"}
    text = run("assess", "hostile.csv").out
    assert "[red]x[/re" in text
    assert "x\\ny" in text
    assert json.loads(run("assess", "hostile.csv", "--json").out)


def test_samples_of_questions_within_passages(run: Run, tmp_path: Path) -> None:
    rows = ["passage,question,model,passed"]
    rows += [f"p{i // 6},q{i // 3},{model},{i % 3 % 2}" for model in ("a", "b") for i in range(36)]
    (tmp_path / "long.csv").write_text("\n".join(rows), encoding="utf-8")
    (tmp_path / "one.csv").write_text("\n".join(rows[:37]), encoding="utf-8")
    asked = ("--id", "question", "--cluster", "passage", "--pass-at", "1,3")
    report = parsed(run("assess", "one.csv", *asked, "--json"))
    passed = {claim["label"]: claim for claim in report["claims"] if claim["measure"] == "pass-at-k"}
    assert [round(passed[k]["estimate"], 12) for k in ("k=1", "k=3")] == [round(1 / 3, 12), 1.0]
    assert passed["k=3"]["n"] == 6  # passages
    assert (report["provenance"]["examples"], report["provenance"]["rows"]) == (12, 36)
    assert "On 36 answers to 12 questions the model erred 24 times." in run("assess", "one.csv", *asked).out
    for verb in (("assess", *asked), ("assess",), ("gate", "--at-most", "0.9")):
        refused = run(verb[0], "long.csv", *verb[1:])
        assert (refused.code, refused.out) == (2, "")
        assert "holdfast compare" in refused.err
    assert run("assess", "long.csv", "--by", "model").code == 0
