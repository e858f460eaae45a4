"""The catalog as text: a line an entry, or one entry in full."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from holdfast.claims import Guarantee
from holdfast.render.numbers import UNKNOWN
from holdfast.render.phrases import BRIEF
from holdfast.render.text.text import COLOUR, Parts, empty_table, listed

if TYPE_CHECKING:
    from rich.text import Text

    from holdfast.report.facts.listing import Entry

KINDS = {
    "SeparateEstimates": "models",
    "MonotoneInRecalls": "table",
    "Ratio": "cluster",
    "Influence": "cluster",
    "Grades": "losses",
    "Proportions": "rates",
    "AtPrevalence": "rates",
    "CalibrationError": "bins",
    "ChosenBins": "bins",
    "Distance": "ranking",
    "FiveByTwo": "folds",
    "FoldCounts": "folds",
    "FoldDifferences": "folds",
    "FoldSample": "folds",
    "FoldValues": "folds",
    "Gibbs": "models",
    "GradedLosses": "models",
    "Nested": "folds",
    "Progressive": "folds",
    "RepeatedValues": "folds",
    "Compressed": "rows",
    "LeftOut": "draws",
    "Point632": "draws",
    "Point632Plus": "draws",
    "PairedScores": "ranking",
    "Pool": "models",
    "PoolSpread": "models",
    "RankedPrecision": "ranking",
    "Resampled": "draws",
    "Scores": "ranking",
    "Spread": "models",
    # Names that are gone, in files that 0.1 wrote:
    "Apart": "models",
    "Box": "table",
    "Levels": "models",
    "Clusters": "cluster",
    "KinkedSway": "ranking",
    "SmoothSway": "ranking",
}


def methods_parts(methods: Sequence[Entry], procedures: Sequence[Entry]) -> Parts:
    """The catalog, one line per method, then one per procedure."""
    table = empty_table("method, and what else it is called", "takes", "holds for", "source", left=4)
    table.columns[0].no_wrap = table.columns[3].no_wrap = True
    for entry in methods:
        kinds = {KINDS.get(kind, kind.lower()) for kind in entry["takes"]}
        takes = kinds.pop() if len(kinds) == 1 else "either"
        names = ", ".join([entry["name"], *entry["aliases"]])
        table.add_row(names, takes, _mark(entry), entry["source"].split()[0])
    followed = empty_table("procedure, which some verb follows by itself", "holds for", "source", left=3)
    for entry in procedures:
        followed.add_row(entry["name"], _mark(entry), entry["source"].split()[0])
    return [table, "", followed, "", "holdfast methods NAME tells all about one."]


def _mark(entry: Entry) -> Text:
    from rich.text import Text

    guarantee = Guarantee(entry["guarantee"])
    return Text(BRIEF[guarantee], style=COLOUR[guarantee])


def method_parts(entry: Entry) -> Parts:
    """One entry of the catalog in full."""
    also = f" (also {', '.join(entry['aliases'])})" if entry["aliases"] else ""
    return [
        f"{entry['name']}{also}: {Guarantee(entry['guarantee']).sentence}",
        "",
        entry["summary"],
        "",
        f"Takes {' or '.join(entry['takes'])}; sides: {', '.join(entry['sides'])}.",
        *listed(entry["assumes"]),
        "",
        f"Source: {entry['source']}",
        "",
        *(_flowing(paragraph) for paragraph in entry["notes"].split("\n\n")),
    ]


def procedure_parts(entry: Entry) -> Parts:
    """One procedure in full."""
    given = "" if entry["assumes"] else "the statements that it is given"
    below = f"the limits of {' or '.join(entry['rests_on'])}" if entry["rests_on"] else given
    return [
        f"{entry['name']}: {Guarantee(entry['guarantee']).sentence}",
        "",
        entry["summary"],
        "",
        "A procedure that some verb follows by itself; it cannot be chosen as a method.",
        *([f"It rests on {below}, and assumes what they do."] if below else []),
        *(listed(entry["assumes"]) if entry["assumes"] else []),
        "",
        f"Source: {entry['source']}",
        "",
        *(_flowing(paragraph) for paragraph in entry["notes"].split("\n\n")),
    ]


def measures_parts(entries: Sequence[Entry]) -> Parts:
    """The catalog of measures, a line a measure."""
    table = empty_table("measure", "better", "of each class", "range", "read off", left=5)
    for entry in entries:
        low, high = entry["range"]
        ends = f"{'-∞' if low is None else format(low, 'g')} to {'∞' if high is None else format(high, 'g')}"
        each = "yes" if entry["per_class"] else ""
        table.add_row(entry["name"], entry["better"] or UNKNOWN, each, ends, entry["takes"])
    return [table, "", "holdfast measures NAME tells all about one."]


def measure_parts(entry: Entry) -> Parts:
    """One measure in full."""
    also = f" (also {', '.join(entry['aliases'])})" if entry["aliases"] else ""
    better = f"{entry['better']} is better" if entry["better"] else "neither way is better"
    notes = [_flowing(paragraph) for paragraph in entry["notes"].split("\n\n") if paragraph]
    return [f"{entry['name']}{also}: {better}", "", entry["summary"], "", f"Source: {entry['source']}", "", *notes]


def _flowing(paragraph: str) -> str:
    """A paragraph with its lines joined; a formula keeps its own."""
    text = paragraph if ".. math::" in paragraph else " ".join(paragraph.split())
    return f"{text}\n"
