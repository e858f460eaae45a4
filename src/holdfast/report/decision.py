"""The answer to a gate, to what is required of a model, or to the search for a threshold: proven, refuted or open."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from holdfast.catalog.procedure import procedure
from holdfast.claims import Claim, Guarantee, Source
from holdfast.errors import addressed
from holdfast.ledger.account import Standing
from holdfast.plain import Absent, Count, Number, Plain, Rate, Share
from holdfast.report.lines import Line
from holdfast.report.origin import Pictured, Provenance, Shown

if TYPE_CHECKING:
    import polars as pl


Accept = Literal["large-n"]


class Answer(StrEnum):
    """What a gate says: proven and refuted are for what holds at every sample size."""

    PROVEN = "proven"
    SUPPORTED = "supported (large n)"
    REFUTED = "refuted"
    CONTRADICTED = "contradicted (large n)"
    OPEN = "not enough data"
    NOT_PROVEN = "not proven"  # by a sealed gate, which says no more

    @property
    def exit_code(self) -> int:
        """Where nobody accepted what holds for large n only."""
        return {Answer.PROVEN: 0, Answer.REFUTED: 1}.get(self, 3)


WORST_FIRST = (
    *(Answer.REFUTED, Answer.CONTRADICTED, Answer.OPEN, Answer.NOT_PROVEN),
    *(Answer.SUPPORTED, Answer.PROVEN),
)


@procedure(guarantee=Guarantee.FINITE, source=Source("berger1982", "Theorem 1"))
def intersection_union(answers: Iterable[Answer]) -> Answer:
    r"""A whole is shown as firmly as the least of its parts, each at the whole delta, and refuted once a part is.

    Notes
    -----
    Where the whole is false some part of it is, and that part is called proven with a chance of at most delta,

    .. math:: P(\text{all parts are called proven}) \le \min_{i\ \text{false}} P(\text{part } i \text{ is}) \le \delta,

    however the parts depend on each other. Refutations, of which one is enough, share delta.

    Examples
    --------
    >>> print(intersection_union([Answer.PROVEN, Answer.OPEN]))
    not enough data
    """
    given = {*answers}
    return next(each for each in WORST_FIRST if each in given)


ACCEPTED = {Answer.SUPPORTED: 0, Answer.CONTRADICTED: 1}  # exit codes under accept="large-n"


@dataclass(frozen=True, eq=False, repr=False)
class Decision(Pictured):
    """Whether the data prove a condition, or refute it, or leave it open; or all of several conditions.

    `claim` is the one-sided claim that decides, or would have to prove it, `needed` how many more examples would
    probably settle what is open. It is true where it is proven, or supported for large n and that was accepted.
    """

    json_keys = (
        *(
            "schema",
            "answer",
            "condition",
            "claim",
            "other",
            "delta",
            "label",
            "group",
            "at_most",
            "at_least",
            "needed",
        ),
        *("notes", "parts", "provenance", "rule", "p", "accept", "caution", "hold_together", "exit_code"),
        *("simultaneous", "ledger", "passes"),
    )
    later = ("rule", "p", "accept", "caution", "hold_together", "exit_code", "simultaneous", "ledger")
    schema: ClassVar[Literal["holdfast/decision/1"]] = "holdfast/decision/1"
    answer: Answer
    condition: str  # in words: "error-rate at most 0.05"
    claim: Claim | None = None  # None where there are several conditions
    label: str | None = None
    group: str | None = None
    at_most: float | None = None
    at_least: float | None = None
    needed: Number | None = None
    notes: tuple[str, ...] = ()
    parts: tuple[Decision, ...] = ()  # one for each of several conditions
    provenance: Provenance = field(default_factory=Provenance)
    other: Claim | None = None  # the one-sided claim on the other side
    delta: Share | None = None  # the chance of a wrong answer, over all looks; of parts, that of the answer as a whole
    rule: str | None = None  # of two models: the test or the method that decides; of several parts: intersection-union
    p: Rate | None = None  # and its one-sided p-value, where that decides
    accept: Accept | None = None  # what may decide although it does not hold at every sample size
    caution: str | None = None  # why what decides, or would, is no proof
    hold_together: tuple[str, ...] | None = None  # the conditions that are proven all at once, by Holm's procedure
    simultaneous: Absent[bool] = None  # whether all that is called proven of single conditions holds together
    ledger: Absent[Standing] = None  # of a test set that is asked again and again: where its ledger stands
    passes: Absent[Count] = None  # of a question: of as many samples as its claim is of, those that were right

    def __post_init__(self) -> None:
        object.__setattr__(self, "notes", tuple(map(addressed, self.notes)))
        object.__setattr__(self, "caution", None if self.caution is None else addressed(self.caution))

    def __bool__(self) -> bool:
        return self.exit_code == 0

    @property
    def exit_code(self) -> int:
        """0 where it is proven, or supported and that was accepted; 1 where the contrary is; else 3."""
        return ACCEPTED.get(self.answer, self.answer.exit_code) if self.accept else self.answer.exit_code

    def leaves(self) -> Iterator[Decision]:
        """Each condition, in each group; itself where there is but one."""
        if not self.parts:
            yield self
        for part in self.parts:
            yield from part.leaves()

    def to_frame(self) -> pl.DataFrame:
        """Each condition, in each group, as rows of a polars frame: the claim that decides, and the other side's."""
        from holdfast.report.frame import decision_frame

        return decision_frame(self)

    def to_latex(self) -> str:
        """Every condition as a table for a paper; it needs the package booktabs."""
        from holdfast.render.document.latex import decision_latex

        return decision_latex(self)

    def __repr__(self) -> str:
        return f"<Decision {self.answer}: {self.condition}>"


