"""Write docs/measures.md from the catalog: `python docs/generate_measures.py [FILE]`."""

from __future__ import annotations

import sys
from pathlib import Path
from textwrap import fill

from generate_methods import WIDTH, notes
from holdfast.catalog import Measure, measures
from holdfast.evidence import Contingency, Forecasts, Scores
from holdfast.verbs.bound import default_methods

EXAMPLES = {  # one piece of evidence of each kind that a measure may take
    Contingency: Contingency([[7, 2], [1, 9]], rows="predicted"),
    Scores: Scores([0.1, 0.7, 0.4, 0.9], [False, False, True, True]),
    Forecasts: Forecasts([0.7, 0.2], [0.14, 0.96]),
}
MANY = Contingency([[7, 2, 1], [1, 9, 0], [0, 2, 5]], rows="predicted")

INTRODUCTION = """\
# Measures

Generated from the catalog by `make docs`; do not edit. `holdfast measures NAME` shows the same entry. Which
[method](methods.md) answers is decided by what the measure is read off, never by the values; the first one named is
what `report[name]` gives."""


def page() -> str:
    """The whole page."""
    rows = [
        f"| [{m.name}](#{m.name}) | {', '.join(m.aliases)} | {m.better or '-'} | {_range(m)} | {_answers(m)} |"
        for m in measures()
    ]
    index = "\n".join(["| measure | also called | better | range | answered by |", "|---|---|---|---|---|", *rows])
    return "\n\n".join([INTRODUCTION, index, *(_section(m) for m in measures())]) + "\n"


def _section(measure: Measure) -> str:
    kind = "of each class, read off" if measure.per_class else "read off"
    facts = f"- {kind} {measure.takes.__name__}\n- source: {measure.source}"
    return "\n\n".join([f"## {measure.name}", fill(measure.summary, WIDTH), facts, *notes(measure.narrow)])


def _range(measure: Measure) -> str:
    low, high = measure.range
    return f"{low:g} to {high:.3g}"


def _answers(measure: Measure) -> str:
    """Names and guarantees, those of many classes apart where they differ."""
    told = _told(measure, EXAMPLES[measure.takes])
    many = _told(measure, MANY) if measure.takes is Contingency else told
    return told if told == many else f"{told}; of many classes {many}"


def _told(measure: Measure, example: object) -> str:
    return ", ".join(f"{bound.name} ({bound.guarantee})" for bound in default_methods(measure(example)))


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("measures.md")
    target.write_text(page(), encoding="utf-8")
