"""Duels on a stream: what they claim, how they mirror, and that they go on where they were."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import holdfast
from holdfast.errors import HoldfastError
from holdfast.streams.duel import SCHEMA
from holdfast.streams.machine import digest
from holdfast.verbs.stream.duel import Duel, sequential
from tests.shapes import validate

SHAPE = json.loads((Path(holdfast.__file__).parent / "schemas" / "duel-1.json").read_text(encoding="utf-8"))
REPORT = json.loads((Path(holdfast.__file__).parent / "schemas" / "report-1.json").read_text(encoding="utf-8"))
NAMES = ("alpha", "beta")


def answers(seed: int, first: float, second: float, size: int) -> dict[str, Any]:
    """Whether each of two models was right; they fail on the same examples more often than by chance."""
    rng = np.random.default_rng(seed)
    hard = rng.random(size) < 0.3
    return {
        name: np.where(hard, rng.random(size) < 2 * rate - 1, rng.random(size) < rate)
        for name, rate in (("first", first), ("second", second))
    }


def made_losses(seed: int, shift: float, size: int) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    common = rng.beta(2, 5, size)
    return {"first": np.clip(common + rng.normal(shift, 0.2, size), 0, 1), "second": common}


# ---- Verdicts


def test_nothing_is_known_at_first() -> None:
    for duel in (sequential(), sequential(losses=True, high=4.0), sequential().update(won=0, lost=0, n=0)):
        assert (duel.n, duel.claim.estimate, duel.settled, duel.changed) == (0, None, False, False)
        assert (duel.claim.lower, duel.claim.upper) == (-duel.settings.range, duel.settings.range)
        assert duel.e_value == (1, 1)
        assert duel.p_value.value == 1
        assert duel.verdict.outcome == "not settled"
        assert "not settled" in duel.verdict
        assert duel.history == ([], [], [])
        validate(duel.to_dict(), SHAPE)


def test_identical_models_show_no_difference_and_p_is_1() -> None:
    same = [1, 0, 1, 1] * 50
    for duel in (
        sequential(names=NAMES).update(first=same, second=same),
        sequential(losses=True).update(first=same, second=same),
    ):
        assert duel.verdict.outcome == "no difference"
        assert "no difference" in duel.verdict
        assert duel.p_value.value == 1
        assert duel.e_value == (1, 1)
        assert duel.claim.lower < 0 == duel.claim.estimate < duel.claim.upper
        validate(duel.to_dict(), SHAPE)
    duel = sequential(margin=0.1).update(first=same, second=same)
    assert duel.verdict.outcome == "equivalent"


def test_a_model_is_better_as_soon_as_its_e_value_has_reached_two_over_delta() -> None:
    given = answers(1, 0.9, 0.8, 2000)
    duel = sequential(names=NAMES).update(**given)
    after = duel.settled_after
    assert after is not None
    assert duel.verdict == "alpha is better than beta: it errs less often."
    assert duel.verdict.decided
    before, at = (
        sequential().update(**{name: part[:size] for name, part in given.items()}) for size in (after - 1, after)
    )
    assert before.e_value.first < 40 <= at.e_value.first
    assert (before.verdict.outcome, at.verdict.outcome) == ("not settled", "better")
    assert before.claim.upper >= 0 > at.claim.upper
    assert at.p_value.value <= 0.05 < before.p_value.value
    assert f"There was enough to tell after {after} examples." in str(duel)


def test_p_is_two_over_the_largest_e_value_and_never_rises_nor_is_0() -> None:
    duel = sequential().update(won=15, lost=5, n=20)
    assert duel.e_value == pytest.approx((6.3555, 0.08568), abs=5e-5)
    assert duel.p_value.value == pytest.approx(2 / 6.3555, abs=1e-4)
    p = duel.p_value.value
    duel.update(won=0, lost=10, n=10)
    assert duel.e_value.first < 1
    assert duel.p_value.value == p
    certain = sequential().update(won=10**6, lost=0, n=10**6)
    assert 0 < certain.p_value.value < 1e-300
    assert certain.e_value.first > 1e300
    json.dumps(certain.to_dict(), allow_nan=False)


@pytest.mark.parametrize(
    ("won", "lost", "n", "outcome", "mirrored"),
    [
        (10, 11, 4000, "equivalent", "equivalent"),
        (300, 100, 2000, "better", "worse"),
        (60, 50, 2000, "not inferior", "not superior"),
        (9, 12, 400, "not settled", "not settled"),
        (40, 12, 10_000, "equivalent", "equivalent"),  # better, but by less than anyone minds
    ],
)
def test_outcomes_with_a_margin(won: int, lost: int, n: int, outcome: str, mirrored: str) -> None:
    duel = sequential(margin=0.02, names=NAMES).update(won=won, lost=lost, n=n)
    swapped = sequential(margin=0.02, names=NAMES).update(won=lost, lost=won, n=n)
    assert (duel.verdict.outcome, swapped.verdict.outcome) == (outcome, mirrored)
    assert duel.settled == swapped.settled == (outcome != "not settled")
    assert duel.verdict.margin == 0.02
    undecided = [word for word in ("not settled", "no difference", "equivalent") if word in duel.verdict]
    assert bool(undecided) == (not duel.verdict.decided)


def test_losses_keep_their_units() -> None:
    given = made_losses(2, -0.1, 400)
    unit = sequential(losses=True).update(**given)
    scaled = sequential(losses=True, low=-10, high=30).update(**{name: -10 + 40 * x for name, x in given.items()})
    for end in ("estimate", "lower", "upper"):
        assert getattr(scaled.claim, end) == pytest.approx(40 * getattr(unit.claim, end), abs=0.02)
    assert unit.verdict == "first is better than second: its mean loss is lower."
    assert (unit.claim.measure, unit.claim.method) == ("mean-loss-difference", "betting-sequence")
    assert unit.to_dict()["won"] is None
    margin = sequential(losses=True, low=-10, high=30, margin=8).update(**{n: -10 + 40 * x for n, x in given.items()})
    assert margin.verdict.outcome == "equivalent"


def test_a_difference_that_changes_leaves_nothing_to_claim() -> None:
    for duel, batches in (
        (sequential(), [{"won": 200, "lost": 20, "n": 1000}, {"won": 20, "lost": 900, "n": 1500}]),
        (sequential(losses=True), [made_losses(3, -0.15, 800), made_losses(4, 0.4, 900)]),
    ):
        duel.update(**batches[0])
        assert duel.verdict.outcome == "better"
        duel.update(**batches[1])
        assert duel.changed
        assert (duel.claim.lower, duel.claim.upper) == (-1, 1)
        assert duel.verdict.outcome == "not settled"
        assert "no difference fits all of them" in str(duel)
        validate(duel.to_dict(), SHAPE)


# ---- Swapping, cutting, resuming


def mirrored(look: dict[str, Any]) -> dict[str, Any]:
    """What the same duel says with its models swapped, but for the words."""
    other = {"better": "worse", "worse": "better", "not inferior": "not superior", "not superior": "not inferior"}
    outcome = look["verdict"]["outcome"]
    return {
        **look,
        "estimate": -look["estimate"],
        "lower": -look["upper"],
        "upper": -look["lower"],
        "won": look["lost"],
        "lost": look["won"],
        "models": look["models"][::-1],
        "e_value": {"first": look["e_value"]["second"], "second": look["e_value"]["first"]},
        "verdict": {**look["verdict"], "outcome": other.get(outcome, outcome), "models": look["models"][::-1]},
    }


@pytest.mark.parametrize("margin", [0.0, 0.03])
@pytest.mark.parametrize("losses", [False, True])
def test_swapping_the_models_mirrors_everything(losses: bool, margin: float) -> None:
    for seed in range(4):
        size = 10 ** (seed + 1) // 2
        given = made_losses(seed, -0.03, size) if losses else answers(seed, 0.9, 0.87, size)
        one, other = (
            sequential(losses=losses, margin=margin, names=NAMES),
            sequential(losses=losses, margin=margin, names=NAMES[::-1]),
        )
        one.update(**given)
        other.update(first=given["second"], second=given["first"])
        expected, found = mirrored(one.to_dict()), other.to_dict()
        if one.verdict.outcome in ("better", "worse"):
            assert one.verdict == other.verdict
        del expected["verdict"]["sentence"], found["verdict"]["sentence"]
        assert found == expected
        assert other.history == (one.history.n, one.history.second, one.history.first)


@pytest.mark.parametrize("losses", [False, True])
def test_a_resumed_duel_is_the_uninterrupted_one(losses: bool, tmp_path: Path) -> None:
    given = made_losses(5, -0.08, 1500) if losses else answers(5, 0.9, 0.8, 1500)
    through, resumed = (sequential(losses=losses, margin=0.01, confidence=0.9, names=NAMES) for _ in range(2))
    path = tmp_path / "duel.json"
    resumed.save(path)
    for places in np.split(np.arange(1500), [1, 2, 7, 300, 301, 1023, 1024, 1025]):
        part = {name: values[places] for name, values in given.items()}
        through.update(**part)
        resumed = Duel.load(path)
        resumed.update(**part).save(path)
        assert resumed.to_dict() == through.to_dict()
        assert resumed.history == through.history
    once = sequential(losses=losses, margin=0.01, confidence=0.9, names=NAMES).update(**given)
    for name, duel in (("through", through), ("once", once)):
        duel.save(tmp_path / name)
        assert (tmp_path / name).read_bytes() == path.read_bytes()
    assert (str(resumed), repr(resumed)) == (str(once), repr(once))


def test_one_by_one_is_all_at_once() -> None:
    given = answers(6, 0.9, 0.8, 150)
    apart, counted = sequential(), sequential()
    for first, second in zip(given["first"].tolist(), given["second"].tolist(), strict=True):
        apart.update(first=first, second=second)
        counted.update(won=int(first and not second), lost=int(second and not first), n=1)
    together = sequential().update(**given)
    assert apart.to_dict() == together.to_dict() == counted.to_dict()
    assert apart.history == together.history == counted.history


def test_a_history_has_its_last_point() -> None:
    duel = sequential().update(**answers(7, 0.9, 0.8, 5000))
    n, first, second = duel.history
    assert len(n) == len(first) == len(second) <= 1025
    assert (n[0], n[-1]) == (1, 5000)
    assert (first[-1], second[-1]) == duel.e_value


# ---- What cannot be


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"names": ("a",)}, "between two models with a name each"),
        ({"names": "ab"}, "between two models with a name each"),
        ({"names": ("a", "")}, "between two models with a name each"),
        ({"names": ("a", "a")}, "two names to tell the models apart; got 'a' twice"),
        ({"margin": -0.1}, "from 0 to below 1, the most there can be; got -0.1"),
        ({"margin": 4.0, "losses": True, "high": 4.0}, "from 0 to below 4"),
        ({"margin": float("nan")}, "margin needs finite numbers"),
        ({"margin": [0.1]}, "one number for margin"),
        ({"high": 2.0}, "for losses add losses=True"),
        ({"low": 2.0, "losses": True}, "needs low < high; got 2 and 1"),
        ({"confidence": 95}, "Did you mean 0.95"),
        ({"delta": [0.1, 0.2]}, "one confidence"),
        ({"delta": 1.0}, "strictly between 0 and 1"),
    ],
)
def test_settings_that_cannot_be(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(HoldfastError, match=said):
        sequential(**settings)


@pytest.mark.parametrize(
    ("losses", "given", "said"),
    [
        (False, {}, r"update\(first=..., second=...\), true where each model was right, or"),
        (False, {"first": [1]}, "compares right answers"),
        (False, {"won": 1, "lost": 1}, "compares right answers"),
        (False, {"first": [1], "second": [1], "n": 1}, "compares right answers"),
        (False, {"first": [1, 0], "second": [1]}, "an answer to each example; got 2 of the first and 1 of the second"),
        (False, {"first": [1, 2], "second": [1, 0]}, "first must be 1 where the model was right .* got 2"),
        (False, {"first": ["a"], "second": ["b"]}, "first needs numbers"),
        (False, {"first": [1], "second": [float("nan")]}, "second needs finite numbers"),
        (False, {"won": 3, "lost": 3, "n": 5}, "different examples of the n; got 3 and 3 of 5"),
        (False, {"won": [1, 2], "lost": [1, 2, 3], "n": 9}, "one number a look each; got 2, 3 and 1"),
        (False, {"won": 0.5, "lost": 1, "n": 5}, "whole numbers"),
        (True, {"won": 1, "lost": 1, "n": 5}, r"compares losses: update\(first=..., second=...\)"),
        (True, {"first": [0.5], "second": [1.5]}, r"must lie in \[0, 1\]"),
    ],
)
def test_updates_that_cannot_be_change_nothing(losses: bool, given: dict[str, Any], said: str) -> None:
    duel = sequential(losses=losses)
    with pytest.raises(HoldfastError, match=said):
        duel.update(**given)
    assert duel.n == 0


def test_a_state_that_is_none(tmp_path: Path) -> None:
    path = tmp_path / "duel.json"
    with pytest.raises(HoldfastError, match=r"no file .*duel\.json to resume a duel from"):
        Duel.load(path)
    for duel in (sequential().update(won=3, lost=2, n=100), sequential(losses=True).update(first=[0.5], second=[0.1])):
        path.unlink(missing_ok=True)
        duel.save(path)
        whole = path.read_text(encoding="utf-8")
        for damaged, said in (
            (whole[:-20], "is damaged: it is not JSON"),
            (whole.replace('"delta": 0.05', '"delta": 0.5'), "do not match its checksum"),
            (whole.replace(SCHEMA, "holdfast/monitor/1"), "is it another file"),
        ):
            path.write_text(damaged, encoding="utf-8")
            with pytest.raises(HoldfastError, match=said):
                Duel.load(path)
        saved = json.loads(whole)
        track = saved["sequence"]["track"]
        for name, value in (
            ("sequence", {}),
            ("settings", {"delta": 2}),
            ("sequence", {**saved["sequence"], "peaks": [0.0]}),
            ("sequence", {**saved["sequence"], "peaks": [float("-1"), 0.0]}),
            ("sequence", {**saved["sequence"], "track": {**track, "n": [1, 2, 3]}}),
            ("sequence", {**saved["sequence"], **({"won": -1} if "won" in saved["sequence"] else {"logs": [1.0]})}),
        ):
            state = {**saved, name: value}
            del state["sha256"]
            path.write_text(json.dumps({**state, "sha256": digest(state)}), encoding="utf-8")
            with pytest.raises(HoldfastError, match="is damaged"):
                Duel.load(path)


FORGED: list[tuple[bool, str, Any, str]] = [  # of losses, the field, what it says, and why that cannot be
    (False, "sequence.n", 10**30, "n is no whole number from 0 to"),
    (False, "sequence.n", 100.0, "n is no whole number"),
    (False, "sequence.won", True, "won is no whole number"),
    (False, "sequence.won", 99, "99 won and 2 lost are more than the 100 examples"),
    (False, "sequence.lower", -2.0, "limits of a difference"),
    (False, "sequence.upper", float("nan"), "limits of a difference"),
    (False, "sequence.lower", "low", ""),
    (False, "sequence.delta", 0.5, "there is more in it"),
    (False, "sequence.peaks", [0.0, 0.0], "beyond the largest there was"),
    (False, "sequence.peaks", [9e999, 9.0], "no largest e-value"),
    (False, "sequence.track.n", [10**30], ""),
    (False, "sequence.track.n", [101], "looks beyond the 100 examples"),
    (False, "sequence.track.n", [50.5], "these are no looks"),
    (False, "sequence.track.n", [-1], "these are no looks"),
    (False, "sequence.upper", -0.5, "its limits say otherwise"),
    (False, "settled_after", 50, "its limits say otherwise"),
    (False, "changed_after", 101, "changed_after is none of the 100 examples"),
    (False, "settled_after", "soon", "settled_after is none of the 100 examples"),
    (False, "settings.names", ["a"], "two models with a name each"),
    (False, "settings.losses", "no", ""),
    (False, "settings.extra", 1, ""),
    (False, "settings.margin", None, ""),
    (True, "sequence.bets.n", 10**30, "n is no whole number"),
    (True, "sequence.bets.first", 1.5, "first is no whole number"),
    (True, "sequence.bets.total", 3.0, "no sums of differences"),
    (True, "sequence.bets.squares", -1.0, "no sums of differences"),
    (True, "sequence.bets.delta", 0.5, "there is more in it"),
    (True, "sequence.logs", [9.0, 9.0], "beyond the largest there was"),
    (True, "sequence.logs", [float("nan"), 0.0], "no sums of differences"),
    (True, "sequence.alike", True, "no sums of differences"),
    (True, "sequence.alike", "no", "no sums of differences"),
]


@pytest.mark.crossing(6)
@pytest.mark.parametrize(("losses", "field", "value", "said"), FORGED)
def test_a_forged_state_is_refused_though_its_checksum_is_right(
    losses: bool, field: str, value: object, said: str, tmp_path: Path
) -> None:
    path = tmp_path / "duel.json"
    duel = sequential(losses=losses)
    (duel.update(first=[0.5, 0.25], second=[0.1, 0.2]) if losses else duel.update(won=8, lost=2, n=100)).save(path)
    state = json.loads(path.read_text(encoding="utf-8"))
    assert state.pop("sha256") == digest(state)
    *way, name = field.split(".")
    inner = state
    for step in way:
        inner = inner[step]
    inner[name] = value
    path.write_text(json.dumps({**state, "sha256": digest(state)}), encoding="utf-8")
    with pytest.raises(HoldfastError, match=rf"^The duel's state in .* is damaged: .*{said}.*Restore it"):
        Duel.load(path)


def test_one_example_is_no_examples() -> None:
    duel = sequential().update(won=1, lost=0, n=1)
    told = (repr(duel), str(duel), duel.report().charts["wealth"].to_dict()["title"]["text"])
    assert all("1 example" in text and "1 examples" not in text for text in told)
    once = sequential(delta=0.99, margin=0.99, losses=True).update(first=[0.0], second=[1.0])
    assert "1 examples" not in " ".join(once.notes)


def test_a_report_is_of_its_moment() -> None:
    duel = sequential(names=NAMES).update(won=3, lost=2, n=100)
    report = duel.report()
    before = report.to_dict()
    duel.update(won=300, lost=2, n=400)
    assert report.to_dict() == before
    assert report.views["wealth"]["n"][-1] == 100
    assert report.verdict.outcome == "not settled"
    assert duel.report().verdict == duel.verdict
    validate(json.loads(report.to_json()), REPORT)
    assert (
        report["error-rate-difference"].to_dict()
        == sequential(names=NAMES).update(won=3, lost=2, n=100).claim.to_dict()
    )


def test_a_report_bears_the_checksum_of_the_state(tmp_path: Path) -> None:
    duel = sequential(names=NAMES).update(won=3, lost=2, n=100)
    duel.save(tmp_path / "duel.json")
    saved = json.loads((tmp_path / "duel.json").read_text(encoding="utf-8"))
    assert duel.report().provenance["fingerprint"] == saved["sha256"]
    assert duel.report().provenance["command"] == "holdfast.sequential(names=['alpha', 'beta'], delta=0.05)"


@pytest.mark.parametrize(
    ("update", "said"),
    [
        ({"won": 15, "lost": 5, "n": 200}, "about 751 examples in all, 551 more, would probably settle it"),
        ({"won": 0, "lost": 0, "n": 200}, "go on until some do"),
        ({"won": 30, "lost": 0, "n": 200}, "One may stop here"),
    ],
)
def test_what_to_do_next(update: dict[str, int], said: str) -> None:
    assert said in " ".join(sequential(names=NAMES).update(**update).report().details["next"])


def test_a_state_made_for_other_settings(tmp_path: Path) -> None:
    path = tmp_path / "duel.json"
    sequential(margin=0.1, names=NAMES).save(path)
    assert Duel.load(path, margin=0.1, delta=None, names=NAMES).settings.margin == 0.1
    with pytest.raises(HoldfastError, match=r"was made for margin = 0.1; asked was margin = 0.2. A duel keeps"):
        Duel.load(path, margin=0.2)
    with pytest.raises(HoldfastError, match=r"asked was models = \('beta', 'alpha'\)"):
        Duel.load(path, names=NAMES[::-1])


def test_names_that_nobody_should_have() -> None:
    duel = sequential(names=("a\x1b[31m\n", "<b>")).update(won=300, lost=1, n=500)
    assert "\x1b" not in duel.verdict
    assert "\n" not in duel.verdict
    assert duel.to_dict()["models"][0] == "a\x1b[31m\n"
    long = sequential(names=("x" * 10_000, "not settled")).update(won=300, lost=1, n=500)
    assert long.verdict == f"{'x' * 39}… is better than the second model: it errs less often."
    assert long.verdict.models == ("x" * 10_000, "not settled")
    assert max(map(len, str(long).splitlines())) < 200
