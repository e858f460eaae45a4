"""Laws over the procedures of the catalog, and that nothing is printed as a method that the catalog does not know."""

from __future__ import annotations

import ast
import doctest
import inspect
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import holdfast as hf
from holdfast import evidence
from holdfast.catalog import AnyProcedure, find, find_entry, methods, procedures
from holdfast.claims import Guarantee
from holdfast.errors import UnfitMethod, UnknownName
from tests.corpus.outcomes import stored
from tests.tries import trials

ROOT = Path(__file__).parents[2]
BIBLIOGRAPHY = (ROOT / "docs" / "references.bib").read_text(encoding="utf-8")
FIRMEST_FIRST = [*Guarantee]
SAID = re.compile(r"[\d\]], ([\w-]+), [\d.]+ %, (?:holds|comes)")  # in the line that a claim prints
each_procedure = pytest.mark.parametrize("procedure", procedures(), ids=lambda entry: entry.name)


@each_procedure
def test_every_procedure_is_documented(procedure: AnyProcedure) -> None:
    text = inspect.getdoc(procedure.steps) or ""
    assert re.match(r"[^\n]+\.\n\n", text), "one plain sentence"
    assert "\nNotes\n-----\n" in text
    assert "Examples\n--------\n" in text
    assert ".. math::" in procedure.to_dict()["notes"]


@each_procedure
def test_every_procedure_has_its_source_in_the_bibliography(procedure: AnyProcedure) -> None:
    assert procedure.source.place
    assert f"{{{procedure.source.key}," in BIBLIOGRAPHY


@each_procedure
def test_every_procedure_is_tried_by_a_test_that_says_so(procedure: AnyProcedure) -> None:
    assert trials()[procedure.name], "declare with @tries which test tries its promise, and how"


@each_procedure
def test_what_a_procedure_rests_on_is_in_the_catalog_and_no_softer(procedure: AnyProcedure) -> None:
    softness = FIRMEST_FIRST.index(procedure.guarantee)
    assert all(FIRMEST_FIRST.index(find(name).guarantee) <= softness for name in procedure.rests_on)


@each_procedure
def test_every_procedures_examples_run(procedure: AnyProcedure) -> None:
    names = {**vars(evidence), **vars(sys.modules[procedure.steps.__module__])}
    text = inspect.getdoc(procedure.steps) or ""
    example = doctest.DocTestParser().get_doctest(text, names, procedure.name, None, None)
    assert example.examples
    report: list[str] = []
    doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS).run(example, out=report.append)
    assert not report, "".join(report)


def test_no_name_means_two_things() -> None:
    names = [name for entry in (*methods(), *procedures()) for name in (entry.name, *entry.aliases)]
    assert len(names) == len({name.lower() for name in names})


# ---- What is printed


def entries(printed: Any) -> Iterator[dict[str, Any]]:
    """Every dictionary inside of an outcome, whether it was parsed or is still text."""
    if isinstance(printed, dict):
        yield printed
        for value in printed.values():
            yield from entries(value)
    elif isinstance(printed, list):
        for value in printed:
            yield from entries(value)
    elif isinstance(printed, str) and printed.lstrip()[:1] in ("{", "["):
        try:
            yield from entries(json.loads(printed))
        except json.JSONDecodeError:
            return


def texts(printed: Any) -> Iterator[str]:
    if isinstance(printed, str):
        yield printed
    for value in printed.values() if isinstance(printed, dict) else printed if isinstance(printed, list) else ():
        yield from texts(value)


def column(text: str, heading: str) -> Iterator[str]:
    """What stands under a heading of the tables of a text."""
    place, end = None, None
    for line in text.splitlines():
        if found := re.search(rf"(?:^|  ){heading}(?=  |$)(?: +(?=\S))?", line):
            place, end = found.start() + 2 * (found.start() > 0), found.end()
        elif place is not None and (not line.strip() or len(line) <= place):
            place = None
        elif place is not None and "─" not in line and (cell := line[place:end].strip()):
            yield cell


