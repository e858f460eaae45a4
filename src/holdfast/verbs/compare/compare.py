"""Is A better than B? Every pair of models with the interval of its difference, a verdict, and who may be the best."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from inspect import signature
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from holdfast.arguments import Label, Seed
from holdfast.catalog import Measure, Measures, Methods, find, find_measure, measures
from holdfast.combine import sayable
from holdfast.errors import HoldfastError, UnknownName, addressed
from holdfast.evidence import Array, Forecasts, numbers, shown
from holdfast.evidence.costs import Costs
from holdfast.evidence.folds.folds import Folds
from holdfast.evidence.pools.panel import Panel
from holdfast.measures.ranking import auc, log_loss
from holdfast.measures.rates import accuracy, error_rate
from holdfast.predictions import Missing
from holdfast.predictions.design import Design, DesignKeywords
from holdfast.report import Line, Report, origin
from holdfast.report.decision import Accept
from holdfast.tally.panel.panel import panel_of_arrays
from holdfast.verbs.asking import Inquiry
from holdfast.verbs.bound import default_methods
from holdfast.verbs.compare.advice import FOLDS, Require, Requirement, check_requirement, next_steps, notes_of
from holdfast.verbs.compare.deciding import Request, Test, find_test
from holdfast.verbs.compare.folds import compare_folds
from holdfast.verbs.compare.groups import InGroups
from holdfast.verbs.compare.pairs import Contest
from holdfast.verbs.compare.unpaired import Unpaired, samples_apart
from holdfast.verbs.jointly import at_each_look, one_chance, one_of_looks
from holdfast.verbs.provenance import in_ledger, recorded
from holdfast.verbs.subject import check_costs, divisions_of, refuse_idle_design, several

if TYPE_CHECKING:
    from holdfast.verbs.cross.cross_assess import CrossAssessment

FOR_FOLDS = ("margin", "method", "confidence", "delta")
ROWS = ("truth", "predicted", "scores", "correct", "value", "groups", "sample_weight")
ONE_SIDED = (
    "What is required is tested on one side, against every other model at the whole delta, since all of it must hold "
    "(intersection-union): what is proven against a single one holds on its own. Contraries, of which one is enough, "
    "share delta."
)
SELECTED = (
    "These are plain intervals of each model's error rate: for the one that was selected because it did best here they "
    "do not hold. Leave out plain= (--plain) for intervals that do, whichever is selected."
)


@in_ledger
@recorded(without=ROWS)
def compare(
    truth: Any = None,
    predicted: Mapping[str, Any] | None = None,
    scores: Mapping[str, Any] | None = None,
    *,
    correct: Mapping[str, Any] | None = None,
    value: Mapping[str, Any] | None = None,
    value_range: tuple[float, float] | None = None,
    levels: Sequence[float] | None = None,
    groups: Mapping[str, Any] | None = None,
    by: str | Sequence[str | Sequence[str]] | None = None,
    design: Design | None = None,
    unpaired: bool = False,
    pass_at: int | Sequence[int] = (),
    margin: float = 0.0,
    test: Test | None = None,
    method: Methods | None = None,
    only: Measures | None = None,
    share: Mapping[str, float] | None = None,
    plain: bool = False,
    simultaneous: bool = False,
    looks: int = 1,
    require: Require | None = None,
    accept: Accept | None = None,
    costs: Costs | None = None,
    classes: Sequence[float] | None = None,
    clip: float | None = None,
    positive: Label = None,
    labels: Sequence[object] | None = None,
    confidence: float | str | None = None,
    delta: float | None = None,
    seed: Seed = 0,
    missing: Missing = "refuse",
    sample_weight: Any = None,
    ledger: Any = None,
    **drawn: Unpack[DesignKeywords],
) -> Report:
    """Which of several models is better, on the same examples.

    Parameters
    ----------
    truth, predicted, scores
        The true labels, and by the name of each model its predictions, and perhaps its scores for the positive class.
        Or one `Panel`, from `hf.read_models`; or `Folds`, the results of a cross-validation; or what `hf.cross_assess`
        gave for two learners on the same splits, one after the other, or for several by their names.
    correct
        Instead of truth and predicted: by the name of each model, whether each of its answers was right.
    value, value_range, levels
        Instead: by the name of each model, how right each of its answers is, on a range that was fixed beforehand,
        [0, 1] by default; and all that it can be, where that is few, such as (0, 0.5, 1). The error rate is then what
        answers fall short of all that they could be worth, as a part of it, and so is the margin.
    groups, by
        As in `assess`: columns that divide the examples into groups, and other ways to do so. Of each group the
        differences are told too, in what decides and in what else was asked for, and what is said of each pair there.
    design
        How the examples were drawn, where not one by one from the population of the claim: in clusters, with weights,
        within strata or classes (`hf.Design`). What it takes may also be given by its names, `clusters=...`.
    unpaired
        Whether each model was seen on rows of its own, drawn independently of those of the others. What is compared is
        then given by the names of the models: what `hf.read` read for each, or the columns that `hf.assess` takes, as
        in `{"old": {"truth": ..., "predicted": ...}, "new": {...}}`.
    pass_at
        Values of k, where each question has several samples: the chance that one of k is right, too.
    margin
        A difference too small to matter, of error rates or in the units of the measure that decides. Without one a
        test decides whether the models differ; with one, where the interval of their difference lies: better, not
        inferior, equivalent or not settled.
    test
        Which p-value of McNemar: "exact", which is the usual one, "mid-p" or "asymptotic".
    method
        Names of the catalog for the intervals: they answer where they fit, and the first that fits the measure that
        decides does decide; without a margin its p-value does (`hf.p_value`), unless `test` says otherwise.
    only
        Measures whose differences are wanted beside that of the error rate, such as "f1" or "auc". The first of them
        decides: verdict, margin, p-values and who may be the best are about it. Without any it is the error rate.
    share
        By model, its part of delta in the bound on its own error rate, fixed beforehand: an equal part by default.
    plain
        Ask for each model's plain interval in place of one that holds for whichever is selected.
    simultaneous
        Make the intervals of all groups hold together, and not just those of each group.
    looks
        How often, in all, these data will have been looked at as they grow; each look gets an equal part of delta.
    require
        What is required of the first model against every other one: "better", "not-worse" or "equivalent", the last
        two with a margin. `report.decision` then says whether that is proven, refuted or open, each part of it tested
        on one side at the full delta, since all of them must hold.
    accept
        "large-n" lets what holds only as the sample grows decide on what is required.
    costs, classes, clip
        As in `assess`: what each answer costs, for the difference of expected costs; all numbers that classes may be,
        for those of squared and absolute losses; the smallest probability in the log loss.
    labels
        As in `assess`: where no model ever gives a label of the truth, that is refused unless the labels are listed.
    ledger
        The `hf.Ledger` of the test set: this is an open look at it, and written down before anything is shown.
    confidence, delta
        Of the differences together, of the error rates together, and of the set of models that may be the best.

    Examples
    --------
    >>> truth = [1, 0] * 30
    >>> report = compare(truth, {"old": [1, 1] * 20 + [1, 0] * 10, "new": truth})
    >>> print(report.verdict)
    new is better than old: it errs less often (p = 1.9e-06).
    >>> print(report["error-rate-difference"])
    0.333 [0.179, 0.513], paired-fisher, 95 %, holds at every sample size
    """
    given = {**locals(), **drawn}
    del given["drawn"]
    if _is_cross_assessment(scores):
        raise HoldfastError(
            "Name more than two results of cross-validation: hf.compare({'bayes': ..., 'tree': ..., ...})."
        )
    if results := _results(truth, predicted):
        from holdfast.verbs.cross.cross_assess import folds_of

        return _of_folds({**given, "truth": folds_of(results), "predicted": None})
    if isinstance(truth, Folds):
        return _of_folds(given)
    level = one_chance("A comparison is made", "compare", confidence, delta)
    if isinstance(drawn.get("weights"), Mapping):
        share = _renamed(share, drawn.pop("weights"))
    stated = Design.stated("compare", design, sample_weight, drawn)
    how = {"positive": positive, "labels": labels, "missing": missing}
    how |= {"correct": correct, "value": value, "value_range": value_range, "levels": levels, "groups": groups}
    ks = tuple(dict.fromkeys(np.atleast_1d(np.asarray(pass_at)).tolist()))
    panel: Panel | Unpaired
    if unpaired:
        idle = {"predicted": predicted, "scores": scores, "correct": correct, "value": value, "groups": groups}
        panel = samples_apart(truth, idle, stated, by, [find_measure(name) for name in several(only)], ks, how)
    else:
        panel = _panel(truth, predicted, scores, stated, **how)
    check_requirement(require, accept, margin)
    if share is not None and plain:
        raise HoldfastError("Plain intervals share no delta, so that share= (--share) says nothing; leave one out.")
    decides, *beside = dict.fromkeys(_measures(panel, only, costs, classes, ks))
    request = Request(
        delta=at_each_look(level, looks),
        margin=_margin(margin),
        test=find_test(test),
        methods=tuple(find(name) for name in several(method)),
        decides=decides,
        measures=tuple(beside),
        pass_at=ks,
        stated=_stated(costs=costs, classes=classes, clip=clip),
        seed=seed,
    )
    if clip is not None and log_loss not in (decides, *beside):
        raise HoldfastError("clip= (--clip) is the smallest probability in the log loss, which is not asked for here.")
    contest = Contest(panel, request)
    divisions = divisions_of(by, [*panel.groups])
    divided = InGroups(contest, divisions, simultaneous) if divisions or simultaneous else None
    lines = [*contest.lines(), *_of_each(contest, share, plain), *(divided.lines if divided else ())]
    if plain:
        warnings.warn(addressed(SELECTED), UserWarning, stacklevel=2)
    notes = [
        *panel.notes,
        *notes_of(contest),
        *(divided.notes if divided else ()),
        *([SELECTED] if plain else []),
        *one_of_looks(looks),
    ]
    known: dict[str, Any] = {"fingerprint": panel.fingerprint, "rows": panel.rows, "examples": panel.n}
    known |= {"logs": panel.logs} if isinstance(panel, Panel) and panel.logs else {}
    decision = None
    if require is not None:
        decision = replace(Requirement(contest, require, accept).decision(), delta=level, provenance=origin(**known))
        notes.append(ONE_SIDED)
    facts = replace(
        contest.facts(),
        notes=tuple(notes),
        next=tuple(next_steps(contest)),
        decision=decision,
        groups=(divided.pairs or None) if divided else None,
    )
    return Report.of(lines, facts, seen=contest.views(), **known, seed=seed)


def _results(first: Any, second: Any) -> dict[str, CrossAssessment]:
    """Results of cross-validation by the names of their learners, if that is what was given."""
    if _is_cross_assessment(first) and _is_cross_assessment(second):
        return {first.name: first, f"{second.name} 2" if second.name == first.name else second.name: second}
    given = first if isinstance(first, Mapping) and second is None else {}
    return dict(given) if given and all(map(_is_cross_assessment, given.values())) else {}


def _is_cross_assessment(value: object) -> bool:
    """Whether it is one, without importing all that trains: whoever has one has imported it."""
    module = sys.modules.get("holdfast.verbs.cross.cross_assess")
    return module is not None and isinstance(value, module.CrossAssessment)


def _of_folds(given: Mapping[str, Any]) -> Report:
    """The comparison of folds, for which only some options say anything."""
    usual = {name: option.default for name, option in signature(compare).parameters.items()}
    stated = {name: value for name, value in given.items() if name != "truth" and value is not usual.get(name)}
    if stated.keys() & {"require", "accept"}:
        raise HoldfastError(FOLDS)
    if idle := [name for name in stated if name not in FOR_FOLDS]:
        raise HoldfastError(f"{idle[0]}= says nothing of folds; leave it out.")
    return compare_folds(given["truth"], **stated)


def _panel(truth: Any, predicted: Any, scores: Any, design: Design, **how: Any) -> Panel:
    """What was given, as a panel, and what is known of how its examples were drawn."""
    if isinstance(truth, Panel):
        beside = {"predicted": predicted, "scores": scores, **how, **design.columns}
        beside["missing"] = None if how["missing"] == "refuse" else how["missing"]
        if twice := [name for name, value in beside.items() if value is not None]:
            raise HoldfastError(f"The panel that was read says this already; leave out {', '.join(twice)}.")
        panel = truth._with(design=truth.design.with_facts(design))
    else:
        panel = panel_of_arrays(truth, predicted, scores, design=design, **how)
    refuse_idle_design(panel)
    return panel


def _renamed(share: Mapping[str, float] | None, weights: Any) -> Any:
    """Parts of delta by the name that they had before weights became those of examples."""
    if share is not None:
        raise HoldfastError("share= is what weights={model: part} is called now; give one of them.")
    renamed = "weights={model: part} is called share= now; weights= are those of the examples."
    warnings.warn(renamed, DeprecationWarning, stacklevel=4)
    return weights


def _stated(costs: Any, **others: Any) -> dict[str, Any]:
    """The parameters of measures that were given."""
    check_costs(costs)
    return {name: value for name, value in {"costs": costs, **others}.items() if value is not None}


def _measures(
    panel: Panel | Unpaired, only: Measures | None, costs: Any, classes: Any, pass_at: Sequence[int]
) -> Iterator[Measure]:
    """The first measure asked for, which decides, and those beside it; the error rate is always told."""
    wanted = [find_measure(name) for name in several(only)]
    yield from wanted[:1]
    yield error_rate
    if panel.grades is not None:
        yield accuracy
    stated = _stated(costs=costs, classes=classes)
    yield from (measure for measure in measures() if measure.required and stated.keys() >= {*measure.required})
    yield from wanted
    if pass_at and not any(measure.of_question for measure in wanted):
        yield from (measure for measure in measures() if measure.of_question)
    if only is None and isinstance(panel, Panel) and panel.scores is not None and panel.counted:
        yield auc
        if panel.scores.min(initial=0.0) >= 0 and panel.scores.max(initial=1.0) <= 1:
            yield from (measure for measure in measures() if measure.takes is Forecasts)


def _of_each(contest: Contest, share: Mapping[str, float] | None, plain: bool) -> Iterator[Line]:
    """The error rate of each model, so that all hold together, and with them that of whichever is selected."""
    models, delta = contest.panel.models, contest.request.delta
    parts = np.ones(len(models)) if plain else _parts(models, share)
    for place, (name, part) in enumerate(zip(models, parts, strict=True)):
        question = contest.deciding.differences.own(place, error_rate)
        ask = Inquiry(np.asarray(sayable(delta * part)), "both", default_methods(question.evidence)[:1])
        yield from (replace(line, model=name) for line in ask.lines([question]))


def _parts(models: Sequence[str], share: Mapping[str, float] | None) -> Array:
    """Each model's part of delta: equal, or as was fixed beforehand."""
    if share is None:
        return np.full(len(models), 1.0 / len(models))
    for name in share:
        if name not in models:
            raise UnknownName("model", name, models)
    if left := [name for name in models if name not in share]:
        raise HoldfastError(f"share= (--share) needs a part of delta for every model; {left[0]} has none.")
    parts = numbers("share", [share[name] for name in models])
    if np.any(parts <= 0) or parts.sum() > 1 + 1e-12:
        raise HoldfastError(f"The shares must be above 0 and add up to at most 1; got {shown(dict(share))}.")
    return parts


def _margin(given: float) -> float:
    margin = numbers("margin", given)
    if margin.ndim:
        raise HoldfastError(f"The margin is one number from 0 on; got {shown(given)}.")
    return float(margin)
