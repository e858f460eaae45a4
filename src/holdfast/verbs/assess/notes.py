"""What a report says beside its claims: notes, what to do next, the table, the curves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from holdfast.catalog import Bound, Measure
from holdfast.claims import Assumption
from holdfast.errors import HoldfastError, UnfitMethod
from holdfast.evidence import NO_ANSWER, Contingency
from holdfast.report import Line
from holdfast.report.facts.assessment import AssessmentFacts, Matrix
from holdfast.selection.bands import precision_recall, roc
from holdfast.tally import Tally
from holdfast.verbs.subject import MOST_CLASSES, needs_predictions, needs_scores

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


def check(lines: list[Line], wanted: Sequence[Measure], asked: Sequence[Bound], counted: Tally) -> None:
    if not lines:
        if counted.unpredicted is not None and any(map(needs_predictions, wanted)):
            raise HoldfastError(f"The data do not bear {', '.join(m.name for m in wanted)}. {UNPREDICTED}")
        needed = " or ".join(f"{measure.name}, which {_needed(measure)}" for measure in dict.fromkeys(wanted))
        raise HoldfastError(f"The data do not bear {needed}; hf.measures (`holdfast measures`) lists what there is.")
    used = {line.claim.method for line in lines}
    for bound in asked:
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
    clustered = counted.drawn is not None and Assumption.CLUSTERS in counted.drawn.draws.assumes
    return AssessmentFacts(
        errors=int(counted.counts.k) if counted.counts.n else None,
        positive=counted.positive,
        positive_by="scores" if counted.leaning else None,
        missing=counted.missing,
        clusters=counted.drawn.draws.number if clustered and counted.drawn is not None else None,
        largest_cluster=counted.drawn.largest if clustered and counted.drawn is not None else None,
        contingency=None if counted.table is None else _shown_whole(counted.table),
        notes=(*counted.notes, *notes, *_notes(counted, lines, clip)),
        next=tuple(_next(counted, wanted, lines)),
        **stated,
    )


def _shown_whole(table: Contingency) -> Matrix | None:
    """The table as it is passed on, where there are not too many labels to lay it out."""
    if len(table.labels) > LARGEST_SHOWN:
        return None
    return Matrix(labels=tuple(table.labels), table=tuple(map(tuple, table.table.tolist())))


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
        told = (
            f"About {4 * counted.rows:,} examples, four times as many, would halve"
            if usual
            else "More examples would narrow"
        )
        yield f"{told} the interval of the error rate; `holdfast plan` says how many a claim of yours needs."
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
