"""What people want of Holdfast, by what they have, and the call that answers: the lines of docs/which-method.md."""

from __future__ import annotations

from dataclasses import dataclass


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
            Row("the same of more than 1,000,000", "hf.bound(hf.Losses(many_losses))", "bound --losses FILE"),
            Row(
                "a loss can be one of three, and nothing else",
                "hf.bound(hf.Losses(grades, levels=(0, 0.5, 1)))",
                "bound --losses FILE --levels 0,0.5,1",
            ),
            Row("only n, mean and variance are left", "hf.bound(hf.Losses.from_moments(n=1000, mean=0.1, s2=0.02))"),
            Row("only n and mean are left", "hf.bound(hf.Losses.from_moments(n=1000, mean=0.1))"),
        ],
        "If a loss can only be 0 or 1, declare counts: the limits are much tighter. [squares](methods.md#squares) "
        "needs no order of the examples. Where they stand in the order in which they were drawn, and you say so "
        '(`order="drawn"`, `--order drawn`), [betting](methods.md#betting) may be narrower.',
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
                'hf.compare(truth, models, only="f1", positive="ill")',
                "compare FILE --models old,new --measure f1 --positive ill",
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
                "the same, where rows come in groups",
                'hf.cross_assess(learner, X, y, scheme="grouped", groups=patient, folds=5)',
                "cross-assess FILE --scheme grouped --group patient",
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
            Row(
                "an error rate",
                "hf.monitor(at_most=0.05).update(errors=3, n=100)",
                "monitor FILE --follow --at-most 0.05",
            ),
            Row("a mean loss", "hf.monitor(losses=True).update(losses=losses)", "monitor FILE --follow --losses"),
            Row(
                "which of two models is better",
                "hf.sequential().update(won=15, lost=5, n=200)",
                "compare FILE --sequential --follow --models a,b",
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
