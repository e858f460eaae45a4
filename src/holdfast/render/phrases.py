"""Numbers as they are printed, the phrases around them, and claims as the rows of one table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from math import ceil, log10
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast.claims import Assumption, Claim, Guarantee
from holdfast.report import Line, Report
from holdfast.report.lines import label_is
from holdfast.wording import printable

UNKNOWN = "–"
WAYS = {"up": ROUND_CEILING, "down": ROUND_FLOOR, "nearest": ROUND_HALF_EVEN}
EXACT = Context(prec=1100)  # room for every digit of every float


def digits_for(width: float) -> int:
    """Enough decimals to see an interval of that width, and at least three."""
    return 3 if not 0 < width < float("inf") else min(max(3, ceil(-log10(width)) + 2), 15)


def digits_apart(value: float, way: str, limit: float, least: int, most: int) -> int:
    """The decimals, from `least` to `most`, with which the rounded value is on the same side of the limit."""
    exact = Decimal(repr(limit))
    side = Decimal(value).compare(exact)
    fitting = (d for d in range(least, most) if Decimal(rounded(value, d, way)).compare(exact) == side)
    return next(fitting, most)


def rounded(value: float | None, digits: int, way: str) -> str:
    """The number with that many decimals; the shortest decimal that means this float is what gets rounded."""
    if value is None or value != value:
        return UNKNOWN
    return _quantized(_meant(value), digits, way)


def percent(value: float | None, digits: int, way: str) -> str:
    """The same in percent, two decimals fewer."""
    if value is None or value != value:
        return UNKNOWN
    return _quantized(EXACT.multiply(_meant(value), Decimal(100)), digits - 2, way) + " %"


def confidence(delta: float) -> str:
    """95 %, from delta = 0.05, without inventing digits, and never more than it is."""
    level = EXACT.multiply(EXACT.subtract(Decimal(1), _meant(delta)), Decimal(100))
    return format(Decimal(_quantized(level, 13, "down")).normalize(), "f") + " %"


def significant(value: float, digits: int, way: str) -> str:
    """The number in so many digits, rounded this way."""
    context = Context(prec=digits, rounding=WAYS[way])
    return f"{float(context.create_decimal(repr(without_last_places(value)))):.{digits}g}"


def without_last_places(value: float) -> float:
    """The number in twelve digits: 0.7000000000000044 is 0.7 and not rounded up to 0.71; processors differ there."""
    return float(f"{value:.12g}")


def _meant(value: float) -> Decimal:
    return Decimal(repr(float(value)))


def _quantized(value: Decimal, digits: int, way: str) -> str:
    return format(value.quantize(Decimal(1).scaleb(-digits), WAYS[way], context=EXACT), "f")


BRIEF = {Guarantee.FINITE: "every n", Guarantee.ASYMPTOTIC: "large n", Guarantee.HEURISTIC: "no proof"}
LIMITS = {"both": "interval", "upper": "upper limit", "lower": "lower limit"}
BEFORE = {  # a limit that is claimed alone
    None: {"both": "", "upper": "", "lower": ""},
    "words": {"both": "", "upper": "at most ", "lower": "at least "},
    "signs": {"both": "", "upper": "≤ ", "lower": "≥ "},
}
ALONE = "Each interval holds on its own: fix the method beforehand, for choosing voids the guarantee."
MOST_DIGITS = 5  # decimals of an interval that leave room for its method within 80 columns
SMALLEST = 5e-324
SUBJECT = {  # what a bound of bare numbers is about, in words, and what its limits are told in
    "error-rate": ("the true error rate", percent),
    "unlabelled-error-rate": ("the error rate on the unlabelled examples", percent),
    "mean-loss": ("the true mean loss", rounded),
    "error-rate-difference": ("the true difference of error rates", percent),
    "mean-loss-difference": ("the true difference of mean losses", rounded),
}


def point(claim: Claim) -> float | None:
    """The estimate, if there is one, as a plain number."""
    return None if claim.estimate is None else float(claim.estimate)


def estimate_and_limits(claim: Claim, most: int = MOST_DIGITS) -> tuple[str, str]:
    """The estimate, and the limits rounded outward, with as many decimals as they need and there is room for."""
    digits = min(digits_for(float(claim.width)), most)
    estimate = rounded(point(claim), digits, "nearest")
    lower, upper = rounded(float(claim.lower), digits, "down"), rounded(float(claim.upper), digits, "up")
    return estimate, {"both": f"[{lower}, {upper}]", "upper": upper, "lower": lower}[claim.side]


def rate_and_limits(estimate: float | None, lower: float | None, upper: float | None) -> tuple[str, str]:
    """A rate to the nearest and its limits outward, with digits that show how far these are apart."""
    if lower is None or upper is None:
        return ("" if estimate is None else rounded(estimate, 3, "nearest")), ""
    digits = min(digits_for(upper - lower), MOST_DIGITS)
    limits = f"[{rounded(lower, digits, 'down')}, {rounded(upper, digits, 'up')}]"
    return rounded(estimate, digits, "nearest"), limits


def ranged(claim: Claim, show: Callable[[float, int, str], str] = percent) -> str:
    """The limits in a sentence, in percent or as they are."""
    digits = digits_for(float(claim.width))
    least, most = show(float(claim.lower), digits, "down"), show(float(claim.upper), digits, "up")
    return {"both": f"between {least} and {most}", "upper": f"at most {most}", "lower": f"at least {least}"}[claim.side]


def claim_sentence(claim: Claim) -> str:
    """The claim for people who do not speak statistics."""
    subject, show = SUBJECT.get(claim.measure, (f"the true {claim.measure}", rounded))
    sure = confidence(float(claim.delta))
    return f"With {sure} confidence {subject}{averaged(claim)} is {ranged(claim, show)}."


def p_value(p: float) -> str:
    """A p-value in few characters, rounded up, and never 0."""
    if p < 1e-4:
        return significant(max(p, SMALLEST), 1, "up")
    return "1" if p == 1 else rounded(without_last_places(p), 4, "up")


def opening(sentence: str) -> str:
    """A verdict with a capital, unless a model's name opens it."""
    ours = sentence.startswith(("no difference", "the first model", "the second model"))
    return sentence[:1].upper() + sentence[1:] if ours else sentence


