"""Which columns of a table hold what several models, or one of them, answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from holdfast.errors import HoldfastError
from holdfast.sources.columns import AnswerColumns, ColumnPlaces, Correct, Score, check_apart
from holdfast.sources.table import ID, MODEL, PREDICTED, SCORE, SEVERAL_SCORES, TRUTH, Header, Role, plain
from holdfast.tally.panel.beside import chosen_models
from holdfast.wording import brief, listed, opening, quoted


@dataclass(frozen=True)
class Single:
    """The columns of a table of one model."""

    id: str | None
    truth: str | None
    predicted: str | None
    correct: Correct | None
    score: Score | None
    beside: Mapping[str, str]  # by role, columns of how items were drawn and of groups; one table will do
    value: str | None = None  # how right each answer is, in place of all other answers

    def find(self, header: Header) -> ColumnPlaces:
        header.check_distinct()
        key = _place(header, ID, self.id, "on")
        there = header.likely(TRUTH) is not None if self.truth is None else self.truth in header.names
        predicted = header.likely(PREDICTED) if self.predicted is None else header.place(self.predicted)
        if (
            self.correct is self.value is None and not there and predicted is not None
        ):  # another table may know the truth
            places = {"predicted": predicted} | ({} if self.score is None else {"score": _one(header, self.score)})
            columns = ColumnPlaces(places)
        else:
            columns = _answers(header, self)
        there_beside = {role: name for role, name in self.beside.items() if name in header.names}
        divisions = _group_names(there_beside)
        there_beside = {role: name for role, name in there_beside.items() if not role.startswith("by_")}
        there_beside |= {f"by_{place}": name for place, name in enumerate(divisions)}
        columns = replace(
            columns,
            places={"id": key, **columns.places, **_places_beside(header, there_beside)},
            group_names=divisions,
        )
        check_apart(columns.places, header.names)
        return columns


@dataclass(frozen=True)
class Several:
    """The columns of one table of several models, wide or long: which of both it is, its header tells."""

    id: str | None
    truth: str | None
    predicted: str | None
    correct: Correct | bool | None
    score: Score | None
    beside: Mapping[str, str]  # by role, columns of how items were drawn and of groups
    model: str | None
    models: str | Sequence[str] | None
    value: str | Literal[True] | None = None  # how right each answer is; True, or a pattern, for a column per model

    def find(self, header: Header) -> ColumnPlaces:
        header.check_distinct()
        columns = self._long(header) if self._is_long(header) else self._wide(header)
        check_apart(columns.places, header.names)
        return columns

    def _is_long(self, header: Header) -> bool:
        """Whether a column names the model: one was said to, or is called so and the models are no columns."""
        if self.graded:
            return False
        if self.model is not None or isinstance(self.correct, (str, Mapping)) or self.predicted is not None:
            return True
        if self.value is not None:
            return True
        if self.correct is True or header.likely(MODEL) is None:
            return False
        if self.models is None:
            return True
        words = self.models.split(",") if isinstance(self.models, str) else self.models
        return not any(str(word).strip() in header.names for word in words)

    def _long(self, header: Header) -> ColumnPlaces:
        places = {"id": _place(header, ID, self.id, "id"), "model": _place(header, MODEL, self.model, "model")}
        columns = _answers(header, self)
        places |= columns.places | _places_beside(header, self.beside)
        return replace(columns, places=places, group_names=_group_names(self.beside))

    def _wide(self, header: Header) -> ColumnPlaces:
        places = {}
        if self.id is not None:
            places["id"] = header.place(self.id)
        places |= _places_beside(header, self.beside)
        if self.graded:
            return self._wide_values(header, places)
        if self.correct is not True:
            true = header.likely(TRUTH) if self.truth is None else header.place(self.truth)
            if true is None:
                marks = ", or, if the columns of the models say right or wrong, correct=True (--pass-fail)"
                raise HoldfastError(
                    f"{opening(brief(header.source, 120))} has no column that looks like the truth; say which with "
                    f"truth= (--truth){marks if self.correct is None else ''}. Its columns: {listed([*header.names])}."
                )
            places["truth"] = true
        taken = {header.names[place] for place in places.values()}
        free = [name for name in header.names if name.strip() and name not in taken]
        if self.models is None:
            others = {*SCORE.words, *ID.words}
            known = [name for name in free if plain(name) not in others and not plain(name).startswith(SEVERAL_SCORES)]
            known = self._scored(known, header.names)
        else:
            known = free
        chosen = chosen_models(self.models, known, taken)
        places |= {f"model_{place}": header.place(name) for place, name in enumerate(chosen)}
        if self.score is not None:
            places |= {f"score_{i}": header.place(name) for i, name in enumerate(self._scores(chosen))}
        return ColumnPlaces(places, group_names=tuple(chosen))

    @property
    def graded(self) -> bool:
        """Whether the table has a column for each model that says how right its answers are."""
        return self.value is True or (self.value is not None and "*" in self.value)

    def _wide_values(self, header: Header, places: dict[str, int]) -> ColumnPlaces:
        """A column of values for each model, called like it or by a pattern in which the star stands for it."""
        _refuse_others(self)
        pattern = "*" if self.value is True else str(self.value)
        if self.models is None and pattern == "*":
            raise HoldfastError(
                "Say which columns hold what the answers of each model are worth: models= (--models), or a pattern "
                "such as value='grade_*' (--value 'grade_*'), in which the star stands for the model."
            )
        taken = {header.names[place] for place in places.values()}
        before, _, after = pattern.partition("*")
        known = [
            name[len(before) : len(name) - len(after)]
            for name in header.names
            if name not in taken and len(name) > len(pattern) - 1 and name.startswith(before) and name.endswith(after)
        ]
        chosen = chosen_models(self.models, known, taken)
        columns = {f"value_{place}": header.place(f"{before}{name}{after}") for place, name in enumerate(chosen)}
        called = {role: f"the column {quoted(header.names[place])}" for role, place in columns.items()}
        return ColumnPlaces(places | columns, group_names=tuple(chosen), called=called)

    def _scored(self, free: Sequence[str], names: Sequence[str]) -> list[str]:
        """Those of the columns that have one of scores beside them, where scores are asked for."""
        if isinstance(self.score, Mapping):
            return [name for name in free if name in set(map(str, self.score))]
        if isinstance(self.score, str):
            return [name for name in free if "*" not in self.score or self.score.replace("*", name) in names]
        return [name for name in free if name not in (self.score or ())]

    def _scores(self, chosen: Sequence[str]) -> list[str]:
        """The column of scores of each model."""
        if isinstance(self.score, str):
            if "*" not in self.score:
                raise HoldfastError(
                    f"Every model needs a column of scores; got one, {quoted(self.score)}. Give "
                    f"score={{model: column}} "
                    "(--score MODEL=COLUMN) for each, or a pattern such as 'score_*', in which the star stands for the "
                    "model."
                )
            return [self.score.replace("*", name) for name in chosen]
        assert self.score is not None
        if isinstance(self.score, Mapping):
            by_name = {str(name): column for name, column in self.score.items()}
            if left := [name for name in chosen if name not in by_name]:
                raise HoldfastError(
                    f"score= (--score) names no column for the model {quoted(left[0])}; every model needs one."
                )
            return [by_name[name] for name in chosen]
        if len(self.score) != len(chosen):
            raise HoldfastError(
                f"score= (--score) names {len(self.score):,} columns for {len(chosen):,} models; give "
                f"one each, in their order."
            )
        return [*self.score]


def _refuse_others(model: Single | Several) -> None:
    """Refuse what says in another way how right answers are."""
    others = {"truth": model.truth, "predicted": model.predicted, "score": model.score, "correct": model.correct}
    if given := [f"{name}= (--{name})" for name, value in others.items() if value not in (None, False)]:
        raise HoldfastError(f"value= (--value) says how right each answer is: leave out {', '.join(given)}.")


def _values(score: Sequence[str] | Mapping[Any, str]) -> list[str]:
    return [*score.values()] if isinstance(score, Mapping) else [*score]


def _answers(header: Header, model: Single | Several) -> ColumnPlaces:
    """Truth and prediction, or right and wrong; scores only where they are asked for."""
    if model.value is not None:
        _refuse_others(model)
        return ColumnPlaces({"value": header.place(str(model.value))})
    correct = None if isinstance(model.correct, bool) else model.correct
    score: str | Literal[False] = model.score is not None and header.names[_one(header, model.score)]
    columns = AnswerColumns(model.truth, model.predicted, score, correct).find(header)
    return ColumnPlaces(columns.places, grading=columns.grading)


def _places_beside(header: Header, beside: Mapping[str, str]) -> dict[str, int]:
    return {role: header.place(name) for role, name in beside.items()}


def _group_names(beside: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(name for role, name in beside.items() if role.startswith("by_"))


def _one(header: Header, score: Score) -> int:
    """Where the one column of scores stands."""
    columns = [score] if isinstance(score, str) else _values(score)
    if len(columns) != 1:
        raise HoldfastError(
            f"Here one column holds the scores, for the positive label; got {len(columns):,}: {listed(columns)}."
        )
    return header.place(columns[0])


def _place(header: Header, role: Role, name: str | None, option: str) -> int:
    place = header.likely(role) if name is None else header.place(name)
    if place is None:
        what = {ID: "names the item", MODEL: "names the model"}[role]
        raise HoldfastError(
            f"{opening(brief(header.source, 120))} has no column that seems to say which {role.name} a row is of: say "
            f"which column {what} with {option}= (--{option}). Its columns: {listed([*header.names]) or 'none'}."
        )
    return place


@dataclass(frozen=True)
class BaselineColumns:
    """The columns of a baseline's answers; the truth may stand beside those of the new model alone."""

    id: str | None
    truth: str | None = None
    predicted: str | None = None
    score: Score | Literal[False] | None = None
    correct: Correct | None = None
    value: str | None = None

    def find(self, header: Header) -> ColumnPlaces:
        truth, score = self.truth, None if self.score is False else self.score
        if self.value is None and truth not in header.names:  # which may stand beside the answers of the new model
            truth = None
        found = Single(self.id, truth, self.predicted, self.correct, score, {}, self.value).find(header)
        if self.value is not None or self.score is not None or "correct" in found.places:
            return found
        likely = header.likely(SCORE, {*found.places.values()})
        return found if likely is None else replace(found, places={**found.places, "score": likely}, guessed=True)
