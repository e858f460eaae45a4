"""A plan from the name of a scheme, from a splitter of scikit-learn, or from pairs of indices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast.errors import HoldfastError, InvalidEvidence, UnknownName
from holdfast.resampling.plans import Labels, Plan, count, group_codes, share
from holdfast.resampling.schemes import FOLDS, REPEATS, ROUNDS, SCHEMES, TEST_SHARE, Asked, chance, drawn, ordered
from holdfast.resampling.splits import Drawn, Growing, Integers, Listed, rest_of
from holdfast.wording import brief, quoted

USUAL = {"folds": FOLDS, "repeats": REPEATS, "rounds": ROUNDS, "test_share": TEST_SHARE, "in_order": False}


def plan(
    scheme: Any,
    y: Any,
    *,
    folds: int | None = None,
    repeats: int | None = None,
    seed: int = 0,
    groups: Any = None,
    test_share: float | None = None,
    rounds: int | None = None,
    in_order: bool = False,
) -> Plan:
    """Which rows train and which test, by the name of a scheme, a splitter of scikit-learn or pairs of indices.

    Parameters
    ----------
    scheme
        A name of `SCHEMES`; an object with `split`, as those of scikit-learn; or an iterable of pairs
        (places of the rows that train, places of those that test). A plan comes back as it is.
    y
        The labels, one a row; or just the number of rows, where the scheme does not look at labels.
    folds
        Parts of a cross-validation, 10 unless told; of a progressive validation, blocks that are tested on.
    repeats
        How often the whole is done, with rows dealt out anew.
    seed
        Where all chance comes from. A splitter of scikit-learn brings its own.
    groups
        For grouped folds, one a row: rows of one group stay together.
    test_share
        The share of rows that a hold-out or a round of Monte Carlo tests on, 0.3 unless told.
    rounds
        How often Monte Carlo splits or a bootstrap draws, 50 unless told.
    in_order
        Progressive validation takes rows as they come, and does not shuffle them first.

    Examples
    --------
    >>> plan("kfold", 150, repeats=5)
    Plan(kfold, 150 rows, 5 times 10 splits, seed=0)
    >>> plan("leave-one-out", 5).test(3)
    array([3])
    >>> bootstrap = plan("bootstrap", 1_000, rounds=2, seed=1)
    >>> bootstrap.n_train, bootstrap.n_test
    (array([1000, 1000]), array([372, 363]))
    """
    labels = Labels(y)
    given = {
        "folds": folds,
        "repeats": repeats,
        "rounds": rounds,
        "test_share": test_share,
        "groups": groups,
        "in_order": in_order,
    }
    if isinstance(scheme, Plan):
        if scheme.rows != labels.rows:
            raise HoldfastError(f"The plan was made for {scheme.rows:,} rows; there are {labels.rows:,}. Make it anew.")
        _refuse_unused("A plan", given, ("groups",) if scheme.grouped else ())
        _refuse_divided(scheme, groups)
        return scheme
    if not isinstance(scheme, str):
        _refuse_unused("A splitter or a list of pairs", given, ("groups",))
        return foreign(scheme, labels, groups)
    name = scheme.strip().lower().replace("_", "-")
    if name not in SCHEMES:
        raise UnknownName("scheme", scheme, SCHEMES)
    made = SCHEMES[name]
    _refuse_unused(f"The scheme {name!r}", given, made.takes, dict(made.fixed))
    settled = {option: value for option, value in given.items() if value is not None and option in made.takes}
    options = Asked(labels, count("seed", seed, 0), **settled)
    times = dict(made.fixed).get("repeats") or count("repeats", options.repeats, 1)
    splits = made.make(options)
    recorded = options.seed if made.random and not options.in_order else None
    return Plan(
        name,
        options.rows,
        times,
        len(splits) // times,
        recorded,
        splits,
        made.stratified,
        made.grouped,
        made.blind,
    )


def redrawn(y: Any, rounds: int = ROUNDS, test_share: float = TEST_SHARE, seed: int = 0) -> Plan:
    """One test part for all splits; each trains on a bootstrap sample of the other rows.

    Examples
    --------
    >>> spread = redrawn(10, rounds=4)
    >>> spread.n_train, spread.n_test
    (array([7, 7, 7, 7]), array([3, 3, 3, 3]))
    """
    labels, seed, rounds = Labels(y), count("seed", seed, 0), count("rounds", rounds, 1)
    number = share("test_share= (--test-share)", test_share, labels.rows)
    tested = np.zeros(labels.rows, np.bool_)
    tested[chance(seed).permutation(labels.rows)[:number]] = True
    samples = drawn(labels.rows - number, rounds, seed, left_out=False, first=1)
    counts = np.zeros((rounds, labels.rows), samples.dtype)
    counts[:, ~tested] = samples
    return Plan("redrawn", labels.rows, 1, rounds, seed, Drawn(counts, tested), blind=True)


def shares(y: Any, train_shares: Iterable[float], repeats: int = REPEATS, seed: int = 0) -> Plan:
    """Splits that train on more and more of the rows and test on all others; the larger hold the smaller ones.

    Examples
    --------
    >>> curve = shares(100, [0.1, 0.5, 0.9], repeats=2)
    >>> curve.n_train, curve.n_test
    (array([10, 50, 90, 10, 50, 90]), array([90, 50, 10, 90, 50, 10]))
    """
    labels, seed, repeats = Labels(y), count("seed", seed, 0), count("repeats", repeats, 1)
    cuts = np.array([share("train_shares= (--shares)", part, labels.rows) for part in train_shares], np.int64)
    if not len(cuts) or np.any(np.diff(cuts) <= 0):
        raise HoldfastError(
            f"train_shares needs rising shares, each with more rows than the one before; got {cuts.tolist()} rows "
            f"of {labels.rows:,}."
        )
    steps = np.searchsorted(cuts, np.arange(labels.rows), side="right")
    start = np.arange(1, len(cuts) + 1)
    splits = Growing(ordered(steps, repeats, seed), start, np.full(len(cuts), len(cuts) + 1))
    return Plan("shares", labels.rows, repeats, len(cuts), seed, splits, blind=True)


def _refuse_unused(
    who: str, given: dict[str, Any], takes: tuple[str, ...], fixed: dict[str, int] | None = None
) -> None:
    """What would not be listened to is an error; what is usual anyway is not."""
    for option, value in given.items():
        if option in takes or value is None:
            continue
        if option == "groups":
            raise HoldfastError(
                f"{who} does not keep groups together; use the scheme 'grouped', or leave groups= (--group) out."
            )
        usual = USUAL[option] if option in ("folds", "repeats", "in_order") else None  # what verbs have by default
        if value not in (usual, (fixed or {}).get(option)):
            users = ", ".join(name for name, scheme in SCHEMES.items() if option in scheme.takes)
            typed = f"--{option.replace('_', '-')} {value}"
            raise HoldfastError(
                f"{who} has no use for {option}={quoted(value)} ({typed}); leave it out. It is for: {users}."
            )


def _refuse_divided(made: Plan, groups: Any) -> None:
    """Groups that the plan was not made for are an error."""
    if groups is None:
        return
    codes = group_codes(groups, made.rows, 1)
    for number, (trained, tested) in enumerate(made):
        if np.isin(codes[tested], codes[trained]).any():
            raise HoldfastError(f"The plan was made for other groups: split {number} divides one. Make it anew.")


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
