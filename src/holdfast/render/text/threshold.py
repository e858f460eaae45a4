"""A threshold as text: what to do, what may be claimed of it, and what that rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import fill
from typing import TYPE_CHECKING, Any

from holdfast.claims import Claim
from holdfast.render.numbers import confidence
from holdfast.render.text.assessment import estimate_and_limits, shown
from holdfast.render.text.text import BRIEF, COLOUR, WIDTH, Parts, assumptions, empty_table

if TYPE_CHECKING:
    from rich.table import Table

LONGEST_NOTE = 1_000
SAID = {"recall": "sensitivity"}  # the word that goes with specificity


def threshold_parts(made: Mapping[str, Any], claim: Claim | None, beside: Sequence[Claim]) -> Parts:
    """Everything a reader should see, top-down; `made` is the threshold as plain values."""
    level = confidence(made["delta"])
    if claim is None:
        wish = made["condition"].replace(" at least", " of at least")
        said = f"Not enough data: no threshold is proven to have a {wish} with {level} confidence."
        return [fill(said, WIDTH), "", *_notes(made["notes"]), *_origin(made["provenance"])]
    rule = f"Call it {shown(made['positive'], 40)} when the score is at least {made['threshold']!r}."
    said = f"With {level} confidence its true {made['condition'].replace(' at least', ' is at least')}"
    parts: Parts = [fill(rule, WIDTH), fill(f"{said}; this {claim.guarantee.sentence}.", WIDTH), ""]
    parts += [_table([claim, *beside]), "", *_notes(made["notes"])]
    parts += ["Each limit holds on its own, not all of them together.", *assumptions([claim, *beside]), ""]
    return [*parts, *_origin(made["provenance"])]


def _table(claims: Sequence[Claim]) -> Table:
    from rich.text import Text

    table = empty_table(
        "at this threshold", "estimate", f"{confidence(float(claims[0].delta))} limits", "method", "holds at"
    )
    table.columns[3].justify = table.columns[4].justify = "left"
    for claim in claims:
        estimate, limits = estimate_and_limits(claim)
        told = limits if claim.side == "both" else f"at least {limits}"
        mark = Text(BRIEF[claim.guarantee], style=COLOUR[claim.guarantee])
        table.add_row(SAID.get(claim.measure, claim.measure), estimate, told, claim.method, mark)
    return table


def _notes(sentences: Sequence[str]) -> Parts:
    if not sentences:
        return []
    return [
        "Note:",
        *(fill(shown(s, LONGEST_NOTE), WIDTH, initial_indent="  - ", subsequent_indent="    ") for s in sentences),
        "",
    ]


def _origin(known: Mapping[str, Any]) -> Parts:
    if not known:
        return []
    examples = "1 example" if known["rows"] == 1 else f"{known['rows']:,} examples"
    return [f"holdfast {known['version']}, {examples}, SHA-256\n{known['fingerprint']}"]
