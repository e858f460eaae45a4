"""What CONTRIBUTING and MAINTENANCE tell whoever changes the code is true of the code."""

from __future__ import annotations

import json
import re
from pathlib import Path

import polars as pl
import pytest

import holdfast as hf
from holdfast.bounds import bounded
from holdfast.catalog import Bound, Measure, measure
from holdfast.catalog.measure import Names
from holdfast.claims import Source
from holdfast.evidence import Contingency, Counts, Losses
from holdfast.sources import formats
from tests.laws import promises
from tests.test_layers import ROOMS
from tests.tries import KINDS

ROOT = Path(__file__).parents[1]
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
MAINTENANCE = (ROOT / "MAINTENANCE.md").read_text(encoding="utf-8")
BOTH = pytest.mark.parametrize("page", [CONTRIBUTING, MAINTENANCE], ids=["CONTRIBUTING", "MAINTENANCE"])
FILE = r"`((?:[\w.-]+/)+[\w.-]*)`"  # a folder ends in a slash
EXAMPLES = re.findall(r"^```python\n(.*?)^```", CONTRIBUTING, re.MULTILINE | re.DOTALL)


def place(path: str) -> Path:
    """Where a path leads that is told from the root, or from the package."""
    return ROOT / path if (ROOT / path).exists() else ROOT / "src" / "holdfast" / path


def test_the_rooms_stand_in_the_order_that_is_tested() -> None:
    paragraph = CONTRIBUTING.split("a test walks the imports:\n\n")[1].split(".\n\n")[0]
    assert re.split(r",\s+", paragraph) == ROOMS


@BOTH
def test_every_file_that_is_named_exists(page: str) -> None:
    paths = set(re.findall(FILE, page)) - {"demo/", ".studies/", "tests/fuzz/soak.txt"}  # what commands leave
    assert len(paths) > 20
    assert sorted(path for path in paths if not place(path).exists()) == []


@BOTH
def test_every_name_stands_in_the_file_that_is_said_to_have_it(page: str) -> None:
    named = re.findall(rf"`(\w+)`\s+in\s+{FILE}", page)
    assert named
    missing = [
        (name, path)
        for name, path in named
        if not re.search(
            rf"^\s*(?:(?:def|class) )?{name}\b(?:$|[:(\s=])", place(path).read_text(encoding="utf-8"), re.M
        )
    ]
    assert missing == []


def test_the_variables_of_the_tests_are_those_that_are_named() -> None:
    named = set(re.findall(r"\bHOLDFAST_[A-Z_]+\b", CONTRIBUTING))
    assert "HOLDFAST_UPDATE_SNAPSHOTS" in named
    sources = "".join(
        file.read_text(encoding="utf-8") for file in (ROOT / "tests").rglob("*.py") if file != Path(__file__)
    )
    assert [name for name in named if f'"{name}"' not in sources] == []


def test_what_a_bound_and_a_measure_may_declare() -> None:
    declared = CONTRIBUTING.split("- Declare what is special: ")[1].split("The fields of")[0]
    names = set(re.findall(r"(?<=`)(\w+)(?==True`|=False`|`)", declared)) - {"Need"}
    assert names <= {*Bound.__dataclass_fields__}
    assert {"needs", "least", "lower", "two_sided", "one_sided", "p_value", "nested", "in_order", "aliases"} == names
    special = CONTRIBUTING.split("(the fields of `Measure`")[1].split("## Add a file format")[0]
    assert {"unit", "out_of", "of_mix", "range", "of_found", "of_classes"} <= set(re.findall(r"`(\w+)`", special)) & {
        *Measure.__dataclass_fields__
    }


def test_the_kinds_that_laws_walk_are_those_that_need_no_test_of_their_own() -> None:
    assert "laws walk counts, losses, whole test sets and folds only" in CONTRIBUTING
    assert {kind.partition(" ")[2] or kind for kind in KINDS} == {"counts", "losses", "test sets", "folds"}


@pytest.fixture
def undeclared(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is declared now does not enter the catalog."""
    monkeypatch.setattr(Names, "declare", lambda self, entry: entry)


@pytest.mark.usefixtures("undeclared")
def test_the_bound_that_is_shown_is_one() -> None:
    names = {**vars(bounded), "Losses": Losses}
    exec(EXAMPLES[0], names)
    shown: Bound = names["audibert"]
    losses = Losses.from_moments(n=1000, mean=0.1, s2=0.02)
    assert f"\n    {shown(losses, delta=0.05, side='upper').upper:.4f}\n" in EXAMPLES[0]
    assert promises.broken_simulations(shown, (2, 30), 200) == []


@pytest.mark.usefixtures("undeclared")
def test_the_measure_that_is_shown_is_one() -> None:
    names = {"measure": measure, "Source": Source, "Contingency": Contingency, "Counts": Counts}
    exec(EXAMPLES[1], names)
    shown: Measure = names["recall"]
    assert shown(Contingency([[3, 1], [2, 4]], rows="predicted")).n.tolist() == [5, 5]


def test_the_format_that_is_shown_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = {**vars(formats), "json": json, "pl": pl}
    exec(EXAMPLES[2], names)
    monkeypatch.setattr(formats, "FORMATS", (*formats.FORMATS, names["COLUMNS"]))
    (tmp_path / "table.json").write_text('{"truth": ["a", "b"], "predicted": ["a", "a"]}')
    assert hf.assess(hf.read(tmp_path / "table.json"))["error-rate"].estimate == 0.5
