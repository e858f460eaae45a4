"""The page of a duel: the verdict on top, how the evidence grew, and the difference as it may be told at any moment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from holdfast.render.page.cells import BADGE, cut
from holdfast.render.page.comparison import LONGEST_MODEL, strip_of
from holdfast.render.page.frame import framed
from holdfast.render.page.tables import Row
from holdfast.render.standings import deciding_test, measure_of, pairs_of
from holdfast.render.text.assessment import estimate_and_limits
from holdfast.render.text.comparison import p_value, verdict_and_more
from holdfast.render.text.duel import examples, number

if TYPE_CHECKING:
    from holdfast.claims import Claim
    from holdfast.report import Report

MOST_LOOKS = 12  # of the table; the picture has some thousand


def duel_html(report: Report) -> str:
    """What a duel says at the moment the report was made, in the frame of every page."""
    verdict, more = verdict_and_more(report)
    told, claim, (pair,) = report.details["sequential"], report.claims[0], pairs_of(report)
    test = deciding_test(report)
    names = [cut(name, LONGEST_MODEL) for name in report.details["models"]]
    alone = ["", ""] if pair.won is None else [f"{pair.won:,}", f"{pair.lost:,}"]
    evidence = [number(told["e_value"][side]) for side in ("first", "second")]
    return framed(
        "duel.html",
        report,
        ("", verdict),
        data={},
        more=f"{more} {_when(int(claim.n), told)}" if told["changed_after"] is None else report.details["notes"][0],
        required=(),  # a duel exits by its verdict
        strip=strip_of(report),
        measure=measure_of(report).replace("-", " "),
        wrong=f"{100 * float(claim.delta):g} %",
        needed=number(told["needed"]),
        names=names,
        rows=[_row(names, claim)],
        evidence=list(zip(names, alone, evidence, strict=True)),
        counted=pair.won is not None,
        p=p_value(pair.p),
        looks=[*_looks(report.views["wealth"])],
        test={**test, "badge": BADGE[claim.guarantee]},
    )


def _when(n: int, told: Mapping[str, Any]) -> str:
    """After how many examples this is said, and since when it could be."""
    since = f"there was enough to tell after {told['settled_after']:,}, and " if told["settled_after"] else ""
    return f"That is after {examples(n)}; {since}one may look after each."


def _row(names: Sequence[str], claim: Claim) -> Row:
    measure = claim.measure.removesuffix("-difference").replace("-", " ")
    return Row(0, f"{measure}: {' − '.join(names)}", "", *estimate_and_limits(claim), claim)


def _looks(history: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Both e-values at some of the looks, the last among them."""
    last = len(history["n"]) - 1
    for place in sorted({round(last * step / (MOST_LOOKS - 1)) for step in range(MOST_LOOKS)}) if last >= 0 else ():
        yield f"{history['n'][place]:,}", number(history["first"][place]), number(history["second"][place])
