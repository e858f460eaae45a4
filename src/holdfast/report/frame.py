"""A report or a decision as a frame: one row for each claim, with every number that is said of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from holdfast.report.beside import facts_beside

if TYPE_CHECKING:
    import polars as pl

    from holdfast.claims import Claim
    from holdfast.report import Block, Report
    from holdfast.report.decision import Decision

NUMBERS = ("estimate", "lower", "upper", "n")  # of a claim, that differ from group to group
WHOSE = ("measure", "model", "against", "label", "group")
TYPES = {  # whatever the values, of which there may be none
    **dict.fromkeys(("estimate", "lower", "upper", "delta", "at_most", "at_least"), float),
    **dict.fromkeys(("n", "needed", "sequential.settled_after", "sequential.changed_after"), int),
}
CLAIMED = ("estimate", "lower", "upper", "delta", "side", "n", "per", "method", "guarantee", "source")


def report_frame(report: Report) -> pl.DataFrame:
    """The lines in their order; what is said of some lines only stands in columns that others leave empty."""
    import polars as pl

    facts = facts_beside(report.whole, report.facts)
    known = [line.to_dict() for line in report.whole]
    rows = [{**{name: row.get(name) for name in (*WHOSE, *CLAIMED)}, **_further(row)} for row in known]
    frames = [_frame([*WHOSE, *CLAIMED], [{**row, **more} for row, more in zip(rows, facts, strict=True)])]
    frames += [_of_block(block, frames[0].schema) for block in report.blocks]
    return pl.concat(frames, how="diagonal")


def _further(row: dict[str, Any]) -> dict[str, Any]:
    return {name: row[name] for name in ("worst_coverage",) if name in row}


def _of_block(block: Block, schema: pl.Schema) -> pl.DataFrame:
    """Whole columns at once: there may be very many groups."""
    import polars as pl

    shared = block[0].to_dict()
    frame = pl.DataFrame({**{name: np.asarray(getattr(block.claim, name)) for name in NUMBERS}, "group": block.groups})
    rest = [
        pl.lit(shared.get(name), schema[name]).alias(name) for name in (*WHOSE, *CLAIMED) if name not in frame.columns
    ]
    return frame.with_columns(pl.col("estimate").fill_nan(None), *rest).select(*WHOSE, *CLAIMED)


def decision_frame(decision: Decision) -> pl.DataFrame:
    """Each condition, in each group: the claim that decides on it, and the one on the other side."""
    rows = [
        {
            "condition": leaf.condition,
            "answer": str(leaf.answer),
            **{name: getattr(leaf, name) for name in ("label", "group", "at_most", "at_least", "needed")},
            "decides": decides,
            **{name: value for name, value in claim.to_dict().items() if name != "assumes"},
        }
        for leaf in decision.leaves()
        for decides, claim in _claims(leaf)
    ]
    first = ["condition", "answer", "measure", "label", "group", "at_most", "at_least", "decides", *CLAIMED, "needed"]
    return _frame(first, rows)


def _claims(leaf: Decision) -> Iterator[tuple[bool, Claim]]:
    yield from ((place == 0, claim) for place, claim in enumerate((leaf.claim, leaf.other)) if claim is not None)


def _frame(first: Sequence[str], rows: Sequence[dict[str, Any]]) -> pl.DataFrame:
    """These columns, then whichever others the rows have, each of one type whatever its values."""
    import polars as pl

    names = list(dict.fromkeys([*first, *(name for row in rows for name in row)]))
    columns = {name: [row.get(name) for row in rows] for name in names}
    return pl.DataFrame({name: pl.Series(name, values, _type(name, values)) for name, values in columns.items()})


def _type(name: str, values: Iterable[Any]) -> pl.DataType:
    import polars as pl

    kinds = {TYPES[name]} if name in TYPES else {type(value) for value in values if value is not None}
    if kinds == {bool}:
        return pl.Boolean()
    if kinds and all(issubclass(kind, (int, np.integer)) for kind in kinds):
        return pl.Int64()
    return pl.Float64() if kinds and all(issubclass(kind, (int, float, np.number)) for kind in kinds) else pl.String()
