"""What is shown of questions that were asked several times: whose the spread is, and how reliable each answer."""

from __future__ import annotations

from collections.abc import Iterator

from holdfast.claims import Assumption
from holdfast.render.outline.parts import Column, Fold, Name, Room, Section, Sentence, Table
from holdfast.render.phrases import confidence, percent, ranged, rate_and_limits
from holdfast.report.facts.assessment import Repeats, Spread
from holdfast.wording import counted

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
