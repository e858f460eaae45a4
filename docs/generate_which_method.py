"""Write docs/which-method.md by asking Holdfast itself: `python docs/generate_which_method.py [FILE]`.

Every line of the page's tables holds a call; it is made here, on a few examples, and who answered is written beside it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import holdfast as hf
from holdfast.claims import Claim, Guarantee
from holdfast.report import Plan, Report
from holdfast.verbs.bound import LONGEST_BET

HOLDS = {Guarantee.FINITE: "every n", Guarantee.ASYMPTOTIC: "large n", Guarantee.HEURISTIC: "no proof"}
N = 60  # examples, enough for every call below


@dataclass(frozen=True)
class Row:
    """What somebody wants, and the calls that answer; `measure` says which lines of a report are meant."""

    want: str
    call: str
    command: str = ""
    measure: str | None = None


SECTIONS: dict[str, tuple[str, list[Row], str]] = {
    "Counts": (
        "You know how many errors there were in how many examples, or how many of anything in how many.",
        [
            Row("limits on the rate", "hf.bound(hf.Counts(8, 30))", "bound --errors 8 --n 30"),
            Row(
                "limits about examples still unlabelled",
                "hf.bound(hf.Counts(8, 30), unlabelled=200)",
                "bound --errors 8 --n 30 --unlabelled 200",
            ),
            Row(
                "proof that a rate is small enough",
                "hf.gate(hf.Counts(2, 300), at_most=0.05)",
                "gate FILE --at-most 0.05",
            ),
            Row(
                "how many examples to label", "hf.plan(at_most=0.05, expect=0.03)", "plan --at-most 0.05 --expect 0.03"
            ),
        ],
        "Narrower ones exist, and break their word. At a nominal 95 % and with 30 examples, {wilson} of Wilson's "
        "intervals are right at the worst true rate, and {normal} of the textbook's. [blaker](methods.md#blaker) "
        "holds at every n, is a little narrower than the default, and is two-sided only.",
    ),
    "Losses": (
        "One number an example, in a range known beforehand: half the Brier score, a cost, a grade.",
        [
            Row("limits on the mean", "hf.bound(hf.Losses(losses))", "bound --losses FILE"),
            Row("the same of more than a million", "hf.bound(hf.Losses(many_losses))", "bound --losses FILE"),
            Row("only n, mean and variance are left", "hf.bound(hf.Losses.from_moments(n=1000, mean=0.1, s2=0.02))"),
            Row("only n and mean are left", "hf.bound(hf.Losses.from_moments(n=1000, mean=0.1))"),
        ],
        "If a loss can only be 0 or 1, declare counts: the limits are much tighter. `betting` holds over a shuffle "
        "that nobody can choose; [mixture](methods.md#mixture) needs none and is wider.",
    ),
    "Predictions": (
        "Truth and prediction for each example.",
        [
            Row("error rate, accuracy", "hf.assess(truth, said)", "assess FILE", "error-rate"),
            Row("recall, specificity, false alarms", "hf.assess(truth, said)", "assess FILE", "recall"),
            Row("precision", "hf.assess(truth, said)", "assess FILE", "precision"),
            Row("F1", "hf.assess(truth, said)", "assess FILE", "f1"),
            Row("balanced accuracy", "hf.assess(truth, said)", "assess FILE", "balanced-accuracy"),
            Row("macro F1", "hf.assess(truth, said)", "assess FILE", "macro-f1"),
            Row("weighted F1", "hf.assess(truth, said)", "assess FILE", "weighted-f1"),
            Row("MCC or kappa of two classes", "hf.assess(truth, said)", "assess FILE", "mcc"),
            Row("MCC or kappa of more", "hf.assess(kinds, guesses)", "assess FILE", "mcc"),
            Row("expected cost", "hf.assess(truth, said, costs=costs)", "assess FILE --costs FILE", "expected-cost"),
            Row(
                "each group",
                'hf.assess(truth, said, groups={"country": country})',
                "assess FILE --by country",
                "error-rate",
            ),
            Row(
                "a group against the rest",
                'hf.assess(truth, said, groups={"country": country})',
                "assess FILE --by country",
                "error-rate-gap",
            ),
            Row(
                "rows in clusters: the average cluster",
                "hf.assess(truth, said, clusters=patient)",
                "assess FILE --cluster patient",
                "error-rate",
            ),
            Row(
                "rows in clusters: the average row",
                "hf.assess(truth, said, clusters=patient, max_cluster=3)",
                "assess FILE --cluster patient --max-cluster 3",
                "error-rate",
            ),
            Row(
                "precision where the class mix was chosen",
                'hf.assess(truth, said, sampling="by-class", prevalence={"ill": 0.01})',
                "assess FILE --sampling by-class --prevalence ill=0.01",
                "precision",
            ),
        ],
        "[Measures](measures.md) has all of them. A few have no guaranteed method; their lines say so.",
    ),
    "Scores": (
        "A score, best a probability, beside truth and prediction.",
        [
            Row("AUC", 'hf.assess(truth, said, score, positive="ill")', "assess FILE --positive ill", "auc"),
            Row(
                "average precision",
                'hf.assess(truth, said, score, positive="ill")',
                "assess FILE --positive ill",
                "average-precision",
            ),
            Row("log loss", 'hf.assess(truth, said, score, positive="ill")', "assess FILE --positive ill", "log-loss"),
            Row("Brier score", 'hf.assess(truth, said, score, positive="ill")', "assess FILE --positive ill", "brier"),
            Row(
                "Kolmogorov-Smirnov distance",
                'hf.assess(truth, said, score, positive="ill")',
                "assess FILE --positive ill",
                "ks",
            ),
            Row(
                "calibration error",
                'hf.assess(truth, said, score, positive="ill", bins=5)',
                "assess FILE --positive ill --bins 5",
                "ece",
            ),
            Row(
                "the share of positives in each bin",
                'hf.assess(truth, said, score, positive="ill", bins=5)',
                "assess FILE --positive ill --bins 5",
                "calibration",
            ),
            Row(
                "a threshold that one may claim",
                'hf.threshold(truth, score, positive="ill", sensitivity_at_least=0.5)',
                "threshold FILE --positive ill --sensitivity-at-least 0.5",
            ),
        ],
        "Where two methods stand in a line, the first is the guaranteed one and is what `report[name]` gives. The "
        "second is what papers print; quote it only if you said so beforehand.",
    ),
    "Several models on the same examples": (
        "Which is better, and what of the one selected?",
        [
            Row(
                "difference of error rates",
                "hf.compare(truth, models)",
                "compare FILE --models old,new",
                "error-rate-difference",
            ),
            Row(
                "the same of rows in clusters",
                "hf.compare(truth, models, clusters=patient)",
                "compare FILE --models old,new --cluster patient",
                "error-rate-difference",
            ),
            Row(
                "difference of F1",
                'hf.compare(truth, models, only="f1")',
                "compare FILE --models old,new --measure f1",
                "f1-difference",
            ),
            Row(
                "difference of AUC",
                'hf.compare(truth, models, scores, only="auc", positive="ill")',
                "compare FILE --models old,new --score old=p --score new=q --measure auc",
                "auc-difference",
            ),
            Row(
                "error rate of the one selected",
                "hf.panel(hf.Panel(models, truth))",
                "panel FILE --models 'm_*'",
                "error-rate",
            ),
            Row(
                "their average", "hf.panel(hf.Panel(models, truth))", "panel FILE --models 'm_*'", "average-error-rate"
            ),
            Row(
                "how far apart they are",
                "hf.panel(hf.Panel(models, truth))",
                "panel FILE --models 'm_*'",
                "error-rate-spread",
            ),
            Row(
                "their average on inputs without labels",
                "hf.panel(hf.Panel(models, truth), unlabelled=models)",
                "panel FILE --models 'm_*' --unlabelled FILE",
                "unlabelled-average-error-rate",
            ),
            Row(
                "their vote",
                "hf.committee(hf.Panel(models, truth))",
                "committee FILE --models 'm_*'",
                "vote-error-rate",
            ),
            Row(
                "how many examples tell two apart", "hf.plan(wins=0.04, losses=0.02)", "plan --wins 0.04 --losses 0.02"
            ),
        ],
        "Without a margin McNemar's exact test decides who is better, and the interval is shown beside it; with "
        "`margin=` the interval decides. Limits for whichever is selected share delta among the models. The vote "
        "is tested directly; the ways beside it are for when it cannot be. [How to judge a jury](jury.md) is about "
        "panels.",
    ),
    "Folds": (
        "Data and a learner, or a table of results by fold. The commands leave out `--target` and `--estimator`.",
        [
            Row(
                "the models trained here, on average",
                "hf.cross_assess(learner, X, y, folds=5)",
                "cross-assess FILE --folds 5",
                "error-rate",
            ),
            Row(
                "one of them, named beforehand",
                'hf.cross_assess(learner, X, y, folds=5, target="fold", fold=2)',
                "cross-assess FILE --about fold --fold 2",
                "error-rate",
            ),
            Row(
                "the model trained on everything",
                'hf.cross_assess(learner, X, y, folds=5, target="refit")',
                "cross-assess FILE --about refit",
                "error-rate",
            ),
            Row(
                "the learner",
                'hf.cross_assess(learner, X, y, folds=5, target="algorithm")',
                "cross-assess FILE --about algorithm",
                "error-rate",
            ),
            Row(
                "the learner, by repeated folds",
                'hf.cross_assess(learner, X, y, folds=5, repeats=3, target="algorithm")',
                "cross-assess FILE --about algorithm --repeats 3",
                "error-rate",
            ),
            Row(
                "a model that is held to a test part",
                'hf.cross_assess(learner, X, y, scheme="hold-out")',
                "cross-assess FILE --scheme hold-out",
                "error-rate",
            ),
            Row(
                "models along a sequence",
                'hf.cross_assess(learner, X, y, scheme="progressive")',
                "cross-assess FILE --scheme progressive",
                "error-rate",
            ),
            Row(
                "two learners, by a table of folds",
                "hf.compare(folds)",
                "compare FILE --folds fold",
                "error-rate-difference",
            ),
        ],
        "About a model that was not tested nothing holds at every n. [How often each method was "
        "right](cross-validation.md) is measured; [use cross-validation honestly](howto/cross-validation.md) says "
        "what to do.",
    ),
    "A stream": (
        "Results come one by one, and you look again and again.",
        [
            Row("an error rate", "hf.monitor(at_most=0.05).update(errors=3, n=100)", "monitor --at-most 0.05"),
            Row("a mean loss", "hf.monitor(losses=True).update(losses=losses)", "monitor --losses"),
            Row(
                "which of two models is better",
                "hf.sequential().update(won=15, lost=5, n=200)",
                "compare --sequential - --models a,b",
            ),
            Row(
                "a gate asked as often as you like",
                "hf.gate(hf.Counts(2, 300), at_most=0.05, sequential=True)",
                "gate FILE --at-most 0.05 --sequential",
            ),
            Row(
                "a gate asked ten times",
                "hf.gate(hf.Counts(2, 300), at_most=0.05, looks=10)",
                "gate FILE --at-most 0.05 --looks 10",
            ),
        ],
        "These limits hold at every moment at once, and are wider for it. If you will look once, do not use them.",
    ),
    "Only training data": (
        "Not one example to spare for testing.",
        [
            Row("a model that can be rebuilt from a few examples", "covering.claim()"),
            Row(
                "how well the learner repeats what it was told",
                'hf.cross_assess(learner, X, y, scheme="resubstitution")',
                "cross-assess FILE --scheme resubstitution",
                "error-rate",
            ),
        ],
        "The first is the [Set Covering Machine](reference/learners.md) with its sample-compression bound, and for "
        "it alone there is a guarantee. The second is here so that you know what it is.",
    ),
}

INTRODUCTION = """\
# Which method?

