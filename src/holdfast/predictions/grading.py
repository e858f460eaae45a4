"""Whether an answer was right: in the words that people use for it, or in values that they name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from holdfast.errors import HoldfastError, InvalidEvidence, UnknownName
from holdfast.numerics.arrays import Array
from holdfast.predictions.coded import number_in, spelled
from holdfast.wording import opening, quoted, shown, some

# For right and for wrong. There is no P: to some it is passed, to others partly right.
PAIRS = (
    *(("1", "0"), ("true", "false"), ("yes", "no"), ("pass", "fail"), ("passed", "failed")),
    *(("correct", "incorrect"), ("right", "wrong"), ("C", "I")),
)
OUTCOMES = {word.lower(): word == right for right, wrong in PAIRS for word in (right, wrong)}
OPPOSITE = {right.lower(): wrong.lower() for right, wrong in PAIRS}
LOGICAL = PAIRS[1]
UNDERSTOOD = ", ".join(f"{right} or {wrong}" for right, wrong in PAIRS)


def outcome(value: Any) -> bool | None:
    """Whether a value says right or wrong; None where it says neither.

    Examples
    --------
    >>> [outcome(value) for value in (1, "0.0", True, " Correct", "I", 0.5, "maybe")]
    [True, False, True, True, False, None, None]
    """
    return OUTCOMES.get(_plain(value).lower())


@dataclass(frozen=True)
class Grading:
    """How a column says which answers are right.

    Examples
    --------
    >>> Grading().outcomes(["C", "I", None])
    [True, False, None]
    >>> Grading("the column 'grade'", ("A", "B"), "grade").outcomes(["A", "C", "B", None])
    [True, False, True, None]
    """

    subject: str = "correct"  # what messages call the column
    right: tuple[str, ...] = ()  # the values that count as right; where there are none, the usual words say it
    column: str = ""  # its name, where one may say which of its values count as right

    def outcomes(self, values: Iterable[Any], beside: Iterable[Any] = ()) -> list[bool | None]:
        """Whether each value says right; None where there is none.

        Values that were named as right must occur among these or `beside` them.
        """
        held = [*values]
        known = {*held} - {None}
        self._check(known, beside)
        right = {*map(_plain, self.right)}
        found = {value: _plain(value) in right if right else bool(outcome(value)) for value in known}
        return [found.get(value) for value in held]

    def _check(self, values: Iterable[Any], beside: Iterable[Any]) -> None:
        held = {_plain(value): value for value in values}
        if self.right:
            self._check_named(held | {_plain(value): value for value in beside})
        elif unclear := sorted(name for name in held if OUTCOMES.get(name.lower()) is None):
            raise self._unclear(unclear, held)

    def _check_named(self, held: dict[str, Any]) -> None:
        """Refuse named values that do not occur; but where only I does, C is no mistake: the model was never right."""
        folded = {name.lower() for name in held}
        for name in self.right:
            plain = _plain(name)
            never = plain.lower() not in folded and OPPOSITE.get(plain.lower()) in folded
            if held and plain not in held and not never:
                raise UnknownName(f"value in {self.subject}", name, map(spelled, held.values()))

    def _unclear(self, unclear: list[str], held: dict[str, Any]) -> InvalidEvidence:
        shown = some([held[name] for name in unclear])
        example = next((name for name in sorted(held) if outcome(name)), "VALUE,...")
        remedy = (
            f"Say which values count as right with correct= (--correct), as in {quoted(f'{self.column}={example}')}"
            if self.column
            else "Give true or false for each answer"
        )
        is_one = len(unclear) == 1
        if all(number_in(name) is not None for name in unclear):
            grade = "that is a grade" if is_one else "these are grades"
            return InvalidEvidence(
                f"{opening(self.subject)} holds {shown}: {grade}, and an answer here is right or wrong, "
                f"1 or 0, without partial credit. {remedy}."
            )
        return InvalidEvidence(
            f"{opening(self.subject)} holds {shown}, which say{'s' * is_one} neither right nor wrong; understood are "
            f"{UNDERSTOOD}. {remedy}."
        )


BY_USUAL_WORDS = Grading()


def named_right(column: str, given: object) -> Grading:
    """How the column of this name says it, where these of its values, one or several, count as right."""
    values = given if isinstance(given, (list, tuple, set, frozenset)) else [given]
    names = tuple(spelled(value).strip() for value in values)
    if not names or not all(names):
        raise InvalidEvidence(
            f"correct= (--correct) names no value of {quoted(column)} that counts as right; write it as "
            f"{quoted(f'{column}=C')}, or several as {quoted(f'{column}=C,P')}."
        )
    return Grading(f"the column {quoted(column)}", names, column)


def _plain(value: Any) -> str:
    """The value without blanks around it, and a number or a true/false value in one spelling."""
    text = spelled(value).strip()
    number = number_in(text)
    return text.lower() if text.lower() in LOGICAL else text if number is None else spelled(number)


MOST_LEVELS = 1_000
ROUNDING = 1e-9  # by which a value may miss its level


@dataclass(frozen=True)
class Values:
    """The range of values that say how right an answer is, and its levels where these were declared.

    Examples
    --------
    >>> Values.stated((1, 5), None).shares(np.array([1.0, 4.0, 5.0]), "the data")
    array([0.  , 0.75, 1.  ])
    """

    low: float = 0.0
    high: float = 1.0
    levels: tuple[float, ...] = ()  # as parts of the way from the low end to the high one

    @classmethod
    def stated(cls, ends: object, levels: object) -> Values:
        """As a user states them; a range is known before any value is seen."""
        low, high = (
            _numbers("value_range= (--range)", ends, "two rising numbers such as 0, 1") if ends is not None else (0, 1)
        )
        if not low < high or not np.isfinite(high - low):
            raise HoldfastError(f"value_range= (--range) takes two rising numbers such as 0, 1; got {shown(ends)}.")
        if levels is None:
            return cls(low, high)
        steps = _numbers("levels= (--levels)", levels, "two or more rising numbers such as 0, 0.5, 1", 2)
        if any(b <= a for a, b in pairwise(steps)) or len(steps) > MOST_LEVELS:
            raise HoldfastError(f"levels= (--levels) takes two or more rising numbers; got {shown(levels)}.")
        if (steps[0], steps[-1]) != (low, high):
            raise HoldfastError(
                f"The levels run from {steps[0]:g} to {steps[-1]:g}, and the range from {low:g} to {high:g}: they must "
                "begin and end where the range does. State it by value_range= (--range)."
            )
        return cls(low, high, tuple((each - low) / (high - low) for each in steps))

    def shares(self, values: Array, source: str) -> Array:
        """The values as parts of the way from the low end to the high one, NaN where there is none."""
        outside = (values < self.low) | (values > self.high)
        if outside.any():
            wrong, row = values[outside][0], int(np.argmax(outside)) + 1
            raise InvalidEvidence(
                f"A value of {source} is {wrong:g} (row {row:,}), outside of the range from {self.low:g} to "
                f"{self.high:g}. State the range by value_range= (--range), which no value can leave."
            )
        shares = (values - self.low) / (self.high - self.low)
        if not self.levels:
            return np.asarray(shares)
        steps = np.array(self.levels)
        place = np.clip(np.searchsorted((steps[1:] + steps[:-1]) / 2, shares), 0, steps.size - 1)
        off = np.abs(steps[place] - shares) > ROUNDING
        if off.any():
            wrong = values[off][0]
            raise InvalidEvidence(
                f"A value of {source} is {wrong:g}, which is none of the levels that were declared: levels= (--levels)."
            )
        return np.where(np.isnan(shares), np.nan, steps[place])


def _numbers(name: str, given: object, example: str, least: int | None = None) -> list[float]:
    try:
        values = [float(each) for each in given] if isinstance(given, Sequence) and not isinstance(given, str) else []
    except (TypeError, ValueError):
        values = []
    if not np.all(np.isfinite(values)) or (len(values) != 2 if least is None else len(values) < least):
        raise HoldfastError(f"{name} takes {example}; got {shown(given)}.")
    return values
