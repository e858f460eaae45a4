"""The slides' cross-validation, leave-one-out, and the dilemma of the hold-out."""

from __future__ import annotations

import csv
from typing import Any

import numpy as np

import holdfast as hf
from holdfast.evidence import Counts
from holdfast.resampling import plan, shares
from holdfast.training import fit_all
from studies.checks import number, statement, unknown
from studies.pages import Page
from studies.runs import Run
from studies.slides import pictures

SHARES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)  # of the rows that train


def add(page: Page, run: Run) -> None:
    _folds(page)
    _dilemma(page, run)


def _folds(page: Page) -> None:
    """The example of leave-one-out, on labels that nothing predicts."""
    from sklearn.dummy import DummyClassifier

    n = 100
    features, labels = np.arange(n)[:, np.newaxis], np.repeat(["a", "b"], n // 2)
    learner = DummyClassifier(strategy="most_frequent")

    def error(scheme: str, seed: int = 0, **options: Any) -> float:
        found = hf.cross_assess(learner, features, labels, scheme=scheme, seed=seed, engine="serial", **options)
        return _rate(found.report)

    alone = error("leave-one-out")
    plain = float(np.mean([error("kfold", seed, folds=10) for seed in range(5)]))
    layered = error("stratified", folds=10)
    page.section(
        "Cross-validation and leave-one-out",
        "Labels that nothing predicts, half of either class, and a classifier that predicts the majority: leaving one "
        "out makes its class the minority, always. Ten random folds are misled too, if less. Stratified ones are not, "
        "but rows that were dealt out by their labels are no random sample, so that no guarantee holds for them.",
    )
    rows = [("leave-one-out", alone), ("10 random folds, 5 times", plain), ("10 stratified folds", layered)]
    page.table(
        ("scheme", "error of the majority class", "truth"),
        [(name, f"{100 * each:.1f} %", "50.0 %") for name, each in rows],
    )
    once, again = plan("leave-one-out", labels), plan("leave-one-out", labels, seed=7)
    deal, spread = plan("stratified", labels, folds=10, seed=1), plan("kfold", labels, folds=10, seed=1)
    of_a = {
        scheme: {int(np.sum(labels[test] == "a")) for _, test in made} for scheme, made in (("s", deal), ("k", spread))
    }
    tests = np.concatenate([test for _, test in spread])
    page.check(
        number("Leave-one-out", "error of the majority class in percent", "100", 100 * alone, "hf.cross_assess"),
        number("Leave-one-out", "accuracy on fresh data in percent", "50", 100 * fresh(1.0), "two equal classes"),
        statement(
            "Leave-one-out",
            "the best classifier of such data predicts the majority class",
            fresh(1.0) == max(fresh(share) for share in np.linspace(0, 1, 11)),
            "every classifier has 50 %, whatever it predicts how often",
        ),
        statement("Leave-one-out", "n classifiers are built for n instances", len(once) == n, f"{len(once)} splits"),
        statement(
            "Leave-one-out",
            "it involves no random subsampling",
            once.fingerprint == again.fingerprint,
            "the splits are the same for every seed",
        ),
        statement(
            "Leave-one-out",
            "it guarantees a test set that is not stratified",
            all(len(test) == 1 for _, test in once),
            "one instance has one class",
        ),
        statement(
            "Leave-one-out",
            "it makes best use of the data",
            int(once.n_train.min()) == n - 1 > int(spread.n_train.max()),
            f"it trains on {once.n_train.min()} of {n}, ten folds on {spread.n_train.max()}",
        ),
        statement(
            "Cross-validation",
            "k subsets of equal size, each in turn for testing, the rest for training",
            sorted(tests.tolist()) == list(range(n)) and {*spread.n_test.tolist()} == {n // 10} and spread.disjoint,
            "10 folds of 100: every row is tested once",
        ),
        unknown(
            "Cross-validation", "the standard method", "stratified 10-fold cross-validation", "a custom, not a fact"
        ),
        statement(
            "Cross-validation",
            "subsets can be stratified",
            of_a["s"] == {5} and len(of_a["k"]) > 1,
            f"class a among 10: {_listed(of_a['s'])} when stratified, {_listed(of_a['k'])} when not",
        ),
    )


def fresh(share: float) -> float:
    """The accuracy, on new instances of two equal classes, of whoever predicts the first with this chance."""
    return 0.5 * share + 0.5 * (1 - share)


def _listed(values: set[int]) -> str:
    return ", ".join(str(value) for value in sorted(values))


def _rate(report: hf.Report) -> float:
    return float(np.asarray(report["error-rate"].estimate, float))


def _dilemma(page: Page, run: Run) -> None:
    """Both sides of the hold-out, on sonar echoes."""
    file = run.file("sonar.csv")
    if file is None:
        page.section("The dilemma of the hold-out", "The data set sonar.csv is missing: nothing here was computed.")
        page.check(unknown("Making the most of the data", "the dilemma", "", "sonar.csv is missing"))
        return
    with file.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.reader(lines))[1:]
    features, labels = np.array([row[:-1] for row in rows], float), np.array([row[-1] for row in rows])
    repeats = 12 if run.fast else 200
    run.tell("the dilemma of the hold-out")
    errors = np.array(run.kept(f"slides {run.fast} {run.seed}", lambda: _errors(features, labels, repeats, run.seed)))
    one = hf.learning_curve(_neighbour(), features, labels, train_shares=SHARES, seed=run.seed, engine="serial")
    resubstituted = _rate(
        hf.cross_assess(_neighbour(), features, labels, scheme="resubstitution", engine="serial").report
    )
    means, spread = errors.mean(axis=0), errors.std(axis=0)
    page.section(
        "The dilemma of the hold-out",
        f"{len(rows)} sonar echoes, told apart by their nearest neighbour; {repeats} times in random order, the first "
        "of them train and the others test. More training makes the classifier better and what is known of it less.",
    )
    page.picture(
        "dilemma",
        pictures.dilemma(SHARES, errors),
        "Both should be large: the error falls as more rows train, and the estimates spread as fewer test",
    )
    page.picture(
        "interval",
        pictures.one_order(one),
        "The same for one random order, as hf.learning_curve shows it: limits that hold with 95 % confidence",
    )
    estimates = {n: hf.bound(Counts(n // 4, n)) for n in (100, 1000, 10_000)}
    widths = ", ".join(f"[{claim.lower:.3f}, {claim.upper:.3f}] for {n:,}" for n, claim in estimates.items())
    middle = SHARES.index(0.5)
    page.check(
        statement(
            "Making the most of the data",
            "generally, the larger the training data the better the classifier",
            bool(means[0] > means[middle] > means[-2]),
            f"mean error {means[0]:.2f}, {means[middle]:.2f}, {means[-2]:.2f} for 5 %, 50 %, 90 % of the rows",
        ),
        statement(
            "Making the most of the data",
            "the larger the test data the more accurate the error estimate",
            bool(spread[-1] > spread[-2] > spread[middle]),
            f"they deviate by {spread[middle]:.3f}, {spread[-2]:.3f}, {spread[-1]:.3f} where 50 %, 10 %, 5 % test",
        ),
        statement(
            "Training and testing",
            "resubstitution error is (hopelessly) optimistic",
            resubstituted < 0.5 * float(means[-2]),
            f"the nearest neighbour of each row is the row itself: error {resubstituted:g}",
        ),
        statement(
            "Predicting performance",
            "how close an estimated 25 % is to the true error rate depends on the amount of test data",
            [claim.width for claim in estimates.values()]
            == sorted((c.width for c in estimates.values()), reverse=True),
            f"95 % limits {widths}",
        ),
    )


def _errors(features: Any, labels: Any, repeats: int, seed: int) -> list[list[float]]:
    """Error rates by order of the rows and by share that trains."""
    splits = shares(labels, SHARES, repeats=repeats, seed=seed)
    fits = fit_all(_neighbour(), features, labels, splits, scores=False, engine="serial", seed=seed)
    wrong = [float(np.mean(fits[i].predicted != fits.truth[splits.test(i)])) for i in range(len(splits))]
    return np.reshape(wrong, (repeats, len(SHARES))).tolist()


def _neighbour() -> Any:
    from sklearn.neighbors import KNeighborsClassifier

    return KNeighborsClassifier(1)
