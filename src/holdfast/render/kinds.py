"""How each kind of report is shown: one entry says what makes its outline, and which pictures it has."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from holdfast.render.ci.verdict import notes_of
from holdfast.render.outline import (
    assessment,
    comparison,
    datasets,
    decision,
    ledger,
    panel,
    training,
)
from holdfast.render.outline.parts import Outline, Parts, Points
from holdfast.render.text.answers import (
    decision_parts,
    duel_parts,
    examination_parts,
    measure_parts,
    measures_parts,
    method_parts,
    methods_parts,
    monitor_parts,
    procedure_parts,
    threshold_parts,
)
from holdfast.render.text.layout import READ, logs_of, report_parts
from holdfast.render.text.text import bounds_parts, claim_parts, coverage_parts, plan_parts
from holdfast.report import Decision, Line, Plan, Report
from holdfast.report.decision import Threshold
from holdfast.report.facts.kind import Kind
from holdfast.report.facts.listing import (
    DecisionFacts,
    MeasuresFacts,
    MethodsFacts,
    ThresholdFacts,
)
from holdfast.report.look import DuelLook, Look
from holdfast.report.origin import Written

Answer = Report | Decision | Threshold | Look | DuelLook
OF_ASSESSMENTS = ("forest", "matrix", "roc", "precision-recall", "scores", "calibration", "groups", "plan")
OF_COMPARISONS = ("differences", "ranks", "beats", "error-rates")


class Shown(NamedTuple):
    """What makes of a report and its facts what a reader sees of this kind."""

    outline: Callable[[Report, Any], Outline] = assessment.bounds
    charts: tuple[str, ...] = OF_ASSESSMENTS  # in the order to show them
    lost: str = ""  # what of its page the JSON does not hold
    text: Callable[[Report, Any], Parts] | None = None  # where it is not laid out from the outline as others are


def outline_of(report: Report) -> Outline:
    """What is shown of the report; where it comes from logs, what was read of them comes first."""
    outline = KINDS[report.kind].outline(report, report.facts)
    if not (logs := logs_of(report.provenance)):
        return outline
    return replace(outline, beside=[Points(READ, logs), *outline.beside])


def headline_of(report: Report) -> str | None:
    """The sentence on top; of claims that stand side by side there is none."""
    return None if KINDS[report.kind].text else outline_of(report).sentence


def report_of(answer: Written) -> Report:
    """The answer as a report, which it may be: one that tells a decision or a threshold has the claims of that."""
    if isinstance(answer, Decision):
        leaves = [leaf for leaf in answer.leaves() if leaf.claim is not None]
        lines = (Line(leaf.claim, label=leaf.label, group=leaf.group) for leaf in leaves if leaf.claim is not None)
        return Report(tuple(lines), answer.provenance, DecisionFacts(answer, tuple(notes_of(answer))))
    if isinstance(answer, Threshold):
        own = [] if answer.claim is None else [answer.claim, *answer.beside]
        whole = (*map(Line, own), *(answer.groups or ()))
        return Report(whole, answer.provenance, ThresholdFacts(answer, answer.notes), seen=answer.seen)
    assert isinstance(answer, Report)  # looks at a stream have no page
    return answer


def parts_of(answer: Answer | Plan) -> Parts:
    """What any verb answers with, in parts that text and Markdown lay out."""
    if isinstance(answer, Plan):
        return plan_parts(answer)
    if isinstance(answer, Look):
        return monitor_parts(answer)
    if isinstance(answer, DuelLook):
        return duel_parts(answer)
    report = report_of(answer)
    own = KINDS[report.kind].text
    return own(report, report.facts) if own else report_parts(report, outline_of(report))


# ---- What commands list


def _methods(facts: MethodsFacts) -> Parts:
    if facts.methods is not None and facts.procedures is not None:
        return methods_parts(facts.methods, facts.procedures)
    if facts.methods is not None:
        return method_parts(facts.methods[0])
    return procedure_parts((facts.procedures or ())[0])


def _measures(facts: MeasuresFacts) -> Parts:
    one = len(facts.measures) == 1
    return measure_parts(facts.measures[0]) if one else measures_parts(facts.measures)


KINDS: dict[Kind, Shown] = {
    Kind.ASSESSMENT: Shown(
        assessment.assessment,
        lost="curves, the scores, what a confusion matrix shows beside its counts, what other thresholds or more "
        "examples would give, and limits at other confidences",
    ),
    Kind.COMPARISON: Shown(comparison.comparison, OF_COMPARISONS),
    Kind.FOLDS: Shown(comparison.comparison, OF_COMPARISONS),
    Kind.DATASETS: Shown(datasets.datasets, OF_COMPARISONS),
    Kind.DUEL: Shown(datasets.duel, ("wealth",), "how the evidence grew"),
    Kind.CROSS_ASSESSMENT: Shown(assessment.crossed, ("splits", "forest", "groups")),
    Kind.DECOMPOSITION: Shown(training.decomposition, ("decomposition",)),
    Kind.LEARNING_CURVE: Shown(training.learning_curve, ("learning-curve", "interval-width")),
    Kind.PANEL: Shown(
        panel.panel, ("model-errors", "agreement"), "each model's limits by itself, and who agrees with whom"
    ),
    Kind.COMMITTEE: Shown(panel.committee, ("ways", "agreement"), "who agrees with whom"),
    Kind.DECISION: Shown(
        decision.decision, ("conditions",), text=lambda report, facts: decision_parts(report, facts, outline_of(report))
    ),
    Kind.THRESHOLD: Shown(
        decision.threshold,
        ("rates", "trade-off"),
        "which rates other thresholds have",
        lambda report, facts: threshold_parts(report, facts, outline_of(report)),
    ),
    Kind.BOUND: Shown(text=lambda report, _: claim_parts(report.claims[0])),
    Kind.BOUNDS: Shown(text=lambda report, _: bounds_parts(report)),
    Kind.PLAN: Shown(text=lambda _, facts: plan_parts(facts.plan)),
    Kind.VERIFICATION: Shown(text=lambda _, facts: coverage_parts(facts.verification, facts.guarantee)),
    Kind.METHODS: Shown(text=lambda _, facts: _methods(facts)),
    Kind.MEASURES: Shown(text=lambda _, facts: _measures(facts)),
    Kind.EXAMINATION: Shown(text=examination_parts),
    Kind.LEDGER: Shown(ledger.ledger, ("limits", "levels")),
}
