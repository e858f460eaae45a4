"""What a report says beside its claims: notes, what to do next, the table, the curves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from holdfast.catalog import Bound, Measure
from holdfast.claims import Assumption
from holdfast.errors import HoldfastError, UnfitMethod
from holdfast.evidence import NO_ANSWER, Contingency, Losses, Resampled
from holdfast.evidence.counts import Samples
from holdfast.evidence.draws import Influence, Ratio
from holdfast.evidence.evidence import Need
from holdfast.evidence.ranking.calibration import Bins
from holdfast.predictions import Predictions
from holdfast.predictions.design import Design
from holdfast.report import Line
from holdfast.report.facts.assessment import AssessmentFacts, Matrix
from holdfast.selection.bands import precision_recall, roc
from holdfast.tally import Tally
from holdfast.tally.designs.drawn import Drawn
from holdfast.tally.designs.draws import DrawnRows
from holdfast.verbs.subject import MOST_CLASSES, needs_predictions, needs_scores

FEW = 10  # clusters, below which whatever holds as their number grows does not hold yet
OTHERS = "Measures other than error rate and accuracy"
HEAVY = 0.05  # part of all that counts, beyond which a single draw carries too much of it


def refuse_bins(design: Design, bins: Bins | None) -> None:
    """Refuse bins of scores where nothing is said of them."""
    if bins is not None and design.by_class:
        raise HoldfastError("Calibration depends on how frequent the classes are; leave out bins= (--bins).")


def refuse_unfit(methods: Sequence[Bound], counted: Tally, design: Design) -> None:
    """Refuse methods that take examples for independent draws of equal weight, where they are not."""
    if counted.drawn is None or counted.drawn.draws.rows:
        return
    for bound in methods:
        if not {Losses, Resampled, Ratio, Influence} & set(bound.takes):
            raise UnfitMethod(
                f"{bound.name} takes every example for an independent draw that weighs as much as any other, which "
                "these are not: its interval would be too narrow. Use squares where the most that a draw can weigh is "
                "stated, and influence, bca or jackknife elsewhere."
            )
        capped = bound.needs in (Need.DRAWS, Need.CAPPED) and Losses not in bound.takes
        if capped and counted.drawn.draws.most is None:
            raise UnfitMethod(
                f"{bound.name} needs the most that a draw can hold, fixed beforehand: give max_cluster= "
                "(--max-cluster), and max_weight= (--max-weight) where rows are weighed; or use squares."
            )


def notes_of_design(counted: Tally, rows: Predictions, wanted: Sequence[Measure]) -> Iterator[str]:
    """What the lines are about, and which of them the design of the rows has none of."""
    drawn, design, weighed = counted.drawn, rows.design, "weight" in rows.columns
    if drawn is None:
        return
    draws = drawn.draws
    if Assumption.CLUSTERS in draws.assumes:
        yield from _of_clusters(counted, design, weighed, wanted)
    if weighed:
        yield (
            "Rows count by their weights. The counts of errors and of rows, and the table, are of the rows as they are."
        )
        yield from notes_of_weights(drawn.entries.rows, design)
    if draws.stratum is not None and not design.by_class:
        yield f"There are {int(draws.stratum.max()) + 1:,} strata, within which the draws were made."


def notes_of_weights(rows: Drawn, design: Design) -> Iterator[str]:
    """What weights leave to be said of weighted rows."""
    if design.max_weight is None:
        yield (
            "Nothing is said of weighted rows that holds at every sample size: a rare row of great weight, of which "
            "none was drawn, could change everything. The most that a row can weigh, known beforehand, rules that out: "
            "max_weight= (--max-weight)."
        )
    heaviest = float((rows.sums() / rows.sums().sum()).max(initial=0.0))
    if heaviest > HEAVY:
        yield (
            f"One draw carries {heaviest:.0%} of all weight: what holds only as the sample grows does not hold where a "
            "few draws carry much."
        )


def _of_clusters(counted: Tally, design: Design, weighed: bool, wanted: Sequence[Measure]) -> Iterator[str]:
    drawn = counted.drawn
    assert drawn is not None
    number = drawn.draws.number
    if drawn.largest == 1 and not weighed:
        yield (
            "Every cluster holds one row, so they change nothing: without them the rows count as independent draws, "
            "and exact binomial limits apply, which are narrower."
        )
    if any(measure.right_or_wrong for measure in wanted):
        yield _target(drawn, design, weighed)
    others = any(measure.takes is Contingency and measure.needs_labels for measure in wanted)
    if counted.table is not None and others and not weighed and drawn.draws.stratum is None:
        averaged = drawn.draws.averaged  # shares of all rows are said of the average cluster; see `DrawnSubject`
        what = "Whatever is not said of the average cluster weighs" if averaged else f"{OTHERS} weigh"
        yield f"{what} every row the same, however large its cluster."
    if any(measure.takes is Samples for measure in wanted):
        over = "the questions"
        if drawn.entries.rows.question is not None and design.max_cluster is None:
            over = "the questions of each cluster, and then the clusters"
        yield f"pass-at-k and pass-all-k are means over {over}."
    if number < FEW:
        there = "There is one cluster" if number == 1 else f"There are {number} clusters"
        yield (
            f"{there}, and clusters are what counts: little can be said, and what holds only as their number grows "
            "does not hold yet."
        )


def _target(drawn: DrawnRows, design: Design, weighed: bool) -> str:
    number = drawn.draws.number
    if not drawn.draws.averaged:
        most = "" if design.max_cluster is None else f" of at most {design.max_cluster:,}"
        return f"Error rate and accuracy are over all rows, which came in {number:,} clusters{most}."
    if not drawn.uneven:
        alike = "weigh the same" if weighed else "hold equally many rows"
        return (
            "Error rate and accuracy are those of the average cluster, and so of the average row: all clusters here "
            f"{alike}."
        )
    return (
        f"Error rate and accuracy of the average cluster, in which each of the {number:,} weighs the same however many "
        "rows it holds, have limits that hold at every number of clusters: a gate decides on them. Those of the "
        "average row hold only as clusters grow many; with the most rows that one can hold, fixed beforehand, as "
        "max_cluster= (--max-cluster), they hold at every number too."
    )


LARGEST_SHOWN = 50  # labels of a table that is passed on whole
FEW_ERRORS = 5  # or as few right answers
STATED = {  # what a measure needs beside the data, as it is stated
    "costs": "costs= (--costs)",
    "classes": "classes= (holdfast assess --classes)",
    "k": "pass_at= (holdfast assess --pass-at)",
}


UNPREDICTED = (
    "There are no predictions, so that nothing is said of errors, precision, recall and the like. Give them by "
    "predicted= (--predicted); or, if it was fixed beforehand from which score on to say yes, that score by "
    "operating_point= (--operating-point)."
)


def check(lines: list[Line], wanted: Sequence[Measure], named: Sequence[Bound], counted: Tally) -> None:
    if not lines:
        if counted.unpredicted is not None and any(map(needs_predictions, wanted)):
            raise HoldfastError(f"The data do not bear {', '.join(m.name for m in wanted)}. {UNPREDICTED}")
        needed = " or ".join(f"{measure.name}, which {_needed(measure)}" for measure in dict.fromkeys(wanted))
        raise HoldfastError(f"The data do not bear {needed}; hf.measures (`holdfast measures`) lists what there is.")
    used = {line.claim.method for line in lines}
    for bound in named:
        if bound.name not in used:
            raise UnfitMethod(f"{bound.name} fits none of these measures on this side; leave it out.")


def _needed(measure: Measure) -> str:
    if measure.required:
        return f"needs {' and '.join(STATED[name] for name in measure.required)}"
    return f"is read off {measure.takes.__name__.lower()}"


def facts_of(
    counted: Tally, wanted: Sequence[Measure], lines: Sequence[Line], notes: Sequence[str], clip: float, **stated: Any
) -> AssessmentFacts:
    """What the report says beside its claims; what was `stated` about calibration and the like goes with it."""
    if counted.unpredicted is not None and any(map(needs_predictions, wanted)):
        notes = [*notes, UNPREDICTED]
    table, matrix = counted.table, None
    if table is not None and len(table.labels) <= LARGEST_SHOWN:
        matrix = Matrix(labels=tuple(table.labels), table=tuple(map(tuple, table.table.tolist())))
    clustered = counted.drawn is not None and Assumption.CLUSTERS in counted.drawn.draws.assumes
    return AssessmentFacts(
        errors=int(counted.counts.k) if counted.counts.n else None,
        positive=counted.positive,
        positive_by="scores" if counted.leaning else None,
        missing=counted.missing,
        clusters=counted.drawn.draws.number if clustered and counted.drawn is not None else None,
        largest_cluster=counted.drawn.largest if clustered and counted.drawn is not None else None,
        contingency=matrix,
        notes=(*counted.notes, *notes, *_notes(counted, lines, clip)),
        next=tuple(_next(counted, wanted, lines)),
        **stated,
    )


def _notes(counted: Tally, lines: Sequence[Line], clip: float) -> Iterator[str]:
    if any(line.measure == "log-loss" for line in lines):
        yield f"For the log loss, probabilities are kept within [{clip:g}, {1 - clip:g}]."
    for line in lines:
        if line.measure == "auc" and line.claim.estimate is not None and float(line.claim.estimate) < 0.5:
            yield f"The AUC of {line.label} is below 1/2: inverting the scores would rank better than they do."
            break
    if counted.table is not None and counted.table.classes.size > MOST_CLASSES and counted.positive is None:
        number = f"{counted.table.classes.size:,}"
        yield f"There are {number} labels: measures of each class are left out; one is named by positive= (--positive)."
    if counted.table is not None and NO_ANSWER in counted.table.labels:
        yield f"Rows without a prediction count as errors; they are filed under {NO_ANSWER}."


def _next(counted: Tally, wanted: Sequence[Measure], lines: Sequence[Line]) -> Iterator[str]:
    claim = next((line.claim for line in lines if line.measure == "error-rate"), None)
    if claim is not None and float(claim.width) > 0.02 and Assumption.CLUSTERS in claim.assumes:
        yield (
            f"About {4 * int(claim.n):,} clusters, four times as many, would halve the interval of the error rate; "
            "more rows in the same clusters help less."
        )
    elif claim is not None and float(claim.width) > 0.02:
        errors = int(counted.counts.k)
        usual = min(errors, counted.rows - errors) >= FEW_ERRORS  # with fewer, width does not fall as the root of n
        effect = (
            f"About {4 * counted.rows:,} examples, four times as many, would halve"
            if usual
            else "More examples would narrow"
        )
        yield f"{effect} the interval of the error rate; `holdfast plan` says how many a claim of yours needs."
    scored = counted.scores or counted.ranked is not None
    if not scored and counted.table is not None and any(map(needs_scores, wanted)):
        yield "A column of scores would add AUC, average precision, log loss and Brier score."


def curves(counted: Tally, mixed: bool) -> Iterator[tuple[str, str, Any]]:
    for label in counted.scores:
        if label == counted.positive or len(counted.scores) > 1:
            suffix = "" if label == counted.positive else f" of {label}"
            yield f"roc{suffix}", label, roc
            if not mixed:  # precision depends on how frequent the classes are
                yield f"precision-recall{suffix}", label, precision_recall
