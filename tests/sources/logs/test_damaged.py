"""Logs in which a value is of another kind than belongs there: read or refused in a sentence, and never a traceback."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

import holdfast as hf
from holdfast.errors import HoldfastError
from holdfast.verbs.doctor import doctor
from tests.sources.logs.making import DATA, members, sample, write_archive, write_eval

ODD: tuple[Any, ...] = (None, 0, -1, 1e308, True, "", "x", [], {}, [None], {"x": 1}, [[1]], "C", float("nan"), 10**30)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where all values stand in a value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, each in inner for place in places(each, (*path, key)))]


def replaced(value: Any, path: tuple[Any, ...], odd: Any) -> Any:
    """A copy of the value with another at a place."""
    copy = json.loads(json.dumps(value))
    if not path:
        return odd
    at = copy
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = odd
    return copy


def tried(path: Path) -> None:
    with suppress(HoldfastError):
        doctor(path)


@pytest.mark.parametrize(
    "log",
    [
        "promptfoo/faulty.results.json",
        "mlflow/classic-alpha.eval_results_table.json",
        "deepeval/test_run_20261117_114648.json",
        "swebench/beta.toy-run.json",
        "helm/last_word/per_instance_stats.json",
    ],
)
def test_a_value_of_another_kind_in_json_is_no_traceback(log: str, tmp_path: Path) -> None:
    random, value = Random(23), json.loads((DATA / log).read_text())
    every = [place for place in places(value) if len(place) <= 5]
    for number in range(25):
        path = tmp_path / f"{number}.json"
        path.write_text(json.dumps(replaced(value, random.choice(every), random.choice(ODD)), indent=1))
        tried(path)


def test_a_value_of_another_kind_in_an_archive_is_no_traceback(tmp_path: Path) -> None:
    held = {
        name: value for name, value in members(DATA / "inspect" / "faulty-alpha.eval").items() if "samples/" not in name
    }
    random = Random(23)
    for number in range(60):
        name = random.choice(["header.json", "summaries.json"])
        every = [place for place in places(held[name]) if len(place) <= 5]
        damaged = held | {name: replaced(held[name], random.choice(every), random.choice(ODD))}
        tried(write_archive(tmp_path / f"{number}.eval", {each: json.dumps(value) for each, value in damaged.items()}))


@pytest.mark.parametrize("folder", ["lm-eval/alpha", "eee/inspect-sums-delta/sums/toy/delta"])
def test_a_value_of_another_kind_in_lines_is_no_traceback(folder: str, tmp_path: Path) -> None:
    random = Random(23)
    for number in range(40):
        here = tmp_path / str(number)
        here.mkdir()
        for path in sorted((DATA / folder).iterdir()):
            lines = path.read_text().splitlines() if path.suffix == ".jsonl" else [path.read_text()]
            place = random.randrange(len(lines))
            value = json.loads(lines[place])
            every = [each for each in places(value) if len(each) <= 3]
            damaged = json.dumps(replaced(value, random.choice(every), random.choice(ODD)))
            lines[place] = damaged if random.random() < 0.7 else lines[place]
            (here / path.name).write_text("\n".join(lines) + "\n")
        tried(here)


@pytest.mark.parametrize("name", ["\ud800", "\x00", "\x1b[2J", "=cmd()", "é" * 5000])
def test_odd_names_are_read_or_refused_in_a_sentence(name: str, tmp_path: Path) -> None:
    samples = [sample(name, match="C", metadata={name: name}), sample("b", match="I")]
    path = write_eval(tmp_path / "odd.eval", samples, model=name, task=name)
    with suppress(HoldfastError):
        assert "\x1b" not in str(hf.assess(hf.read(path, cluster=name)))
    tried(path)
