"""The answers of each model of a panel as rows that were drawn: what a comparison subtracts from each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast.errors import InvalidEvidence, UnknownName
from holdfast.evidence import Array, Integers
from holdfast.evidence.contingency import classes_of
from holdfast.evidence.draws import Draws
from holdfast.evidence.pools.panel import Panel
from holdfast.tally.designs.divided import Division
from holdfast.tally.designs.drawn import EVENTS, Drawn
from holdfast.tally.designs.order import factors
from holdfast.tally.panel.beside import checked_weights
from holdfast.tally.rows import mix
from holdfast.wording import quoted

RIGHT_AT_ZERO = np.finfo(np.float64).tiny  # the margin where a decision value of 0, which says no, is right


class PanelRows:
    """The examples of a panel, drawn as its design says, and what each model made of them."""

    def __init__(self, panel: Panel) -> None:
        self.panel, self.design = panel, panel.design

    @cached_property
    def held(self) -> tuple[str, ...]:
        """What the examples have of a design, by the names that rows have for it; clusters of one row are rows."""
        clusters = None if self.design.max_cluster == 1 else self.panel.clusters
        given = {"cluster": clusters, "weight": self.panel.weights, "stratum": self.panel.strata}
        return tuple(name for name, values in given.items() if values is not None)

    @cached_property
    def _draw(self) -> Integers:
        """The draw of each example: by their first rows where they were drawn in that order, else by what they hold."""
        if self.panel.plain or (self.panel.clusters is None and self.design.order is not None):
            return np.arange(self.panel.n)
        cluster = np.arange(self.panel.n) if self.panel.clusters is None else self.panel.clusters
        names, first, place = np.unique(cluster, return_index=True, return_inverse=True)
        place = place.reshape(-1)
        words = np.zeros(names.size, np.uint64)
        if self.design.order is None:
            np.add.at(words, place, self._words)
        rank = np.empty(names.size, np.int64)
        rank[np.argsort(words if self.design.order is None else first, kind="stable")] = np.arange(names.size)
        return rank[place]

    @property
    def _words(self) -> NDArray[np.uint64]:
        """A word for what each example holds, whichever model comes first."""
        panel, words = self.panel, np.zeros(self.panel.n, np.uint64)
        beside = [each for each in (panel.truth, panel.strata, panel.weights) if each is not None]
        for model in range(len(panel.models)):
            answers = [panel.wrong if panel.predicted is None else panel.predicted, panel.scores]
            each = np.ones(panel.n, np.uint64)
            for values in (*beside, *(every[model] for every in answers if every is not None)):
                each ^= (values + 0.0).view(np.uint64)  # -0.0 is 0.0
                mix(each)
            words += each
        return words

    @cached_property
    def _strata(self) -> tuple[Integers, tuple[str, ...]] | None:
        """The stratum of each example, and what strata are called: their names, or those of the classes."""
        panel = self.panel
        if not self.design.by_class:
            return None if panel.strata is None else (panel.strata, panel.stratum_names)
        if panel.truth is None:
            raise InvalidEvidence("Sampling by class and a stated prevalence need to know the class of each example.")
        classes, place = np.unique(panel.truth, return_inverse=True)
        return place.reshape(-1), tuple(panel.labels[code] for code in classes)

    @cached_property
    def draws(self) -> Draws:
        panel, draw = self.panel, self._draw
        number = int(draw.max(initial=-1)) + 1
        if panel.clusters is not None:
            self.design.check_cap(int(np.unique(panel.clusters, return_counts=True)[1].max(initial=0)))
        if panel.weights is not None:
            checked_weights(panel.weights, self.design, panel.source)
        stratum = factor = None
        if self._strata is not None:
            of_row, names = self._strata
            stratum = np.zeros(number, np.int64)
            stratum[draw] = of_row
            if np.any(stratum[draw] != of_row):
                where = "classes" if self.design.by_class else "strata"
                raise InvalidEvidence(
                    f"A cluster of {panel.source} has rows of several {where}, so that clusters cannot have been drawn "
                    "within them."
                )
            factor = factors(self.design, names, stratum, np.ones(number), panel.weights is not None)[stratum]
        return Draws(
            np.ones(number),
            stratum,
            factor,
            self.design.most(self.held),
            self.design.most_of_row(self.held),
            rows=not {"cluster", "weight"} & {*self.held},
            ordered=self.design.order is not None,
            assumes=self.design.assumes((*self.held, "cluster") if panel.sampled else self.held),
            caps=self.design.caps(self.held),
        )

    @cached_property
    def _weight(self) -> Array:
        weight = np.ones(self.panel.n) if self.panel.weights is None else self.panel.weights
        return weight if self.draws.factor is None else weight * self.draws.factor[self._draw]

    def model(self, place: int) -> Drawn:
        """What one model made of the examples."""
        panel = self.panel
        known: dict[str, Any] = {}
        if panel.grades is not None and panel.values is not None:
            known |= {"value": panel.grades[place], "levels": panel.values.levels}
        elif panel.truth is None or panel.predicted is None:
            known |= {"value": 1.0 - panel.wrong[place].astype(np.float64), "levels": () if panel.sampled else EVENTS}
        else:
            known["predicted"] = panel.predicted[place].astype(np.int64)
        if panel.truth is not None:
            known |= {"truth": panel.truth.astype(np.int64), "labels": panel.labels, "truths": self._truths}
        return Drawn(self.draws, self._draw, self._weight, **known, **self._scored(place))

    def pair(self, first: int, second: int, where: Array | None = None) -> tuple[Drawn, Drawn]:
        """What two models predicted on examples that are draws of their own: those just alike once, with their number.

        Whichever of the two comes first, they stand in the same order: sums over them are the same to the last bit.
        """
        panel, size = self.panel, len(self.panel.labels)
        assert panel.truth is not None  # or nobody predicted a label
        assert panel.predicted is not None
        answers = [panel.truth.astype(np.int64), panel.predicted[first], panel.predicted[second]]
        actual, one, other = answers if where is None else (each[where] for each in answers)
        kinds, times = np.unique((actual * size + one) * size + other, return_counts=True)
        turned = (kinds // size**2 * size + kinds % size) * size + kinds // size % size
        order = np.argsort(turned)
        here, there = np.stack([kinds, times]), np.stack([turned, times])[:, order]
        differing = np.flatnonzero(np.any(here != there, axis=0))[:1]
        swapped = bool(differing.size) and tuple(here[:, differing[0]]) > tuple(there[:, differing[0]])
        kinds, times = there if swapped else here
        draws = replace(self.draws, times=times.astype(np.float64))
        known: dict[str, Any] = {"labels": panel.labels, "truths": self._truths}
        both = [
            Drawn(draws, np.arange(kinds.size), np.ones(kinds.size), kinds // size**2, predicted, **known)
            for predicted in (kinds // size % size, kinds % size)
        ]
        return (both[1], both[0]) if swapped else (both[0], both[1])

    @cached_property
    def _truths(self) -> Integers:
        """Places of the labels that examples may be of."""
        panel = self.panel
        return classes_of(panel.labels) if panel.declared else np.unique(panel.truth).astype(np.int64)  # type: ignore[arg-type]  # see model

    def _scored(self, place: int) -> dict[str, Any]:
        """The scores of the positive label, as scores, margins and, where they are some, probabilities."""
        panel = self.panel
        if panel.scores is None or panel.truth is None or panel.positive is None:
            return {}
        if panel.positive not in panel.labels:
            raise InvalidEvidence(f"No label of {panel.source} is {quoted(panel.positive)}.")
        score, positive = panel.scores[place], np.asarray(panel.truth == panel.labels.index(panel.positive))
        margin = np.where(positive, score, np.where(score == 0, RIGHT_AT_ZERO, -score))
        known: dict[str, Any] = {"scores": {panel.positive: score}, "margin": margin}
        if score.min(initial=0.0) >= 0 and score.max(initial=1.0) <= 1:
            given = np.where(positive, score, 1.0 - score)
            known |= {"probability": given, "square": (1.0 - given) ** 2}
        return known

    def of_values(self, values: Array) -> Drawn:
        """Values of the examples, such as how often one of k samples is right, in place of what a model answered."""
        return Drawn(self.draws, self._draw, self._weight, value=values)

    def divisions(self, by: Sequence[Sequence[str]]) -> Iterator[Division]:
        """The ways to divide the examples, each by one column of groups or by several that are crossed."""
        for names in by:
            for name in names:
                if name not in self.panel.groups:
                    raise UnknownName("column of groups", name, [*self.panel.groups])
            titles = [[f"{name}={value}" for value in self.panel.groups[name][0]] for name in names]
            code = np.zeros(self.panel.n, np.int64)
            for name, title in zip(names, titles, strict=True):
                code = code * len(title) + self.panel.groups[name][1]
            codes, place = np.unique(code, return_inverse=True)
            called = []
            for each in codes.tolist():
                parts = []
                for title in reversed(titles):
                    each, at = divmod(each, len(title))
                    parts.append(title[at])
                called.append(", ".join(reversed(parts)))
            yield Division(tuple(called), place.reshape(-1))
