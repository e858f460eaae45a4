"""One split: a fresh copy of the learner, fitted on some rows, predicts others."""

from __future__ import annotations

import copy
import sys
import traceback
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import lru_cache
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from holdfast.errors import HoldfastError
from holdfast.training.given import Codes, by_pairs, named, taken
from holdfast.wording import brief, quoted

if TYPE_CHECKING:
    from holdfast.resampling import Plan


def one_thread(kind: str) -> AbstractContextManager[object]:
    """Limit the libraries of one kind, "openmp" or "blas", as long as this lasts."""
    return _libraries(len(sys.modules)).limit(limits=1, user_api=kind)


@lru_cache(1)
def _libraries(modules: int) -> Any:
    """Those that are loaded; to look for them takes milliseconds, so only after new imports."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


WAYS = ("predict_proba", "decision_function")
LOWEST = float(np.finfo(np.float64).min)  # the score of a class that a fold did not train on, where 0 is no score


@dataclass(frozen=True, eq=False)
class Work:
    """All that a worker needs: it travels once, and then the numbers of the splits do."""

    learner: Any  # or as it is `packed`
    X: Any
    labels: NDArray[Any]
    codes: Codes
    plan: Plan
    seed: int
    scores: bool


@dataclass(frozen=True, eq=False)
class Fit:
    """What one split's model said of its test rows."""

    predicted: Codes  # the places of the labels, in the order of `plan.test`
    scores: NDArray[np.float64] | None  # of two classes the second's, (m,); of more, a column a class
    scored_by: str | None  # predict_proba or decision_function
    seconds: float
    note: str = ""


@dataclass(frozen=True, eq=False)
class Failure:
    """An error that a split ended in, in words: errors themselves do not always travel."""

    error: str
    trace: str


class FoldFailed(HoldfastError):
    """The learner, or what it returned, failed on one split; those finished before are kept in the store."""

    def __init__(self, split: int, place: tuple[int, int], learner: str, failure: Failure, kept: bool = False) -> None:
        self.split, (self.repeat, self.fold), self.learner = split, place, learner
        self.error = failure.error
        kept_too = " What was finished is kept in the store." if kept else ""
        super().__init__(
            f"Repeat {self.repeat}, fold {self.fold} (split {split}, counted from 0) failed with {learner}: "
            f"{failure.error}{kept_too}"
        )
        self.add_note(failure.trace)


Outcome = tuple[int, Fit | Failure]


def run(work: Work, splits: Iterable[int]) -> Iterator[Outcome]:
    """Fit one split after another; after a failure no more. Whoever asks sees to `one_thread("blas")`."""
    learner = unpacked(work.learner)
    seeded = unseeded(learner)
    with one_thread("openmp"):
        for split in splits:
            try:
                outcome: Fit | Failure = _fitted(work, learner, seeded, split)
            except (Exception, SystemExit) as error:  # a learner that leaves does not take everybody with it
                outcome = Failure(f"{type(error).__name__}: {brief(error, 400)}", traceback.format_exc())
            yield split, outcome
            if isinstance(outcome, Failure):
                return


def run_all(work: Work, splits: Iterable[int]) -> list[Outcome]:
    """The same at once, for a worker to send back."""
    work = replace(work, learner=unpacked(work.learner))  # first, since it loads what is to be limited
    with one_thread("blas"):
        return list(run(work, splits))


def _fitted(work: Work, learner: Any, seeded: dict[str, Any], split: int) -> Fit:
    from sklearn.base import clone

    start = perf_counter()
    trained, tested = work.plan.train(split), work.plan.test(split)
    model = clone(learner)
    if seeded:
        model.set_params(**_seeds(seeded, work.seed, split))
    model.fit(taken(work.X, trained), work.labels[work.codes[trained]])
    rows = taken(work.X, tested)
    predicted = _coded(model.predict(rows), work.labels, len(tested))
    scores, way, note = _scores(model, rows, work.labels, len(tested)) if work.scores else (None, None, "")
    return Fit(predicted, scores, way, perf_counter() - start, note)


def unseeded(learner: Any) -> dict[str, Any]:
    """The parameters that leave chance open: `random_state` left None, here or further in, and splitters with such."""
    left: dict[str, Any] = {}
    for name, value in learner.get_params(deep=True).items():
        if name.rpartition("__")[2] == "random_state" and value is None:
            left[name] = None
        elif getattr(value, "random_state", 0) is None and not hasattr(value, "get_params"):
            left[name] = value
    return left


def _seeds(seeded: dict[str, Any], seed: int, split: int) -> dict[str, Any]:
    """A number for each of them, which depends on the seed and the split alone, not on who fits it or when."""
    words = np.random.SeedSequence([seed, split]).generate_state(len(seeded)) >> 1  # some libraries take 31 bits only
    seeds: dict[str, Any] = {}
    for (name, value), word in zip(sorted(seeded.items()), words.tolist(), strict=True):
        seeds[name] = word
        if value is not None:
            seeds[name] = copy.copy(value)
            seeds[name].random_state = word
    return seeds


