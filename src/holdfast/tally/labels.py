"""Labels as the user means them: one spelling each, in one order, and none mistaken for another."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from holdfast.errors import InvalidEvidence, UnknownName
from holdfast.evidence import NO_ANSWER, shown
from holdfast.predictions.coded import kind, number_in, spelled
from holdfast.wording import quoted, some

# The second of each pair is what is looked for.
PAIRS = (("0", "1"), ("-1", "1"), ("false", "true"), ("no", "yes"), ("neg", "pos"), ("negative", "positive"))


def spellings(column: str, values: Iterable[Any]) -> dict[Any, str]:
    """The label that each value of a column stands for."""
    names = {value: spelled(value) for value in values}
    for value in names:
        if isinstance(value, float) and value in (float("inf"), float("-inf")):
            raise InvalidEvidence(f"The column {column} holds {value} as a label; labels must be finite.")
    return names


def truth_as_one(*columns: dict[Any, str]) -> list[dict[Any, str]]:
    """The columns, true/false values as 1 and 0 where another column holds just these: `score > 0.5` beside 0 and 1."""
    kinds = [{kind(value) for value in column} for column in columns]
    numbers: set[str] = set()
    for column, its in zip(columns, kinds, strict=True):
        numbers |= set(column.values()) if its == {"numbers"} else set()
    if not numbers or not numbers <= {"0", "1"}:
        return [*columns]
    return [
        {value: str(int(value)) for value in column} if its == {"true/false values"} else column
        for column, its in zip(columns, kinds, strict=True)
    ]


def check_alike(truth: Mapping[Any, str], predicted: Mapping[Any, str], *, declared: bool = False) -> None:
    """Refuse two columns that mean the same labels and write them differently: they would never agree.

    Where the labels were declared, two that look alike are two.
    """
    if not truth or not predicted:
        return
    one, other = min(truth, key=truth.__getitem__), min(predicted, key=predicted.__getitem__)
    counted = {truth[one], predicted[other]} <= {"0", "1"}  # also true/false values that were taken for these
    if kind(one) != kind(other) and not (counted and "text" not in (kind(one), kind(other))):
        raise InvalidEvidence(
            f"truth holds {kind(one)} such as {shown(one)}, predicted holds {kind(other)} such as {shown(other)}: "
            "no row could ever be right. Make both the same."
        )
    if declared:
        return
    only_true = set(truth.values()).difference(predicted.values())
    only_predicted = set(predicted.values()).difference(truth.values())
    folded = {_folded(label): label for label in sorted(only_true)}
    for label in sorted(only_predicted):
        if (twin := folded.get(_folded(label))) is not None:
            raise InvalidEvidence(
                f"The label {shown(twin)} stands only in truth and {shown(label)} only in predicted: they look like "
                "one label written in two ways, and no such row would count as right. Write both the same, or, if they "
                "are two, list all labels with labels= (--labels)."
            )


def _folded(label: str) -> str:
    """What is left of a label without case, blanks and the format of numbers."""
    plain = "".join(label.split()).casefold()
    plain = {"true": "1", "false": "0"}.get(plain, plain)
    number = number_in(plain)
    return plain if number is None else spelled(number)


def ordered(seen: Collection[str], labels: Sequence[object] | None) -> list[str]:
    """The labels in the user's order; or numbers by value, and else by text. Missing answers come last."""
    found = set(seen) - {NO_ANSWER}
    last = [NO_ANSWER] if NO_ANSWER in seen else []
    if labels is None:
        values = {label: number_in(label) for label in found}
        if None in values.values():
            return [*sorted(found), *last]
        return [*sorted(found, key=lambda label: (values[label], label)), *last]
    listed = [spelled(label) for label in labels]
    if len(set(listed)) != len(listed):
        raise InvalidEvidence(f"labels must be different; got {shown(list(labels))}.")
    if left := sorted(found - set(listed)):
        more = f" (and {len(left) - 1} more)" if len(left) > 1 else ""
        raise InvalidEvidence(
            f"The data hold the label {shown(left[0])}{more}, which labels= (--labels) does not list: {shown(listed)}. "
            "List every label, or filter the rows first."
        )
    return [*(label for label in listed if label != NO_ANSWER), *last]


