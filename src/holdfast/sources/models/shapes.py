"""Which columns of a table hold what several models, or one of them, answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from holdfast.errors import HoldfastError
from holdfast.predictions.wording import brief, listed, opening, quoted
from holdfast.sources.columns import KNOWN, SEVERAL, Asked, Correct, Found, Header, Score, check_apart, find, plain
from holdfast.tally.panel.chosen import chosen_models


@dataclass(frozen=True)
class Single:
    """The columns of a table of one model."""

    id: str | None
    truth: str | None
    predicted: str | None
    correct: Correct | None
    score: Score | None
    cluster: str | None

    def find(self, names: Sequence[str], source: str) -> Found:
        header = Header(names, source)
        header.check_distinct()
        key = _key(header, self.id, "on")
        there = header.likely("truth") is not None if self.truth is None else self.truth in names
        said = header.likely("predicted") if self.predicted is None else header.place(self.predicted)
        if self.correct is None and not there and said is not None:  # another table may know the truth
            places = {"predicted": said} | ({} if self.score is None else {"score": _one(header, self.score)})
            if self.cluster is not None and self.cluster in names:
                places["cluster"] = header.place(self.cluster)
            found = Found(places)
        else:
            found = _answers(header, self)
        found = replace(found, places={"id": key, **found.places})
        check_apart(found.places, names)
        return found


@dataclass(frozen=True)
class Several:
    """The columns of one table of several models, wide or long: which of both it is, its header tells."""

    id: str | None
    truth: str | None
    predicted: str | None
    correct: Correct | bool | None
    score: Score | None
    cluster: str | None
    model: str | None
    models: str | Sequence[str] | None

    def find(self, names: Sequence[str], source: str) -> Found:
        header = Header(names, source)
        header.check_distinct()
        found = self._long(header) if self._is_long(header) else self._wide(header)
        check_apart(found.places, names)
        return found

    def _is_long(self, header: Header) -> bool:
        """Whether a column names the model: one was said to, or is called so and the models are no columns."""
        if self.model is not None or isinstance(self.correct, (str, Mapping)) or self.predicted is not None:
            return True
        if self.correct is True or header.likely("model") is None:
            return False
        if self.models is None:
            return True
        words = self.models.split(",") if isinstance(self.models, str) else self.models
        return not any(str(word).strip() in header.names for word in words)

    def _long(self, header: Header) -> Found:
        places = {"id": _key(header, self.id, "id"), "model": _place(header, "model", self.model)}
        found = _answers(header, self)
        return replace(found, places=places | found.places)

    def _wide(self, header: Header) -> Found:
        places = {}
        if self.id is not None:
            places["id"] = header.place(self.id)
        if self.cluster is not None:
            places["cluster"] = header.place(self.cluster)
        if self.correct is not True:
            true = header.likely("truth") if self.truth is None else header.place(self.truth)
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
            scores = {*KNOWN["score"], *KNOWN["id"]}
            known = [name for name in free if plain(name) not in scores and not plain(name).startswith(SEVERAL)]
            known = self._scored(known, header.names)
        else:
            known = free
        chosen = chosen_models(self.models, known, taken)
        places |= {f"model_{place}": header.place(name) for place, name in enumerate(chosen)}
        if self.score is not None:
            places |= {f"score_{i}": header.place(name) for i, name in enumerate(self._scores(chosen))}
        return Found(places, group_names=tuple(chosen))

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


def _values(score: Sequence[str] | Mapping[Any, str]) -> list[str]:
    return [*score.values()] if isinstance(score, Mapping) else [*score]


def _answers(header: Header, asked: Single | Several) -> Found:
    """Truth and prediction, or right and wrong; scores only where they are asked for."""
    correct = None if isinstance(asked.correct, bool) else asked.correct
    score: str | Literal[False] = asked.score is not None and header.names[_one(header, asked.score)]
    wanted = Asked(asked.truth, asked.predicted, score, correct, cluster=asked.cluster)
    found = find(header.names, wanted, header.source)
    return Found(found.places, grading=found.grading)


def _one(header: Header, score: Score) -> int:
    """Where the one column of scores stands."""
    columns = [score] if isinstance(score, str) else _values(score)
    if len(columns) != 1:
        raise HoldfastError(
            f"Here one column holds the scores, for the positive label; got {len(columns):,}: {listed(columns)}."
        )
    return header.place(columns[0])


def _key(header: Header, name: str | None, option: str) -> int:
    return _place(header, "id", name, option)


def _place(header: Header, role: str, name: str | None, option: str | None = None) -> int:
    place = header.likely(role) if name is None else header.place(name)
    if place is None:
        what = {"id": "names the item", "model": "names the model"}[role]
        option = option or role
        raise HoldfastError(
            f"{opening(brief(header.source, 120))} has no column that seems to say which {role} a row is of: say which "
            f"column {what} with {option}= (--{option}). Its columns: {listed([*header.names]) or 'none'}."
        )
    return place