def _coded(predicted: Any, labels: NDArray[Any], rows: int) -> Codes:
    """The places of the predicted labels among those of y."""
    array = np.asarray(predicted)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.shape != (rows,):
        raise HoldfastError(f"predict was given {rows:,} rows and answered with an array of shape {array.shape}.")
    if _kind(array) != _kind(labels):
        raise _unknown(array[0], labels)
    try:
        codes = np.minimum(np.searchsorted(labels, array), len(labels) - 1).astype(np.int32)
    except TypeError:  # objects that do not compare
        raise _unknown(array[0], labels) from None
    wrong = labels[codes] != array
    if wrong.any():
        raise _unknown(array[int(np.argmax(wrong))], labels)
    return codes


def _kind(array: NDArray[Any]) -> str:
    return "numbers" if array.dtype.kind in "biuf" else "text" if array.dtype.kind in "OUST" else array.dtype.kind


def _unknown(label: Any, labels: NDArray[Any]) -> HoldfastError:
    some = ", ".join(quoted(known) for known in labels[:5].tolist()) + ", ..." * (len(labels) > 5)
    label = label.item() if hasattr(label, "item") else label
    return HoldfastError(f"predict answered with {quoted(label)}, which is no label of y ({some}).")


def _scores(
    model: Any, rows: Any, labels: NDArray[Any], number: int
) -> tuple[NDArray[np.float64] | None, str | None, str]:
    """A column a label, of two labels only the second's; which method gave them, or why there are none."""
    way = next((way for way in WAYS if hasattr(model, way)), None)
    if way is None:
        return None, None, ""
    found = np.asarray(getattr(model, way)(rows))
    known = np.asarray(getattr(model, "classes_", ()))
    if found.ndim == 1 and len(known) == 2:
        if len(labels) == 2 and len(found) == number and np.array_equal(known, labels):
            return _finite(found.astype(np.float64), way)
        found = np.stack([-found, found], axis=1)
    if (
        known.ndim != 1
        or found.shape != (number, len(known))
        or (way != WAYS[0] and len(known) > 2 and by_pairs(model))
    ):
        return (
            None,
            None,
            f"{way} gives {_shape(found)} for {number:,} rows and {len(known):,} classes: no scores are kept.",
        )
    full = np.full((number, len(labels)), 0.0 if way == WAYS[0] else LOWEST)
    full[:, _coded(known, labels, len(known))] = found
    return _finite(full[:, 1] if len(labels) == 2 else full, way)


def _finite(scores: NDArray[np.float64], way: str) -> tuple[NDArray[np.float64] | None, str | None, str]:
    if np.isnan(scores).any():
        return None, None, f"{way} gives values that are no numbers (NaN): no scores are kept."
    return np.ascontiguousarray(scores), way, ""


def _shape(array: NDArray[Any]) -> str:
    return f"an array of shape {array.shape}"


def packed(learner: Any) -> bytes:
    """The learner as it travels; what comes from a file that workers could not import is sent along with it."""
    pickler = cloudpickle()
    made = {type(value).__module__ for value in (learner, *learner.get_params(deep=True).values())}
    alone = [sys.modules[module] for module in sorted(made) if not _importable(module)]
    new = [module for module in alone if module.__name__ not in pickler.list_registry_pickle_by_value()]
    for module in new:
        pickler.register_pickle_by_value(module)
    try:
        return bytes(pickler.dumps(learner))
    except Exception as error:
        raise HoldfastError(
            f"{named(learner)} cannot be sent to other processes ({brief(error)}). Train with engine='threads' "
            "(--engine threads) or engine='serial' (--engine serial), or leave out of it what is open or locked."
        ) from error
    finally:
        for module in new:
            pickler.unregister_pickle_by_value(module)


def _importable(module: str) -> bool:
    """Whether the module would be found if it were not here already; what is typed in or run is sent along anyway."""
    first = module.partition(".")[0]
    known = first == "__main__" or module not in sys.modules
    return known or any(finder.find_spec(first, None) is not None for finder in sys.meta_path)


def unpacked(learner: Any) -> Any:
    """The learner, as the process that asks for the work packed it, in this very run."""
    if not isinstance(learner, bytes):
        return learner
    return cloudpickle().loads(learner)


def cloudpickle() -> Any:
    """What pickles functions and classes too that a worker could not import."""
    from importlib import import_module

    try:
        return import_module("cloudpickle")
    except ImportError:  # joblib before 1.6 brings its own
        return import_module("joblib.externals.cloudpickle")