def test_every_name_that_the_corpus_prints_as_a_method_is_one_of_the_catalog() -> None:
    outcomes, names = stored(), set[str]()
    for found in entries(outcomes):
        names |= {str(found[key]) for key in ("method", "test") if isinstance(found.get(key), str)}
        if isinstance(found.get("rule"), str) and "threshold" not in found:  # whose rule is the sentence to follow
            names |= {*found["rule"].split(", ")}
    pages = [*texts(outcomes), *(path.read_text(encoding="utf-8") for path in (ROOT / "tests/snapshots").glob("*.txt"))]
    for text in pages:
        names |= {*SAID.findall(text), *column(text, "method")}
    assert {"tandem", "mcnemar-exact", "intersection-union", "betting-sequence", "nemenyi", "fixed-sequence"} <= names
    for name in sorted(names):
        assert find_entry(name).name == name


def test_what_the_corpus_prints_is_never_firmer_than_the_entry() -> None:
    claims = [each for each in entries(stored()) if {"method", "guarantee", "assumes", "lower"} <= each.keys()]
    assert len(claims) > 500
    for claim in claims:
        entry = find_entry(claim["method"])
        assert FIRMEST_FIRST.index(Guarantee(claim["guarantee"])) >= FIRMEST_FIRST.index(entry.guarantee)


def test_no_claim_is_made_but_by_an_entry() -> None:
    """Written by hand it would need a name, a guarantee, a source and assumptions that no law knows of."""
    allowed = {"claims.py", "catalog/bound.py", "catalog/procedure.py"}
    by_hand = []
    for path in sorted((ROOT / "src" / "holdfast").rglob("*.py")):
        file = path.relative_to(ROOT / "src" / "holdfast").as_posix()
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or file in allowed:
                continue
            stated = {word.arg for word in call.keywords}
            if call.func.id == "Claim" or (call.func.id == "replace" and "method" in stated):
                by_hand.append(f"{file}:{call.lineno}")
            if call.func.id == "PValue" and file != "comparisons/folds.py":  # of a bound, whose entry it reads
                by_hand.append(f"{file}:{call.lineno}")
    assert by_hand == []


# ---- Finding one


def test_a_procedure_is_found_as_a_method_is_but_not_chosen_as_one() -> None:
    assert find_entry(" Learn_Then_Test ") is find_entry("learn-then-test")
    assert find_entry("CP") is find("clopper-pearson")
    assert [entry.name for entry in hf.procedures()] == sorted(entry.name for entry in procedures())
    with pytest.raises(UnfitMethod, match="tandem is a procedure, which some verb follows by itself, and no method"):
        hf.bound(hf.Counts(1, 9), "tandem")
    with pytest.raises(UnknownName, match="did you mean 'tandem'"):
        find_entry("tandm")


def test_a_claim_may_be_softer_than_its_procedure_and_never_firmer() -> None:
    nemenyi, fixed = find_entry("nemenyi"), find_entry("fixed-sequence")
    stated: dict[str, Any] = dict.fromkeys(("measure", "estimate", "lower", "upper", "delta", "side", "n"))
    assert isinstance(nemenyi, hf.Procedure)
    assert isinstance(fixed, hf.Procedure)
    assert nemenyi.claim(**stated).guarantee is Guarantee.ASYMPTOTIC
    assert nemenyi.claim(**stated, guarantee=Guarantee.HEURISTIC).guarantee is Guarantee.HEURISTIC
    assert nemenyi.claim(**stated, guarantee=Guarantee.FINITE).guarantee is Guarantee.ASYMPTOTIC
    rough = find("wilson")(hf.Counts(1, 9))
    assert fixed.claim_from(rough).guarantee is Guarantee.ASYMPTOTIC
    assert nemenyi.claim_from(find("clopper-pearson")(hf.Counts(1, 9))).guarantee is Guarantee.ASYMPTOTIC
    assert {*nemenyi.assumes} <= {*nemenyi.claim_from(rough).assumes}
