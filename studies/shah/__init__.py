"""Document 000, "Hold-out Risk Bounds for Classifier Performance Evaluation": its table audited, its experiment run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from statistics import median

import holdfast as hf
from holdfast.render.phrases import confidence
from studies.checks import Status, of_status
from studies.pages import Page
from studies.runs import Run
from studies.shah import bayes, pictures, statements, tables
from studies.shah.audit import DELTA, Row, audit, theorem_2_as_printed
from studies.shah.data import TABLE_1, DataSet, load
from studies.shah.experiment import FOLDS, Outcome, outcomes
from studies.shah.learners import LEARNERS, Learner

INTRODUCTION = """\
Document 000 (Shah and Shanian, 2009) tests six learners on sixteen UCI data sets and gives each of the 96 error rates
two intervals: by the binomial tail (B), and "Gaussian" (CI). Its point, that the binomial interval is the one to
report, stands. Its evidence for it does not: the Gaussian columns lack a division by √m, and its Theorem 2 is
misprinted. Here every printed number is computed again from the number of errors behind it, and the whole
experiment is run anew."""
FAST = ("Glass", "HeartS", "USvotes")
FAST_LEARNERS = ("DT", "NB", "SCM")


def study(run: Run) -> Page:
    page = Page("shah", "Shah and Shanian: hold-out risk bounds", INTRODUCTION)
    run.tell("reading")
    found = {about.name: load(about, run) for about in TABLE_1}
    sets = {name: data for name, data in found.items() if data is not None}
    rows = audit()
    run.tell("audit")
    _audit(page, rows)
    _gaussian(page, rows)
    _theorems(page)
    _text(page, rows)
    _table_1(page, sets)
    _experiment(page, run, rows, sets)
    _splits(page, run, rows, sets)
    return page


def _audit(page: Page, rows: Sequence[Row]) -> None:
    checks = tables.printed_numbers(rows)
    wrong = of_status(checks, Status.DIFFERS)
    page.section(
        "Table 2, audited",
        "The table prints no numbers of errors. The one behind each row is inferred as that on which most of its "
        "columns agree (R_T, B_l, B_u and the half-width of CI); in "
        f"{sum(len(row.counts) == 1 for row in rows)} of {len(rows)} rows there is one only. Every number is then "
        f"computed from it: of {len(checks)}, {len(wrong)} in {sum(bool(row.misprints) for row in rows)} rows do not "
        "follow. They are listed here; all others agree.",
    )
    page.checks.extend(check for check in checks if check.status is not Status.DIFFERS)
    page.check(*wrong)
    page.say(
        "Numbers were cut off more often than rounded, also upper limits, which then promise a little too much. So "
        "many of each column arise in either way, by cutting only, by rounding only, and not at all:"
    )
    page.table(("column", "either", "cut off", "rounded", "neither"), tables.cut_by(rows))


def _gaussian(page: Page, rows: Sequence[Row]) -> None:
    checks = statements.of_intervals(rows)
    page.section(
        "What the Gaussian columns really are",
        "CI_l and CI_u are R_T less and plus two standard deviations of a single zero-one loss, √(R(1−R)m/(m−1)). The "
        "mean of m losses has 1/√m of that. That is why they leave [0, 1]: it is a slip, not a property of the "
        "Gaussian interval. With the standard error it is about as wide as the exact one, only too low: at small risks "
        "it covers too rarely because its upper limit is too small, not too large.",
    )
    page.check(*checks)
    page.picture(
        "gaussian",
        pictures.gaussian(rows),
        "Naive Bayes on the sixteen data sets: the printed Gaussian intervals, and those with the standard error "
        "beside the exact ones.",
    )


def _theorems(page: Page) -> None:
    page.section(
        "The two theorems",
        "Theorem 1 is right, and its bound the smallest. Theorem 2 as printed is one error too strict: without any "
        f"error among 107 examples it claims a risk of at least {theorem_2_as_printed(0, 107):.5f}. Table 2 was "
        "computed with the right one.",
    )
    page.check(*statements.of_theorems())
    page.picture(
        "theorem-2",
        pictures.theorem_2(),
        "The chance with which the lower limit of Theorem 2 holds, as printed and as it should read, by the true risk.",
    )


def _text(page: Page, rows: Sequence[Row]) -> None:
    page.section("Numbers and names in the text")
    page.check(*statements.of_text(rows))


def _table_1(page: Page, sets: Mapping[str, DataSet]) -> None:
    absent = [about.printed for about in TABLE_1 if about.name not in sets]
    checks = statements.of_table_1(sets)
    page.section(
        "Table 1: the data sets",
        "T and S are the sizes of the test and the training part, n the number of attributes, all as printed. Columns "
        "of numbers are taken as numbers, all others as words. A missing value is a word of its own: of the votes it "
        "means neither yea nor nay, of the mushrooms that the stalk's root is unknown. HeartS is Cleveland's. Glass is "
        "float-processed against other glass and SonarM the split that comes with the data: both are inferred from the "
        "printed numbers. For Letter_DO the printed sizes leave out three letters.",
    )
    if absent:
        page.say(f"Not at hand, and so left out below: {', '.join(absent)}.")
    page.table(tables.HEADER_1, tables.table_1(sets))
    shown = [check for check in checks if check.status is not Status.AGREES]
    page.checks.extend(check for check in checks if check.status is Status.AGREES)
    page.say(f"Of {len(checks)} sizes {len(checks) - len(shown)} agree. What does not:")
    page.check(*shown)


def _experiment(page: Page, run: Run, rows: Sequence[Row], sets: Mapping[str, DataSet]) -> None:
    learners = tuple(map(_quick, LEARNERS)) if run.fast else LEARNERS
    learners = tuple(learner for learner in learners if not run.fast or learner.name in FAST_LEARNERS)
    found = outcomes([data for name, data in sets.items() if not run.fast or name in FAST], run, learners)
    page.section(
        "The experiment, run anew",
        f"Each data set is divided at random in the sizes of Table 1 (seed {run.seed}; the paper's own parts are "
        f"lost). On the training part alone, {FOLDS}-fold stratified cross-validation takes the setting with the least "
        "average error, of equals the first; the learner is trained with it on the whole training part and tested "
        "once on the other. Words become indicators, but for naive Bayes, which counts them. Numbers are scaled to "
        "mean 0 and variance 1 for the two learners that measure distances, by what they train on. SonarM keeps the "
        "split that it comes with. The paper used Weka and an own "
        "set covering machine, and names no grids; these are ours. Nor does it say for which class its machine is a "
        "conjunction; that is chosen with the rest.",
    )
    page.table(("A", "what is trained", "among which settings"), tables.grids(learners))
    compared = _compared(rows, found)
    claim = hf.bound(hf.Counts(found[0].errors, found[0].tested), delta=2 * DELTA)
    promise = f"{claim.guarantee.sentence}, at {confidence(2 * DELTA)}, if {'; '.join(map(str, claim.assumes))}"
    page.say(
        "Table 2 follows in its own layout, first as printed (bold: does not follow from the errors, which are "
        "inferred), then as found here. B_l and B_u are Clopper-Pearson limits, rounded outward; each interval "
        f"{promise}. CI_l and CI_u are what the paper's formula gives for our errors, beside what it should have been.",
        f"Of {len(found)} classifiers, {compared['alike']} err as often as the paper's within what the test sizes can "
        f"tell. Fewer errors were found here for {compared['fewer errors here']}, more for "
        f"{compared['more errors here']}. Two error rates are called apart where their exact {confidence(DELTA)} "
        f"intervals are, which hold together with {confidence(2 * DELTA)} for any one row. "
        f"{_together(found)}",
    )
    page.table(tables.HEADER_2, tables.table_2(rows, found))
    page.say(_apart(rows, found))
    if len(learners) == len(LEARNERS):
        page.picture(
            "beside",
            pictures.beside_printed(rows, found),
            "For each learner and data set, our error rate with its exact 95 % interval, and the printed one.",
        )
    page.say("The settings that cross-validation chose:")
    names = [learner.name for learner in learners if learner.grid]
    page.table(("data set", *names), tables.chosen(found, names))


def _splits(page: Page, run: Run, rows: Sequence[Row], sets: Mapping[str, DataSet]) -> None:
    errors = {name: bayes.errors_over_splits(sets[name], run) for name in run.steps("splits", sets)}
    checks = [bayes.of_risk(row, sets[row.dataset], errors[row.dataset]) for row in rows if _drawn(row, sets)]
    page.section(
        "How much the lost split matters",
        "Naive Bayes has nothing to choose, so that only the split stands between our error rate and the printed one, "
        "and what two programs mean by naive Bayes. Over many splits it is seen where the printed rate falls."
        + "".join(f" Digit by digit, {one} and {other} print the same." for one, other in _twins(rows)),
    )
    page.check(*checks)
    page.picture(
        "splits",
        pictures.over_splits(rows, errors),
        "Error rates of naive Bayes over many random splits of the paper's sizes, and the printed one.",
    )


def _drawn(row: Row, sets: Mapping[str, DataSet]) -> bool:
    return row.learner == "NB" and row.dataset in sets


def _twins(rows: Sequence[Row]) -> list[tuple[str, str]]:
    """Rows of naive Bayes that print the same five numbers for two data sets."""
    ours = [row for row in rows if row.learner == "NB"]
    printed = [[cell.printed for cell in row.cells.values()] for row in ours]
    pairs = combinations(range(len(ours)), 2)
    return [(ours[i].name, ours[j].name) for i, j in pairs if printed[i] == printed[j]]


def _quick(learner: Learner) -> Learner:
    """The same with two values of each parameter."""
    return replace(learner, grid={name: values[:2] for name, values in learner.grid.items()})


def _compared(rows: Sequence[Row], found: Sequence[Outcome]) -> Counter[str]:
    return Counter(said for _, said in _beside(rows, found))


def _beside(rows: Sequence[Row], found: Sequence[Outcome]) -> list[tuple[str, str]]:
    printed = {(row.dataset, row.learner): row for row in rows}
    pairs = [(printed[outcome.dataset, outcome.learner], outcome) for outcome in found]
    return [(row.name, tables.beside(row, outcome)) for row, outcome in pairs]


def _apart(rows: Sequence[Row], found: Sequence[Outcome]) -> str:
    """The rows that are apart, by name."""
    named = {
        way: [name for name, said in _beside(rows, found) if said == way]
        for way in ("fewer errors here", "more errors here")
    }
    told = [f"{way[0].upper()}{way[1:]}: {', '.join(names)}." for way, names in named.items() if names]
    return " ".join([*told, "Other programs, grids and splits may do this; it makes no error of the paper."])


def _together(found: Sequence[Outcome]) -> str:
    """What it costs to let all intervals hold at once."""
    counts = [hf.Counts(outcome.errors, outcome.tested) for outcome in found]
    each = [hf.bound(count, delta=2 * DELTA) for count in counts]
    all_of_them = [hf.bound(count, delta=2 * DELTA / len(found)) for count in counts]
    widths = [[float(claim.upper) - float(claim.lower) for claim in claims] for claims in (each, all_of_them)]
    ratio = median(wide / narrow for narrow, wide in zip(*widths, strict=True))
    return f"For all {len(found)} intervals to hold at once, each would be wider by a factor of {ratio:.1f} (median)."
