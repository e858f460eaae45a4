"""What several models, or a committee of them, are asked about: the panel, its design, and the shares of the models."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any, ParamSpec, TypeVar
from warnings import warn

import numpy as np

from holdfast.combine import bonferroni, sayable
from holdfast.errors import HoldfastError, UnknownName
from holdfast.evidence import Array, numbers, shown
from holdfast.evidence.pools.panel import Panel, Unlabelled
from holdfast.evidence.value import LARGEST_COUNT
from holdfast.predictions import Missing
from holdfast.predictions.design import COLUMNS, Design
from holdfast.tally.panel.panel import panel_of_arrays
from holdfast.tally.panel.unlabelled import unlabelled_of_arrays
from holdfast.verbs.jointly import one_chance

Shares = Mapping[str, float] | Sequence[float]
Asked = ParamSpec("Asked")
Answer = TypeVar("Answer")
RENAMED = "what models weigh is called share= now, and weights= what each example counts for."
ONE_BY_ONE = (
    "{what} rests on examples that chance could have exchanged with the unlabelled inputs one by one: no theorem here "
    "says what draws with {how} tell of other inputs. Leave unlabelled= (--unlabelled) out, or the design."
)
FITTED = (
    "Shares that saw the labels, fitted=True (--fitted), are answered for by PAC-Bayes, which is proven for draws that "
    "all weigh the same: no such theorem is at hand for draws with {how}. Fix the shares beforehand, or leave the "
    "design out."
)


def shares_by_old_name(verb: Callable[Asked, Answer]) -> Callable[Asked, Answer]:
    """The shares of models by their old name, weights: by name, or as many as there are models and not examples."""

    @wraps(verb)
    def call(*args: Asked.args, **options: Asked.kwargs) -> Answer:
        truth, predicted = (*args, None, None)[:2]
        weights, models = options.get("weights"), _names(truth, options.get("predicted", predicted))
        if _of_models(weights, models, options.get("truth", truth)):
            if options.get("share") is not None:
                raise HoldfastError(f"Give share= alone: {RENAMED}")
            warn(RENAMED, DeprecationWarning, stacklevel=3)
            options["share"] = options.pop("weights")
        return verb(*args, **options)

    return call


def _names(truth: Any, predicted: Any) -> list[str]:
    if isinstance(truth, Panel):
        return [*truth.models]
    return [*map(str, predicted)] if isinstance(predicted, Mapping) else []


def _of_models(weights: Any, models: Sequence[str], truth: Any) -> bool:
    if isinstance(weights, Mapping):
        return True
    examples = truth.n if isinstance(truth, Panel) else _length(truth)
    return _length(weights) == len(models) != examples


def _length(values: Any) -> int | None:
    """How many there are; None of what is no list, such as an array of no dimension."""
    try:
        return len(values)
    except TypeError:
        return None


def labelled(truth: Any, predicted: Mapping[str, Any] | None, design: Design, **how: Any) -> Panel:
    """What was given, as a panel with one answer of each model to every example."""
    if isinstance(truth, Panel):
        again = {"predicted": predicted, **how, **{name: getattr(design, name) for name in COLUMNS}}
        again["missing"] = None if how["missing"] == "refuse" else how["missing"]
        if twice := [name for name, value in again.items() if value is not None]:
            raise HoldfastError(f"The panel that was read says this already; leave out {', '.join(twice)}.")
        panel = truth._with(design=truth.design.with_facts(design))
    else:
        panel = panel_of_arrays(truth, predicted, design=design, **how)
    if panel.sampled:
        raise HoldfastError(
            "A panel is about examples with one answer of each model; these have several samples. hf.compare (holdfast "
            "compare) takes them."
        )
    _check_design(panel)
    return panel


def _check_design(panel: Panel) -> None:
    """Refuse what was stated of a design that the examples do not have, or that leaves error rates open."""
    design = panel.design
    missing = {
        "max_cluster= (--max-cluster) speaks of clusters: give clusters= (--cluster) too.": (
            design.max_cluster is not None and panel.clusters is None
        ),
        "max_weight= (--max-weight) speaks of weights: give weights= (--weight) or inclusion= (--inclusion) too.": (
            design.max_weight is not None and panel.weights is None
        ),
        "shares= (--strata-shares) speaks of strata: give strata= (--strata) too. What models weigh is share= "
        "(--share).": (design.shares is not None and panel.strata is None),
        "order= (--order) speaks of clusters: give clusters= (--cluster) too.": (
            design.order is not None and panel.clusters is None
        ),
        "Error rates depend on how frequent the classes are, which was chosen: state that by prevalence= "
        "(--prevalence).": design.by_class and design.prevalence is None,
    }
    for why, wrong in missing.items():
        if wrong:
            raise HoldfastError(why)
    if panel.weights is not None and design.max_weight is not None and panel.weights.max() > design.max_weight:
        raise HoldfastError(
            f"A row weighs {panel.weights.max():g}, more than the {design.max_weight:g} that were stated as the most. "
            "The number must be known before looking; state one that no row can exceed, or none: max_weight= "
            "(--max-weight)."
        )


def drawn_how(panel: Panel) -> str:
    """How the examples were drawn, in words."""
    held = {"clusters": panel.clusters, "weights": panel.weights, "strata": panel.strata}
    words = [name for name, values in held.items() if values is not None]
    return " and ".join([*words, *(["a chosen class mix"] if panel.design.by_class else [])])


def refuse_unlabelled(panel: Panel, what: str) -> None:
    """Refuse to speak of unlabelled inputs where examples are no draws of their own that weigh the same."""
    if not panel.plain:
        raise HoldfastError(ONE_BY_ONE.format(what=what, how=drawn_how(panel)))


def further(panel: Panel, unlabelled: Any, missing: Missing = "refuse", target: Any = None) -> Unlabelled:
    """What was given on unlabelled inputs, laid out like the panel."""
    refuse_unlabelled(panel, "What is said of unlabelled inputs")
    if isinstance(unlabelled, Unlabelled):
        if unlabelled.models != panel.models:
            raise HoldfastError("The unlabelled inputs were read for other models than those of the panel.")
        if unlabelled.labels[: len(panel.labels)] != panel.labels:
            raise HoldfastError(
                "The unlabelled inputs were read for a panel with other labels; read them for this one."
            )
        return unlabelled
    return unlabelled_of_arrays(panel, unlabelled, target, missing=missing)


def one_level(confidence: float | str | None, delta: float | None, sets: int = 1) -> float:
    """Delta of each statement about one of so many sets of models."""
    level = one_chance("A panel is reported on", "panel", confidence, delta)
    if not isinstance(sets, int) or isinstance(sets, bool) or sets < 1:
        raise HoldfastError(f"sets must be a whole number from 1 on; got {shown(sets)}.")
    if sets > LARGEST_COUNT:
        raise HoldfastError(f"sets must be at most 2**53; got {shown(sets)}.")
    return level if sets == 1 else float(sayable(bonferroni(level, sets)))


def shares_of(panel: Panel, shares: Shares | None) -> Array:
    """The share of each model, adding up to 1."""
    if shares is None:
        return np.full(len(panel.models), 1.0 / len(panel.models))
    if isinstance(shares, Mapping):
        by_name = {str(name): value for name, value in shares.items()}
        for name in by_name:
            if name not in panel.models:
                raise UnknownName("model", name, panel.models)
        shares = [by_name.get(name, 0.0) for name in panel.models]
    parts = numbers("share", shares)
    if parts.shape != (len(panel.models),) or np.any(parts < 0) or not parts.any():
        raise HoldfastError(
            f"share= (--share) needs a number from 0 on for each of {len(panel.models):,} models, not all 0; "
            f"got {shown(shares)}."
        )
    parts = parts / parts.max()  # so that their sum cannot be too large for a float
    return np.asarray(parts / parts.sum())
