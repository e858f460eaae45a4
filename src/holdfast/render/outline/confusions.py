"""What was taken for what: on a page the cells of the confusion matrix with their shares, or the most frequent ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from holdfast.render.outline.parts import LEVEL, Column, Matrix, Section, Sentence, Table
from holdfast.render.phrases import rate_and_limits
from holdfast.wording import printable

if TYPE_CHECKING:
    from holdfast.report import Report

MOST_LABELS = 12  # up to which the matrix is shown whole
MOST_CELLS = 60
TITLE = "What was taken for what"


def confusions(report: Report) -> Iterator[Section]:
    """The matrix where it is small, else its most confused cells."""
    view = report.views.get("matrix")
    if view is None:
        return
    names = [printable(label, 24) for label in view["labels"]]
    if view["complete"] and len(names) <= MOST_LABELS:
        by_place = {(cell["predicted"], cell["actual"]): cell for cell in view["cells"]}
        rows = [[_cell(by_place.get((i, j), {"count": 0})) for j in range(len(names))] for i in range(len(names))]
        sentence = f"Examples, and their share of the actual class with its {LEVEL} interval, which holds on its own."
        yield Section([Matrix(names, rows)], TITLE, [sentence])
        return
    confused = [cell for cell in view["cells"] if cell["predicted"] != cell["actual"] and cell["count"]]
    confused.sort(key=lambda cell: -cell["count"])
    if not confused:
        yield Section([Sentence(("No class was taken for another.",))], TITLE)
        return
    columns = [
        Column.words(None, "Truly"),
        Column.words(None, "Predicted", css="more", label="taken for"),
        Column(None, "Examples", css="more", label="examples"),
        Column(None, "Share"),
    ]
    # Picked for their counts: the limits of a cell hold where it was named in advance, and not here.
    picked = [{**cell, "lower": None, "upper": None} for cell in confused[:MOST_CELLS]]
    cells = [[names[c["actual"]], names[c["predicted"]], *_cell(c)[:2]] for c in picked]
    sentence = (
        f"The {len(cells)} most frequent confusions; the share is of the actual class. They were picked for being "
        "frequent: an interval would hold for a pair of classes named in advance, so none is shown."
    )
    yield Section([Table(columns, cells, "Most frequent confusions")], TITLE, [sentence])


def _cell(cell: Mapping[str, Any]) -> tuple[str, str, str]:
    """The count, its share of the actual class, and the limits of that."""
    return f"{cell['count']:,}", *rate_and_limits(cell.get("share"), cell.get("lower"), cell.get("upper"))
