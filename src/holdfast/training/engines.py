"""Who fits the splits: this process, others on this machine, or a cluster; whoever dies, nothing is lost.

An engine takes batches of splits and gives back what became of each. Processes, threads and whatever else is registered
with joblib are reached through joblib. Dask and Ray are asked for their own futures: each of these tells which batch
died with its worker, where joblib's way to them gives up all that is under way, and the data travel once.
"""

from __future__ import annotations

import os
import signal
import warnings
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import dataclass, field
from threading import current_thread, main_thread
from typing import Any

from holdfast.errors import HoldfastError, UnknownName
from holdfast.training.fit import Fit, Outcome, Work, run_all
from holdfast.training.mapped_work import Parcel, opened, parcelled
from holdfast.wording import brief, quoted

Batch = tuple[int, ...]
Take = Callable[[], Batch | None]
Stream = Callable[[Take], Generator[tuple[Batch, list[Outcome] | None]]]  # None: whoever had the batch died

LONG = 0.5  # seconds that a batch should take: sending it costs some milliseconds
DEATHS = 3  # of whoever has the same split, before it is given up
ENGINES = ("serial", "threads", "processes", "dask", "ray")


class WorkersDied(HoldfastError):
    """Whoever fits certain splits dies each time, which no number of retries mends."""


class Broken(Exception):
    """All that is under way is lost, and has to be asked for again."""


