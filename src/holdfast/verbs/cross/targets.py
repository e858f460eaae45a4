"""What a cross-validation lets one claim, and about which model: the target governs every line of the report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from holdfast.bounds.influence import influence
from holdfast.catalog import Bound, Measure, find, find_entry
from holdfast.claims import Assumption, Guarantee, Per, Side
from holdfast.combine import bonferroni, over_folds, sayable
from holdfast.errors import HoldfastError, UnfitMethod
from holdfast.evidence import Array, Evidence, Resampled
from holdfast.measures.rates import error_rate, prevalence
from holdfast.report import Block, Line, Report
from holdfast.report.facts.assessment import CrossFacts, Resampling, Target, TargetName
from holdfast.report.facts.kind import Simultaneous
from holdfast.resampling import Plan
from holdfast.resampling.plans import count
from holdfast.training.given import Learner
from holdfast.training.preparation import Prepared
from holdfast.verbs.asking import Inquiry, Question
from holdfast.verbs.assess.groups import blocks_of
from holdfast.verbs.bound import default_methods
from holdfast.verbs.cross.answers import Crossed, folds_of_plan
from holdfast.verbs.cross.measure import OnFolds, on_folds, trained
from holdfast.verbs.cross.measure import of_draws as rates_of_draws
from holdfast.verbs.cross.notes import left_out, meant, notes, what_next
from holdfast.verbs.jointly import Statements
from holdfast.verbs.subject import Subject

NATURAL: dict[str, TargetName] = {  # of schemes that do not give several models tested on rows they did not see
    "resubstitution": "refit",
    "nested": "refit",
    "bootstrap": "algorithm",
    "bootstrap-all": "algorithm",
}
RESAMPLES = 2000  # of the bootstrap, where it answers


@dataclass(frozen=True)
class Request:
    """What is wanted of a cross-validation."""

    target: TargetName
    fold: int
    delta: Array
    side: Side
    methods: tuple[Bound, ...]
    wanted: tuple[Measure, ...]
    clip: float
    seed: int
    simultaneous: bool = False
    parts: Mapping[str, NDArray[np.bool_]] = field(default_factory=dict)  # groups of rows that are told of, too

    @property
    def ask(self) -> Inquiry:
        return Inquiry(self.delta, self.side, self.methods, {"resamples": RESAMPLES, "seed": self.seed})

    def check(self, plan: Plan) -> None:
        """Refuse a target about which this plan can say nothing."""
        last = len(folds_of_plan(plan)) - 1
        if count("fold", self.fold, 0) > last:
            raise HoldfastError(
                f"The folds are counted from 0 to {last:,}; got fold={self.fold!r} (--fold {self.fold})."
            )
        if self.fold and self.target != "fold":
            raise HoldfastError(
                f"fold={self.fold!r} (--fold {self.fold}) is for target='fold' (--about fold); leave it "
                f"out, or ask for that."
            )
        if not plan.disjoint and self.target in ("fold-average", "fold"):
            natural = NATURAL.get(plan.scheme, "algorithm")
            raise HoldfastError(
                f"The scheme {plan.scheme} tests models on rows that they were trained on, which says nothing about "
                f"the target {self.target}; ask for target={natural!r} (--about {natural}), or another scheme."
            )
        if self.target == "algorithm" and len(plan) < 2:
            raise HoldfastError(
                "How a learner does on average over training sets needs at least two of them: use a scheme with "
                "several folds, or target='fold' (--about fold)."
            )


def report_of(crossed: Crossed, request: Request, learner: Learner, ready: Prepared, **provenance: Any) -> Report:
    """The claims about the target, and all that a reader should know of them."""
    order = {measure.name: place for place, measure in enumerate(request.wanted)}
    together = None
    if request.simultaneous:
        each = _statements(_all_lines(crossed, request), crossed).each(request.delta)
        together, request = Simultaneous(float(request.delta), float(each)), replace(request, delta=each)
    lines = sorted(_all_lines(crossed, request), key=lambda line: (line.group is not None, order[line.measure]))
    lines = [_drawn(line, crossed, request) for line in lines]
    if not lines:
        names = ", ".join(measure.name for measure in request.wanted)
        why = " ".join(["", *left_out(crossed, request)])
        raise HoldfastError(f"No claim about the target {request.target} is offered of {names}.{why}")
    used = {line.claim.method for line in lines}
    for bound in request.methods:
        if bound.name not in used:
            instead = _instead(bound, crossed, request)
            raise UnfitMethod(f"{bound.name} fits no measure of the target {request.target} here; {instead}.")
    plan = crossed.plan
    return Report.of(
        [line for line in lines if line.group is None],
        CrossFacts(
            target=Target(request.target, meant(crossed, request)),
            **trained(learner, ready),
            resampling=Resampling(**plan.to_dict(), overlapping=not plan.disjoint),
            splits=tuple(crossed.each_split()),
            errors=int(crossed.errors.k.sum()),
            positive=crossed.positive,
            notes=(*ready.notes, *notes(crossed, request), *crossed.fits.notes),
            next=tuple(what_next(crossed, request)),
            simultaneous=together,
        ),
        blocks=_blocks([line for line in lines if line.group is not None]),
        fingerprint=crossed.fits.fingerprint,
        rows=plan.rows,
        **provenance,
    )


def _all_lines(crossed: Crossed, request: Request) -> list[Line]:
    """Of all rows, and of each group: there the same of the rows of the group, whatever the others are."""
    lines = [*_lines(crossed, request)]
    wanted = request.wanted if crossed.named else tuple(each for each in request.wanted if each.right_or_wrong)
    for name, part in request.parts.items():
        of_part = _lines(replace(crossed, part=part), replace(request, wanted=wanted))
        lines += [replace(line, group=name) for line in of_part]
    return lines


def _blocks(lines: Sequence[Line]) -> Iterator[Block]:
    """The groups of each column by themselves."""
    columns: dict[str, list[Line]] = {}
    for line in lines:
        columns.setdefault(str(line.group).partition("=")[0], []).append(line)
    for each in columns.values():
        yield from blocks_of(each)


def _statements(lines: Sequence[Line], crossed: Crossed) -> Statements:
    """How many statements there are; each of a method whose limits are not nested counts as such."""
    fixed, of_each = np.zeros(2), dict[str, Array]()
    for line in lines:
        nested = getattr(find_entry(line.claim.method), "nested", False)
        one = np.array([nested, not nested], float)
        if line.label is None or crossed.declared is not None:
            fixed += one
        else:
            of_each[line.label] = of_each.get(line.label, np.zeros(2)) + one
    each = np.max([*of_each.values()], axis=0) if of_each else np.zeros(2)
    in_draw = 2 * (1 if crossed.groups is None else crossed.most or int(np.bincount(crossed.groups).max()))
    number = Statements(float(fixed[0]), float(fixed[1]), float(each[0]), float(each[1]))
    return number.among(len(crossed.labels), crossed.plan.rows, in_draw)


def _lines(crossed: Crossed, request: Request) -> Iterator[Line]:
    lines_of = {"fold-average": of_average, "fold": of_fold, "refit": of_refit, "algorithm": of_algorithm}
    return lines_of[request.target](crossed, request)


def _instead(bound: Bound, crossed: Crossed, request: Request) -> str:
    """The target that the method would answer for, if there is one."""
    for target in get_args(TargetName):
        other = replace(request, target=target, fold=0)
        try:
            other.check(crossed.plan)
            fits = any(line.claim.method == bound.name for line in _lines(crossed, other))
        except HoldfastError:
            continue
        if fits:
            return f"it does of target={target!r} (--about {target})"
    return "leave it out"


# ---- Each target


def of_average(crossed: Crossed, request: Request) -> Iterator[Line]:
    """The average of the models: what can be merged over the folds is, all else is claimed of each and averaged."""
    if len(crossed.splits) == 1:
        yield from of_fold(crossed, request)
        return
    in_turn = crossed.plan.scheme == "progressive"
    questions: dict[bool, list[Question]] = {True: [], False: []}
    if not crossed.plain:
        yield from of_draws(crossed, request)
        return
    for each in crossed.each(request.wanted, request.clip):
        random = crossed.random(each.measure.name)
        merged = each.merged(random=random, overlapping=crossed.overlapping, in_turn=in_turn)
        if merged is None:
            yield from _claimed_of_each(each, crossed, request)
        else:
            questions[random].append(each.question(merged, crossed.per))
    yield from request.ask.lines(questions[True])
    yield from map(_unproven, request.ask.lines(questions[False]))


def of_draws(crossed: Crossed, request: Request) -> Iterator[Line]:
    """The average of the models, where groups were drawn, or rows have weights: what holds whatever the learner first.

    Of the average group first, of which nothing need be known beforehand; where a group's most rows are stated, of the
    average row.
    """
    for each in crossed.each(request.wanted, request.clip):
        ratio = on_folds(crossed, each.measure, each.label, crossed.per)
        if ratio is None:  # in some fold there is nothing to be told of
            continue
        folds, group = ratio
        several: list[tuple[Evidence, Per]] = [(folds, crossed.per), (folds.by_draw(group), crossed.per)]
        if crossed.per == "cluster":
            rows, group = on_folds(crossed, each.measure, each.label, "row") or ratio
            if rows.uneven:
                several.append((rows.by_draw(group), "row"))
            merged = each.merged(random=not folds.stratified, overlapping=crossed.overlapping, in_turn=False)
            several += [] if merged is None or not _fitting(merged, request) else [(merged, "cluster")]
        asked_for = [(evidence, per) for evidence, per in several if _fitting(evidence, request)]
        usual = [pair for pair in several if any(bound.fits(pair[0]) for bound in default_methods(pair[0]))]
        for line in request.ask.lines([each.question(*chosen) for chosen in asked_for or usual]):
            line = _of_stable(line) if line.claim.method == influence.name else line
            yield _unproven(line) if folds.stratified else line


def _fitting(evidence: Evidence, request: Request) -> bool:
    return any(bound.fits(evidence, request.side) for bound in request.methods)


def _of_stable(line: Line) -> Line:
    """The same where what is claimed of draws that are independent is claimed of folds whose models share them."""
    assumes = [each for each in line.claim.assumes if each is not Assumption.FIXED_MODEL]
    return replace(line, claim=replace(line.claim, assumes=(*assumes, Assumption.TRAINED_APART, Assumption.STABLE)))


def of_fold(crossed: Crossed, request: Request) -> Iterator[Line]:
    """One model, chosen before looking: its fold is a test set like any other."""
    for line in _assessed(crossed, [crossed.splits[request.fold]], request):
        yield line if crossed.random(line.measure) else _unproven(line)


def of_refit(crossed: Crossed, request: Request) -> Iterator[Line]:
    """The model trained on everything: as if the rows, each tested by another model, had been its test set."""
    if crossed.nested is not None and error_rate in request.wanted:
        yield Line(replace(find("nested-cv")(crossed.nested, request.delta, request.side), measure=error_rate.name))
    yield from map(_unproven, _assessed(crossed, crossed.splits, request))


def of_algorithm(crossed: Crossed, request: Request) -> Iterator[Line]:
    """The learner: how its results spread over the splits, as if they were normal and correlated by their overlap."""
    questions = []
    for each in crossed.each(request.wanted, request.clip):
        values = each.values
        if not np.isnan(values).any():  # undefined on some fold: no average over training sets is estimated
            evidence = crossed.valued(values, each.within)
            questions.append(each.question(evidence, crossed.per))
    yield from map(_unproven, request.ask.lines(questions))
    if error_rate in request.wanted:
        for name, rows in crossed.rules:
            yield Line(replace(find(name)(rows, request.delta, request.side), measure=error_rate.name))


# ---- What they share


def _claimed_of_each(each: OnFolds, crossed: Crossed, request: Request) -> Iterator[Line]:
    """The union: each fold's model at its part of delta, and the mean of all."""
    part = sayable(bonferroni(request.delta, len(crossed.splits)))
    # What draws again would have to draw from each fold's table: with so few rows it says nothing.
    fitting = [b for b in request.methods if Resampled not in b.takes and b.fits(each.first, request.side)]
    bounds = fitting or sorted(default_methods(each.first), key=lambda b: b.guarantee is not Guarantee.FINITE)[:1]
    for bound in bounds:
        claim = over_folds(each.claims(bound, part, request.side), request.delta)
        sentences = tuple(a for a in claim.assumes if a is not Assumption.FIXED_MODEL)
        once = np.asarray(claim.n) // crossed.overlapping
        assumes = (*sentences, Assumption.TRAINED_APART, *each.assumes)
        named = replace(claim, measure=each.measure.name, n=once.item(), assumes=assumes, per=crossed.per)
        line = Line(named, label=each.label)
        yield line if crossed.random(line.measure) else _unproven(line)


