"""What may be said of a stream at one moment: of one model that is watched, or of two that are compared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Literal, Self, get_type_hints

from holdfast.claims import KINDS as CLAIMED
from holdfast.claims import Claim
from holdfast.plain import Count, Number, Unreadable, plain, read_keys
from holdfast.report.facts.compared import SignificanceTest
from holdfast.report.facts.comparison import EValues
from holdfast.report.origin import Commented
from holdfast.report.verdict import Verdict
from holdfast.wording import examples, json_text

AFTER = "_after"  # how a field ends that says after how many examples something has happened


class Moment(Commented):
    """A look at a stream: in JSON the claim's own keys, then the others, and whether something happened before when."""

    schema: ClassVar[str]
    claim: Claim

    @property
    def outside(self) -> bool:
        """Whether the estimate has left the limits that were proven earlier."""
        claim = self.claim
        return claim.estimate is not None and not claim.lower <= claim.estimate <= claim.upper

    def to_dict(self) -> dict[str, Any]:
        """What may be said, and what has happened; the JSON Schema in `holdfast/schemas/` describes it."""
        known: dict[str, Any] = {"schema": self.schema, **self.claim.to_dict()}
        for name in _kinds(type(self)):
            value = getattr(self, name)
            known |= {name.removesuffix(AFTER): value is not None} if name.endswith(AFTER) else {}
            known[name] = plain(value)
        return known

    def to_json(self) -> str:
        return json_text(self.to_dict())

    @classmethod
    def from_dict(cls, value: Any) -> Self:
        """What `to_dict` gave, checked."""
        kinds = _kinds(cls)
        happened = [name.removesuffix(AFTER) for name in kinds if name.endswith(AFTER)]
        every = {"schema": str, **CLAIMED, **dict.fromkeys(happened, bool), **kinds}
        values = read_keys(every, value, optional=("per",))
        for name in happened:
            if values[name] != ((after := values[f"{name}{AFTER}"]) is not None):
                raise Unreadable(f"contradicts {name}{AFTER}, which is {after}", f".{name}")
        return cls(claim=Claim.from_keys(values), **{name: values[name] for name in kinds})  # type: ignore[call-arg]


def _kinds(kind: Any) -> dict[str, Any]:
    """Of each field that stands in JSON, beside the claim."""
    hints = get_type_hints(kind, include_extras=True)
    return {each.name: hints[each.name] for each in fields(kind) if each.name not in ("claim", "broken")}


@dataclass(frozen=True, eq=False, kw_only=True)
class Look(Moment):
    """A monitor at a moment: the claim, the limits that are meant to hold, and what has happened."""

    schema: ClassVar[str] = "holdfast/look/1"
    claim: Claim
    at_most: float | None
    at_least: float | None
    alarm_after: Number | None
    changed_after: Number | None
    broken: Literal["above", "below"] | None = None  # which limit the alarm is about; JSON does not say

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of the claim should know, in sentences."""
        return tuple(self._notes())

    def _notes(self) -> Iterator[str]:
        subject = self.claim.measure.replace("-", " ")
        if self.alarm_after is not None:
            limit = f"above {self.at_most:g}" if self._is_above else f"below {self.at_least:g}"
            yield f"Alarm after {self.alarm_after:,} examples: the {subject} is {limit}."
        if self.changed_after is not None:
            yield (
                f"After {self.changed_after:,} examples no {subject} fits all of them: it has changed on the way, or "
                "the examples are not independent. Nothing can be claimed, and the limits are those of the whole "
                "range; start a new monitor."
            )
        elif self.outside:
            yield f"The estimate lies outside of limits proven earlier: the {subject} may have changed."

    @property
    def _is_above(self) -> bool:
        """Whether the upper limit was broken; where it was read back, as the numbers say."""
        if self.broken is not None or self.at_most is None or self.at_least is None:
            return self.broken == "above" if self.broken else self.at_most is not None
        return 2 * float(self.claim.estimate or 0.0) > self.at_most + self.at_least


@dataclass(frozen=True, eq=False, kw_only=True)
class DuelLook(Moment):
    """Two models at a moment: evidence for either, the difference, and the verdict."""

    schema: ClassVar[str] = "holdfast/duel/1"
    claim: Claim  # about the difference, first minus second
    models: tuple[str, str]
    margin: float
    won: Count | None
    lost: Count | None
    e_value: EValues
    p_value: SignificanceTest
    verdict: Verdict
    settled_after: Number | None
    changed_after: Number | None

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of the verdict should know, in sentences."""
        settled = self.settled_after
        return (*([] if settled is None else [f"There was enough to tell after {examples(settled)}."]), *self.warnings)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Those of the notes that say why the examples may not be what is assumed."""
        if self.changed_after is not None:
            return (
                f"After {examples(self.changed_after)} no difference fits all of them: it has changed on the way, or "
                "the examples are not independent. Nothing can be claimed, and the limits are those of the whole "
                "range; start anew.",
            )
        if self.outside:
            return ("The estimate lies outside of limits proven earlier: the difference may have changed.",)
        return ()

    @property
    def news(self) -> tuple[str, ...]:
        """Those of the warnings without which the verdict cannot be understood."""
        return () if self.changed_after is None else self.warnings
