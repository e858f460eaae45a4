"""Models over many data sets, as text: the verdict, their ranks, the tests of every pair, and what they rest on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import fill
from typing import TYPE_CHECKING, Any

from holdfast.claims import Guarantee
from holdfast.render.numbers import confidence, percent, rounded
from holdfast.render.text.assessment import shown
from holdfast.render.text.text import BRIEF, WIDTH, Parts, assumptions, empty_table

if TYPE_CHECKING:
    from rich.table import Table

    from holdfast.report import Report

LONGEST_MODEL, LONGEST_OF_TWO = 36, 15  # characters of a name alone in its row, and of one of a pair
LONGEST_NOTE = 1_000
MOST_MODELS, MOST_PAIRS = 60, 30  # rows of a table
LETTERS = "abcdefghijklmnopqrstuvwxyz"
SAID = {"friedman": "Friedman", "iman-davenport": "Iman-Davenport"}


def ranks_parts(report: Report) -> Parts:
    """Everything a reader should see, top-down."""
    told = report.details
    level = confidence(told["critical_difference"]["delta"])
    parts: Parts = [fill(shown(str(told["verdict"]), LONGEST_NOTE), WIDTH), f"({told['verdict'].rule}, {level})", ""]
    parts += [fill(_scores(told), WIDTH), "", _ranks(told), "", *_together(told), "", *_pairs(told), ""]
    if told["practical"]:
        parts += [*_practical(told["practical"]), ""]
    parts += [*_sentences("Note", told["notes"]), *_sentences("Next", told["next"])]
    return [*parts, *assumptions(report.claims)[1:], "", _origin(report.provenance)]


def _scores(told: Mapping[str, Any]) -> str:
    what = shown(told["measure"], 40) if told["measure"] else "scores"
    number = len(told["datasets"])
    return (
        f"{len(told['models'])} models on {number:,} data set{'s' if number != 1 else ''}, {what}, "
        f"{told['better']} is better"
    )


def _ranks(told: Mapping[str, Any]) -> Table:
    """The models, best first, with a letter for each set that Nemenyi's test cannot tell apart."""
    from rich.text import Text

    joined = [set(clique) for clique in told["cliques"]]
    table = empty_table("model", "mean rank", "may be best", "joined")
    table.columns[2].justify = "center"
    table.columns[3].justify = "left"
    ordered = sorted(told["ranks"].items(), key=lambda item: item[1])
    for model, rank in ordered[:MOST_MODELS]:
        letters = [LETTERS[place] for place, clique in enumerate(joined[: len(LETTERS)]) if model in clique]
        best = "yes" if model in told["may_be_best"] else ""
        table.add_row(Text(shown(model, LONGEST_MODEL)), rounded(rank, 2, "nearest"), best, " ".join(letters))
    if len(ordered) > MOST_MODELS:
        table.add_row(f"... {len(ordered) - MOST_MODELS} more")
    return table


def _together(told: Mapping[str, Any]) -> Parts:
    """The tests of all models at once, and what the letters mean."""
    known = {test["test"]: test for test in told["tests"] if "first" not in test}
    tests = ", ".join(f"{SAID[name]} p = {_p(test['p'])}" for name, test in known.items())
    limit = rounded(told["critical_difference"]["value"], 3, "up")
    return [
        f"All models alike? {tests} (large n).",
        fill(f"Mean ranks less than {limit} apart are joined by a letter: Nemenyi's test cannot tell them.", WIDTH),
    ]


def _pairs(told: Mapping[str, Any]) -> Parts:
    """The pairs with the smallest p-values, those that decide first."""
    from rich.text import Text

    found: dict[tuple[str, str], dict[str, Any]] = {}
    for test in told["tests"]:
        if "first" in test:
            found.setdefault((test["first"], test["second"]), {})[test["test"].partition("-")[0]] = test
    table = empty_table("better", "other", "won", "lost", "Wilcoxon", "sign", "Nemenyi", left=2)
    ordered = sorted(found.items(), key=lambda item: (item[1]["wilcoxon"]["adjusted"], item[1]["wilcoxon"]["p"]))
    for (first, second), tests in ordered[:MOST_PAIRS]:
        names, counts = (first, second), (tests["sign"]["won"], tests["sign"]["lost"])
        if told["ranks"][second] < told["ranks"][first]:
            names, counts = names[::-1], counts[::-1]
        decided = tests["wilcoxon"]["adjusted"] <= told["critical_difference"]["delta"]
        table.add_row(
            *(Text(shown(name, LONGEST_OF_TWO)) for name in names),
            *map(str, counts),
            Text(_p(tests["wilcoxon"]["adjusted"]), style="bold" if decided else ""),
            _p(tests["sign"]["adjusted"]),
            _p(tests["nemenyi"]["adjusted"]),
        )
    if len(ordered) > MOST_PAIRS:
        table.add_row(f"... {len(ordered) - MOST_PAIRS:,} more")
    held = BRIEF[Guarantee(next(iter(found.values()))["wilcoxon"]["guarantee"])]
    said = (
        f"p-values of all pairs together. Wilcoxon, which decides: Holm, {held}; sign: Holm, every n; Nemenyi: large n."
    )
    return [table, "", fill(said, WIDTH)]


def _practical(rows: Sequence[Mapping[str, Any]]) -> Parts:
    """How probably a difference matters."""
    from rich.text import Text

    table = empty_table("first", "second", "first better", "neither", "second better", left=2)
    for row in rows[:MOST_PAIRS]:
        shares = (percent(row[key], 3, "nearest") for key in ("first_better", "equivalent", "second_better"))
        table.add_row(*(Text(shown(row[key], LONGEST_OF_TWO)) for key in ("first", "second")), *shares)
    if len(rows) > MOST_PAIRS:
        table.add_row(f"... {len(rows) - MOST_PAIRS:,} more")
    said = (
        f"How probably is one better by more than {rows[0]['rope']:g}? Bayesian signed-rank test, no proof; seed "
        f"{rows[0]['seed']}, {rows[0]['samples']:,} draws."
    )
    return [fill(said, WIDTH), "", table]


def _p(value: float) -> str:
    """A p-value to read: three decimals, rounded up, or its size where it is smaller."""
    return rounded(value, 3, "up") if value >= 0.001 else f"{value:.1e}"


def _sentences(title: str, sentences: Sequence[str]) -> Parts:
    if not sentences:
        return []
    told = (fill(shown(s, LONGEST_NOTE), WIDTH, initial_indent="  - ", subsequent_indent="    ") for s in sentences)
    return [f"{title}:", *told, ""]


def _origin(known: Mapping[str, Any]) -> str:
    sets = "1 data set" if known["rows"] == 1 else f"{known['rows']:,} data sets"
    return f"holdfast {known['version']}, {sets}, SHA-256\n{known['fingerprint']}"
