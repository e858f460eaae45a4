"""Bounds: what each declares, and the one place where a formula becomes a claim.

Halving delta, mirroring, clipping, rounding outward and attaching the guarantee happen here and nowhere else.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from math import prod
from typing import Any, get_args, get_type_hints

import numpy as np
from numpy.typing import ArrayLike

from holdfast.catalog.measure import Names, section, summary
from holdfast.catalog.procedure import AnyProcedure, Procedure, find_procedure, known_procedure, procedures
from holdfast.claims import SIDES, Assumption, Claim, Guarantee, Side, Source, check_delta
from holdfast.errors import UnfitMethod, UnknownName
from holdfast.evidence import Array, Counts, Evidence, Losses, RankedPrecision, Resampled, Sample, Scores
from holdfast.evidence.draws import Ratio
from holdfast.evidence.evidence import Need
from holdfast.evidence.folds.folds import FiveByTwo, FoldDifferences, RepeatedDifferences
from holdfast.evidence.folds.nested_cv import Nested
from holdfast.evidence.folds.sample import FoldCounts, FoldMeans, Progressive
from holdfast.evidence.folds.values import FoldRatio, FoldValues, RepeatedValues
from holdfast.numerics.limit import Upper

Formula = Callable[..., Upper]

FEW = 1_000  # elements
OUTWARD = 2.0**-47  # relative; 32 units in the last place cover the error of the binomial inverse, the largest here
ALWAYS = (Assumption.INDEPENDENT, Assumption.FIXED_MODEL, Assumption.FIXED_PLAN)
MEASURES: dict[type[Evidence], str] = {
    **dict.fromkeys((Counts, Ratio, FoldCounts, FoldRatio, FoldValues, RepeatedValues), "error-rate"),
    **dict.fromkeys((Losses, FoldMeans, Progressive, Nested), "mean-loss"),
    Scores: "auc",
    RankedPrecision: "average-precision",
    **dict.fromkeys((FoldDifferences, RepeatedDifferences, FiveByTwo), "error-rate-difference"),
}
# What a method may need besides a kind of evidence, and what to do where it is missing.
NEEDS: dict[Need, str] = {
    Need.VALUES: "the values of the losses; give Losses(x)",
    Need.DRAWS: "each draw, and the most that one can hold; give Losses(x), or Ratio.of_counts(counts, most=...)",
    Need.CAPPED: "each draw, and the most that one can weigh, stated beforehand",
    Need.SMOOTH: "an estimate that small changes of the weights change in proportion; for this choose best-thresholds",
    Need.KINKED: "a largest value over thresholds; this is none",
    Need.TERMS: "a sum of rates; this is none",
    Need.S2: "the s2 of the losses; give Losses.from_moments(n, mean, s2=...)",
    Need.LEVELS: "losses that are multiples of one over a number declared beforehand; give Pool(..., levels=...)",
    Need.ERRORS: "the errors of each model; give PoolSpread(..., errors=Counts(k, n))",
    Need.MIRROR: "evidence with a mirror image, having no lower limit of its own",
    Need.ONE_MODEL: "results of one model, not differences of two; for these choose nadeau-bengio",
    Need.RANDOM_FOLDS: "folds made without looking at the labels; these were stratified",
    Need.FIXED_FOLDS: "folds made without looking at the labels or at what the models said",
}


@dataclass(frozen=True, eq=False, repr=False)
class Bound:
    """A declared function from evidence and delta to an upper limit, and what is special about it."""

    name: str
    upper: Formula
    guarantee: Guarantee
    source: Source
    takes: tuple[type[Evidence], ...]
    aliases: tuple[str, ...] = ()
    assumes: tuple[Assumption, ...] = ALWAYS
    lower: Callable[..., Array] | None = None  # its own lower limit, where that is not the mirror image
    two_sided: Formula | None = None  # its own two-sided ends at the whole delta, where two halves would be worse
    one_sided: bool = True
    needs: Need | None = None
    least: int = 1  # with fewer examples it says nothing
    exact: bool = False  # its limits are ratios of whole numbers: nothing to round outward
    p_value: Callable[..., Array] | None = None  # its own test, where limits at different delta are not nested
    nested: bool = True  # that less delta never narrows a limit is proven; not so where a design follows delta
    in_order: bool = False  # it bets on the draws one by one: proven only in the order in which they were drawn
    own_ranges: bool = False  # a range for each example will do; all others need one common range
    measure: str | None = None  # what it speaks about, where the evidence alone does not say
    parameters: tuple[str, ...] = ()
    options: tuple[str, ...] = ()  # parameters that may be left out

    def __repr__(self) -> str:
        return f"<Bound {self.name}: {self.guarantee.sentence}>"

    def __reduce__(self) -> tuple[Callable[[str], Bound], tuple[str]]:
        return find, (self.name,)  # a worker process looks it up in its own catalog

    @property
    def summary(self) -> str:
        return summary(self.upper)

    def to_dict(self) -> dict[str, Any]:
        """The entry as plain values."""
        return {
            "name": self.name,
            "aliases": list(self.aliases),
            "summary": self.summary,
            "guarantee": str(self.guarantee),
            "takes": [kind.__name__ for kind in self.takes],
            "sides": ["upper", "lower", "both"] if self.one_sided else ["both"],
            "needs": self.needs and str(self.needs),
            "parameters": [*self.parameters, *self.options],
            "assumes": [*map(str, self.assumes), *([str(Assumption.DRAWN_ORDER)] if self.in_order else [])],
            "source": str(self.source),
            "notes": section(self.upper, "Notes"),
        }

    def fits(self, evidence: Evidence, side: Side = "both") -> bool:
        """Whether this evidence can be given to it, on this side, without further parameters."""
        return (
            isinstance(evidence, self.takes)
            and (self.needs is None or evidence.has(self.needs))
            and (self.own_ranges or evidence.has(Need.ONE_RANGE))
            and (self.lower is not None or evidence.has(Need.MIRROR))
            and (self.one_sided or side == "both")
            and not self.parameters
        )

    def __call__(self, evidence: Evidence, delta: ArrayLike = 0.05, side: Side = "both", **parameters: Any) -> Claim:
        """The claim this method lets the evidence make."""
        checked = check_delta(delta)
        self.check(evidence, side, **parameters)
        return self.claim(evidence, checked, side, *self.limits(evidence, checked, side, **parameters))

    def claim(self, evidence: Evidence, delta: Array, side: Side, lower: Array, upper: Array) -> Claim:
        """Limits on the scale [0, 1] as a claim in the units of the evidence, rounded outward."""
        known = np.broadcast_to(evidence.known, lower.shape) if lower.ndim else evidence.known
        estimate = np.where(known, evidence.estimate, np.nan)
        ends = evidence.units(np.zeros(())), evidence.units(np.ones(()))
        reach = 0.0 if self.exact else OUTWARD
        low, high = evidence.units(lower), evidence.units(upper)
        return Claim(
            measure=self.measure or MEASURES.get(type(evidence), type(evidence).__name__.lower()),
            estimate=_scalar(estimate) if estimate.ndim or known else None,
            lower=_scalar(np.maximum(low - reach * (abs(ends[0]) + abs(low)), ends[0])),
            upper=_scalar(np.minimum(high + reach * (abs(ends[0]) + abs(high)), ends[1])),
            delta=_scalar(delta),
            side=side,
            n=evidence.n.item() if evidence.n.ndim == 0 else evidence.n,
            method=self.name,
            guarantee=self.guarantee_for(evidence),
            assumes=self._assumed(evidence),
            source=self.source,
        )

    def guarantee_for(self, evidence: Evidence) -> Guarantee:
        """How firmly its claim about this evidence holds: without an order, what bets on one has no proof."""
        return self.guarantee if evidence.drawn or not self.in_order else Guarantee.HEURISTIC

    def _assumed(self, evidence: Evidence) -> tuple[Assumption, ...]:
        """What the method takes for granted, in terms of how the evidence says that it was drawn."""
        if not evidence.has(Need.ONE_RANGE):
            return (*ALWAYS, Assumption.OWN_RANGES)
        by_design = {Assumption.INDEPENDENT: evidence.assumes, Assumption.KNOWN_RANGE: evidence.ranges}
        sentences = [each for own in self.assumes for each in by_design.get(own, (own,))]
        if self.in_order:
            sentences.append(Assumption.DRAWN_ORDER if evidence.drawn else Assumption.SHUFFLED)
        alone = evidence.has(Need.ONE_MODEL)  # then there is no other that could have had other folds
        return tuple(each for each in sentences if not (alone and each is Assumption.SAME_FOLDS))

    def limits(self, evidence: Evidence, delta: Array, side: Side = "both", **parameters: Any) -> tuple[Array, Array]:
        """Lower and upper limit on the scale [0, 1]; the limit on the side not asked for is the end of the range."""
        formula = self.upper
        if side == "both" and self.one_sided and not self.two_sided:
            delta = delta / 2
        elif side == "both":
            formula = self.two_sided or self.upper
        mean = evidence.mean
        try:
            shape = np.broadcast(mean, evidence.n, delta).shape
        except ValueError:
            raise UnfitMethod(
                f"The evidence has shape {mean.shape} and delta {delta.shape}; they must match."
            ) from None
        # Too few examples divide by zero inside a formula; those elements are put back to [0, 1] below.
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            if self._at_once(side, shape, delta) and (pair := evidence.both_ends()) is not None:
                both = formula(pair, delta, **parameters)
                upper, lower = both.limit[0], both.room[1]
            else:
                lower, upper = np.zeros(shape), np.ones(shape)
                if side != "lower":
                    upper = formula(evidence.at_most(), delta, **parameters).limit
                if side != "upper":
                    own = self.lower and self.lower(evidence.at_least(), delta, **parameters)
                    lower = formula(evidence.mirror().at_most(), delta, **parameters).room if own is None else own
        # Too few examples, or numbers beyond the floating-point range: nothing is said.
        silent = evidence.n < self.least
        # The side not asked for stays at the end of the range, which no estimate is beyond.
        lower = np.where(silent | np.isnan(lower), 0.0, _clipped(np.minimum(lower, mean)))
        return lower, np.where(silent | np.isnan(upper), 1.0, _clipped(np.maximum(upper, mean)))

    def _at_once(self, side: Side, shape: tuple[int, ...], delta: Array) -> bool:
        """Whether both ends come of one call: for few elements a call costs more than its arithmetic."""
        apart = self.lower is not None or self.parameters or Resampled in self.takes
        return side == "both" and not apart and delta.ndim == 0 and prod(shape) <= FEW

    def check(self, evidence: Evidence, side: Side, **parameters: Any) -> None:
        """Say what does not fit, and what would."""
        if side not in SIDES:
            raise UnknownName("side", side, SIDES)
        if not isinstance(evidence, Evidence):
            raise UnfitMethod(f"{self.name} needs evidence such as Counts(k, n) or Losses(x); got {evidence!r}.")
        if not isinstance(evidence, self.takes):
            given, wanted = type(evidence).__name__, " or ".join(sorted(kind.__name__ for kind in self.takes))
            behind = f" behind a {MEASURES[type(evidence)]}" if type(evidence) in (Counts, Losses, Scores) else ""
            raise UnfitMethod(
                f"{self.name} takes {wanted}, not the {given}{behind}; "
                f"for these choose from {', '.join(b.name for b in methods() if b.fits(evidence, side))}."
            )
        if self.needs and not evidence.has(self.needs):
            raise UnfitMethod(f"{self.name} needs {NEEDS[self.needs]}.")
        if self.lower is None and not evidence.has(Need.MIRROR):
            raise UnfitMethod(f"{self.name} needs {NEEDS[Need.MIRROR]}.")
        if not (self.own_ranges or evidence.has(Need.ONE_RANGE)):
            raise UnfitMethod(f"{self.name} needs one range for all losses; with a range for each use hoeffding.")
        if side != "both" and not self.one_sided:
            raise UnfitMethod(
                f"{self.name} is two-sided only: its ends are no bounds by themselves; "
                f"for the {side} limit alone use clopper-pearson."
            )
        for name in parameters:
            if name not in (*self.parameters, *self.options):
                fitting = [b.name for b in methods() if name in (*b.parameters, *b.options)]
                raise UnfitMethod(
                    f"{self.name} takes no {name}= (--{name}); {', '.join(fitting) or 'no method'} does, for Counts."
                )
        for name in self.parameters:
            if name not in parameters:
                raise UnfitMethod(f"{self.name} needs {name}= (--{name}).")


def method(
    *,
    guarantee: Guarantee,
    source: Source,
    assumes: tuple[Assumption, ...] = ALWAYS,
    name: str | None = None,
    needs: Need | str | None = None,
    **special: Any,
) -> Callable[[Formula], Bound]:
    """Declare the decorated formula, (evidence, delta) -> Upper, as a bound of the catalog.

    What it takes is read off the type of its first argument, its parameters off the keyword-only ones.
    """

    def declare(formula: Formula) -> Bound:
        kind = next(iter(get_type_hints(formula).values()))
        keywords = [p for p in inspect.signature(formula).parameters.values() if p.kind is p.KEYWORD_ONLY]
        bound = Bound(
            name=name or formula.__name__.replace("_", "-"),
            upper=formula,
            guarantee=guarantee,
            source=source,
            takes=(Counts, Losses) if kind is Sample else get_args(kind) or (kind,),
            assumes=assumes,
            needs=None if needs is None else Need(needs),
            parameters=tuple(p.name for p in keywords if p.default is p.empty),
            options=tuple(p.name for p in keywords if p.default is not p.empty),
            **special,
        )
        bound.__dict__["__doc__"] = formula.__doc__
        return _bounds.declare(bound)

    return declare


_bounds: Names[Bound] = Names("method", fill=lambda: import_module("holdfast.bounds"))


def methods() -> list[Bound]:
    """Every bound of the catalog, in the order of its files."""
    return _bounds.all()


def find(name: str | Bound) -> Bound:
    """The bound of that name or alias; case and the difference of _ and - do not matter."""
    if isinstance(name, Bound):
        return name
    try:
        return _bounds.find(name)
    except UnknownName:
        if known_procedure(name):
            raise UnfitMethod(
                f"{str(name).strip()} is a procedure, which some verb follows by itself, and no method to choose; "
                "hf.procedures (holdfast methods) tells what it is."
            ) from None
        raise


def find_entry(name: str | Bound | AnyProcedure) -> Bound | AnyProcedure:
    """The bound or the procedure of that name: whatever any output prints as a method is one of the two."""
    if isinstance(name, (Bound, Procedure)):
        return name
    if known_procedure(name):
        return find_procedure(name)
    try:
        return _bounds.find(name)
    except UnknownName:
        entries: list[Bound | AnyProcedure] = [*methods(), *procedures()]
        known = [known for entry in entries for known in (entry.name, *entry.aliases)]
        raise UnknownName("method", name, known, [entry.name for entry in entries]) from None


def _clipped(share: Array) -> Array:
    return np.minimum(np.maximum(share, 0.0), 1.0)


def _scalar(array: Array) -> Any:
    return array.item() if array.ndim == 0 else array
