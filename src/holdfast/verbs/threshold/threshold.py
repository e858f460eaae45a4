"""From which score on shall I say yes, and what may I then claim?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from holdfast.arguments import Label
from holdfast.audience import addressed
from holdfast.bounds.thresholds import (
    Cut,
    Stairs,
    examples_needed,
    fewest_called,
    fixed_sequence,
    for_precision,
)
from holdfast.claims import Claim, chance_of_error
from holdfast.errors import HoldfastError, InvalidEvidence
from holdfast.evidence import Array, Scores, numbers, shown
from holdfast.predictions import Missing, Predictions
from holdfast.report import Answer, Report
from holdfast.tally import Tally, tally
from holdfast.verbs.threshold.claims import claims_at
from holdfast.wording import json_text

SCHEMA = "holdfast/threshold/1"


@dataclass(frozen=True, eq=False, repr=False)
class Threshold:
    """A threshold that was chosen on these data, and what may be claimed of it nonetheless.

    `beside` holds further claims about the same threshold, each with the same confidence on its own.
    """

    answer: Answer  # proven, or not enough data
    condition: str  # in words: "specificity at least 0.95"
    positive: str
    delta: float
    threshold: float | None = None  # call it positive from this score on
    claim: Claim | None = None
    beside: tuple[Claim, ...] = ()
    needed: int | None = None  # examples without which the condition cannot be proven
    notes: tuple[str, ...] = ()
    provenance: Mapping[str, Any] = field(default_factory=dict)

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

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "schema": SCHEMA,
            "answer": str(self.answer),
            "condition": self.condition,
            "positive": self.positive,
            "delta": self.delta,
            "threshold": self.threshold,
            "rule": self.rule,
            "claim": None if self.claim is None else self.claim.to_dict(),
            "beside": [claim.to_dict() for claim in self.beside],
            "needed": self.needed,
            "notes": list(self.notes),
            "provenance": dict(self.provenance),
        }

    def to_json(self) -> str:
        return json_text(self.to_dict(), indent=2)

    def __str__(self) -> str:
        from holdfast.render.text.text import as_text
        from holdfast.render.text.threshold import threshold_parts

        return as_text(*threshold_parts(self.to_dict(), self.claim, self.beside))

    def __repr__(self) -> str:
        return f"<Threshold {self.condition}: {self.rule}>"


def threshold(
    truth: Any = None,
    score: Any = None,
    *,
    positive: Label = None,
    sensitivity_at_least: float | None = None,
    specificity_at_least: float | None = None,
    precision_at_least: float | None = None,
    recall_at_least: float | None = None,
    candidates: Sequence[float] | Array | None = None,
    confidence: float | str | None = None,
    delta: float | None = None,
    labels: Sequence[object] | None = None,
    missing: Missing = "refuse",
    pos_label: Label = None,
    command: str | None = None,
) -> Threshold:
    """A threshold of the score for which one thing is proven, though it was chosen on these very data.

    Parameters
    ----------
    truth, score
        Columns of equal length: lists, arrays, columns of a frame. Or one `Predictions`, from `hf.read`.
    positive
        The label that the score speaks for. scikit-learn's `pos_label` will do.
    sensitivity_at_least, specificity_at_least, precision_at_least
        What shall be proven: one of the three. `recall_at_least` is the sensitivity. Of all thresholds for which it
        is proven the answer is the one that gives up least: the lowest for specificity and precision, the highest
        for sensitivity.
    candidates
        The only thresholds that come into question, named without looking at these data. By default any number may
        come out.
    confidence, delta
        As in `bound`.
    labels
        All labels there are, in your order; by default those that occur.
    missing
        What to do with a row without truth or score: "refuse" or "drop".

    Examples
    --------
    >>> scores = [i / 400 for i in range(400)]
    >>> made = threshold([s > 0.5 for s in scores], scores, specificity_at_least=0.9)
    >>> print(made.rule)
    call it True when the score is at least 0.4701
    >>> print(made.claim)
    0.9403, at least 0.9050, fixed-sequence, 95 %, holds at every sample size
    """
    if positive is not None and pos_label is not None:
        raise HoldfastError("Give positive= or pos_label=, not both: they mean the same.")
    if sensitivity_at_least is not None and recall_at_least is not None:
        raise HoldfastError("Give sensitivity_at_least= or recall_at_least=, not both: they mean the same.")
    sensitivity = recall_at_least if sensitivity_at_least is None else sensitivity_at_least
    wish = _wish(sensitivity=sensitivity, specificity=specificity_at_least, precision=precision_at_least)
    level = chance_of_error(confidence, delta)
    if level.ndim:
        raise HoldfastError("A threshold is chosen at one confidence; call threshold once for each.")
    tried = None if candidates is None else _candidates(candidates)
    named = pos_label if positive is None else positive
    counted = tally(_predictions(truth, score, missing), positive=named, labels=labels, scores_required=True)
    label = _label(counted)
    made = _chosen(wish, counted.scores[label], label, float(level), tried)
    told = (note for note in counted.notes if "Brier" not in note)  # nothing is said about probabilities here
    report = Report.of((), rows=counted.rows, fingerprint=counted.fingerprint, command=command or wish.call)
    return replace(made, notes=(*told, *made.notes), provenance=report.provenance)


@dataclass(frozen=True)
class Wish:
    """What shall be proven."""

    word: str
    at_least: float

    @property
    def condition(self) -> str:
        return f"{self.word} at least {self.at_least:.15g}"

    @property
    def call(self) -> str:
        return f"holdfast.threshold({self.word}_at_least={self.at_least!r})"


def _wish(**given: float | None) -> Wish:
    asked = {word: value for word, value in given.items() if value is not None}
    if len(asked) != 1:
        told = " and ".join(asked) or "nothing"
        raise HoldfastError(
            f"Say what the threshold shall prove: one of sensitivity, specificity and precision at least ...; "
            f"got {told}. Two at once would need a compromise that only you can make."
        )
    word, value = asked.popitem()
    number = numbers(f"{word} at least", value)
    if number.ndim or not 0 < number < 1:
        hint = f" Did you mean {float(number) / 100:g}?" if not number.ndim and 1 < number < 100 else ""
        raise HoldfastError(f"{word} at least must be one number strictly between 0 and 1; got {shown(value)}.{hint}")
    return Wish(word, float(number))


def _candidates(given: Sequence[float] | Array) -> Array:
    tried = numbers("candidates", given)
    if tried.ndim != 1 or not tried.size:
        raise HoldfastError(f"candidates needs one threshold or more, in a row; got {shown(given)}.")
    return tried


def _predictions(truth: Any, score: Any, missing: Missing) -> Predictions:
    if isinstance(truth, Predictions):
        if score is not None:
            raise HoldfastError("The first argument holds all columns already; leave out score.")
        return truth
    if truth is None or score is None:
        raise HoldfastError("Give truth and score: one label and one number a row.")
    return Predictions.from_arrays(truth, score=score, missing=missing)


def _label(counted: Tally) -> str:
    """The label whose scores are looked at."""
    known = list(counted.scores)
    positive, table = counted.positive, counted.truths
    if not known and positive is not None and table is not None and not table.actual[table.place(positive)]:
        raise InvalidEvidence(f"None of the examples is truly {shown(positive)}: no threshold can be judged.")
    if not known:
        raise InvalidEvidence("A threshold needs the true labels and a column of scores; there is no such column.")
    label = counted.positive if counted.positive is not None else known[0] if len(known) == 1 else None
    if label not in counted.scores:
        raise InvalidEvidence(
            "Each label has scores of its own: say whose threshold is meant by positive= (--positive)."
        )
    return label


def _chosen(wish: Wish, scores: Scores, label: str, delta: float, candidates: Array | None) -> Threshold:
    if wish.word == "precision":
        cut = for_precision(scores, wish.at_least, delta, candidates)
    else:
        cut = fixed_sequence(scores, wish.word, wish.at_least, delta, candidates)
    if cut is None:
        needed, why = _lacking(wish, scores, label, delta, candidates)
        return Threshold(Answer.OPEN, wish.condition, label, delta, needed=needed, notes=(why,))
    stairs = Stairs.of(scores)
    claim, *beside = claims_at(cut, wish.word, stairs, delta)
    notes = tuple(_notes(wish, stairs, cut, label))
    return Threshold(Answer.PROVEN, wish.condition, label, delta, cut.threshold, claim, tuple(beside), notes=notes)


def _notes(wish: Wish, stairs: Stairs, cut: Cut, label: str) -> Iterator[str]:
    if not sum(int(called.k) for called in stairs.at_most(cut.threshold)):
        yield f"No example here scores so high: by this rule nothing is called {label}."
    yield {
        "sensitivity": f"It was chosen by the scores of {label} examples; any lower threshold keeps the claim.",
        "specificity": f"It was chosen by the scores of examples that are not {label}; any higher threshold keeps "
        "the claim.",
        "precision": "The claim is about this threshold only: a higher one may have a lower precision.",
    }[wish.word]


def _lacking(wish: Wish, scores: Scores, label: str, delta: float, candidates: Array | None) -> tuple[int | None, str]:
    """How many examples are the least that could prove it, and why these do not."""
    if wish.word == "precision":
        needed = fewest_called(wish.at_least, delta, candidates)
        return needed, f"At least {needed:,} examples called {label} are needed, even were all of them right."
    have, of = {
        "sensitivity": (scores.n_positive, f"{label} examples"),
        "specificity": (scores.n_negative, f"examples that are not {label}"),
    }[wish.word]
    needed = examples_needed(wish.at_least, delta)
    if have >= needed:
        return None, "None of the candidates is proven; leave them out, and any number may come out."
    return needed, f"At least {needed:,} {of} are needed; there are {have:,}."
