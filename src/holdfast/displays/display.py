"""What all displays share: how they are made, where they are drawn, and how they write."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from holdfast.claims import Claim
from holdfast.errors import HoldfastError, UnknownName
from holdfast.evidence import Scores
from holdfast.predictions import Predictions
from holdfast.predictions.coded import spelled
from holdfast.render.phrases import estimate_and_limits
from holdfast.tally import tally
from holdfast.verbs.assess.estimator import predictions_of
from holdfast.wording import brief, listed, printable

GREY = "#5d6d7e"
SIDE = 5.6  # inches of a new figure
LONGEST = 24  # characters of a label


@dataclass(eq=False, kw_only=True)
class Display:
    """What all displays share: a name for the legend, and where they were last drawn."""

    name: str | None = None
    ax_: Any = field(default=None, init=False, repr=False)
    figure_: Any = field(default=None, init=False, repr=False)
    answers: ClassVar[tuple[str, ...]]  # methods of an estimator, the first of which it has is asked

    of: ClassVar[Callable[..., Any]]  # makes a display from arrays

    @classmethod
    def from_predictions(cls, *arrays: Any, ax: Any = None, **options: Any) -> Self:
        """Draw what the true labels and the answers show; all but the axes is as `of` takes it."""
        return cls.of(*arrays, **options).plot(ax)

    @classmethod
    def from_estimator(cls, estimator: Any, X: Any, y: Any, *, ax: Any = None, **options: Any) -> Self:
        """Draw what a fitted estimator answers for X, where y is true; the options are those of `of`."""
        answered = _asked(estimator, X, cls.answers, options)
        return cls.of(y, answered, **{"name": type(estimator).__name__, **options}).plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw onto the axes, or onto new ones; they are then `ax_`, on `figure_`."""
        self.ax_ = _new_axes(self.side) if ax is None else ax
        self.figure_ = self.ax_.figure
        self.draw(self.ax_)
        return self

    @property
    def side(self) -> float:
        return SIDE

    def draw(self, ax: Any) -> None:
        raise NotImplementedError

    def named(self, words: str) -> str:
        return words if self.name is None else f"{plain(self.name)}\n{words}"


def scores_of(y_true: Any, y_score: Any, pos_label: object) -> tuple[Scores, str]:
    """The ranking by the score, and the label that it speaks for."""
    counted = tally(Predictions.given(y_true, y_true), positive=pos_label)  # for its labels alone
    label = counted.positive
    if label is None:  # and the truth must not be asked which way the scores lean
        labels = [] if counted.table is None else list(counted.table.labels)
        raise HoldfastError(
            f"Say with pos_label= which label the score speaks for; the labels are {brief(listed(labels))}."
        )
    return tally(Predictions.given(y_true, score=y_score), positive=label).scores[label], label


def _asked(estimator: Any, X: Any, answers: Sequence[str], options: dict[str, Any]) -> Any:
    """What the estimator answers; where that is a score, the options then say for which label."""
    if not any(hasattr(estimator, name) for name in answers):
        raise HoldfastError(f"{type(estimator).__name__} has no {' and no '.join(answers)}, which this picture needs.")
    predicted, scores, classes = predictions_of(estimator, X)
    if "predict" in answers:
        return predicted
    if scores is None:
        raise HoldfastError(f"The scores of this {type(estimator).__name__} rank no class against the others.")
    labels = [spelled(label) for label in classes]
    label = options.get("pos_label")
    if label is None and len(labels) > 2:
        raise HoldfastError(f"Say with pos_label= which label to look at; there are {brief(listed(labels))}.")
    name = labels[1] if label is None else spelled(label)  # the second, as scikit-learn has it
    if name not in labels:
        raise UnknownName("class of the estimator", name, labels)
    options["pos_label"], place = name, labels.index(name)
    return scores[:, place] if scores.ndim == 2 else scores if place else -scores


def _new_axes(side: float) -> Any:
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise HoldfastError("Drawing needs matplotlib, of the extra mpl: pip install 'holdfast[mpl]'.") from None
    return plt.subplots(figsize=(side, side), layout="constrained")[1]


def told(claim: Claim) -> str:
    return f"{' '.join(estimate_and_limits(claim, 3))}, {claim.guarantee.sentence}"


def plain(name: str) -> str:
    """A name from elsewhere on one line, in which matplotlib looks for no formulas."""
    escaped = printable(name, LONGEST).replace("$", r"\$")
    return f" {escaped}" if escaped.startswith("_") else escaped  # legends leave out what starts so


def diagonal(ax: Any, label: str) -> bool:
    """Draw it once, however many displays share the axes, and tell whether this is the first of them."""
    first = label not in ax.get_legend_handles_labels()[1]
    if first:
        ax.plot([0, 1], [0, 1], color=GREY, lw=1, ls=(0, (4, 3)), zorder=1, label=label)
    return first


def square(ax: Any, across: str, up: str) -> None:
    ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), xlabel=across, ylabel=up, aspect="equal")
    ax.spines[["top", "right"]].set_visible(False)
