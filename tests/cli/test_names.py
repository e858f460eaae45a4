"""Whoever types a command is told of options that it has, and of nothing that only Python knows."""

from __future__ import annotations

import io
import json
import re
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from itertools import combinations
from pathlib import Path
from typing import Any
from unittest.mock import patch

import click
import pytest

import holdfast as hf
from holdfast import cli
from holdfast.report import Report
from holdfast.report.facts.listing import BoundFacts
from tests.names import COMMAND, KEYWORD, OPTION, VERBS, keywords


def a_log(model: str, grades: str) -> dict[str, Any]:
    """A log as Inspect writes it, of two scorers."""
    samples = [
        {
            "id": place,
            "epoch": 1,
            "input": f"q{place}",
            "target": "",
            "metadata": {"site": "ab"[place % 2]},
            "scores": {"match": {"value": grade}, "marks": {"value": {"form": 0.5, "style": place / 9}}},
        }
        for place, grade in enumerate(grades)
    ]
    evaluation = {"task": "toy", "model": model, "scorers": [{"name": "match", "metrics": []}]}
    results = {"headline": {"scorer": "match", "score": "match"}}
    return {"version": 2, "status": "success", "eval": evaluation, "results": results, "samples": samples}


FILES = {
    "binary.csv": "id,truth,predicted,score,site,patient,lead,correct,load\n"
    + "".join(
        f"{i},{'yes' if i % 2 else 'no'},{'yes' if i % 3 else 'no'},{i % 7 / 7:.3f},{'ab'[i % 2]},{i // 3},"
        f"{i % 5 - 2},{int(i % 4 > 0)},{i % 3 + 1}\n"
        for i in range(24)
    ),
    "three.csv": "truth,predicted,score,site\n" + "a,a,0.5,x\nb,c,0.2,y\nc,c,0.9,\n" * 6,
    "gaps.csv": "truth,predicted,score,patient,lead,m1,m2\nyes,yes,0.5,1,1,yes,no\nno,,0.2,,,yes,\n,no,,1,2,,no\n" * 4,
    "plain.csv": "first,second\n" + "a,a\nb,a\n" * 6,
    "costs.csv": "predicted \\ actual,no,yes\nno,0,5\nyes,1,0\n",
    "models.csv": "id,truth,m1,m2,m3,p_m1,p_m2,p_m3,patient\n"
    + "".join(
        f"{i},{'yn'[i % 2]},{'yn'[i % 3 > 0]},{'yn'[i % 5 > 1]},{'yn'[i % 2]},0.{i % 7},0.{i % 5},0.5,{i // 4}\n"
        for i in range(24)
    ),
    "long.csv": "question,model,answer,truth,correct,score\n"
    + "".join(
        f"{i // 2},{'ab'[i % 2]},{'yn'[i % 3 > 0]},{'yn'[i // 2 % 2]},{int(i % 3 > 0)},0.{i % 9}\n" for i in range(48)
    ),
    "passes.csv": "m1,m2\n" + "1,0\n0,0\n1,1\n" * 5,
    "unlabelled.csv": "m1,m2,m3\n" + "y,n,y\nn,n,y\n" * 6,
    "datasets.csv": "dataset,m1,m2\n" + "".join(f"d{i},0.{i}1,0.{9 - i}3\n" for i in range(8)),
    "folds.csv": "fold,m1,m2,n_test\n" + "".join(f"{i},0.{i}1,0.{9 - i}3,10\n" for i in range(8)),
    "losses.csv": "loss,other\n" + "0.1,0.3\n0.2,0.25\n" * 6,
    "data.csv": "x,z,name,y,site\n" + "".join(f"{i % 7},{i % 5},n{i},{'ab'[i % 3 > 1]},{i // 4}\n" for i in range(36)),
    "report.json": Report.of([hf.bound(hf.Counts(1, 9))], BoundFacts(), rows=9, command="holdfast bound").to_json(),
    "looks.json": "".join(f"{hf.monitor().update(errors=k, n=9).look.to_json()}\n" for k in (1, 2)),
    "run.json": json.dumps(a_log("mockllm/a", "CCICIN")),
    "later.json": json.dumps(a_log("mockllm/b", "CIICCC")),
    "newer.json": '{"schema": "holdfast/report/2", "claims": []}',
    "torn.json": '{"schema": "holdfast/report/1", "provenance": {"version": "1"}, "claims": [{"measure": "error-',
    "one.csv": "truth,predicted\nyes,yes\n",
    "empty.csv": "truth,predicted\n",
}
TREE = "data.csv --target y --estimator sklearn.tree:DecisionTreeClassifier --drop name --engine serial"
CALLS = {
    "assess": (
        "binary.csv",
        "three.csv",
        "gaps.csv",
        "plain.csv",
        "one.csv",
        "empty.csv",
        "binary.csv three.csv",
        "run.json",
    ),
    "compare": (
        *("models.csv --models m1,m2", "models.csv", "gaps.csv --models m1,m2", "plain.csv", "empty.csv", "one.csv"),
        *("long.csv --model model --id question", "long.csv", "models.csv long.csv", "models.csv gaps.csv --on id"),
        *("passes.csv --pass-fail", "passes.csv", "binary.csv", "long.csv --correct correct --model model"),
        *("datasets.csv --datasets dataset", "folds.csv --folds fold --measure error-rate", "folds.csv --folds fold"),
        *("models.csv --sequential --models m1,m2", "passes.csv --sequential --models m1,m2 --pass-fail"),
        *("losses.csv --sequential --models loss,other --losses 0,1", "losses.csv --datasets loss", ""),
        "losses.csv --sequential --models loss,other --losses 0,1 --weight other --max-weight 1",
        *("binary.csv three.csv --unpaired", "plain.csv one.csv --unpaired"),
        *("losses.csv --models loss,other --value *", "long.csv --value score --range 0,2"),
        *("run.json later.json", "run.json binary.csv"),
    ),
    "panel": (
        "models.csv --models m1,m2,m3",
        "models.csv",
        "passes.csv",
        "gaps.csv --models m1,m2",
        "binary.csv",
        "long.csv",
    ),
    "committee": ("models.csv --models m1,m2,m3", "models.csv", "passes.csv", "gaps.csv --models m1,m2", "one.csv"),
    "gate": (
        "binary.csv --at-most 0.3",
        "binary.csv",
        "three.csv --at-least 0.1 --measure recall",
        "gaps.csv --at-most 0.9",
        "long.csv --correct correct --id question --each-at-least 0.3",
    ),
    "threshold": (
        *("binary.csv --specificity-at-least 0.2", "binary.csv", "three.csv --precision-at-least 0.2", "plain.csv"),
        *("gaps.csv --sensitivity-at-least 0.3", "one.csv --precision-at-least 0.5"),
    ),
    "monitor": ("", "--losses", "--losses --high 0.1", "--correct --at-most 0.1", "--low 3"),
    "cross-assess": (TREE, f"{TREE} --scheme bootstrap", f"{TREE} --scheme grouped", TREE.replace("--drop name ", "")),
    "decompose": (f"{TREE} --rounds 3", f"{TREE} --parameter max_depth", f"{TREE} --loss squared"),
    "learning-curve": (TREE,),
    "bound": ("--errors 1 --n 9", "--losses losses.csv", "--losses losses.csv --column loss", "--n 9", ""),
    "plan": ("--at-most 0.1 --expect 0.05", "--wins 0.3 --losses 0.1", "--half-width 0.1", "", "--wins 0.4"),
    "doctor": ("run.json later.json", "run.json", "binary.csv", "nowhere.json"),
    "ledger": (
        "open tests.db --truth-file binary.csv --id id",
        "show tests.db",
        "verify tests.db",
        "open binary.csv --truth-file binary.csv",
        "show nowhere.db",
        "lend tests.db",
    ),
    "show": ("report.json", "looks.json", "newer.json", "torn.json", "binary.csv", "nowhere.json", "-"),
    "verify": ("wilson --n 5", "betting --n 5 --repeats 100", "nothing"),
    "methods": ("", "wilsn"),
    "measures": ("", "recal"),
}
VALUES = {  # of an option, some that mean something somewhere and some that mean nothing
    "--truth": ("truth", "site", "nobody"),
    "--predicted": ("predicted", "answer", "nobody"),
    "--score": ("score", "nobody", "yes=score", "p_*", "m1=p_m1"),
    "--correct": ("correct", "score", "nobody"),
    "--margin": ("lead", "score", "nobody", "0.05", "-1"),
    "--by": ("site", "nobody", "site,patient"),
    "--cluster": ("patient", "nobody"),
    "--max-cluster": ("3", "1", "0"),
    "--prevalence": ("yes=0.1", "yes=3", "nobody=0.1", "yes"),
    "--costs": ("costs.csv", "binary.csv", "nowhere.csv"),
    "--pass-at": ("1,2", "100", "x"),
    "--classes": ("0,1", "x", "1"),
    "--alpha": ("2", "-1"),
    "--bins": ("3", "grades", "quantiles", "0,0.5,1", "0"),
    "--operating-point": ("0.3", "nan"),
    "--measure": (
        "recall",
        "auc",
        "log-loss",
        "expected-cost",
        "pass-at-k",
        "ece",
        "kappa",
        "margin-error",
        "mean-loss",
        "nothing",
    ),
    "--method": ("wilson", "bca", "mcnemar-exact", "betting", "cluster-betting", "nothing"),
    "--positive": ("yes", "nobody"),
    "--separator": (";", "ab"),
    "--confidence": ("0.9", "2", "x"),
    "--chart": ("roc.svg", "nothing.svg", "roc.txt"),
    "--html": ("page.html", "page.txt"),
    "--id": ("id", "question", "nobody"),
    "--model": ("model", "nobody"),
    "--models": ("m1,m2", "m*", "m1", "nobody,m1"),
    "--on": ("id", "nobody"),
    "--datasets": ("dataset", "nobody"),
    "--folds": ("fold", "nobody", "3", "100"),
    "--weight": ("m1=0.5", "nobody=1", "m1", "load"),
    "--losses": ("0,1", "x", "losses.csv", "0.1"),
    "--state": ("state.json", "binary.csv"),
    "--every": ("5",),
    "--wait": ("1", "-1", "x"),
    "--unlabelled": ("unlabelled.csv", "nowhere.csv", "binary.csv", "5"),
    "--set": ("a=m1,m2", "a"),
    "--sets": ("2",),
    "--target": ("m1", "y", "nobody"),
    "--label": ("yes", "nobody"),
    "--conditions": ("costs.csv",),
    "--looks": ("3", "0"),
    "--junit": ("junit.xml", "no/where.xml"),
    "--markdown": ("comment.md", "-", "no/where.md"),
    "--candidates": ("0.1,0.5", "x"),
    "--param": ("max_depth=2", "nothing=2", "max_depth"),
    "--drop": ("x", "nobody"),
    "--group": ("site", "nobody"),
    "--engine": ("threads", "dask:", "nothing"),
    "--estimator": ("sklearn.tree:Nothing", "nowhere:X", "sklearn.svm:SVC"),
    "--scheme": ("k-fold", "leave-one-out", "hold-out", "shuffle", "bootstrap", "nothing"),
    "--fold": ("1", "99"),
    "--grid": ("max_depth=1,2", "nothing=1", "max_depth"),
    "--inner": ("3",),
    "--save": ("store",),
    "--resume": ("nowhere",),
    "--shares": ("0.2,0.5", "2", "x"),
    "--parameter": ("max_depth", "nothing"),
    "--values": ("1,2", "1,1", "1..9999"),
    "--column": ("loss", "nobody"),
    "--task": ("toy", "nobody"),
    "--scorer": ("marks.form", "marks", "nobody"),
    "--metric": ("acc", "nobody"),
    "--filter": ("strict", "nobody"),
    "--split": ("test", "nobody"),
    "--truth-file": ("binary.csv", "nowhere.csv"),
    "--ledger": ("tests.db", "nowhere.db", "mysql://host/base"),
    "--key": ("binary.csv.key", "binary.csv"),
    "--independent": ("frozen",),
    "--head": ("0123456789abcdef", "x"),
    "--spend": ("0.1", "2"),
    "--spend-now": ("0.01", "2"),
    "--gates": ("20", "0"),
    "--promotions": ("2", "-1"),
}
NUMBERS = ("0", "0.5", "3", "-1")


