"""Assertions about a classifier, whose failure message is the claim."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal, NoReturn

from holdfast.errors import HoldfastError

if TYPE_CHECKING:
    from holdfast.report import Decision
    from holdfast.report.decision import Accept

Undecided = Literal["fail", "skip", "pass"]
UNDECIDED: tuple[Undecided, ...] = ("fail", "skip", "pass")


def assert_at_most(
    truth: Any = None,
    predicted: Any = None,
    score: Any = None,
    *,
    limit: float,
    measure: str = "error-rate",
    label: object = None,
    confidence: float | str | None = None,
    delta: float | None = None,
    looks: int = 1,
    sequential: bool = False,
    accept: Accept | None = None,
    undecided: Undecided = "fail",
    **options: Any,
) -> Decision:
    """Fail unless the data prove that the measure is at most the limit.

    The first argument is an array of true labels, `Predictions` (`hf.read` makes them of a file or a frame) or
    `Counts`, as for `gate`, which also says what `looks`, `sequential` and the further options are. Where the data
    neither prove nor refute it, the test fails too; `undecided="skip"` skips it and `undecided="pass"` lets it pass.
    What is supported for large n only is undecided, unless `accept="large-n"`.

    Examples
    --------
    >>> from holdfast import Counts
    >>> print(assert_at_most(Counts(0, 100), limit=0.05).answer)
    proven
    >>> assert_at_most(Counts(8, 100), limit=0.05)  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    AssertionError: error-rate: 0.080, at most 0.140, ...: not proven to be at most 0.05; not enough data, ...
    """
    __tracebackhide__ = True
    question = {"measure": measure, "label": label, "at_most": limit, "looks": looks, "sequential": sequential}
    options |= {"confidence": confidence, "delta": delta, "accept": accept}
    return _assert(undecided, truth, predicted, score, **question, **options)


def assert_at_least(
    truth: Any = None,
    predicted: Any = None,
    score: Any = None,
    *,
    limit: float,
    measure: str,
    label: object = None,
    confidence: float | str | None = None,
    delta: float | None = None,
    looks: int = 1,
    sequential: bool = False,
    accept: Accept | None = None,
    undecided: Undecided = "fail",
    **options: Any,
) -> Decision:
    """Fail unless the data prove that the measure is at least the limit; else as `assert_at_most`.

    Examples
    --------
    >>> truth = ["fraud"] * 50 + ["fine"] * 50
    >>> print(assert_at_least(truth, truth, measure="recall", label="fraud", limit=0.9).answer)
    proven
    """
    __tracebackhide__ = True
    question = {"measure": measure, "label": label, "at_least": limit, "looks": looks, "sequential": sequential}
    options |= {"confidence": confidence, "delta": delta, "accept": accept}
    return _assert(undecided, truth, predicted, score, **question, **options)


def assert_required(
    truth: Any = None,
    predicted: Any = None,
    scores: Any = None,
    *,
    require: str,
    margin: float = 0.0,
    undecided: Undecided = "fail",
    **options: Any,
) -> Decision:
    """Fail unless the data prove what is required of the first model against every other one.

    All arguments but `undecided` are those of `compare`: `require` is "better", "not-worse" or "equivalent". What is
    supported for large n only is undecided, unless `accept="large-n"`.

    Examples
    --------
    >>> truth = [1, 0] * 30
    >>> answers = {"new": truth, "old": [1, 1] * 20 + [1, 0] * 10}
    >>> print(assert_required(truth, answers, require="better").answer)
    proven
    """
    __tracebackhide__ = True
    from holdfast.verbs.compare.compare import compare

    _check(undecided)
    report = compare(truth, predicted, scores, require=require, margin=margin, **options)  # type: ignore[arg-type]
    return assert_decision(report.decision, undecided=undecided)


def assert_proven(
    predictions: Any,
    *,
    ledger: Any,
    truth_file: Any = None,
    on: str | None = None,
    key: Any = None,
    **asked: Any,
) -> Decision:
    """Fail unless a sealed gate of the ledger calls it proven; the message says so, and nothing of the labels.

    `predictions` is a file or a data frame, whose labels `truth_file` holds, joined by the column `on`; they are read
    here, so that no traceback can show them. What else is asked is that of `gate`.
    """
    __tracebackhide__ = True
    decision, refusal = _sealed(predictions, ledger, truth_file, on, key, asked)
    if decision is None:
        raise HoldfastError(refusal)
    return assert_decision(decision)


def _sealed(
    predictions: Any, ledger: Any, truth_file: Any, on: str | None, key: Any, asked: dict[str, Any]
) -> tuple[Decision | None, str]:
    """The decision, or why there is none; whatever held labels on the way is gone when this returns."""
    from holdfast.sources import read
    from holdfast.sources.labels import with_labels
    from holdfast.verbs.gate.gate import gate
    from holdfast.verbs.ledger.ledger import Ledger

    try:
        kept = ledger if isinstance(ledger, Ledger) else Ledger(ledger, key=key, truth_file=truth_file or predictions)
        named: dict[str, Any] = {"id": on} if kept.by_id else {}
        if truth_file is not None:
            source, truth = with_labels(predictions, truth_file, on, sealed=True)
            named |= {"truth": truth}
        else:
            source = predictions
        return gate(read(source, **named), ledger=kept, **asked), ""
    except HoldfastError as error:
        return None, str(error)


def assert_decision(decision: Decision, *, undecided: Undecided = "fail") -> Decision:
    """Fail unless the decision, of a gate or a comparison, is that all of it is proven; the message is the claims.

    What is supported for large n only is undecided, unless the decision was made with `accept="large-n"`.

    Examples
    --------
    >>> from holdfast.report import Answer, Decision
    >>> assert_decision(Decision(Answer.PROVEN, "error-rate at most 0.05"))
    <Decision proven: error-rate at most 0.05>
    """
    __tracebackhide__ = True
    _check(undecided)
    _listener(decision)
    refuted, undone = decision.exit_code == 1, decision.exit_code == 3
    if refuted or (undone and undecided == "fail"):
        raise AssertionError(_message(decision))
    if undone and undecided == "skip":
        _skip(_message(decision))
    return decision


@contextmanager
def listening(listener: Callable[[Decision], None]) -> Iterator[None]:
    """Within this context the listener, and nobody else, hears of every decision that is asserted."""
    global _listener
    before, _listener = _listener, listener
    try:
        yield
    finally:
        _listener = before


def _nobody(decision: Decision) -> None:
    """Hears of decisions where no test-run is listening."""


_listener: Callable[[Decision], None] = _nobody


def _assert(undecided: Undecided, *data: Any, **question: Any) -> Decision:
    __tracebackhide__ = True
    from holdfast.verbs.gate.gate import gate

    _check(undecided)
    return assert_decision(gate(*data, **question), undecided=undecided)


def _check(undecided: object) -> None:
    if undecided not in UNDECIDED:
        raise HoldfastError(f"undecided= is {', '.join(map(repr, UNDECIDED[:-1]))} or 'pass'; got {undecided!r}.")


def _message(decision: Decision) -> str:
    """The claim; where there are several, those that are not proven, a line each."""
    from holdfast.render.ci.verdict import MOST_TOLD, foremost, tally, verdict

    if not decision.parts:
        return verdict(decision)
    missed = [f"  {verdict(part)}" for part in foremost(decision, MOST_TOLD) if not part]
    rest = sum(not part for part in decision.leaves()) - len(missed)
    return "\n".join([f"{tally(decision)}:", *missed, *([f"  ... and {rest:,} more"] if rest else [])])


def _skip(message: str) -> NoReturn:
    """Skip the running test, whoever runs it."""
    __tracebackhide__ = True
    if "pytest" in sys.modules:
        import pytest

        pytest.skip(message)
    import unittest

    raise unittest.SkipTest(message)
