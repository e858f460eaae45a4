"""The tables of an assessment: of all classes together, of each class, of what was taken for what, and of repeats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from holdfast.claims import Assumption, Claim, Guarantee
from holdfast.render.outline.parts import (
    LEVEL,
    Both,
    Cell,
    Column,
    Fold,
    Matrix,
    Medium,
    Name,
    Room,
    Section,
    Sentence,
    Table,
    claims_table,
)
from holdfast.render.phrases import LIMITS, by_cluster, confidence, level, of_a_class, percent, ranged, rate_and_limits
from holdfast.report import Line, Report
from holdfast.report.facts.assessment import Repeats, Spread
from holdfast.report.lines import label_is, told_of_classes
from holdfast.wording import counted, printable

MOST_LABELS = 12  # up to which the matrix is shown whole
MOST_CELLS = 60
TITLE = "What was taken for what"


def confusions(report: Report) -> Iterator[Section]:
    """The matrix where it is small, else its most confused cells."""
    view = report.views.get("matrix")
    if view is None:
        return
    names = [printable(label, 24) for label in view["labels"]]
    if view["complete"] and len(names) <= MOST_LABELS:
        by_place = {(cell["predicted"], cell["actual"]): cell for cell in view["cells"]}
        rows = [[_cell(by_place.get((i, j), {"count": 0})) for j in range(len(names))] for i in range(len(names))]
        sentence = f"Examples, and their share of the actual class with its {LEVEL} interval, which holds on its own."
        yield Section([Matrix(names, rows)], TITLE, [sentence])
        return
    confused = [cell for cell in view["cells"] if cell["predicted"] != cell["actual"] and cell["count"]]
    confused.sort(key=lambda cell: -cell["count"])
    if not confused:
        yield Section([Sentence(("No class was taken for another.",))], TITLE)
        return
    columns = [
        Column.words(None, "Truly"),
        Column.words(None, "Predicted", css="more", label="taken for"),
        Column(None, "Examples", css="more", label="examples"),
        Column(None, "Share"),
    ]
    # Picked for their counts: the limits of a cell hold where it was named in advance, and not here.
    picked = [{**cell, "lower": None, "upper": None} for cell in confused[:MOST_CELLS]]
    cells = [[names[c["actual"]], names[c["predicted"]], *_cell(c)[:2]] for c in picked]
    sentence = (
        f"The {len(cells)} most frequent confusions; the share is of the actual class. They were picked for being "
        "frequent: an interval would hold for a pair of classes named in advance, so none is shown."
    )
    yield Section([Table(columns, cells, "Most frequent confusions")], TITLE, [sentence])


def _cell(cell: Mapping[str, Any]) -> tuple[str, str, str]:
    """The count, its share of the actual class, and the limits of that."""
    return f"{cell['count']:,}", *rate_and_limits(cell.get("share"), cell.get("lower"), cell.get("upper"))


FEW_CLASSES = 12  # up to which each has a table of its own on the page
THREE = Room(3, 5)  # decimals, of three intervals beside each other in text
LONGEST = 60  # characters of a label on the page


def of_all(report: Report, title: str) -> Iterator[Section]:
    """The lines that are about no class."""
    lines = [line for line in report.whole if not of_a_class(line) and label_is(line.measure) != "bin"]
    if lines:
        yield Section([_claims(report, lines, "Measures of the model as a whole")], title)


def class_sections(report: Report, medium: Medium) -> Iterator[Section]:
    """The lines about classes, as the medium has room for them."""
    lines = [line for line in report.whole if of_a_class(line)]
    if lines:
        yield Section([*(_in_text if medium == "text" else _on_page)(report, lines)], "Each class")


def _claims(report: Report, lines: Sequence[Line], name: str, **how: Any) -> Table:
    sure = level(report, report.claims[0].delta, " joint")
    title = "estimate", f"{sure} {LIMITS[lines[0].claim.side]}"
    rows: list[tuple[Cell, Claim]] = [(_about(report, line), line.claim) for line in lines]
    return claims_table(rows, name, title, per=by_cluster(report.claims), **how)


def _about(report: Report, line: Line) -> Both:
    """The measure, and of how many samples; on the page also whose it is, and over what it is an average."""
    short = f"{line.measure}, {line.label}" if label_is(line.measure) == "samples" else line.measure
    own = line.label is None or of_a_class(line)
    name = line.measure if own else f"{line.measure}, {printable(str(line.label), LONGEST)}"
    name += f" ({printable(line.model, LONGEST)})" if line.model else ""
    return Both(short, name + (f", per {line.claim.per}" if by_cluster(report.claims) else ""))


def _in_text(report: Report, lines: Sequence[Line]) -> Iterator[Table]:
    """The positive class in full where there is one, else the main measures of each class side by side."""
    positive = report.facts.positive
    if positive is not None:
        own = [line for line in lines if line.label == positive]
        if own:
            yield _claims(report, own, "", heading=f"{printable(positive)}, the positive class")
        return
    names = list(dict.fromkeys(line.measure for line in lines))
    main, of_scores = told_of_classes(names)
    main = main or names[:3]
    title = "class, per row" if by_cluster(report.claims) else "class"
    yield _side_by_side(lines, main, title)
    if ranked := [name for name in of_scores if name not in main]:
        yield _side_by_side(lines, ranked, "class")


def _side_by_side(lines: Sequence[Line], names: Sequence[str], title: str) -> Table:
    """One row per class, by the guaranteed method where there is one."""
    cells: dict[str, dict[str, Claim]] = {}
    for line in lines:
        if line.measure in names:
            claim = cells.setdefault(str(line.label), {}).setdefault(line.measure, line.claim)
            if claim.guarantee is not Guarantee.FINITE and line.claim.guarantee is Guarantee.FINITE:
                cells[str(line.label)][line.measure] = line.claim
    columns = [Column.words(title, longest=Room(11, LONGEST)), *(Column(name, digits=THREE) for name in names)]
    rows = [[Name(label), *(claims.get(name, "") for name in names)] for label, claims in cells.items()]
    return Table(columns, rows, narrow=True)


def _on_page(report: Report, lines: Sequence[Line]) -> Iterator[Table | Sentence]:
    """A table for each of a few classes, the positive one first; of many, one for each measure and its method."""
    positive, labels = report.facts.positive, list(dict.fromkeys(str(line.label) for line in lines))
    labels.sort(key=lambda label: label != positive)
    number = len(labels)
    if number > FEW_CLASSES:
        yield from _each_measure(report, lines, number)
        return
    for label in labels:
        name, first = printable(label, LONGEST), label == positive
        fold = Fold(f"{name}, the positive class" if first else name, open=first or number < 3)
        yield _claims(report, [line for line in lines if line.label == label], f"Measures of {name}", fold=fold)


def _each_measure(report: Report, lines: Sequence[Line], number: int) -> Iterator[Table | Sentence]:
    sentence = f"Of {number} classes there is no room here: their measures are on the page itself, and in the JSON."
    yield Sentence((sentence,), "muted on-paper")
    first = {_about(report, line).page: place for place, line in reversed(list(enumerate(report.whole)))}
    ordered = sorted(lines, key=lambda line: (first[_about(report, line).page], line.claim.method))
    for (name, _), run in groupby(ordered, key=lambda line: (_about(report, line).page, line.claim.method)):
        same = list(run)
        claim = same[0].claim
        columns = [Column.words("class"), Column("estimate", ("Estimate", f"{LEVEL} {LIMITS[claim.side]}"))]
        fold = Fold(f"{name} of {number} classes", claim, open=False, printed=False)
        rows = [[Name(str(line.label)), line.claim] for line in same]
        yield Table(columns, rows, f"{name} of each class", css="", fold=fold)


MOST = Room(20, 200)  # questions, the least reliable first
TAKEN = f"What is said of repeats, and of each question, also assumes that {Assumption.OWN_SAMPLES}."
OPEN = 20  # which are not folded away


def repeated(repeats: Repeats) -> Iterator[Section]:
    """The two parts of the variance, and a line for each question."""
    spread = [] if repeats.spread is None else [Sentence(tuple(_spread(repeats.spread, repeats.questions)))]
    if not repeats.each:  # of partial credit no question is said to be right so often
        yield Section([*spread, Sentence((TAKEN,))], "Repeats of the same question")
        return
    level = f"{confidence(repeats.delta)} interval"
    columns = [
        Column.words("question", longest=Room(30, 60)),
        *(Column("samples"), Column("right", "Right"), Column("share right", "Share right")),
        Column(level, level),
    ]
    rows = [
        [
            Name(each.question),
            *(f"{each.samples:,}", f"{each.passes:,}"),
            *rate_and_limits(each.passes / each.samples, each.lower, each.upper),
        ]
        for each in repeats.each
    ]
    number, shown = repeats.questions, min(len(rows), MOST.page)
    heading = (
        f"How reliably each question is answered, the least first; each interval ({repeats.method}) "
        f"{repeats.guarantee.sentence}, on its own:"
    )
    table = Table(
        columns,
        rows,
        "How reliably each question is answered",
        most=MOST,
        total=number,
        heading=heading,
        fold=Fold(f"{counted(number, 'question')}, the least reliable first", open=number <= OPEN),
        below=f"The first {shown}; {len(rows):,} are in the JSON." if shown < number else "",
    )
    yield Section([*spread, table, Sentence((TAKEN,))], "Repeats of the same question")


def _spread(spread: Spread, questions: int) -> Iterator[str]:
    """Whose the spread is, and what more repeats would buy against more questions."""
    claim, whole = spread.share, f"the variance of the mean score over {questions:,} questions"
    if claim.estimate is None:
        return
    share = float(claim.estimate)
    yield (
        f"Of {whole}, about {percent(share, 2, 'nearest')} is the model's own randomness, which answers the same "
        f"question otherwise the next time, and the rest which questions were asked. With "
        f"{confidence(float(claim.delta))} confidence the former share is {ranged(claim)}; this "
        f"{claim.guarantee.sentence}."
    )
    yield (
        f"If it is as estimated, twice the repeats of every question take {percent(share / 2, 2, 'nearest')} off that "
        "variance, and twice as many such questions 50 %."
    )