@dataclass
class Queue:
    """The splits that wait and those that are under way."""

    waiting: deque[int]
    workers: int
    seconds: float = LONG  # what a split takes, as far as is known
    under_way: set[Batch] = field(default_factory=set)
    deaths: Counter[int] = field(default_factory=Counter)
    died_times: int = 0
    in_vain: float = 0.0  # times that all under way was lost since anything was finished
    tasks: int = 0

    def take(self) -> Batch | None:
        """The next splits: as many as take about half a second, and fewer towards the end, that all may be busy."""
        if not self.waiting:
            return None
        fair = -(-len(self.waiting) // (2 * self.workers))
        size = max(1, min(fair, int(LONG / max(self.seconds, 1e-6))))
        taken = [self.waiting.popleft()]
        # What was under way when somebody died goes alone, to tell the culprit.
        while len(taken) < size and not self.deaths[taken[-1]] and not self.deaths[self.waiting[0]]:
            taken.append(self.waiting.popleft())
        batch = tuple(taken)
        self.under_way.add(batch)
        self.tasks += 1
        return batch

    def done(self, batch: Batch, outcomes: list[Outcome]) -> None:
        self.under_way.discard(batch)
        self.in_vain = 0.0
        took = [outcome.seconds for _, outcome in outcomes if isinstance(outcome, Fit)]
        if took:
            self.seconds = 0.5 * self.seconds + 0.5 * sum(took) / len(took)

    def died(self, batches: Iterable[Batch], share: float = 1.0) -> None:
        """Back in line, behind those that nobody died of; `share` of all that was under way is lost."""
        self.died_times += 1
        self.in_vain += share
        for batch in sorted(batches):
            self.under_way.discard(batch)
            self.deaths.update(batch)
            self.waiting.extend(batch)
        most = DEATHS if self.in_vain < DEATHS else 1
        given_up = sorted(split for split in self.waiting if self.deaths[split] >= most)
        if given_up:
            some = ", ".join(map(str, given_up[:8])) + ", ..." * (len(given_up) > 8)
            raise WorkersDied(
                f"Whoever fits split {some} dies, {self.died_times} times by now: most often the memory is used up, or "
                "the learner crashes. Use fewer workers or fewer rows, or engine='serial' (--engine "
                "serial) to see it crash here."
            )


def fitted(stream: Stream, queue: Queue) -> Generator[Outcome]:
    """What becomes of all that waits; who dies is replaced, and what he had is asked for again."""
    while queue.waiting or queue.under_way:
        try:
            with closing(stream(queue.take)) as results:
                for batch, outcomes in results:
                    if outcomes is None:
                        queue.died([batch], 1 / len(queue.under_way))
                    else:
                        queue.done(batch, outcomes)
                        yield from outcomes
        except Broken:
            queue.died(list(queue.under_way))


def engine_of(name: str, workers: int, work: Work) -> AbstractContextManager[Stream]:
    """The engine of that name, started, and stopped in the end if it was started here."""
    kind, _, address = name.partition(":")
    if kind == "dask":
        return _dask(work, workers, address or None)
    if kind == "ray":
        return _ray(work, workers, address or None)
    return _joblib({"processes": "loky", "threads": "threading"}.get(name, name), work, workers)


def known(name: str) -> str:
    """The name, if there is such an engine."""
    kind, colon, address = name.partition(":")
    if kind in ("dask", "ray") and bool(colon) != bool(address):
        raise HoldfastError(
            f"engine={quoted(name)} (--engine {name}) names no address: write {kind!r} for one on this "
            f"machine, or {kind}:ADDRESS."
        )
    if kind in ("dask", "ray") or (not colon and kind in ENGINES):
        return name
    from joblib.parallel import BACKENDS

    if name not in BACKENDS:
        raise UnknownName("engine", name, {*ENGINES, *BACKENDS}, ENGINES)
    return name


def cores() -> int:
    """The processors that this process may use."""
    from joblib import cpu_count

    return int(cpu_count())


def ready(workers: int) -> bool:
    """Whether so many processes wait for work already, from an earlier call of joblib by anybody here."""
    from joblib.externals.loky import reusable_executor

    executor = getattr(reusable_executor, "_executor", None)
    flags = getattr(executor, "_flags", None)
    waiting = len(getattr(executor, "_processes", None) or ())
    return waiting >= workers and not (getattr(flags, "broken", True) or getattr(flags, "shutdown", True))


@contextmanager
def _joblib(backend: str, work: Work, workers: int) -> Iterator[Stream]:
    from concurrent.futures.process import BrokenProcessPool

    from joblib import Parallel, delayed
    from joblib.parallel import BACKENDS

    lazily = bool(getattr(BACKENDS[backend], "supports_retrieve_callback", False)) and backend != "multiprocessing"
    options = {"return_as": "generator_unordered"} if lazily else {}

    if backend == "loky":
        _start_tracker()
    with parcelled(work) if backend == "loky" else nullcontext(work) as sent:

        def stream(take: Take) -> Generator[tuple[Batch, list[Outcome] | None]]:
            parallel = Parallel(workers, backend=backend, batch_size=1, pre_dispatch=workers + 1, **options)
            try:
                if lazily:
                    yield from _quietly(parallel(delayed(_labelled)(sent, batch) for batch in iter(take, None)))
                else:  # in handfuls: if one is lost, the others of the handful are too
                    while handful := [batch for _ in range(workers) if (batch := take())]:
                        yield from parallel(delayed(_labelled)(sent, batch) for batch in handful)
            except BrokenProcessPool as error:
                raise Broken from error
            except Exception as error:
                raise HoldfastError(f"A worker cannot do the work: {type(error).__name__}: {brief(error)}") from error

        yield stream


def _start_tracker() -> None:
    """Start what removes the shared memory of processes so that a terminal that closes does not end it before them."""
    from joblib.externals.loky.backend import resource_tracker

    if not hasattr(signal, "SIGHUP"):
        return
    masked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP})  # which it inherits
    try:
        resource_tracker.ensure_running()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, masked)


def _quietly(results: Generator[Any]) -> Iterator[Any]:
    """The results; who stops halfway knows that the rest is lost, and need not be warned."""
    try:
        for result in results:  # noqa: UP028  # `yield from` would close them itself, and aloud
            yield result
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            results.close()


def _labelled(sent: Work | Parcel, batch: Batch) -> tuple[Batch, list[Outcome]]:
    return batch, run_all(opened(sent) if isinstance(sent, Parcel) else sent, batch)


