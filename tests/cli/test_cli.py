"""The command line: every command of the contract, its JSON, its exit codes, and no traceback whatever is typed."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import holdfast as hf
from holdfast import cli
from tests.snapshots import matches


class Answer(NamedTuple):
    code: int
    out: str
    err: str


Run = Callable[..., Answer]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """The command line as the shell calls it, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "dumb")

    def call(*arguments: str) -> Answer:
        monkeypatch.setattr("sys.argv", ["holdfast", *arguments])
        with pytest.raises(SystemExit) as left:
            cli.main()
        out, err = capsys.readouterr()
        return Answer(int(left.value.code or 0), out, err)

    return call


@pytest.fixture
def losses(tmp_path: Path) -> str:
    (tmp_path / "losses.csv").write_text("loss\n" + "0.1\n0.3\n0.2\n0.25\n0.0\n" * 10, encoding="utf-8")
    return "losses.csv"


def tidy(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.split("\n"))


def parsed(answer: Answer) -> dict[str, Any]:
    def never(word: str) -> None:
        raise AssertionError(f"{word} in JSON")

    report = json.loads(answer.out, parse_constant=never)
    assert list(report)[:3] == ["schema", "provenance", "claims"]
    assert report["schema"] == "holdfast/report/1"
    assert report["provenance"]["version"] == hf.__version__
    return report


# ---- The commands of the contract


def test_bound(run: Run) -> None:
    answer = run("bound", "--errors", "8", "--n", "30")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith("0.267 [0.122, 0.459], clopper-pearson, 95 %, holds at every sample size\n")
    matches("cli_bound", tidy(answer.out))


def test_bound_all(run: Run) -> None:
    answer = run("bound", "--errors", "8", "--n", "30", "--all")
    assert answer.code == 0
    for claim in hf.every_bound(hf.Counts(8, 30)).claims:
        assert claim.method in answer.out
    assert "voids the guarantee" in " ".join(answer.out.split())


def test_bound_unlabelled(run: Run) -> None:
    answer = run("bound", "--errors", "50", "--n", "1000", "--unlabelled", "1000")
    assert answer.out.startswith("0.0500 [0.0320, 0.0710], hypergeometric, 95 %")


def test_bound_losses(run: Run, losses: str) -> None:
    answer = run("bound", "--losses", losses, "--side", "upper")
    assert answer.code == 0
    assert answer.out.startswith("0.170, at most 0.")
    assert ", betting, 95 %" in answer.out


def test_bound_losses_in_their_own_range(run: Run, losses: str) -> None:
    answer = run("bound", "--losses", losses, "--high", "2", "--low", "-1", "--method", "hoeffding", "--json")
    (claim,) = parsed(answer)["claims"]
    expected = hf.bound(hf.Losses([0.1, 0.3, 0.2, 0.25, 0.0] * 10, -1, 2), "hoeffding")
    assert (claim["lower"], claim["upper"]) == pytest.approx((expected.lower, expected.upper))


def test_plan(run: Run) -> None:
    answer = run("plan", "--at-most", "0.05", "--expect", "0.03", "--power", "0.9")
    assert answer.code == 0
    assert answer.out.startswith("Label 832 examples: ")


def test_verify(run: Run) -> None:
    answer = run("verify", "wilson", "--n", "10..15", "--repeats", "100")
    assert answer.code == 0  # it breaks no promise, having made none
    assert "Exact worst coverage" in answer.out
    assert "It promises nothing at a given sample size." in answer.out


def test_verify_draws_a_picture(run: Run, tmp_path: Path) -> None:
    for sizes, name in (("20", "one.html"), ("5,10", "many.svg"), ("8", "one.png")):
        answer = run("verify", "blaker", "--n", sizes, "--chart", name)
        assert (answer.code, answer.err) == (0, f"Chart written to {name}\n")
        assert (tmp_path / name).stat().st_size > 1000


def test_methods(run: Run) -> None:
    answer = run("methods")
    assert answer.code == 0
    for bound in hf.methods():
        assert bound.name in answer.out


def test_one_method(run: Run) -> None:
    answer = run("methods", "cp")
    assert answer.out.startswith("clopper-pearson (also CP, exact): holds at every sample size")


def test_version_and_help(run: Run) -> None:
    assert run("--version") == Answer(0, f"holdfast, version {hf.__version__}\n", "")
    for words in ((), ("bound",), ("plan",), ("verify",), ("methods",), ("completion",)):
        for option in ("--help", "-h"):
            answer = run(*words, option)
            assert (answer.code, answer.err) == (0, "")
            assert "Usage: holdfast" in answer.out
    matches("cli_help", tidy(run("--help").out))