def positive_label(labels: Sequence[str], positive: object) -> str | None:
    """The positive label: the one given, or the obvious one of two."""
    classes = [label for label in labels if label != NO_ANSWER]
    if positive is not None:
        name = spelled(positive)
        if name not in classes and len(classes) > 1:
            raise UnknownName("label", name, classes)
        return name
    if not 1 <= len(classes) <= 2:
        return None
    lowered = {label.lower(): label for label in classes}
    for pair in PAIRS:
        if set(lowered) <= set(pair):
            return lowered.get(pair[1]) or _written_like(classes[0], pair[1])
    return None


def _written_like(label: str, other: str) -> str:
    """The other label of a pair, of which only one was seen, as its partner would be written."""
    return other.title() if label.istitle() else other.upper() if label.isupper() else other


FEWEST = 10  # rows: a coin is wrong so often in a row once in a thousand times
MANY = 100  # rows from which on it cannot be chance even where hardly any answer occurs twice
SHOWN = 3  # labels of either side, and models, that a message names
LOOKED_AT = 1_000  # labels among which one that is another with something around it is looked for
LONGEST = 200  # characters of such a label
MOST_KEPT = 10_000  # labels of a stream; where there are more, nothing is said of them
INSIST = "If all are wrong indeed, list all labels with labels= (--labels)."
GIVE_AS_SCORE = "these look like scores: give them to assess as score= (--score)"


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
        answers = {*predicted} - {NO_ANSWER}
        if not truth or not answers or not answers.isdisjoint(truth):
            return None
        if len(truth) == len(answers) == 1:
            two = {*truth, *answers}
            usual = {label.lower() for label in two} in [{*pair} for pair in PAIRS]
            if usual or (positive is not None and spelled(positive) in two):
                return None
        return cls(truth, answers)

    @property
    def scores(self) -> bool:
        """Whether the predictions look like scores."""
        return len(_fractions(self.truth, self.predicted)) > len(self.predicted) / 2

    def by_chance(self, rows: int) -> bool:
        """Whether so many rows may have no label in common although both sides write them alike.

        In few rows they may; and in rather few where answers are free text or numbers, of which most occur once.
        """
        if self.scores or rows >= MANY:
            return False
        return rows < FEWEST or (self._pair is None and 2 * len(self.truth) > rows)

    @property
    def question(self) -> str:
        """What the reader is asked: whether one label is another with words around it, if it looks so."""
        pair = self._pair
        return f"Does {quoted(pair[0])} mean {quoted(pair[1])}?" if pair else "Do both write their labels alike?"

    @cached_property
    def _pair(self) -> tuple[str, str] | None:
        sides = ((self.truth, self.predicted), (self.predicted, self.truth))
        return next((pair for long, short in sides for pair in _with_words_around(long, short)), None)

    def sides(self, model: str) -> str:
        """What both look like; `model` is what the predictions are called."""
        many = self.scores and len(self.predicted) > SHOWN
        numbers = f"{len(self.predicted):,} different numbers such as {min(self.predicted)}" if many else ""
        answers = numbers or some(sorted(self.predicted), SHOWN)
        return f"truth holds {some(sorted(self.truth), SHOWN)}, {model} holds {answers}"


