"""Labels as the user means them: one spelling each, in one order, and none mistaken for another."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from holdfast.errors import InvalidEvidence, UnknownName
from holdfast.evidence import NO_ANSWER, shown
from holdfast.predictions.coded import kind, number_in, spelled

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