def test_no_command_shows_the_help(run: Run) -> None:
    answer = run()
    assert answer.code == 2
    assert "Usage: holdfast" in answer.out + answer.err


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(run: Run, shell: str) -> None:
    answer = run("completion", shell)
    assert answer.code == 0
    assert "_HOLDFAST_COMPLETE" in answer.out
    assert f"{shell}_complete" in answer.out


# ---- JSON

JSON: list[tuple[str, ...]] = [
    ("bound", "--errors", "8", "--n", "30"),
    ("bound", "--errors", "0", "--n", "0"),
    ("bound", "--errors", "8", "--n", "30", "--all"),
    ("bound", "--errors", "0", "--n", "0", "--all"),
    ("bound", "--errors", "8", "--n", "30", "--unlabelled", "9", "--side", "lower"),
    ("bound", "--losses", "losses.csv"),
    ("bound", "--losses", "losses.csv", "--all", "--side", "upper"),
    ("plan", "--at-most", "0.05"),
    ("plan", "--at-most", "0.05", "--expect", "0.03"),
    ("plan", "--half-width", "0.1"),
    ("verify", "blaker", "--n", "5..8"),
    ("verify", "wilson", "--n", "5", "--repeats", "100"),
    ("methods",),
    ("methods", "wilson"),
]


@pytest.mark.parametrize("words", JSON, ids=" ".join)
def test_json_is_a_report_without_nan(run: Run, losses: str, words: tuple[str, ...]) -> None:
    answer = run(*words, "--json")
    assert (answer.code, answer.err) == (0, "")
    report = parsed(answer)
    assert shlex.split(report["provenance"]["command"]) == ["holdfast", *words, "--json"]
    for claim in report["claims"]:
        wanted = "measure estimate lower upper delta side n method guarantee assumes source".split()
        assert set(wanted) <= claim.keys()


def test_the_numbers_in_json_are_not_rounded(run: Run) -> None:
    (claim,) = parsed(run("bound", "--errors", "8", "--n", "30", "--confidence", "0.999999999999", "--json"))["claims"]
    expected = hf.bound(hf.Counts(8, 30), delta=1e-12)
    assert (claim["delta"], claim["lower"], claim["upper"]) == (1e-12, expected.lower, expected.upper)


def test_no_data_are_null_in_json(run: Run) -> None:
    (claim,) = parsed(run("bound", "--errors", "0", "--n", "0", "--json"))["claims"]
    assert (claim["estimate"], claim["lower"], claim["upper"], claim["n"]) == (None, 0.0, 1.0, 0)


def test_where_losses_come_from_is_recorded(run: Run, losses: str) -> None:
    origin = parsed(run("bound", "--losses", losses, "--json"))["provenance"]
    assert origin["rows"] == 50
    assert origin["fingerprint"] == hf.Losses([0.1, 0.3, 0.2, 0.25, 0.0] * 10).fingerprint


def test_a_file_name_with_spaces_can_be_read_back(run: Run, losses: str, tmp_path: Path) -> None:
    (tmp_path / "my losses.csv").write_bytes((tmp_path / losses).read_bytes())
    words = ("bound", "--losses", "my losses.csv", "--json")
    assert shlex.split(parsed(run(*words))["provenance"]["command"]) == ["holdfast", *words]


def test_the_seed_is_recorded_and_matters(run: Run) -> None:
    def misses(seed: str) -> list[int]:
        report = parsed(run("verify", "normal", "--n", "10", "--repeats", "200", "--seed", seed, "--json"))
        assert report["provenance"]["seed"] == int(seed)
        return [result["misses"] for result in report["verification"]]

    assert misses("1") == misses("1")
    assert misses("1") != misses("2")


def test_a_plan_and_the_catalog_in_json(run: Run) -> None:
    plan = parsed(run("plan", "--at-most", "0.05", "--json"))["plan"]
    assert (plan["n"], plan["accept"], plan["method"]) == (59, 0, "clopper-pearson")
    names = [entry["name"] for entry in parsed(run("methods", "--json"))["methods"]]
    assert names == [bound.name for bound in hf.methods()]


# ---- Exit codes


