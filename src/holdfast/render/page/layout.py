"""An outline as what the template of a page shows: every cell as text, with what tells it apart on the page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from holdfast.claims import Claim, Guarantee
from holdfast.render.outline.parts import LEVEL, Both, Column, Fold, Name, Part, Section, Table
from holdfast.render.phrases import BEFORE, estimate_and_limits
from holdfast.wording import printable

BADGE = {
    Guarantee.FINITE: ("finite", "every sample size"),
    Guarantee.ASYMPTOTIC: ("asymptotic", "large samples only"),
    Guarantee.HEURISTIC: ("heuristic", "no proof"),
}
Places = Mapping[int, int]  # by identity of a claim, its line in the report


class Cell(NamedTuple):
    """One cell: its words, and behind them the limits of an estimate, or a remark; or a badge."""

    words: str = ""
    css: str = ""
    label: str = ""
    line: int | None = None  # where other confidences of this limit are found
    beside: str = ""
    badge: tuple[str, str] | None = None


def laid_out(section: Section, places: Places) -> dict[str, Any]:
    """The section as the template shows it."""
    intro = [BADGE[each] if isinstance(each, Guarantee) else each for each in section.intro]
    return {"title": section.title, "intro": intro, "parts": [_part(part, places) for part in section.parts]}


def _part(part: Part, places: Places) -> dict[str, Any]:
    kind = type(part).__name__.lower()
    if not isinstance(part, Table):
        return {"kind": kind, "it": part, "badge": BADGE}
    columns = [(column, _titles(column)) for column in part.columns if column.page != ""]
    rows = [
        [cell for column, value in zip(part.columns, row, strict=True) for cell in _cells(column, value, places)]
        for row in part.rows[: part.most.page]
    ]
    heads = [Cell(title, _classes(column, own=column.css == "wraps")) for column, titles in columns for title in titles]
    return {"kind": kind, "it": part, "heads": heads, "rows": rows, "fold": part.fold and _fold(part.fold)}


def _fold(fold: Fold) -> dict[str, Any]:
    badge = None if fold.claim is None else BADGE[fold.claim.guarantee]
    return {**fold._asdict(), "badge": badge}


def _titles(column: Column) -> tuple[str, ...]:
    if column.page is None:
        title = str(column.title)
        return (title[:1].upper() + title[1:],)
    return column.page if isinstance(column.page, tuple) else (column.page,)


def _classes(column: Column, place: int = 0, own: bool = True) -> str:
    css = column.css[place] if isinstance(column.css, tuple) else column.css
    number = "number" * (column.number and not column.left_on_page)
    return " ".join(filter(None, [number, css if own else ""]))


def _cells(column: Column, value: Any, places: Places) -> Iterator[Cell]:
    """The cell, or of a claim with two titles both."""
    if column.page == "":
        return
    value = value.page if isinstance(value, Both) else value
    css = _classes(column, own=column.css != "wraps")
    if isinstance(value, Claim):
        estimate, limits = estimate_and_limits(value, column.digits.page)
        limits = BEFORE[column.one_sided][value.side] + limits
        if not isinstance(column.page, tuple):
            yield Cell(estimate, css, beside=limits)
            return
        yield Cell(estimate, css, column.label)
        switched = LEVEL in column.page[1]
        yield Cell(limits, _classes(column, 1), line=places.get(id(value)) if switched else None)
    elif isinstance(value, Name):
        names = [printable(name, column.longest.page) for name in (value.first, value.second) if name is not None]
        yield Cell(" − ".join(names), css, beside=value.remark)
    elif isinstance(value, Guarantee):
        yield Cell(badge=BADGE[value])
    elif isinstance(value, bool):
        yield Cell(_titles(column)[0].lower() if value else "", "more" if value else "")
    elif column.css == "outcome":
        yield Cell(value, f"outcome {value.replace(' ', '-')}")
    else:
        yield from [Cell(value, css, column.label)] * (2 if isinstance(column.page, tuple) else 1)
