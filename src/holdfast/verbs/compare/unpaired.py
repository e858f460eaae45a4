"""Models that were each seen on rows of their own, drawn independently: what two of them differ by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

import numpy as np

from holdfast.bounds.influence import bound_of_one
from holdfast.catalog import Measure
from holdfast.claims import Assumption, Per
from holdfast.errors import HoldfastError
from holdfast.evidence import NO_ANSWER, Array, Counts, Difference, Evidence, Overlap, Strata
from holdfast.evidence.draws import Draws, Influence, Ratio
from holdfast.evidence.pairs.separate import SeparateEstimates, difference_of_samples
from holdfast.evidence.ranking.calibration import Reliability
from holdfast.predictions import Predictions
from holdfast.predictions.design import COLUMNS, Design
from holdfast.predictions.grading import Values
from holdfast.tally import Tally, tally
from holdfast.tally.designs.divided import Division
from holdfast.tally.designs.drawn import Drawn, drawn_by_question
from holdfast.verbs.asking import Question
from holdfast.verbs.assess.drawn import DrawnSubject
from holdfast.verbs.subject import divisions_of, refuse_idle_design, scores_for
from holdfast.wording import listed, quoted, shown

GIVEN = (
    "Models that were seen on rows of their own are given by their names, each as hf.read(...) or as the columns that "
    "hf.assess takes: hf.compare({'old': {'truth': ..., 'predicted': ...}, 'new': {...}}, unpaired=True)"
)


@dataclass(frozen=True, eq=False)
class Unpaired:
    """The rows of each model, counted, by the names of the models."""

    samples: Mapping[str, Tally]
    design: Design
    divisions: tuple[tuple[str, ...], ...]
    columns: tuple[str, ...]  # that the rows of all models have
    values: Values | None = None  # the range of grades, where answers may be partly right
    declared: bool = False
    dropped: tuple[str, ...] = ()  # groups of which not every model has rows

    counted = plain = sampled = False  # no counts of pairs say what there is to know
    scores = truth = predicted = None  # nothing is laid out beside each other

    @property
    def models(self) -> tuple[str, ...]:
        return tuple(self.samples)

    @property
    def grades(self) -> Values | None:
        return self.values

    @property
    def rows(self) -> int:
        return sum(each.rows for each in self.samples.values())

    n = rows

    @property
    def fingerprint(self) -> str:
        marks = (f"{len(name)} {name} {each.fingerprint}\n" for name, each in sorted(self.samples.items()))
        return sha256("".join(marks).encode("utf-8", "surrogatepass")).hexdigest()

    @property
    def notes(self) -> tuple[str, ...]:
        sentences = [f"Of {quoted(name)}: {note}" for name, each in self.samples.items() for note in each.notes]
        if self.dropped:
            sentences.append(f"Nothing is said of {listed([*self.dropped])}: not every model has rows of them.")
        return tuple(sentences)

    @property
    def groups(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for names in self.divisions for name in names))

    @property
    def clusters(self) -> bool | None:
        return True if "cluster" in self.columns else None

    @property
    def weights(self) -> bool | None:
        return True if "weight" in self.columns else None

    @property
    def positive(self) -> str | None:
        return next(iter(self.samples.values())).positive

    @property
    def labels(self) -> tuple[str, ...]:
        table = next(iter(self.samples.values())).truths
        return () if table is None else table.labels


def samples_apart(
    given: object,
    beside: Mapping[str, Any],
    design: Design,
    by: Any,
    wanted: Sequence[Measure],
    pass_at: Sequence[int],
    how: Mapping[str, Any],
) -> Unpaired:
    """What was given for each model, counted."""
    if not isinstance(given, Mapping) or len(given) < 2:
        raise HoldfastError(f"{GIVEN}; got {shown(given)}.")
    if design.columns or any(value is not None for value in beside.values()):
        idle = [*design.columns, *(name for name, value in beside.items() if value is not None)]
        raise HoldfastError(f"{GIVEN}; leave out {', '.join(f'{name}=' for name in idle)} beside them.")
    missing = {} if how["missing"] == "refuse" else {"missing": how["missing"]}
    rows = {str(name): _rows(str(name), one, how, missing) for name, one in given.items()}
    kinds = {tuple(sorted({"cluster", "weight", "stratum", "value"} & {*each.columns})) for each in rows.values()}
    if len(kinds) > 1:
        raise HoldfastError(
            "The rows of all models must be drawn, and graded, alike: some have clusters, weights, strata or values "
            "that others have not."
        )
    rows = {name: drawn_by_question(each, bool(pass_at)) for name, each in rows.items()}
    rows = {name: replace(each, design=each.design.with_facts(design)) for name, each in rows.items()}
    for each in rows.values():
        refuse_idle_design(each, pass_at)
    divisions = divisions_of(by, next(iter(rows.values())).group_names) if by is not None else ()
    counted = _counted(rows, how, [*divisions], wanted, how["labels"])
    label_sets = [{*each.truths.labels} for each in counted.values() if each.truths is not None]
    if how["labels"] is None and any(labels != label_sets[0] for labels in label_sets):
        union = sorted(set.union(*label_sets) - {NO_ANSWER})
        counted = _counted(rows, how, [*divisions], wanted, union)
    first = next(iter(rows.values()))
    values = first.values if "value" in first.columns else None
    named = [{name for each in one.drawn.tables.divisions for name in each.names} for one in counted.values()]  # type: ignore[union-attr]  # as drawn
    dropped = tuple(sorted(set.union(*named) - set.intersection(*named)))
    shown_divisions = tuple(tuple(names) for names in divisions)
    return Unpaired(counted, first.design, shown_divisions, first.columns, values, how["labels"] is not None, dropped)


def _rows(name: str, given: object, how: Mapping[str, Any], missing: Mapping[str, Any]) -> Predictions:
    if isinstance(given, Predictions):
        if missing or how["value_range"] is not None or how["levels"] is not None:
            raise HoldfastError("hf.read says this already; leave out missing=, value_range= and levels= beside it.")
        return given
    if not isinstance(given, Mapping):
        raise HoldfastError(f"{GIVEN}; got {shown(given)} for {quoted(name)}.")
    columns = {str(key): value for key, value in given.items()}
    drawn = {key: columns.pop(key) for key in COLUMNS if key in columns}
    ranged = {key: how[key] for key in ("value_range", "levels") if how[key] is not None}
    try:
        rows = Predictions.from_arrays(**columns, **ranged, **missing, design=Design(**drawn))
    except TypeError as error:
        raise HoldfastError(f"{GIVEN}; of {quoted(name)}: {error}.") from None
    return replace(rows, source=f"the rows of {quoted(name)}")


def _counted(
    rows: Mapping[str, Predictions],
    how: Mapping[str, Any],
    by: Sequence[Sequence[str]],
    wanted: Sequence[Measure],
    labels: Sequence[object] | None,
) -> dict[str, Tally]:
    counted = {}
    for name, each in rows.items():
        kept, required = scores_for(each, wanted)
        how_counted = {"positive": how["positive"], "labels": labels, "by": by}
        counted[name] = tally(kept, **how_counted, scores_required=required, as_drawn=True)
    return counted


class UnpairedDifferences:
    """The rows of all models, and what any two of them differ by."""

    def __init__(self, panel: Unpaired, stated: Mapping[str, Any], pass_at: Sequence[int] = ()) -> None:
        self.panel = panel
        values = {} if panel.values is None else {"values": panel.values}
        self.subjects = [
            _Sample(each, panel.design, stated, panel.declared, pass_at=pass_at, **values)  # type: ignore[arg-type]  # of values
            for each in panel.samples.values()
        ]
        self._read: dict[tuple[int, str, str | None], dict[Key, _Reading]] = {}

    @property
    def rows(self) -> UnpairedDifferences:
        return self

    @property
    def draws(self) -> Draws:
        return self.subjects[0].drawn.draws

    def divisions(self, by: Sequence[Sequence[str]]) -> Iterator[Division]:
        """The groups of which every model has rows, by each way to divide them."""
        for place, _ in enumerate(by):
            each = [subject.drawn.tables.divisions[place].names for subject in self.subjects]
            names = tuple(name for name in each[0] if all(name in others for others in each))
            yield Division(names, np.arange(0))

    def about(
        self, first: int, second: int, measure: Measure, part: tuple[str, Array] | None = None
    ) -> Iterator[Question]:
        """What the rows say of the first model minus the second: a question for each class, or each k."""
        if measure.better is None or not measure.needs_predictions:
            raise HoldfastError(f"{measure.name} of two models cannot be compared: neither is better for it.")
        if measure.takes is Reliability:
            raise HoldfastError(
                f"{measure.name} of two models is compared on the same rows alone; leave out unpaired=."
            )
        group = None if part is None else part[0]
        one, other = (self._readings(place, measure, group) for place in (first, second))
        both = [key for key in one if key in other]
        if not both:
            raise HoldfastError(
                f"{measure.name} of two models cannot be compared: the rows do not bear it. It may need labels, scores "
                "or what is stated beforehand; hf.measures (`holdfast measures`) says what each reads."
            )
        for key in both:
            yield self._question(measure, key, one[key], other[key], group)

    def own(self, model: int, measure: Measure) -> Question:
        """What the rows say of one model, in a measure that is no class's."""
        (key, reading), *_ = self._readings(model, measure, None).items()
        return Question(measure, reading.firm, (key[1],), per=key[2], assumes=self._assumes(model, measure, reading))

    def _readings(self, model: int, measure: Measure, group: str | None) -> dict[Key, _Reading]:
        key = model, measure.name, group
        if key not in self._read:
            self._read[key] = dict(self.subjects[model].readings_of(measure, group))
        return self._read[key]

    def _question(self, measure: Measure, key: Key, one: _Reading, other: _Reading, group: str | None) -> Question:
        spread = difference_of_samples(one.spread, other.spread)
        evidence, beside = _firm(one.firm, other.firm), None
        if evidence is None:
            evidence = spread
        else:
            beside = replace(spread, terms=())
        high = float(evidence.scale.units(np.asarray(1.0)))
        named = replace(measure, name=f"{key[0]}-difference", range=(-high, high), aliases=())
        sentences = [*self._assumes(0, measure, one), Assumption.SEPARATE_SAMPLES]
        return Question(named, evidence, (key[1],), per=key[2], assumes=tuple(sentences), beside=beside, group=group)

    def _assumes(self, model: int, measure: Measure, reading: _Reading) -> tuple[Assumption, ...]:
        subject = self.subjects[model]
        drawn = tuple(each for each in subject.drawn.draws.assumes if each is not Assumption.INDEPENDENT)
        return (*drawn, *subject._assumes(measure))