def values(option: click.Option) -> tuple[str, ...]:
    if isinstance(option.type, click.Choice):
        return (*option.type.choices,)
    return VALUES.get(option.opts[0], NUMBERS)


def words(option: click.Option) -> list[list[str]]:
    """The option, given in every way."""
    return [[option.opts[0]]] if option.is_flag else [[option.opts[0], value] for value in values(option)]


def options_of(verb: str) -> list[click.Option]:
    """All options of the verb but --follow, with which it would wait for more."""
    options = [each for each in cli.cli.commands[verb].params if isinstance(each, click.Option)]
    return [option for option in options if option.opts[0] != "--follow"]


def with_nothing_right(verb: str) -> Iterator[list[str]]:
    """Every call as it is; and the first with the last value of each option, which is the wrong one."""
    first, *_ = calls = [shlex.split(call) for call in CALLS[verb]]
    yield from calls
    yield from (
        [*first, *words(option)[-1]] for option in options_of(verb) if not isinstance(option.type, click.Choice)
    )


def with_one_option(verb: str) -> Iterator[list[str]]:
    """The first call with every value of each option; each other call with one value of every second, by turns."""
    for turn, call in enumerate(map(shlex.split, CALLS[verb])):
        for place, option in enumerate(options_of(verb)):
            ways = words(option)
            if turn == 0:
                yield from ([*call, *given] for given in ways)
            elif (turn + place) % 2 == 0:
                yield [*call, *ways[turn // 2 % len(ways)]]


def with_two_options(verb: str) -> Iterator[list[str]]:
    """The first call with pairs of options, of which each option is in every third."""
    for call in map(shlex.split, CALLS[verb][:1]):
        for (first, one), (second, other) in combinations(enumerate(options_of(verb)), 2):
            if (first + second) % 3 == 0:
                yield [*call, *words(one)[0], *words(other)[0]]


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "1000")
    for name, content in FILES.items():
        (tmp_path / name).write_text(content, encoding="utf-8")


def answer(arguments: list[str]) -> str:
    """Whatever is printed, on standard output and beside it."""
    with (
        patch.object(sys, "argv", ["holdfast", *arguments]),
        patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"0\n1\n0.5\n"))),
        redirect_stdout(io.StringIO()) as out,
        redirect_stderr(io.StringIO()) as err,
        pytest.raises(SystemExit),
    ):
        cli.main()
    return out.getvalue() + err.getvalue()


