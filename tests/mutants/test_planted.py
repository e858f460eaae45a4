"""The list of mutants cannot rot: each still applies, names tests that exist, and was caught when last planted."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.mutants.planted import MUTANTS
from tests.mutants.planting import ROOT, SOURCE
from tests.test_layers import ROOMS

CAUGHT = Path(__file__).with_name("caught.txt")
# No answer is made there.
ASIDE = {"wording", "errors", "assumptions", "arguments", "plain", "displays"}


@pytest.mark.parametrize("file", sorted({mutant.file for mutant in MUTANTS}))
def test_every_line_stands_in_the_source_once_and_the_mistake_can_be_made(file: str) -> None:
    text = (SOURCE / file).read_text(encoding="utf-8")
    for mutant in MUTANTS:
        if mutant.file == file:
            assert text.count(mutant.line) == 1, mutant.what
            assert mutant.instead != mutant.line
            compile(mutant.planted(), file, "exec", dont_inherit=True)


def test_the_tests_that_should_catch_them_exist() -> None:
    for path, names in sorted(_named().items()):
        defined = {node.name for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if _is_test(node)}
        assert names <= defined, path


def _named() -> dict[Path, set[str]]:
    """Test functions by their file, as the mutants name them."""
    named: dict[Path, set[str]] = {}
    for test in {test for mutant in MUTANTS for test in mutant.tests}:
        file, _, name = test.partition("::")
        named.setdefault(ROOT / file, set()).update([name.partition("[")[0]] if name else [])
    return named


def _is_test(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef) and node.name.startswith("test_")


def test_there_are_mutants_in_every_room() -> None:
    assert len(MUTANTS) >= 60
    assert {Path(mutant.file).parts[0].removesuffix(".py") for mutant in MUTANTS} >= {*ROOMS} - ASIDE


def test_every_one_was_caught_when_they_were_last_planted() -> None:
    lines = CAUGHT.read_text(encoding="utf-8").splitlines()
    told = dict(zip(lines[:-1:2], lines[1:-1:2], strict=True))
    assert {*told} == {f"{mutant.file}: {mutant.what}" for mutant in MUTANTS}
    assert [mutant for mutant, test in told.items() if "::" not in test] == []
