"""What the page recommends is what the catalog says, and can be typed; tests/test_docs.py makes every call again."""

from __future__ import annotations

import re
import runpy
import shlex
from functools import cache
from typing import Any

import pytest

import holdfast as hf
from holdfast.catalog import find
from holdfast.claims import Guarantee
from holdfast.cli import cli
from holdfast.evidence import Contingency, Counts, Losses, Scores, Strata
from holdfast.evidence.folds.sample import FoldCounts
from holdfast.verbs.bound import ANSWERS, default_method, default_methods
from tests.docs.pages import DOCS, MAKE, text

PAGE = DOCS / "which-method.md"
CALLS: dict[str, Any] = runpy.run_path(str(MAKE / "calls.py"))
ROWS = [row for _, rows, _ in CALLS["SECTIONS"].values() for row in rows]
GRADES = {"every n": Guarantee.FINITE, "large n": Guarantee.ASYMPTOTIC, "no proof": Guarantee.HEURISTIC}
WITHDRAWN = ("refit", "algorithm", "resubstitution")  # targets of which nothing is guaranteed, whoever answers
BESIDE = {"bca", "jackknife"}  # of evidence that only somebody who makes it by hand has
BESIDE |= {"chosen-bins", "best-thresholds", "apart", "pac-bayes", "geometric-merge-kl"}


@cache
def told() -> list[tuple[str, list[tuple[str, str]]]]:
    """Each line of the tables: the call, and who is said to answer how firmly."""
    found = []
    for line in text(PAGE).splitlines():
        if line.startswith("| ") and not line.startswith("| you want"):
            *_, call, _, answers = (cell.strip() for cell in line.strip("| ").split(" | "))
            named = (
                re.fullmatch(r"\[?([\w-]+)\]?(?:\(methods\.md#([\w-]+)\))?, (.+)", each) for each in answers.split("; ")
            )
            found.append((call.strip("`"), [(each[1], each[3]) for each in named if each]))
    return found


def test_every_line_says_who_answers() -> None:
    assert [call for call, _ in told()] == [row.call for row in ROWS]
    assert all(answers for _, answers in told())


@pytest.mark.parametrize("number", range(len(ROWS)), ids=lambda number: str(ROWS[number].want))
def test_a_promise_of_the_page_is_that_of_the_catalog(number: int) -> None:
    """A method that stands in the catalog promises here no more than there, and less only where a target forbids it."""
    call, answers = told()[number]
    known = {bound.name for bound in hf.methods()}
    for name, holds in answers:
        if name in known:
            promised = find(name).guarantee
            assert GRADES[holds] is (Guarantee.HEURISTIC if any(each in call for each in WITHDRAWN) else promised)


def test_the_first_named_is_the_default_of_its_kind_of_evidence() -> None:
    first = {call: answers[0][0] for call, answers in told()}
    rates = Counts(8, 30)
    assert first["hf.bound(hf.Counts(8, 30))"] == default_method(rates).name
    assert first["hf.bound(hf.Counts(8, 30), unlabelled=200)"] == default_method(rates, unlabelled=True).name
    assert first["hf.bound(hf.Losses(losses))"] == default_method(Losses([0.1, 0.4])).name
    for moments in ("n=1000, mean=0.1, s2=0.02", "n=1000, mean=0.1"):
        given = dict(pair.split("=") for pair in moments.split(", "))
        evidence = Losses.from_moments(int(given["n"]), float(given["mean"]), *map(float, given.get("s2", "").split()))
        assert first[f"hf.bound(hf.Losses.from_moments({moments}))"] == default_method(evidence).name
    table = Contingency([[7, 2], [1, 9]], rows="predicted")
    for name, want in (("auc", Scores([0.1, 0.9], [False, True])), ("balanced-accuracy", table)):
        evidence = {each.name: each for each in hf.measures()}[name](want)
        (row,) = (row for row in ROWS if row.measure == name)
        assert (
            dict(zip([each.want for each in ROWS], told(), strict=True))[row.want][1][0][0]
            == default_methods(evidence)[0].name
        )
    assert ANSWERS[FoldCounts][0] == first["hf.cross_assess(learner, X, y, folds=5)"]
    assert ANSWERS[Strata] == ("fisher",)


def test_every_default_stands_on_the_page() -> None:
    named = {name for _, answers in told() for name, _ in answers}
    missing = {name for names in ANSWERS.values() for name in names} - named - BESIDE
    assert not missing, f"the page does not say when {missing} answers"
    assert {"clopper-pearson", "hypergeometric", "squares", "maurer-pontil", "hoeffding-kl"} <= named


@pytest.mark.parametrize("command", sorted({row.command for row in ROWS if row.command}))
def test_every_command_can_be_typed(command: str) -> None:
    name, *words = shlex.split(command)
    known = {option for parameter in cli.commands[name].params for option in parameter.opts}
    assert {word for word in words if word.startswith("--")} <= known
