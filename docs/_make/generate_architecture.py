"""Write docs/architecture.md and its drawing from the imports: `python docs/_make/generate_architecture.py [FILE]`."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from walks import WALKS, Step

DOCS = Path(__file__).parents[1]
HOUSE = DOCS.parent / "src" / "holdfast"
LAYERS = DOCS.parent / "tests" / "test_layers.py"
DRAWING = Path("pictures") / "rooms.svg"
CELL, NAMES, TOP = 15, 104, 18
INTRODUCTION = """\
<!-- Written by docs/_make/generate_architecture.py from the imports; do not edit. -->
# How it is built

A verb is four steps: rows are read (`sources`), counted (`tally`), asked about (the inquiry in `verbs`), and answered
with a `Report`, which `render` lays out and which computes nothing more. A bound is one function from evidence and
delta to a limit, a measure is one function from evidence to narrower evidence, and a design says once how the rows were
drawn. Everything else follows from that; why is in [the decisions](decisions/index.md).

## The rooms

Each room imports only from rooms above it, which a test checks. In the drawing a room is a row and a column: a full
mark says that the room of the row imports that of the column, an open one that it does so on use only, inside a
function. Nothing stands right of the diagonal but results that show themselves, by rooms below them, when printed.

![Which room imports which: a lower triangle](pictures/rooms.svg)
"""
WALK = """\
## One datum, walked through

What happens to a row on its way to a sentence, file by file. A test runs each walk and asks whether these files
take part in this order."""


def rooms() -> list[str]:
    """The rooms in their order, as the test of layers has it."""
    for node in ast.parse(LAYERS.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "ROOMS":
            return [each.value for each in ast.walk(node.value) if isinstance(each, ast.Constant)]
    raise SystemExit("tests/test_layers.py has no ROOMS.")


def imports() -> dict[str, dict[str, bool]]:
    """For each room the rooms it imports, and whether any of them when it is itself imported."""
    seen: dict[str, dict[str, bool]] = {}
    for path in sorted(HOUSE.rglob("*.py")):
        here = path.relative_to(HOUSE).parts[0].removesuffix(".py")
        for there, at_once in _imports(ast.parse(path.read_text(encoding="utf-8"))):
            if there != here:
                known = seen.setdefault(here, {})
                known[there] = known.get(there, False) or at_once
    return seen


def _imports(tree: ast.Module) -> Iterator[tuple[str, bool]]:
    later: set[int] = set()
    for node in ast.walk(tree):
        typing_only = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        if typing_only or isinstance(node, ast.FunctionDef):
            later |= {id(inner) for inner in ast.walk(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("holdfast."):
            yield str(node.module).split(".")[1], id(node) not in later


def drawing(order: Sequence[str], seen: dict[str, dict[str, bool]]) -> str:
    """The triangle of imports as a picture that needs nothing else."""
    size = len(order)
    width, height = NAMES + CELL * size + 70, TOP + CELL * size + 12
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="Liberation Sans, Arial, sans-serif" font-size="11" role="img">',
        "<title>Which room imports which</title>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
    ]
    for place, name in enumerate(order):
        y = TOP + CELL * place + CELL / 2
        x = NAMES + CELL * place + CELL / 2
        parts += [
            f'<text x="{NAMES - 8}" y="{y + 4:g}" text-anchor="end" fill="#333">{name}</text>',
            f'<line x1="{NAMES}" x2="{x:g}" y1="{y:g}" y2="{y:g}" stroke="#e4e4e4"/>',
            f'<line x1="{x:g}" x2="{x:g}" y1="{y:g}" y2="{TOP + CELL * size}" stroke="#e4e4e4"/>',
        ]
    for row, name in enumerate(order):
        for column, other in enumerate(order):
            if other in seen.get(name, {}):
                x, y = NAMES + CELL * column + CELL / 2, TOP + CELL * row + CELL / 2
                fill = "#2b6cb0" if seen[name][other] else "#fff"
                parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="4" fill="{fill}" stroke="#2b6cb0"/>')
        x, y = NAMES + CELL * row, TOP + CELL * row
        parts.append(f'<rect x="{x + 3}" y="{y + 3}" width="{CELL - 6}" height="{CELL - 6}" fill="#444"/>')
        last = max([row, *(order.index(other) for other in seen.get(name, {}) if other in order[row : row + 5])])
        parts.append(f'<text x="{NAMES + CELL * (last + 1) + 4}" y="{y + CELL / 2 + 4:g}" fill="#888">{name}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def table(order: Sequence[str]) -> str:
    """Every room with the first sentence of its own docstring."""
    lines = ["| room | what it is |", "|---|---|"]
    for name in order:
        path = HOUSE / name / "__init__.py"
        text = (path if path.exists() else HOUSE / f"{name}.py").read_text(encoding="utf-8")
        sentence = (ast.get_docstring(ast.parse(text)) or "").split("\n\n")[0].replace("\n", " ")
        lines.append(f"| `{name}` | {sentence} |")
    return "\n".join(lines)


def walk(title: str, steps: Sequence[Step]) -> str:
    """One datum on its way: the files, and what each makes of it."""
    rows = "\n".join(f"| `{step.file}` | {step.does} |" for step in steps)
    return f"### {title}\n\n| file | what it makes of it |\n|---|---|\n{rows}"


def page() -> str:
    """The whole page."""
    walks = [walk(each.title, each.steps) for each in WALKS]
    return "\n\n".join([INTRODUCTION.rstrip(), table(rooms()), WALK, *walks]) + "\n"


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else DOCS / "architecture.md"
    target.write_text(page(), encoding="utf-8")
    picture = target.parent / (DRAWING if len(sys.argv) == 1 else DRAWING.name)
    picture.write_text(drawing(rooms(), imports()), encoding="utf-8")
