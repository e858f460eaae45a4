"""From which score on shall I say yes, and what may I then claim?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Unpack

import numpy as np

from holdfast.arguments import Label
from holdfast.claims import chance_of_error
from holdfast.combine import bonferroni, sayable
from holdfast.errors import HoldfastError
from holdfast.evidence import Array
from holdfast.evidence.costs import Costs
from holdfast.predictions import Missing, Predictions
from holdfast.predictions.design import Design, DesignKeywords
from holdfast.report.origin import origin
from holdfast.report.threshold import Threshold
from holdfast.selection.stairs import Stairs
from holdfast.verbs.jointly import at_each_look, one_of_looks
from holdfast.verbs.provenance import recorded
from holdfast.verbs.threshold.choice import chosen
from holdfast.verbs.threshold.subject import subject_of
from holdfast.verbs.threshold.wish import wish_for

MOST_DRAWN = 300  # thresholds of a picture
ROWS = ("truth", "score", "groups", "sample_weight")


@recorded(without=ROWS)
def threshold(
    truth: Any = None,
    score: Any = None,
    *,
    positive: Label = None,
    sensitivity_at_least: float | None = None,
    specificity_at_least: float | None = None,
    precision_at_least: float | None = None,
    recall_at_least: float | None = None,
    costs: Costs | None = None,
    candidates: Sequence[float] | Array | None = None,
    groups: Mapping[str, Any] | None = None,
    by: str | Sequence[str | Sequence[str]] | None = None,
    design: Design | None = None,
    simultaneous: bool = False,
    looks: int = 1,
    confidence: float | str | None = None,
    delta: float | None = None,
    labels: Sequence[object] | None = None,
    missing: Missing = "refuse",
    pos_label: Label = None,
    sample_weight: Any = None,
    **drawn: Unpack[DesignKeywords],
) -> Threshold:
    """A threshold of the score for which one thing is proven, though it was chosen on these very data.

    Parameters
    ----------
    truth, score
        Columns of equal length: lists, arrays, columns of a frame. Or one `Predictions`, from `hf.read`.
    positive
        The label that the score speaks for. scikit-learn's `pos_label` will do.
    sensitivity_at_least, specificity_at_least, precision_at_least
        What shall be proven: one of the three. `recall_at_least` is the sensitivity. Of all thresholds for which it
        is proven the answer is the one that gives up least: the lowest for specificity and precision, the highest
        for sensitivity.
    costs
        Instead: what each answer costs (`hf.Costs`). The answer is the threshold whose expected cost has the lowest
        limit.
    candidates
        The only thresholds that come into question, named without looking at these data. By default any number may
        come out; for costs, and for a precision where rows come in clusters, with weights or within strata, one of the
        hundredths from 0.01 to 1.
    groups, by
        By name, columns that divide the rows into groups, and other ways to divide them, as in `assess`. What is proven
        is then proven of every group.
    design
        How the rows were drawn, as in `assess`: `hf.Design(clusters=..., max_cluster=...)`, or what it takes by its
        names. What is claimed holds at every sample size where the most that a draw can weigh is stated
        (`max_cluster`, `max_weight`); else as the sample grows, of the candidates or the hundredths. A prevalence may
        be a range, as in `{"sick": (0.03, 0.07)}`: claimed is the worst over it.
    simultaneous
        Make all that is claimed of the threshold, of every group too, hold together, and not just each on its own.
    looks
        At how many sizes of a growing set of examples a threshold will be chosen, all told. Each look gets an equal
        part of delta.
    confidence, delta
        As in `bound`.
    labels
        All labels there are, in your order; by default those that occur.
    missing
        What to do with a row without truth or score: "refuse" or "drop".

    Examples
    --------
    >>> scores = [i / 400 for i in range(400)]
    >>> made = threshold([s > 0.5 for s in scores], scores, specificity_at_least=0.9)
    >>> print(made.rule)
    call it True when the score is at least 0.4701
    >>> print(made.claim)
    0.9403, at least 0.9050, fixed-sequence, 95 %, holds at every sample size
    """
    stated = Design.stated("threshold", design, sample_weight, drawn)
    if positive is not None and pos_label is not None:
        raise HoldfastError("Give positive= or pos_label=, not both: they mean the same.")
    if sensitivity_at_least is not None and recall_at_least is not None:
        raise HoldfastError("Give sensitivity_at_least= or recall_at_least=, not both: they mean the same.")
    sensitivity = recall_at_least if sensitivity_at_least is None else sensitivity_at_least
    rates = {"sensitivity": sensitivity, "specificity": specificity_at_least, "precision": precision_at_least}
    wish = wish_for(rates, costs, candidates)
    level = chance_of_error(confidence, delta)
    if level.ndim:
        raise HoldfastError("A threshold is chosen at one confidence; call threshold once for each.")
    rows = _predictions(truth, score, groups, labels, missing, stated)
    subject = subject_of(rows, wish, pos_label if positive is None else positive, labels, by)
    each = at_each_look(level, looks)
    made = chosen(wish, subject, each)
    if simultaneous and made.claim is not None:
        # How many claims there are depends on what is asked, and on no result.
        number = 1 + len(made.beside) + len(made.groups or ())
        made = replace(chosen(wish, subject, float(sayable(bonferroni(each, number)))), delta=each, simultaneous=True)
    notes = (note for note in subject.counted.notes if "Brier" not in note)  # nothing is said about probabilities here
    return replace(
        made,
        notes=(*notes, *subject.notes, *made.notes, *one_of_looks(looks)),
        provenance=origin(rows=subject.counted.rows, fingerprint=subject.counted.fingerprint),
        seen={"trade-off": partial(_seen, subject.whole.stairs)},
    )


def _seen(stairs: Stairs) -> dict[str, list[float]]:
    """Sensitivity and specificity of these examples at some of the scores, the lowest and the highest among them."""
    places = np.unique(np.linspace(0, stairs.values.size - 1, MOST_DRAWN).round().astype(int))
    thresholds = stairs.values[places]
    hits, alarms = stairs.at_least(thresholds)
    rates = {"thresholds": thresholds, "sensitivity": hits.mean, "specificity": alarms.complement}
    return {name: np.asarray(values, dtype=float).tolist() for name, values in rates.items()}


def _predictions(
    truth: Any, score: Any, groups: Any, labels: Sequence[object] | None, missing: Missing, design: Design
) -> Predictions:
    if isinstance(truth, Predictions):
        if score is not None:
            raise HoldfastError("The first argument holds all columns already; leave out score.")
    elif truth is None or score is None:
        raise HoldfastError("Give truth and score: one label and one number a row.")
    return Predictions.given(truth, None, score, groups=groups, labels=labels, missing=missing, design=design)
