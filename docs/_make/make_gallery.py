"""Writes docs/gallery, README.md and its pictures, and the page of each example into docs/_build/gallery.

The examples are the shipped predictions and three data sets that come with scikit-learn, split by a fixed seed.
The pictures of whole pages are taken by a browser: see screenshots.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits, load_iris
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import holdfast as hf
from holdfast.render.page import save_chart
from pictures import make_small

GALLERY = Path(__file__).parents[1] / "gallery"
PAGES = GALLERY.parent / "_build" / "gallery"  # too large to be kept
SEED = 7
SCREENS = {
    "light": "On a light screen",
    "dark": "On a dark screen",
    "phone": "On a phone",
    "print": "On paper",
}
CHARTS = {
    "forest": "Every measure with its interval; what holds at every sample size is told apart from what does not.",
    "matrix": "The confusion matrix: each cell with its share of the actual class and that share's interval.",
    "roc": "The ROC curve with a band that holds at all thresholds at once.",
    "precision-recall": "Precision against recall, with its band.",
    "scores": "How the scores of the two classes are spread.",
    "calibration": "What came true of the scores in each bin; the intervals of all bins hold together.",
    "groups": "Groups of the test set against the whole.",
    "plan": "What more labels would buy: the interval expected at each number of examples.",
    "differences": "How far two models are apart: each pair's difference in error rate, the margin shaded.",
    "beats": "Who beats whom: each cell says whether the row's model is better than the column's.",
    "error-rates": "Each model's error rate, with intervals that hold whichever model is selected.",
    "ranks": "Models over many data sets: mean ranks, and bars that join those not told apart.",
    "splits": "How each model of a cross-validation did, against what is claimed of the target.",
    "decomposition": "What the loss is made of, along a parameter of the learner.",
    "learning-curve": "The error rate and its interval, as more rows train and fewer test.",
    "model-errors": "The error rate of every model; of the one selected, an interval that holds though it was.",
    "agreement": "Who answers alike: how often any two models differ, clusters framed.",
    "ways": "What each method can say about the vote, from the little that it knows.",
    "wealth": "The evidence for either of two models, example by example.",
}
PANEL = ("model-errors", "agreement")


@dataclass
class Example:
    """A report, how to make it, and which of its pictures to show."""

    name: str
    title: str
    call: str
    report: hf.Report
    shown: tuple[str, ...]


def examples() -> Iterator[Example]:
    shipped = GALLERY.parents[1] / "examples" / "predictions.csv"
    options: dict[str, Any] = {"positive": "malignant", "bins": 5, "operating_point": 0.5}
    call = (
        "holdfast assess examples/predictions.csv --positive malignant --bins 5 --operating-point 0.5 --html page.html"
    )
    report = hf.assess(hf.read(shipped), **options).with_command(call)
    yield Example("shipped", "The shipped example: breast tumours, naive Bayes", call, report, ("roc", "plan"))

    iris = load_iris()
    seen, test, known, truth = split(iris.data, iris.target_names[iris.target])
    report = hf.assess_estimator(GaussianNB().fit(seen, known), test, truth)
    call = "hf.assess_estimator(model, X_test, y_test).save('page.html')"
    yield Example("iris", "Three kinds of iris, naive Bayes", call, report, ("matrix",))

    tumours = load_breast_cancer()
    seen, test, known, truth = split(tumours.data, tumours.target_names[tumours.target])
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(seen, known)
    call = "hf.assess_estimator(model, X_test, y_test, positive='malignant', bins=5).save('page.html')"
    report = hf.assess_estimator(model, test, truth, positive="malignant", bins=5)
    yield Example("cancer", "Breast tumours, logistic regression", call, report, ("forest", "calibration"))

    digits = load_digits()
    seen, test, known, truth = split(digits.data, digits.target)
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=500)).fit(seen, known)
    ink = np.array(["little", "medium", "much"])[np.digitize(test.sum(axis=1), [290, 330])]
    call = "hf.assess_estimator(model, X_test, y_test, groups={'ink': ink}).save('page.html')"
    report = hf.assess_estimator(model, test, truth, groups={"ink": ink})
    yield Example("digits", "Ten handwritten digits, logistic regression", call, report, ("matrix", "groups"))

    rivals = {
        "logistic": model,
        "naive Bayes": GaussianNB(),
        "neighbours": KNeighborsClassifier(5),
        "tree": DecisionTreeClassifier(random_state=SEED),
    }
    answers = {name: rival.fit(seen, known).predict(test) for name, rival in rivals.items()}
    call = "hf.compare(y_test, {'logistic': ..., 'naive Bayes': ..., 'tree': ..., ...}, margin=0.02).save('page.html')"
    report = hf.compare(truth, answers, margin=0.02)
    yield Example("rivals", "Ten handwritten digits, four models compared", call, report, ("differences", "beats"))

    bayes, sepals = QuadraticDiscriminantAnalysis(), iris.data[:, :2]
    call = "hf.cross_assess(QuadraticDiscriminantAnalysis(), X, y, scheme='bootstrap-all', rounds=50).save('page.html')"
    report = hf.cross_assess(bayes, sepals, iris.target, scheme="bootstrap-all", rounds=50, seed=SEED).report
    yield Example(
        "sepals", "Zaki & Meira's example 22.8: iris' sepals, full Bayes, bootstrap", call, report, ("splits",)
    )

    call = "hf.decompose(DecisionTreeClassifier(), X, y, parameter='max_depth', values=range(1, 11)).save('page.html')"
    tree = DecisionTreeClassifier(random_state=SEED)
    report = hf.decompose(tree, tumours.data, tumours.target, parameter="max_depth", values=range(1, 11), seed=SEED)
    yield Example("depth", "Breast tumours, trees of growing depth", call, report, ("decomposition",))

    call = "hf.learning_curve(GaussianNB(), X, y).save('page.html')"
    report = hf.learning_curve(GaussianNB(), tumours.data, tumours.target, seed=SEED)
    yield Example(
        "dilemma", "Train on more, or test on more? Breast tumours, naive Bayes", call, report, ("learning-curve",)
    )

    folder = GALLERY.parents[1] / "examples"
    judges = hf.read_models(folder / "judges.csv", truth="person", models="judge_*")
    new = hf.read_unlabelled(folder / "judges_new.csv", judges)
    call = (
        "holdfast panel examples/judges.csv --truth person --models 'judge_*' --unlabelled examples/judges_new.csv "
        "--html page.html"
    )
    report = hf.panel(judges, unlabelled=new).with_command(call)
    yield Example("judges", "A jury of nine judges, on answers nobody has checked", call, report, PANEL)
    call = call.replace("panel", "committee", 1)
    report = hf.committee(judges, unlabelled=new).with_command(call)
    yield Example("vote", "What is known of the jury's vote", call, report, ("ways",))


def split(X: Any, y: Any) -> Any:
    """Half to learn from and half to be assessed on: rows and labels of the one, then of the other."""
    return train_test_split(X, y, test_size=0.5, random_state=SEED, stratify=y)


def displays() -> Iterator[tuple[str, str]]:
    """Pictures by matplotlib, each with its caption."""
    tumours = load_breast_cancer()
    seen, test, known, truth = split(tumours.data, tumours.target_names[tumours.target])
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(seen, known)
    for kind, options in (
        (hf.displays.RocDisplay, {"pos_label": "malignant"}),
        (hf.displays.CalibrationDisplay, {"pos_label": "malignant", "bins": 5}),
        (hf.displays.ConfusionDisplay, {}),
    ):
        display: Any = kind
        file = f"matplotlib-{kind.__name__.removesuffix('Display').lower()}.png"
        told = "".join(f", {name}={value!r}" for name, value in options.items())
        display.from_estimator(model, test, truth, name="logistic regression", **options).figure_.savefig(
            GALLERY / file, dpi=100, metadata={"Software": None}
        )
        make_small(GALLERY / file)
        yield file, f"hf.displays.{kind.__name__}.from_estimator(model, X_test, y_test{told})"


def parts() -> Iterator[str]:
    yield "# Gallery"
    yield (
        "Written by `docs/_make/make_gallery.py`, the pictures of pages by `screenshots.py` there. The data sets are\n"
        "those of the shipped example (see `examples/README.md`) and of scikit-learn, half of each held out by a\n"
        "fixed seed."
    )
    yield "## The page"
    yield "`report.save('page.html')`, or `holdfast assess ... --html page.html`: one file, no network."
    yield "Here the page of the shipped example, from top to bottom; its columns are read from left to right."
    for name, where in SCREENS.items():
        if (GALLERY / f"{name}.png").exists():
            yield f"### {where}"
            yield f"[![the page, {where.lower()}]({name}.png)]({name}.png)"
    PAGES.mkdir(parents=True, exist_ok=True)
    for example in examples():
        example.report.save(PAGES / f"{example.name}.html")
        yield f"## {example.title}"
        yield f"    {example.call}"
        yield f"> {' '.join(str(example.report).partition(chr(10) * 2)[0].split())}"
        for name in example.shown:
            file = f"{example.name}-{name}.png"
            save_chart(example.report.charts[name], GALLERY / file)
            make_small(GALLERY / file)
            yield f"![{name}]({file})"
            yield f"`report.charts[{name!r}]`: {CHARTS[name]}"
    yield "## With matplotlib"
    yield "Used as scikit-learn's displays are; they need `pip install 'holdfast[mpl]'`."
    for file, call in displays():
        yield f"    {call}"
        yield f"![{call.split('(')[0]}]({file})"


def main() -> None:
    import matplotlib

    matplotlib.use("Agg")
    (GALLERY / "README.md").write_text("\n\n".join(parts()) + "\n", encoding="utf-8")
    for file in sorted(GALLERY.glob("*.png")):
        print(f"{file.name}: {file.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()
