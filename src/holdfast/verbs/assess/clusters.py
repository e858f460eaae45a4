"""How wrong is my classifier, where examples come in clusters? What is drawn, and counts as one, is a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from holdfast.bounds.bootstrap import RESAMPLES
from holdfast.catalog import Bound, Limit, Measure, find_measure
from holdfast.claims import Assumption
from holdfast.errors import HoldfastError, UnfitMethod
from holdfast.evidence import NO_ANSWER, Array, Contingency, Counts, Evidence, Losses, Resampled
from holdfast.evidence.clusters import ByClusters, ByManyClusters, Clustered, Clusters
from holdfast.evidence.contingency import drawable
from holdfast.evidence.sample import Order, in_drawn_order
from holdfast.measures.clusters import all_wrong, pass_at_k
from holdfast.predictions import Predictions
from holdfast.report import Line, Report
from holdfast.tally.clusters import ClusterTally, tally_clusters
from holdfast.tally.rows import so_many
from holdfast.verbs.answers import Ask, Question
from holdfast.verbs.assess.found_labels import assumed_of_classes, notes_of_found, only_limit
from holdfast.verbs.assess.notes import UNPREDICTED
from holdfast.verbs.assess.page_data import views_of_clusters
from holdfast.verbs.questions import at_point, needs_scores

FEW = 10  # clusters, below which whatever holds as their number grows does not hold yet
MANY = 1_000  # clusters, beyond which leaving out one at a time says as much as drawing them again
MOST_CLASSES = 200  # that get lines of their own, unless the labels were declared
LARGEST_SHOWN = 50  # labels of a table that is passed on whole


def assess_clusters(
    rows: Predictions,
    *,
    methods: Sequence[Bound],
    wanted: Sequence[Measure],
    positive: object = None,
    labels: Sequence[object] | None = None,
    max_cluster: int | None = None,
    pass_at: Sequence[int] = (),
    sampled: bool = False,
    simultaneous: bool = False,
    beside: Mapping[str, Any] | None = None,
    order: Order | None = None,
    command: str | None = None,
    seed: int = 0,
) -> Callable[[Ask], Report]:
    """What rows that come in clusters let you claim: the clusters are independent draws, their rows need not be.

    They are counted once; what is returned answers at any delta and on any side.

    Parameters
    ----------
    methods
        Those that were asked for, as in what will be asked.
    max_cluster
        The most rows that a cluster can hold, fixed beforehand. Rates are then claimed over all rows, and hold at
        every number of clusters. Without it error rate and accuracy are those of the average cluster, which hold at
        every number too; beside them stand those of the average row, which hold as clusters grow many.
    pass_at
        Values of k: the chance that one of k samples answers a question. A question is a cluster, unless the rows say
        by `id` which question of the cluster each is a sample of.
    sampled
        Whether the rows are known as answers to questions, so that the questions are the examples.
    simultaneous
        Whether all claims are to hold together.
    beside
        What else the report is to hold.
    order
        Whether the rows stand in the order in which clusters were drawn.
    """
    if "truth" in rows.columns and "predicted" not in rows.columns:
        raise HoldfastError(f"Rows in clusters bear rates and what else is read off a table. {UNPREDICTED}")
    counted = tally_clusters(rows, positive=positive, labels=labels, drawn=in_drawn_order(order))
    errors = Clusters(counted.errors, max_cluster, order=order)
    refuse_independent(methods, max_cluster)
    drawn = any(Resampled in b.takes and b.options for b in methods)
    asking = _Asking(counted, errors, labels is not None, drawn, rows.asked_about or ())
    questions = [question for measure in wanted for question in asking.about(measure)]
    questions += [_passing(counted, errors, k) for k in pass_at]

    def answer(ask: Ask) -> Report:
        level, together, jointly = ask.delta, dict[str, Any](), list[str]()
        each_of: Callable[[float], Array] = np.asarray
        if simultaneous and questions:
            # Without the most rows of a cluster only what is about no label holds at every number of clusters: as at
            # least one label is found, its parts of delta are no more than as if it were just one.
            stated = None if labels is not None or max_cluster is None else asking.stated
            statements = ask.statements(questions, stated)
            statements = statements.among(len(counted.labels), int(errors.n), 2 * (max_cluster or 1))
            each_of, jointly = statements.each, [*statements.notes(level)]
            ask = replace(ask, delta=each_of(level))
            together = {"simultaneous": {"delta": float(level), "each": float(ask.delta)}}
        lines = [_of_clusters(line) for line in ask.answers([at_point(question, rows) for question in questions])]
        _check(lines, wanted, methods)
        notes = [*_notes(rows, counted, errors, lines, wanted), *notes_of_found(questions, rows.asked_about), *jointly]
        return Report.of(
            lines,
            {**_details(counted, errors, lines, notes), **(beside or {}), **together},
            seen=views_of_clusters(counted, ask, questions, lines, level, each_of),
            fingerprint=counted.fingerprint,
            rows=counted.rows,
            examples=_examples(counted, errors) if sampled else None,
            command=command,
            seed=seed,
        )

    return answer


def _passing(counted: ClusterTally, errors: Clusters, k: int) -> Question:
    """How often one of k samples answers a question: over the questions, or over those of each cluster."""
    if counted.questions is None:
        passed = pass_at_k(errors, k=k)
    else:
        failed, cluster = all_wrong(Clusters(counted.questions.errors), k), counted.questions.cluster
        passed = Losses(np.sort(np.bincount(cluster, failed) / np.bincount(cluster))).mirror()
    return Question(pass_at_k, passed, (f"k={k}",), per="cluster", assumes=(Assumption.FIXED_SAMPLES,))


def _examples(counted: ClusterTally, errors: Clusters) -> int:
    return int(errors.n) if counted.questions is None else int(counted.questions.cluster.size)


def refuse_independent(methods: Sequence[Bound], max_cluster: int | None) -> None:
    """Refuse methods that take examples for independent draws, where clusters were declared."""
    for bound in methods:
        if not {Losses, Resampled, Clusters} & set(bound.takes):
            raise UnfitMethod(
                f"{bound.name} takes every example for an independent draw, and these come in clusters, within which "
                "they may all be right or wrong together: its interval would be too narrow. For the error rate use "
                "squares, over rows with max_cluster= (--max-cluster); for all else bca or jackknife."
            )
        if Clusters in bound.takes and max_cluster is None:
            raise UnfitMethod(
                f"{bound.name} needs the most examples that a cluster can hold, fixed beforehand: "
                "give max_cluster= (--max-cluster), or use squares."
            )


class _Asking:
    """The evidence that clusters give for each measure."""

    def __init__(
        self, counted: ClusterTally, errors: Clusters, declared: bool, drawn: bool, asked_about: Sequence[str]
    ) -> None:
        self.counted, self.errors, self.declared = counted, errors, declared
        self.stated = (counted.positive, *asked_about)  # labels of which somebody spoke before they were found
        small = counted.table is None or drawable(max(*counted.table.kinds.shape, len(counted.table.labels)), RESAMPLES)
        self.kind = ByClusters if drawn or (errors.n <= MANY and small) else ByManyClusters

    def about(self, measure: Measure) -> Iterator[Question]:
        if measure.takes is not Contingency or measure.required:
            return
        if not measure.needs_labels:
            yield from self._right_or_wrong(measure)
        elif (table := self.counted.table) is not None:
            yield from self._read(measure, table)

    def _right_or_wrong(self, measure: Measure) -> Iterator[Question]:
        """The error rate, or its mirror image, over all rows; or of the average cluster, and of the average row."""
        parts = self.counted.errors
        clusters = self._of(measure(_plain(parts)))
        if self.errors.most is not None:
            yield Question(measure, clusters)
            return
        shares = self.errors.shares
        yield Question(measure, shares if np.array_equal(clusters.parts.k, parts.k) else shares.mirror(), per="cluster")
        if not alike(parts):
            table = self.counted.table or Clustered.of(_plain(parts))  # all that is drawn again is drawn from one table
            yield from (Question(measure, evidence) for evidence in self.kind.read(measure, table))

    def _read(self, measure: Measure, table: Clustered) -> Iterator[Question]:
        places = self._shown(table) if measure.per_class else None
        labels = [None] if places is None else [table.labels[place] for place in places]
        each = measure(table.each) if self.errors.most is not None else None
        if isinstance(each, Counts):  # events and trials of each cluster: a rate over all rows, as the error rate
            parts = [each] if places is None else [type(each)(each.k[..., i], each.n[..., i]) for i in places]
            evidence: Sequence[Evidence] = [self._of(part) for part in parts]
        else:
            evidence = self.kind.read(measure, table, places)
        assumes = () if self.declared else assumed_of_classes(measure, table.labels)
        for one, label in zip(evidence, labels, strict=True):
            yield Question(measure, one, (label,), assumes=assumes, only=self._only(measure, table, label))

    def _of(self, parts: Counts) -> Clusters:
        return Clusters(parts, self.errors.most, order="drawn" if self.errors.drawn else None)

    def _only(self, measure: Measure, table: Clustered, label: str | None) -> Limit | None:
        if label is None or self.declared or label in self.stated:
            return None
        return only_limit(measure, measure(table), table, table.place(label))

    def _shown(self, table: Clustered) -> list[int]:
        """Places of the classes that get lines of their own, the positive one first."""
        places: list[int] = table.classes.tolist()
        if self.counted.positive is not None:
            places.sort(key=table.place(self.counted.positive).__ne__)
        elif len(places) > MOST_CLASSES and not self.declared:
            return []
        return places if self.declared else places[:MOST_CLASSES]


def alike(errors: Counts) -> bool:
    """Whether all clusters hold equally many rows: then the average row is that of the average cluster."""
    return bool(np.all(errors.n == errors.n[0]))


def _plain(errors: Counts) -> Contingency:
    """Tables, one a cluster, in which all that can be seen is how many were wrong."""
    return Contingency.of_cells(("right", "wrong"), [0, 1], [0, 0], np.stack([errors.n - errors.k, errors.k], axis=-1))


def _of_clusters(line: Line) -> Line:
    """The claim with clusters, not examples, as what is independent."""
    said = (Assumption.CLUSTERS, *(each for each in line.claim.assumes if each is not Assumption.INDEPENDENT))
    return replace(line, claim=replace(line.claim, assumes=tuple(dict.fromkeys(said))))


def _check(lines: Sequence[Line], wanted: Sequence[Measure], asked: Sequence[Bound]) -> None:
    if not lines:
        names = ", ".join(measure.name for measure in wanted)
        way_out = " pass-at-k needs pass_at= (holdfast assess --pass-at)." if pass_at_k in wanted else ""
        raise HoldfastError(
            f"Rows in clusters bear rates and what else is read off a table, not {names}.{way_out} "
            "Leave out the clusters only if the rows are independent draws."
        )
    used = {line.claim.method for line in lines}
    for bound in asked:
        if bound.name not in used:
            raise UnfitMethod(f"{bound.name} fits none of these measures where rows come in clusters; leave it out.")


def _details(counted: ClusterTally, errors: Clusters, lines: Sequence[Line], notes: Sequence[str]) -> Mapping[str, Any]:
    details: dict[str, Any] = {
        "errors": int(counted.errors.k.sum()),
        "positive": counted.positive,
        "missing": counted.missing,
        "clusters": int(errors.n),
        "largest_cluster": int(counted.errors.n.max()),
    }
    if counted.table is not None and len(counted.labels) <= LARGEST_SHOWN:
        square = counted.table.table.tolist()
        details["contingency"] = {"labels": list(counted.labels), "rows": "predicted", "table": square}
    return {**details, "notes": list(notes), "next": list(_next(int(errors.n), lines))}


def _notes(
    rows: Predictions, counted: ClusterTally, errors: Clusters, lines: Sequence[Line], wanted: Sequence[Measure]
) -> Iterator[str]:
    number, largest = int(errors.n), int(counted.errors.n.max())
    yield from rows.notes
    if counted.missing:
        told = " and ".join(f"{lost:,} without {name}" for name, lost in counted.missing.items())
        yield f"Left out: {so_many(counted.dropped)}, {told}." if counted.dropped else f"Counted as errors: {told}."
    yield from counted.notes
    if largest == 1:
        yield (
            "Every cluster holds one row, so they change nothing: without them the rows count as independent draws, "
            "and exact binomial limits apply, which are narrower."
        )
    asked = {line.measure for line in lines}
    if any(find_measure(name).right_or_wrong for name in asked):
        yield _target(number, errors)
    if counted.table is not None and any(find_measure(name).needs_labels for name in asked - {"pass-at-k"}):
        yield "Measures other than error rate and accuracy weigh every row the same, however large its cluster."
    if "pass-at-k" in asked:
        over = "the questions" if counted.questions is None else "the questions of each cluster, and then the clusters"
        yield f"pass-at-k is a mean over {over}."
    if number < FEW:
        told = "There is one cluster" if number == 1 else f"There are {number} clusters"
        yield (
            f"{told}, and clusters are what counts: little can be said, and what holds only as their number grows "
            "does not hold yet."
        )
    if counted.labels and counted.table is None:
        yield "Measures that need the whole table are left out: there are too many clusters and cells to lay it out."
    elif counted.table is not None and counted.positive is None and counted.table.classes.size > MOST_CLASSES:
        yield "Measures of each class are left out: there are too many; one is named by positive= (--positive)."
    if NO_ANSWER in counted.labels:
        yield f"Rows without a prediction count as errors; they are filed under {NO_ANSWER}."
    if rows.scored and any(needs_scores(measure) for measure in wanted):
        yield "The scores were not used: AUC, log loss and the like are not claimed where rows come in clusters."


def _target(number: int, errors: Clusters) -> str:
    if errors.most is not None:
        return (
            f"Error rate and accuracy are over all rows, which came in {number:,} clusters of at most {errors.most:,}."
        )
    if alike(errors.parts):
        return (
            "Error rate and accuracy are those of the average cluster, and so of the average row: all clusters here "
            "hold equally many rows."
        )
    return (
        f"Error rate and accuracy of the average cluster, in which each of the {number:,} weighs the same however many "
        "rows it holds, have limits that hold at every number of clusters: a gate decides on them. Those of the "
        "average row hold only as clusters grow many; with the most rows that one can hold, fixed beforehand, as "
        "max_cluster= (--max-cluster), they hold at every number too."
    )


def _next(number: int, lines: Sequence[Line]) -> Iterator[str]:
    claim = next((line.claim for line in lines if line.measure == "error-rate"), None)
    if claim is not None and float(claim.width) > 0.02:
        yield (
            f"About {4 * number:,} clusters, four times as many, would halve the interval of the error rate; more rows "
            "in the same clusters help less."
        )
