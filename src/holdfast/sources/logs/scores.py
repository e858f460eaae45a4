"""What tools write as the score of an answer, as numbers: right or wrong, or how right on a range that is declared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any

import numpy as np

from holdfast.errors import HoldfastError
from holdfast.evidence import Array
from holdfast.predictions.coded import number_in
from holdfast.predictions.grading import Values
from holdfast.wording import quoted, some

LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}  # of Inspect: correct, partly, incorrect, no answer
WORDS = {"yes": 1.0, "true": 1.0, "pass": 1.0, "no": 0.0, "false": 0.0, "fail": 0.0}
LETTER_LEVELS = (0.0, 0.5, 1.0)


@dataclass(frozen=True, eq=False)
class Scores:
    """One number for each sample, NaN where it was not scored; and what these numbers can be."""

    numbers: Array
    values: Values | None  # None where each answer is right or wrong

    @classmethod
    def of(
        cls, raw: Sequence[Any], name: str, source: str, right_or_wrong: bool = False, graded: bool = False
    ) -> Scores:
        """What a log holds, None where a sample was not scored; `graded` where a user states what values there can be.

        Whether answers are right or wrong, or more or less right, is told by the kind of what is written, or by what
        the tool declares, and never by which numbers happen to occur.

        Examples
        --------
        >>> Scores.of([True, None, False], "match", "run.eval").values is None
        True
        >>> Scores.of(["C", "I", "I"], "graded", "run.eval").values
        Values(low=0.0, high=1.0, levels=(0.0, 0.5, 1.0))
        >>> Scores.of([0.25, float("nan")], "rubric", "run.eval").numbers
        array([0.25,  nan])
        """
        kinds = {kind_of(value) for value in raw} - {"nothing"}
        if odd := kinds - {"logical", "letter", "number", "word"}:
            wrong = [value for value in raw if kind_of(value) in odd]
            raise HoldfastError(_no_number(name, source, wrong))
        numbers = np.array([_number(value) for value in raw], np.float64)
        if graded:
            return cls(numbers, Values())
        if right_or_wrong or kinds <= {"logical", "word"}:
            known = numbers[~np.isnan(numbers)]
            if strange := known[(known != 0.0) & (known != 1.0)].tolist():
                raise HoldfastError(
                    f"The score {quoted(name)} of {source} should be right or wrong, 1 or 0; it holds "
                    f"{some(strange[:4])}. For partial credit state its range: value_range= (--range)."
                )
            return cls(numbers, None)
        return cls(numbers, Values(levels=LETTER_LEVELS) if kinds <= {"letter"} else Values())


def kind_of(value: Any) -> str:
    """What a score is written as."""
    if value is None or (isinstance(value, float) and isnan(value)):
        return "nothing"
    if isinstance(value, bool):
        return "logical"
    if isinstance(value, (int, float)):
        return "number"
    if isinstance(value, str):
        if value in LETTERS:
            return "letter"
        return "word" if value.strip().lower() in WORDS else "number" if number_in(value) is not None else "text"
    return "a mapping" if isinstance(value, dict) else "a list"


def _number(value: Any) -> float:
    if value is None:
        return float("nan")
    if isinstance(value, str):
        known = LETTERS.get(value, WORDS.get(value.strip().lower()))
        return float(value) if known is None else known
    return float(value)


def _no_number(name: str, source: str, wrong: Sequence[Any]) -> str:
    held = some(wrong[:4])
    if any(isinstance(value, dict) for value in wrong):
        return f"The score {quoted(name)} of {source} holds several values under names in some samples, such as {held}."
    return (
        f"The score {quoted(name)} of {source} holds {held}, which is no number and no grade that is known (C, P, I, "
        "N, true, false, yes, no, pass, fail). Counting it as 0 would be a guess: choose another score, or write "
        "numbers."
    )
