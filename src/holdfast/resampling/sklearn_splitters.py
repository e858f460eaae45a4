"""Splitters of scikit-learn, and pairs of indices: taken as they are, and checked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast.errors import HoldfastError, InvalidEvidence
from holdfast.resampling.plans import Labels, Plan
from holdfast.resampling.splits import Integers, Listed, rest_of
from holdfast.wording import brief, quoted

# Those that are known to look at nothing but the number of rows. A group may follow from the label, so that splitters
# that keep groups together are not among them; nor are those that a user derived from these.
BLIND = {"KFold", "RepeatedKFold", "ShuffleSplit", "LeaveOneOut", "LeavePOut", "TimeSeriesSplit"}


def foreign(splitter: Any, labels: Labels, groups: Any = None) -> Plan:
    """The splits of a splitter with `split`, or of an iterable of pairs."""
    name = type(splitter).__name__
    known = type(splitter).__module__.startswith("sklearn.model_selection.")
    pairs: Iterable[Any]
    if hasattr(splitter, "split") and not isinstance(splitter, (bytes, type)):
        if known and groups is not None and "Group" not in name:
            raise HoldfastError(
                f"{name} does not keep groups together; use one that does, as GroupKFold, or leave groups= out."
            )
        pairs, repeats, scheme = _pairs_of(splitter, labels, groups), getattr(splitter, "n_repeats", 1), name
    elif isinstance(splitter, Iterable) and not isinstance(splitter, (bytes, dict)):
        if groups is not None:
            raise HoldfastError("Pairs of indices are made already and do not keep groups together; leave groups= out.")
        pairs, repeats, scheme = splitter, 1, "given"
    else:
        raise HoldfastError(
            f"A scheme is a name, a splitter with a method split, or pairs of indices; got {quoted(splitter)}."
        )
    splits = listed(pairs, labels.rows, repeats)
    return Plan(
        scheme,
        labels.rows,
        splits.repeats,
        len(splits) // splits.repeats,
        None,
        splits,
        stratified=_stratified(name) if known else None,
        grouped=groups is not None,
        blind=known and name in BLIND,
    )


def _stratified(name: str) -> bool | None:
    """Whether a splitter of scikit-learn evens out the classes; None where that is the user's doing."""
    if "Stratified" in name:
        return True
    return False if name in BLIND or "Group" in name else None


def _pairs_of(splitter: Any, labels: Labels, groups: Any) -> Iterator[Any]:
    """The splits one by one: all at once would not fit, as when each leaves out one row."""
    column = None if groups is None else np.asarray(groups)
    truth = None if labels.bare else np.asarray(labels.given)
    try:
        yield from splitter.split(np.zeros((labels.rows, 1)), truth, column)
    except (ValueError, TypeError, IndexError) as error:
        raise HoldfastError(f"{type(splitter).__name__} could not split {labels.rows:,} rows: {brief(error)}") from None


def listed(pairs: Iterable[Any], rows: int, repeats: Any = 1) -> Listed:
    """The pairs, checked; a training part that is simply the rest is not kept."""
    tests: list[NDArray[Any]] = []
    trains: list[NDArray[Any]] = []
    rest: list[bool] = []
    small = np.min_scalar_type(rows)
    for number, pair in enumerate(pairs):
        try:
            train, test = pair
        except (TypeError, ValueError):
            raise HoldfastError(
                f"Split {number} should be a pair: rows that train, rows that test; got {quoted(pair)}."
            ) from None
        trained, tested = _places("train", number, train, rows), _places("test", number, test, rows)
        if len(np.unique(tested)) < len(tested):
            raise InvalidEvidence(f"Split {number} tests a row twice; test each row of a split once.")
        rest.append(bool(np.array_equal(trained, rest_of(tested, rows))))
        tests.append(tested.astype(small))
        trains.append(trained[: 0 if rest[-1] else None].astype(small))
    if not rest:
        raise HoldfastError("A plan needs at least one split; none was given.")
    if not isinstance(repeats, int) or repeats < 1 or len(rest) % repeats:
        repeats = 1
    return Listed(
        rows, repeats, np.concatenate(tests), _ends(tests), np.concatenate(trains), _ends(trains), np.array(rest)
    )


def _places(what: str, number: int, given: Any, rows: int) -> Integers:
    """Places of rows, or a flag for each row."""
    try:
        array = np.asarray(given)
    except (TypeError, ValueError):
        array = np.asarray(None)
    if array.ndim == 1 and array.dtype.kind == "b" and len(array) == rows:
        array = np.flatnonzero(array)
    if array.ndim == 1 and not array.size:
        raise HoldfastError(f"Split {number} has no rows to {what} on; leave it out, or make its parts larger.")
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise InvalidEvidence(
            f"The rows that split {number} is to {what} on should be whole numbers from 0; got {quoted(given)}."
        )
    if array.min() < 0 or array.max() >= rows:
        wrong = array.min() if array.min() < 0 else array.max()
        raise InvalidEvidence(f"Split {number} is to {what} on row {wrong:,}; rows are counted from 0 to {rows - 1:,}.")
    return array.astype(np.int64)


def _ends(arrays: list[NDArray[Any]]) -> Integers:
    return np.cumsum([len(array) for array in arrays], dtype=np.int64)