@dataclass(frozen=True, eq=False, repr=False)
class Threshold(Pictured):
    """A threshold that was chosen on these data, and what may be claimed of it nonetheless.

    `beside` holds further claims about the same threshold, each with the same confidence on its own; `groups` all of
    them about each group, in each of which what was asked for is proven.
    """

    json_keys = (
        *("schema", "answer", "condition", "positive", "delta", "threshold", "rule", "claim", "beside", "groups"),
        *("needed", "notes", "provenance", "simultaneous"),
    )
    schema: ClassVar[Literal["holdfast/threshold/1"]] = "holdfast/threshold/1"
    answer: Answer  # proven, or not enough data
    condition: str  # in words: "specificity at least 0.95"
    positive: str
    delta: Share
    threshold: float | None = None  # call it positive from this score on
    claim: Claim | None = None
    beside: tuple[Claim, ...] = ()
    needed: Number | None = None  # examples without which the condition cannot be proven
    notes: tuple[str, ...] = ()
    provenance: Provenance = field(default_factory=Provenance)
    groups: Absent[tuple[Line, ...]] = None
    simultaneous: Absent[bool] = None  # whether all of its claims hold together
    seen: Mapping[str, Callable[[], Any]] = field(default_factory=dict)  # what makes each view, on demand

    def __post_init__(self) -> None:
        object.__setattr__(self, "notes", tuple(map(addressed, self.notes)))

    def __bool__(self) -> bool:
        return self.threshold is not None

    @property
    def rule(self) -> str:
        """What to do, in words."""
        if self.threshold is None:
            return "no threshold is proven"
        return f"call it {self.positive} when the score is at least {self.threshold!r}"

    def __repr__(self) -> str:
        return f"<Threshold {self.condition}: {self.rule}>"


@dataclass(frozen=True, eq=False, repr=False)
class Plan(Shown, Plain):
    """How many examples to label, and what to look for in them.

    The power of a test of counts is a saw-tooth in n, so there are two answers: the smallest n that does it,
    and the n from which every larger one does too.
    """

    json_keys = (
        *("n", "n_always", "delta", "power", "method", "guarantee", "expect", "at_most", "half_width", "accept"),
        *("wins", "losses", "gates", "promotions", "overall"),
    )
    n: Number
    n_always: Number
    delta: Share
    power: float
    method: str
    guarantee: Guarantee
    expect: float | None = None
    at_most: float | None = None
    half_width: float | None = None
    accept: Count | None = None  # the most errors that still prove the limit
    claim: Claim | None = None  # what they would let you claim
    wins: float | None = None  # of a comparison: the share of examples that the first model alone gets right
    losses: float | None = None  # and the second alone
    gates: Absent[Number] = None  # of a test set that is asked again: how many gates of a ledger
    promotions: Absent[Count] = None  # and how many of them may be proven and followed by others
    overall: Absent[Share] = None  # the chance of error over all of them; delta is then the least that one spends

    def __repr__(self) -> str:
        return f"<Plan n={self.n}, n_always={self.n_always}, accept={self.accept}, {self.method}>"
