"""How often does a classifier err that was never validated? What a few that were, and unlabelled inputs, say of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from holdfast.bounds.binomial import hypergeometric
from holdfast.catalog import AnyProcedure
from holdfast.claims import SIDES, Assumption, Claim, Guarantee, Side
from holdfast.combine import bonferroni
from holdfast.errors import HoldfastError, InvalidEvidence, UnknownName
from holdfast.evidence import Array, shown
from holdfast.evidence.pools.averages import average_on
from holdfast.evidence.pools.panel import Panel, Unlabelled
from holdfast.predictions import Missing
from holdfast.selection.cores.cores import Cores, choose_cores
from holdfast.selection.cores.inference import Infeasible, Patterns, by_each_core, by_programme
from holdfast.tally.panel.unlabelled import unlabelled_of_arrays
from holdfast.verbs.bound import default_methods
from holdfast.verbs.jointly import one_chance
from holdfast.verbs.panel.given import refuse_unlabelled

Method = Literal["programme", "nearest"]
PROCEDURES: dict[Method, AnyProcedure] = {"programme": by_programme, "nearest": by_each_core}
ABOUT = "unlabelled-error-rate"


def infer(
    target: Any,
    cores: Panel,
    unlabelled: Any,
    *,
    choose: int | Cores | None = None,
    method: Method = "programme",
    side: Side = "both",
    confidence: float | str | None = None,
    delta: float | None = None,
    missing: Missing = "refuse",
) -> Claim:
    """The error rate, on these very unlabelled inputs, of a classifier that no label was spent on.

    The chance of error is spent on the cores alone, so the claims hold for any number of targets together, and for one
    that was chosen among them.

    Parameters
    ----------
    target
        Predictions of the classifier on the unlabelled inputs; or several such rows, or by name, of which each gets
        its limits.
    cores
        The validated classifiers: their predictions beside the truth.
    unlabelled
        Predictions of the same classifiers on the unlabelled inputs, by their names or in the order of the cores.
    choose
        How many of the models to use as cores: they are then chosen by how they agree on all inputs together. Or what
        `choose_cores` gave. All of them by default.
    method
        "programme" uses all cores together; "nearest" only widens the limits of one core by its disagreement.

    Examples
    --------
    Of many checkpoints of a training run three are validated; early stopping then picks one that was not.

    >>> random = np.random.default_rng(1)
    >>> truth = random.integers(0, 2, 4000)
    >>> luck = random.random(4000)
    >>> run = np.array([truth ^ (luck < rate) for rate in np.linspace(0.3, 0.1, 9)])
    >>> from holdfast.tally.panel.panel import panel_of_arrays
    >>> three = {f"after {epoch} epochs": run[epoch] for epoch in (0, 4, 8)}
    >>> panel = panel_of_arrays(truth[:2000], {name: said[:2000] for name, said in three.items()})
    >>> rest = {name: said[2000:] for name, said in three.items()}
    >>> claim = infer(run[7, 2000:], panel, rest)
    >>> print(claim)
    – [0.1160, 0.1570], core-programme, 95 %, holds at every sample size
    """
    if method not in get_args(Method):
        raise UnknownName("method of inference", method, get_args(Method))
    if side not in SIDES:
        raise UnknownName("side", side, SIDES)
    level = one_chance("An inference is made", "infer", confidence, delta)
    if not isinstance(cores, Panel):
        raise HoldfastError(
            f"cores= takes hf.Panel(predictions, truth), or what hf.read_models gave; got {shown(cores)}."
        )
    if cores.sampled:
        raise InvalidEvidence(
            "Inference from cores needs one answer a model and example, and examples that could change places with the "
            "unlabelled inputs one by one; these come with several samples."
        )
    refuse_unlabelled(cores, "Inference from cores")
    several, names = _targets(target)
    answers = [_further(cores, unlabelled, row, missing) for row in several]
    chosen = _chosen(cores, answers[0], choose)
    limits = [_limits(cores, chosen, each, method, level, side) for each in answers]
    lower, upper = np.array(limits).T
    if side != "both":
        lower, upper = (np.zeros_like(lower), upper) if side == "upper" else (lower, np.ones_like(upper))
    alone, procedure = names is None and several[0] is target, PROCEDURES[method]
    return procedure.claim(
        measure=ABOUT,
        estimate=None if alone else np.full(len(several), np.nan),
        lower=lower.item() if alone else lower,
        upper=upper.item() if alone else upper,
        delta=level,
        side=side,
        n=cores.n if alone else np.full(len(several), cores.n),
        guarantee=chosen.guarantee,
        assumes=_assumed(procedure, answers, chosen),
    )


def core_limits(
    cores: Panel, chosen: Cores, unlabelled: Unlabelled, delta: float, side: Side = "both"
) -> tuple[Array, Array]:
    """Limits of each core's error rate on the unlabelled inputs, which hold together."""
    part = bonferroni(delta, len(chosen.weights))
    if not chosen.averaged:
        claim = hypergeometric(cores.errors, part, side, unlabelled=unlabelled.n)
        return np.asarray(claim.lower)[chosen.places], np.asarray(claim.upper)[chosen.places]
    pools = [average_on(cores, unlabelled, row) for row in chosen.weights]
    claims = [default_methods(pool)[0](pool, part, side) for pool in pools]
    return np.array([claim.lower for claim in claims]), np.array([claim.upper for claim in claims])


