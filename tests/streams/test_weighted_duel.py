"""A duel on examples that weigh differently: the promise over all looks, and where they weigh alike."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import holdfast as hf
from holdfast.claims import Assumption
from holdfast.errors import HoldfastError
from holdfast.streams.bets import DifferenceSequence
from holdfast.streams.machine import digest


def answers(n: int = 400, seed: int = 2) -> dict[str, Any]:
    random = np.random.default_rng(seed)
    first, second = random.random(n) < 0.9, random.random(n) < 0.7
    return {"first": first, "second": second, "weight": random.choice([0.5, 1.0, 3.0], n)}


def limits(duel: hf.Duel) -> tuple[Any, ...]:
    return duel.claim.estimate, duel.claim.lower, duel.claim.upper


def test_the_estimate_is_that_of_the_weighted_rates_and_lies_between_the_limits() -> None:
    given = answers()
    duel = hf.sequential(max_weight=3).update(**given)
    gap = np.average(given["second"].astype(float) - given["first"], weights=given["weight"])
    assert duel.claim.estimate == pytest.approx(gap)
    assert duel.claim.lower < gap < duel.claim.upper
    assert {Assumption.KNOWN_WEIGHTS, Assumption.CAPPED_WEIGHTS} <= {*duel.claim.assumes}
    assert duel.verdict.outcome == "better"


def test_examples_that_all_weigh_the_most_are_examples_like_any_others() -> None:
    random = np.random.default_rng(1)
    first, second = random.random((2, 300))
    plain = hf.sequential(losses=True).update(first=first, second=second)
    weighed = hf.sequential(losses=True, max_weight=2.5).update(first=first, second=second, weight=np.full(300, 2.5))
    assert (plain.claim.lower, plain.claim.upper) == (weighed.claim.lower, weighed.claim.upper)
    assert plain.e_value == weighed.e_value


def test_swapping_the_models_turns_every_limit() -> None:
    given = answers()
    turned = {"first": given["second"], "second": given["first"], "weight": given["weight"]}
    one, other = (hf.sequential(max_weight=3).update(**each) for each in (given, turned))
    assert limits(one) == pytest.approx((-other.claim.estimate, -other.claim.upper, -other.claim.lower))  # type: ignore[operator]
    assert one.e_value == other.e_value[::-1]


def test_it_does_not_matter_how_the_stream_is_cut() -> None:
    given = answers()
    whole = hf.sequential(max_weight=3).update(**given)
    parts = hf.sequential(max_weight=3)
    for start in range(0, 400, 37):
        parts.update(**{name: each[start : start + 37] for name, each in given.items()})
    assert limits(whole) == limits(parts)
    assert (whole.e_value, whole.settled_after) == (parts.e_value, parts.settled_after)


@pytest.mark.long
def test_a_ratio_is_ever_refuted_no_more_often_than_stated() -> None:
    """600 streams of rows whose weight goes with who is better, so that the plain mean lies elsewhere.

    Were the chance of being wrong at any look a fifth, more than 170 would miss less than once in a million.
    """
    random, delta, truth, missed = np.random.default_rng(3), 0.2, -0.25, 0
    for _ in range(600):
        heavy = random.random(150) < 0.3
        weight = np.where(heavy, 1.0, 0.25)
        # E[w d] / E[w]: heavy rows lose by 0.8 at a rate, light ones win.
        chance = np.where(heavy, 0.1, 0.7)
        gap = np.where(random.random(150) < chance, 1.0, -1.0)
        truth = (0.3 * 1.0 * (2 * 0.1 - 1) + 0.7 * 0.25 * (2 * 0.7 - 1)) / (0.3 * 1.0 + 0.7 * 0.25)
        sequence = DifferenceSequence.start(delta, weighed=True).after(gap * weight, weight)
        missed += not sequence.lower <= truth <= sequence.upper
    assert missed <= 170


def test_saved_is_resumed_and_an_early_state_has_no_weights(tmp_path: Path) -> None:
    given, path = answers(), tmp_path / "duel.json"
    duel = hf.sequential(max_weight=3).update(**given)
    duel.save(path)
    assert limits(hf.Duel.load(path)) == limits(duel)
    plain = hf.sequential().update(won=15, lost=5, n=200)
    plain.save(path.with_name("plain.json"))
    state = json.loads(path.with_name("plain.json").read_text())
    del state["sha256"], state["settings"]["max_weight"]
    early = path.with_name("early.json")
    early.write_text(json.dumps({**state, "sha256": digest(state)}))
    assert limits(hf.Duel.load(early)) == limits(plain)


@pytest.mark.parametrize(
    ("words", "most", "given"),
    [
        ("needs the most that one can", None, {"first": [1], "second": [0], "weight": [1.0]}),
        ("needs the most that one can", 2.0, {"first": [1], "second": [0]}),
        ("weights lie from 0 to the 2", 2.0, {"first": [1], "second": [0], "weight": [3.0]}),
        ("weights lie from 0 to the 2", 2.0, {"first": [1], "second": [0], "weight": [-1.0]}),
        ("Every example needs a weight", 2.0, {"first": [1], "second": [0], "weight": [1.0, 1.0]}),
    ],
)
def test_weights_that_cannot_be_are_refused(words: str, most: float | None, given: dict[str, Any]) -> None:
    with pytest.raises(HoldfastError, match=words):
        hf.sequential(max_weight=most).update(**given)
    with pytest.raises(HoldfastError, match="must be a number above 0"):
        hf.sequential(max_weight=0)


def test_the_command_line_says_what_python_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from holdfast.cli import main

    given, file = answers(), tmp_path / "stream.csv"
    rows = zip(*(given[name] for name in ("first", "second", "weight")), strict=True)
    file.write_text("new,old,w\n" + "".join(f"{int(a)},{int(b)},{w}\n" for a, b, w in rows))
    words = ["compare", str(file), "--sequential", "--models", "new,old", "--pass-fail", "--json"]
    with pytest.raises(SystemExit):
        main([*words, "--weight", "w", "--max-weight", "3"])
    told = json.loads(capsys.readouterr().out)
    claim = hf.sequential(max_weight=3).update(**given).claim
    assert str(claim.lower)[:8] in json.dumps(told)
    for wrong, said in ((["--weight", "w"], "--max-weight"), (["--weight", "w", "--max-weight", "1"], "weighs '3.0'")):
        with pytest.raises(SystemExit):
            main([*words, *wrong])
        assert said in capsys.readouterr().err
