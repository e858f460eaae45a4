"""All statements of a report at once: how much of delta each of them has.

A union bound adds up chances, whatever the statements have to do with each other. Their number must not depend on the
data, though, and of labels that were found there are as many as chance brought.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil, log, log2, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from holdfast.catalog import Bound, Limit, Measure
from holdfast.claims import Assumption, Claim, Side, chance_of_error
from holdfast.combine import bonferroni, sayable
from holdfast.errors import HoldfastError
from holdfast.evidence import Array, Contingency, Counts, Evidence, shown
from holdfast.report.facts.kind import Facts, Simultaneous
from holdfast.wording import listed

if TYPE_CHECKING:
    from holdfast.report import Line, Report
    from holdfast.verbs.asking import Question
    from holdfast.verbs.assess.groups import OfGroups
    from holdfast.verbs.cross.measure import OnFolds


DECLARE = " labels= (--labels) declares every label there may be."


def only_limit(measure: Measure, evidence: Evidence, table: Contingency, place: int) -> Limit | None:
    """The only limit that holds of a label that was found; None where both do.

    Given how many trials there are, their events are binomial. A label that occurs outside of the trials, or that has
    none, is listed or not whatever the events are, so both limits hold. Where all rows are trials it is the events that
    put it on the list: there is at least one, which makes the share seem larger and never smaller. Among a million
    labels as rare as each other every one that is listed seems far too frequent.
    """
    if measure.of_found is None or not isinstance(evidence, Counts):
        return None
    return measure.of_found if np.sum(evidence.n[..., place]) == np.sum(table.n) else None


def assumed_of_classes(measure: Measure, labels: Sequence[str]) -> tuple[Assumption, ...]:
    """What it takes for granted, where the labels are those that were found."""
    return (Assumption.EVERY_CLASS,) if measure.lists_classes(len(labels)) else ()


def claimed(bound: Bound, evidence: Evidence, delta: Array, side: Side, only: Limit | None, **options: Any) -> Claim:
    """The claim; where only one limit holds, that one has the whole delta and the other is the end of the range."""
    if only is None:
        return bound(evidence, delta, side, **options)
    claim = bound(evidence, delta, only if side == "both" and bound.one_sided else side, **options)
    if only == "upper":
        return replace(claim, side=side, lower=_filled(claim.lower, evidence.scale.low))
    return replace(claim, side=side, upper=_filled(claim.upper, evidence.scale.high))


def _filled(limit: float | Array, end: float | Array) -> float | Array:
    return np.broadcast_to(end, limit.shape).copy() if isinstance(limit, np.ndarray) else float(end)


def notes_of_found(
    statements: Iterable[Question | OfGroups | OnFolds], asked_about: Sequence[str] | None = None
) -> Iterator[str]:
    """What a reader should know of labels that were not declared, and how to declare them, where that can be done.

    Where conditions say which labels they are `asked_about`, nobody reads of others.
    """
    every = list(statements)
    names = [] if asked_about is not None else [*dict.fromkeys(each.name for each in every if each.only is not None)]
    classes = [*notes_of_classes([each.name for each in every if Assumption.EVERY_CLASS in each.assumes])]
    if names:
        yield (
            f"Only one limit is claimed of labels that were not declared, in {listed(names)}: they are listed because "
            f"they occur, however rare they are.{'' if classes else DECLARE}"
        )
    yield from classes


def notes_of_classes(names: Sequence[str]) -> Iterator[str]:
    """The same of measures that depend on which classes there are."""
    if names:
        different = [*dict.fromkeys(names)]
        takes = "takes" if len(different) == 1 else "take"
        yield (
            f"{listed(different)} {takes} the labels found here for all that there are: a class that does not occur "
            f"would change the result.{DECLARE}"
        )


def one_positive(positive: Any, pos_label: Any) -> Any:
    """The positive label, by either of its names."""
    if positive is not None and pos_label is not None:
        raise HoldfastError("Give positive= or pos_label=, not both: they mean the same.")
    return pos_label if positive is None else positive


def one_chance(what: str, verb: str, confidence: float | str | None, delta: ArrayLike | None) -> float:
    """The chance of error, of which there is one in a call."""
    chance = chance_of_error(confidence, delta)
    if chance.ndim:
        raise HoldfastError(f"{what} at one confidence; call {verb} once for each.")
    return float(chance)


MOST_LOOKS = 1_000_000
OF_NUMBER = 0.1  # the part of delta for not knowing how many labels there are on average


def at_each_look(delta: float | Array, looks: object) -> float:
    r"""The part of delta of each of so many looks at a growing test set, by the union bound.

    Notes
    -----
    .. math:: P(\text{some look is wrong}) \le \sum_{i=1}^{K} \frac{\delta}{K} = \delta,

    however the looks depend on each other, if K was fixed beforehand.

    Examples
    --------
    >>> print(at_each_look(0.05, 1), at_each_look(0.05, 4))
    0.05 0.0125
    """
    if not isinstance(looks, int) or isinstance(looks, bool) or not 1 <= looks <= MOST_LOOKS:
        raise HoldfastError(f"looks must be a whole number from 1 to {MOST_LOOKS:,}; got {shown(looks)}.")
    return float(delta) if looks == 1 else float(sayable(bonferroni(delta, looks)))


def one_of_looks(looks: int) -> tuple[str, ...]:
    """What a reader should know of the number of looks."""
    return (f"This is one of {looks:,} looks: each has an equal part of the chance of being wrong.",) * (looks > 1)


def looked(report: Report, looks: int) -> Report:
    """The report as one of so many looks."""
    if looks == 1:
        return report
    facts: Facts = replace(report.facts, notes=(*report.facts.notes, *one_of_looks(looks)))  # type: ignore[type-var]
    return replace(report, facts=facts, provenance=type(report.provenance)({**report.provenance, "looks": looks}))


def all_together(report_at: Callable[[float], Report], delta: float, further: int = 0) -> Report:
    """A report whose statements hold together, each at an equal part of delta, and `further` ones that it makes beside.

    Lines that hold together already, those of all models or sets, are one statement. How many there are depends on what
    is asked, and on no result.
    """
    number = further + len({_statement(line) for line in report_at(delta).lines})
    each = float(sayable(bonferroni(delta, number)))
    report = report_at(each)
    facts: Facts = replace(report.facts, simultaneous=Simultaneous(delta, each))  # type: ignore[type-var]
    return replace(report, facts=facts)


def _statement(line: Line) -> tuple[object, ...]:
    """Which statement the line belongs to."""
    jointly = line.model is not None or line.measure.endswith("set-average-error-rate")
    return line.measure, line.group, line.claim.method, line.claim.per, None if jointly else line.label


@dataclass(frozen=True)
class Statements:
    r"""How many statements a report makes, and how many more for each label that was found.

    Notes
    -----
    Let K labels be found, a statements be made of no label, or of one that was declared, and b of each that was found.
    If B is at least :math:`E[K]` but for a chance of :math:`\delta/10`, all hold together but for a chance of
    :math:`\delta` where each has

    .. math:: \frac{9}{10} \cdot \frac{\delta}{a + b B}.

    For unless B fails, that is at most the number :math:`\epsilon = \tfrac{9}{10} \delta / (a + b E[K])`, in which no
    chance is left. At a fixed :math:`\epsilon` a statement about a label i is made, and false, with a chance of at most
    :math:`\epsilon P(i \text{ is found})` (`found.only_limit` says why); summed over all labels of the population,
    however many, that is :math:`\epsilon E[K]`. So one of all statements is false with a chance of at most
    :math:`\epsilon (a + b E[K]) + \delta/10 = \delta`.

    To share delta by K itself would rest on a level that is a function of the data: where fewer labels happen to be
    found, every limit would be narrower.

    This takes limits that only get wider at a smaller level. Where that is not proven of a method (`Bound.nested`), its
    statements must hold at every level that may come to be used: B is then rounded up to a power of two, of which there
    are J up to the most labels that the draws can hold, and such a statement is counted J times.

    Examples
    --------
    >>> print(Statements(6).each(0.05), Statements(6, of_each=8, found=3, draws=150).each(0.05))
    0.00833 0.000252
    """

    fixed: float  # about no label, or about one that was declared
    fixed_varying: float = 0.0  # the same, by methods whose limits are not nested
    of_each: float = 0.0  # about each label that was found
    of_each_varying: float = 0.0  # the same, by methods whose limits are not nested
    found: int = 0
    draws: int = 0  # rows, or clusters
    in_draw: float = 2  # the most labels that a draw can hold: the true one and the predicted one of each row

    def more(self, labels: Iterable[str | None], stated: Container[str | None] | None) -> Statements:
        """With one more statement about each of these labels, or about none; `stated` are those not found."""
        given = [*labels]
        times = Counter(each for each in given if each is not None and stated is not None and each not in stated)
        most = max(times.values(), default=0)
        return replace(self, fixed=self.fixed + len(given) - times.total(), of_each=self.of_each + most)

    def among(self, found: int, draws: int, in_draw: float = 2) -> Statements:
        """Where so many labels were found, in so many draws."""
        return replace(self, found=found, draws=draws, in_draw=in_draw)

    def notes(self, delta: float | Array) -> Iterator[str]:
        """What a reader should know of delta being shared out among labels that were found."""
        if self.of_found:
            yield (
                "All intervals hold together whichever labels occur: what may go wrong is shared out as if there were "
                f"{ceil(self.labels(float(delta))):,} labels, the most that samples like this one hold on average. "
                "Among labels that labels= (--labels) declares it is shared by their number, and they are narrower."
            )

    @property
    def of_found(self) -> bool:
        """Whether anything is said of labels that were found."""
        return self.of_each + self.of_each_varying > 0

    @property
    def most(self) -> float:
        """The most labels that the draws can hold, and one that may be declared and never seen."""
        return self.in_draw * self.draws + 1

    def labels(self, delta: float) -> float:
        """Among how many labels delta is shared."""
        number = min(labels_on_average(self.found, OF_NUMBER * delta, self.in_draw), self.most)
        return 2.0 ** ceil(log2(number)) if self.fixed_varying + self.of_each_varying > 0 else number

    def each(self, delta: float | Array) -> Array:
        """The part of delta of each statement, for all of them to hold together."""
        level = float(delta)
        if not self.of_found:
            return sayable(bonferroni(level, self.fixed + self.fixed_varying))
        times = ceil(log2(self.most)) + 1  # 1, 2, 4 and so on, up to the first that is no less
        fixed = self.fixed + times * self.fixed_varying
        of_each = self.of_each + times * self.of_each_varying
        return sayable(bonferroni((1 - OF_NUMBER) * level, fixed + of_each * self.labels(level)))


def labels_on_average(found: int, delta: float, in_draw: float = 2) -> float:
    r"""The most labels that samples as large as this one hold on average, but for a chance of delta.

    Notes
    -----
    .. math:: B = K + \sqrt{2 m K \ln(1/\delta)} + m \ln(1/\delta)

    where a draw holds at most m labels. Without one draw, :math:`Z = K/m` is smaller by at most 1, and over all draws
    these differences add up to at most Z, since no label is missed without more than one of them: Z is self-bounding.
    So, by Boucheron, Lugosi and Massart (2013), Theorem 6.12, with :math:`\mu = E[Z]` and :math:`z < \mu`,

    .. math:: P(Z \le z) \le \exp\Bigl(-\mu + z + z \ln \frac{\mu}{z}\Bigr),

    which is at most delta from :math:`\mu = z + \sqrt{2 z \ln(1/\delta)} + \ln(1/\delta)` on (Chatzigeorgiou 2013).

    Examples
    --------
    >>> print([round(labels_on_average(found, 0.005)) for found in (1, 3, 20, 1000)])
    [16, 22, 51, 1156]
    """
    nats = -log(delta)
    return found + sqrt(2 * in_draw * found * nats) + in_draw * nats
