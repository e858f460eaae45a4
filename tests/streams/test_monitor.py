"""The monitor: what it claims, when it alarms, and that it survives being killed."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import signal
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from holdfast.bounds.sequential import beta_binomial
from holdfast.errors import HoldfastError
from holdfast.evidence import Counts
from holdfast.streams.monitor import SCHEMA
from holdfast.verbs.stream.monitor import Monitor, monitor


def rows(seed: int, rate: float, size: int) -> list[int]:
    return (np.random.default_rng(seed).random(size) < rate).astype(int).tolist()


# ---- Claims


def test_a_claim_is_two_one_sided_limits_at_half_of_delta() -> None:
    claim = monitor(confidence=0.9).update(errors=3, n=100).claim
    assert claim.upper == beta_binomial(Counts(3, 100), 0.05, "upper").upper
    assert claim.lower == beta_binomial(Counts(3, 100), 0.05, "lower").lower
    assert (claim.estimate, claim.n, claim.delta, claim.side, claim.method) == (0.03, 100, 0.1, "both", "beta-binomial")


def test_nothing_is_known_at_first() -> None:
    for made, high in ((monitor(), 1.0), (monitor(losses=True, high=5.0), 5.0)):
        assert (made.claim.estimate, made.claim.lower, made.claim.upper, made.n) == (None, 0.0, high, 0)
        assert not made.alarm
        assert not made.changed
    assert monitor().update(errors=0, n=0).claim.upper == 1.0
    assert monitor(losses=True).update(losses=[]).claim.upper == 1.0


def test_limits_never_widen() -> None:
    made, before = monitor(delta=0.05), (0.0, 1.0)
    for outcome in rows(1, 0.1, 300):
        now = made.update(errors=outcome, n=1).claim
        assert before[0] <= now.lower
        assert now.upper <= before[1]
        before = now.lower, now.upper
    assert before[1] < 0.2


def test_rows_one_by_one_or_in_one_call_are_the_same() -> None:
    outcomes = rows(2, 0.2, 200)
    together = monitor(at_most=0.1).update(errors=outcomes, n=1)
    apart = monitor(at_most=0.1)
    for outcome in outcomes:
        apart.update(errors=outcome, n=1)
    assert together.to_dict() == apart.to_dict()
    assert together.alarm_after is not None


def test_losses_keep_their_units() -> None:
    x = np.random.default_rng(3).random(400)
    unit, scaled = monitor(losses=True).update(losses=x), monitor(losses=True, low=-10.0, high=30.0)
    scaled.update(losses=-10 + 40 * x)
    for name in ("estimate", "lower", "upper"):
        assert getattr(scaled.claim, name) == pytest.approx(-10 + 40 * getattr(unit.claim, name), abs=0.03)
    assert scaled.claim.measure == "mean-loss"
    one = monitor(losses=True)
    for value in x:
        one.update(losses=value)
    assert one.to_dict() == unit.to_dict()


# ---- Alarms


def test_an_alarm_names_its_first_moment() -> None:
    outcomes = rows(4, 0.3, 400)
    made = monitor(at_most=0.1).update(errors=outcomes, n=1)
    after = made.alarm_after
    assert made.alarm
    assert after is not None
    assert not monitor(at_most=0.1).update(errors=outcomes[: after - 1], n=1).alarm
    assert monitor(at_most=0.1).update(errors=outcomes[:after], n=1).claim.lower > 0.1
    assert f"Alarm after {after} examples: the error rate is above 0.1." in str(made)


def test_an_alarm_from_the_other_side_and_for_losses() -> None:
    low = monitor(at_least=0.5).update(errors=rows(5, 0.1, 300), n=1)
    assert low.alarm
    assert "the error rate is below 0.5" in str(low)
    x = np.random.default_rng(6).beta(2, 2, 500) * 4
    for limits, alarm in (
        ({"at_most": 1.0}, True),
        ({"at_most": 3.0}, False),
        ({"at_least": 3.0}, True),
        ({"at_least": 1.0}, False),
    ):
        made = monitor(losses=True, high=4.0, **limits).update(losses=x)
        assert made.alarm is alarm
        if alarm:
            first = monitor(losses=True, high=4.0, **limits)
            assert not first.update(losses=x[: made.alarm_after - 1]).alarm
            assert first.update(losses=x[made.alarm_after - 1]).alarm


def test_a_rate_that_changes_leaves_nothing_to_claim() -> None:
    made = monitor(at_most=0.05).update(errors=rows(7, 0.02, 2000), n=1)
    assert not made.changed
    made.update(errors=rows(8, 0.5, 150), n=1)
    assert made.changed
    assert 2000 < made.changed_after < 2150
    assert (made.claim.lower, made.claim.upper) == (0.0, 1.0)
    assert "no error rate fits all of them" in str(made)
    assert made.update(errors=rows(9, 0.5, 600), n=1).alarm  # the limit is broken all the same


def test_an_estimate_outside_of_earlier_limits_is_pointed_out() -> None:
    made = monitor().update(errors=2, n=400)
    made.update(errors=12, n=100)
    assert not made.changed
    assert made.claim.estimate > made.claim.upper
    assert "The estimate lies outside" in str(made)


# ---- What cannot be


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"at_most": 1.5}, "at_most= must lie between 0 and 1, where the error rate lies; got 1.5"),
        ({"at_least": -1.0, "losses": True}, "at_least= must lie between 0 and 1, where the mean loss lies"),
        ({"at_most": 0.1, "at_least": 0.2}, "at most 0.1 and at least 0.2"),
        ({"high": 2.0}, "for losses add losses=True"),
        ({"low": 2.0, "losses": True}, "needs low < high; got 2 and 1"),
        ({"confidence": 95}, "Did you mean 0.95"),
        ({"delta": [0.1, 0.2]}, "one confidence"),
        ({"delta": 0.0}, "strictly between 0 and 1"),
        ({"at_most": float("nan")}, "at_most needs finite numbers"),
        ({"at_most": "low"}, "at_most needs numbers"),
    ],
)
def test_settings_that_cannot_be(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(HoldfastError, match=said):
        monitor(**settings)


@pytest.mark.parametrize(
    ("losses", "given", "said"),
    [
        (False, {"losses": [0.5]}, r"counts errors: update\(errors=..., n=...\)"),
        (False, {"errors": 3}, "counts errors"),
        (True, {"errors": 3, "n": 4}, r"follows losses: update\(losses=...\)"),
        (True, {}, "follows losses"),
        (False, {"errors": 5, "n": 3}, "k <= n"),
        (False, {"errors": 0.5, "n": 3}, "whole numbers"),
        (True, {"losses": [0.5, 1.5]}, r"must lie in \[0, 1\]; value 2 is 1.5"),
    ],
)
def test_updates_that_cannot_be_change_nothing(losses: bool, given: dict[str, Any], said: str) -> None:
    made = monitor(losses=losses)
    with pytest.raises(HoldfastError, match=said):
        made.update(**given)
    assert made.n == 0


# ---- On disk


@pytest.mark.parametrize("losses", [False, True])
def test_a_resumed_monitor_is_the_uninterrupted_one(losses: bool, tmp_path: Path) -> None:
    rng, path = np.random.default_rng(10), tmp_path / "state.json"
    x = rng.beta(1, 6, 600) if losses else (rng.random(600) < 0.1).astype(int)
    through, resumed = (monitor(losses=losses, at_most=0.11, confidence=0.9) for _ in range(2))
    resumed.save(path)
    for part in np.split(x, [1, 5, 100, 333]):
        given = {"losses": part} if losses else {"errors": part, "n": 1}
        through.update(**given)
        resumed = Monitor.load(path)
        resumed.update(**given).save(path)
        assert resumed.to_dict() == through.to_dict()
    through.save(tmp_path / "through.json")
    assert path.read_bytes() == (tmp_path / "through.json").read_bytes()
    assert {file.name for file in tmp_path.iterdir()} == {"state.json", "through.json"}


def test_an_alarm_and_a_change_are_remembered(tmp_path: Path) -> None:
    made = monitor(losses=True, at_most=0.3).update(losses=[0.1, 0.2] * 60 + [0.9, 1.0] * 600)
    assert made.alarm
    assert made.changed
    made.save(tmp_path / "state")
    again = Monitor.load(tmp_path / "state")
    assert (str(again), repr(again)) == (str(made), repr(made))
    assert again.update(losses=0.3).n == 1321


def test_a_state_that_is_none(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    with pytest.raises(HoldfastError, match=r"no file .*state\.json to resume"):
        Monitor.load(path)
    monitor().update(errors=3, n=100).save(path)
    whole = path.read_text(encoding="utf-8")
    for damaged, said in (
        (whole[:-20], "is damaged: it is not JSON"),
        ("", "is damaged: it is not JSON"),
        ("[" * 100_000, "is damaged: it is not JSON"),
        (whole.replace('"n": 100', '"n": 10'), "do not match its checksum"),
        ("[]", "says None where a monitor's state says 'holdfast/monitor/2'"),
        (whole.replace(SCHEMA, "holdfast/report/1"), "is it another file"),
        (whole.replace(SCHEMA, "holdfast/monitor/3"), "use the version of holdfast that wrote it"),
    ):
        path.write_text(damaged, encoding="utf-8")
        with pytest.raises(HoldfastError, match=said):
            Monitor.load(path)
    with pytest.raises(HoldfastError, match="Cannot read"):
        Monitor.load(tmp_path)
    with pytest.raises(HoldfastError, match="Cannot write"):
        monitor().save(tmp_path / "nowhere" / "state.json")


def test_a_state_that_fits_its_checksum_and_nothing_else(tmp_path: Path) -> None:
    from holdfast.streams.machine import digest

    path = tmp_path / "state.json"
    monitor(losses=True).update(losses=[0.5] * 50).save(path)
    saved = json.loads(path.read_bytes())
    for name, value in (("sequence", {}), ("settings", {"delta": 2}), ("sequence", {**saved["sequence"], "first": 9})):
        state = {**saved, name: value}
        del state["sha256"]
        path.write_text(json.dumps({**state, "sha256": digest(state)}), encoding="utf-8")
        with pytest.raises(HoldfastError, match="is damaged"):
            Monitor.load(path)


def test_a_state_made_for_other_settings(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    monitor(at_most=0.1).save(path)
    assert Monitor.load(path, at_most=0.1, delta=None).settings.at_most == 0.1
    with pytest.raises(HoldfastError, match=r"was made for at most = 0.1; asked was at most = 0.2. A monitor keeps"):
        Monitor.load(path, at_most=0.2)
    with pytest.raises(HoldfastError, match=r"was made for no such limit; asked was at least = 0.2"):
        Monitor.load(path, at_least=0.2)


def _count_and_save(path: str, losses: bool, acknowledged: Any) -> None:
    """Resume, then count one example more and save, as fast as one can, telling each number that is on disk."""
    os.fsync = lambda handle: time.sleep(0.002)  # a slow disk: the moments that matter last longer
    made = Monitor.load(path)
    while True:
        made.update(losses=0.5) if losses else made.update(errors=int(made.n % 7 == 0), n=1)
        made.save(path)
        acknowledged.value = made.n


@pytest.mark.long
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork: 200 interpreters would take too long to start")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")  # the children do nothing but this
def test_a_monitor_killed_200_times_while_writing_loses_nothing(tmp_path: Path) -> None:
    context, moments = multiprocessing.get_context("fork"), random.Random(0)
    for losses in (False, True):  # losses start with a large state, of which a half would be easily seen
        folder = tmp_path / f"losses-{losses}"
        folder.mkdir()
        path = folder / "state.json"
        monitor(losses=losses).save(path)
        acknowledged = context.RawValue("q", 0)
        between = kills = 0
        while kills < 100 or (between < 4 and kills < 1_000):  # on a busy machine few kills come while it is writing
            kills += 1
            before = acknowledged.value
            child = context.Process(target=_count_and_save, args=(str(path), losses, acknowledged))
            child.start()
            while acknowledged.value == before and child.is_alive():  # it has resumed, and is writing
                time.sleep(0.0005)
            time.sleep(moments.random() * 0.01)
            os.kill(child.pid, signal.SIGKILL)
            child.join()
            assert child.exitcode == -signal.SIGKILL
            found = Monitor.load(path)
            assert found.n - acknowledged.value in (0, 1)
            between += any(folder.glob(".holdfast-*.partial"))
            acknowledged.value = found.n
        again = monitor(losses=losses)
        for n in range(found.n):
            again.update(losses=0.5) if losses else again.update(errors=int(n % 7 == 0), n=1)
        assert again.to_dict() == found.to_dict()
        assert between > 3  # the kills did come while it was writing
        assert len([*folder.glob(".holdfast-*")]) <= 2  # what the last one left, and its lock: the others swept up


@pytest.mark.parametrize(
    ("part", "field", "value", "said"),
    [
        ("sequence", "n", 10**30, "n is no whole number from 0 to"),
        ("sequence", "n", 50.5, "n is no whole number"),
        ("sequence", "k", 2.5, "k is no whole number"),
        (None, "alarm_after", 51, "alarm_after is none of the 50 examples"),
        (None, "changed_after", 0, "changed_after is none of the 50 examples"),
    ],
)
def test_a_forged_state_is_refused_though_its_checksum_is_right(
    part: str | None, field: str, value: object, said: str, tmp_path: Path
) -> None:
    from holdfast.streams.machine import digest

    path = tmp_path / "state.json"
    monitor(at_most=0.1).update(errors=3, n=50).save(path)
    state = json.loads(path.read_text(encoding="utf-8"))
    del state["sha256"]
    (state if part is None else state[part])[field] = value
    path.write_text(json.dumps({**state, "sha256": digest(state)}), encoding="utf-8")
    with pytest.raises(HoldfastError, match=f"is damaged: {said}"):
        Monitor.load(path)