def test_a_broken_promise_exits_with_1(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    from holdfast.catalog import find

    liar = replace(find("wilson"), name="liar", guarantee=hf.Guarantee.FINITE)
    monkeypatch.setattr("holdfast.catalog.find", lambda name: name if isinstance(name, hf.Bound) else liar)
    monkeypatch.setattr("holdfast.verify.find", lambda name: name)
    answer = run("verify", "liar", "--n", "10", "--repeats", "100")
    assert answer.code == 1
    assert "The promise is BROKEN." in answer.out
    assert run("verify", "liar", "--n", "10", "--repeats", "100", "--json").code == 1


def test_a_promise_kept_exits_with_0(run: Run) -> None:
    answer = run("verify", "clopper-pearson", "--n", "1..20")
    assert answer.code == 0
    assert "The promise is kept." in answer.out


def test_an_interruption_is_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*arguments: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("holdfast.verbs.bound.bound", interrupted)
    answer = run("bound", "--errors", "8", "--n", "30")
    assert (answer.code, answer.err.strip().splitlines()) == (130, ["holdfast: interrupted"])


# ---- Whatever is typed

HOSTILE = """
nonsense
bound
bound --errors 8
bound --n 30
bound --errors 8 --n 30 --losses losses.csv
bound --errors -1 --n 30
bound --errors 31 --n 30
bound --errors 8.5 --n 30
bound --errors eight --n 30
bound --errors 8 --n 99999999999999999999
bound --errors 8 --n HUGE
bound --errors 8 --n 30 --confidence 95
bound --errors 8 --n 30 --confidence 1
bound --errors 8 --n 30 --confidence 0
bound --errors 8 --n 30 --confidence nan
bound --errors 8 --n 30 --confidence high
bound --errors 8 --n 30 --confidence 1e-400
bound --errors 8 --n 30 --side left
bound --errors 8 --n 30 --method wilsn
bound --errors 8 --n 30 --method betting
bound --errors 8 --n 30 --method blaker --side upper
bound --errors 8 --n 30 --unlabelled 0
bound --errors 8 --n 30 --unlabelled 2.5
bound --errors 8 --n 30 --unlabelled 5 --method wilson
bound --errors 8 --n 30 --all --method wilson
bound --errors 8 --n 30 --all --unlabelled 5
bound --errors 8 --n 30 --column loss
bound --errors 8 --n 30 --low -1
bound --errors 8 --n 30 --high 2
bound --errors 8 --n 30 extra
bound --errors 8 --n 30 --colour red
bound --errors
bound --losses missing.csv
bound --losses .
bound --losses losses.csv --column lost
bound --losses losses.csv --method clopper-pearson
bound --losses losses.csv --unlabelled 5
bound --losses losses.csv --low 1 --high 0
bound --losses losses.csv --high nan
bound --losses losses.csv --high 0.1
plan
plan --at-most 0.05 --half-width 0.1
plan --at-most 0
plan --at-most 1
plan --at-most nan
plan --at-most 0.05 --expect 0.05
plan --at-most 0.05 --expect -1
plan --at-most 0.05 --power 1
plan --at-most 0.05 --method hoeffdingg
plan --at-most 0.05 --method betting
plan --at-most 0.05 --method blaker
plan --at-most 1e-300
plan --half-width 0.5
plan --half-width 1e-9
plan --half-width 0.1 --expect 2
verify
verify nothing
verify hypergeometric
verify wilson --n 0
verify wilson --n ten
verify wilson --n 5..1
verify wilson --n ..
verify wilson --n 1..2..3
verify wilson --n 1,,2
verify wilson --repeats 1
verify wilson --confidence 95
verify hoeffding --n 5 --repeats 100 --seed -1
verify wilson --n 5 --seed x
verify wilson --n 5 --chart coverage.pdf
verify blaker --n 5 --chart missing/coverage.svg
verify blaker --n 5 --side upper
verify betting --n 5 --repeats 100 --chart coverage.svg
methods nothing
methods wilson extra
completion
completion tcsh
""".strip().splitlines()


@pytest.mark.parametrize("typed", HOSTILE)
def test_bad_input_is_one_line_and_exit_code_2(run: Run, losses: str, typed: str) -> None:
    answer = run(*typed.replace("HUGE", "1" + "0" * 400).split())
    assert answer.code == 2, answer.out
    assert answer.out == ""
    (line,) = answer.err.splitlines()
    assert line.startswith("holdfast: ")
    assert "Traceback" not in line
    assert len(line) > 30


def test_what_is_said_to_bad_input(run: Run, losses: str) -> None:
    # Messages that list the catalog change whenever it grows; the others are pinned.
    changing = (
        "betting",
        "clopper-pearson",
        "nothing",
        "HUGE",
        "--unlabelled 5",
        "--column",
        "--low",
        "--high",
        "seed -1",
    )
    told = [
        f"$ holdfast {typed}\n{run(*typed.split()).err}" for typed in HOSTILE if not any(c in typed for c in changing)
    ]
    matches("cli_errors", "".join(told))


def test_an_option_that_cannot_be_honoured_is_named(run: Run) -> None:
    for option in ("--column=x", "--low=-1", "--high=2"):
        assert option.split("=")[0] in run("bound", "--errors", "8", "--n", "30", option).err


def test_a_chart_that_cannot_be_drawn_is_refused_before_the_work(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def work(*arguments: object, **options: object) -> None:
        raise AssertionError("worked before looking")

    monkeypatch.setattr("holdfast.verify.checks", work)
    for name, path in (("wilson", "coverage.pdf"), ("betting", "coverage.svg")):
        assert run("verify", name, "--n", "5", "--chart", path).code == 2
