"""The answers of several models laid out beside each other, and what to do about those that are not there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast.errors import InvalidEvidence
from holdfast.evidence import NO_ANSWER, Array, Integers
from holdfast.evidence.pools.panel import Panel
from holdfast.predictions import Missing
from holdfast.predictions.design import Design
from holdfast.predictions.grading import Values
from holdfast.tally.rows import Words, mix, seed_of, so_many
from holdfast.wording import brief, quoted

Places = NDArray[np.signedinteger[Any]]
Flags = NDArray[np.bool_]
NAMED = 3  # models and items that a message names
RIGHT = 1  # the code of a right answer where there are no labels; a wrong one is 0


@dataclass(frozen=True, eq=False)
class Sheet:
    """A row a model and a column an item: the place of the answer's label (or right or wrong), -1 where there is none.

    Where a model answers an item several times, `tries` and `right` stand in place of the answers; where answers may be
    partly right, `grades` do.
    """

    models: tuple[str, ...]
    source: str
    rows: int
    answers: Places | None = None
    absent: Flags | None = None  # where an answer is missing; by default where it is -1
    tries: Integers | None = None
    right: Integers | None = None
    grades: Array | None = (
        None  # how right each answer is, from 0 to 1, in place of the answers; NaN where there is none
    )
    values: Values | None = None  # the range of these
    labels: tuple[str, ...] = ()
    truth: Places | None = None  # likewise -1 where there is none
    scores: Array | None = None  # NaN where there is none
    positive: str | None = None
    clusters: Places | None = None  # -1 where there is none
    weights: Array | None = None  # NaN where there is none
    strata: Places | None = None  # -1 where there is none
    stratum_names: tuple[str, ...] = ()
    groups: Mapping[str, tuple[tuple[str, ...], Integers]] = field(default_factory=dict)  # by column: names, places
    design: Design = field(default_factory=Design)
    ids: Any = None  # a column of the engine, where items have any
    missing: dict[str, int] = field(default_factory=dict)  # rows that were left out already, and why
    notes: tuple[str, ...] = ()
    declared: bool = False  # whether the labels were, and not just found

    def noting(self, notes: Sequence[str]) -> Sheet:
        """With more that the reader should know of."""
        return replace(self, notes=(*self.notes, *notes))

    def named(self, places: Integers) -> str:
        """The first few items, by their ids or rows."""
        more = ", ..." if len(places) > NAMED else ""
        some = places[:NAMED].tolist()
        if self.ids is None:
            return f"row{'s' if len(some) > 1 else ''} " + ", ".join(f"{place + 1:,}" for place in some) + more
        return ", ".join(quoted(self.ids[place], 20) for place in some) + more

    def panel(self, way: Missing) -> Panel:
        """The panel, once what is missing was refused, dropped or counted as wrong."""
        items = self._items
        if not items:
            raise InvalidEvidence(f"There are no rows to compare in {brief(self.source)}.")
        absent = self._absent
        lacking = self._lacking()
        gone: Flags = np.logical_or.reduce([absent.any(axis=0), *lacking.values()])
        incomplete = int(np.count_nonzero(gone))
        if incomplete and (way == "refuse" or (way == "wrong" and lacking)):
            raise self._refused(absent, lacking, incomplete, way)
        if incomplete == items and way == "drop":
            raise self._nothing_common(absent)
        sheet, missing, notes = self, dict(self.missing), [*self.notes]
        if incomplete:
            answers = int(np.count_nonzero(absent))
            missing |= {"answer": missing.get("answer", 0) + answers} if answers else {}
            missing |= {role: int(np.count_nonzero(which)) for role, which in lacking.items()}
            sentences = self._told(absent, lacking)
            if way == "drop":
                sheet = self._kept(~gone)
                notes.append(f"Left out: {incomplete:,} of {so_many_items(items)}; {sentences}.")
            else:
                sheet = self._counted_as_wrong(absent)
                notes.append(f"Counted as errors, {answers:,} in all: of {so_many_items(items)}, {sentences}.")
        return replace(sheet, missing=missing, notes=tuple(notes))._made(incomplete if way == "drop" else 0)

    @property
    def _items(self) -> int:
        laid_out = next(each for each in (self.answers, self.grades, self.tries) if each is not None)
        return int(laid_out.shape[1])

    @property
    def _absent(self) -> Flags:
        if self.absent is not None:
            return self.absent
        if self.grades is not None:
            return np.isnan(self.grades)
        assert self.answers is not None
        return self.answers < 0

    def _lacking(self) -> dict[str, Flags]:
        """Where items lack more than an answer, by what they lack."""
        lacking = {
            "truth": None if self.truth is None else self.truth < 0,
            "score": None if self.scores is None else np.isnan(self.scores).any(axis=0),
            "cluster": None if self.clusters is None else self.clusters < 0,
            "weight": None if self.weights is None else np.isnan(self.weights),
            "stratum": None if self.strata is None else self.strata < 0,
        }
        return {role: np.asarray(which) for role, which in lacking.items() if which is not None and which.any()}

    def _told(self, absent: Flags, lacking: dict[str, Flags]) -> str:
        sentences = []
        each = np.count_nonzero(absent, axis=1)
        if each.any():
            worst = np.argsort(-each, kind="stable")[: min(NAMED, np.count_nonzero(each))]
            which = ", ".join(f"{quoted(self.models[m], 24)} {each[m]:,}" for m in worst)
            rest = np.count_nonzero(each) - len(worst)
            which += f" and {rest:,} more models some" if rest else ""
            places = np.flatnonzero(absent.any(axis=0))
            lack = "lacks" if len(places) == 1 else "lack"
            sentences.append(f"{len(places):,} {lack} an answer ({which}; e.g. {self.named(places)})")
        for role, where in lacking.items():
            places = np.flatnonzero(where)
            have = "has" if len(places) == 1 else "have"
            sentences.append(
                f"{len(places):,} {have} no {role}" + ("" if sentences else f" (e.g. {self.named(places)})")
            )
        return " and ".join(sentences)

    def _refused(self, absent: Flags, lacking: dict[str, Flags], incomplete: int, way: Missing) -> InvalidEvidence:
        items = self._items
        reason = f"Of the {so_many_items(items)} of {brief(self.source, 80)}, {self._told(absent, lacking)}."
        if incomplete == items and (hint := self._hint(absent)):
            return InvalidEvidence(f"{reason} {hint}")
        if way == "wrong":
            return InvalidEvidence(
                f'{reason} missing="wrong" (--missing wrong) counts a missing answer as an error, but '
                f"cannot make up for a missing "
                f'{next(iter(lacking))}: repair those items, or leave them out with missing="drop" (--missing drop).'
            )
        if lacking:
            return InvalidEvidence(
                f'{reason} Repair them, or leave such items out with missing="drop" (--missing drop): '
                f"{items - incomplete:,} would stay."
            )
        return InvalidEvidence(
            f'{reason} Repair them, or say missing="drop" (--missing drop) to leave such items out '
            f'({items - incomplete:,} stay) or missing="wrong" (--missing wrong) to count a missing answer as an error.'
        )

    def _nothing_common(self, absent: Flags) -> InvalidEvidence:
        reason = f"No item of {brief(self.source, 80)} is complete: nothing is left once the others are dropped."
        return InvalidEvidence(" ".join([reason, *filter(None, [self._hint(absent)])]))

    def _hint(self, absent: Flags) -> str:
        """Where two models have no item in common, how each writes its ids."""
        if self.ids is None:
            return ""
        first = np.flatnonzero(~absent[0])
        for model in range(1, len(self.models)):
            own = np.flatnonzero(~absent[model])
            if first.size and own.size and absent[model][first].all():
                return (
                    f"{quoted(self.models[0], 24)} and {quoted(self.models[model], 24)} have no item in common: the "
                    f"first has ids such as {self.named(first[:1])}, the second such as {self.named(own[:1])}. Do both "
                    "write them alike?"
                )
        return ""

    def _kept(self, which: Flags) -> Sheet:
        every = {name: getattr(self, name) for name in ("answers", "absent", "tries", "right", "grades", "scores")}
        single = {name: getattr(self, name) for name in ("truth", "clusters", "weights", "strata")}
        kept = {name: value[:, which] for name, value in every.items() if value is not None}
        kept |= {name: value[which] for name, value in single.items() if value is not None}
        ids = None if self.ids is None else self.ids.filter(which)
        groups = {name: (titles, places[which]) for name, (titles, places) in self.groups.items()}
        return replace(self, **kept, ids=ids, groups=groups)

    def _counted_as_wrong(self, absent: Flags) -> Sheet:
        if self.answers is not None:
            labels = self.labels if not self.labels or NO_ANSWER in self.labels else (*self.labels, NO_ANSWER)
            wrong = self.answers.dtype.type(labels.index(NO_ANSWER) if labels else 1 - RIGHT)
            return replace(self, answers=np.where(absent, wrong, self.answers), labels=labels, absent=None)
        if self.grades is not None:
            return replace(self, grades=np.where(absent, 0.0, self.grades), absent=None)
        assert self.tries is not None
        # A model that never answered an item is wrong as often as the item was asked of another.
        return replace(self, tries=np.where(self.tries > 0, self.tries, self.tries.max(axis=0)), absent=None)

    def _made(self, dropped: int) -> Panel:
        if self.grades is not None:
            events = self.values is not None and self.values.levels == (0.0, 1.0)
            wrong: Array = self.grades == 0.0 if events else 1.0 - self.grades
        elif self.answers is None:
            assert self.tries is not None
            assert self.right is not None
            wrong = (self.tries - self.right) / self.tries
        else:
            wrong = self.answers != (RIGHT if self.truth is None else self.truth)
        used = np.unique(self.clusters, return_inverse=True)[1] if self.clusters is not None else None
        drawn, stratum = (None, None) if self.strata is None else np.unique(self.strata, return_inverse=True)
        return Panel(
            models=self.models,
            wrong=wrong,
            labels=self.labels,
            truth=self.truth if self.answers is not None else None,
            predicted=self.answers if self.labels else None,
            scores=self.scores,
            positive=self.positive,
            clusters=used,
            weights=self.weights,
            strata=stratum,
            stratum_names=() if drawn is None else tuple(self.stratum_names[place] for place in drawn.tolist()),
            groups=self.groups,
            design=self.design,
            tries=self.tries,
            right=self.right,
            grades=self.grades,
            values=self.values,
            fingerprint=self._fingerprint(),
            rows=self.rows,
            missing=self.missing,
            dropped=dropped,
            notes=self.notes,
            source=self.source,
            declared=self.declared,
        )

    def _fingerprint(self) -> str:
        """A word for each item, from the models and what they answered; neither rows nor columns have an order."""
        words = np.zeros(self._items, np.uint64)
        if self.truth is not None and self.answers is not None:
            words += _seeds("truth", self.labels)[self.truth]
        for place, model in enumerate(self.models):
            name = f"{len(model)} {model}"
            if self.answers is not None:
                words += _seeds(name, self.labels or ("wrong", "right"))[self.answers[place]]
            elif self.grades is not None:
                words += _stirred(name, (self.grades[place] + 0.0).view(np.uint64))
            elif self.tries is not None and self.right is not None:
                words += _stirred(name, (self.tries[place] << 32 | self.right[place]).view(np.uint64))
            if self.scores is not None:
                words += _stirred(f"score of {name}", (self.scores[place] + 0.0).view(np.uint64))  # -0.0 is 0.0
        if self.weights is not None:
            words += _stirred("weight", (self.weights + 0.0).view(np.uint64))
        if self.strata is not None:
            words += _seeds("stratum", self.stratum_names)[self.strata]
        for column, (titles, places) in self.groups.items():
            words += _seeds(f"group {len(column)} {column}", titles)[places]
        mix(words)
        turned = (words << np.uint64(32) | words >> np.uint64(32)) * words
        digest = sha256(b"holdfast panel 1\n")
        digest.update(np.array([self._items, np.add.reduce(words), np.add.reduce(turned)], "<u8").tobytes())
        if self.values is not None:
            digest.update(f"values {self.values.low!r} {self.values.high!r} {self.values.levels!r}\n".encode())
        if self.clusters is not None:
            order = np.argsort(self.clusters, kind="stable")
            starts = np.flatnonzero(np.diff(self.clusters[order], prepend=-1))
            digest.update(np.sort(np.add.reduceat(words[order], starts)).astype("<u8").tobytes())
        return digest.hexdigest()


def _seeds(name: str, labels: Sequence[str]) -> Words:
    return np.array([seed_of(f"{name}: {label}") for label in labels], np.uint64)


def _stirred(name: str, words: Words) -> Words:
    made = words ^ np.uint64(seed_of(name))
    mix(made)
    return made


def so_many_items(number: int) -> str:
    return f"{number:,} item" if number == 1 else f"{number:,} items"


def left_out(missing: dict[str, int]) -> tuple[str, ...]:
    """What to say of rows that were."""
    return tuple(f"Left out: {so_many(number)} without {role}." for role, number in missing.items())
