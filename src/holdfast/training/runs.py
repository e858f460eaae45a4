"""A whole run: what is asked for, who does it, and what is kept as it comes."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING, Any

from holdfast.errors import HoldfastError
from holdfast.training.engines import Queue, cores, engine_of, fitted, known, ready
from holdfast.training.fit import Failure, Fit, FoldFailed, Outcome, Work, one_thread, packed, run
from holdfast.training.fits import Fits
from holdfast.training.given import checked, labelled, told
from holdfast.training.given import tabled as examples
from holdfast.training.store import Store
from holdfast.wording import quoted

if TYPE_CHECKING:
    from holdfast.resampling import Plan

Progress = Callable[[int, int], object]
STARTING = 1.0  # seconds that processes take to start: if they would save less than that, the work stays here
GRACE = 0.25  # seconds after which a first split is long enough for others to start beside it
READY = 0.02  # the part of both that is left when the processes are there already
SHOWN = 0.05  # seconds between two calls of `progress`


def fit_all(
    estimator: Any,
    X: Any,  # scikit-learn's name
    y: Any,
    plan: Plan,
    *,
    splits: Iterable[int] | None = None,
    engine: str | None = None,
    workers: int | None = None,
    seed: int = 0,
    scores: bool = True,
    progress: Progress | None = None,
    store: str | PathLike[str] | None = None,
    depends_on: Iterable[str | PathLike[str]] = (),
) -> Fits:
    """What a learner, fitted anew on each split of a plan, predicts for the rows that the split tests on.

    Parameters
    ----------
    estimator
        An unfitted classifier of scikit-learn, or anything with `get_params`, `fit` and `predict`. It stays as it is:
        each split fits a copy. A `random_state` left None, also further in, gets a number made of `seed` and the split;
        one that was set stays. So the numbers do not depend on who fits a split, or when; those of a learner that asks
        numpy's global generator do.
    X, y
        The examples, in anything that scikit-learn takes rows from, and their labels.
    plan
        The splits, from `holdfast.resampling.plan`.
    splits
        The numbers of those that are wanted; all by default.
    engine
        "serial", "threads", "processes", "dask", "ray", an existing cluster as "dask:tcp://host:8786" or
        "ray:address", or any backend registered with joblib. By default processes, except for work so small that
        starting them costs more than they save. Scripts that use Dask need the `if __name__ == "__main__"` guard.
    workers
        How many fit at a time; by default one a processor. Each uses one thread.
    scores
        Whether to ask for `predict_proba`, or else `decision_function`, too.
    progress
        Called with the number of finished splits and of all, now and then.
    store
        A directory that finished splits are written to as they come. Called again with the same store, only what is
        missing is fitted, and a note says how many splits were there. A store of other work is refused: other data,
        splits, parameters, or another code of the learner, be it in a file of the user's, in a function that was typed
        in, or in another version of a package. A part that is not as it was written is fitted again, and told.
    depends_on
        Files that the learner depends on beside those that its code is found in, such as one that it reads: once they
        are others, so is the work.

    Raises
    ------
    FoldFailed
        With the split, the learner and its error, when a split fails; what was finished is stored before.
    WorkersDied
        When whoever fits a split dies again and again. Whoever dies once is replaced.

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from holdfast.resampling import plan
    >>> X, y = [[0], [1], [2], [10], [11], [12]], ["low"] * 3 + ["high"] * 3
    >>> fits = fit_all(KNeighborsClassifier(1), X, y, plan("leave-one-out", y))
    >>> fits.classes, fits[0].predicted.tolist()
    (['high', 'low'], [1])
    >>> fits.frame().select("row", "truth", "predicted", "score").row(3)
    (3, 'high', 'high', 0.0)
    """
    learner = checked(estimator)
    labels, codes = labelled(y, plan.rows)
    wanted = _wanted(splits, len(plan))
    _check_numbers(seed, workers)
    work = Work(learner, examples(X, plan.rows), labels, codes, plan, seed, scores)
    course = Course(engine if engine is None else known(engine), workers or cores())
    kept = None if store is None else Store.open(store, work, [Path(each) for each in depends_on])
    found = {} if kept is None else {split: fit for split, fit in kept.finished.items() if split in wanted}
    if kept is not None and found:
        kept.notes.insert(0, earlier(len(found), len(wanted)))
    showing = Showing(progress, len(wanted), len(found))
    outcomes = course.outcomes(work, [split for split in wanted if split not in found])
    try:
        with closing(outcomes):
            for split, outcome in outcomes:
                if isinstance(outcome, Failure):
                    raise FoldFailed(split, plan.place(split), told(learner), outcome, kept is not None)
                found[split] = outcome
                if kept is not None:
                    kept.add(split, outcome)
                showing.step(len(found))
    finally:
        if kept is not None:
            kept.flush()
    notes = [*(kept.notes if kept is not None else ()), *course.notes, *_notes(found)]
    fits = Fits(labels.tolist(), codes, plan, found, tuple(notes), course.used, course.tasks, work)
    if kept is not None:
        kept.finish(fits)
    return fits


def earlier(number: int, total: int) -> str:
    """That not all numbers are of this run.

    Examples
    --------
    >>> print(earlier(12, 50))
    12 of 50 splits were fitted earlier.
    """
    return f"{number:,} of {total:,} split{'s' * (total > 1)} {'was' if number == 1 else 'were'} fitted earlier."


def _wanted(splits: Iterable[int] | None, number: int) -> list[int]:
    wanted = list(range(number)) if splits is None else [int(split) for split in dict.fromkeys(splits)]
    wrong = next((split for split in wanted if not 0 <= split < number), None)
    if wrong is not None:
        raise HoldfastError(f"The plan has the splits 0 to {number - 1:,}; splits= asks for {wrong:,}.")
    return wanted


def _check_numbers(seed: Any, workers: Any) -> None:
    if not hasattr(seed, "__index__") or seed < 0:
        raise HoldfastError(f"seed should be a whole number from 0 up; got {quoted(seed)}.")
    if workers is not None and (not hasattr(workers, "__index__") or workers < 1):
        raise HoldfastError(f"workers should be a whole number from 1 up; got {quoted(workers)}.")


def _notes(found: dict[int, Fit]) -> Iterator[str]:
    """Each distinct note once, with the first split that it is about; and that partial scores are no scores."""
    first: dict[str, int] = {}
    for split in sorted(found):
        if found[split].note:
            first.setdefault(found[split].note, split)
    for note, split in first.items():
        yield f"Split {split}: {note}"
    ways = {fit.scored_by for fit in found.values()}
    if len(ways) > 1:
        yield "Not every split has scores of the same kind, so none are reported."


@dataclass
class Showing:
    """Tells how far the work is, but not more often than anybody can see."""

    progress: Progress | None
    total: int
    begun: int
    last: float = field(default_factory=monotonic)

    def __post_init__(self) -> None:
        if self.progress is not None:
            self.progress(self.begun, self.total)

    def step(self, done: int) -> None:
        now = monotonic()
        if self.progress is not None and (done == self.total or now - self.last > SHOWN):
            self.last = now
            self.progress(done, self.total)


@dataclass
class Course:
    """Who does the work, and how it went."""

    engine: str | None
    workers: int
    used: str = "serial"
    tasks: int = 0
    notes: list[str] = field(default_factory=list)

    def outcomes(self, work: Work, splits: list[int]) -> Generator[Outcome]:
        """What becomes of each split, in the order in which they are finished."""
        queue = Queue(deque(splits), self.workers)
        alone = self.engine == "serial" or (self.workers == 1 and self.engine in (None, "threads", "processes"))
        late = None
        with one_thread("blas"):
            if alone or not splits:
                yield from run(work, splits)
                return
            if self.engine is None:
                late = yield from self._here_while_small(work, queue)
            if queue.waiting:
                yield from self._elsewhere(work, queue)
            if late is not None:
                late.join()
                yield late.outcome

    def _here_while_small(self, work: Work, queue: Queue) -> Generator[Outcome, None, Apart | None]:
        """One split after another in this process, until it is seen that others would save time.

        Returns a first split that is still under way when others should start beside it.
        """
        part = READY if ready(self.workers) else 1.0
        queue.seconds = part * GRACE
        first = Apart(work, queue.waiting.popleft())
        first.join(part * GRACE if queue.waiting else None)
        if first.is_alive():
            return first
        yield first.outcome
        queue.seconds = first.seconds

        def small() -> Iterator[int]:
            while queue.waiting and queue.seconds * len(queue.waiting) * (1 - 1 / self.workers) < part * STARTING:
                yield queue.waiting.popleft()

        for outcome in run(work, small()):
            queue.done((), [outcome])
            yield outcome
        return None

    def _elsewhere(self, work: Work, queue: Queue) -> Iterator[Outcome]:
        name = self.engine or "processes"
        if name != "threads":
            try:
                work = replace(work, learner=packed(work.learner))
            except HoldfastError as error:
                if self.engine is not None:
                    raise
                self.notes.append(f"All splits were fitted in this process: {error}")
                yield from run(work, list(queue.waiting))
                return
        self.used = name
        with engine_of(name, self.workers, work) as stream, closing(fitted(stream, queue)) as outcomes:
            try:
                yield from outcomes
            finally:
                self.tasks = queue.tasks
                if queue.deaths:
                    self.notes.append(
                        f"Workers died {queue.died_times} time{'s' * (queue.died_times > 1)}; what they had was fitted "
                        "again, and no number depends on it."
                    )


class Apart(Thread):
    """One split in a thread of its own, so that others can be started if it takes long."""

    def __init__(self, work: Work, split: int) -> None:
        super().__init__(daemon=True)
        self.work, self.split = work, split
        self.start()

    def run(self) -> None:
        ((_, self.found),) = run(self.work, [self.split])

    @property
    def outcome(self) -> Outcome:
        return self.split, self.found

    @property
    def seconds(self) -> float:
        return self.found.seconds if isinstance(self.found, Fit) else 0.0
