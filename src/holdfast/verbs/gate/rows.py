"""From rows to decisions: conditions on the model alone, and on the model beside a baseline."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from hashlib import sha256
from typing import Any, NamedTuple

from holdfast.catalog import Bound, find, find_measure
from holdfast.errors import HoldfastError
from holdfast.evidence import Contingency
from holdfast.evidence.pools.panel import Panel
from holdfast.predictions import Predictions
from holdfast.predictions.design import Design
from holdfast.report import Decision, Report, origin
from holdfast.tally.operating import at_operating_point
from holdfast.verbs.assess.assessment import declared_threshold
from holdfast.verbs.gate.conditions import Condition
from holdfast.verbs.gate.decide import Found, Statement, Terms, decide_each
from holdfast.verbs.gate.groups import OCCUR, QuestionGate, decide_groups
from holdfast.verbs.gate.more_data import counted_as
from holdfast.verbs.gate.statements import PAIRED, BaselineStatements, RowStatements, of_two, panel_beside
from holdfast.verbs.subject import READ_OFF_PREDICTIONS, refuse_idle_design, scores_for


class Baseline(NamedTuple):
    """The model before, as it was given to the gate."""

    given: Any = None
    score: Any = None
    on: str | None = None


class RowGate:
    """Rows, and the conditions that they shall decide on."""

    def __init__(
        self,
        rows: Predictions,
        conditions: Sequence[Condition],
        terms: Terms,
        more: Mapping[str, Any],
        operating_point: float | None,
        positive: object,
        labels: Sequence[object] | None,
    ) -> None:
        self.rows, self.conditions, self.terms, self.more = rows, conditions, terms, more
        self.operating_point, self.positive, self.labels = operating_point, positive, labels
        self.alone = [condition for condition in conditions if condition.margin is None]
        self.beside = [condition for condition in conditions if condition.margin is not None]

    def found(self, baseline: Baseline) -> Found:
        """The answer to each condition."""
        if len(self.conditions) == 1 and self.conditions[0].each_at_least is not None:
            return self._questions.found(self.conditions[0], self.terms)
        rows, positive, labels = self._prepared if self.alone else (self.rows, None, None)
        if not self.beside and self._by_tables():
            return decide_groups(rows, self.alone, self.terms, positive, labels)
        delta, of_all = self.terms.delta, [each for each in self.alone if each.each_at_least is None]
        options = {"positive": positive, "labels": labels, "method": self.terms.method, **self.more}
        alone = RowStatements(rows, of_all, options) if of_all else None
        beside = _Panels(self, baseline) if self.beside else None
        statements: list[list[Statement]] = []
        for condition in self.conditions:
            if condition.each_at_least is not None:
                statements.append(self._questions.of(condition))
            elif condition.margin is None:
                assert alone is not None  # there is such a condition
                statements.append(alone.of(condition, delta))
            else:
                assert beside is not None  # there is such a condition
                statements.append(beside.of(condition))
        parts, names = decide_each(statements, self.terms)
        report = None if alone is None else alone.report(delta, of_all[0].sides[0])
        answers = _found(parts, names, report, [] if beside is None else [*beside.panels.values()])
        each = [
            note for c in self.conditions if c.each_at_least is not None for note in self._questions.noted(c, delta)
        ]
        return answers._replace(notes=tuple(dict.fromkeys((*answers.notes, *each))))

    # ---- The model alone

    @cached_property
    def _prepared(self) -> tuple[Predictions, object, Sequence[object] | None]:
        """The rows with the scores that are needed, and with predictions at the operating point, if there is one."""
        rows, positive, labels = self.rows, self.positive, self.labels
        measures = [find_measure(condition.measure) for condition in self.alone]
        rows, _ = scores_for(rows, measures, also=self.operating_point is not None)
        if self.operating_point is not None:
            operated = at_operating_point(rows, declared_threshold(self.operating_point), positive, labels)
            rows, positive, labels = operated.predictions, operated.positive, operated.labels
        rows = replace(rows, asked_about=tuple(c.label for c in self.alone if c.label is not None))
        return rows, _positive(rows, self.alone, positive), labels

    def _by_tables(self) -> bool:
        """Whether all groups can be decided on at once, however many there are, by the tables of each."""
        rows, entries = self.rows, [find_measure(condition.measure) for condition in self.alone]
        counted = not rows.design.by_class and rows.plain and not {"value", "id"} & {*rows.columns}
        return (
            counted
            and not self.more
            and bool(self.alone[0].columns)
            and all(c.columns == self.alone[0].columns and c.group is None for c in self.alone)
            and all(counted_as(entry.name) is not None for entry in entries)
            and all(entry.takes is Contingency and not entry.required for entry in entries)
        )

    @cached_property
    def _questions(self) -> QuestionGate:
        return QuestionGate(*self._prepared, self.terms.method)


class _Panels:
    """The model beside each of the baselines that conditions name."""

    def __init__(self, gate: RowGate, usual: Baseline) -> None:
        self.gate, self.usual = gate, usual
        self.panels: dict[int, Panel] = {}
        self._statements: dict[int, BaselineStatements] = {}
        design = gate.rows.design
        if design.order is not None:
            raise HoldfastError(
                "order= (--order) says nothing of two models: no method that bets on clusters in their order is for "
                "differences. Leave it out."
            )
        refuse_idle_design(gate.rows, ())

    def of(self, condition: Condition) -> list[Statement]:
        usual = self.usual  # whose scores are known of no other
        baseline = usual if condition.baseline is None else Baseline(condition.baseline, None, usual.on)
        key = id(baseline.given)
        if key not in self._statements:
            self.panels[key] = self._panel(baseline)
            self._statements[key] = _statements(self.panels[key], self.gate.terms.method, self.gate.more)
        return self._statements[key].of(condition)

    def _panel(self, baseline: Baseline) -> Panel:
        gate = self.gate
        if gate.operating_point is not None:
            raise HoldfastError(
                "operating_point= (--operating-point) says nothing of the baseline: give the predictions of both "
                "models."
            )
        rows = gate.rows
        needing = [find_measure(condition.measure).takes not in READ_OFF_PREDICTIONS for condition in gate.beside]
        rows = replace(rows, guessed=False) if any(needing) else rows.without_scores()
        positive = _positive(rows, gate.beside, gate.positive)
        return panel_beside(rows, *baseline, positive, gate.labels)


def decide_panel(panel: Panel, conditions: Sequence[Condition], terms: Terms, more: Mapping[str, Any]) -> Found:
    """The answer to each condition on the first of two models beside the second."""
    if alone := [condition for condition in conditions if condition.margin is None]:
        raise HoldfastError(
            f"{alone[0]} is about one model; of a panel it is decided whether the first is not worse than the second, "
            "by margin=. Give the predictions of the one model."
        )
    more = {**more}
    keywords = {name: more.pop(name) for name in [*more] if name in Design.__dataclass_fields__}
    panel = panel._with(design=panel.design.with_facts(Design.stated("gate", more.pop("design", None), None, keywords)))
    beside = _statements(of_two(panel), terms.method, more)
    parts, names = decide_each([beside.of(condition) for condition in conditions], terms)
    return _found(parts, names, None, [panel])


def _statements(panel: Panel, method: str | Bound | None, more: Mapping[str, Any]) -> BaselineStatements:
    return BaselineStatements(panel, None if method is None else find(method), more)


def _found(parts: list[Decision], names: Sequence[str], report: Report | None, panels: Sequence[Panel]) -> Found:
    """The answers with what they rest on, and what the reader should know of that."""
    notes: list[str] = [] if report is None else [*report.facts.notes]
    notes += [note for panel in panels for note in panel.notes]
    notes += [PAIRED] if panels else []
    notes += [OCCUR] if any(leaf.group is not None for part in parts for leaf in part.leaves()) else []
    known = {} if report is None else {n: v for n, v in report.provenance.items() if n not in ("command", "seed")}
    for panel in panels:
        mark = known.get("fingerprint")
        both = panel.fingerprint if mark is None else sha256(bytes.fromhex(f"{mark}{panel.fingerprint}")).hexdigest()
        known = {**origin(rows=panel.n), **known, "fingerprint": both}
        known |= {"logs": panel.logs} if panel.logs else {}
    return Found(parts, known, names, tuple(dict.fromkeys(notes)))


def _positive(rows: Predictions, conditions: Iterable[Condition], positive: object) -> object:
    """The positive class; where there are no scores to speak for one, the class that is asked about will do.

    Of very many classes only the positive one is answered for.
    """
    labels = {
        c.label for c in conditions if (entry := find_measure(c.measure)).per_class and entry.takes is Contingency
    }
    return labels.pop() if positive is None and len(labels) == 1 and not rows.scored else positive
