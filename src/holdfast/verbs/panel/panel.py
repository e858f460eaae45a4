"""What may be said of several models together: their average, their spread, the best of them, and each one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from holdfast.bounds.binomial import clopper_pearson
from holdfast.bounds.finite import hypergeometric
from holdfast.claims import Claim, chance_of_error
from holdfast.combine import bonferroni, sayable
from holdfast.errors import HoldfastError, UnknownName
from holdfast.evidence import Array, Counts, numbers, shown
from holdfast.evidence.given import LARGEST_COUNT
from holdfast.evidence.pools.panel import Panel
from holdfast.evidence.pools.unlabelled import Unlabelled
from holdfast.measures.panel import weights_of_sets
from holdfast.predictions import Missing
from holdfast.predictions.wording import quoted
from holdfast.report import Line, Report
from holdfast.tally.panel.chosen import chosen_models
from holdfast.tally.panel.panel import panel_of_arrays
from holdfast.tally.panel.unlabelled import unlabelled_of_arrays
from holdfast.verbs.panel.agreement import agreement
from holdfast.verbs.panel.averages import average_claim, certain_about, doubts, for_any_of, spread_claim
from holdfast.verbs.panel.best import may_be_best
from holdfast.verbs.provenance import called

ROWS = ("truth", "predicted", "unlabelled", "command")
MOST_NAMED = 6  # models whose weights are told


class Best(NamedTuple):
    """The model with the fewest errors here, what holds of it although it was chosen for that, and its rivals."""

    model: str
    claim: Claim
    may_be_best: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.model}: {self.claim}"


def panel(
    truth: Any = None,
    predicted: Mapping[str, Any] | None = None,
    *,
    unlabelled: Any = None,
    weights: Mapping[str, float] | Sequence[float] | None = None,
    sets: int | Mapping[str, str | Sequence[str]] = 1,
    labels: Sequence[object] | None = None,
    missing: Missing = "refuse",
    confidence: float | str | None = None,
    delta: float | None = None,
    command: str | None = None,
) -> Report:
    """How often several models err on average, how far their error rates are apart, and which may be the best.

    Parameters
    ----------
    truth, predicted
        The true labels, and by the name of each model its predictions. Or one `Panel`.
    unlabelled
        What the models say on further inputs, by their names or as a table of models by inputs: then every claim is
        about these very inputs, and needs only that chance alone decided which examples were labelled.
    weights
        Of the models in the average, by their names or in their order, fixed before the labels were seen: equal ones by
        default.
    sets
        Of how many sets of models this one is chosen, or is to be: each gets an equal part of delta. Or the sets
        themselves, by name: their models as a list, or as text such as "tree_*". Then the average of each is told, too,
        so that all hold together.
    confidence, delta
        Of the average, of the spread, of the set of those that may be the best, and of all error rates together.

    Examples
    --------
    >>> truth = [1, 0] * 50
    >>> answers = {"a": truth, "b": [1, 0] * 40 + [0, 1] * 10, "c": [1, 1] + [1, 0] * 49}
    >>> report = panel(truth, answers)
    >>> print(report["average-error-rate"])
    0.0700 [0.0350, 0.1201], squares, 95 %, holds at every sample size
    >>> report.details["may_be_best"]
    ['a', 'c']
    >>> there = {"a": [1, 0] * 20, "b": [1, 0] * 20, "c": [1, 1] * 20}
    >>> panel(truth, answers, unlabelled=there).details["panel"]["certain"]["average"]
    [0.166..., 0.833...]
    """
    given = dict(locals())
    seen, rest = labelled(truth, predicted, labels=labels, missing=missing), None
    level = one_level(confidence, delta, 1 if isinstance(sets, Mapping) else sets)
    members = _members(seen, sets) if isinstance(sets, Mapping) else {}
    if unlabelled is not None:
        rest = further(seen, unlabelled, missing)
    shares = None if weights is None else shares_of(seen, weights)
    lines = [
        Line(average_claim(seen, level, rest, shares)),
        Line(spread_claim(seen, level, rest, shares)),
        *_of_sets(seen, level, rest, members),
        *error_rates(seen, level, rest),
    ]
    chosen = int(np.argmin(seen.errors.k))
    told = {
        "examples": seen.n,
        "average": float(
            (np.ones(len(seen.models)) / len(seen.models) if shares is None else shares) @ seen.errors.mean
        ),
        "unlabelled": None if rest is None else rest.n,
        "unlabelled_fingerprint": None if rest is None else rest.fingerprint,
        "selected": seen.models[chosen],
        "weights": None if shares is None else dict(zip(seen.models, shares.tolist(), strict=True)),
        "sets": 1 if isinstance(sets, Mapping) else sets,
        "members": members or None,
        "delta": level,
        "certain": None if rest is None else certain_about(rest, shares),
    }
    may = may_be_best(seen, level, rest)
    return Report.of(
        lines,
        {
            "panel": told,
            "models": list(seen.models),
            "may_be_best": [name for name, kept in zip(seen.models, may, strict=True) if kept],
            "notes": [
                *seen.notes,
                *(() if rest is None else (*rest.notes, *doubts(seen, rest, level))),
                *_notes(told, int(np.count_nonzero(seen.errors.k == seen.errors.k[chosen]))),
            ],
            "next": list(_next(told)),
        },
        seen={
            "alone": partial(_alone, seen, level, rest),
            "agreement": partial(agreement, seen, rest),
        },
        fingerprint=seen.fingerprint,
        rows=seen.rows,
        examples=seen.n,
        command=command or called(panel, given, without=ROWS),
    )


def _members(seen: Panel, sets: Mapping[str, str | Sequence[str]]) -> dict[str, list[str]]:
    """By its name, the models of each set."""
    if not sets:
        raise HoldfastError("sets= (--set) names no set of models; leave it out, or name at least one.")
    return {str(name): chosen_models(models, seen.models) for name, models in sets.items()}


def _of_sets(
    seen: Panel, level: float, rest: Unlabelled | None, members: Mapping[str, Sequence[str]]
) -> Iterator[Line]:
    """The average of each set of models, so that all hold together."""
    if not members:
        return
    part = float(sayable(bonferroni(level, len(members))))
    measure = "set-average-error-rate" if rest is None else "unlabelled-set-average-error-rate"
    for name, weights in zip(members, weights_of_sets(seen, members), strict=True):
        yield Line(replace(average_claim(seen, part, rest, weights), measure=measure), label=name)


def best(seen: Panel, level: float, rest: Unlabelled | None = None) -> Best:
    """The model with the fewest errors, with a claim that holds for whichever is selected."""
    place = int(np.argmin(seen.errors.k))
    line = [*error_rates(seen, level, rest)][place]
    may = may_be_best(seen, level, rest)
    return Best(
        seen.models[place], line.claim, tuple(name for name, kept in zip(seen.models, may, strict=True) if kept)
    )


def error_rates(seen: Panel, level: float, rest: Unlabelled | None = None) -> Iterator[Line]:
    """The error rate of each model, so that all hold together, and with them that of whichever is selected."""
    claims = for_any_of(_each(seen, float(sayable(bonferroni(level, len(seen.models)))), rest))
    for place, name in enumerate(seen.models):
        yield Line(claims.one(place), model=name)


def _each(seen: Panel, delta: float, rest: Unlabelled | None) -> Claim:
    errors: Counts = seen.errors
    return clopper_pearson(errors, delta) if rest is None else hypergeometric(errors, delta, unlabelled=rest.n)


def _alone(seen: Panel, level: float, rest: Unlabelled | None) -> dict[str, tuple[float, float]]:
    """By model, the limits that would hold if it had been the only one."""
    claims = _each(seen, level, rest)
    ends = np.stack([np.asarray(claims.lower), np.asarray(claims.upper)], axis=1).tolist()
    return {name: (low, high) for name, (low, high) in zip(seen.models, ends, strict=True)}


# ---- What was given


def labelled(truth: Any, predicted: Mapping[str, Any] | None, **how: Any) -> Panel:
    """What was given, as a panel whose examples are draws of their own with one answer each."""
    if isinstance(truth, Panel):
        stated = {"predicted": predicted, **how, "missing": None if how["missing"] == "refuse" else how["missing"]}
        if twice := [name for name, value in stated.items() if value is not None]:
            raise HoldfastError(f"The panel that was read says this already; leave out {', '.join(twice)}.")
        seen = truth
    else:
        seen = panel_of_arrays(truth, predicted, **how)
    if not seen.counted:
        raise HoldfastError(
            "A panel is about examples that are draws of their own, with one answer of each model; these come in "
            "clusters, or have several samples. hf.compare (holdfast compare) takes them."
        )
    return seen


def further(seen: Panel, unlabelled: Any, missing: Missing = "refuse", target: Any = None) -> Unlabelled:
    """What was given on unlabelled inputs, laid out like the panel."""
    if isinstance(unlabelled, Unlabelled):
        if unlabelled.models != seen.models:
            raise HoldfastError("The unlabelled inputs were read for other models than those of the panel.")
        if unlabelled.labels[: len(seen.labels)] != seen.labels:
            raise HoldfastError(
                "The unlabelled inputs were read for a panel with other labels; read them for this one."
            )
        return unlabelled
    return unlabelled_of_arrays(seen, unlabelled, target, missing=missing)


def one_level(confidence: float | str | None, delta: float | None, sets: int = 1) -> float:
    """Delta of each statement about one of so many sets of models."""
    level = chance_of_error(confidence, delta)
    if level.ndim:
        raise HoldfastError("A panel is reported on at one confidence; call panel once for each.")
    if not isinstance(sets, int) or isinstance(sets, bool) or sets < 1:
        raise HoldfastError(f"sets must be a whole number from 1 on; got {shown(sets)}.")
    if sets > LARGEST_COUNT:
        raise HoldfastError(f"sets must be at most 2**53; got {shown(sets)}.")
    return float(level) if sets == 1 else float(sayable(bonferroni(level, sets)))


def shares_of(seen: Panel, weights: Mapping[str, float] | Sequence[float] | None) -> Array:
    """The weight of each model, adding up to 1."""
    if weights is None:
        return np.full(len(seen.models), 1.0 / len(seen.models))
    if isinstance(weights, Mapping):
        by_name = {str(name): value for name, value in weights.items()}
        for name in by_name:
            if name not in seen.models:
                raise UnknownName("model", name, seen.models)
        weights = [by_name.get(name, 0.0) for name in seen.models]
    parts = numbers("weights", weights)
    if parts.shape != (len(seen.models),) or np.any(parts < 0) or not parts.any():
        raise HoldfastError(
            f"weights= (--weight) needs a number from 0 on for each of {len(seen.models):,} models, not all 0; "
            f"got {shown(weights)}."
        )
    parts = parts / parts.max()  # so that their sum cannot be too large for a float
    return np.asarray(parts / parts.sum())


# ---- What is told beside


def _notes(told: Mapping[str, Any], alike: int) -> Iterator[str]:
    yield (
        f"{quoted(told['selected'])} was chosen by these labels. Its interval is made at its part of delta, so that it "
        "holds all the same; the plain one, as if it had been the only model, would not."
    )
    if alike > 1:
        yield f"{alike:,} models made equally few errors; the first of them is the one selected."
    if told["weights"] is not None:
        heavy = [f"{quoted(name)} {part:.3g}" for name, part in told["weights"].items() if part]
        more = f" and {len(heavy) - MOST_NAMED:,} more" if len(heavy) > MOST_NAMED else ""
        none = len(told["weights"]) - len(heavy)
        yield (
            f"The average and the spread weigh the models: {', '.join(heavy[:MOST_NAMED])}{more}"
            f"{f'; the other {none:,} not at all' if none else ''}."
        )
    if told["unlabelled"]:
        these = (
            "this 1 unlabelled input" if told["unlabelled"] == 1 else f"these {told['unlabelled']:,} unlabelled inputs"
        )
        yield f"Every claim is about {these}, and no others."
    if told["sets"] > 1:
        yield f"This is one of {told['sets']:,} sets of models: each has an equal part of the chance of being wrong."


def _next(told: Mapping[str, Any]) -> Iterator[str]:
    if not told["unlabelled"]:
        yield (
            "With unlabelled= (`--unlabelled FILE`), what the models say on the inputs that matter, the claims are "
            "about just these."
        )
    yield "hf.committee (`holdfast committee`) says what their vote is worth."
    yield "hf.compare (`holdfast compare`) tells every pair of models apart."