def e_value(e: float) -> str:
    """An e-value in three digits, and never more than it is."""
    return "over 1e300" if e > 1e300 else significant(e, 3, "down")


def per(claim: Claim) -> str:
    """What weighs the same, where that is no row of the table: who reads a rate takes it for one over rows."""
    return ", per cluster" if claim.per == "cluster" else ""


def averaged(claim: Claim) -> str:
    """The same in a sentence."""
    of_cluster = " of the average cluster" if claim.per == "cluster" else ""
    return of_cluster + (" at the worst of the frequencies stated" if at_worst(claim) else "")


def at_worst(claim: Claim) -> bool:
    """Whether it is about the worst over a range: somewhere else in it the truth may lie beyond the better limit."""
    return Assumption.STATED_RANGE in claim.assumes


def by_cluster(claims: Iterable[Claim]) -> bool:
    """Whether some of them are averages over clusters: then each has to say what it is over."""
    return any(claim.per == "cluster" for claim in claims)


def of_a_class(line: Line) -> bool:
    """Whether the line's label is a class, and not a bin of the scores or a number of samples."""
    return line.label is not None and label_is(line.measure) == "class"


def level(report: Report, delta: float | NDArray[np.float64], joint: str = "") -> str:
    """The confidence of what holds by itself with this delta; of all, which may be said, where all hold together."""
    together = report.facts.simultaneous
    return confidence(float(together.delta)) + joint if together else confidence(float(np.min(delta)))


