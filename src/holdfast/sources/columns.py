"""Which column is which: by the names given, or by the names that people use."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Any, Literal, Protocol

from holdfast.errors import HoldfastError, UnknownName
from holdfast.predictions.grading import BY_USUAL_WORDS, Grading, named_right
from holdfast.predictions.wording import left_out, listed, opening, quoted

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
Correct = str | Mapping[str, Any]  # a column; COLUMN=VALUE,... or {column: values} where these values count as right


class Finds(Protocol):
    """Whatever can say which columns it wants of those that there are."""

    def find(self, names: Sequence[str], source: str) -> Found: ...


@dataclass(frozen=True)
class Asked:
    """The columns a user names; None where they are to be found."""

    truth: str | None = None
    predicted: str | None = None
    score: Score | Literal[False] | None = None  # False where none are to be looked for
    correct: Correct | None = None
    by: tuple[str, ...] = ()
    cluster: str | None = None
    margin: str | None = None
    unpredicted: bool = False  # whether truth and score will do
    id: str | None = None

    def find(self, names: Sequence[str], source: str) -> Found:
        """Where the columns stand that were asked for, or that bear a name people use."""
        return find(names, self, source)


@dataclass(frozen=True)
class Found:
    """Under each of our names the place of its column; the labels of scores, names of groups, and what is right."""

    places: dict[str, int] = field(default_factory=dict)
    score_labels: tuple[str, ...] = ()
    group_names: tuple[str, ...] = ()
    grading: Grading = BY_USUAL_WORDS
    guessed: bool = False  # whether the scores were found by the name of their column, not asked for
    notes: tuple[str, ...] = ()  # what the reader should know of the columns

    def without_scores(self, reason: object) -> Found:
        """The same but for the scores, and a note that says why."""
        places = {role: place for role, place in self.places.items() if not role.startswith("score")}
        return replace(self, places=places, score_labels=(), notes=(*self.notes, left_out(reason)))


def find(names: Sequence[str], asked: Asked, source: str) -> Found:
    """Where the columns stand that were asked for, or that bear a name people use."""
    header = Header(names, source)
    header.check_distinct()
    beside = {f"by_{i}": header.place(name) for i, name in enumerate(asked.by)}
    beside |= {
        role: header.place(name)
        for role, name in (("cluster", asked.cluster), ("margin", asked.margin), ("id", asked.id))
        if name is not None
    }
    answers = _answers(header, asked, beside)
    found = replace(answers, places={**answers.places, **beside}, group_names=asked.by)
    check_apart(found.places, names)
    return found


def is_number(role: str) -> bool:
    """Whether a column of this role holds numbers; all others hold labels or features."""
    return role.startswith("score") or role == "margin"


def is_feature(role: str) -> bool:
    """Whether a column of this role is what models predict from, and stays of its own kind."""
    return role.startswith("feature_")


def _answers(header: Header, asked: Asked, beside: Mapping[str, int]) -> Found:
    """The columns of the answers; with a margin beside them they may be missing, for it says which are right."""
    names, source = header.names, header.source
    if asked.correct is not None:
        if asked.truth is not None or asked.predicted is not None or asked.score:
            raise HoldfastError(
                "Give truth= (--truth) and predicted= (--predicted), or correct= (--correct) alone: it "
                "says already which "
                "answers are right."
            )
        return header.graded(asked.correct)
    places = {
        role: header.likely(role) if name is None else header.place(name)
        for role, name in (("truth", asked.truth), ("predicted", asked.predicted))
    }
    given = asked.truth is not None or asked.predicted is not None or asked.score
    if not given and None in places.values() and (correct := header.likely("correct")) is not None:
        return header.graded(header.names[correct])
    found = {role: place for role, place in places.items() if place is not None}
    if "margin" in beside and not given and len(found) < len(places):
        return Found()
    absent = [role for role in places if role not in found]
    scored = _scored(header, asked, {*found.values(), *beside.values()}, needed=absent == ["predicted"])
    if absent and not (absent == ["predicted"] and asked.unpredicted and scored.places):
        meant = " and ".join(map(MEANING.__getitem__, absent))
        options = " and ".join(f"{role}= (--{role})" for role in absent)
        looks = "columns that look" if len(absent) > 1 else "column that looks"
        raise HoldfastError(
            f"{opening(source)} has no {looks} like {meant}; say which with {options}. "
            f"Its columns: {listed([*names]) or 'none'}."
        )
    return replace(scored, places={**found, **scored.places})


def _scored(header: Header, asked: Asked, taken: Collection[int], needed: bool) -> Found:
    """The columns of scores; those that are found by name break nothing where they are not needed."""
    if asked.score is False:
        return Found()
    if asked.score is not None:
        return Found(*header.scores(asked.score))
    try:
        return Found(*header.likely_scores(taken), guessed=not needed)
    except HoldfastError as error:
        if needed:
            raise
        return Found(notes=(left_out(error),))


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

    def graded(self, asked: Correct) -> Found:
        """The column that says which answers are right, and how: on its own, or by values that were named with it."""
        if isinstance(asked, Mapping):
            if len(asked) != 1:
                raise HoldfastError(
                    f"correct= takes one column and its values that count as right, as {{'grade': ['C']}}; "
                    f"got {len(asked):,} columns."
                )
            ((name, values),) = asked.items()
            return Found({"correct": self.place(name)}, grading=named_right(name, values))
        if asked in self.names:
            grading = Grading(f"the column {quoted(asked)}", column=asked)
            return Found({"correct": self.place(asked)}, grading=grading)
        words = str(asked).split("=")
        for end in range(1, len(words)):  # a name may hold the sign itself
            if (name := "=".join(words[:end])) in self.names:
                values = "=".join(words[end:]).split(",")
                return Found({"correct": self.place(name)}, grading=named_right(name, values))
        return Found({"correct": self.place(words[0])})  # which is refused

    def likely(self, role: str, taken: Collection[int] = ()) -> int | None:
        """The one column whose name people use for this, of those that are not taken; None where there is none."""
        free = [(place, name) for place, name in enumerate(self.names) if place not in taken]
        for candidates in (KNOWN[role][:1], KNOWN[role]):
            found = [place for place, name in free if plain(name) in candidates]
            if len(found) > 1:
                told = listed([self.names[place] for place in found])
                raise HoldfastError(
                    f"{opening(self.source)} has several columns that may be {MEANING[role]}: {told}. "
                    f"Say which one is with {role}= (--{role})."
                )
            if found:
                return found[0]
        return None

    def scores(self, asked: Score) -> tuple[dict[str, int], tuple[str, ...]]:
        """The column of scores that was named; or several, and the label that each speaks for."""
        if isinstance(asked, str):
            return {"score": self.place(asked)}, ()
        if isinstance(asked, Mapping):
            return self._several([(str(label), self.place(name)) for label, name in asked.items()])
        if len(asked) == 1:
            return {"score": self.place(asked[0])}, ()
        return self._several([(_label(name), self.place(name)) for name in asked])

    def likely_scores(self, taken: Collection[int]) -> tuple[dict[str, int], tuple[str, ...]]:
        """The same by the names that people use; none where there are none."""
        single = self.likely("score", taken)
        if single is not None:
            return {"score": single}, ()
        free = [(place, name) for place, name in enumerate(self.names) if place not in taken]
        labelled = [(label, place) for place, name in free if (label := _labelled(name)) is not None]
        return self._several(labelled) if len(labelled) > 1 else ({}, ())

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
