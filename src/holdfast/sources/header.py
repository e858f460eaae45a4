"""The names of a table's columns, and which of them is meant: by its name, or by a name that people use."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property

from holdfast.errors import HoldfastError, UnknownName
from holdfast.wording import listed, opening, quoted


@dataclass(frozen=True)
class Role:
    """What a column holds; the first of its words is the name we teach: where it stands, the others are not looked for.

    Where several columns bear other names of a role, they are refused, unless the words are `ranked`: then an earlier
    one wins.
    """

    name: str
    words: tuple[str, ...]
    meaning: str
    advice: str = ""  # how to say which of several it is
    ranked: bool = False


def _of_answers(name: str, meaning: str, *words: str) -> Role:
    return Role(name, (name, *words), meaning, f"Say which one is with {name}= (--{name}).")


TRUTH = _of_answers(
    *("truth", "the truth", "y_true", "true", "true_label", "actual", "target", "label", "labels", "y", "gold"),
    *("gold_label", "reference", "expected", "ground_truth", "y_test"),
)
PREDICTED = _of_answers(
    *("predicted", "the prediction", "y_pred", "pred", "preds", "prediction", "predictions", "predicted_label", "yhat"),
    *("y_hat", "output", "answer", "response"),
)
SCORE = _of_answers("score", "the score", "y_score", "scores", "prob", "probability", "proba", "y_prob", "y_proba", "p")
CORRECT = _of_answers("correct", "right or wrong", "passed", "is_correct", "pass", "success", "right")
ID = _of_answers(
    *("id", "the id of the item", "item", "item_id", "question", "question_id", "example", "example_id", "task"),
    *("task_id", "sample_id", "row_id", "uid", "key"),
)
MODEL = _of_answers("model", "the name of the model", "model_name", "model_id", "system", "classifier")
ANSWERS = (TRUTH, PREDICTED, SCORE, CORRECT, ID, MODEL)
SEVERAL_SCORES = ("score_", "prob_", "proba_", "probability_")  # before the label that a column of scores speaks for


def _of_folds(name: str, *words: str) -> Role:
    return Role(name, (name, *words), name, f"Give {name}=.")


FOLDS = (
    _of_folds("fold", "split", "cv_fold", "fold_id", "cv"),
    _of_folds("repeat", "repetition", "rep", "run"),
    _of_folds("model", "classifier", "learner", "algorithm", "estimator"),
    _of_folds("n_train", "train_size", "trained_on"),
    _of_folds("n_test", "test_size", "tested_on", "n"),
)

DATASET = Role(
    "datasets", ("dataset", "data_set", "datasets", "task", "benchmark", "problem"), "the data sets", ranked=True
)
MODEL_OF_DATASETS = Role("model", ("model", "algorithm", "classifier", "learner", "method"), "the models", ranked=True)


LONGEST_NAME = 200  # longer ones are nobody's near miss


@dataclass(frozen=True)
class Header:
    """The names of a table's columns, in their order."""

    names: Sequence[str]
    source: str

    @cached_property
    def _counts(self) -> Counter[str]:
        return Counter(filter(str.strip, self.names))

    def check_distinct(self) -> None:
        """A name that stands twice would be taken at random; only columns without a name may be several."""
        for name, count in self._counts.most_common(1):
            if count > 1:
                raise self._repeated(name)

    def place(self, name: str) -> int:
        """Where the column of exactly this name stands."""
        if name not in self.names:
            self._refuse(str(name))
        if self._counts[name] > 1:
            raise self._repeated(name)
        return self.names.index(name)

    def called(self, words: Collection[str], taken: Collection[int] = ()) -> list[int]:
        """The columns that bear one of these names, however it is written, of those that are not taken."""
        return [place for place, name in enumerate(self.names) if place not in taken and plain(name) in words]

    def likely(self, role: Role, taken: Collection[int] = ()) -> int | None:
        """The one column that bears a name of the role, of those that are not taken; None where there is none."""
        for words in [(word,) for word in role.words] if role.ranked else (role.words[:1], role.words):
            places = self.called(words, taken)
            if len(places) > 1 and not role.ranked:
                names = listed([self.names[place] for place in places])
                raise HoldfastError(
                    f"{opening(self.source)} has several columns that may be {role.meaning}: {names}. {role.advice}"
                )
            if places:
                return places[0]
        return None

    def places(self, roles: Iterable[Role], names: Mapping[str, str | None]) -> dict[str, int]:
        """Under its name the place of each role: of the column that was named, or else of a likely one."""
        places = {
            role.name: self.likely(role) if (name := names.get(role.name)) is None else self.place(name)
            for role in roles
        }
        return {role: place for role, place in places.items() if place is not None}

    def _repeated(self, name: str) -> HoldfastError:
        count = self._counts[name]
        return HoldfastError(f"{opening(self.source)} has {count:,} columns named {quoted(name)}; rename one.")

    def _refuse(self, name: str) -> None:
        by_lower = {known.lower(): known for known in self.names if len(known) <= LONGEST_NAME}
        near = get_close_matches(name[:LONGEST_NAME].lower(), by_lower, n=1, cutoff=0.6)
        if near and len(name) <= LONGEST_NAME:
            raise UnknownName("column", name, [by_lower[near[0]]])
        names = listed([*self.names]) or "none"
        if names == ", ".join(self.names):
            raise UnknownName("column", quoted(name)[1:-1], self.names)
        raise HoldfastError(f"There is no column named {quoted(name)}; {self.source} has {names}.")


def plain(name: str) -> str:
    """A name without case, blanks around it and the ways to write a space."""
    return re.sub(r"[\s.\-]+", "_", name[:LONGEST_NAME].strip()).casefold()
