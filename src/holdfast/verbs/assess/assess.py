"""How wrong is my classifier, really? Every measure that the predictions bear, each with its interval."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from inspect import signature
from types import SimpleNamespace
from typing import Any, Literal

import numpy as np

from holdfast.arguments import Label, Seed, Times
from holdfast.catalog import Bound, Measure, Measures, Methods, find, find_measure, measures
from holdfast.claims import Side, chance_of_error
from holdfast.errors import HoldfastError, UnknownName
from holdfast.evidence import Array, numbers, shown
from holdfast.evidence.costs import Costs
from holdfast.evidence.ranking.calibration import BINS, Bins, Reliability
from holdfast.evidence.sample import Order
from holdfast.measures.costs import expected_cost
from holdfast.measures.scoring import CLIP
from holdfast.predictions import Missing, Predictions
from holdfast.report import Report
from holdfast.tally import Tally, tally
from holdfast.tally.clusters import drawn_by_question
from holdfast.tally.operating import at_operating_point
from holdfast.verbs.answers import Ask, Question
from holdfast.verbs.assess.calibration import calibration_questions
from holdfast.verbs.assess.class_mix import SAMPLINGS, by_class_questions, cost_question, refuse_weights
from holdfast.verbs.assess.clusters import assess_clusters
from holdfast.verbs.assess.found_labels import notes_of_found
from holdfast.verbs.assess.groups import about_groups, not_of_groups
from holdfast.verbs.assess.notes import check, curves
from holdfast.verbs.assess.notes import details as told_beside
from holdfast.verbs.assess.page_data import views_of
from holdfast.verbs.provenance import called
from holdfast.verbs.questions import Asking, at_point, scores_for

Sampling = Literal["random", "by-class"]
TYPED = {"groups": "by"}  # the option of a keyword, where it is not called so
ROWS = ("truth", "predicted", "score", "correct", "margin", "groups", "clusters", "ids", "sample_weight", "command")


def assess(
    truth: Any = None,
    predicted: Any = None,
    score: Any = None,
    *,
    correct: Any = None,
    margin: Any = None,
    groups: Mapping[str, Any] | None = None,
    by: str | Sequence[str | Sequence[str]] | None = None,
    clusters: Any = None,
    max_cluster: int | None = None,
    order: Order | None = None,
    ids: Any = None,
    pass_at: int | Sequence[int] = (),
    simultaneous: bool = False,
    sampling: Sampling = "random",
    prevalence: Mapping[str, float] | None = None,
    costs: Costs | None = None,
    classes: Sequence[float] | None = None,
    alpha: float = 1.0,
    bins: Bins | None = None,
    operating_point: float | None = None,
    positive: Label = None,
    labels: Sequence[object] | None = None,
    confidence: float | str | None = None,
    delta: float | None = None,
    side: Side = "both",
    method: Methods | None = None,
    only: Measures | None = None,
    clip: float = CLIP,
    resamples: Times = 2000,
    seed: Seed = 0,
    missing: Missing = "refuse",
    pos_label: Label = None,
    sample_weight: object = None,
    command: str | None = None,
) -> Report:
    """What the predictions let you claim: every measure they bear, with an interval and its guarantee.

    Parameters
    ----------
    truth, predicted, score
        Columns of equal length: lists, arrays, columns of a frame. Or one `Predictions`, from `hf.read`. The
        score is for the positive class; for many classes it has one column a label, the labels in order. Truth and
        score will do without predictions. With score=False those of `hf.read` are not looked at.
    correct
        Instead of truth and predicted: whether each example was right, as true or false, 1 or 0, "pass" or "fail",
        "correct" or "incorrect", "C" or "I" ...
    margin
        One number a row, positive where the answer was right: adds the hard, logistic and linear losses of it.
    groups
        By name, columns that divide the rows into groups; several are crossed. Every group gets lines of its own.
    by
        Other ways to divide the rows by these columns: `["country", ("country", "device")]` is two.
    clusters, max_cluster
        The passage, patient, question ... that each row comes from: then clusters, not rows, are independent draws.
        The most rows that one can hold, fixed beforehand, lets rates be claimed over all rows.
    order
        "drawn" says that clusters stand in the order in which they were drawn, by their first rows: methods that bet on
        them one by one (`cluster-betting`, `betting`, `star`) have a proof only then. The default needs none.
    ids
        The question that each row is a sample of, where questions have several. Questions are independent draws, or
        the clusters are that they come from.
    pass_at
        Values of k: the chance that one of k samples of a question is right. Without `ids` a cluster is a question.
    simultaneous
        Make all intervals of the report hold together, and the bands of its curves with them, and not just each on
        its own.
    sampling, prevalence
        "by-class" where how many examples there are of each class was chosen; how frequent the classes truly are, as
        in `{"fraud": 0.002}`, is then needed for all that depends on it.
    costs
        What each answer costs (`hf.Costs`): adds the expected cost, and what the model itself expects.
    classes
        All the numbers that classes may be, where they are numbers: adds the squared and the absolute loss.
    alpha
        The steepness of the logistic loss of a margin.
    bins
        A number of bins of the scores, or their edges: adds the share of positives in each, all bins together.
    operating_point
        The threshold of the score that was fixed before the labels were seen: assessed is then what it predicts, the
        positive class from this score on, in place of a column of predictions.
    positive
        The label that precision, recall, scores and the like speak about. scikit-learn's `pos_label` will do.
    labels
        All labels there are, in your order, as scikit-learn's; by default those that occur. Of those that were found,
        prevalence and the like have one limit only, and averages over the classes assume that no class is missing.
        Predictions that are never a label of the truth are refused, unless so few rows may be chance (fewer than 10, or
        than 100 of answers that hardly ever recur), which a note says; listing the labels is how to insist.
    confidence, delta, side
        As in `bound`; each interval holds on its own unless `simultaneous`.
    method
        Names of the catalog: they answer where they fit, the default elsewhere. `percentile` and `bca` bootstrap.
    only
        Names of the measures wanted; by default all that the data bear.
    clip
        Probabilities nearer to 0 or 1 than this are moved to it before the log loss is taken.
    resamples, seed
        Of the bootstrap, where it answers.
    missing
        What to do with a row without truth or prediction: "refuse", "drop", or "wrong" (a non-answer is an error).
        A row without a score is missing for the measures of scores only, unless there is nothing else.

    Examples
    --------
    >>> report = assess(["cat", "dog", "cat", "dog"], ["cat", "dog", "dog", "dog"])
    >>> print(report["error-rate"])
    0.250 [0.006, 0.806], clopper-pearson, 95 %, holds at every sample size
    >>> print(report["recall", "cat"])
    0.500 [0.012, 0.988], clopper-pearson, 95 %, holds at every sample size
    """
    given = dict(locals())
    level = chance_of_error(confidence, delta)
    if level.ndim:
        raise HoldfastError("A report is made at one confidence; call assess once for each.")
    given["command"] = command or called(assess, given, without=ROWS)
    return _answering(given)(level, side)


def assessed(rows: Predictions, **options: Any) -> Callable[[float, Side], Report]:
    """What `assess` says of the rows at any delta, on any side: they are counted once, however often it is asked."""
    usual = {name: option.default for name, option in signature(assess).parameters.items()}
    answer = _answering({**usual, **options, "truth": rows})
    return lambda delta, side: answer(chance_of_error(None, delta), side)


def _answering(given: Mapping[str, Any]) -> Callable[[Array, Side], Report]:
    """Count what was given to `assess`, and find its questions; what answers them takes a delta and a side."""
    stated = SimpleNamespace(**given)
    if stated.sample_weight is not None:
        raise refuse_weights("sample_weight=")
    if stated.positive is not None and stated.pos_label is not None:
        raise HoldfastError("Give positive= or pos_label=, not both: they mean the same.")
    if stated.sampling not in SAMPLINGS:
        raise UnknownName("way of sampling", stated.sampling, SAMPLINGS)
    wanted = [find_measure(name) for name in _several(stated.only)] or measures()
    named = frozenset(measure.name for measure in wanted if stated.only is not None)
    methods = tuple(find(name) for name in _several(stated.method))
    options = {"resamples": stated.resamples, "seed": stated.seed}
    beside = {name: given[name] for name in ("correct", "groups", "clusters", "margin", "ids", "labels", "missing")}
    rows = Predictions.given(stated.truth, stated.predicted, stated.score, **beside)
    positive, labels = stated.pos_label if stated.positive is None else stated.positive, stated.labels
    also = stated.bins is not None or stated.operating_point is not None
    rows, required = scores_for(rows, wanted if named else (), also=also)
    beside_claims: dict[str, Any] = {}
    if stated.operating_point is not None:
        operated = at_operating_point(rows, declared_threshold(stated.operating_point), positive, labels)
        rows, positive, labels = operated.predictions, operated.positive, operated.labels
        beside_claims = {"operating_point": operated.to_dict()}
    ks = tuple(np.atleast_1d(np.asarray(stated.pass_at)).tolist())
    sampled = "id" in rows.columns  # whether rows are answers to questions
    rows = drawn_by_question(rows, bool(ks))
    prevalence, costs, classes, bins = stated.prevalence, stated.costs, stated.classes, stated.bins
    mixed = stated.sampling == "by-class" or prevalence is not None
    if "cluster" in rows.columns:
        _refuse_beside_clusters(
            groups=_divisions(rows, stated.by) or rows.group_names or None,
            sampling=mixed or None,
            costs=costs,
            bins=bins,
            classes=classes,
            margin="margin" in rows.columns or None,
        )
        of_clusters = assess_clusters(
            rows,
            methods=methods,
            wanted=wanted,
            positive=positive,
            labels=labels,
            max_cluster=stated.max_cluster,
            pass_at=ks,
            sampled=sampled,
            simultaneous=stated.simultaneous,
            beside=beside_claims,
            order=stated.order,
            command=stated.command,
            seed=stated.seed,
        )
        return lambda level, side: of_clusters(Ask(level, side, methods, options))
    if stated.order is not None:
        raise HoldfastError(
            "order= (--order) speaks of clusters: give clusters= (--cluster) too. Rows that are draws of their own are "
            "counted, and no order is kept of them; the methods that answer unless others are named need none."
        )
    if stated.max_cluster is not None:
        raise HoldfastError("max_cluster= (--max-cluster) speaks of clusters: give clusters= (--cluster) too.")
    if ks:
        raise HoldfastError(
            "pass_at= (--pass-at) speaks of questions with several samples: say which question a row is a sample of by "
            "ids= (--id), or by clusters= (--cluster) where nothing else is one."
        )
    divisions = _divisions(rows, stated.by)
    counted = tally(rows, positive=positive, labels=labels, by=divisions, scores_required=required)
    parameters = {name: given[name] for name in ("clip", "alpha", "costs", "classes") if given[name] is not None}
    asking = Asking(counted, parameters, labels is not None, named, rows.asked_about or ())
    _refuse_idle(counted, costs, classes, stated.alpha)
    questions, details, notes = _asked(asking, wanted, prevalence, mixed, bins)
    grouped = about_groups(counted, wanted, bool(named), rows.operating_point is not None, labels is not None)
    if divisions and mixed:
        raise HoldfastError(
            "Groups of a test set that was sampled by class, or at a stated prevalence, are not assessed: "
            "leave out groups= (--by), or assess the rows of each group by themselves."
        )
    if named or (divisions and not grouped):
        notes = [*notes, *not_of_groups(counted, wanted, grouped)]
    notes = [*notes, *notes_of_found([*questions, *grouped], rows.asked_about)]
    drawn = list(curves(counted, mixed))
    spoken_of = None if labels is not None else (*counted.stated, *asking.asked_about)

    def answer(level: Array, side: Side) -> Report:
        ask, together, jointly = Ask(level, side, methods, options), dict[str, Any](), list[str]()
        each_of: Callable[[float], Array] = np.asarray
        if stated.simultaneous and (questions or grouped):
            statements = ask.statements(questions, spoken_of)
            statements = statements.more((each.label for each in grouped), spoken_of)
            statements = statements.more((label for _, label, _ in drawn), spoken_of)
            statements = statements.among(_number_of_labels(counted), counted.rows)
            each_of, jointly = statements.each, [*statements.notes(level)]
            ask = replace(ask, delta=each_of(level))
            bands = {"bands": [name for name, _, _ in drawn]} if drawn else {}
            together = {"simultaneous": {"delta": float(level), "each": float(ask.delta), **bands}}
        lines = ask.answers([at_point(question, rows) for question in questions])
        check(lines, wanted, methods, counted)
        beside_lines = told_beside(counted, wanted, lines, [*notes, *jointly], stated.clip)
        return Report.of(
            lines,
            {**beside_lines, **beside_claims, **details, **together},
            {name: partial(curve, counted.scores[label], ask.delta) for name, label, curve in drawn},
            [each.answer(ask.delta, side, stated.simultaneous) for each in grouped],
            views_of(counted, ask, questions, lines, level, each_of, rows.operating_point, mixed=mixed),
            fingerprint=counted.fingerprint,
            rows=counted.rows,
            command=stated.command,
            seed=stated.seed,
        )

    return answer


def _asked(
    asking: Asking, wanted: Sequence[Measure], prevalence: Mapping[str, float] | None, mixed: bool, bins: Bins | None
) -> tuple[list[Question], dict[str, Any], list[str]]:
    """All questions, what else the report holds of them, and what its reader should know."""
    if mixed:
        if bins is not None:
            raise HoldfastError("Calibration depends on how frequent the classes are; leave out bins= (--bins).")
        costs = asking.stated.get("costs")
        priced = costs is not None and prevalence is not None and expected_cost in wanted
        rest = [measure for measure in wanted if not (priced and measure is expected_cost)]
        questions, notes = by_class_questions(asking.counted, rest, prevalence, bool(asking.named), asking.about)
        if costs is not None and prevalence is not None and priced:
            questions.append(cost_question(asking.counted, costs, prevalence))
        return questions, {}, notes
    questions = [question for measure in wanted for question in asking.about(measure)]
    if bins is None and not any(find_measure(name).takes is Reliability for name in asking.named):
        return questions, {}, []
    found = calibration_questions(asking.counted, BINS if bins is None and "calibration" in asking.named else bins)
    return [*questions, *found.questions], dict(found.details), found.notes


def _number_of_labels(counted: Tally) -> int:
    return 0 if counted.truths is None else int(counted.truths.classes.size)


def _refuse_idle(counted: Tally, costs: Costs | None, classes: Sequence[float] | None, alpha: float) -> None:
    """Refuse what was stated and could say nothing here."""
    if costs is not None and not isinstance(costs, Costs):
        raise HoldfastError(
            f"costs= takes hf.Costs(matrix, labels, rows=...) or hf.read_costs(file); got {shown(costs)}."
        )
    if counted.table is None and (costs is not None or classes is not None):
        idle = "classes= (--classes)" if costs is None else "costs= (--costs)"
        raise HoldfastError(
            f"{idle} needs to know what was taken for what: give truth and predicted, or scores and "
            "operating_point= (--operating-point)."
        )
    if counted.margins is None and alpha != 1.0:
        raise HoldfastError(
            "alpha= (--alpha) is the steepness of the logistic loss of a margin: give margin= (--margin) too."
        )


def _refuse_beside_clusters(**given: object) -> None:
    for name, value in given.items():
        if value is not None:
            raise HoldfastError(
                f"{name}= (--{TYPED.get(name, name).replace('_', '-')}) is not answered where rows come in clusters, "
                "for no method here holds then; leave it out, or leave out the clusters if the rows are "
                "independent draws."
            )


def declared_threshold(given: float) -> float:
    """The operating point as a number."""
    point = numbers("operating_point= (--operating-point)", given)
    if point.ndim:
        raise HoldfastError(f"operating_point= (--operating-point) is one threshold of the score; got {shown(given)}.")
    return float(point)


def _several(names: Methods | Measures | None) -> list[Any]:
    return [] if names is None else [names] if isinstance(names, (str, Bound, Measure)) else list(names)


def _divisions(rows: Predictions, by: str | Sequence[str | Sequence[str]] | None) -> list[Sequence[str]]:
    """The ways to divide the rows: those asked for, or all columns of groups crossed."""
    if by is None:
        return [rows.group_names] if rows.group_names else []
    asked = [(names,) if isinstance(names, str) else tuple(names) for names in ([by] if isinstance(by, str) else by)]
    for names in asked:
        if not names or len(set(names)) < len(names):
            raise HoldfastError(
                f"Each way to divide the rows crosses one column or several different ones; got {names}."
            )
    return list(dict.fromkeys(asked))
