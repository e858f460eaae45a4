"""A module imports only from the rooms above it; what is heavy or optional is imported on use."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1] / "src" / "holdfast"
CHARTS = ROOT / "render" / "charts"
ROOMS = [
    *("errors", "wording", "assumptions", "arguments", "plain", "numerics", "predictions", "files"),
    *("evidence", "claims", "catalog", "tally", "measures", "bounds", "comparisons", "selection", "streams"),
    *("combine", "invert", "verify", "resampling", "learners", "training", "sources", "ledger", "report", "verbs"),
    *("render", "displays", "testing", "cli"),
]
MATHEMATICAL = {"numerics", "measures", "bounds", "comparisons", "selection", "streams", "verify", "learners"}
ON_USE = {"polars", "altair", "rich", "jinja2", "joblib", "sklearn", "vl_convert", "narwhals", "matplotlib"}
ON_USE |= {"sqlalchemy", "psycopg"}
# Results show themselves: the one way down that is allowed, and only inside a function.
SHOWING = {("claims", "render"), ("report", "render"), ("verbs", "render"), ("report", "__init__")}
# The catalog is filled by importing the bounds, which import the catalog; it does so by name, on first look-up.


def room(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


@cache
def imports(path: Path) -> list[tuple[str, bool]]:
    """Each imported module, and whether that happens inside a function or for the type checker only."""
    return list(_imports(path))


def _imports(path: Path) -> Iterator[tuple[str, bool]]:
    waiting = [(node, False) for node in ast.parse(path.read_text(encoding="utf-8")).body]
    while waiting:
        node, later = waiting.pop()
        if isinstance(node, ast.Import):
            yield from ((alias.name, later) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: write imports in full"
            yield node.module or "", later
        typing_only = isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        inside = later or typing_only or isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        for kind in ("body", "orelse", "finalbody", "handlers", "cases"):
            waiting += [(inner, inside) for inner in getattr(node, kind, ()) if isinstance(inner, ast.AST)]


def test_a_module_imports_only_from_rooms_above_it() -> None:
    wrong = []
    for path in sorted(ROOT.rglob("*.py")):
        here = room(path)
        if here in ("__init__", "__main__"):
            continue
        assert here in ROOMS, f"{here} is no room of the house"
        for module, later in imports(path):
            if not module.startswith("holdfast"):
                continue
            there = module.split(".")[1] if "." in module else "__init__"
            above = there == here or (there in ROOMS and ROOMS.index(there) < ROOMS.index(here))
            if not (above or (later and (here, there) in SHOWING) or (here == "cli" and there == "__init__")):
                wrong.append(f"{path.relative_to(ROOT)} imports {module}")
    assert wrong == []


def test_render_reads_claims_and_reports_only() -> None:
    allowed = {"wording", "errors", "files", "claims", "report", "render"}
    for path in sorted((ROOT / "render").rglob("*.py")):
        seen = {module.split(".")[1] for module, _ in imports(path) if module.startswith("holdfast.")}
        assert seen <= allowed, path.name


def test_sources_read_and_neither_compare_nor_answer() -> None:
    allowed = {"wording", "errors", "arguments", "predictions", "files", "evidence", "catalog", "tally", "streams"}
    for path in sorted((ROOT / "sources").rglob("*.py")):
        seen = {module.split(".")[1] for module, _ in imports(path) if module.startswith("holdfast.")}
        assert seen <= {*allowed, "training", "sources"}, path.name


def test_scipy_stays_in_the_mathematical_rooms() -> None:
    for path in sorted(ROOT.rglob("*.py")):
        if room(path) not in MATHEMATICAL:
            assert not [module for module, _ in imports(path) if module.split(".")[0] == "scipy"], path


def test_what_is_heavy_is_imported_on_use() -> None:
    for path in sorted(ROOT.rglob("*.py")):
        eager = {module for module, later in imports(path) if not later}
        # Learners are what scikit-learn's base classes make them, and charts what altair's do; nobody imports either
        # but who trains one, or draws one.
        drawing, training = CHARTS in path.parents, room(path) == "learners"
        heavy = ON_USE - ({"sklearn"} if training else {"altair"} if drawing else set())
        assert not {module.split(".")[0] for module in eager} & heavy, path
        assert drawing or not [module for module in eager if module.startswith("holdfast.render.charts")], path
        assert not [module for module, later in imports(path) if module.startswith("scipy.stats")], path


def test_tests_import_what_a_bare_machine_lacks_on_use() -> None:
    """Where everything is installed nobody would notice; `tests.needs` skips such a test with a reason."""
    tests = Path(__file__).parent
    lacking = {"pandas", "pyarrow", "duckdb", "dask", "ibis", "pyspark", "matplotlib", "playwright", "PIL"}
    lacking |= {"statsmodels", "mlxtend", "baycomp", "autorank", "scikit_posthocs", "distributed", "ray", "psycopg"}
    named = re.compile(rf"^\s*(from|import) .*({'|'.join(lacking)})", re.MULTILINE)
    found = {
        str(path.relative_to(tests))
        for path in tests.rglob("*.py")
        if named.search(path.read_text(encoding="utf-8"))
        for module, later in imports(path)
        if module.partition(".")[0] in lacking and not later
    }
    assert found == set()
