"""What may be said of several models together: their average, their spread, the best of them, and each one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, Unpack

import numpy as np

from holdfast.bounds.binomial import clopper_pearson, hypergeometric
from holdfast.claims import Claim, Guarantee
from holdfast.combine import bonferroni, sayable
from holdfast.errors import HoldfastError
from holdfast.evidence import Array, Counts
from holdfast.evidence.pools.averages import weights_of_sets
from holdfast.evidence.pools.panel import Panel, Unlabelled
from holdfast.predictions import Missing
from holdfast.predictions.design import Design, DesignKeywords
from holdfast.report import Line, Report
from holdfast.report.facts.assessment import PanelFacts, Together
from holdfast.tally.panel.beside import chosen_models
from holdfast.verbs.jointly import all_together, at_each_look, looked
from holdfast.verbs.panel.averages import (
    agreement,
    average_claim,
    certain_about,
    doubts,
    for_any_of,
    may_be_best,
    spread_claim,
)
from holdfast.verbs.panel.drawn import SOFT_BEST, SPREAD, DrawnPanel, mean_loss
from holdfast.verbs.panel.given import (
    Shares,
    further,
    labelled,
    one_level,
    shares_by_old_name,
    shares_of,
)
from holdfast.verbs.provenance import recorded
from holdfast.verbs.subject import divisions_of
from holdfast.wording import quoted

MOST_NAMED = 6  # models whose shares are told
ROWS = ("truth", "predicted", "unlabelled", "groups")


class Best(NamedTuple):
    """The model with the fewest errors here, what holds of it although it was chosen for that, and its rivals."""

    model: str
    claim: Claim
    may_be_best: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.model}: {self.claim}"


@shares_by_old_name
@recorded(without=ROWS)
def panel(
    truth: Any = None,
    predicted: Mapping[str, Any] | None = None,
    *,
    unlabelled: Any = None,
    share: Shares | None = None,
    sets: int | Mapping[str, str | Sequence[str]] = 1,
    groups: Mapping[str, Any] | None = None,
    by: str | Sequence[str | Sequence[str]] | None = None,
    design: Design | None = None,
    labels: Sequence[object] | None = None,
    missing: Missing = "refuse",
    simultaneous: bool = False,
    looks: int = 1,
    confidence: float | str | None = None,
    delta: float | None = None,
    **drawn: Unpack[DesignKeywords],
) -> Report:
    """How often several models err on average, how far their error rates are apart, and which may be the best.

    Parameters
    ----------
    truth, predicted
        The true labels, and by the name of each model its predictions. Or one `Panel`.
    unlabelled
        What the models say on further inputs, by their names or as a table of models by inputs: then every claim is
        about these very inputs, and needs only that chance alone decided which examples were labelled.
    share
        Of the models in the average, by their names or in their order, fixed before the labels were seen: equal ones by
        default.
    sets
        Of how many sets of models this one is chosen, or is to be: each gets an equal part of delta. Or the sets
        themselves, by name: their models as a list, or as text such as "tree_*". Then the average of each is told, too,
        so that all hold together.
    groups, by
        By name, columns that divide the examples into groups; of each the error rates of all models are told, so that
        all models hold together. They are crossed, or divide as `by` says, as in `assess`.
    design, drawn
        How the examples were drawn, as `hf.Design(...)`, or by the names of what it takes: clusters and max_cluster,
        weights and max_weight, inclusion, strata and their shares, sampling and prevalence.
    simultaneous
        Make the average, the spread, the set of those that may be the best and all error rates, of groups too, hold
        together, and not just each on its own.
    looks
        At how many sizes of a growing set of examples this will be asked, all told. Each look gets an equal part of
        delta.
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
    >>> pages = [place // 4 for place in range(100)]
    >>> print(panel(truth, answers, clusters=pages, max_cluster=6)["error-rate", "b"])
    0.200 [0.031, 0.512], squares, 98.34 %, holds at every sample size
    """
    how = {"groups": groups, "labels": labels, "missing": missing}
    answers = labelled(truth, predicted, Design.stated("panel", design, None, drawn), **how)
    level = at_each_look(one_level(confidence, delta, 1 if isinstance(sets, Mapping) else sets), looks)
    if isinstance(sets, Mapping) and not sets:
        raise HoldfastError("sets= (--set) names no set of models; leave it out, or name at least one.")
    named = sets.items() if isinstance(sets, Mapping) else ()
    members = {str(name): tuple(chosen_models(models, answers.models)) for name, models in named}
    rest = None if unlabelled is None else further(answers, unlabelled, missing)
    own = None if share is None else shares_of(answers, share)
    number = 1 if isinstance(sets, Mapping) else sets
    divisions = divisions_of(by, [*answers.groups])

    def report_at(each: float) -> Report:
        return _report(answers, rest, own, members, number, divisions, each)

    # One statement more is which models may be the best.
    return looked(all_together(report_at, level, further=1) if simultaneous else report_at(level), looks)


def _report(
    answers: Panel,
    rest: Unlabelled | None,
    own: Array | None,
    members: Mapping[str, tuple[str, ...]],
    sets: int,
    divisions: Sequence[Sequence[str]],
    level: float,
) -> Report:
    """All that is said of the models, each statement at this delta."""
    rows = DrawnPanel(answers)
    lines = _lines(answers, level, rest, own, members) if answers.plain else _drawn_lines(rows, level, own, members)
    divided = [line for part in rows.parts(divisions) for line in rows.error_rates(level, part)]
    rates = answers.errors.mean if answers.plain else rows.rates
    chosen = int(np.argmin(rates))
    together = Together(
        examples=answers.n,
        average=float((np.ones(len(answers.models)) / len(answers.models) if own is None else own) @ rates),
        unlabelled=None if rest is None else rest.n,
        unlabelled_fingerprint=None if rest is None else rest.fingerprint,
        selected=answers.models[chosen],
        weights=None if own is None else dict(zip(answers.models, own.tolist(), strict=True)),
        sets=sets,
        members=members or None,
        delta=level,
        certain=None if rest is None else certain_about(rest, own),
    )
    may, firmness = (may_be_best(answers, level, rest), None) if answers.plain else rows.may_be_best(level)
    notes = [*answers.notes, *(() if rest is None else (*rest.notes, *doubts(answers, rest, level)))]
    notes += [] if answers.plain else [*rows.notes(), SPREAD]
    notes += [SOFT_BEST] if firmness is Guarantee.ASYMPTOTIC else []
    return Report.of(
        [*lines, *divided],
        PanelFacts(
            panel=together,
            models=answers.models,
            may_be_best=tuple(name for name, kept in zip(answers.models, may, strict=True) if kept),
            notes=(*notes, *_notes(together, int(np.count_nonzero(rates == rates[chosen])))),
            next=tuple(_next(together, answers.plain)),
        ),
        seen={
            "alone": partial(_alone, answers, level, rest) if answers.plain else partial(_alone_drawn, rows, level),
            "agreement": partial(agreement, answers, rest),
        },
        fingerprint=answers.fingerprint,
        rows=answers.rows,
        examples=answers.n,
    )


def _lines(
    answers: Panel, level: float, rest: Unlabelled | None, shares: Array | None, members: Mapping[str, Sequence[str]]
) -> list[Line]:
    """All that is said of examples that are draws of their own."""
    return [
        Line(average_claim(answers, level, rest, shares)),
        Line(spread_claim(answers, level, rest, shares)),
        *_of_sets(answers, level, rest, members),
        *error_rates(answers, level, rest),
    ]


def _drawn_lines(
    rows: DrawnPanel, level: float, shares: Array | None, members: Mapping[str, Sequence[str]]
) -> list[Line]:
    """The same of examples that are not, but for the spread."""
    answers = rows.panel
    own = np.full(len(answers.models), 1.0 / len(answers.models)) if shares is None else shares
    lines = rows.lines(mean_loss(answers, own), level, "average-error-rate")
    part = float(sayable(bonferroni(level, max(len(members), 1))))
    for name, each in zip(members, weights_of_sets(answers, members) if members else (), strict=True):
        of_set = rows.lines(mean_loss(answers, each), part, "set-average-error-rate")
        lines += [replace(line, label=name) for line in of_set]
    return [*lines, *rows.error_rates(level)]


def _of_sets(
    answers: Panel, level: float, rest: Unlabelled | None, members: Mapping[str, Sequence[str]]
) -> Iterator[Line]:
    """The average of each set of models, so that all hold together."""
    if not members:
        return
    part = float(sayable(bonferroni(level, len(members))))
    measure = "set-average-error-rate" if rest is None else "unlabelled-set-average-error-rate"
    for name, weights in zip(members, weights_of_sets(answers, members), strict=True):
        yield Line(replace(average_claim(answers, part, rest, weights), measure=measure), label=name)


def best(answers: Panel, level: float, rest: Unlabelled | None = None) -> Best:
    """The model with the fewest errors, with a claim that holds for whichever is selected."""
    rows = DrawnPanel(answers)
    model = answers.models[int(np.argmin(answers.errors.k if answers.plain else rows.rates))]
    lines = error_rates(answers, level, rest) if answers.plain else rows.error_rates(level)
    may = may_be_best(answers, level, rest) if answers.plain else rows.may_be_best(level)[0]
    best_of = next(line.claim for line in lines if line.model == model)
    return Best(model, best_of, tuple(name for name, kept in zip(answers.models, may, strict=True) if kept))


def error_rates(answers: Panel, level: float, rest: Unlabelled | None = None) -> Iterator[Line]:
    """The error rate of each model, so that all hold together, and with them that of whichever is selected."""
    claims = for_any_of(_each(answers, float(sayable(bonferroni(level, len(answers.models)))), rest))
    for place, name in enumerate(answers.models):
        yield Line(claims.one(place), model=name)


def _each(answers: Panel, delta: float, rest: Unlabelled | None) -> Claim:
    errors: Counts = answers.errors
    return clopper_pearson(errors, delta) if rest is None else hypergeometric(errors, delta, unlabelled=rest.n)


def _alone(answers: Panel, level: float, rest: Unlabelled | None) -> dict[str, tuple[float, float]]:
    """By model, the limits that would hold if it had been the only one."""
    claims = _each(answers, level, rest)
    ends = np.stack([np.asarray(claims.lower), np.asarray(claims.upper)], axis=1).tolist()
    return {name: (low, high) for name, (low, high) in zip(answers.models, ends, strict=True)}


def _alone_drawn(rows: DrawnPanel, level: float) -> dict[str, tuple[float, float]]:
    claims = (rows.claim(wrong, level) for wrong in rows.panel.wrong)
    ends = ((float(claim.lower), float(claim.upper)) for claim in claims)
    return dict(zip(rows.panel.models, ends, strict=True))


# ---- What is told beside


def _notes(facts: Together, alike: int) -> Iterator[str]:
    yield (
        f"{quoted(facts.selected)} was chosen by these labels. Its interval is made at its part of delta, so that it "
        "holds all the same; the plain one, as if it had been the only model, would not."
    )
    if alike > 1:
        yield f"{alike:,} models made equally few errors; the first of them is the one selected."
    if facts.weights is not None:
        heavy = [f"{quoted(name)} {part:.3g}" for name, part in facts.weights.items() if part]
        more = f" and {len(heavy) - MOST_NAMED:,} more" if len(heavy) > MOST_NAMED else ""
        none = len(facts.weights) - len(heavy)
        yield (
            f"The average and the spread weigh the models: {', '.join(heavy[:MOST_NAMED])}{more}"
            f"{f'; the other {none:,} not at all' if none else ''}."
        )
    if facts.unlabelled:
        these = "this 1 unlabelled input" if facts.unlabelled == 1 else f"these {facts.unlabelled:,} unlabelled inputs"
        yield f"Every claim is about {these}, and no others."
    if facts.sets > 1:
        yield f"This is one of {facts.sets:,} sets of models: each has an equal part of the chance of being wrong."


def _next(together: Together, plain: bool) -> Iterator[str]:
    if not together.unlabelled and plain:
        yield (
            "With unlabelled= (`--unlabelled FILE`), what the models say on the inputs that matter, the claims are "
            "about just these."
        )
    yield "hf.committee (`holdfast committee`) says what their vote is worth."
    yield "hf.compare (`holdfast compare`) tells every pair of models apart."
