"""One datum on its way through the house, for four verbs: the files that take part, in order, and what each does.

`tests/docs/test_architecture.py` runs the walks and asks whether it is so.
"""

from __future__ import annotations

from typing import NamedTuple


class Step(NamedTuple):
    """A file of src/holdfast, and what it makes of the datum."""

    file: str
    does: str


class Walk(NamedTuple):
    """A verb, what it is given, and the files that answer."""

    verb: str
    title: str
    steps: tuple[Step, ...]


READ = (
    Step("sources/opening.py", "the path becomes a `Table`: a name, a header, and where its rows live"),
    Step("sources/columns.py", "which columns hold truth and prediction, by the names given or those people use"),
    Step("predictions/rows.py", "`Predictions`: the rows under fixed names, with their `Design`"),
)
COUNTED = (
    Step("tally/rows.py", "what is asked of the rows, on whatever engine holds them"),
    Step("tally/label_pairs.py", "how often each label was predicted for each true one"),
    Step("tally/labels.py", "one spelling for each label, in one order"),
    Step("evidence/contingency.py", "the `Contingency`: row and column of the datum, plus one"),
)
ANSWERED = (
    Step("verbs/asking.py", "the `Inquiry`: questions, each with its methods, asked together where they are alike"),
    Step("verbs/bound.py", "which methods answer, by the kind of evidence, n and delta"),
    Step("catalog/bound.py", "delta halved, limits clipped and rounded outward, guarantee and assumptions attached"),
    Step("bounds/binomial.py", "`clopper_pearson`: the largest rate under which so few errors are not too surprising"),
    Step("numerics/binomial.py", "the inverse of a binomial tail"),
)

WALKS = (
    Walk(
        "assess",
        "`holdfast assess rows.csv --positive a`",
        (
            Step("cli/assess.py", "parses, calls the verb, prints"),
            *READ,
            Step("verbs/assess/assess.py", "what was asked, checked against its signature"),
            Step("verbs/assess/assessment.py", "rows that are counted once, and the questions they bear"),
            *COUNTED,
            Step("measures/rates.py", "each measure reads its own evidence off the table: `Counts(k, n)`"),
            *ANSWERED,
            Step("report/lines.py", "a `Line` says what its claim is about"),
            Step("report/__init__.py", "the `Report`: kind, lines, facts, provenance"),
            Step("render/outline/assessment.py", "what is shown, as data, the same for text, page and notebook"),
            Step("render/text/layout.py", "the outline as text"),
        ),
    ),
    Walk(
        "compare",
        '`hf.compare(truth, {"a": ..., "b": ...})`',
        (
            Step("verbs/compare/compare.py", "what was asked, checked"),
            Step("tally/panel/panel.py", "truth and the answers of all models, row by row"),
            Step("tally/panel/answer_sheet.py", "labels as small numbers, one row per model"),
            Step("evidence/pools/panel.py", "the `Panel`: who was right where"),
            Step("verbs/compare/pairs.py", "`AllPairs`: one engine for comparisons of rows, folds and data sets"),
            Step("evidence/pairs/paired.py", "`Paired`: where only one of the two was right"),
            Step("catalog/bound.py", "limits and what they promise"),
            Step("bounds/paired.py", "limits of the difference"),
            Step("comparisons/mcnemar.py", "the p-value, exact"),
            Step("verbs/compare/verdicts.py", "who is better, or that nobody can tell"),
            Step("report/__init__.py", "the `Report` of the comparison"),
        ),
    ),
    Walk(
        "gate",
        "`holdfast gate rows.csv --at-most 0.5`",
        (
            Step("cli/gate.py", "parses, calls the verb, prints, exits"),
            *READ,
            Step("verbs/gate/gate.py", "conditions, each with its part of delta"),
            Step("verbs/assess/assessment.py", "the rows, counted once for both sides"),
            *COUNTED,
            *ANSWERED,
            Step("verbs/gate/decide.py", "proven, refuted or open"),
            Step("report/decision.py", "the `Decision`, with its exit code"),
            Step("render/text/answers.py", "the decision as text"),
        ),
    ),
    Walk(
        "cross_assess",
        "`hf.cross_assess(learner, X, y).report`",
        (
            Step("verbs/cross/cross_assess.py", "what was asked, checked"),
            Step("resampling/planning.py", "which rows train and which test, in every split"),
            Step("verbs/cross/targets.py", "what may be claimed of such splits: the average model, or the last one"),
            Step("training/runs.py", "all fits, on processes, Dask or Ray; a killed worker loses none"),
            Step("training/fit.py", "one split: fitted, predicted, kept"),
            Step("verbs/cross/measure.py", "each measure on the tables of all folds"),
            Step("evidence/folds/sample.py", "`FoldCounts`: events and trials, one pair per fold"),
            Step("catalog/bound.py", "limits and what they promise"),
            Step("bounds/cross.py", "the average of the folds' rates"),
            Step("verbs/cross/notes.py", "what the scheme lets nobody claim"),
            Step("report/__init__.py", "the `Report`"),
            Step("render/outline/assessment.py", "what is shown, as data"),
        ),
    ),
)
