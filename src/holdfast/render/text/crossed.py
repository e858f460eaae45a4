"""The report of a cross-validation as text: which model is meant, what holds of it, and how each fold went."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from holdfast.render.numbers import confidence, percent
from holdfast.render.text.assessment import (
    claims_table,
    classes,
    holding,
    level,
    of_a_class,
    origin,
    ranged,
    sentences,
    shown,
)
from holdfast.render.text.text import Parts, assumptions, by_cluster, empty_table, wrapped

if TYPE_CHECKING:
    from rich.table import Table

    from holdfast.report import Report

LEARNER = "the learner"  # of a report that does not name it
LONGEST_LEARNER = 160  # characters in a sentence
MOST_FOLDS = 12  # of a table on the screen; all of them are in the JSON
SUBJECTS = {
    "fold-average": "the average of the true error rates of these models is",
    "fold": "the true error rate of {meant} is",
    "refit": "the true error rate of the model trained on all rows is",
    "algorithm": "the true error rate of the learner, over training sets of this size, is",
}


def crossed_parts(report: Report) -> Parts:
    """Everything a reader should see, top-down."""
    overall = [line for line in report.whole if not of_a_class(line)]
    parts: Parts = [wrapped(headline(report)), ""]
    parts += [wrapped(about(report)), ""]
    parts += [claims_table(overall, level(report), by_cluster(report.claims)), ""] if overall else []
    parts += classes(report)
    parts += [_folds(report.details["splits"]), ""]
    parts += sentences("Note", report.details["notes"])
    parts += [wrapped(holding(report)), *assumptions(report.claims), ""]
    parts += sentences("Next", report.details["next"])
    return [*parts, origin(report)]


def headline(report: Report) -> str:
    """What was seen, and what follows for the target."""
    return " ".join(filter(None, seen_and_following(report)))


def seen_and_following(report: Report) -> tuple[str, str]:
    """Both sentences of the headline; of a report that claims nothing of the error rate, only the first."""
    splits, errors = report.details["splits"], report.details["errors"]
    tested = sum(row["n_test"] for row in splits)
    learner = learner_of(report)
    models = f"1 model of {learner} was trained and"
    if len(splits) > 1:
        models = f"{len(splits):,} models of {learner} were trained, each"
    seen = "rows it was trained on" if report.details["resampling"]["overlapping"] else "rows it had not seen"
    rate = percent(errors / tested, 3, "nearest")
    said = f"{models} tested on {seen}: {errors:,} errors in {tested:,} answers, {rate}."
    line = next((line for line in report.whole if line.measure == "error-rate"), None)
    if line is None:
        return said, ""
    meant = report.details["target"]
    subject = SUBJECTS[meant["name"]].format(meant=meant["meaning"].partition(",")[0])
    if report.details["resampling"]["grouped"]:
        subject = subject.removesuffix(" is") + ", every group counted once, is"
    sure, holds = confidence(float(line.claim.delta)), line.claim.guarantee.sentence
    return said, f"With {sure} confidence {subject} {ranged(line.claim)}; this {holds}."


def learner_of(report: Report) -> str:
    """What was trained, as a sentence names it."""
    return shown(report.details.get("learner", LEARNER), LONGEST_LEARNER)


def about(report: Report) -> str:
    """Which model every line speaks of."""
    return f"Every line is about {report.details['target']['meaning']}."


def _folds(splits: list[dict[str, Any]]) -> Table:
    repeated = len({row["repeat"] for row in splits}) > 1
    table = empty_table(*(["repeat"] if repeated else []), "fold", "trained on", "tested on", "errors", "error rate")
    for row in splits[:MOST_FOLDS]:
        named = [str(row[name]) for name in (["repeat"] if repeated else []) + ["fold"]]
        sizes = [f"{row[name]:,}" for name in ("n_train", "n_test", "errors")]
        table.add_row(*named, *sizes, percent(row["errors"] / row["n_test"], 3, "nearest"))
    if len(splits) > MOST_FOLDS:
        table.add_row(f"... {len(splits) - MOST_FOLDS:,} more")
    return table
