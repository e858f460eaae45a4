"""How wrong is my classifier, really? Every measure that the predictions bear, each with its interval."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from holdfast.bounds.bands import precision_recall, roc
from holdfast.catalog import Bound, Measure, find, find_measure, measures
from holdfast.claims import Side, chance_of_error
from holdfast.combine import bonferroni
from holdfast.errors import HoldfastError, UnfitMethod
from holdfast.evidence import NO_ANSWER, Contingency, Counts, Forecasts, Scores, Tabled
from holdfast.measures.scoring import CLIP
from holdfast.predictions import Missing, Predictions
from holdfast.report import Line, Report
from holdfast.tally import Tally, tally
from holdfast.verbs.answers import Ask, Question
from holdfast.verbs.groups import about_groups

MOST_CLASSES = 200  # that get lines of their own, unless the labels were declared
MOST_CELLS = 10_000  # of a table that is resampled
LARGEST_SHOWN = 50  # labels of a table that is passed on whole


def assess(
    truth: Any = None,
    predicted: Any = None,
    score: Any = None,
    *,
    correct: Any = None,
    groups: Mapping[str, Any] | None = None,
    by: Sequence[str | Sequence[str]] | None = None,
    simultaneous: bool = False,
    positive: object = None,
    labels: Sequence[object] | None = None,
    confidence: float | str | None = None,
    delta: float | None = None,
    side: Side = "both",
    method: str | Sequence[str] | None = None,
    only: str | Sequence[str] | None = None,
    clip: float = CLIP,
    resamples: int = 2000,
    seed: int = 0,
    missing: Missing = "refuse",
    pos_label: object = None,
    command: str | None = None,
) -> Report:
    """What the predictions let you claim: every measure they bear, with an interval and its guarantee.

    Parameters
    ----------
    truth, predicted, score
        Columns of equal length: lists, arrays, columns of a frame. Or one `Predictions`, from `hf.read`. The
        score is for the positive class; for many classes it has one column a label, the labels in order.
    correct
        Instead of truth and predicted: whether each example was right.
    groups
        By name, columns that divide the rows into groups; several are crossed. Every group gets lines of its own.
    by
        Other ways to divide the rows by these columns: `["country", ("country", "device")]` is two.
    simultaneous
        Make all intervals of the report hold together, and not just each on its own.
    positive
        The label that precision, recall, scores and the like speak about. scikit-learn's `pos_label` will do.
    labels
        The labels in your order, as scikit-learn's; by default those that occur.
    confidence, delta, side
        As in `bound`; each interval holds on its own unless `simultaneous`.
    method
        Names of the catalog: they answer where they fit, the default elsewhere. `percentile` and `bca` bootstrap.
    only
        Names of the measures wanted; by default all that the data bear.
    clip
        Probabilities nearer to 0 or 1 than this are moved to it before the log loss is taken.
    resamples, seed
        Of the bootstrap, where it answers.
    missing
        What to do with a row without truth or prediction: "refuse", "drop", or "wrong" (a non-answer is an error).

    Examples
    --------
    >>> report = assess(["cat", "dog", "cat", "dog"], ["cat", "dog", "dog", "dog"])
    >>> print(report["error-rate"])
    0.250 [0.006, 0.806], clopper-pearson, 95 %, holds at every sample size
    >>> print(report["recall", "cat"])
    0.500 [0.012, 0.988], clopper-pearson, 95 %, holds at every sample size
    """
    if positive is not None and pos_label is not None:
        raise HoldfastError("Give positive= or pos_label=, not both: they mean the same.")
    level = chance_of_error(confidence, delta)
    if level.ndim:
        raise HoldfastError("A report is made at one confidence; call assess once for each.")
    wanted = [find_measure(name) for name in _several(only)] or measures()
    asked = tuple(find(name) for name in _several(method))
    rows = _predictions(truth, predicted, score, correct, labels, missing, groups=groups)
    counted = tally(rows, positive=pos_label if positive is None else positive, labels=labels, by=_divisions(rows, by))
    ask = Ask(level, side, asked, {"resamples": resamples, "seed": seed})
    questions = [q for measure in wanted for q in _questions(measure, counted, clip, labels is not None)]
    grouped = about_groups(counted, wanted, named=only is not None)
    if simultaneous:
        ask = replace(ask, delta=bonferroni(level, ask.statements(questions) + len(grouped)))
    lines = ask.answers(questions)
    _check(lines, wanted, asked)
    return Report.of(
        lines,
        {**_details(counted, lines, clip), **_together(simultaneous, level, ask.delta)},
        {name: partial(curve, counted.scores[label], level) for name, label, curve in _curves(counted)},
        [each.answer(ask.delta, side, simultaneous) for each in grouped],
        fingerprint=counted.fingerprint,
        rows=counted.rows,
        command=command or _call(positive=positive, confidence=confidence, delta=delta, side=side, method=method),
        seed=seed,
    )


def _several(names: str | Sequence[str] | None) -> list[str]:
    return [] if names is None else [names] if isinstance(names, (str, Bound, Measure)) else list(names)


def _predictions(
    truth: Any,
    predicted: Any,
    score: Any,
    correct: Any,
    labels: Sequence[object] | None,
    missing: Missing,
    **beside: Any,
) -> Predictions:
    if not isinstance(truth, Predictions):
        given = {name: column for name, column in beside.items() if column is not None}
        return Predictions.from_arrays(
            truth, predicted, score, correct=correct, labels=labels, missing=missing, **given
        )
    columns = {"predicted": predicted, "score": score, "correct": correct, **beside}
    if twice := [name for name, column in columns.items() if column is not None]:
        raise HoldfastError(f"The first argument holds all columns already; leave out {', '.join(twice)}.")
    return truth


def _divisions(rows: Predictions, by: Sequence[str | Sequence[str]] | None) -> list[Sequence[str]]:
    """The ways to divide the rows: those asked for, or all columns of groups crossed."""
    if by is not None:
        return [[names] if isinstance(names, str) else names for names in by]
    return [rows.group_names] if rows.group_names else []


def _together(simultaneous: bool, level: Any, each: Any) -> Mapping[str, Any]:
    """That all intervals hold together, and at which level each does so."""
    return {"simultaneous": {"delta": float(level), "each": float(each)}} if simultaneous else {}


def _questions(measure: Measure, counted: Tally, clip: float, declared: bool) -> Iterator[Question]:
    """What the tally lets one ask about the measure."""
    table = counted.table
    if measure.required:
        return
    if measure.takes is Contingency and table is not None:
        evidence = measure(table)
        if measure.per_class:
            places = _shown(counted, table, declared)
            labels = tuple(table.labels[place] for place in places)
            yield Question(
                measure, type(evidence)(evidence.k[places], evidence.n[places]), labels, table, tuple(places)
            )
        elif not (isinstance(evidence, Tabled) and table.cells[2].size > MOST_CELLS):
            yield Question(measure, evidence, table=table)
    elif measure.takes is Contingency and not measure.needs_labels:
        plain = _right_or_wrong(counted.counts)
        yield Question(measure, measure(plain), table=plain)
    elif measure.takes is Scores:
        yield from (Question(measure, measure(scores), (label,)) for label, scores in counted.scores.items())
    elif measure.takes is Forecasts and counted.forecasts is not None:
        options = {"clip": clip} if "clip" in measure.parameters else {}
        yield Question(measure, measure(counted.forecasts, **options))


def _right_or_wrong(errors: Counts) -> Contingency:
    """A table in which all that can be seen is how many were wrong."""
    return Contingency.of_cells(("right", "wrong"), [0, 1], [0, 0], [errors.n - errors.k, errors.k])


def _shown(counted: Tally, table: Contingency, declared: bool) -> list[int]:
    """Places of the classes that get lines of their own, the positive one first."""
    places: list[int] = table.classes.tolist()
    if counted.positive is not None:
        first = table.place(counted.positive)
        places = [first, *(place for place in places if place != first)]
        return places if declared else places[:MOST_CLASSES]
    return places if declared or len(places) <= MOST_CLASSES else []


def _check(lines: list[Line], wanted: Sequence[Measure], asked: Sequence[Bound]) -> None:
    if not lines:
        needed = " or ".join(dict.fromkeys(f"{m.name}, which is read off {m.takes.__name__.lower()}" for m in wanted))
        raise HoldfastError(f"The data do not bear {needed}; `holdfast measures` lists what there is.")
    used = {line.claim.method for line in lines}
    for bound in asked:
        if bound.name not in used:
            raise UnfitMethod(f"{bound.name} fits none of these measures on this side; leave it out.")


def _details(counted: Tally, lines: Sequence[Line], clip: float) -> Mapping[str, Any]:
    notes = [*counted.notes, *_notes(counted, lines, clip)]
    details: dict[str, Any] = {
        "errors": int(counted.counts.k),
        "positive": counted.positive,
        "missing": counted.missing,
    }
    if counted.table is not None and len(counted.table.labels) <= LARGEST_SHOWN:
        labels = list(counted.table.labels)
        details["contingency"] = {"labels": labels, "rows": "predicted", "table": counted.table.table.tolist()}
    return {**details, "notes": notes, "next": list(_next(counted, lines))}


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


def _next(counted: Tally, lines: Sequence[Line]) -> Iterator[str]:
    claim = next((line.claim for line in lines if line.measure == "error-rate"), None)
    if claim is not None and float(claim.width) > 0.02:
        yield (
            f"About {4 * counted.rows:,} examples, four times as many, would halve the interval of the error rate; "
            "`holdfast plan` says how many a claim of yours needs."
        )
    if not counted.scores and counted.table is not None:
        yield "A column of scores would add AUC, average precision, log loss and Brier score."


def _curves(counted: Tally) -> Iterator[tuple[str, str, Any]]:
    for label in counted.scores:
        if label == counted.positive or len(counted.scores) > 1:
            suffix = "" if label == counted.positive else f" of {label}"
            yield f"roc{suffix}", label, roc
            yield f"precision-recall{suffix}", label, precision_recall


def _call(**given: object) -> str:
    told = ", ".join(f"{name}={value!r}" for name, value in given.items() if value is not None)
    return f"holdfast.assess({told})"
