"""The rows, counted, as what thresholds are asked of: all of them, and those of each group."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from holdfast.errors import HoldfastError, InvalidEvidence
from holdfast.evidence import Scores, shown
from holdfast.predictions import Predictions
from holdfast.predictions.design import class_mix, mixes_of
from holdfast.selection.drawn_thresholds import ScoredDraws
from holdfast.tally import Tally, tally
from holdfast.tally.designs.drawn import Drawn
from holdfast.verbs.assess.notes import notes_of_design
from holdfast.verbs.subject import divisions_of, notes_of_mixes, refuse_idle_design
from holdfast.verbs.threshold.drawn_rows import DrawnParts, SingleRows
from holdfast.verbs.threshold.wish import Wish

Part = SingleRows | DrawnParts


@dataclass(frozen=True, eq=False)
class Subject:
    """What thresholds are asked of."""

    label: str  # whose scores are looked at
    whole: Part
    groups: Mapping[str, Part]
    classes: tuple[str, ...]
    counted: Tally
    notes: tuple[str, ...] = ()

    @property
    def tested(self) -> list[Part]:
        """Those of which it must be proven: then it is true of all rows, too, which are a mixture of them."""
        return [*self.groups.values()] or [self.whole]


def subject_of(rows: Predictions, wish: Wish, positive: object, labels: Sequence[object] | None, by: Any) -> Subject:
    """The rows as the wish needs them."""
    refuse_idle_design(rows, ())
    if rows.design.order is not None:
        raise HoldfastError(
            "order= (--order) says nothing here: no test of a threshold looks at the order of the rows."
        )
    divisions = divisions_of(by, rows.group_names)
    mixes = mixes_of(rows.design.prevalence)
    rows = replace(rows, design=replace(rows.design, prevalence=mixes[0]))
    how: dict[str, Any] = {"positive": positive, "labels": labels, "scores_required": True}
    if rows.plain and not divisions:
        counted = tally(rows, **how)
        label, classes = _label(counted, counted.scores), _classes(counted)
        _refuse_unknown_mix(rows, wish, label, classes)
        if not rows.design.by_class or len(classes) <= 2 or wish.word == "sensitivity":
            stated = _stated_mixes(mixes, classes) if rows.design.by_class else None
            whole = SingleRows(counted.scores[label], label, rows.design.assumes(rows.columns), stated)
            return Subject(label, whole, {}, classes, counted, tuple(notes_of_mixes(mixes)))
    ends = [replace(rows, design=replace(rows.design, prevalence=mix)) for mix in mixes]
    each = [tally(end, **how, by=divisions, as_drawn=True) for end in ends]
    return _of_draws(rows, wish, each, mixes)


def _of_draws(
    rows: Predictions, wish: Wish, each: Sequence[Tally], mixes: Sequence[Mapping[Any, float] | None]
) -> Subject:
    """The rows as they were drawn, at each end of a range of prevalences; one by one, where that is all there is."""
    counted = each[0]
    divided = [counts.ranked.rows for counts in each if counts.ranked is not None]
    scores = divided[0].rows.scores if divided else {}
    label, classes = _label(counted, scores), _classes(counted)
    _refuse_unknown_mix(rows, wish, label, classes)
    by_class, draws = rows.design.by_class, divided[0].rows.draws
    alone = draws.stratum is None or int(draws.stratum.max(initial=0)) == 0
    within = by_class and len(classes) <= 2 and not wish.of_classes
    stated = mixes[0] is not None

    def part(parts: Sequence[Drawn], of_group: bool = True) -> Part:
        if draws.rows and (within or (alone and not by_class)):
            one = ScoredDraws.of(parts[0], label)
            # How frequent the classes are in a group nobody has stated.
            known = () if of_group else _stated_mixes(mixes, classes)
            return SingleRows(Scores(one.score, one.positive), label, draws.assumes, known if by_class else None)
        return DrawnParts(tuple(ScoredDraws.of(one, label) for one in parts), label, stated)

    places = [(division, place) for division in divided[0].divisions for place in range(len(division.names))]
    groups = {
        division.names[place]: part([one.rows.kept(division.codes == place, division.names[place]) for one in divided])
        for division, place in places
    }
    notes = (*notes_of_mixes(mixes, "cluster" in rows.columns), *notes_of_design(counted, rows, ()), *_uncapped(rows))
    return Subject(label, part([one.rows for one in divided], of_group=False), groups, classes, counted, notes)


# ---- What is stated of the classes


def _stated_mixes(mixes: Sequence[Mapping[Any, float] | None], classes: Sequence[str]) -> tuple[dict[str, float], ...]:
    return tuple(class_mix(classes, mix) for mix in mixes if mix is not None)


def _refuse_unknown_mix(rows: Predictions, wish: Wish, label: str, classes: Sequence[str]) -> None:
    """Refuse what depends on how frequent the classes are, where that is neither seen nor stated."""
    mixed = wish.of_classes or (wish.word == "specificity" and len(classes) > 2)
    if rows.design.by_class and rows.design.prevalence is None and mixed:
        called = "expected cost" if wish.costs is not None else wish.word
        raise HoldfastError(
            f"How many examples there are of each class was chosen, and the {called} of a threshold changes with how "
            f"frequent the classes are: no limit can hold for all of that. Say how frequent they truly are: "
            f"prevalence={{{label!r}: ...}} (--prevalence {label}=...)."
        )


# ---- What is known of the rows


def _uncapped(rows: Predictions) -> Iterator[str]:
    if "cluster" in rows.columns and rows.design.max_cluster is None:
        yield (
            "Nothing is proven here that holds at every number of clusters: a rare cluster of very many rows, of which "
            "none was drawn, could change every rate. The most rows that a cluster can hold, known beforehand, rules "
            "that out: max_cluster= (--max-cluster)."
        )


def _classes(counted: Tally) -> tuple[str, ...]:
    table = counted.truths
    return () if table is None else tuple(table.labels[place] for place in table.classes)


def _label(counted: Tally, scores: Mapping[str, object]) -> str:
    """The label whose scores are looked at."""
    known = list(scores)
    positive, table = counted.positive, counted.truths
    if not known and positive is not None and table is not None and not table.actual[table.place(positive)]:
        raise InvalidEvidence(f"None of the examples is truly {shown(positive)}: no threshold can be judged.")
    if not known:
        raise InvalidEvidence("A threshold needs the true labels and a column of scores; there is no such column.")
    label = counted.positive if counted.positive is not None else known[0] if len(known) == 1 else None
    if label is None or label not in scores:
        raise InvalidEvidence(
            "Each label has scores of its own: say whose threshold is meant by positive= (--positive)."
        )
    return label
