"""Names are imported on use: `import holdfast` and `holdfast --help` stay cheap."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

import holdfast

HEAVY = ("numpy", "scipy", "polars", "altair", "sklearn", "rich", "jinja2", "joblib", "narwhals", "click")


def loaded_by(*steps: str) -> list[set[str]]:
    """The modules that a fresh interpreter holds after each step of some code, with all their parents' names."""
    told = "import sys, json; sys.stdout.write('\\n' + json.dumps(sorted(sys.modules)) + '\\n')"
    code = "\n".join(f"{step}\n{told}" for step in steps)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=True)
    return [set(json.loads(line)) for line in done.stdout.splitlines() if line.startswith('["')]


def typed(*words: str) -> str:
    """Code that does what a command line would."""
    return (
        f"import sys; sys.argv = ['holdfast', *{words!r}]\n"
        "from holdfast.cli import main\n"
        "try: main()\n"
        "except SystemExit as left: assert not left.code"
    )


def test_importing_holdfast_loads_nothing_heavy_and_help_no_mathematics() -> None:
    imported, helped = loaded_by("import holdfast", typed("--help"))
    assert "holdfast" in imported
    assert imported.isdisjoint(HEAVY)
    assert "rich_click" in helped
    assert helped.isdisjoint({"numpy", "scipy", "polars", "altair", "sklearn", "jinja2", "joblib", "narwhals"})


ON_LISTS = {
    "bound": "hf.bound(hf.Counts(8, 30)), hf.bound(hf.Losses([0.1, 0.2])), hf.p_value(hf.Counts(8, 30), 0.5)",
    "plan": "hf.plan(at_most=0.05), hf.worst_coverage('wilson', n=20), hf.methods()",
    "gate": "hf.gate(truth, said, at_most=0.9), hf.gate(truth, said, score, measure='auc', at_least=0.1)",
    "assess": "hf.assess(truth, said, score, groups={'g': group})",
    "assess of clusters": "hf.assess(truth, said, clusters=group, max_cluster=9)",
    "assess of words": "hf.assess([*'abb'] * 6, [*'aab'] * 6), hf.assess(correct=['pass', 'fail'] * 9, ids=group)",
    "assess of arrays": "hf.assess(*map(np.array, (truth, said, score)), operating_point=0.3).to_dict()",
    "compare": "hf.compare(truth, {'a': said, 'b': truth}, scores={'a': score, 'b': score}, clusters=group)",
    "panel": "hf.panel(truth, {'a': said, 'b': truth}, unlabelled={'a': said, 'b': said})",
}


def test_lists_and_arrays_load_neither_tables_nor_pictures_nor_what_trains() -> None:
    """One interpreter for all verbs: what the first of them loads that none may is told with its name."""
    given = (
        "import numpy as np, holdfast as hf\n"
        "truth, said, score, group = [0, 1] * 9, [0, 1, 1] * 6, [0.1, 0.9, 0.8] * 6, [0, 0, 1, 1, 2, 2] * 3"
    )
    _, *loaded = loaded_by(given, *ON_LISTS.values())
    for verb, modules in zip(ON_LISTS, loaded, strict=True):
        assert "scipy.special" in modules
        heavy = {"scipy.stats", "polars", "narwhals", "altair", "sklearn", "rich", "jinja2", "joblib"}
        assert modules.isdisjoint(heavy), verb
        assert modules.isdisjoint({"holdfast.training", "holdfast.resampling", "holdfast.sources"}), verb


def test_commands_about_counts_load_no_tables() -> None:
    for loaded in loaded_by(typed("bound", "--errors", "8", "--n", "30"), typed("plan", "--at-most", "0.05")):
        assert "holdfast.verbs" in loaded
        assert loaded.isdisjoint({"scipy.stats", "polars", "narwhals", "altair", "sklearn", "jinja2", "joblib"})


def test_every_name_offered_is_there() -> None:
    assert dir(holdfast) == holdfast.__all__
    for name in holdfast.__all__:
        assert getattr(holdfast, name) is not None


def test_the_names_of_the_contract() -> None:
    wanted = {"bound", "Counts", "Losses", "p_value", "plan", "worst_coverage", "methods"}
    assert wanted <= set(holdfast.__all__)


def test_a_verb_wins_over_the_module_of_its_name() -> None:
    code = "import holdfast.verify, holdfast; assert callable(holdfast.verify), holdfast.verify"
    assert "holdfast.verify" in loaded_by(code)[-1]


def test_a_verb_wins_over_a_module_that_was_needed_first() -> None:
    code = (
        "import holdfast as hf; hf.assess([0, 1], [0, 1]); assert len(hf.measures()) > 20; assert callable(hf.verify)"
    )
    assert "holdfast.measures" in loaded_by(code)[-1]


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'holdfast' has no attribute 'bund'"):
        holdfast.bund  # noqa: B018
