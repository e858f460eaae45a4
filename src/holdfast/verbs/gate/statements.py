"""What rows can prove or refute of conditions: on one model, of all rows and in groups, and on it beside a baseline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np

from holdfast.catalog import Bound, Measure, find_measure
from holdfast.claims import Claim, Guarantee, Side, chance_of_error
from holdfast.errors import HoldfastError, UnknownName
from holdfast.evidence.pools.panel import Panel
from holdfast.measures.samples import pass_at_k
from holdfast.predictions import Predictions
from holdfast.predictions.arrays import read_labels, read_numbers
from holdfast.predictions.coded import Held
from holdfast.predictions.rows import check_lengths, translated
from holdfast.report import Report
from holdfast.report.facts.assessment import AssessmentFacts
from holdfast.tally import Tally
from holdfast.tally.designs.drawn import drawn_by_question
from holdfast.tally.panel.baseline import panel_of_baseline, panel_of_two
from holdfast.verbs.asking import Inquiry, Question
from holdfast.verbs.assess.assessment import PARAMETERS, Assessment, Stated
from holdfast.verbs.compare.differences import Differences, Part
from holdfast.verbs.gate.conditions import Condition
from holdfast.verbs.gate.decide import Statement
from holdfast.verbs.gate.groups import MOST_GROUPS
from holdfast.verbs.subject import needs_scores
from holdfast.wording import listed, shown


class RowStatements:
    """The rows, counted once, and what they say of each condition."""

    def __init__(self, rows: Predictions, conditions: Sequence[Condition], options: Mapping[str, Any]) -> None:
        only = list(dict.fromkeys(condition.measure for condition in conditions))
        divisions = list(dict.fromkeys(condition.columns for condition in conditions if condition.columns))
        self.assessment = Assessment(rows, Stated(only=only, by=divisions, gaps=False, **options))
        self.groups = dict(zip(divisions, _sizes(self.assessment.counted), strict=True))
        for columns, sizes in self.groups.items():
            check_number(columns, len(sizes))
        self.report = cache(lambda delta, side: self.assessment.report(chance_of_error(None, delta), side))

    def of(self, stated: Condition, delta: float) -> list[Statement]:
        """The condition of all rows, or in each of its groups; the class that it is about is settled at this delta."""
        report = self.report(delta, stated.sides[0])
        condition = stated.about(label_of(stated, report))
        ends, rows = find_measure(condition.measure).range, int(report.provenance["rows"])
        if not condition.columns:
            return [Statement(condition, partial(self._claim, condition, None), rows, ends)]
        sizes = self.groups[condition.columns]
        return [
            Statement(condition, partial(self._claim, condition, group), sizes[group], ends, group)
            for group in chosen_groups(condition, [*sizes])
        ]

    def _claim(self, condition: Condition, group: str | None, delta: float, side: Side) -> Claim:
        report: Report = self.report(delta, side)
        if group is None:
            return report[condition.measure, condition.label]
        if not any(block.claim.measure == condition.measure for block in report.blocks):
            raise HoldfastError(
                f"{condition.measure} is not decided on in groups, for what each row adds to it is not declared; leave "
                "out groups= (--by), or keep the rows of one group."
            )
        return report[condition.measure, condition.label, group]


def _sizes(counted: Tally) -> list[dict[str, int]]:
    """Of each way to divide the rows, how many rows there are of each group."""
    if counted.drawn is None:
        return [dict(zip(each.names, each.table.n.tolist(), strict=True)) for each in counted.groups]
    rows, divisions = counted.drawn.tables.rows, counted.drawn.tables.divisions
    factor = 1.0 if rows.draws.factor is None else rows.draws.factor[rows.draw]
    number = rows.rows / factor if rows.count is None else rows.count
    return [
        dict(zip(each.names, np.rint(np.bincount(each.codes, number)).astype(int).tolist(), strict=True))
        for each in divisions
    ]


def check_number(columns: Sequence[str], groups: int) -> None:
    """Refuse more groups than are answered for one by one."""
    if groups > MOST_GROUPS:
        raise HoldfastError(
            f"{listed([*columns])} divides the rows into {groups:,} groups, and up to {MOST_GROUPS:,} are decided on, "
            "but for rates of counted events of rows that were drawn one by one; use fewer columns in by= (--by)."
        )


def chosen_groups(condition: Condition, groups: Sequence[str]) -> Sequence[str]:
    """The groups of a condition: all that there are, or the one that it names."""
    if condition.group is None:
        return groups
    if condition.group not in groups:
        raise UnknownName("group", condition.group, groups)
    return [condition.group]


def divided(conditions: Sequence[Condition], by: tuple[str, ...] | None, names: Sequence[str]) -> list[Condition]:
    """The conditions with the columns that each is divided by, of those that the rows have by these names.

    Where nobody says by which, it is by all of them, crossed; unless a condition says so for itself: then the others
    are about all rows.
    """
    if by is None:
        by = () if any(condition.says_where for condition in conditions) else tuple(names)
    placed = [condition if condition.says_where else replace(condition, by=by) for condition in conditions]
    for condition in placed:
        for name in condition.columns:
            if name in names:
                continue
            if names:
                raise UnknownName("column of groups", name, names)
            raise HoldfastError(
                f"{condition} is asked by {name}, but the rows have no columns of groups: give them by groups=, or in "
                "files by by= of hf.read (--by)."
            )
    return placed


def label_of(condition: Condition, report: Report) -> str | None:
    """The class that is asked about: the one named, else the positive one.

    Unless it is the scores that are asked about, nobody spoke of a class that they chose: it is one that was found, and
    which one that is depends on the rows.
    """
    lines = [line for line in report.whole if line.measure == condition.measure]
    known = list(dict.fromkeys(line.label for line in lines if line.label is not None))
    if condition.label is not None and lines and not known:
        raise HoldfastError(f"{condition.measure} is of all classes together; leave out the label.")
    if condition.label is not None or not known:
        return condition.label
    by_scores = isinstance(report.facts, AssessmentFacts) and report.facts.positive_by is not None
    chosen = by_scores and not needs_scores(find_measure(condition.measure))
    default = None if chosen else report.facts.positive or (known[0] if len(known) == 1 else None)
    if default is None:
        raise HoldfastError(
            f"{condition.measure} belongs to a class: name it with label= (--label), one of {listed(known)}."
        )
    return str(default)


PAIRED = (
    "The difference is that of both models on the same rows, new minus baseline. That the new one is not worse says "
    "nothing of how good either is: a condition of its own does."
)


class BaselineStatements:
    """A panel of two models, and what it says of each condition on the first beside the second."""

    def __init__(self, panel: Panel, method: Bound | None, options: Mapping[str, Any]) -> None:
        self.panel, self.methods = panel, () if method is None else (method,)
        ks = tuple(np.atleast_1d(np.asarray(options.get("pass_at", ()))).tolist())
        stated = {name: options[name] for name in PARAMETERS if options.get(name) is not None}
        self.differences = Differences(panel, stated, ks)
        self.drawing = {"resamples": options.get("resamples", 2000), "seed": options.get("seed", 0)}

    def of(self, condition: Condition) -> list[Statement]:
        """The condition of all rows and in each group; of one group alone where it names one."""
        measure = find_measure(condition.measure)
        overall = [] if condition.group is not None else [self._statement(condition, measure, None)]
        return overall + [self._statement(condition, measure, part) for part in self._parts(condition)]

    def _parts(self, condition: Condition) -> list[Part]:
        """The groups that the condition is about."""
        if not condition.columns:
            return []
        for name in condition.columns:
            if name not in self.panel.groups:
                raise UnknownName("column of groups", name, [*self.panel.groups])
        (division,) = self.differences.rows.divisions([condition.columns])
        check_number(condition.columns, len(division.names))
        chosen = chosen_groups(condition, division.names)
        return [(name, division.codes == division.names.index(name)) for name in chosen]

    def _statement(self, condition: Condition, measure: Measure, part: Part | None) -> Statement:
        questions = [*self.differences.about(0, 1, measure, part)]
        label = self._label(condition, questions)
        about = [question for question in questions if question.labels == (label,)]
        rows = self.panel.n if part is None else int(np.count_nonzero(part[1]))
        claim = cache(partial(self._claim, tuple(about)))
        ends = about[0].measure.range
        return Statement(condition.about(label), claim, rows, ends, None if part is None else part[0])

    def _claim(self, questions: Sequence[Question], delta: float, side: Side) -> Claim:
        """The first claim that holds at every sample size, or the first."""
        ask = Inquiry(np.asarray(delta), side, self.methods, self.drawing)
        claims = [line.claim for line in ask.lines(questions)]
        return next((claim for claim in claims if claim.guarantee is Guarantee.FINITE), claims[0])

    def _label(self, condition: Condition, questions: Sequence[Question]) -> str | None:
        """The class that is asked about: the one named, else the positive one."""
        known = list(dict.fromkeys(question.labels[0] for question in questions))
        named = [label for label in known if label is not None]
        if not questions:
            raise HoldfastError(
                f"The rows do not bear the difference in {condition.measure}; hf.measures (`holdfast measures`) lists "
                "what there is."
            )
        if condition.label is None and None not in known:
            positive = self.panel.positive
            label = positive if positive in named else named[0] if len(named) == 1 else None
            if label is None:
                of = "number of samples" if find_measure(condition.measure).takes is pass_at_k.takes else "class"
                raise HoldfastError(
                    f"{condition.measure} belongs to a {of}: name it with label= (--label), one of {listed(named)}."
                )
            return label
        if condition.label is not None and not named:
            raise HoldfastError(f"{condition.measure} is of all classes together; leave out the label.")
        if condition.label not in known:
            raise UnknownName("class", condition.label, named)
        return condition.label


# ---- The panel


def panel_beside(
    rows: Predictions,
    baseline: Any,
    score: Any,
    on: str | None,
    positive: object,
    labels: Sequence[object] | None,
) -> Panel:
    """The new model and the baseline on the same rows."""
    if isinstance(baseline, Panel):
        return of_two(baseline)
    if rows.runs and baseline is not None and not isinstance(baseline, Predictions):
        from holdfast.sources.models.of_logs import panel_against

        return panel_against(rows, baseline)
    if baseline is None:
        if "baseline" not in rows.columns:
            raise HoldfastError(
                "margin= (--margin) is how much worse than a baseline the model may be: give that by baseline= "
                "(--baseline)."
            )
    elif not isinstance(rows.frame, Held) or isinstance(baseline, Predictions):
        return panel_of_two(rows, _read(rows, baseline, on), positive=positive, labels=labels)
    elif on is not None:
        raise HoldfastError("on= (--on) joins files; predictions in arrays stand in the order of the rows.")
    else:
        rows = _with_column(rows, baseline, score)
    return panel_of_baseline(drawn_by_question(rows, sampled=False), positive=positive, labels=labels)


def of_two(panel: Panel) -> Panel:
    """The panel, if it is of two models."""
    if len(panel.models) != 2:
        raise HoldfastError(
            f"A gate sets one model against one baseline; this panel has {len(panel.models):,} models. Keep two by "
            "models= of hf.read_models, the new one first."
        )
    return panel


def _read(rows: Predictions, baseline: Any, on: str | None) -> Predictions:
    """The rows of the baseline, which have ids as those of the new model have."""
    if not isinstance(baseline, Predictions):
        from holdfast.sources.models.model_columns import BaselineColumns
        from holdfast.sources.selection import read_predictions

        if "value" in rows.columns:
            raise HoldfastError(
                "The column of what the answers of the baseline are worth has a name: read it as the new model's was, "
                "baseline=hf.read(file, value='grade', id='item')."
            )
        correct = rows.grading.column if "correct" in rows.columns else None
        baseline = read_predictions(baseline, BaselineColumns(on, correct=correct or None))
    if not all("id" in each.columns for each in (rows, baseline)):
        raise HoldfastError(
            "Rows of two files are joined by the item that they are about: read both with its column, hf.read(..., "
            "id='item') (--on item)."
        )
    return replace(baseline, missing=rows.missing)


def _with_column(rows: Predictions, baseline: Any, score: Any) -> Predictions:
    """The rows with the answers of the baseline in a column of their own."""
    held = rows.frame
    assert isinstance(held, Held)  # see panel_beside
    if isinstance(baseline, (str, bytes, Mapping)):
        raise HoldfastError(f"baseline= takes what the model before predicted, row by row; got {shown(baseline)}.")
    with translated("the arrays"):
        answers = (read_numbers if "value" in rows.columns else read_labels)("baseline", baseline)
        columns = {**held.columns, "baseline": answers}
        if score is not None:
            columns["baseline_score"] = read_numbers("baseline_score", score)
    check_lengths(columns, {})
    return replace(rows, frame=Held(columns), columns=tuple(columns))