def holding(report: Report) -> str:
    """Whether the intervals hold each on its own or all together."""
    together = report.facts.simultaneous
    if together is None:
        return "Each interval holds on its own, not all of them together."
    beside = ", and the bands of the curves," if together.bands else ""
    grown = any(claim.guarantee is not Guarantee.FINITE for claim in report.claims)
    return (
        f"All {report.size:,} intervals{beside} hold together with {confidence(float(together.delta))} confidence"
        f"{', as far as each holds at this number of examples' if grown else ''}: each kind of statement holds with "
        f"{confidence(float(together.each))}, and of those about groups all at once."
    )


def alone(report: Report) -> str:
    """The same of claims side by side, among which one might choose."""
    return ALONE if report.size > 1 else ""


LONGEST, LONGEST_MODEL = 60, 28  # characters of a label or a group, and of one of two models


@dataclass(frozen=True, eq=False)
class Row:
    """One claim with plain numbers, and what it is about."""

    claim: Claim
    label: str | None = None
    group: str | None = None
    place: str | None = None  # in an array of claims
    model: str | None = None  # or two of them, of a difference
    p: float | None = None  # of no difference, adjusted for all pairs
    outcome: str | None = None  # of a pair, or of a condition


def rows_of(claim: Claim, most: int) -> list[Row]:
    """The claim; of an array, a row for each of the first few, without listing all."""
    shape = np.shape(claim.upper)
    number = min(int(np.prod(shape)), most)
    places = (tuple(int(i) for i in np.unravel_index(flat, shape)) for flat in range(number)) if shape else [()]
    return [Row(_element(claim, place, shape), place=", ".join(map(str, place)) or None) for place in places]


def _element(claim: Claim, place: tuple[int, ...], shape: tuple[int, ...]) -> Claim:
    """One element of an array of claims as a claim of its own."""

    def at(values: Any) -> Any:
        return np.broadcast_to(np.asarray(values), shape)[place].item()

    estimate = None if claim.estimate is None else at(claim.estimate)
    return replace(
        claim,
        estimate=None if estimate is None or estimate != estimate else estimate,
        lower=at(claim.lower),
        upper=at(claim.upper),
        delta=at(claim.delta),
        n=at(claim.n),
    )


def row_of(line: Line, facts: Mapping[str, Any]) -> Row:
    """The line, with what is said of it besides its claim."""
    model = whose(line) if line.model is not None else None
    return Row(line.claim, line.label, line.group, None, model, facts.get("adjusted_p"), facts.get("outcome"))


def whose(line: Line) -> str:
    """The model, or the two of a difference."""
    first = printable(line.model or "", LONGEST_MODEL)
    return first if line.against is None else f"{first} − {printable(line.against, LONGEST_MODEL)}"


def columns_of(rows: Sequence[Row]) -> dict[str, list[str]]:
    """The cells under each title; what all rows leave empty is left out, and one confidence is said once."""
    claims = [row.claim for row in rows]
    levels = [confidence(float(claim.delta)) for claim in claims]
    shared, clusters = len(set(levels)) == 1, by_cluster(claims)
    columns: dict[str, list[str]] = {
        "place": [row.place or "" for row in rows],
        "measure": [claim.measure for claim in claims],
        "model": [row.model or "" for row in rows],
        "of": [printable(row.label or "", LONGEST) for row in rows],
        "group": [printable(row.group or "", LONGEST) for row in rows],
        "per": [claim.per if clusters else "" for claim in claims],
        "estimate": [estimate_and_limits(claim)[0] for claim in claims],
        f"{levels[0]} limits" if shared else "limits": [_limits(claim) for claim in claims],
        "confidence": [] if shared else levels,
        "method": [claim.method for claim in claims],
        "guarantee": [claim.guarantee.sentence for claim in claims],
        "p": ["" if row.p is None else p_value(row.p) for row in rows],
        "first is": [row.outcome or "" for row in rows],
    }
    return {title: cells for title, cells in columns.items() if any(cells)}


def _limits(claim: Claim) -> str:
    return BEFORE["words"][claim.side] + estimate_and_limits(claim)[1]
