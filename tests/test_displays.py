"""Displays as scikit-learn's, whose numbers are the library's and whose pictures say how firmly they hold."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import holdfast as hf
from holdfast.displays import CalibrationDisplay, ConfusionDisplay, RocDisplay
from holdfast.errors import HoldfastError
from tests.needs import module

GENERATOR = np.random.default_rng(11)
TRUTH = GENERATOR.integers(0, 2, 300)
SCORE = np.clip(0.3 * TRUTH + 0.7 * GENERATOR.random(300), 0, 1)
NAMES = np.array(["well", "ill"])[TRUTH]


@pytest.fixture
def plt() -> Iterator[Any]:
    module("matplotlib").use("Agg")
    pyplot = module("matplotlib.pyplot")
    yield pyplot
    pyplot.close("all")


def legend(display: Any) -> str:
    return "\n".join(text.get_text() for text in display.ax_.get_legend().get_texts())


def test_the_numbers_are_those_of_the_report() -> None:
    report = hf.assess(NAMES, np.where(SCORE > 0.5, "ill", "well"), SCORE, positive="ill", bins=4, confidence=0.9)
    curve = RocDisplay.of(NAMES, SCORE, pos_label="ill", confidence=0.9)
    assert curve.claim.to_dict() == report["auc", "ill"].to_dict()
    assert curve.roc_auc == report["auc", "ill"].estimate
    assert curve.curve.to_dict() == report.curves["roc"].to_dict()
    bins = CalibrationDisplay.of(NAMES, SCORE, pos_label="ill", bins=4, confidence=0.9)
    claims = [line.claim for line in report.whole if line.measure == "calibration"]
    assert np.asarray(bins.claim.lower).tolist() == [claim.lower for claim in claims]
    assert np.asarray(bins.claim.upper).tolist() == [claim.upper for claim in claims]
    assert float(bins.claim.delta) == float(claims[0].delta) == 0.025
    assert bins.claim.assumes == claims[0].assumes
    assert bins.error.to_dict() == report["ece", "ill"].to_dict()


def test_the_matrix_has_scikit_learns_rows_unless_told_otherwise() -> None:
    truth, predicted = ["a", "a", "a", "b"], ["a", "b", "b", "b"]
    display = ConfusionDisplay.of(truth, predicted)
    assert display.confusion_matrix.tolist() == [[1, 2], [0, 1]]
    share = hf.bound(hf.Counts(2, 3))
    assert np.asarray(display.claim.lower)[0, 1] == share.lower
    assert np.asarray(display.claim.upper)[0, 1] == share.upper
    turned = ConfusionDisplay.of(truth, predicted, rows="predicted", labels=["b", "a"])
    assert turned.confusion_matrix.tolist() == [[1, 2], [0, 1]]
    assert turned.display_labels == ("b", "a")
    assert np.asarray(turned.claim.upper)[0].tolist() == [1.0, share.upper]
    nobody = ConfusionDisplay.of(["a", "a"], ["a", "b"], labels=["a", "b"])
    assert np.asarray(nobody.claim.lower)[1].tolist() == [0.0, 0.0]
    assert np.asarray(nobody.claim.upper)[1].tolist() == [1.0, 1.0]


def inside(display: RocDisplay, x: np.ndarray[Any, Any], y: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Whether points lie between the stairs; on a riser, the wider of the two."""
    (over, high), (under, low) = display.envelope()
    top = high[np.searchsorted(over, x, side="right") - 1]
    floor = low[np.searchsorted(under, x, side="left")]
    return (y <= top + 1e-12) & (y >= floor - 1e-12)


@pytest.mark.parametrize("examples", [12, 300, 5_000])
def test_the_envelope_holds_every_rectangle_also_of_thresholds_left_out(examples: int) -> None:
    generator = np.random.default_rng(examples)
    truth = generator.random(examples) < 0.4
    score = generator.random(examples) + 0.5 * truth
    display = RocDisplay.of(truth, score)
    full = hf.roc(hf.Scores(score, truth), points=10**6)
    assert display.thinned == (display.curve.x.size < full.x.size) == (examples == 5_000)
    for x, y in ((full.x, full.y), (full.x_lower, full.y_upper), (full.x_upper, full.y_lower)):
        assert inside(display, x, y).all()
    corners = np.concatenate([np.concatenate(side) for side in display.envelope()])
    assert corners.min() == 0.0
    assert corners.max() == 1.0


def test_the_envelope_is_no_wider_than_it_must_be() -> None:
    display = RocDisplay.of(TRUTH, SCORE)
    curve, (over, high), (under, low) = display.curve, *display.envelope()
    for place in range(curve.x.size):
        assert (curve.x_lower[place], curve.y_upper[place]) in set(zip(over, high, strict=True))
        assert (curve.x_upper[place], curve.y_lower[place]) in set(zip(under, low, strict=True))


