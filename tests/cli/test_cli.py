"""The command line: every command of the contract, its JSON and its exit codes."""

from __future__ import annotations

import json
import shlex
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import holdfast as hf
from holdfast.catalog import find
from holdfast.cli.options import EntryName
from tests.cli.conftest import Answer, Run
from tests.shapes import validate
from tests.snapshots import matches

SHAPE = Path(hf.__file__).parent / "schemas" / "report-1.json"
CLAIM = {
    *("measure", "estimate", "lower", "upper", "delta", "side", "n", "method", "guarantee", "assumes", "source"),
    *("model", "label", "group"),
}


def tidy(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.split("\n"))


def parsed(answer: Answer) -> dict[str, Any]:
    def never(word: str) -> None:
        raise AssertionError(f"{word} in JSON")

    report = json.loads(answer.out, parse_constant=never)
    validate(report, json.loads(SHAPE.read_text(encoding="utf-8")))
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


@pytest.mark.parametrize("method", ["betting", "star"])
def test_bound_of_losses_in_the_order_drawn(run: Run, tmp_path: Path, method: str) -> None:
    file = tmp_path / "losses.csv"
    values = [i * i % 101 / 300 for i in range(60)]
    file.write_text("loss\n" + "\n".join(map(str, values)), encoding="utf-8")
    asked = ("bound", "--losses", str(file), "--method", method)
    unknown, drawn = run(*asked), run(*asked, "--order", "drawn")
    told = [parsed(run(*asked, *order, "--json"))["claims"][0] for order in ((), ("--order", "drawn"))]
    assert "comes without proof" in unknown.out
    assert "which nothing proves to be fair" in " ".join(unknown.out.split())
    assert "holds at every sample size" in drawn.out
    assert "the rows stand in the order in which they were drawn, as was stated" in " ".join(drawn.out.split())
    assert [claim["guarantee"] for claim in told] == ["HEURISTIC", "FINITE"]
    assert told[1]["upper"] == hf.bound(hf.Losses(values, order="drawn"), method).upper
    assert run("bound", "--losses", str(file)).out == run("bound", "--losses", str(file), "--order", "drawn").out


def test_clusters_in_the_order_drawn(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    file.write_text("patient,correct\n" + "".join(f"{i // 2},{int(i % 7 > 0)}\n" for i in range(80)), encoding="utf-8")
    rows = (str(file), "--correct", "correct", "--cluster", "patient", "--max-cluster", "4", "--json")
    bets, order = ("--method", "cluster-betting"), ("--order", "drawn")
    assert [run("gate", *rows, *bets, "--at-most", "0.6", *some).code for some in ((), order)] == [3, 0]
    claims = [parsed(run("assess", *rows, *bets, "--measure", "error-rate", *some))["claims"] for some in ((), order)]
    assert [claim[0]["guarantee"] for claim in claims] == ["HEURISTIC", "FINITE"]


def test_an_order_is_refused_where_none_is_kept(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    file.write_text("truth,predicted,score\n" + "a,a,0.2\nb,a,0.9\n" * 20, encoding="utf-8")
    for verb in ("compare", "panel", "committee"):
        answer = run(verb, str(file), "--order", "drawn")
        assert (answer.code, answer.out) == (2, "")
        assert "`holdfast bound --losses FILE --order drawn`" in " ".join(answer.err.split())
    for call in (("assess",), ("gate", "--at-most", "0.9")):
        answer = run(*call, str(file), "--order", "drawn")
        assert (answer.code, answer.out) == (2, "")
        assert "--order speaks of clusters: give --cluster too." in " ".join(answer.err.split())
    answer = run("bound", "--errors", "3", "--n", "20", "--order", "drawn")
    assert (answer.code, "--order goes with --losses FILE" in answer.err) == (2, True)
    without = run("assess", str(file), "--method", "betting", "--measure", "brier", "--positive", "b", "--json")
    assert parsed(without)["claims"][0]["guarantee"] == "HEURISTIC"


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
    assert ", squares, 95 %" in answer.out


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


@pytest.mark.long
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
    for words in ((), ("bound",), ("plan",), ("verify",), ("methods",)):
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
    answer = run("--completion", shell)
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
    ("plan", "--wins", "0.3", "--losses", "0.1", "--power", "0.8"),
    ("verify", "blaker", "--n", "5..8"),
    ("verify", "wilson", "--n", "5", "--repeats", "100"),
    ("methods",),
    ("methods", "wilson"),
]


@pytest.mark.crossing(3)
@pytest.mark.parametrize("words", JSON, ids=" ".join)
def test_json_is_a_report_without_nan(run: Run, losses: str, words: tuple[str, ...]) -> None:
    answer = run(*words, "--json")
    assert (answer.code, answer.err) == (0, "")
    report = parsed(answer)
    assert shlex.split(report["provenance"]["command"]) == ["holdfast", *words, "--json"]
    for claim in report["claims"]:
        assert claim.keys() >= CLAIM


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


def test_every_procedure_is_told_of_by_its_name_but_cannot_be_chosen(run: Run) -> None:
    for procedure in hf.procedures():
        assert run("methods", procedure.name).out.startswith(f"{procedure.name}: {procedure.guarantee.sentence}\n")
    assert parsed(run("methods", procedure.name, "--json"))["procedures"] == [procedure.to_dict()]
    listed = [entry["name"] for entry in parsed(run("methods", "--json"))["procedures"]]
    assert listed == [procedure.name for procedure in hf.procedures()]
    refused = run("bound", "--errors", "1", "--n", "9", "--method", "tandem")
    assert refused.code == 2
    assert refused.err.startswith("holdfast: tandem is a procedure")
    assert {item.value for item in EntryName().shell_complete(None, None, "tan")} == {"tango", "tandem"}  # type: ignore[arg-type]


# ---- Exit codes


def test_a_broken_promise_exits_with_1(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    liar = replace(find("wilson"), name="liar", guarantee=hf.Guarantee.FINITE)
    monkeypatch.setattr("holdfast.catalog.find", lambda name: name if isinstance(name, hf.Bound) else liar)
    monkeypatch.setattr(import_module("holdfast.verify"), "find", lambda name: name)
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


def test_losses_that_look_like_counts_are_told_so(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "losses.csv"
    file.write_text("0\n1\n0\n", encoding="utf-8")
    assert "--errors" in run("bound", "--losses", str(file)).err
    file.write_text("0\n0.5\n0\n", encoding="utf-8")
    assert run("bound", "--losses", str(file)).err == ""
