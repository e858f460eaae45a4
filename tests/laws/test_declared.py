"""What a measure declares is so; one that declares something false, or nothing, gets no promise by it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

import holdfast as hf
from holdfast.catalog import Measure, find_measure, measure, measures
from holdfast.catalog.measure import _measures
from holdfast.claims import Guarantee, Source
from holdfast.errors import UnfitMethod
from holdfast.evidence import Contingency, Counts
from tests.laws.declared import false_declarations, single_rows, who_chose_the_trials

ROOT = Path(hf.__file__).parent
BIBLIOGRAPHY = (Path(__file__).parents[2] / "docs" / "references.bib").read_text(encoding="utf-8")
# Where measures are named side by side because each of them is something else there.
SIDE_BY_SIDE = {
    "catalog/bound.py": "what a bound of evidence that came without a measure is called",
    "verbs/threshold/threshold.py": "the three wishes that a threshold may be chosen for, each with its own procedure",
    **dict.fromkeys(
        (
            *(f"verbs/threshold/{name}.py" for name in ("wish", "drawn_rows")),
            "selection/drawn_thresholds.py",
        ),
        "the same three, whose rows and tests differ: of the class, of no such class, called so",
    ),
    "verbs/assess/threshold_data.py": "the three rates of a threshold, each with its own band",
    "render/page/pictures.py": "the same three, in the order of the page's columns",
    "render/charts/decided.py": "the two rates that a threshold trades off, one axis for each",
}
DRAW = np.random.default_rng(7)
X = DRAW.normal(size=(60, 2))
Y = np.where(X[:, 0] + DRAW.normal(size=60) > 0, "yes", "no")
IN_TURN = {"scheme": "progressive", "folds": 4}
Plant = Callable[..., Measure]


@pytest.mark.parametrize("entry", measures(), ids=lambda entry: entry.name)
def test_what_a_measure_declares_is_so(entry: Measure) -> None:
    assert list(false_declarations(entry)) == []


def test_the_catalog_tells_what_was_declared() -> None:
    told = find_measure("specificity").to_dict()
    assert {name: told[name] for name in ("unit", "out_of", "of_mix")} == {
        "unit": "rate",
        "out_of": "actual",
        "of_mix": "others",
    }


def test_every_measure_with_trials_was_asked_who_chose_them() -> None:
    asked = {entry.name: who_chose_the_trials(entry) for entry in measures() if single_rows(entry.takes)}
    assert {None, "all", "actual", "predicted"} == set(asked.values())
    assert {entry.takes.__name__ for entry in measures() if not single_rows(entry.takes)} == {"Scores"}  # no trials


def false_discovery_rate(table: Contingency) -> Counts:
    """Examples not of the class, out of those predicted as such."""
    return Counts(table.predicted - table.hits, table.predicted)


@pytest.fixture
def plant() -> Iterator[Plant]:
    """Declares a measure as a newcomer would, until the test ends."""
    before = dict(_measures._entries)

    def declare(narrow: Callable[..., Any] = false_discovery_rate, **facts: Any) -> Measure:
        usual = {"better": "lower", "unit": "rate", "per_class": True, "source": Source("zaki2014", "22.1.1")}
        return measure(**{**usual, **facts})(narrow)

    yield declare
    _measures._entries.clear()
    _measures._entries.update(before)


def crossed(only: str, **options: Any) -> set[tuple[str, Guarantee]]:
    """Who answers for a measure on folds, and what that promises."""
    report = hf.cross_assess(GaussianNB(), X, Y, positive="yes", engine="serial", only=only, **options).report
    return {(line.claim.method, line.claim.guarantee) for line in report.lines}


def test_folds_hand_no_measure_to_a_method_of_fixed_sizes_that_does_not_say_who_chose_its_trials(plant: Plant) -> None:
    plant()
    assert crossed("recall", **IN_TURN) == {("progressive-mixture", Guarantee.FINITE)}
    assert "progressive-mixture" not in dict(crossed("false-discovery-rate", **IN_TURN))
    assert crossed("false-discovery-rate", **IN_TURN) == crossed("precision", **IN_TURN)


@pytest.mark.parametrize(("method", "options"), [("hoeffding-cv", {"folds": 3}), ("progressive-mixture", IN_TURN)])
def test_nor_if_the_method_is_asked_for(plant: Plant, method: str, options: dict[str, Any]) -> None:
    plant()
    assert crossed("recall", method=method, **options) == {(method, Guarantee.FINITE)}
    with pytest.raises(UnfitMethod, match=f"{method} fits no measure"):
        crossed("false-discovery-rate", method=method, **options)


@pytest.mark.parametrize("declared", ["all", "actual", None])
def test_the_law_catches_a_precision_that_declares_other_trials(plant: Plant, declared: Any) -> None:
    entry = plant(out_of=declared)
    assert list(false_declarations(entry)) == [f"false-discovery-rate is out of predicted, and declares {declared}"]


def test_the_law_lets_a_true_declaration_pass(plant: Plant) -> None:
    assert list(false_declarations(plant(out_of="predicted"))) == []


@pytest.mark.parametrize("mix", ["others", None])
def test_the_law_catches_a_false_word_about_the_class_mix(plant: Plant, mix: Any) -> None:
    assert "depends on the mix of all" in " ".join(false_declarations(plant(out_of="predicted", of_mix=mix)))


def test_the_law_catches_a_specificity_that_depends_on_no_other_class(plant: Plant) -> None:
    def spared(table: Contingency) -> Counts:
        """Examples not predicted as the class, out of those not of it."""
        return find_measure("specificity")(table)  # type: ignore[no-any-return]

    told = list(false_declarations(plant(spared, better="higher", out_of="actual", of_mix=None)))
    assert told == ["spared depends on the mix of others, and declares None"]


def test_the_law_catches_false_units_functions_and_needs(plant: Plant) -> None:
    assert "unit that is none" in " ".join(false_declarations(plant(out_of="predicted", unit="percent")))

    def predicted_first(table: Contingency) -> Counts:
        """Rows said to be of the first label, which is no error."""
        return Counts(table.predicted[..., 0], table.n)

    told = list(false_declarations(plant(predicted_first, per_class=False, out_of="all", needs_labels=False)))
    assert told == ["predicted-first needs no labels, and is neither the error rate nor the accuracy"]

    def found(table: Contingency) -> Counts:
        """The precision, said to be what the F1 is at a mix."""
        return find_measure("precision")(table)  # type: ignore[no-any-return]

    told = list(
        false_declarations(plant(found, better="higher", out_of="predicted", of_rates=find_measure("f1").of_rates))
    )
    assert told == ["found is something else at its own mix"]


def test_no_list_of_measures_stands_elsewhere() -> None:
    lists = {str(path.relative_to(ROOT)): [*_lists(path)] for path in ROOT.rglob("*.py")}
    outside = {name: told for name, told in lists.items() if told and not name.startswith("measures/")}
    assert outside.keys() == SIDE_BY_SIDE.keys(), outside


def test_a_planted_list_is_seen(tmp_path: Path) -> None:
    source = tmp_path / "planted.py"
    source.write_text(
        "from holdfast.measures.rates import npv, precision as ppv, recall\n"
        "BY_PREDICTION = (ppv, npv)\n"
        'OF = {*("recall", "auc"), "x"}\n'
        'CALLED = {"auc": "AUC", "f1": "F1"}\n'
        'SENSITIVITY = {"recall": "sensitivity"}, (recall, 3)\n',  # one measure
        encoding="utf-8",
    )
    assert [number for number, _ in _lists(source)] == [2, 3, 4]


def _lists(path: Path) -> Iterator[tuple[int, set[str]]]:
    """The lines with literals that hold two measures or more, by any of their names or as they were imported."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = {name: entry.name for entry in measures() for name in (entry.name, *entry.aliases)}
    functions = {entry.narrow.__name__: entry.name for entry in measures()}
    imported = {
        alias.asname or alias.name: functions[alias.name]
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("holdfast.measures")
        for alias in node.names
        if alias.name in functions
    }
    seen: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.Tuple, ast.Set, ast.List, ast.Dict)) and id(node) not in seen:
            held = [*_held(node)]
            seen |= {id(inner) for inner in held}
            told = {names[each.value] for each in held if isinstance(each, ast.Constant) and each.value in names}
            told |= {imported[each.id] for each in held if isinstance(each, ast.Name) and each.id in imported}
            if len(told) > 1:
                yield node.lineno, told


def _held(node: ast.AST) -> Iterator[ast.AST]:
    """What stands in a literal, and in those that it is made of."""
    for inner in ast.iter_child_nodes(node):
        yield inner
        if isinstance(inner, (ast.Tuple, ast.Set, ast.List, ast.Dict, ast.Starred)):
            yield from _held(inner)


@pytest.mark.parametrize("entry", measures(), ids=lambda entry: entry.name)
def test_the_source_of_a_measure_is_in_the_bibliography(entry: Measure) -> None:
    assert f"{{{entry.source.key}," in BIBLIOGRAPHY