def test_roc_is_drawn_with_its_band_and_its_area(plt: Any) -> None:
    display = RocDisplay.from_predictions(NAMES, SCORE, pos_label="ill", confidence=0.9)
    line = display.ax_.lines[0]
    assert np.array_equal(line.get_xdata(), display.curve.x)
    assert np.array_equal(line.get_ydata(), display.curve.y)
    (band,) = display.ax_.patches
    upper, lower = display.envelope()
    assert len(band.get_xy()) == upper[0].size + lower[0].size + 1
    told = legend(display)
    estimate = f"{display.roc_auc:.3f}"
    assert f"AUC {estimate} [" in told
    assert told.count("holds at every sample size") == 2
    assert "90 % band" in told
    assert "ill" in display.ax_.get_ylabel()
    assert display.figure_ is display.ax_.figure


def test_calibration_is_drawn_with_its_intervals(plt: Any) -> None:
    display = CalibrationDisplay.from_predictions(y_true=TRUTH, y_prob=SCORE, bins=[0, 0.1, 0.5, 0.99, 1], name="mine")
    (bars,) = display.ax_.containers
    held = display.bins.n > 0
    assert np.array_equal(bars[0].get_xdata(), display.prob_pred[held])
    assert np.array_equal(bars[0].get_ydata(), display.prob_true[held])
    ends = np.array([segment[:, 1] for segment in bars[2][0].get_segments()])
    assert np.allclose(ends[:, 0], np.asarray(display.claim.lower)[held])
    assert np.allclose(ends[:, 1], np.asarray(display.claim.upper)[held])
    told = legend(display)
    assert "mine\n95 % intervals of 4 bins together, holds at every sample size" in told
    assert "calibration error 0." in told
    marked = [text.get_text() for text in display.ax_.texts]
    assert marked == [f"n={n}" for n in display.bins.n[held]]


def test_bins_chosen_by_the_scores_come_without_proof(plt: Any) -> None:
    display = CalibrationDisplay.from_predictions(TRUTH, SCORE, bins="quantiles")
    assert "comes without proof" in legend(display)
    assert hf.Assumption.FIXED_BINS not in display.claim.assumes


def test_the_matrix_is_drawn_with_its_intervals(plt: Any) -> None:
    display = ConfusionDisplay.from_predictions(NAMES, np.where(SCORE > 0.5, "ill", "well"))
    (image,) = display.ax_.images
    assert np.array_equal(np.asarray(image.get_array()), np.asarray(display.claim.estimate))
    cells = [text.get_text() for text in display.ax_.texts]
    assert cells[::2] == [f"{count}" for count in display.confusion_matrix.ravel()]
    assert all(cell.startswith("0.") and "\n[0." in cell for cell in cells[1::2])
    assert [tick.get_text() for tick in display.ax_.get_xticklabels()] == ["ill", "well"]
    assert (display.ax_.get_ylabel(), display.ax_.get_xlabel()) == ("actual", "predicted")
    title = display.ax_.get_title(loc="left")
    assert "95 % interval of each on its own" in title
    assert "holds at every sample size" in title


@pytest.mark.parametrize(("labels", "texts"), [(6, 72), (7, 49), (26, 0)])
def test_cells_tell_what_they_have_room_for(plt: Any, labels: int, texts: int) -> None:
    names = [f"c{i:02}" for i in range(labels)]
    display = ConfusionDisplay.from_predictions(names, names)
    assert len(display.ax_.texts) == texts


def test_displays_share_axes(plt: Any) -> None:
    _, ax = plt.subplots()
    one = RocDisplay.from_predictions(TRUTH, SCORE, ax=ax, name="one")
    two = RocDisplay.of(TRUTH, -SCORE, name="two").plot(ax)
    assert one.ax_ is two.ax_ is ax
    told = legend(two)
    assert told.count("no better than chance") == 1
    assert "one\nAUC" in told
    assert "two\nAUC" in told
    assert ax.lines[0].get_color() != ax.lines[-1].get_color()


@pytest.mark.crossing(3)
@pytest.mark.parametrize("name", ["$x^{", "_hidden", "<b>", "line\nbreak", "y" * 500])
def test_names_are_text(plt: Any, name: str) -> None:
    truth = [name, "b", "b", name]
    displays: list[Any] = [
        RocDisplay.from_predictions(truth, [0.1, 0.5, 0.7, 0.8], pos_label=name, name=name),
        CalibrationDisplay.from_predictions(truth, [0.1, 0.5, 0.7, 0.8], pos_label=name, name=name),
        ConfusionDisplay.from_predictions(truth, truth, name=name),
    ]
    for display in displays:
        display.figure_.canvas.draw()
    assert len(legend(displays[0]).splitlines()[0]) <= 26
    assert len(displays[0].ax_.get_legend().get_texts()) == 3


