"""The report of an assessment as text: headline, tables, what is assumed, what to do next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from holdfast.claims import Claim, Guarantee
from holdfast.render.numbers import confidence, digits_for, percent, rounded
from holdfast.render.text.text import BRIEF, COLOUR, Parts, assumptions, averaged, by_cluster, empty_table, wrapped
from holdfast.report.about import label_is, told_of_classes
from holdfast.report.verdict import printable

if TYPE_CHECKING:
    from rich.table import Table

    from holdfast.report import Block, Line, Report

MOST_ROWS = 20  # classes of a table on the screen; all of them are in the JSON
MOST_COLUMNS = 6  # labels of a confusion matrix on the screen
MOST_DIGITS = 5  # decimals of an interval that leave room for its method within 80 columns
MOST_DIGITS_OF_THREE = 3  # of three intervals beside each other
LONGEST_LABEL = 16
LONGEST_METHOD = 20  # that leaves columns as far apart as they should be
LONGEST_GROUP = 24
LONGEST_CLASS = 11  # beside three intervals


def assessment_parts(report: Report) -> Parts:
    """Everything a reader should see, top-down."""
    overall = [line for line in report.whole if not of_a_class(line) and label_is(line.measure) != "bin"]
    parts: Parts = [wrapped(headline(report)), ""]
    parts += [claims_table(overall, level(report), by_cluster(report.claims)), ""] if overall else []
    parts += classes(report)
    parts += _matrix(report.details.get("contingency"))
    parts += _calibration(report)
    parts += _groups(report)
    parts += sentences("Note", report.details.get("notes", ()))
    parts += [wrapped(holding(report)), *assumptions(report.claims), ""]
    parts += sentences("Next", report.details.get("next", ()))
    return [*parts, origin(report)]


def of_a_class(line: Line) -> bool:
    """Whether the line's label is a class, and not a bin of the scores or a number of samples."""
    return line.label is not None and label_is(line.measure) == "class"


def headline(report: Report) -> str:
    """What the error rate is, in words for people who do not speak statistics."""
    if "errors" not in report.details:
        return _ranking(report)
    rows, errors = report.provenance["rows"], report.details["errors"]
    times = {0: "did not err", 1: "erred once"}.get(errors, f"erred {errors:,} times")
    questions = report.provenance.get("examples")
    answers = "answer" if rows == 1 else "answers"
    seen = _examples(rows) if questions is None else f"{rows:,} {answers} to {_questions(questions)}"
    said = f"On {seen} the model {times}."
    line = next((line for line in report.whole if line.measure == "error-rate" and line.label is None), None)
    if line is None:
        return said
    claim, holds = line.claim, line.claim.guarantee.sentence
    level = confidence(float(report.details.get("simultaneous", {}).get("delta", claim.delta)))
    subject = f"the true error rate{average}" if (average := averaged(claim)) else "its true error rate"
    return f"{said} With {level} confidence {subject} is {ranged(claim)}; this {holds}."


def _ranking(report: Report) -> str:
    """The same where there are no predictions to be wrong: how well the scores rank."""
    said = f"On {_examples(report.provenance['rows'])} the scores were assessed; there are no predictions."
    line = next((line for line in report.whole if line.measure == "auc"), None)
    if line is None:
        return said
    claim, limits = line.claim, estimate_and_limits(line.claim)[1]
    level = confidence(float(report.details.get("simultaneous", {}).get("delta", claim.delta)))
    place = {"both": "in", "upper": "at most", "lower": "at least"}[claim.side]
    return (
        f"{said} With {level} confidence their true AUC for {shown(line.label or '')} is {place} {limits}; "
        f"this {claim.guarantee.sentence}."
    )


def ranged(claim: Claim) -> str:
    digits = digits_for(float(claim.width))
    least, most = percent(float(claim.lower), digits, "down"), percent(float(claim.upper), digits, "up")
    return {"both": f"between {least} and {most}", "upper": f"at most {most}", "lower": f"at least {least}"}[claim.side]


def _questions(number: int) -> str:
    return "1 question" if number == 1 else f"{number:,} questions"


def _examples(rows: int) -> str:
    return "1 example" if rows == 1 else f"{rows:,} examples"