Key = tuple[str, str | None, Per]  # what it is called, the label it is about, and what weighs the same


@dataclass(frozen=True)
class _Reading:
    firm: Evidence  # that somebody bounds at every sample size, if anybody does
    spread: Ratio | Influence  # draw by draw


class _Sample(DrawnSubject):
    """What one model's rows say, as in an assessment of that model alone."""

    def readings_of(self, measure: Measure, group: str | None) -> Iterator[tuple[Key, _Reading]]:
        divided = self._divided(measure)
        if divided is None:
            return
        rows = divided.rows
        if group is not None:
            division = next(each for each in divided.divisions if group in each.names)
            rows = rows.kept(division.codes == division.names.index(group), group)
        yield from self._of_rows(measure, rows)

    def _of_rows(self, measure: Measure, rows: Drawn) -> Iterator[tuple[Key, _Reading]]:
        alone = rows.draws.rows and rows.draws.stratum is None
        spread = dict(self._readings(measure, rows.draw_by_draw()))
        for label, read in self._readings(measure, rows):
            each = spread.get(label)
            if not isinstance(each, (Ratio, Influence)) or self._only(measure, label) is not None:
                continue
            for named, evidence in self._in_units(measure, read, rows):
                own = replace(each, scale=evidence.scale) if isinstance(each, Ratio) else each
                if alone:
                    if isinstance(own, Ratio):
                        own = replace(own, draws=rows.draws)
                    yield (named.name, label, "row"), _Reading(self._condensed(measure, evidence), own)
                    continue
                assert isinstance(evidence, (Ratio, Influence))
                evidence = self._alone(measure, evidence)
                if isinstance(evidence, Ratio) and self._averages(measure, evidence):
                    yield (named.name, label, "cluster"), _averaged(evidence)
                    if not evidence.uneven:
                        continue
                yield (named.name, label, "row"), _Reading(self._condensed(measure, evidence), evidence)

    def _condensed(self, measure: Measure, evidence: Evidence) -> Evidence:
        return evidence.condensed if isinstance(evidence, Ratio) else evidence