def _assessed(crossed: Crossed, splits: list[int], request: Request) -> list[Line]:
    """The rows tested in these splits as a test set."""
    if not crossed.plain:
        labels = [(m, label, only) for m in request.wanted for label, only in crossed.of_each(m)]
        questions = [
            Question(m, rates_of_draws(crossed, m, label, splits), (label,), per=crossed.per, only=only)
            for m, label, only in labels
        ]
    else:
        asking = Subject(crossed.tally(splits), {"clip": request.clip}, crossed.declared is not None)
        questions = [q for m in request.wanted if m is not prevalence for q in asking.about(m)]
    return request.ask.lines(questions)


def _unproven(line: Line) -> Line:
    """The same numbers without their promise, where something that it rests on is known to be false."""
    assumed = tuple(sentence for sentence in line.claim.assumes if sentence is not Assumption.RANDOM_FOLDS)
    return replace(line, claim=replace(line.claim, guarantee=Guarantee.HEURISTIC, assumes=assumed))


def _drawn(line: Line, crossed: Crossed, request: Request) -> Line:
    """What the claim assumes, once it is known what was drawn: groups, or examples of each class by themselves."""
    if crossed.groups is not None:
        drawn = Assumption.CLUSTERS
    elif crossed.by_label and request.target in ("fold-average", "fold") and crossed.random(line.measure):
        drawn = Assumption.WITHIN_CLASSES
    else:
        return line
    void = {Assumption.INDEPENDENT, drawn} | (set() if crossed.plan.blind else {Assumption.RANDOM_FOLDS})
    sentences = [each for each in line.claim.assumes if each not in void]
    return replace(line, claim=replace(line.claim, assumes=(drawn, *sentences)))
