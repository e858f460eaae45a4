"""A run: what one model answered to the questions of one task, as the log of a tool has it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import isnan
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from holdfast.errors import HoldfastError, InvalidEvidence
from holdfast.evidence import Array
from holdfast.predictions.coded import number_in, spelled
from holdfast.predictions.grading import Values
from holdfast.sources.logs.asked import ANYTHING, Asked
from holdfast.wording import counted, listed, quoted, some

CRASHED, UNSCORED, ABSENT = "crashed", "not scored", "not in the log"  # why a sample has no score
NAMED = 3  # samples that a message names


@dataclass(frozen=True, eq=False)
class Run:
    """The samples of a run, one row each, and what the log says of how they came about.

    A question that was asked several times has several rows, told apart by `repeats`.
    """

    tool: str
    source: str  # what messages call the log
    model: str
    task: str
    score_name: str  # which of its scores was taken
    ids: Sequence[str]
    repeats: Sequence[int]
    scores: Scores
    errors: Sequence[str | None]  # why a sample has no score, in a word
    version: str | None = None  # of the tool
    groups: Mapping[str, Sequence[str | None]] = field(default_factory=dict)  # what else is known of each sample
    cluster: str | None = None  # the one of these that the log declares as what questions come from
    divisions: tuple[str, ...] = ()  # those by which the log divides its scores
    others: tuple[str, ...] = ()  # scores that were not taken
    option: str = "metric"  # by which one of the scores is named
    by_headline: bool = False  # whether the log itself names the score that was taken
    alike: Mapping[str, Any] = field(default_factory=dict)  # what must be the same where runs are compared
    settings: Mapping[str, Any] = field(default_factory=dict)  # what is said where runs are compared that differ in it
    prompts: Sequence[Any] | None = None  # of each sample, what must be the same
    asked_of: str = "input or target"  # what that is
    notes: tuple[str, ...] = ()
    asked: Asked = ANYTHING  # what was asked of the log, to be asked of one beside it

    def __post_init__(self) -> None:
        if not len(self.ids):
            raise HoldfastError(f"{self.source} holds no samples.")
        seen = Counter(zip(self.ids, self.repeats, strict=True))
        if len(seen) < len(self.ids):
            twice = [(each, times) for each, times in seen.items() if times > 1]
            (example, repeat), times = twice[0]
            again = f", repeat {repeat}" if len({*self.repeats}) > 1 else ""
            raise HoldfastError(
                f"{self.source} has {counted(len(twice), 'sample')} twice or more, such as {quoted(example)}{again} "
                f"{times:,} times; which one counts? Leave the others out."
            )

    @property
    def values(self) -> Values | None:
        """The range of its scores and what they can be; None where each answer is right or wrong."""
        return self.scores.values

    @cached_property
    def missing(self) -> dict[str, int]:
        """How many samples have no score, and why."""
        return dict(Counter(reason for reason in self.errors if reason is not None))

    @property
    def questions(self) -> int:
        return len({*self.ids})

    @property
    def scored(self) -> Array:
        """The scores, NaN where there is none."""
        return self.scores.numbers

    def sentence(self) -> str:
        """What was read, and how many samples were asked, scored, and lost."""
        version = "" if self.version is None else f" {self.version}"
        by_log = ", the log's own headline" if self.by_headline and self.others else ""
        taken = f"{quoted(self.score_name)}{by_log}"
        return (
            f"{Path(self.source).name}: {self.tool}{version}, task {quoted(self.task)}, model {quoted(self.model)}, "
            f"score {taken}; {self.counts()}."
        )

    def counts(self) -> str:
        """How many samples of how many questions were asked, and how many of them were scored."""
        asked, questions = len(self.ids), self.questions
        samples = counted(asked, "sample")
        of = samples if asked == questions else f"{samples} of {counted(questions, 'question')}"
        if not self.missing:
            return f"{of}, all scored"
        lost = ", ".join(f"{number:,} {reason}" for reason, number in self.missing.items())
        return f"{of}: {asked - sum(self.missing.values()):,} scored, {lost}"

    def lost(self) -> str:
        """The first few samples without a score."""
        places = np.flatnonzero([reason is not None for reason in self.errors]).tolist()
        several = len({*self.repeats}) > 1
        names = [self.ids[place] + (f" (repeat {self.repeats[place]})" if several else "") for place in places[:NAMED]]
        return listed(names) + (", ..." if len(places) > NAMED else "")


def refuse_lost(runs: Sequence[Run]) -> None:
    """Refuse samples without a score, for leaving them out or counting them as wrong is for a user to say."""
    for run in runs:
        if not run.missing:
            continue
        lost = ", ".join(f"{number:,} {reason}" for reason, number in run.missing.items())
        raise InvalidEvidence(
            f"Of the {counted(len(run.ids), 'sample')} of {run.source}, by {quoted(run.score_name)}, {lost}: "
            f'{run.lost()}. Say missing="drop" (--missing drop) to leave such samples out, or missing="wrong" '
            "(--missing wrong) to count them as the worst that there can be."
        )


def mapping(value: Any, what: str, source: str) -> dict[str, Any]:
    """A value that holds others by their names."""
    if not isinstance(value, dict):
        raise HoldfastError(f"{source} should hold fields in {what}; found {quoted(value)}. It may be damaged.")
    return value


def sequence(value: Any, what: str, source: str) -> list[Any]:
    """A value that holds others in their order."""
    if not isinstance(value, list):
        raise HoldfastError(f"{source} should hold a list of {what}; found {quoted(value)}. It may be damaged.")
    return value


def text(value: Any) -> str | None:
    """A value as text; None where there is none."""
    return None if value is None or isinstance(value, (dict, list)) else str(value)


LONGEST_GROUP = 200  # characters of a value that may name a group


class Row(NamedTuple):
    """One sample: the question, its score as the log has it, and why there is none."""

    id: str
    value: Any
    reason: str = UNSCORED  # why it has no score, where it has none
    groups: Mapping[str, Any] = {}
    repeat: int = 1
    prompt: Any = None


def run_of(
    rows: Sequence[Row],
    asked: Asked,
    *,
    names: Sequence[str] = (),
    headline: str | None = None,
    right_or_wrong: bool = False,
    longest: int = LONGEST_GROUP,
    **known: Any,
) -> Run:
    """The run of these samples, and what else is known of it: the names of all scores, and of the log's own headline.

    A value that is longer than the `longest` names no group.
    """
    chosen = known["score_name"]
    known = {"others": tuple(name for name in names if name != chosen), "by_headline": chosen == headline, **known}
    scores = Scores.of([row.value for row in rows], chosen, known["source"], right_or_wrong, asked.graded)
    lacking = (scores.numbers != scores.numbers).tolist()
    keys = [*dict.fromkeys(key for row in rows for key in row.groups)]
    groups = {key: [group_name(row.groups.get(key), longest) for row in rows] for key in keys}
    prompts = [row.prompt for row in rows]
    return Run(
        ids=[row.id for row in rows],
        repeats=[row.repeat for row in rows],
        scores=scores,
        errors=[row.reason if none else None for row, none in zip(rows, lacking, strict=True)],
        groups={key: column for key, column in groups.items() if any(each is not None for each in column)},
        prompts=None if all(each is None for each in prompts) else prompts,
        **known,
    )


def group_name(value: Any, longest: int = LONGEST_GROUP) -> str | None:
    """A value as the name of a group; long texts, lists and mappings are none."""
    if value is None or isinstance(value, (dict, list)):
        return None
    name = spelled(value)
    return name if len(name) <= longest else None


def is_number(value: Any) -> bool:
    """Whether a cell may be a score: a number, true or false, a word for either, or nothing."""
    return kind_of(value) in ("number", "logical", "word", "nothing") and not (
        isinstance(value, str) and kind_of(value) == "number"
    )


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
