"""The catalog as text: a line an entry, or one entry in full."""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.claims import Guarantee
from holdfast.render.outline.parts import ANY, Assumed, Column, Part, Parts, Sentence, Table, Verbatim
from holdfast.render.phrases import UNKNOWN
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
    rows = []
    for entry in methods:
        kinds = {KINDS.get(kind, kind.lower()) for kind in entry["takes"]}
        takes = kinds.pop() if len(kinds) == 1 else "either"
        names = ", ".join([entry["name"], *entry["aliases"]])
        rows.append([names, takes, Guarantee(entry["guarantee"]), entry["source"].split()[0]])
    columns = [
        Column.words("method, and what else it is called", unbroken=True),
        *(Column.words("takes"), Column.words("holds for"), Column.words("source", unbroken=True)),
    ]
    followed = [[entry["name"], Guarantee(entry["guarantee"]), entry["source"].split()[0]] for entry in procedures]
    titles = ("procedure, which some verb follows by itself", "holds for", "source")
    tables = [Table(columns, rows, most=ANY), Table([*map(Column.words, titles)], followed, most=ANY)]
    return [*tables, Sentence(("holdfast methods NAME tells all about one.",))]


def method_parts(entry: Entry) -> Parts:
    """One entry of the catalog in full."""
    also = f" (also {', '.join(entry['aliases'])})" if entry["aliases"] else ""
    return [
        *_opening(f"{entry['name']}{also}: {Guarantee(entry['guarantee']).sentence}", entry),
        _paragraph(f"Takes {' or '.join(entry['takes'])}; sides: {', '.join(entry['sides'])}."),
        Assumed(entry["assumes"]),
        *_closing(entry),
    ]


def procedure_parts(entry: Entry) -> Parts:
    """One procedure in full."""
    given = "" if entry["assumes"] else "the statements that it is given"
    below = f"the limits of {' or '.join(entry['rests_on'])}" if entry["rests_on"] else given
    used = ["A procedure that some verb follows by itself; it cannot be chosen as a method."]
    used += [f"It rests on {below}, and assumes what they do."] if below else []
    return [
        *_opening(f"{entry['name']}: {Guarantee(entry['guarantee']).sentence}", entry),
        Sentence(tuple(used), loose=True),
        Assumed(entry["assumes"]),
        *_closing(entry),
    ]


def measures_parts(entries: Sequence[Entry]) -> Parts:
    """The catalog of measures, a line a measure."""
    rows = []
    for entry in entries:
        low, high = entry["range"]
        ends = f"{'-∞' if low is None else format(low, 'g')} to {'∞' if high is None else format(high, 'g')}"
        each = "yes" if entry["per_class"] else ""
        rows.append([entry["name"], entry["better"] or UNKNOWN, each, ends, entry["takes"]])
    titles = ("measure", "better", "of each class", "range", "read off")
    table = Table([*map(Column.words, titles)], rows, most=ANY)
    return [table, Sentence(("holdfast measures NAME tells all about one.",))]


def measure_parts(entry: Entry) -> Parts:
    """One measure in full."""
    also = f" (also {', '.join(entry['aliases'])})" if entry["aliases"] else ""
    better = f"{entry['better']} is better" if entry["better"] else "neither way is better"
    return [*_opening(f"{entry['name']}{also}: {better}", entry), *_closing(entry)]


def _opening(title: str, entry: Entry) -> Parts:
    return [_paragraph(title), _paragraph(entry["summary"])]


def _closing(entry: Entry) -> Parts:
    paragraphs = [paragraph for paragraph in entry["notes"].split("\n\n") if paragraph]
    return [_paragraph(f"Source: {entry['source']}"), *map(_noted, paragraphs)]


def _noted(paragraph: str) -> Part:
    """A paragraph with its lines joined; a formula keeps its own."""
    return Verbatim(paragraph) if ".. math::" in paragraph else _paragraph(" ".join(paragraph.split()))


def _paragraph(words: str) -> Sentence:
    return Sentence((words,), loose=True)