def _limits(
    cores: Panel, chosen: Cores, answers: Unlabelled, method: Method, delta: float, side: Side
) -> tuple[float, float]:
    """The least and the largest error rate of the target that is left."""
    assert answers.target is not None
    # A further label that nobody says may be the true one, unless there are but two.
    labels = 2 if len(answers.labels) == 2 else len(answers.labels) + 1
    if method == "nearest":
        if chosen.averaged:
            raise HoldfastError('method="nearest" needs cores that are models; averages take method="programme".')
        lower, upper = core_limits(cores, chosen, answers, delta, side)
        lows, highs = by_each_core(answers.target, answers.predicted[chosen.places], lower, upper)
        if lows.max() > highs.min() + 1e-12:
            raise Infeasible
        return float(lows.max()), float(highs.min())
    lower, upper = core_limits(cores, chosen, answers, delta)
    if chosen.averaged:
        patterns = Patterns.of_averages(answers.target, answers.predicted, labels, chosen.weights)
        return by_programme(patterns, lower, upper)
    members = answers.predicted[chosen.places]
    limits = by_programme(Patterns.of(answers.target, members, labels), lower, upper)
    # All cores hold together, so each alone may cut off what a descent that stopped early left.
    lows, highs = by_each_core(answers.target, members, lower, upper)
    return max(limits.lower, float(lows.max())), min(limits.upper, float(highs.min()))


def _targets(target: Any) -> tuple[list[Any], tuple[str, ...] | None]:
    """The rows of predictions, and their names where they have some."""
    if isinstance(target, Mapping):
        if not target:
            raise HoldfastError("target= holds no classifiers; give the predictions of at least one.")
        return [*target.values()], tuple(map(str, target))
    if isinstance(target, (list, tuple)) and target and all(np.ndim(row) == 1 for row in target):
        return [*target], None  # of different lengths, perhaps: each is told so by itself
    if np.ndim(target) == 2:
        return [*np.asarray(target)], None
    return [target], None


def _further(cores: Panel, unlabelled: Any, target: ArrayLike, missing: Missing) -> Unlabelled:
    """What the cores and the target say on the unlabelled inputs, in the same labels."""
    if isinstance(unlabelled, Unlabelled):
        names = np.array([*unlabelled.labels], dtype=object)
        by_name = dict(zip(unlabelled.models, names[unlabelled.predicted], strict=True))
        return _further(cores, by_name, names[unlabelled.target] if target is None else target, missing)
    if target is None:
        raise HoldfastError("infer needs the predictions of the target on the unlabelled inputs.")
    return unlabelled_of_arrays(cores, unlabelled, target, missing=missing)


def _chosen(cores: Panel, answers: Unlabelled, choose: int | Cores | None) -> Cores:
    """The cores to infer from."""
    models = len(cores.models)
    if choose is None:
        return Cores(np.eye(models), np.arange(models))
    if isinstance(choose, Cores):
        if choose.weights.shape[1] != models:
            raise HoldfastError(f"The cores were chosen among {choose.weights.shape[1]:,} models; here are {models:,}.")
        return choose
    if cores.predicted is None:
        raise HoldfastError(
            "To choose cores by agreement needs what the models said, not just whether they were right."
        )
    return choose_cores(choose, validation=cores.predicted, unlabelled=answers.predicted)


def _assumed(procedure: AnyProcedure, answers: list[Unlabelled], chosen: Cores) -> tuple[Assumption, ...]:
    assumes = [*procedure.assumes]
    if any(len(each.labels) == 2 for each in answers):
        assumes.append(Assumption.TWO_LABELS)
    if chosen.guarantee is Guarantee.HEURISTIC:
        assumes.remove(Assumption.FIXED_CORES)
    return tuple(assumes)
