"""Which columns hold the answers of a model: by the names given, or by the names that people use."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol, runtime_checkable

from holdfast.errors import HoldfastError
from holdfast.predictions.grading import BY_USUAL_WORDS, Grading, named_right
from holdfast.sources.table import CORRECT, PREDICTED, SCORE, SEVERAL_SCORES, TRUTH, Header
from holdfast.wording import left_out, listed, opening, quoted

Score = str | Sequence[str] | Mapping[Any, str]
Correct = str | Mapping[str, Any]  # a column; COLUMN=VALUE,... or {column: values} where these values count as right

BESIDE = (  # that are only found where named
    *("cluster", "margin", "id", "value", "weight", "inclusion", "stratum"),
    *("baseline", "baseline_score"),
)
NUMBERS = ("margin", "value", "weight", "inclusion", "baseline_score")


class Finder(Protocol):
    """Whatever can say which columns it wants of those that there are."""

    def find(self, header: Header) -> ColumnPlaces: ...


@runtime_checkable
class Declaring(Protocol):
    """A finder that takes columns that the rows themselves declare, such as those of a log, where a user names none."""

    def declaring(self, columns: Mapping[str, str]) -> Finder: ...


@dataclass(frozen=True)
class ColumnPlaces:
    """Under each of our names the place of its column; the labels of scores, names of groups, and what is right."""

    places: dict[str, int] = field(default_factory=dict)
    score_labels: tuple[str, ...] = ()
    group_names: tuple[str, ...] = ()
    grading: Grading = BY_USUAL_WORDS
    guessed: bool = False  # whether the scores were found by the name of their column, not asked for
    notes: tuple[str, ...] = ()  # what the reader should know of the columns
    called: Mapping[str, str] = field(default_factory=dict)  # what messages call a column, where not by our name

    def without_scores(self, reason: object) -> ColumnPlaces:
        """The same but for the scores, and a note that says why."""
        places = {role: place for role, place in self.places.items() if not role.startswith("score")}
        return replace(self, places=places, score_labels=(), notes=(*self.notes, left_out(reason)))


@dataclass(frozen=True)
class AnswerColumns:
    """The columns of one model's answers as a user names them; None where they are to be found."""

    truth: str | None = None
    predicted: str | None = None
    score: Score | Literal[False] | None = None  # False where none are to be looked for
    correct: Correct | None = None
    by: tuple[str, ...] = ()
    cluster: str | None = None
    margin: str | None = None
    unpredicted: bool = False  # whether truth and score will do
    id: str | None = None
    value: str | None = None  # how right each answer is, in place of all other answers
    weight: str | None = None
    inclusion: str | None = None  # in place of weights, the chances with which rows were drawn
    stratum: str | None = None
    baseline: str | None = None  # what the model before answered to the same rows
    baseline_score: str | None = None

    @property
    def answers_named(self) -> bool:
        """Whether any column of answers was named; False for scores says that there are none."""
        return any(name is not None and name is not False for name in (self.truth, self.predicted, self.score))

    def declaring(self, columns: Mapping[str, str]) -> AnswerColumns:
        """With these columns by their roles, unless others are named; answers in columns that are named stay so."""
        answered = self.answers_named or self.correct is not None or self.value is not None
        kept = {"id", "cluster"} if answered else {*columns}
        more: dict[str, Any] = {each: columns[each] for each in kept & {*columns} if getattr(self, each) is None}
        return replace(self, **more)

    def find(self, header: Header) -> ColumnPlaces:
        """Where the columns stand that were asked for, or that bear a name people use."""
        header.check_distinct()
        beside = {f"by_{i}": header.place(name) for i, name in enumerate(self.by)}
        beside |= {role: header.place(name) for role in BESIDE if (name := getattr(self, role)) is not None}
        answers = self._answers(header, beside)
        columns = replace(answers, places={**answers.places, **beside}, group_names=self.by)
        check_apart(columns.places, header.names)
        return columns

    def _answers(self, header: Header, beside: Mapping[str, int]) -> ColumnPlaces:
        """The columns of the answers; with a margin beside them they may be missing, for it says which are right."""
        if self.value is not None:
            if self.answers_named or self.correct is not None:
                raise HoldfastError(
                    "value= (--value) says how right each answer is: leave out truth= (--truth), predicted= "
                    "(--predicted), score= (--score) and correct= (--correct)."
                )
            return ColumnPlaces()
        if self.correct is not None:
            if self.answers_named:
                raise HoldfastError(
                    "Give truth= (--truth) and predicted= (--predicted), or correct= (--correct) alone: it "
                    "says already which "
                    "answers are right."
                )
            return _graded(header, self.correct)
        places = header.places((TRUTH, PREDICTED), {"truth": self.truth, "predicted": self.predicted})
        absent = [role for role in (TRUTH, PREDICTED) if role.name not in places]
        given = self.answers_named
        if not given and absent and (correct := header.likely(CORRECT)) is not None:
            return _graded(header, header.names[correct])
        if not given and absent and "margin" in beside:
            return ColumnPlaces()
        scores = self._scores(header, {*places.values(), *beside.values()}, needed=absent == [PREDICTED])
        if absent and not (absent == [PREDICTED] and self.unpredicted and scores.places):
            meant = " and ".join(role.meaning for role in absent)
            options = " and ".join(f"{role.name}= (--{role.name})" for role in absent)
            looks = "columns that look" if len(absent) > 1 else "column that looks"
            raise HoldfastError(
                f"{opening(header.source)} has no {looks} like {meant}; say which with {options}. "
                f"Its columns: {listed([*header.names]) or 'none'}."
            )
        return replace(scores, places={**places, **scores.places})

    def _scores(self, header: Header, taken: Collection[int], needed: bool) -> ColumnPlaces:
        """The columns of scores; those that are found by name break nothing where they are not needed."""
        if self.score is False:
            return ColumnPlaces()
        if self.score is not None:
            return ColumnPlaces(*_named_scores(header, self.score))
        try:
            return ColumnPlaces(*_likely_scores(header, taken), guessed=not needed)
        except HoldfastError as error:
            if needed:
                raise
            return ColumnPlaces(notes=(left_out(error),))


