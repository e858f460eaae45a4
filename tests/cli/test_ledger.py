"""holdfast ledger, and --ledger at gates and looks."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]
N = 120
JOINED = ("--truth-file", "truth.csv", "--on", "id")
SEALED = ("gate", "preds.csv", *JOINED, "--ledger", "tests.db", "--at-most", "0.2")


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> Path:
    monkeypatch.chdir(tmp_path)
    truth = ["ab"[i % 2] for i in range(N)]
    Path("truth.csv").write_text("id,label\n" + "".join(f"{i},{t}\n" for i, t in enumerate(truth)))
    Path("preds.csv").write_text("id,predicted\n" + "".join(f"{i},{truth[i]}\n" for i in reversed(range(N))))
    Path("bad.csv").write_text("id,predicted\n" + "".join(f"{i},a\n" for i in range(N)))
    plan = ("--gates", "9", "--promotions", "3")
    code, _, err = run("ledger", "open", "tests.db", "--truth-file", "truth.csv", "--id", "id", *plan)
    assert (code, err) == (0, "")
    return tmp_path


def test_the_way_of_the_issue(desk: Path, run: Run) -> None:
    code, out, _ = run(*SEALED)
    assert code == 0
    assert out.startswith("proven: error-rate at most 0.2.")
    code, out, _ = run("gate", "bad.csv", *JOINED, "--ledger", "tests.db", "--at-most", "0.2", "--json")
    assert code == 3
    decision = json.loads(out)
    assert (decision["answer"], decision["claim"], decision["needed"]) == ("not proven", None, None)
    assert "fingerprint" not in decision["provenance"]
    code, out, _ = run(
        "gate", "preds.csv", *JOINED, "--ledger", "tests.db", "--baseline", "bad.csv", "--margin", "0.05"
    )
    assert (code, out.split(":")[0]) == (0, "proven")
    code, out, _ = run("assess", "preds.csv", *JOINED, "--ledger", "tests.db")
    assert code == 0
    assert "An open look, written down as entry 8" in " ".join(out.split())
    code, _, err = run(*SEALED)
    assert code == 3
    assert "not covered" in err
    code, _, _ = run(*SEALED, "--independent", "frozen in May")
    assert code == 0
    code, out, _ = run("ledger", "show", "tests.db", "--json", "--html", "page.html")
    assert code == 0
    shown = json.loads(out)
    assert [look.get("answer") for look in shown["looks"]] == ["proven", "not proven", "proven", None, "proven"]
    assert shown["ledger"]["open_looks"] == 1
    assert "frozen in May" in Path("page.html").read_text(encoding="utf-8") or shown["looks"][-1]["independent"]
    assert run("ledger", "verify", "tests.db", "--truth-file", "truth.csv")[0] == 0


def test_what_is_broken_first_is_said_with_exit_code_1(desk: Path, run: Run) -> None:
    run(*SEALED)
    head = json.loads(run("ledger", "show", "tests.db", "--json")[1])["ledger"]["head"]
    code, out, _ = run("ledger", "verify", "tests.db", "--head", head)
    assert code == 0
    assert "The labels were not looked at" in out
    code, out, _ = run("ledger", "verify", "tests.db", "--head", "0" * 64, "--json")
    assert (code, json.loads(out)["holds"]) == (1, False)
    text = Path("truth.csv").read_text()
    Path("truth.csv").write_text(text.replace("\n0,a", "\n0,b"))
    code, out, _ = run("ledger", "verify", "tests.db", "--truth-file", "truth.csv")
    assert code == 1
    assert "1 row with another label" in " ".join(out.split())
    assert run(*SEALED)[0] == 3  # not proven, and not a word of why
    with sqlite3.connect("tests.db") as connection:
        connection.execute("UPDATE holdfast_entries SET content = replace(content, 'true', 'false') WHERE number = 3")
    connection.close()
    code, out, _ = run("ledger", "verify", "tests.db")
    assert (code, out.splitlines()[0]) == (1, "Entry 3 was changed: its hash is not that of what it holds.")


def test_a_budget_that_is_spent_is_exit_code_3(desk: Path, run: Run) -> None:
    for _ in range(4):
        assert run(*SEALED)[0] == 0
    code, out, err = run(*SEALED)
    assert (code, out) == (3, "")
    assert "retired: promotion 4 was the last" in err


def test_junit_and_annotations_of_a_sealed_gate_say_the_bit_alone(desk: Path, run: Run) -> None:
    code, out, _ = run("gate", "bad.csv", *SEALED[2:], "--junit", "j.xml", "--github")
    assert code == 3
    xml = Path("j.xml").read_text(encoding="utf-8")
    assert 'type="not proven"' in xml
    assert "time=" not in xml
    assert "60" not in xml.replace("2026", "").split("Head")[0]  # of 120 it errs on 60
    assert "::warning title=not proven" in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["ledger", "show", "nowhere.db"], "There is no ledger nowhere.db"),
        (["ledger", "show", "truth.csv"], "the file is no ledger"),
        (["ledger", "open", "tests.db", "--truth-file", "truth.csv"], "already"),
        (["ledger", "open", "new.db"], "name their file by --truth-file"),
        (["ledger", "open", "new.db", "--truth-file", "truth.csv", "--id", "idd"], "did you mean 'id'"),
        (["ledger", "open", "new.db", "--truth-file", "truth.csv", "--gates", "0"], "from 1"),
        (["ledger", "open", "new.db", "--truth-file", "truth.csv", "--spend", "3"], "between 0 and 1"),
        (["ledger", "show", "tests.db", "--gates", "3"], "--gates says nothing"),
        (["ledger", "show", "tests.db", "--rate", "3"], "from 0 to 1"),
        (["ledger", "verify", "tests.db", "--head", "zz"], "64 digits"),
        (["ledger", "lend", "tests.db"], "lend"),
        ([*SEALED, "--missing", "drop"], "--missing"),
        ([*SEALED, "--confidence", "0.9"], "--confidence"),
        ([*SEALED, "--key", "truth.csv"], "no key of a ledger"),
        ([*SEALED, "--spend-now", "0.01"], "--spend-now"),
        (["gate", "preds.csv", *JOINED, "--at-most", "0.2", "--independent", "x"], "give --ledger"),
        (["gate", "preds.csv", *JOINED, "--at-most", "0.2", "--open"], "give --ledger"),
        (["gate", "preds.csv", *JOINED, "--at-most", "0.2", "--key", "k"], "give --ledger"),
        (["gate", "-", "--ledger", "tests.db", "--at-most", "0.2"], "standard input"),
        (["assess", "preds.csv", "--truth-file", "truth.csv", "--ledger", "tests.db"], "by --on"),
        (["assess", "preds.csv", "--on", "id"], "give --truth-file"),
        (["gate", "preds.csv", *JOINED, "--ledger", "mysql://x/y", "--at-most", "0.2"], "postgresql://"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2_and_nothing_is_written(
    desk: Path, run: Run, arguments: list[str], words: str
) -> None:
    before = {path.name: path.read_bytes() for path in desk.iterdir() if path.is_file()}
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1
    assert {path.name: path.read_bytes() for path in desk.iterdir() if path.is_file()} == before


def test_ids_that_are_not_the_committed_ones_are_counted(desk: Path, run: Run) -> None:
    lines = Path("preds.csv").read_text().splitlines()
    Path("preds.csv").write_text("\n".join([*lines[:-2], "x,a"]) + "\n")
    code, _, err = run(*SEALED)
    assert code == 2
    assert "1 row more that it does not know" in err


def test_a_sealed_gate_tells_nothing_of_labels_that_cannot_be_read(desk: Path, run: Run) -> None:
    told = set()
    for text in ('id,label\n0,"a\n', "id,label\n" + "".join(f"{i},\n" for i in range(N))):
        Path("truth.csv").write_text(text)
        code, out, err = run(*SEALED, "--json")
        assert (code, err) == (3, "")
        decision = json.loads(out)
        told.add(decision["answer"])
    assert told == {"not proven"}


def test_an_unsealed_gate_shows_all_and_is_written_down(desk: Path, run: Run) -> None:
    code, out, _ = run(*SEALED, "--open")
    assert code == 0
    assert "clopper-pearson" in out
    assert "An open look" in out


def test_a_comparison_joins_labels_and_is_an_open_look(desk: Path, run: Run) -> None:
    lines = Path("preds.csv").read_text().splitlines()[1:]
    Path("both.csv").write_text("id,new,old\n" + "".join(f"{line},a\n" for line in lines))
    code, out, _ = run("compare", "both.csv", *JOINED, "--models", "new,old", "--ledger", "tests.db")
    assert code == 0
    assert "An open look" in out
    code, out, _ = run("ledger", "show", "tests.db", "--json")
    shown = json.loads(out)
    assert (shown["ledger"]["open_looks"], shown["looks"][0]["rows"]) == (1, len(lines))
    assert run("compare", "both.csv", "preds.csv", *JOINED)[0] == 2


def test_a_plan_for_a_ledger(run: Run) -> None:
    code, out, _ = run("plan", "--at-most", "0.05", "--expect", "0.03", "--gates", "100", "--promotions", "3")
    assert code == 0
    assert "Label 4677 examples" in out
    assert "100 gates and 3 promotions, at 95 %" in " ".join(out.split())