def unknown(verb: str, arguments: list[str], text: str) -> Iterator[str]:
    """What the text names that whoever typed this does not have."""
    command = f"holdfast {shlex.join(arguments)}"
    text = text.replace(command, "")  # the provenance repeats it
    for other, beside in COMMAND.findall(text):
        text = text.replace(beside, "", 1)
        if other not in VERBS:
            yield f"{other} is no verb"
        yield from (
            f"{option} is no option of {other}" for option in OPTION.findall(beside) if option not in VERBS[other]
        )
    for option in OPTION.findall(text):
        if option not in VERBS[verb]:
            having = ", ".join(name for name, options in VERBS.items() if option in options) or "no verb"
            yield f"{option} is an option of {having}"
    typed = " ".join(arguments)
    for keyword in KEYWORD.findall(re.sub(r"such as \S+|, as \w+=|as in '[^']*'|--param \S+", "", text)):
        if keyword in keywords() and f"{keyword}=" not in typed and keyword != "k":  # pass-at-k, k=1
            yield f"{keyword}= is a keyword of Python's"
    for name in re.findall(r"(?<![\w.\"-])[a-z]+(?:_[a-z]+)+(?![\w.*\"])", text):
        if name in keywords() and name not in typed and "choose from" not in text:
            yield f"{name} is Python's"
    yield from (f"{name} is Python's" for name in re.findall(r"(?<![\w.])hf\.\w+|read_\w+\(", text))
    # Whatever is noticed before something is refused has a line of its own.
    refused = text.startswith("holdfast: ") and "while training" not in text
    if "Traceback" in text or (refused and not all(line.startswith("holdfast: ") for line in text.splitlines())):
        yield "more than a line"


@pytest.mark.crossing(3)
@pytest.mark.parametrize("verb", CALLS)
def test_every_name_is_one_of_the_verb(verb: str, desk: None) -> None:
    check(verb, with_nothing_right(verb))


@pytest.mark.long
@pytest.mark.parametrize("corpus", [with_one_option, with_two_options])
@pytest.mark.parametrize("verb", CALLS)
def test_every_name_is_one_of_the_verb_whatever_is_asked(
    verb: str, corpus: Callable[[str], Iterator[list[str]]], desk: None
) -> None:
    check(verb, corpus(verb))


def check(verb: str, calls: Iterator[list[str]]) -> None:
    wrong: dict[str, str] = {}  # by what is wrong and where, the first that shows it
    for given in calls:
        text = answer([verb, *given])
        for name in unknown(verb, [verb, *given], text):
            sentence = next((line for line in text.splitlines() if name.split(" ")[0] in line), text[:300])
            wrong.setdefault(f"{name}: {sentence.strip()}", f"holdfast {shlex.join([verb, *given])}")
    assert not wrong, "\n" + "\n".join(f"{call}\n    {name}" for name, call in wrong.items())