def level(report: Report) -> str:
    """The confidence of a column of intervals: of each, or of all together."""
    together = report.details.get("simultaneous")
    return confidence(float((together or {}).get("delta", report.claims[0].delta))) + (" joint" if together else "")


def claims_table(lines: Sequence[Line], level: str, clusters: bool = False) -> Table:
    """The lines under each other; where some average over clusters, each says what it averages over."""
    from rich.text import Text

    per = ["per"] if clusters else []
    table = empty_table("measure", *per, "estimate", f"{level} {_limits(lines[0].claim)}", "method", "holds at")
    for column in (*table.columns[1 : 1 + len(per)], *table.columns[-2:]):
        column.justify = "left"
    for line in lines:
        estimate, limits = estimate_and_limits(line.claim)
        mark = Text(BRIEF[line.claim.guarantee], style=COLOUR[line.claim.guarantee])
        name = f"{line.measure}, {line.label}" if label_is(line.measure) == "samples" else line.measure
        table.add_row(name, *([line.claim.per] if clusters else []), estimate, limits, line.claim.method, mark)
    if clusters or max(len(line.claim.method) for line in lines) > LONGEST_METHOD:
        table.padding = (0, 1, 0, 0)  # closer together, so that its name stays whole
    return table


def _limits(claim: Claim) -> str:
    return {"both": "interval", "upper": "upper limit", "lower": "lower limit"}[claim.side]


def estimate_and_limits(claim: Claim, most: int = MOST_DIGITS) -> tuple[str, str]:
    """The estimate, and the limits rounded outward, with as many decimals as they need and there is room for."""
    digits = min(digits_for(float(claim.width)), most)
    estimate = rounded(None if claim.estimate is None else float(claim.estimate), digits, "nearest")
    lower, upper = rounded(float(claim.lower), digits, "down"), rounded(float(claim.upper), digits, "up")
    return estimate, {"both": f"[{lower}, {upper}]", "upper": upper, "lower": lower}[claim.side]


def classes(report: Report) -> Parts:
    """One class in full where there is a positive one, else the main measures of each class side by side."""
    positive = report.details.get("positive")
    labelled = [line for line in report.whole if of_a_class(line)]
    clusters = by_cluster(report.claims)
    if positive is not None:
        own = [line for line in labelled if line.label == positive]
        table = claims_table(own, level(report), clusters) if own else None
        return [f"{shown(positive)}, the positive class", "", table, ""] if own else []
    parts: Parts = []
    names = list(dict.fromkeys(line.measure for line in labelled))
    chosen, of_scores = told_of_classes(names)
    chosen = chosen or names[:3]
    if chosen:
        parts += [_class_table(labelled, chosen, "class, per row" if clusters else "class"), ""]
    ranked = [name for name in of_scores if name not in chosen]
    return parts + ([_class_table(labelled, ranked), ""] if ranked else [])


def _class_table(lines: Sequence[Line], names: Sequence[str], title: str = "class") -> Table:
    from rich.text import Text

    cells: dict[str, dict[str, Claim]] = {}
    for line in lines:
        if line.measure in names:
            found = cells.setdefault(str(line.label), {}).setdefault(line.measure, line.claim)
            if found.guarantee is not Guarantee.FINITE and line.claim.guarantee is Guarantee.FINITE:
                cells[str(line.label)][line.measure] = line.claim
    table = empty_table(title, *names)
    for label, claims in list(cells.items())[:MOST_ROWS]:
        told = {name: estimate_and_limits(claim, MOST_DIGITS_OF_THREE) for name, claim in claims.items()}
        table.add_row(Text(shown(label, LONGEST_CLASS)), *(" ".join(told.get(name, ())) for name in names))
    left = f"... {len(cells) - MOST_ROWS:,} more"
    if len(cells) > MOST_ROWS:
        table.add_row(left if len(left) <= LONGEST_CLASS else f"+{len(cells) - MOST_ROWS:,} more")
    return table


