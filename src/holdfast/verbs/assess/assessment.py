"""Rows that are counted once, what is asked of them, and the report that answers it at any delta and on any side."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from holdfast.catalog import Measure, Measures, Methods, find, find_measure, measures
from holdfast.claims import Side
from holdfast.errors import HoldfastError
from holdfast.evidence import Array, numbers, shown
from holdfast.evidence.costs import Costs
from holdfast.evidence.ranking.calibration import BINS, Bins, FixedBins, Reliability
from holdfast.measures.ranking import CLIP
from holdfast.predictions import Predictions
from holdfast.predictions.design import Design, class_mix
from holdfast.report import Report
from holdfast.report.facts.assessment import Calibration, OperatingPoint
from holdfast.report.facts.kind import Simultaneous
from holdfast.tally import Tally, tally
from holdfast.tally.designs.drawn import drawn_by_question
from holdfast.tally.operating import at_operating_point
from holdfast.verbs.asking import Inquiry, Question
from holdfast.verbs.assess.class_mix import at_the_worst, by_class_questions
from holdfast.verbs.assess.drawn import DrawnSubject
from holdfast.verbs.assess.groups import (
    OfGroups,
    Repeated,
    about_groups,
    blocks_of,
    calibration_of_draws,
    calibration_questions,
    stacked,
)
from holdfast.verbs.assess.notes import (
    check,
    curves,
    facts_of,
    notes_of_design,
    refuse_bins,
    refuse_unfit,
)
from holdfast.verbs.assess.page_data import views_of
from holdfast.verbs.jointly import Statements, notes_of_found
from holdfast.verbs.subject import (
    Subject,
    at_point,
    check_costs,
    divisions_of,
    needs_scores,
    notes_of_mixes,
    refuse_idle_design,
    scores_for,
    several,
)

PARAMETERS = ("clip", "alpha", "costs", "classes")  # of measures
MOST_GROUPS = 1_000  # of which more is told than what their tables say


@dataclass(frozen=True)
class Stated:
    """What is asked of the rows, as in `assess`."""

    by: str | Sequence[str | Sequence[str]] | None = None
    pass_at: int | Sequence[int] = ()
    gaps: bool = True  # whether each group is also set against the rest
    simultaneous: bool = False
    costs: Costs | None = None
    classes: Sequence[float] | None = None
    alpha: float = 1.0
    bins: Bins | None = None
    operating_point: float | None = None
    positive: object = None
    labels: Sequence[object] | None = None
    method: Methods | None = None
    only: Measures | None = None
    clip: float = CLIP
    resamples: int = 2000
    seed: int = 0

    @property
    def parameters(self) -> dict[str, Any]:
        """Those of measures that were given."""
        return {name: getattr(self, name) for name in PARAMETERS if getattr(self, name) is not None}

    @property
    def ks(self) -> tuple[int, ...]:
        return tuple(np.atleast_1d(np.asarray(self.pass_at)).tolist())


class Assessment:
    """The rows, counted, and the questions that they bear."""

    def __init__(self, rows: Predictions, stated: Stated, counted: Tally | None = None) -> None:
        designs = rows.design.at_each_end
        given, rows = rows, replace(rows, design=designs[0])
        self.stated, self.design = stated, designs[0]
        self.wanted = [find_measure(name) for name in several(stated.only)] or measures()
        self.named = stated.only is not None
        self.methods = tuple(find(name) for name in several(stated.method))
        self.positive, self.labels = stated.positive, stated.labels
        self.point: OperatingPoint | None = None
        rows = self._at_point(rows)
        self.sampled = "id" in rows.columns  # whether rows are answers to questions
        self.rows = drawn_by_question(rows, bool(stated.ks))
        refuse_idle_design(self.rows, stated.ks)
        self.divisions = divisions_of(stated.by, self.rows.group_names)
        self.counted = counted or tally(
            self.rows, positive=self.positive, labels=self.labels, by=self.divisions, scores_required=self.required
        )
        _refuse_idle(self.counted, stated)
        refuse_bins(self.design, stated.bins)
        refuse_unfit(self.methods, self.counted, self.design)
        repeating = self.sampled or bool(stated.ks)
        self.repeated = Repeated(rows, self.counted, self.positive, self.labels) if repeating else None
        self.calibration: Calibration | None = None
        self._by_draw: dict[bool, DrawnSubject] = {}  # by whether their scores are looked at
        self.notes = [*self._notes_of_mixes(designs)]
        self.questions, self.grouped = [*self._asked()], self._of_groups()
        if designs[1:]:  # at each end draws weigh otherwise, to undo how many there are of each class; a table does not
            alike = self.counted if self.counted.drawn is None else None
            self._at_the_worst([Assessment(replace(given, design=each), stated, alike) for each in designs[1:]])
        self.notes += notes_of_found([*self.questions, *self.grouped], self.rows.asked_about)
        self.curves = list(curves(self.counted, self.design.by_class))

    def _at_point(self, rows: Predictions) -> Predictions:
        """The rows with the scores that are needed, and with predictions at the operating point, if there is one."""
        stated = self.stated
        also = stated.bins is not None or stated.operating_point is not None
        rows, self.required = scores_for(rows, self.wanted if self.named else (), also=also)
        if stated.operating_point is None:
            return rows
        threshold = declared_threshold(stated.operating_point)
        operated = at_operating_point(rows, threshold, self.positive, self.labels)
        self.positive, self.labels = operated.positive, operated.labels
        self.point = OperatingPoint(threshold, operated.positive, operated.differing)
        return operated.predictions

    # ---- Questions

    @property
    def subject(self) -> Subject | DrawnSubject:
        asked_about, declared = self.rows.asked_about or (), self.labels is not None
        if self.counted.drawn is not None:
            return self._drawn(self.counted)
        named = frozenset(measure.name for measure in self.wanted if self.named)
        return Subject(self.counted, self.stated.parameters, declared, named, asked_about)

    def _drawn(self, counted: Tally) -> DrawnSubject:
        stated, declared, asked_about = self.stated, self.labels is not None, self.rows.asked_about or ()
        beside: dict[str, Any] = {"values": self.rows.values, "bins": self._bins}
        return DrawnSubject(counted, self.design, stated.parameters, declared, asked_about, stated.ks, **beside)

    @property
    def _bins(self) -> FixedBins | None:
        """Those asked for, or those that measures which were named are read off."""
        bins = self.stated.bins
        named = self.named and any(measure.takes is Reliability for measure in self.wanted)
        if bins is None:
            return FixedBins.of(BINS) if named else None
        plain = self.counted.drawn is None
        return FixedBins.of(BINS) if plain and isinstance(bins, str) else FixedBins.of(bins)

    def _draw_by_draw(self, scored: bool) -> DrawnSubject:
        """The same rows, looked at one by one: for what tables do not tell. Those without scores are mostly alike."""
        if self.counted.drawn is not None:
            return self._drawn(self.counted)
        scored = bool(self.counted.scores) and (scored or self.counted.table is None)
        if scored not in self._by_draw:
            rows = replace(self.rows, guessed=False) if scored else self.rows.without_scores()
            positive = self.positive if scored or self.positive is not None else self.counted.positive
            how = {"positive": positive, "labels": self.labels, "by": self.divisions}
            whole = tally(rows, **how, scores_required=self.required, as_drawn=True)  # type: ignore[arg-type]  # each of its kind
            self._by_draw[scored] = self._drawn(whole)
        return self._by_draw[scored]

    def _asked(self) -> Iterator[Question]:
        wanted, subject = self._measures(), self.subject
        if isinstance(subject, Subject) and self.design.by_class:
            at_mix = by_class_questions(subject, wanted, self.design.prevalence, self.named, self._draw_by_draw)
            self.notes += at_mix.notes
            yield from at_mix.questions
            return
        for measure in wanted:
            if measure.takes is not Reliability:
                yield from subject.about(measure)
        yield from self._calibrated(subject)
        self.notes += notes_of_design(self.counted, self.rows, wanted)

    def _at_the_worst(self, others: Sequence[Assessment]) -> None:
        """Ask for the worst over ranges of how frequent classes are, of which this is one end."""
        ends = [self, *others]
        classes = 2 if self.counted.truths is None else int(self.counted.truths.classes.size)
        whole = at_the_worst([end.questions for end in ends], classes)
        of_groups = at_the_worst(
            [[each for each in end.grouped if isinstance(each, Question)] for end in ends], classes
        )
        if self.named and whole.notes:
            raise HoldfastError(whole.notes[0])
        self.questions, self.grouped = whole.questions, [*self.by_tables, *of_groups.questions]
        self.notes = [*dict.fromkeys((*self.notes, *whole.notes, *of_groups.notes))]

    def _notes_of_mixes(self, designs: Sequence[Design]) -> Iterator[str]:
        truths = self.counted.truths
        if truths is not None and (mixes := [each.prevalence for each in designs if each.prevalence is not None]):
            classes = [truths.labels[place] for place in truths.classes]
            yield from notes_of_mixes([class_mix(classes, mix) for mix in mixes], "cluster" in self.rows.columns)

    def _measures(self) -> list[Measure]:
        """What is asked for; how often samples answer only where it is said how many."""
        samples = [measure for measure in measures() if measure.of_question]
        if not self.stated.ks:
            return self.wanted if self.named else [measure for measure in self.wanted if measure not in samples]
        named = [measure for measure in samples if measure in self.wanted] if self.named else samples
        return [*(measure for measure in self.wanted if measure not in samples), *(named or samples)]

    def _calibrated(self, subject: Subject | DrawnSubject) -> Iterator[Question]:
        bins, of_each = self.stated.bins, self.named and find_measure("calibration") in self.wanted
        if bins is None and self._bins is None:
            return
        if isinstance(subject, DrawnSubject):
            binned = calibration_of_draws(subject, bins is not None or of_each)
        else:
            binned = calibration_questions(self.counted, BINS if bins is None and of_each else bins)
        self.calibration = binned.bins
        self.notes += binned.notes
        yield from binned.questions

    def _of_groups(self) -> list[Question | OfGroups]:
        """What is said of each group: what was named, or error rate, and precision and recall of the positive class."""
        if not self.divisions:
            return []
        counted = self.counted
        of_groups = [measure for measure in measures() if "group" in measure.told_of]
        usual = [measure for measure in of_groups if counted.positive is not None or not measure.per_class]
        wanted = self._measures() if self.named else usual
        apart = counted.drawn is not None or self.design.by_class
        groups = max((len(each.names) for each in counted.groups), default=0)
        by_tables = [] if apart else [measure for measure in wanted if stacked(measure, groups)]
        operated, declared = self.rows.operating_point is not None, self.labels is not None
        statements: list[Question | OfGroups] = [*about_groups(counted, by_tables, operated, declared)]
        if rest := [measure for measure in wanted if measure not in by_tables]:
            subjects = {measure: self._draw_by_draw(needs_scores(measure)) for measure in rest}
            if any(len(each.names) > MOST_GROUPS for one in subjects.values() for each in one.drawn.entries.divisions):
                names = ", ".join(measure.name for measure in rest)
                self.notes.append(f"Not said of each group: {names}; that is done for up to {MOST_GROUPS:,} groups.")
                return statements
            for measure, subject in subjects.items():
                statements += subject.about_groups(measure, self.stated.gaps)
        self.notes += self._not_of_groups(wanted, {each.name for each in statements})
        return statements

    def _not_of_groups(self, wanted: Sequence[Measure], answered: Container[str]) -> Iterator[str]:
        """What was named and is said of the whole only."""
        left = [measure.name for measure in wanted if measure.name not in answered]
        if self.counted.unpredicted is not None and not self.named:
            yield (
                "Nothing is said of each group: that takes predictions, or measures of scores that are named by only= "
                "(--measure)."
            )
        elif self.named and left:
            yield (
                f"Not said of each group: {', '.join(left)}. Assess the rows of one by themselves for what else they "
                "bear."
            )

    # ---- Answers

    @property
    def by_tables(self) -> list[OfGroups]:
        return [each for each in self.grouped if isinstance(each, OfGroups)]

    def report(self, level: Array, side: Side) -> Report:
        """What the rows let one claim at this delta, on this side."""
        stated, counted = self.stated, self.counted
        inquiry = Inquiry(level, side, self.methods, {"resamples": stated.resamples, "seed": stated.seed})
        together, jointly = None, list[str]()
        each_of: Callable[[float], Array] = np.asarray
        if stated.simultaneous and (self.questions or self.grouped):
            statements = self._statements(inquiry)
            each_of, jointly = statements.each, [*statements.notes(level)]
            inquiry = replace(inquiry, delta=each_of(float(level)))
            bands = tuple(name for name, _, _ in self.curves) or None
            together = Simultaneous(float(level), float(inquiry.delta), bands)
        questions = [at_point(question, self.rows) for question in self.questions]
        lines = inquiry.lines(questions)
        check(lines, self.wanted, self.methods, counted)
        of_groups = [at_point(each, self.rows) for each in self.grouped if isinstance(each, Question)]
        if not stated.simultaneous:
            bins = 1 if self._bins is None else len(self._bins.names)  # which hold together within a group
            of_groups = [
                replace(each, share=1.0 / (bins if each.measure.label_is == "bin" else 1)) for each in of_groups
            ]
        repeats = None if self.repeated is None else self.repeated.at(level, side)
        beside: dict[str, Any] = {"operating_point": self.point, "calibration": self.calibration}
        beside |= {"simultaneous": together, "repeats": repeats}
        return Report.of(
            lines,
            facts_of(counted, self.wanted, lines, [*self.notes, *jointly], stated.clip, **beside),
            {name: partial(curve, counted.scores[label], inquiry.delta) for name, label, curve in self.curves},
            [
                *(each.answer(inquiry.delta, side, stated.simultaneous) for each in self.by_tables),
                *(blocks_of(inquiry.lines(of_groups)) if of_groups else ()),
            ],
            views_of(
                counted,
                inquiry,
                questions,
                lines,
                level,
                each_of,
                self.rows.operating_point,
                mixed=self.design.by_class,
            ),
            fingerprint=counted.fingerprint,
            rows=counted.rows,
            examples=self._examples(),
            logs=self.rows.logs or None,
            seed=stated.seed,
        )

    def _statements(self, inquiry: Inquiry) -> Statements:
        """How many statements the report makes."""
        counted = self.counted
        asked_about = self.rows.asked_about or ()
        # Without the most that a draw can weigh only what is about no label holds at every number of draws: as at least
        # one label is found, its parts of delta are no more than as if it were just one.
        uncapped = counted.drawn is not None and counted.drawn.draws.most is None
        spoken_of = None if self.labels is not None or uncapped else (*counted.stated, *asked_about)
        one_by_one = [each for each in self.grouped if isinstance(each, Question)]
        statements = inquiry.statements([*self.questions, *one_by_one], spoken_of)
        statements = statements.more((each.label for each in self.by_tables), spoken_of)
        statements = statements.more((label for _, label, _ in self.curves), spoken_of)
        labels = 0 if counted.truths is None else int(counted.truths.classes.size)
        if counted.drawn is None:
            return statements.among(labels, counted.rows)
        rows = self.design.max_cluster if "cluster" in self.rows.columns else 1
        return statements.among(labels, counted.drawn.draws.number, 2 * (rows or 1))

    def _examples(self) -> int | None:
        """How many questions there are, where rows are answers to questions."""
        if not self.sampled or self.counted.drawn is None:
            return None
        rows = self.counted.drawn.entries.rows
        return rows.draws.number if rows.question is None else int(np.unique(rows.question).size)


def _refuse_idle(counted: Tally, stated: Stated) -> None:
    """Refuse what was stated and could say nothing here."""
    costs = stated.costs
    check_costs(costs)
    if counted.table is None and (costs is not None or stated.classes is not None):
        idle = "classes= (--classes)" if costs is None else "costs= (--costs)"
        raise HoldfastError(
            f"{idle} needs to know what was taken for what: give truth and predicted, or scores and "
            "operating_point= (--operating-point)."
        )
    ranked = counted.ranked
    margins = counted.margins is not None or (ranked is not None and ranked.rows.rows.margin is not None)
    if not margins and stated.alpha != 1.0:
        raise HoldfastError(
            "alpha= (--alpha) is the steepness of the logistic loss of a margin: give margin= (--margin) too."
        )


def declared_threshold(given: float) -> float:
    """The operating point as a number."""
    point = numbers("operating_point= (--operating-point)", given)
    if point.ndim:
        raise HoldfastError(f"operating_point= (--operating-point) is one threshold of the score; got {shown(given)}.")
    return float(point)
