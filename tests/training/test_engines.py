"""Real clusters and real deaths: the numbers are those of an undisturbed run in one process."""

from __future__ import annotations

import os
import warnings
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.naive_bayes import GaussianNB

from holdfast.errors import HoldfastError
from holdfast.resampling import plan
from holdfast.training import Fits, FoldFailed, WorkersDied, fit_all
from holdfast.training.engines import DEATHS, Broken, Queue, fitted, known
from holdfast.training.fit import Fit, Outcome
from tests.needs import module
from tests.training.odd import Deadly, Picky
from tests.training.test_runs import TEN, X, Y, same

MANY = plan("kfold", Y, folds=10, repeats=2, seed=4)
WIDE = np.hstack(
    [X, np.random.default_rng(0).normal(size=(len(X), 600))]
)  # more than joblib's and Dask's limits of size


def fit(number: int, seconds: float = 0.001) -> Outcome:
    return number, Fit(np.zeros(1, np.int32), None, None, seconds)


def test_batches_are_as_long_as_they_should_be_and_shrink_towards_the_end() -> None:
    queue = Queue(deque(range(10_000)), workers=2, seconds=0.001)
    sizes = []
    while batch := queue.take():
        sizes.append(len(batch))
        queue.done(batch, [fit(split) for split in batch])
    assert sizes[0] == 500
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == 1
    assert sum(sizes) == 10_000
    assert queue.tasks == len(sizes) < 50
    slow = Queue(deque(range(10)), workers=2, seconds=30.0)
    assert slow.take() == (0,)


def test_whoever_dies_is_replaced_and_what_he_had_is_asked_for_alone() -> None:
    queue = Queue(deque(range(40)), workers=2, seconds=0.1)
    died: set[int] = set()
    seen: list[tuple[int, ...]] = []
    times: list[int] = []

    def stream(take: Any) -> Iterator[Any]:
        while batch := take():
            seen.append(batch)
            assert len(batch) == 1 or not died & set(batch)
            if 7 in batch and len(times) < 2:
                died.update(batch)
                times.append(1)
                yield batch, None
            else:
                yield batch, [fit(split, 0.1) for split in batch]

    assert sorted(split for split, _ in fitted(stream, queue)) == list(range(40))
    assert queue.died_times == 2
    assert len(died) > 1
    assert seen.count((7,)) == 2
    assert not queue.under_way


def test_all_that_is_under_way_is_asked_for_again_when_everything_breaks() -> None:
    queue, calls = Queue(deque(range(12)), workers=2, seconds=0.2), []

    def stream(take: Any) -> Iterator[Any]:
        calls.append(1)
        first, second = take(), take()
        yield first, [fit(split, 0.2) for split in first]
        if len(calls) < 3:
            raise Broken
        yield second, [fit(split, 0.2) for split in second]
        while batch := take():
            yield batch, [fit(split, 0.2) for split in batch]

    found = [split for split, _ in fitted(stream, queue)]
    assert sorted(found) == list(range(12))
    assert len(found) == len(set(found))


def test_a_split_that_always_kills_is_given_up() -> None:
    queue = Queue(deque(range(6)), workers=1, seconds=10.0)

    def stream(take: Any) -> Iterator[Any]:
        while batch := take():
            yield batch, None if 3 in batch else [fit(split) for split in batch]

    found: list[int] = []
    with pytest.raises(WorkersDied, match=f"fits split 3 dies, {DEATHS} times"):
        found.extend(split for split, _ in fitted(stream, queue))
    assert found == [0, 1, 2, 4, 5]


def test_when_everybody_dies_at_once_it_is_soon_given_up() -> None:
    queue, calls = Queue(deque(range(100)), workers=2, seconds=10.0), []

    def stream(take: Any) -> Iterator[Any]:
        calls.append((take(), take()))
        raise Broken
        yield

    with pytest.raises(WorkersDied, match=f"split 0, 1, 2, 3, 4, 5 dies, {DEATHS} times"):
        list(fitted(stream, queue))
    assert len(calls) == DEATHS


def test_engines_are_known_by_name() -> None:
    for name in (
        "serial",
        "threads",
        "processes",
        "dask",
        "ray",
        "dask:tcp://host:8786",
        "ray:auto",
        "multiprocessing",
    ):
        assert known(name) == name
    for name in ("dusk", "serial:1", "loky:"):
        with pytest.raises(HoldfastError, match="There is no engine named"):
            known(name)
    for name in ("ray:", "dask:"):
        with pytest.raises(HoldfastError, match="names no address: write"):
            known(name)