def _matrix(contingency: dict[str, Any] | None) -> Parts:
    """The confusion matrix, where it fits."""
    if contingency is None or len(contingency["labels"]) > MOST_COLUMNS:
        return []
    from rich.text import Text

    names = [shown(label, max(6, 54 // len(contingency["labels"]))) for label in contingency["labels"]]
    table = empty_table("predicted \\ actual", *names)
    for name, row in zip(names, contingency["table"], strict=True):
        table.add_row(Text(name), *(f"{count:,}" for count in row))
    return [table, ""]


def _calibration(report: Report) -> Parts:
    """What came true of the scores in each bin."""
    told = report.details.get("calibration")
    if told is None:
        return []
    claims = {line.label: line.claim for line in report.whole if line.measure == "calibration"}
    table = empty_table(f"score of {shown(told['label'])}", "n", "mean score", f"share that was {shown(told['label'])}")
    for row in told["bins"][:MOST_ROWS]:
        share = " ".join(estimate_and_limits(claims[row["bin"]], MOST_DIGITS_OF_THREE))
        table.add_row(row["bin"], f"{row['n']:,}", rounded(row["mean_score"], 3, "nearest"), share)
    if len(told["bins"]) > MOST_ROWS:
        table.add_row(f"... {len(told['bins']) - MOST_ROWS:,} more")
    return [table, ""]


def _groups(report: Report) -> Parts:
    """Each division of the rows: what is said first of its groups, and how far each is from the rest."""
    divisions: dict[tuple[str, ...], list[Block]] = {}
    for block in report.blocks:
        divisions.setdefault(tuple(block.groups), []).append(block)
    return [part for blocks in divisions.values() for part in _division(blocks)]


def _division(blocks: Sequence[Block]) -> Parts:
    from rich.text import Text

    first = blocks[0]
    gap = next((block for block in blocks if block.claim.measure == f"{first.claim.measure}-gap"), None)
    shown_blocks = [first, gap] if gap else [first]
    titles = [first.claim.measure + (f" of {shown(first.label)}" if first.label else ""), "minus that of the rest"]
    table = empty_table("group", "n", *titles[: len(shown_blocks)])
    for place in worst_first(first)[:MOST_ROWS]:
        told = [" ".join(estimate_and_limits(block[place].claim, MOST_DIGITS_OF_THREE)) for block in shown_blocks]
        table.add_row(Text(shown(first.groups[place], LONGEST_GROUP)), f"{first[place].claim.n:,}", *told)
    if len(first) > MOST_ROWS:
        table.add_row(f"... {len(first) - MOST_ROWS:,} more")
    return [table, ""]


def worst_first(block: Block) -> list[int]:
    """Its groups in order: those that are surely bad, then those that may be."""
    lower, upper = np.asarray(block.claim.lower), np.asarray(block.claim.upper)
    return np.lexsort((-upper, -lower) if block.better == "lower" else (lower, upper)).tolist()


def holding(report: Report) -> str:
    """Whether the intervals hold each on its own or all together."""
    together = report.details.get("simultaneous")
    if together is None:
        return "Each interval holds on its own, not all of them together."
    number = len(report.whole) + sum(len(block) for block in report.blocks)
    beside = ", and the bands of the curves," if together.get("bands") else ""
    grown = any(claim.guarantee is not Guarantee.FINITE for claim in report.claims)
    return (
        f"All {number:,} intervals{beside} hold together with {confidence(float(together['delta']))} confidence"
        f"{', as far as each holds at this number of examples' if grown else ''}: each kind of statement holds with "
        f"{confidence(float(together['each']))}, and of those about groups all at once."
    )


def sentences(title: str, told: Sequence[str]) -> Parts:
    """Sentences under a title, if there are any."""
    if not told:
        return []
    listed = [wrapped(s, initial_indent="  - ", subsequent_indent="    ") for s in told]
    return [f"{title}:", *listed, ""]


def origin(report: Report) -> str:
    """Where the report comes from, for the last lines of it."""
    known = report.provenance
    size = f", {examples_of(known)}" if "rows" in known else ""
    return f"holdfast {known['version']}{size}, SHA-256\n{known['fingerprint']}"


def examples_of(known: Mapping[str, Any]) -> str:
    """How many examples there are, and in how many rows they came where each has several."""
    rows, examples = known["rows"], known.get("examples", known["rows"])
    return f"{_examples(examples)} in {rows:,} rows" if rows > examples else _examples(examples)


def shown(label: str, longest: int = LONGEST_LABEL) -> str:
    """A label on one line, without anything a terminal would obey, and not too long."""
    return printable(label, longest)
