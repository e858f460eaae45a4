"""A decision in one line that is safe to print anywhere: what was found, how firmly it holds, what follows."""

from __future__ import annotations

from holdfast.claims import Claim
from holdfast.render.phrases import confidence, digits_apart, digits_for, rounded, significant
from holdfast.render.text.text import claim_line
from holdfast.report import Answer, Decision
from holdfast.report.decision import WORST_FIRST
from holdfast.wording import counted, printable

LONGEST_NAME = 60  # characters spent on a label or a group
LONGEST_LINE = 2_000  # on a sentence whose words come from elsewhere
MOST_TOLD = 20  # conditions that are told one by one where people read; there may be one for each of many groups
MOST_DIGITS = 17
AGAINST = (Answer.REFUTED, Answer.CONTRADICTED)


def foremost(decision: Decision, most: int) -> list[Decision]:
    """Its conditions in order; of too many, those that are refuted before those that are open or proven."""
    parts = list(decision.leaves())
    return parts if len(parts) <= most else sorted(parts, key=lambda part: WORST_FIRST.index(part.answer))[:most]


def condition_line(decision: Decision) -> str:
    """The condition in words, on one line."""
    return one_line(decision.condition, 200)


def verdict(decision: Decision) -> str:
    """The claim and what it means for the condition, on one line.

    Examples
    --------
    >>> print(verdict(Decision(Answer.OPEN, "error-rate at most 0.05", needed=123, at_most=0.05)))
    error-rate at most 0.05: not enough data, about 130 more examples would probably settle it.
    """
    why = "" if decision.caution is None else f" {one_line(decision.caution, LONGEST_LINE)}"
    if decision.rule is not None and not decision.parts:
        return f"{condition_line(decision)}: {decision.answer} ({reason(decision)}).{why}"
    if decision.claim is None:
        return f"{condition_line(decision)}: {outcome(decision)}."
    return f"{subject(decision)}: {claim_line(decision.claim)}: {outcome(decision)}.{why}"


def reason(decision: Decision) -> str:
    """Of two models: by which p-value or limits it was decided, one side each, and how firmly that holds."""
    by = f"by {decision.rule}"
    if decision.p is not None:
        of = " of the contrary" if decision.answer in AGAINST else ""
        return f"one-sided p{of} = {significant(decision.p, 3, 'up')} {by}"
    limits = [_limit(decision, claim) for claim in (decision.claim, decision.other) if claim is not None]
    sides = limits[:1] if decision.answer in AGAINST else limits
    assert decision.claim is not None  # there is a limit, or a p-value
    level = confidence(float(decision.claim.delta))
    return f"the difference is {' and '.join(sides)} {by}, {level}{' each' if sides[1:] else ''}"


def _limit(decision: Decision, claim: Claim) -> str:
    """A limit with the digits that show on which side of the margin it is."""
    lower, upper = float(claim.lower), float(claim.upper)
    least, margin = digits_for(upper - lower), decision.at_most if decision.at_least is None else -decision.at_least
    ends = {"lower": ("at least", lower, "down"), "upper": ("at most", upper, "up")}
    sides = [ends[side] for side in ("lower", "upper") if claim.side in (side, "both")]

    def told(word: str, value: float, way: str) -> str:
        digits = max(digits_apart(value, way, sign * abs(margin or 0.0), least, MOST_DIGITS) for sign in (-1, 1))
        return f"{word} {rounded(value, digits, way)}"

    return " and ".join(told(*side) for side in sides)


def subject(decision: Decision) -> str:
    """What the claim is about: the measure, of which class, in which group."""
    measure = decision.claim.measure if decision.claim is not None else decision.condition
    of = "" if decision.label is None else f" of {one_line(decision.label)}"
    where = "" if decision.group is None else f", {one_line(decision.group)}"
    return f"{measure}{of}{where}"


def outcome(decision: Decision) -> str:
    """Proven to be within the limit, or why it is not."""
    bound = limit(decision)
    if decision.answer is Answer.PROVEN:
        return f"proven to be {bound}" if bound else "proven"
    failed = f"not proven to be {bound}; " if bound and decision.claim is not None else ""
    if decision.answer is not Answer.OPEN:
        return f"{failed}{decision.answer}"
    settled = "" if decision.needed is None else f", about {more(decision.needed)} would probably settle it"
    return f"{failed}not enough data{settled}"


def notes_of(decision: Decision) -> list[str]:
    """What a reader should know: why some answers are no proof, and the notes; those of each group are in the JSON."""
    cautions = [leaf.caution for leaf in decision.leaves() if leaf.caution is not None] if decision.parts else []
    noted = [decision, *(part for part in decision.parts if part.group is None)]
    return list(dict.fromkeys([*cautions, *(note for part in noted for note in part.notes)]))


def more(number: int) -> str:
    """So many more examples; nobody should believe more than two digits of such a number."""
    scale = 10 ** max(len(str(number)) - 2, 0)
    return counted(-(-number // scale) * scale, "more example")


def limit(decision: Decision) -> str:
    """At most so much, at least so much, or both."""
    least = None if decision.at_least is None else f"at least {decision.at_least:.12g}"
    most = None if decision.at_most is None else f"at most {decision.at_most:.12g}"
    return " and ".join(side for side in (least, most) if side)


def tally(decision: Decision) -> str:
    """How many conditions got which answer: 2 proven, 1 refuted."""
    answers = [part.answer for part in decision.leaves()]
    return ", ".join(f"{answers.count(answer):,} {answer}" for answer in Answer if answer in answers)


def one_line(text: str, longest: int = LONGEST_NAME) -> str:
    """Words from elsewhere on one line: nothing in them that a terminal, a parser or a runner would obey."""
    return printable(str(text), longest)
