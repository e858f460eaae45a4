"""A run: what one model answered to the questions of one task, as the log of a tool has it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from holdfast.errors import HoldfastError, InvalidEvidence
from holdfast.evidence import Array
from holdfast.predictions.grading import Values
from holdfast.sources.logs.asked import ANYTHING, Asked
from holdfast.sources.logs.scores import Scores
from holdfast.wording import counted, listed, quoted

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