def check_labels(
    truth: Mapping[Any, str],
    predicted: Mapping[Any, str],
    rows: int,
    *,
    declared: bool = False,
    positive: object = None,
) -> tuple[str, ...]:
    """Refuse predictions that never could be right, unless labels were declared; what the reader should know of others.

    Where no label is on both sides but that may be chance, it is said and not refused.
    """
    labels, answers = {*truth.values()}, {*predicted.values()}
    apart = None if declared else Unmatched.between(labels, answers, positive)
    if apart and apart.scores:
        raise InvalidEvidence(f"{_never(apart, 'predicted')}; {GIVE_AS_SCORE}. {INSIST}")
    check_alike(truth, predicted, declared=declared)
    if apart and not apart.by_chance(rows):
        raise InvalidEvidence(f"{_never(apart, 'predicted')}. {apart.question} {INSIST}")
    if apart:
        return (f"{_never(apart, 'predicted')}. {apart.question}",)
    if not declared and len(answers) > len(labels) and len(numbers := _fractions(labels, answers)) > len(answers) / 2:
        return (
            f"Of {len(answers):,} different predictions {len(numbers):,} are numbers such as {min(numbers)}, which are "
            f"no labels of the truth; {GIVE_AS_SCORE}.",
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
    if len(apart) == len(answers) and not any(found.by_chance(rows) for found in apart.values()):
        raise InvalidEvidence(f"No model ever gives a label of the truth: {reason} {INSIST}")
    names = [quoted(name, 24) for name in [*apart][:SHOWN]]
    more = f" and {len(apart) - SHOWN:,} more models" if len(apart) > SHOWN else ""
    verb = "gives" if len(apart) == 1 else "give"
    whose = "its" if len(apart) == 1 else "their"
    return (
        f"{', '.join(names)}{more} never {verb} a label of the truth, so that all {whose} answers are wrong: {reason}",
    )


class LabelsSeen:
    """The labels of a stream, kept in bounded memory until each model has given one of the truth.

    Examples
    --------
    >>> seen = LabelsSeen(["a", "b"])
    >>> seen.take("yes", ["Yes", "yes"])
    >>> print(*seen.notes())
    'a' never gives a label of the truth, so that all its answers are wrong: truth holds 'yes', 'a' holds 'Yes'. Does \
'yes' mean 'Yes'?
    """

    def __init__(self, models: Sequence[str]) -> None:
        self.truth: set[str] = set()
        self.answers: dict[str, set[str]] = {model: set() for model in models}
        self.open = [*models]  # those who have not yet given a label of the truth
        self.rows = 0

    def take(self, truth: str, answers: Sequence[str]) -> None:
        """One more row: the truth, and what each model says, which is empty where it says nothing."""
        self.rows += 1
        if not self.open:
            return
        self.truth.add(truth)
        for model, answer in zip(self.answers, answers, strict=True):
            if model in self.open and answer:
                self.answers[model].add(answer)
                if answer in self.truth or truth in self.answers[model] or len(self.answers[model]) > MOST_KEPT:
                    self.open.remove(model)
        if len(self.truth) > MOST_KEPT:
            self.open = []

    def notes(self) -> tuple[str, ...]:
        """What to know of models that never give a label of the truth; refuses where none ever does."""
        if not self.open:
            return ()
        known = {model: labels if model in self.open else self.truth for model, labels in self.answers.items()}
        return check_models(self.truth, known, self.rows)


def _never(apart: Unmatched, model: str) -> str:
    return f"No prediction is a label of the truth: {apart.sides(model)}"


def _fractions(truth: Collection[str], predicted: Collection[str]) -> set[str]:
    """The predictions that are numbers and not whole ones, where the truth holds no such."""
    return set() if any(map(_is_fraction, truth)) else {label for label in predicted if _is_fraction(label)}


def _is_fraction(label: str) -> bool:
    if label[:1] not in "0123456789.-+":  # most labels are words, and there may be very many
        return False
    number = number_in(label)
    return number is not None and number != number // 1


def _with_words_around(long: Collection[str], short: Collection[str]) -> Iterator[tuple[str, str]]:
    """Labels of the first that begin or end with one of the second, and have only words without digits around it."""
    known = {_words(label): label for label in sorted(short)[:LOOKED_AT]}
    for label in sorted(long)[:LOOKED_AT]:
        words = _words(label)
        for size in range(1, len(words) + 1):
            for part, rest in ((words[-size:], words[:-size]), (words[:size], words[size:])):
                if part in known and number_in(label) is None and not any(word[:1].isdigit() for word in rest):
                    yield label, known[part]


def _words(label: str) -> tuple[str, ...]:
    return tuple(re.findall(r"[^\W_]+", label[:LONGEST].casefold()))