def _averaged(ratio: Ratio) -> _Reading:
    """The ratio of each draw by itself, of which each weighs the same."""
    here = ratio.below > 0
    draws = replace(ratio.draws, times=ratio.draws.times[here], most=1.0, rows=True)
    shares = replace(ratio, above=ratio.above[here] / ratio.below[here], below=np.ones(int(here.sum())), draws=draws)
    return _Reading(ratio.of_average_draw, replace(shares, levels=(), graded=True))


def _firm(one: Evidence, other: Evidence) -> Evidence | None:
    """Of two quantities that are known apart, what limits with a proof are read off; None where the draws say it."""
    if isinstance(one, Counts) and isinstance(other, Counts) and not isinstance(one, Overlap):
        plain = all(each.scale.alike(Counts(0, 0).scale) for each in (one, other))
        return Difference.of(one, other) if plain else SeparateEstimates(one, other, independent=True)
    if isinstance(one, Strata) and isinstance(other, Strata):
        turned = other.parts.mirror()
        k, n = (np.concatenate([getattr(one.parts, name), getattr(turned, name)]) for name in ("k", "n"))
        return Difference(Counts(k, n), np.concatenate([one.weights, other.weights]) / 2)
    if bound_of_one(one) is None or bound_of_one(other) is None:
        return None
    return SeparateEstimates(one, other, independent=True)
