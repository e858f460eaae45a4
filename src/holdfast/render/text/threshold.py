"""A threshold as text: what to do, what may be claimed of it, and what that rests on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from holdfast.render.numbers import confidence
from holdfast.render.outline.parts import Assumed, Points, Room, Sentence, Table, claims_table
from holdfast.render.phrases import estimate_and_limits
from holdfast.render.text.layout import origin
from holdfast.render.text.text import Parts
from holdfast.report.lines import Line
from holdfast.wording import printable

if TYPE_CHECKING:
    from holdfast.claims import Claim
    from holdfast.report.threshold import Threshold

LONGEST = 24  # characters of the name of a group
MOST = Room(60, 60)  # lines about groups
SAID = {"recall": "sensitivity"}  # the word that goes with specificity


def threshold_parts(made: Threshold) -> Parts:
    """Everything a reader should see, top-down."""
    level, claim = confidence(made.delta), made.claim
    notes: Parts = [Points("Note:", made.notes, loose=True)] if made.notes else []
    known: Parts = [origin(made.provenance)] if made.provenance else []
    if claim is None:
        wish = made.condition.replace(" at least", " of at least")
        said = f"Not enough data: no threshold is proven to have a {wish} with {level} confidence."
        return [Sentence((said,), loose=True), *notes, *known]
    rule = f"Call it {printable(made.positive, 40)} when the score is at least {made.threshold!r}."
    proven = f"With {level} confidence {_proven(made, claim)}; this {claim.guarantee.sentence}."
    lines = [Line(each) for each in (claim, *made.beside)]
    return [
        Sentence((rule, proven), loose=True),
        _table("at this threshold", lines),
        *([_table("in each group", made.groups)] if made.groups else []),
        *notes,
        Sentence(("Each limit holds on its own, not all of them together.",)),
        Assumed.by(line.claim for line in (*lines, *(made.groups or ()))),
        *known,
    ]


def _proven(made: Threshold, claim: Claim) -> str:
    """What is proven of the threshold, in words."""
    if " at least" in made.condition:
        return f"its true {made.condition.replace(' at least', ' is at least')}"
    where = made.condition.removeprefix("least expected cost")
    return f"its true expected cost is at most {estimate_and_limits(claim)[1]}{where}"


def _table(first: str, lines: Sequence[Line]) -> Table:
    """What is said of the threshold, of all rows or of each group."""
    named = [(_named(line), line.claim) for line in lines]
    return claims_table(
        named,
        title=("estimate", f"{confidence(float(lines[0].claim.delta))} limits"),
        first=first,
        limits={"one_sided": "words"},
        dense=lines[0].group is not None,
        most=MOST,
    )


def _named(line: Line) -> str:
    measure = SAID.get(line.claim.measure, line.claim.measure)
    return measure if line.group is None else f"{printable(line.group, LONGEST)}: {measure}"
