"""Which column is which: by the names given, or by the names that people use."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, Protocol

from holdfast.errors import HoldfastError, UnknownName
from holdfast.predictions.wording import listed, opening, quoted

# The first of each is the name we teach: where it stands, the others are not looked for.
KNOWN = {
    "truth": (
        *("truth", "y_true", "true", "true_label", "actual", "target", "label", "labels", "y", "gold", "gold_label"),
        *("reference", "expected", "ground_truth", "y_test"),
    ),
    "predicted": (
        *("predicted", "y_pred", "pred", "preds", "prediction", "predictions", "predicted_label", "yhat", "y_hat"),
        *("output", "answer", "response"),
    ),
    "score": ("score", "y_score", "scores", "prob", "probability", "proba", "y_prob", "y_proba", "p"),
    "correct": ("correct", "passed", "is_correct", "pass", "success", "right"),
    "id": (
        *("id", "item", "item_id", "question", "question_id", "example", "example_id", "task", "task_id"),
        *("sample_id", "row_id", "uid", "key"),
    ),
    "model": ("model", "model_name", "model_id", "system", "classifier"),
}
MEANING = {
    "truth": "the truth",
    "predicted": "the prediction",
    "score": "the score",
    "correct": "right or wrong",
    "id": "the id of the item",
    "model": "the name of the model",
}
SEVERAL = ("score_", "prob_", "proba_", "probability_")
LONGEST_NAME = 200  # longer ones are nobody's near miss

Score = str | Sequence[str] | Mapping[Any, str]


class Finds(Protocol):
    """Whatever can say which columns it wants of those that there are."""

    def find(self, names: Sequence[str], source: str) -> Found: ...


@dataclass(frozen=True)
class Asked:
    """The columns a user names; None where they are to be found."""

    truth: str | None = None
    predicted: str | None = None
    score: Score | None = None
    correct: str | None = None
    by: tuple[str, ...] = ()
    cluster: str | None = None
    margin: str | None = None
    unpredicted: bool = False  # whether truth and score will do

    def find(self, names: Sequence[str], source: str) -> Found:
        """Where the columns stand that were asked for, or that bear a name people use."""
        return find(names, self, source)


@dataclass(frozen=True)
class Found:
    """Under each of our names the place of its column, the labels that scores speak for, and the names of groups."""

    places: dict[str, int] = field(default_factory=dict)
    score_labels: tuple[str, ...] = ()
    group_names: tuple[str, ...] = ()


def find(names: Sequence[str], asked: Asked, source: str) -> Found:
    """Where the columns stand that were asked for, or that bear a name people use."""
    header = Header(names, source)
    header.check_distinct()
    beside = {f"by_{i}": header.place(name) for i, name in enumerate(asked.by)}
    beside |= {
        role: header.place(name)
        for role, name in (("cluster", asked.cluster), ("margin", asked.margin))
        if name is not None
    }
    answers = _answers(header, asked, alone="margin" in beside)
    places = {**answers.places, **beside}
    check_apart(places, names)
    return Found(places, answers.score_labels, asked.by)


def is_number(role: str) -> bool:
    """Whether a column of this role holds numbers; all others hold labels or features."""
    return role.startswith("score") or role == "margin"


def is_feature(role: str) -> bool:
    """Whether a column of this role is what models predict from, and stays of its own kind."""
    return role.startswith("feature_")


def _answers(header: Header, asked: Asked, alone: bool) -> Found:
    """The columns of the answers; with a margin they may be missing, for it says which are right."""
    names, source = header.names, header.source
    if asked.correct is not None:
        if asked.truth is not None or asked.predicted is not None or asked.score:
            raise HoldfastError(
                "Give truth= and predicted=, or correct= alone: it says already which answers are right."
            )
        return Found({"correct": header.place(asked.correct)})
    places = {
        role: header.likely(role) if name is None else header.place(name)
        for role, name in (("truth", asked.truth), ("predicted", asked.predicted))
    }
    given = asked.truth is not None or asked.predicted is not None or asked.score
    if not given and None in places.values() and (correct := header.likely("correct")) is not None:
        return Found({"correct": correct})
    found = {role: place for role, place in places.items() if place is not None}
    if alone and not given and len(found) < len(places):
        return Found()
    absent = [role for role in places if role not in found]
    if absent == ["predicted"] and asked.unpredicted:
        absent = []
    if absent:
        meant = " and ".join(map(MEANING.__getitem__, absent))
        options = " and ".join(f"{role}=" for role in absent)
        typed = " and ".join(f"--{role}" for role in absent)
        looks = "columns that look" if len(absent) > 1 else "column that looks"
        raise HoldfastError(
            f"{opening(source)} has no {looks} like {meant}; say which with {options} "
            f"(on the command line {typed}). Its columns: {listed([*names]) or 'none'}."
        )
    scores, labels = header.scores(asked.score)
    return Found(found | scores, labels)


@dataclass(frozen=True)
class Header:
    """The names of a table's columns, in their order."""

    names: Sequence[str]
    source: str

    def check_distinct(self) -> None:
        """A name that stands twice would be taken at random; only columns without a name may be several."""
        for name, count in Counter(filter(str.strip, self.names)).most_common(1):
            if count > 1:
                raise HoldfastError(f"{opening(self.source)} has {count:,} columns named {quoted(name)}; rename one.")

    def place(self, name: str) -> int:
        """Where the column of exactly this name stands."""
        if name not in self.names:
            self._refuse(str(name))
        return self.names.index(name)

    def likely(self, role: str) -> int | None:
        """The one column whose name people use for this; None where there is none."""
        for candidates in (KNOWN[role][:1], KNOWN[role]):
            found = [place for place, name in enumerate(self.names) if plain(name) in candidates]
            if len(found) > 1:
                told = listed([self.names[place] for place in found])
                raise HoldfastError(
                    f"{opening(self.source)} has several columns that may be {MEANING[role]}: {told}. "
                    f"Say which one is with {role}= (on the command line --{role})."
                )
            if found:
                return found[0]
        return None

    def scores(self, asked: Score | None) -> tuple[dict[str, int], tuple[str, ...]]:
        """The column of scores; or several, and the label that each speaks for."""
        if isinstance(asked, str):
            return {"score": self.place(asked)}, ()
        if isinstance(asked, Mapping):
            return self._several([(str(label), self.place(name)) for label, name in asked.items()])
        if asked is not None:
            if len(asked) == 1:
                return {"score": self.place(asked[0])}, ()
            return self._several([(_label(name), self.place(name)) for name in asked])
        single = self.likely("score")
        labelled = [(label, place) for place, name in enumerate(self.names) if (label := _labelled(name)) is not None]
        if single is None:
            return self._several(labelled) if len(labelled) > 1 else ({}, ())
        return {"score": single}, ()

    def _several(self, labelled: Sequence[tuple[str, int]]) -> tuple[dict[str, int], tuple[str, ...]]:
        labels = tuple(label for label, _ in labelled)
        if len(set(labels)) < len(labels):
            twice = next(label for label in labels if labels.count(label) > 1)
            raise HoldfastError(
                f"{opening(self.source)} has several columns of scores for the label {quoted(twice)}; rename one."
            )
        return {f"score_{i}": place for i, (_, place) in enumerate(labelled)}, labels

    def _refuse(self, name: str) -> None:
        by_lower = {known.lower(): known for known in self.names if len(known) <= LONGEST_NAME}
        near = get_close_matches(name[:LONGEST_NAME].lower(), by_lower, n=1, cutoff=0.6)
        if near and len(name) <= LONGEST_NAME:
            raise UnknownName("column", name, [by_lower[near[0]]])
        told = listed([*self.names]) or "none"
        if told == ", ".join(self.names):
            raise UnknownName("column", quoted(name)[1:-1], self.names)
        raise HoldfastError(f"There is no column named {quoted(name)}; {self.source} has {told}.")


def plain(name: str) -> str:
    """A name without case, blanks around it and the ways to write a space."""
    return re.sub(r"[\s.\-]+", "_", name[:LONGEST_NAME].strip()).casefold()


def _labelled(name: str) -> str | None:
    """The label that a column called score_LABEL speaks for."""
    lowered = name.strip().lower()
    prefix = next((prefix for prefix in SEVERAL if lowered.startswith(prefix) and len(lowered) > len(prefix)), None)
    return None if prefix is None else name.strip()[len(prefix) :]


def _label(name: str) -> str:
    return _labelled(name) or name


def check_apart(found: Mapping[str, int], names: Sequence[str]) -> None:
    places: dict[int, str] = {}
    for role, place in found.items():
        said = "a column of groups" if role.startswith("by_") else "a model" if role.startswith("model_") else role
        if place in places:
            raise HoldfastError(
                f"The column {quoted(names[place])} cannot be both {places[place]} and {said}; name another."
            )
        places[place] = said
