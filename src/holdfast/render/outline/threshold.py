"""What is shown of a threshold: what to do, what may be claimed of it, and what that rests on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from holdfast.render.outline.parts import Medium, Outline, Room, Section, Table, claims_table
from holdfast.render.phrases import confidence, estimate_and_limits
from holdfast.report.decision import Threshold
from holdfast.report.facts.listing import ThresholdFacts
from holdfast.report.lines import Line
from holdfast.wording import printable

if TYPE_CHECKING:
    from holdfast.claims import Claim
    from holdfast.report import Report

LONGEST = Room(24, 60)  # characters of the name of a group
MOST = Room(60, 200)  # lines about groups
SAID = {"recall": "sensitivity"}  # the word that goes with specificity
ALONE = "Each limit holds on its own, not all of them together."


def threshold(report: Report, facts: ThresholdFacts) -> Outline:
    """The rule, what is proven of it, and what else may be said."""
    made = facts.threshold
    level, claim = confidence(made.delta), made.claim
    if claim is None:
        wish = made.condition.replace(" at least", " of at least")
        said = f"No threshold is proven to have a {wish} with {level} confidence."
        return Outline(headline=("Not enough data.", said), sections=lambda medium: (), holding="")

    def sections(medium: Medium) -> Iterator[Section]:
        whole = [line for line in report.whole if line.group is None]
        yield Section([_table("at this threshold", whole, medium)], "At this threshold")
        if made.groups:
            yield Section([_table("in each group", made.groups, medium)], "In each group")

    return Outline(
        headline=(
            f"Call it {printable(made.positive, 40)} when the score is at least {made.threshold!r}.",
            f"With {level} confidence {_proven(made, claim)}; this {claim.guarantee.sentence}.",
        ),
        sections=sections,
        holding=f"All of these limits hold together with {level} confidence." if made.simultaneous else ALONE,
        loose=True,
        promise="The first limit is right as often as it promises if all of this is true:",
    )


def named(line: Line, longest: int = LONGEST.text) -> str:
    """The rate, and the group that it is of."""
    measure = SAID.get(line.claim.measure, line.claim.measure)
    return measure if line.group is None else f"{printable(line.group, longest)}: {measure}"


def _proven(made: Threshold, claim: Claim) -> str:
    """What is proven of the threshold, in words."""
    if " at least" in made.condition:
        return f"its true {made.condition.replace(' at least', ' is at least')}"
    where = made.condition.removeprefix("least expected cost")
    return f"its true expected cost is at most {estimate_and_limits(claim)[1]}{where}"


def _table(first: str, lines: Sequence[Line], medium: Medium) -> Table:
    """What is said of the threshold, of all rows or of each group."""
    longest = LONGEST.text if medium == "text" else LONGEST.page
    return claims_table(
        [(named(line, longest), line.claim) for line in lines],
        first.capitalize(),
        title=("estimate", f"{confidence(float(lines[0].claim.delta))} limits"),
        first=first,
        limits={"one_sided": "words"},
        dense=lines[0].group is not None,
        most=MOST,
    )
