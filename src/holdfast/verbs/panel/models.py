"""Several models on the same examples, as a user makes them: the evidence, and the verbs as methods."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from functools import wraps
from typing import Any, ParamSpec
from warnings import warn

import numpy as np

from holdfast.arguments import check
from holdfast.claims import Claim
from holdfast.errors import HoldfastError
from holdfast.evidence.pools import panel as evidence
from holdfast.predictions import Missing
from holdfast.predictions.design import Design
from holdfast.report import Report
from holdfast.sources.models import models
from holdfast.tally.panel.panel import columns_by_name, panel_of_arrays
from holdfast.verbs.panel.averages import average_claim, spread_claim
from holdfast.verbs.panel.drawn import SPREAD, DrawnPanel, mean_loss
from holdfast.verbs.panel.given import (
    FITTED,
    RENAMED,
    Shares,
    drawn_how,
    further,
    labelled,
    one_level,
    shares_of,
)
from holdfast.verbs.panel.panel import Best, best, panel


class Panel(evidence.Panel):
    """The answers of several models to the same examples, beside the truth.

    Parameters
    ----------
    predictions
        By the name of each model, its predictions: a mapping, or a data frame with a column for each model; or a table
        of models by examples. Or a panel that was read.
    truth
        The true label of each example.
    labels, missing
        As in `compare`: the labels in the wanted order; what to do where an answer is missing.
    groups, design
        Columns that divide the examples into groups, by name; and how the examples were drawn.

    Examples
    --------
    >>> truth = np.array([0, 1] * 100)
    >>> answers = np.array([truth, truth, truth])
    >>> answers[0, :30] = answers[1, 20:40] = answers[2, 25:70] = 0
    >>> three = Panel(answers, truth)
    >>> three
    Panel(3 models, n=200)
    >>> print(three.average())
    0.0800 [0.0473, 0.1252], squares, 95 %, holds at every sample size
    >>> print(three.best())
    model 2: 0.0500 [0.0203, 0.0998], clopper-pearson, 98.34 %, holds at every sample size
    >>> three.best().may_be_best
    ('model 1', 'model 2')
    """

    def __init__(
        self,
        predictions: Any,
        truth: Any = None,
        *,
        labels: Sequence[object] | None = None,
        missing: Missing = "refuse",
        groups: Mapping[str, Any] | None = None,
        design: Design | None = None,
    ) -> None:
        check("hf.Panel", "labels", labels, Sequence[object] | None)
        check("hf.Panel", "missing", missing, Missing)
        if isinstance(predictions, evidence.Panel):
            if any(each is not None for each in (truth, labels, groups, design)) or missing != "refuse":
                raise HoldfastError(
                    "The panel that was read says this already; leave truth, labels, missing, groups and design out."
                )
            own = predictions
        else:
            how: dict[str, Any] = {"labels": labels, "missing": missing, "groups": groups, "design": design}
            own = panel_of_arrays(truth, _by_name(predictions), **how)
        self._set(**{each.name: getattr(own, each.name) for each in fields(own)})

    def average(
        self,
        unlabelled: Any = None,
        *,
        share: Shares | None = None,
        fitted: bool = False,
        prior: Shares | None = None,
        confidence: float | str | None = None,
        delta: float | None = None,
        weights: Shares | None = None,
    ) -> Claim:
        """How often the models err on average, which is as easy to tell as of one model.

        Parameters
        ----------
        unlabelled
            What the models say on further inputs: then the claim is about these.
        share
            Of the models, fixed before the labels were seen; equal by default. Their old name, weights, still reads.
        fitted, prior
            Whether the shares were chosen with these labels in view: then the claim holds for all shares at once,
            and `prior` are shares that were not, equal by default.
        """
        held, level = self._as_stated(), one_level(confidence, delta)
        if weights is not None:
            if share is not None:
                raise HoldfastError(f"Give share= alone: {RENAMED}")
            warn(RENAMED, DeprecationWarning, stacklevel=2)
        if prior is not None and not fitted:
            raise HoldfastError("prior= goes with shares that saw the labels, fitted=True (--fitted); leave one out.")
        if fitted and unlabelled is not None:
            raise HoldfastError(
                "Shares that saw the labels have a claim about the population only; leave unlabelled= "
                "(--unlabelled) out."
            )
        rest = None if unlabelled is None else further(held, unlabelled)
        stated = weights if share is None else share
        own = None if stated is None else shares_of(held, stated)
        if held.plain:
            return average_claim(held, level, rest, own, None if prior is None else shares_of(held, prior), fitted)
        if fitted:
            raise HoldfastError(FITTED.format(how=drawn_how(held)))
        claim = DrawnPanel(held).claim(mean_loss(held, shares_of(held, None) if own is None else own), level)
        return replace(claim, measure="average-error-rate")

    def spread(
        self, unlabelled: Any = None, *, confidence: float | str | None = None, delta: float | None = None
    ) -> Claim:
        """How far the error rates of the models are apart: their standard deviation over the models."""
        held, level = self._as_stated(), one_level(confidence, delta)
        if not held.plain:
            raise HoldfastError(SPREAD)
        return spread_claim(held, level, None if unlabelled is None else further(held, unlabelled))

    def best(
        self, unlabelled: Any = None, *, confidence: float | str | None = None, delta: float | None = None
    ) -> Best:
        """The model with the fewest errors here, with a claim that holds although it was chosen for that."""
        held, level = self._as_stated(), one_level(confidence, delta)
        return best(held, level, None if unlabelled is None else further(held, unlabelled))

    def report(self, unlabelled: Any = None, **options: Any) -> Report:
        """All of it; options as those of `hf.panel`."""
        return panel(self, unlabelled=unlabelled, **options)

    def _as_stated(self) -> evidence.Panel:
        return labelled(self, None, Design(), missing="refuse")


def _by_name(predictions: Any) -> Mapping[str, Any]:
    """The columns of a mapping or a data frame, or the rows of a table under numbered names."""
    if (columns := columns_by_name(predictions)) is not None:
        return columns
    table = np.asarray(predictions)
    if table.ndim != 2:
        raise HoldfastError(
            "A panel takes predictions by the names of the models, or a table of models by examples; "
            f"got shape {table.shape}."
        )
    return {f"model {place + 1}": row for place, row in enumerate(table)}


Given = ParamSpec("Given")


def _with_verbs(read: Callable[Given, evidence.Panel]) -> Callable[Given, Panel]:
    """What reads the answers of several models, as users have them: with the verbs as methods."""

    @wraps(read)
    def reading(*given: Given.args, **named: Given.kwargs) -> Panel:
        return Panel(read(*given, **named))

    return reading


read_models = _with_verbs(models.read_models)