def test_one_class_or_one_example_is_drawn_too(plt: Any) -> None:
    for truth in ([1, 1, 1], [1]):
        display = RocDisplay.from_predictions(truth, [0.5] * len(truth), pos_label=1)
        assert "AUC – [0.000, 1.000]" in legend(display)
        CalibrationDisplay.from_predictions(truth, [0.5] * len(truth), pos_label=1).figure_.canvas.draw()
        ConfusionDisplay.from_predictions(truth, truth).figure_.canvas.draw()
        display.figure_.canvas.draw()


class Fitted:
    """Acts like a fitted classifier of one number, which is its score for the class ill."""

    def __init__(self, way: str, classes: tuple[str, ...] = ("well", "ill")) -> None:
        self.classes_ = np.array(classes)
        if way == "predict_proba":
            self.predict_proba = lambda X: np.column_stack([1 - X, X])
        elif way:
            self.decision_function = lambda X: X - 0.5

    def predict(self, X: Any) -> Any:
        return self.classes_[(X > 0.5).astype(int)]


def test_from_an_estimator(plt: Any) -> None:
    for way in ("predict_proba", "decision_function"):
        display = RocDisplay.from_estimator(Fitted(way), SCORE, NAMES)
        assert display.pos_label == "ill"
        assert display.roc_auc == RocDisplay.of(NAMES, SCORE, pos_label="ill").roc_auc
        assert legend(display).startswith("Fitted\n")
        other = RocDisplay.from_estimator(Fitted(way), SCORE, NAMES, pos_label="well", name="other")
        assert other.roc_auc == pytest.approx(display.roc_auc)
        assert other.pos_label == "well"
    bins = CalibrationDisplay.from_estimator(Fitted("predict_proba"), SCORE, NAMES, bins=5)
    assert np.array_equal(bins.prob_true, CalibrationDisplay.of(NAMES, SCORE, pos_label="ill", bins=5).prob_true)
    matrix = ConfusionDisplay.from_estimator(Fitted(""), SCORE, NAMES)
    assert matrix.confusion_matrix.trace() == np.sum((SCORE > 0.5) == (TRUTH == 1))


def test_from_a_classifier_of_scikit_learn(plt: Any) -> None:
    module("sklearn")
    from sklearn.datasets import load_iris
    from sklearn.metrics import confusion_matrix, roc_auc_score
    from sklearn.naive_bayes import GaussianNB

    X, y = load_iris(return_X_y=True)
    model = GaussianNB().fit(X[::2], y[::2])
    display = RocDisplay.from_estimator(model, X[1::2], y[1::2], pos_label=2)
    assert display.roc_auc == pytest.approx(roc_auc_score(y[1::2] == 2, model.predict_proba(X[1::2])[:, 2]))
    matrix = ConfusionDisplay.from_estimator(model, X[1::2], y[1::2])
    assert np.array_equal(matrix.confusion_matrix, confusion_matrix(y[1::2], model.predict(X[1::2])))
    with pytest.raises(HoldfastError, match="Say with pos_label= which label to look at; there are 0, 1, 2"):
        RocDisplay.from_estimator(model, X, y)


def test_what_is_refused() -> None:
    with pytest.raises(HoldfastError, match="Say with pos_label= which label the score speaks for"):
        RocDisplay.of(NAMES, SCORE)
    with pytest.raises(HoldfastError, match="which label the score speaks for; the labels are 0, 1, 2"):
        RocDisplay.of([0, 1, 2], [0.1, 0.2, 0.3])
    with pytest.raises(HoldfastError, match="Only scores in \\[0, 1\\] are probabilities"):
        CalibrationDisplay.of(TRUTH, SCORE + 1)
    with pytest.raises(HoldfastError, match="There is no meaning of the rows named 'true'"):
        ConfusionDisplay.of(TRUTH, TRUTH, rows="true")  # type: ignore[arg-type]
    with pytest.raises(HoldfastError, match="no class of the estimator named 'sick'"):
        RocDisplay.from_estimator(Fitted("predict_proba"), SCORE, NAMES, pos_label="sick")
    with pytest.raises(HoldfastError, match="Fitted has no predict_proba, which this picture needs"):
        CalibrationDisplay.from_estimator(Fitted("decision_function"), SCORE, NAMES)
    with pytest.raises(HoldfastError, match="strictly between 0 and 1"):
        RocDisplay.of(TRUTH, SCORE, confidence=95)
    with pytest.raises(HoldfastError):
        RocDisplay.of(TRUTH, SCORE[:-1])


def test_without_matplotlib_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(HoldfastError, match="pip install 'holdfast\\[mpl\\]'"):
        RocDisplay.from_predictions(TRUTH, SCORE)


def test_displays_are_offered_as_a_module() -> None:
    assert hf.displays.RocDisplay is RocDisplay