@contextmanager
def _dask(work: Work, workers: int, address: str | None) -> Iterator[Stream]:
    try:
        from distributed import Client, LocalCluster, as_completed
    except ImportError:
        raise HoldfastError("engine='dask' (--engine dask) needs Dask: pip install 'dask[distributed]'.") from None
    import logging

    cluster = None
    if address is None:
        cluster = LocalCluster(
            n_workers=workers, threads_per_worker=1, dashboard_address=None, silence_logs=logging.CRITICAL
        )
    try:
        client = Client(cluster if cluster is not None else address, set_as_default=False, timeout=10)
    except (OSError, ValueError) as error:
        raise HoldfastError(f"There is no Dask scheduler at {quoted(address)} ({brief(error)}).") from error

    def stream(take: Take) -> Generator[tuple[Batch, list[Outcome] | None]]:
        shared = client.scatter(work, broadcast=True, hash=False)
        seats = max(sum(client.ncores().values()), 1)
        batches: dict[Any, Batch] = {}
        arriving = as_completed(loop=client.loop, raise_errors=False)

        def send() -> None:
            while len(batches) < seats + 1 and (batch := take()):
                future = client.submit(run_all, shared, batch, pure=False)
                batches[future] = batch
                arriving.add(future)

        try:
            send()
            while batches:
                future = next(arriving)
                if shared.status != "finished":
                    raise Broken  # who held the data is gone; they are sent anew
                outcomes = future.result() if future.status == "finished" else None
                if future.status == "error" and type(future.exception()).__name__ != "KilledWorker":
                    raise HoldfastError(f"A Dask worker cannot do the work: {brief(future.exception())}")
                yield batches.pop(future), outcomes
                send()
        finally:
            client.cancel(list(batches))

    try:
        if not client.ncores():
            client.wait_for_workers(1, timeout=30)
        yield stream
    finally:
        client.close()
        if cluster is not None:
            cluster.close()


@contextmanager
def _ray(work: Work, workers: int, address: str | None) -> Iterator[Stream]:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nobody is told that we are here
    with _ended_as_before():
        try:
            import ray
        except ImportError:
            raise HoldfastError("engine='ray' (--engine ray) needs Ray: pip install ray.") from None
        ours = not ray.is_initialized()
        options: dict[str, Any] = {"address": address} if address else {"num_cpus": workers, "include_dashboard": False}
        try:
            if ours:
                ray.init(**options, log_to_driver=False, logging_level="ERROR", configure_logging=False)
        except (OSError, ValueError, RuntimeError) as error:
            raise HoldfastError(f"Ray does not start ({brief(error)}).") from error

    def stream(take: Take) -> Generator[tuple[Batch, list[Outcome] | None]]:
        shared = ray.put(work)
        fit = ray.remote(max_retries=0)(run_all)  # the queue asks again, and counts
        seats = max(int(ray.cluster_resources().get("CPU", workers)), 1)
        batches: dict[Any, Batch] = {}

        def send() -> None:
            while len(batches) < seats + 1 and (batch := take()):
                batches[fit.remote(shared, batch)] = batch

        try:
            send()
            while batches:
                (first, *_), _ = ray.wait(list(batches), num_returns=1)
                try:
                    outcomes = ray.get(first)
                except ray.exceptions.RayTaskError as error:
                    raise HoldfastError(f"A Ray worker cannot do the work: {brief(error.cause or error)}") from error
                except ray.exceptions.RayError:
                    outcomes = None
                yield batches.pop(first), outcomes
                send()
        finally:
            for running in batches:
                ray.cancel(running, force=True)

    try:
        yield stream
    finally:
        if ours:
            ray.shutdown()


@contextmanager
def _ended_as_before() -> Iterator[None]:
    """What is done in here takes over how SIGTERM ends this process; who did so before gets that back."""
    before = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        if before is not None and current_thread() is main_thread():
            signal.signal(signal.SIGTERM, before)