def is_number(role: str) -> bool:
    """Whether a column of this role holds numbers; all others hold labels or features."""
    return role.startswith(("score", "value_")) or role in NUMBERS


def is_feature(role: str) -> bool:
    """Whether a column of this role is what models predict from, and stays of its own kind."""
    return role.startswith("feature_")


def check_apart(places: Mapping[str, int], names: Sequence[str]) -> None:
    """Refuse one column for two roles."""
    roles: dict[int, str] = {}
    for role, place in places.items():
        of_model = role.startswith(("model_", "value_"))
        meaning = "a column of groups" if role.startswith("by_") else "a model" if of_model else role
        if place in roles:
            raise HoldfastError(
                f"The column {quoted(names[place])} cannot be both {roles[place]} and {meaning}; name another."
            )
        roles[place] = meaning


def _graded(header: Header, correct: Correct) -> ColumnPlaces:
    """The column that says which answers are right, and how: on its own, or by values that were named with it."""
    if isinstance(correct, Mapping):
        if len(correct) != 1:
            raise HoldfastError(
                f"correct= takes one column and its values that count as right, as {{'grade': ['C']}}; "
                f"got {len(correct):,} columns."
            )
        ((name, values),) = correct.items()
        return ColumnPlaces({"correct": header.place(name)}, grading=named_right(name, values))
    if correct in header.names:
        grading = Grading(f"the column {quoted(correct)}", column=correct)
        return ColumnPlaces({"correct": header.place(correct)}, grading=grading)
    words = str(correct).split("=")
    for end in range(1, len(words)):  # a name may hold the sign itself
        if (name := "=".join(words[:end])) in header.names:
            values = "=".join(words[end:]).split(",")
            return ColumnPlaces({"correct": header.place(name)}, grading=named_right(name, values))
    return ColumnPlaces({"correct": header.place(words[0])})  # which is refused


Scores = tuple[dict[str, int], tuple[str, ...]]  # under our names the places of the columns, and their labels


def _named_scores(header: Header, score: Score) -> Scores:
    """The column of scores that was named; or several, and the label that each speaks for."""
    if isinstance(score, str):
        return {"score": header.place(score)}, ()
    if isinstance(score, Mapping):
        return _several(header, [(str(label), header.place(name)) for label, name in score.items()])
    if len(score) == 1:
        return {"score": header.place(score[0])}, ()
    return _several(header, [(_label(name) or name, header.place(name)) for name in score])


def _likely_scores(header: Header, taken: Collection[int]) -> Scores:
    """The same by the names that people use; none where there are none."""
    single = header.likely(SCORE, taken)
    if single is not None:
        return {"score": single}, ()
    free = [(place, name) for place, name in enumerate(header.names) if place not in taken]
    labelled = [(label, place) for place, name in free if (label := _label(name)) is not None]
    return _several(header, labelled) if len(labelled) > 1 else ({}, ())


def _several(header: Header, labelled: Sequence[tuple[str, int]]) -> Scores:
    labels = tuple(label for label, _ in labelled)
    if len(set(labels)) < len(labels):
        twice = next(label for label in labels if labels.count(label) > 1)
        raise HoldfastError(
            f"{opening(header.source)} has several columns of scores for the label {quoted(twice)}; rename one."
        )
    return {f"score_{i}": place for i, (_, place) in enumerate(labelled)}, labels


def _label(name: str) -> str | None:
    """The label that a column called score_LABEL speaks for."""
    lowered = name.strip().lower()
    prefixes = (prefix for prefix in SEVERAL_SCORES if lowered.startswith(prefix) and len(lowered) > len(prefix))
    prefix = next(prefixes, None)
    return None if prefix is None else name.strip()[len(prefix) :]