def undisturbed() -> Fits:
    return fit_all(GaussianNB(), WIDE, Y, MANY, engine="serial")


def deadly(folder: Path, deaths: int = 1) -> Deadly:
    return Deadly(str(folder), deaths, os.getpid())


@pytest.mark.long
def test_another_backend_of_joblib_serves_as_well() -> None:
    forest = RandomForestClassifier(5)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of forking, where that is how processes begin
        fits = fit_all(forest, X, Y, TEN, engine="multiprocessing", workers=2)
    assert same(fit_all(forest, X, Y, TEN, engine="serial"), fits)


@pytest.mark.long
def test_processes_die_and_nothing_is_lost(tmp_path: Path) -> None:
    fits = fit_all(deadly(tmp_path, 2), WIDE, Y, MANY, engine="processes", workers=2)
    assert list(tmp_path.glob("died-*"))
    assert same(undisturbed(), fits)
    assert any("Workers died" in note for note in fits.notes)


@pytest.mark.long
def test_processes_that_always_die_are_given_up(tmp_path: Path) -> None:
    store = tmp_path / "store"
    with pytest.raises(WorkersDied, match="most often the memory is used up"):
        fit_all(deadly(tmp_path, 99), WIDE, Y, MANY, engine="processes", workers=2, store=store)
    assert list(store.glob("parts-*"))


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    distributed = module("distributed")
    with distributed.LocalCluster(2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as made:
        yield f"dask:{made.scheduler_address}"


@pytest.mark.long
def test_dask_gives_the_same_numbers() -> None:
    module("distributed")
    forest = RandomForestClassifier(5)
    fits = fit_all(forest, X, Y, TEN, engine="dask", workers=2)
    assert fits.engine == "dask"
    assert fits.tasks > 1
    assert same(fit_all(forest, X, Y, TEN, engine="serial"), fits)


@pytest.mark.long
def test_an_existing_dask_cluster_serves_and_stays(cluster: str, tmp_path: Path) -> None:
    fits = fit_all(deadly(tmp_path), WIDE, Y, MANY, engine=cluster)
    assert list(tmp_path.glob("died-*"))
    assert same(undisturbed(), fits)
    with pytest.raises(FoldFailed, match="this will not do"):
        fit_all(Picky(float(X[TEN.train(3)[-1], 0])), X, Y, TEN, engine=cluster)
    assert same(fit_all(GaussianNB(), X, Y, TEN, engine="serial"), fit_all(GaussianNB(), X, Y, TEN, engine=cluster))


@pytest.mark.long
def test_a_dask_scheduler_that_is_not_there_is_said_to_be_missing() -> None:
    module("distributed")
    with pytest.raises(HoldfastError, match="There is no Dask scheduler at 'tcp:"):
        fit_all(GaussianNB(), X, Y, TEN, engine="dask:tcp://127.0.0.1:9")


@pytest.fixture(scope="module")
def ray() -> Iterator[Any]:
    made = module("ray")
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    made.init(num_cpus=2, include_dashboard=False, log_to_driver=False, configure_logging=False)
    yield made
    made.shutdown()


@pytest.mark.long
def test_ray_gives_the_same_numbers_and_stops_when_it_was_started_here() -> None:
    ray = module("ray")
    forest = RandomForestClassifier(5)
    fits = fit_all(forest, X, Y, TEN, engine="ray", workers=2)
    assert fits.engine == "ray"
    assert fits.tasks > 1
    assert not ray.is_initialized()
    assert os.environ["RAY_USAGE_STATS_ENABLED"] == "0"
    assert same(fit_all(forest, X, Y, TEN, engine="serial"), fits)


@pytest.mark.long
def test_ray_workers_die_and_nothing_is_lost(ray: Any, tmp_path: Path) -> None:
    fits = fit_all(deadly(tmp_path, 2), WIDE, Y, MANY, engine="ray")
    assert list(tmp_path.glob("died-*"))
    assert same(undisturbed(), fits)
    assert any("Workers died" in note for note in fits.notes)
    assert ray.is_initialized()  # it was not started here
    with pytest.raises(FoldFailed, match="this will not do"):
        fit_all(Picky(float(X[TEN.train(3)[-1], 0])), X, Y, TEN, engine="ray")
