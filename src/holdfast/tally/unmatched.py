"""Predictions that are never a label of the truth: whether that can be meant, and what may be the reason."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from holdfast.errors import InvalidEvidence
from holdfast.evidence import NO_ANSWER
from holdfast.predictions.spelling import number_in, spelled
from holdfast.predictions.wording import quoted
from holdfast.tally.labels import PAIRS, check_alike

FEWEST = 10  # rows from which on it cannot be chance: a coin is wrong so often in a row once in a thousand times
SHOWN = 3  # labels of either side, and models, that a message names
LOOKED_AT = 1_000  # labels among which one that is another with something around it is looked for
LONGEST = 200  # characters of such a label
INSIST = "If all are wrong indeed, list all labels with labels= (--labels)."
GIVE_AS_SCORE = "they look like scores, which assess takes as score= (--score)"


@dataclass(frozen=True)
class Unmatched:
    """Labels of the truth and of predictions that have none in common.

    Examples
    --------
    >>> apart = Unmatched.between({"Answer: 2", "Answer: 3"}, {"2", "3"})
    >>> print(apart.sides("predicted"))
    truth holds 'Answer: 2' and 'Answer: 3', predicted holds '2' and '3'
    >>> print(apart.question)
    Does 'Answer: 2' mean '2'?
    """

    truth: Collection[str]
    predicted: Collection[str]

    @classmethod
    def between(cls, truth: Collection[str], predicted: Collection[str], positive: object = None) -> Unmatched | None:
        """The two sides where no label is on both; None where one is, or where just these two labels are plainly meant.

        Those are 0 and 1, no and yes and the like, one on either side, and any two of which one was named as positive.
        """
        said = {*predicted} - {NO_ANSWER}
        if not truth or not said or not said.isdisjoint(truth):
            return None
        if len(truth) == len(said) == 1:
            two = {*truth, *said}
            usual = {label.lower() for label in two} in [{*pair} for pair in PAIRS]
            if usual or (positive is not None and spelled(positive) in two):
                return None
        return cls(truth, said)

    @property
    def scores(self) -> bool:
        """Whether the predictions look like scores."""
        return len(_fractions(self.truth, self.predicted)) > len(self.predicted) / 2

    @property
    def question(self) -> str:
        """Whether one label is the other with something around it, or both are written otherwise."""
        for long, short in ((self.truth, self.predicted), (self.predicted, self.truth)):
            if pair := next(_with_words_around(long, short), None):
                return f"Does {quoted(pair[0])} mean {quoted(pair[1])}?"
        return "Do both write their labels alike?"

    def sides(self, model: str) -> str:
        """What both look like; `model` is what the predictions are called."""
        numbers = f"{len(self.predicted):,} different numbers such as {min(self.predicted)}" if self.scores else ""
        return f"truth holds {_some(self.truth)}, {model} holds {numbers or _some(self.predicted)}"


def check_labels(
    truth: Mapping[Any, str],
    predicted: Mapping[Any, str],
    rows: int,
    *,
    declared: bool = False,
    positive: object = None,
) -> tuple[str, ...]:
    """Refuse predictions that never could be right unless labels were declared; what the reader should know of others.

    Parameters
    ----------
    rows
        Of fewer than ten it may be chance that no label is on both sides: that is said, and not refused.
    """
    labels, said = {*truth.values()}, {*predicted.values()}
    apart = None if declared else Unmatched.between(labels, said, positive)
    if apart and apart.scores:
        raise InvalidEvidence(f"{_never(apart, 'predicted')}: {GIVE_AS_SCORE}. {INSIST}")
    check_alike(truth, predicted, declared=declared)
    if apart and rows >= FEWEST:
        raise InvalidEvidence(f"{_never(apart, 'predicted')}. {apart.question} {INSIST}")
    if apart:
        return (f"{_never(apart, 'predicted')}. {apart.question}",)
    if not declared and len(said) > len(labels) and len(numbers := _fractions(labels, said)) > len(said) / 2:
        return (
            f"Of {len(said):,} different predictions {len(numbers):,} are numbers such as {min(numbers)}, which are no "
            f"labels of the truth: {GIVE_AS_SCORE}.",
        )
    return ()


def check_models(
    truth: Collection[str], answers: Mapping[str, Collection[str]], rows: int, positive: object = None
) -> tuple[str, ...]:
    """Refuse models none of which ever gives a label of the truth; what the reader should know where some never do."""
    apart = {
        model: found
        for model, said in answers.items()
        if (found := Unmatched.between(truth, said, positive)) is not None
    }
    if not apart:
        return ()
    model, first = next(iter(apart.items()))
    sides = first.sides(quoted(model, 24))
    reason = f"{sides}; these look like scores, not labels." if first.scores else f"{sides}. {first.question}"
    if len(apart) == len(answers) and (rows >= FEWEST or first.scores):
        raise InvalidEvidence(f"No model ever gives a label of the truth: {reason} {INSIST}")
    names = [quoted(name, 24) for name in [*apart][:SHOWN]]
    more = f" and {len(apart) - SHOWN:,} more models" if len(apart) > SHOWN else ""
    verb = "gives" if len(apart) == 1 else "give"
    whose = "its" if len(apart) == 1 else "their"
    return (
        f"{', '.join(names)}{more} never {verb} a label of the truth, so that all {whose} answers are wrong: {reason}",
    )


def _never(apart: Unmatched, model: str) -> str:
    return f"No prediction is a label of the truth: {apart.sides(model)}"


def _some(labels: Collection[str]) -> str:
    shown = [quoted(label) for label in sorted(labels)[:SHOWN]]
    if len(labels) > SHOWN:
        return f"{', '.join(shown)} and {len(labels) - SHOWN:,} more"
    return " and ".join(filter(None, [", ".join(shown[:-1]), shown[-1]]))


def _fractions(truth: Collection[str], predicted: Collection[str]) -> set[str]:
    """The predictions that are numbers and not whole ones, where the truth holds no such."""
    return set() if any(map(_is_fraction, truth)) else {label for label in predicted if _is_fraction(label)}


def _is_fraction(label: str) -> bool:
    if label[:1] not in "0123456789.-+":  # most labels are words, and there may be very many
        return False
    number = number_in(label)
    return number is not None and number != number // 1


def _with_words_around(long: Collection[str], short: Collection[str]) -> Iterator[tuple[str, str]]:
    """Labels of the first that begin or end with one of the second, punctuation and case apart."""
    known = {_words(label): label for label in sorted(short)[:LOOKED_AT]}
    for label in sorted(long)[:LOOKED_AT]:
        words = _words(label)
        for size in range(len(words), 0, -1):
            for part in (words[-size:], words[:size]):
                if (twin := known.get(part)) is not None and number_in(label) is None:
                    yield label, twin


def _words(label: str) -> tuple[str, ...]:
    return tuple(re.findall(r"[^\W_]+", label[:LONGEST].casefold()))
