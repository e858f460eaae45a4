"""Write docs/logs.md from the tools whose logs are read: `python docs/_make/generate_logs.py [FILE]`."""

from __future__ import annotations

import sys
from pathlib import Path

from holdfast.sources.logs.archives import LARGEST_LIST, LARGEST_VALUE, LARGEST_WHOLE
from holdfast.sources.logs.reading import TOOLS

PAGE = Path(__file__).parents[1] / "logs.md"
INTRODUCTION = """\
# Which logs are read

Generated from the readers by `make docs`; do not edit. A log is known by what it holds, never by its name, and every
verb that reads a table reads it: `holdfast assess run.eval`, `holdfast compare run1.eval run2.eval`, `holdfast gate
run.eval --baseline last.eval --margin 0.01`, and `holdfast doctor run.eval`, which says what is in it. In Python
`hf.read` and `hf.read_models` do."""
RULES = """\
## What holds for all of them

- A question that was asked several times is one draw: its samples are never pooled as independent rows.
- Samples that crashed, were not scored or are not in the log are counted in the first lines of the answer and obey
  `--missing refuse|drop|wrong`: `refuse` is the default, and `wrong` takes the worst end of the range of the score.
- Of several scorers, metrics, filters, tasks or splits the log's own headline is taken, or it is asked which:
  `--scorer`, `--metric`, `--filter`, `--task`, `--split`.
- Runs that differ in task, version, data set or, row by row, in prompt or target are not compared, and it is said in
  what they differ.
- A run that did not finish is refused with the number of samples that it holds; `--partial` reads them.
- Whether answers are right or wrong, or more or less right, is told by what the tool declares and how it is written,
  never by the values that occur; `--range` and `--levels` state it otherwise. Inspect's C, P, I and N are 1, 1/2, 0
  and 0."""


def page() -> str:
    """The whole page."""
    rows = [f"| {tool.name} | {', '.join(tool.versions) or 'none'} | {tool.holds} |" for tool in TOOLS]
    table = "\n".join(["| tool | versions whose logs were read | what is read |", "|---|---|---|", *rows])
    limits = (
        "Files are read in blocks and nothing in them is executed. No more than "
        f"{LARGEST_LIST:,} bytes are unpacked of a\nlist of samples, {LARGEST_WHOLE:,} of a file of JSON, and "
        f"{LARGEST_VALUE:,} of one value; what is larger is refused. Logs of\nInspect since 0.3.206 are packed with "
        "Zstandard, which needs the extra `logs` before Python 3.14: `pip install\n'holdfast[logs]'`."
    )
    return "\n\n".join([INTRODUCTION, table, RULES, "## Limits", limits]) + "\n"


if __name__ == "__main__":
    Path(sys.argv[1] if len(sys.argv) > 1 else PAGE).write_text(page(), encoding="utf-8")
