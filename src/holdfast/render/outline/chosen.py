"""The claims that a notebook has room for, in one table, and a sentence about those that it has not."""

from __future__ import annotations

from holdfast.render.outline.assessment import worst_first
from holdfast.render.rows import Row, whose
from holdfast.report import Block, Report
from holdfast.report.facts.compared import Compared, own_lines

MOST_ROWS = 60
MOST_GROUPS = 5  # of each way to divide the rows: the worst


def chosen(report: Report) -> tuple[list[Row], list[str]]:
    """The claims about the whole test set, and the worst groups."""
    if isinstance(report.facts, Compared):
        return _compared(report, report.facts)
    divisions: dict[tuple[str, ...], Block] = {}
    for block in report.blocks:
        divisions.setdefault(tuple(block.groups), block)  # the first of a division says what its groups are about
    worst = [block[place] for block in divisions.values() for place in worst_first(block)[:MOST_GROUPS]]
    lines = [*report.whole[: max(MOST_ROWS - len(worst), 0)], *worst][:MOST_ROWS]
    notes = []
    if left := len(report.whole) - sum(line.group is None for line in lines):
        notes.append(f"... and {left:,} more claims about the whole; report.to_frame() has all of them.")
    for block in divisions.values():
        if len(block) > MOST_GROUPS:
            notes.append(f"Of {len(block):,} groups the {MOST_GROUPS} worst are shown; report.to_frame() has all.")
    return [Row(line.claim, line.label, line.group) for line in lines], notes


def _compared(report: Report, facts: Compared) -> tuple[list[Row], list[str]]:
    """Each model by itself, and the differences of the pairs among those that did best here."""
    own, among = {line.model: line for line in own_lines(report.whole)}, facts.best_first(report.whole)
    lines = [own[model] for model in among if model in own][: MOST_ROWS // 3]
    room = MOST_ROWS - len(lines)
    differences = [line for line in report.whole if line.against is not None]
    while len(differences) > room and len(among) > 2:
        among = among[:-1]
        differences = [line for line in differences if line.model in among and line.against in among]
    rows = [Row(line.claim, line.label, model=whose(line)) for line in (*lines, *differences[:room])]
    left = len(report.whole) - len(rows)
    return rows, [f"... and {left:,} more claims; report.to_frame() has all of them."] if left else []
