"""The examples on iris whose splits are lost: where the printed value falls among many splits drawn anew."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from studies.checks import Check, drawn, number, statement, unknown
from studies.pages import Page
from studies.runs import Run
from studies.zaki_measures import pictures
from studies.zaki_measures.printed import ESTIMATES
from studies.zaki_measures.redrawn import SAMPLES, Iris, Redrawn, components


def add(page: Page, run: Run) -> None:
    file = run.file("iris.csv")
    if file is None:
        page.section("Iris", "The data set iris.csv is missing: nothing here was computed.")
        page.check(unknown("Examples 22.1 to 22.11", "what hangs on splits of iris", "", "iris.csv is missing"))
        return
    iris = Iris.read(file)
    anew = Redrawn(run, iris)
    page.section(
        "The data: Iris, and splits drawn anew",
        "The book's splits are lost. Each example was therefore computed on many others, drawn with a seed: "
        f"{len(anew.parted):,} test sets with ten points of each class, {anew.times:,} times five folds, and "
        f"{anew.runs:,} times fifty bootstrap samples. A printed value is called typical unless fewer than one in a "
        "hundred splits lie at or beyond it. A rare one proves nothing: somebody has to draw the rare splits too.",
        "The file is UCI's; its rows 35 and 38 differ from Fisher's, as is well known. Both Bayes classifiers have one "
        "normal distribution a class, full Bayes with a covariance, naive Bayes with variances only.",
    )
    page.check(*_data(iris))
    _classified(page, anew)
    _separated(page, anew)
    _validated(page, anew)


def _data(iris: Iris) -> Iterator[Check]:
    yield number("Example 22.1", "points", "150", len(iris.species), "rows of the file")
    sizes = np.unique(iris.species, return_counts=True)[1]
    yield statement("Example 22.1", "three classes of equal size", sizes.tolist() == [50] * 3, "counted: 50 each")
    twice = (iris.sepals == (6.0, 2.2)).all(axis=1)
    yield number("Example 22.1", "points at (6, 2.2)", "2", twice.sum(), "rows of the file")
    both = sorted(iris.species[twice]) == ["versicolor", "virginica"]
    yield statement("Example 22.1", "they are labelled c2 and c3", both, ", ".join(iris.species[twice]))
    for what, printed, share in (("training points", "120", 0.8), ("testing points", "30", 0.2)):
        yield number("Example 22.1", what, printed, share * len(iris.species), "150 in the ratio 80:20")
    for what, printed, share in (("prior of c1", "0.33", 40 / 120), ("prior of c2", "0.67", 80 / 120)):
        yield number("Example 22.3", what, printed, share, "of 120 training points")


def _classified(page: Page, anew: Redrawn) -> None:
    right = anew.right
    wrong = 30 - right.sum(axis=1)
    same = np.flatnonzero((right == (10, 7, 5)).all(axis=1))
    split = int(same[0] if same.size else np.flatnonzero(wrong == 8)[0])
    page.section(
        "Full Bayes on two attributes: Examples 22.1 and 22.2",
        f"Eight errors of 30 are a little more than usual: the average is {wrong.mean():.1f}. Of {len(right):,} splits "
        f"{same.size:,} have the very diagonal of Table 22.1.",
    )
    page.picture(
        "iris",
        pictures.classified(anew.iris, anew.parted.train(split), anew.parted.test(split)),
        "Figure 22.1 drawn anew, on a split with as many errors: setosa is easy, the others overlap",
    )
    how = f"full Bayes on {len(right):,} splits"
    names = ("setosa", "versicolor", "virginica")
    page.check(
        drawn("Example 22.1", "errors in 30", "8", wrong, how),
        drawn("Example 22.1", "error rate, 8/30", "0.267", wrong / 30, how),
        *(
            drawn("Example 22.2", f"{name} classified correctly, of 10", printed, right[:, place], how)
            for place, (name, printed) in enumerate(zip(names, ("10", "7", "5"), strict=True))
        ),
    )


def _separated(page: Page, anew: Redrawn) -> None:
    naive, full = anew.binary["naive"], anew.binary["full"]
    tp, fp, area = naive.T
    errors = 10 - tp + fp
    full_errors = 10 - full[:, 0] + full[:, 1]
    page.section(
        "Versicolor against the others: Examples 22.3 and 22.4",
        f"Here the book's split was an unlucky one. Naive Bayes makes {errors.mean():.1f} errors of 30 on average, not "
        f"10, and its area is {area.mean():.3f} on average, not 0.775: so low it was on "
        f"{100 * np.mean(area <= 0.7775):.2f} % of the splits. That versicolor is hard to separate is true of straight "
        f"lines; full Bayes makes {full_errors.mean():.1f} errors, with an area of {full[:, 2].mean():.3f}.",
        "The printed means and variances fit the first two components of all four attributes, not scaled, and no other "
        "choice of attributes; both axes point the other way round than usual. The mean of versicolor is far out:",
    )
    page.table(("attributes", "how far the eight printed estimates are off, in standard deviations"), _which(anew))
    split = int(np.flatnonzero(errors == 10)[0]) if np.any(errors == 10) else int(np.argmax(errors))
    page.picture(
        "components",
        pictures.separated(anew.iris, anew.parted.train(split), anew.parted.test(split)),
        "Figure 22.2 drawn anew, on one of the worst splits: naive Bayes on the first two principal components",
    )
    page.picture(
        "areas",
        pictures.histograms(
            [
                pictures.Panel("Naive Bayes: AUC", area, (0.775, 0.7775), 0.01),
                pictures.Panel("Full Bayes: AUC", full[:, 2], (0.775,), 0.01),
                pictures.Panel("Naive Bayes: errors of 30", errors, (10,), 1, whole=True),
                pictures.Panel("Full Bayes: errors of 30", full_errors, (10,), 1, whole=True),
            ],
            "The split of Examples 22.3 and 22.4 was an unlucky one",
            f"{len(area):,} splits drawn anew, versicolor against the others. Orange: what the book prints.",
        ),
        "Where the printed area and errors fall among those of splits drawn anew",
    )
    how = f"naive Bayes on {len(area):,} splits"
    names = ("first", "second")
    page.check(
        *(
            drawn(
                "Example 22.3",
                f"{what} of {kind}, {names[component]} component",
                printed,
                anew.estimates[what, kind, component],
                f"{len(area):,} training sets",
            )
            for what, kind, component, printed in ESTIMATES
        ),
        drawn("Example 22.3", "errors in 30", "10", errors, how),
        drawn("Table 22.3", "TP", "7", tp, how),
        drawn("Table 22.3", "FP", "7", fp, how),
        drawn("Example 22.4", "AUC", "0.775", area, how),
    )


def _which(anew: Redrawn) -> Iterator[tuple[str, str]]:
    """How far the eight printed estimates are from those of other principal components."""
    kinds = {"all four": [0, 1, 2, 3], "without petal width": [0, 1, 2], "without sepal width": [0, 2, 3]}
    for name, columns in kinds.items():
        found = anew.estimated(components(anew.iris.attributes[:, columns]))
        off = [
            (float(printed) - found[what, kind, component].mean()) / found[what, kind, component].std()
            for what, kind, component, printed in ESTIMATES
        ]
        yield name, ", ".join(f"{each:+.1f}" for each in off)


def _validated(page: Page, anew: Redrawn) -> None:
    full, naive = anew.folds["full"], anew.folds["naive"]
    means, spreads = anew.tens(full.mean(axis=1)), anew.tens(full.var(axis=1, ddof=1))
    rows = anew.bootstrapped
    means_50, spreads_50 = rows["all"].mean(axis=1), rows["all"].var(axis=1)
    difference = naive - full
    gap = difference.mean(axis=1)
    spread = difference.std(axis=1, ddof=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic = np.where(spread > 1e-12, np.sqrt(5) * gap / spread, 0.0)
    rejected = np.mean(np.abs(statistic) > 2.776)
    page.section(
        "Cross-validation, bootstrap and comparison on iris: Examples 22.7, 22.8 and 22.11",
        f"Of full Bayes, cross-validation says {full.mean():.3f} on average, bootstrap samples tested on all points "
        f"{means_50.mean():.3f}, tested on the points left out {rows['left out'].mean():.3f}. So the second is "
        "optimistic, as the book says.",
        "That its variance is lower has another reason than overlap: each sample is tested on 150 points and not on "
        f"30. Tested on 30 of all, with the same overlap, its variance is {rows['thirty'].var(axis=1).mean():.5f}.",
        f"In Example 22.11 naive Bayes is worse by 0.033. Over all folds drawn anew it is the better one: "
        f"{gap.mean():+.3f} on average, and worse by so much in {100 * np.mean(gap >= 1 / 30 - 1e-6):.2f} % of the "
        f"runs. Better by so much it is in {100 * np.mean(gap <= -1 / 30 + 1e-6):.1f} %: perhaps the rows of the two "
        f"were exchanged. The t-test, with divisor K - 1, calls {100 * rejected:.1f} % of the runs significant.",
    )
    page.picture(
        "bootstrap",
        pictures.sampling(rows["all"][0], float(full.mean())),
        "Figure 22.5 drawn anew: error rates of fifty bootstrap samples, tested on all points",
    )
    page.picture(
        "redrawn",
        pictures.histograms(
            [
                pictures.Panel("22.7: mean of ten runs", means, (0.232,), 1 / 1500, whole=True),
                pictures.Panel("22.7: mean variance of ten runs", spreads, (0.00521,), 0.0002),
                pictures.Panel("22.8: mean of fifty samples", means_50, (0.213,), 0.001),
                pictures.Panel("22.8: variance of fifty samples", spreads_50, (4.815e-4,), 2e-5),
                pictures.Panel("22.11: mean difference", gap, (0.033,), 1 / 150, whole=True),
                pictures.Panel("22.11: Z", np.clip(statistic, -6, 6), (1.28,), 0.5),
            ],
            "Where the book's values fall among those of splits drawn anew",
            "Orange: what is printed. Z is cut off at 6.",
        ),
        "What is printed in Examples 22.7, 22.8 and 22.11, among values from splits drawn anew",
    )
    page.check(*_validations(anew, means, spreads, means_50, spreads_50, gap, statistic))


def _validations(
    anew: Redrawn,
    means: np.ndarray,
    spreads: np.ndarray,
    means_50: np.ndarray,
    spreads_50: np.ndarray,
    gap: np.ndarray,
    statistic: np.ndarray,
) -> Iterator[Check]:
    full, rows = anew.folds["full"], anew.bootstrapped
    runs, ten = f"{anew.times:,} runs of five folds", "2,000 sets of ten runs"
    yield drawn("Example 22.7", "mean of five folds", "0.233", full.mean(axis=1), runs)
    yield drawn("Example 22.7", "variance of five folds, divisor K - 1", "0.00833", full.var(axis=1, ddof=1), runs)
    yield drawn("Example 22.7", "mean over ten runs", "0.232", means, ten)
    yield drawn("Example 22.7", "mean variance over ten runs, divisor K - 1", "0.00521", spreads, ten)
    yield drawn("Example 22.7", "the same, divisor K", "0.00521", anew.tens(full.var(axis=1)), ten)
    of_both = float(full.mean(axis=1).var()), float(full.var(axis=1, ddof=1).var())
    yield statement(
        "Example 22.7",
        "over runs both vary with a variance below 0.001",
        max(of_both) < 1e-3,
        f"they vary with {of_both[0]:.1e} and {of_both[1]:.1e}",
    )
    shares = np.array([np.unique(anew.sampled.train(i)).size / 1.5 for i in range(len(anew.sampled))])
    yield drawn("22.2.2", "points in a bootstrap sample, in percent", "63.2", shares, f"{len(shares):,} samples")
    fifty = f"{len(means_50):,} times {SAMPLES} samples"
    yield drawn("Example 22.8", "mean", "0.213", means_50, fifty)
    yield drawn("Example 22.8", "variance", "4.815e-4", spreads_50, fifty)
    yield statement(
        "Example 22.8",
        "overlap makes the mean lower than that of cross-validation",
        means_50.mean() < full.mean() < rows["left out"].mean(),
        "bootstrap on all points below cross-validation below bootstrap on points left out, on average",
    )
    same_size = rows["thirty"].var(axis=1).mean()
    yield statement(
        "Example 22.8",
        "overlap makes the variance lower than that of cross-validation, 4.815e-4 against 0.00833",
        same_size < 0.5 * full.var(axis=1, ddof=1).mean(),
        f"with the same overlap, but tested on 30 points as folds are, it is {same_size:.4f}; that of folds is on "
        f"average {full.var(axis=1, ddof=1).mean():.4f}",
        right="it is lower because 150 points test and not 30",
        why="two things differ, and one was blamed",
    )
    yield drawn("Example 22.11", "mean difference, naive minus full", "0.033", gap, runs)
    yield drawn("Example 22.11", "Z", "1.28", statistic, runs)