Generated by `make docs`, by making every call below; do not edit.

You need not choose. Say what you have, and the method that answers is fixed by that and by how much there is of it,
never by the values: choosing after looking voids the promise. Choose yourself, with `method=` or `--method`, only if
you did so before you saw the data.

**What do you have?**"""

RULES = f"""\
## How the default is chosen

1. A method that holds at every n, if one is known for this kind of evidence.
2. Among those, one that is hardly ever wider than it must be: exact for counts, betting for losses of up to
   {LONGEST_BET:,} examples, moments beyond that.
3. Where none is known: one that holds for large n, or comes without proof, and says so.

[Decision 0002](decisions/0002-which-method-answers.md) has the reasons, [methods](methods.md) the catalog with
equations, sources and measured coverage, and `holdfast bound --all` sets all methods for counts side by side."""


def page() -> str:
    """The whole page."""
    names = namespace()
    index = "\n".join(f"- [{title}](#{_anchor(title)}): {lead}" for title, (lead, _, _) in SECTIONS.items())
    sections = (_section(title, *parts, names) for title, parts in SECTIONS.items())
    return "\n\n".join([INTRODUCTION, index, *sections, RULES]) + "\n"


def _section(title: str, lead: str, rows: list[Row], note: str, names: dict[str, Any]) -> str:
    table = ["| you want | in Python | holdfast ... | answered by |", "|---|---|---|---|"]
    for row in rows:
        answers = dict.fromkeys(answered(row, names))
        who = "; ".join(f"{_link(name)}, {HOLDS[grade]}" for name, grade in answers)
        command = f"`{row.command}`" if row.command else ""
        table.append(f"| {row.want} | `{row.call}` | {command} | {who} |")
    worst = {name: f"{hf.worst_coverage(name, n=30).coverage:.1%}".replace("%", " %") for name in ("wilson", "normal")}
    return "\n\n".join([f"## {title}", lead, "\n".join(table), note.format(**worst)])


def answered(row: Row, names: dict[str, Any]) -> Iterator[tuple[str, Guarantee]]:
    """Who answers the call, and how firmly that holds."""
    given = eval(row.call, dict(names))  # the calls stand above
    if isinstance(given, Plan):
        yield given.method, given.guarantee
        return
    found = getattr(given, "claim", given)
    if isinstance(found, Claim):
        yield found.method, found.guarantee
        return
    report: Report = getattr(given, "report", given)
    for line in report.lines:
        if line.claim.measure == row.measure:
            yield line.claim.method, line.claim.guarantee


def namespace() -> dict[str, Any]:
    """What the calls speak of, drawn from a seed: who answers never depends on the values."""
    from sklearn.naive_bayes import GaussianNB

    from holdfast.learners import SetCoveringMachine

    draw = np.random.default_rng(0)
    ill = np.arange(N) % 3 == 0
    right = [draw.random(N) < skill for skill in (0.8, 0.9)]
    old, new = (np.where(ill == each, "ill", "well") for each in right)
    kinds = np.array(["cat", "dog", "owl"])[np.arange(N) % 3]
    X = np.column_stack([ill + draw.normal(size=N), draw.normal(size=N)])
    return {
        "hf": hf,
        "losses": draw.random(N),
        "many_losses": np.zeros(LONGEST_BET + 1),
        "truth": np.where(ill, "ill", "well"),
        "said": old,
        "score": np.where(old == "ill", 0.9, 0.1) * draw.random(N),
        "models": {"old": old, "new": new},
        "scores": {"old": draw.random(N), "new": draw.random(N)},
        "kinds": kinds,
        "guesses": np.where(right[0], kinds, "cat"),
        "country": np.where(np.arange(N) % 2, "AT", "CH"),
        "patient": np.arange(N) // 3,
        "costs": hf.Costs([[0, 1], [10, 0]], ["ill", "well"], rows="predicted"),
        "learner": GaussianNB(),
        "X": X,
        "y": ill.astype(int),
        "folds": hf.Folds({"bayes": draw.random(10) / 2, "tree": draw.random(10) / 2}, n_train=90, n_test=10),
        "covering": SetCoveringMachine().fit(X, ill),
    }


def _link(method: str) -> str:
    known = {bound.name for bound in hf.methods()}
    return f"[{method}](methods.md#{method.lower()})" if method in known else method


def _anchor(title: str) -> str:
    return title.lower().replace(" ", "-")


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("which-method.md")
    target.write_text(page(), encoding="utf-8")
