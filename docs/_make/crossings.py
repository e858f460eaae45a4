"""Every verb with every modifier, and pairs of modifiers, tried on small data: what docs/crossings.md tells."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import numpy as np
import polars as pl

import holdfast as hf
from holdfast import cli
from holdfast.errors import HoldfastError

MODIFIERS = (
    *("by", "cluster", "by-class", "weights", "scores", "partial credit", "simultaneous", "looks", "sequential"),
    *("margin", "html", "json", "chart", "many labels", "missing", "DuckDB"),
)
DROPPED = " ".join(f"--drop {name}" for name in ("one", "two", "three", "subject", "weight", "ward"))
ROWS, PAIR, CLASS = "--truth truth --predicted one", "--truth truth --models one,two", "--positive a"
# What each verb is called with; modifiers add their words to it.
BASES = {
    "assess": f"assess rows.csv {ROWS} {CLASS}",
    "gate": f"gate rows.csv {ROWS} {CLASS} --at-most 0.5",
    "compare": f"compare rows.csv {PAIR} {CLASS}",
    "monitor": "monitor stream.csv --at-most 0.5",
    "compare --sequential": f"compare rows.csv {PAIR} --sequential",
    "threshold": f"threshold rows.csv --truth truth --score score {CLASS} --sensitivity-at-least 0.1",
    "plan": "plan --at-most 0.05 --expect 0.03",
    "cross-assess": f"cross-assess rows.csv --target truth --estimator learner.py:make --scheme kfold {DROPPED}",
    "panel": f"panel rows.csv {PAIR},three",
    "committee": f"committee rows.csv {PAIR},three",
}
ADDED = {
    "by": "--by subject",
    "cluster": "--cluster site --max-cluster 8",
    "by-class": "--sampling by-class --prevalence a=0.4",
    "weights": "--weight weight --max-weight 2",
    "scores": "--score score --measure auc --measure log-loss",
    "partial credit": "--value grade --levels 0,0.5,1",
    "simultaneous": "--simultaneous",
    "looks": "--looks 3",
    "sequential": "--sequential",
    "margin": "--margin 0.2",
    "html": "--html page.html",
    "json": "--json",
    "chart": "--chart picture.svg",
    "missing": "--missing drop",
}
# Commands of their own, where the data or the words are others.
COMMANDS = {
    ("assess", "partial credit"): "assess rows.csv --value grade --levels 0,0.5,1",
    ("gate", "scores"): f"gate rows.csv {ROWS} {CLASS} --score score --measure auc --at-least 0.1",
    ("gate", "partial credit"): "gate rows.csv --value grade --levels 0,0.5,1 --measure accuracy --at-least 0.1",
    ("gate", "margin"): f"gate rows.csv {ROWS} --baseline-column two --margin 0.2",
    ("compare", "partial credit"): "compare rows.csv --models grade,half --value '*' --levels 0,0.5,1",
    ("compare", "scores"): f"compare rows.csv {PAIR} {CLASS} --score one=score --score two=other --measure auc",
    ("compare", "simultaneous"): f"compare rows.csv {PAIR} {CLASS} --by subject --simultaneous",
    ("compare", "sequential"): f"compare rows.csv {PAIR} --sequential",
    ("compare --sequential", "sequential"): f"compare rows.csv {PAIR} --sequential",
    ("compare --sequential", "partial credit"): "compare rows.csv --models grade,half --sequential --losses 0,1",
    ("monitor", "partial credit"): "monitor losses.csv --losses --column loss --at-most 0.9",
    ("monitor", "sequential"): "monitor stream.csv --at-most 0.5",
    ("cross-assess", "scores"): f"{BASES['cross-assess']} --measure auc --measure log-loss {CLASS}",
    ("cross-assess", "by"): f"{BASES['cross-assess'].replace('--drop subject', '')} --by subject",
    ("cross-assess", "weights"): f"{BASES['cross-assess'].replace('--drop weight', '')} --weight weight --max-weight 2",
    ("cross-assess", "cluster"): f"{BASES['cross-assess'].replace('kfold', 'grouped')} --group site --max-group 5",
}
SENSELESS = {
    ("monitor", "looks"): "one may always look",
    ("monitor", "many labels"): "a stream says right or wrong",
    ("threshold", "scores"): "scores are what it is about",
    ("threshold", "partial credit"): "a threshold is set for two classes",
    ("threshold", "margin"): "the limit is what is asked for",
    ("plan", "many labels"): "there are no rows yet",
    ("plan", "missing"): "there are no rows yet",
    ("plan", "DuckDB"): "there are no rows yet",
    ("cross-assess", "looks"): "folds are looked at once",
    ("cross-assess", "sequential"): "folds are looked at once",
}
CHARTS = {"assess": "forest", "compare": "differences", "cross-assess": "forest", "panel": "agreement"}
CHARTS |= {"committee": "agreement", "gate": "conditions", "threshold": "rates"}
FILES = {"many labels": "labels.csv", "missing": "holes.csv"}
PAIRED = {
    "assess": ("by", "cluster", "by-class", "weights", "scores", "missing", "simultaneous", "looks"),
    "gate": ("by", "cluster", "by-class", "weights", "scores", "missing", "looks", "simultaneous"),
    "compare": ("by", "cluster", "by-class", "weights", "scores", "missing", "margin"),
}
LEARNER = """from sklearn.tree import DecisionTreeClassifier


def make():
    return DecisionTreeClassifier(random_state=0, max_depth=3)
"""


@dataclass(frozen=True)
class Trial:
    """What was tried, and whether it was answered; or else why not."""

    verb: str
    modifiers: tuple[str, ...]
    command: str
    reason: str = ""

    @property
    def works(self) -> bool:
        return not self.reason


def trials() -> list[Trial]:
    """Every verb with every modifier that makes sense for it, then pairs of modifiers on three verbs."""
    with TemporaryDirectory() as folder, chdir(folder), patch.dict(os.environ, {"COLUMNS": "80", "TERM": "dumb"}):
        _write()
        return [Trial(*each, _refusal(each[-1])) for each in _commands()]


def _commands() -> Iterator[tuple[str, tuple[str, ...], str]]:
    for verb, base in BASES.items():
        for modifier in MODIFIERS:
            if (verb, modifier) not in SENSELESS:
                yield verb, (modifier,), COMMANDS.get((verb, modifier), _with(base, modifier))
    for verb, modifiers in PAIRED.items():
        for pair in combinations(modifiers, 2):
            command = COMMANDS[verb, "scores"] if "scores" in pair and (verb, "scores") in COMMANDS else BASES[verb]
            for modifier in pair:
                command = command if (verb, modifier) in COMMANDS and modifier == "scores" else _with(command, modifier)
            yield verb, pair, command


def _with(command: str, modifier: str) -> str:
    if modifier == "DuckDB":
        return f"duckdb {command}"
    if modifier in FILES:
        command = command.replace("rows.csv", FILES[modifier]).replace("stream.csv", "gaps.csv")
    if modifier == "chart":
        return f"{command} --chart {CHARTS.get(command.split()[0], 'picture')}.svg"
    words = ADDED.get(modifier, "")
    # Clusters that were drawn within classes hold rows of one class each.
    within = {"by-class", "cluster"} <= {name for name, added in ADDED.items() if f"{command} {words}".find(added) >= 0}
    return f"{command} {words}".replace("--cluster site", "--cluster ward" if within else "--cluster site").strip()


def _write() -> None:
    """Two hundred rows of every kind, and a stream."""
    generator, n = np.random.default_rng(7), 200
    truth = generator.choice(["a", "b"], n)
    said = {
        name: np.where(generator.random(n) < right, truth, generator.choice(["a", "b"], n))
        for name, right in (("one", 0.9), ("two", 0.8), ("three", 0.7))
    }
    scores = {
        name: np.clip((truth == "a") * 0.4 + generator.random(n) * 0.6, 0, 1).round(3) for name in ("score", "other")
    }
    rows = pl.DataFrame(
        {
            "truth": truth,
            **said,
            **scores,
            "site": np.arange(n) // 4,
            "ward": [f"{label}{place // 8}" for place, label in enumerate(truth)],
            "subject": generator.choice(["art", "law"], n),
            "weight": generator.choice([0.5, 1.0, 2.0], n),
            "grade": generator.choice([0.0, 0.5, 1.0], n),
            "half": generator.choice([0.0, 0.5, 1.0], n),
        }
    )
    rows.write_csv("rows.csv")
    gone = pl.int_range(n) % 50 == 49
    rows.with_columns(pl.when(gone).then(None).otherwise(pl.col(name)).alias(name) for name in said).write_csv(
        "holes.csv"
    )
    many = (pl.concat_str(pl.col(name), pl.int_range(n) % 40).alias(name) for name in ("truth", *said))
    rows.with_columns(many).with_columns(truth=pl.col("truth").replace({"a0": "a"}), one=pl.col("one")).write_csv(
        "labels.csv"
    )
    wrong = (rows["truth"] != rows["one"]).cast(int)
    pl.DataFrame({"wrong": wrong}).write_csv("stream.csv")
    pl.DataFrame({"loss": rows["grade"]}).write_csv("losses.csv")
    pl.DataFrame({"wrong": [*map(str, wrong.to_list()[:5]), "", "0"]}).write_csv("gaps.csv", include_header=False)
    Path("learner.py").write_text(LEARNER, encoding="utf-8")


def _refusal(command: str) -> str:
    """Why the command was not answered; nothing where it was."""
    if command.startswith("duckdb "):
        return _on_duckdb(command.removeprefix("duckdb "))
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err), patch.object(sys, "argv", ["holdfast", *shlex.split(command)]):
        try:
            cli.main(shlex.split(command))
        except SystemExit as left:
            if left.code in (0, 1, 3, None):
                return ""
    return err.getvalue().strip().splitlines()[-1].removeprefix("holdfast: ")


def _on_duckdb(command: str) -> str:
    """The same of rows that a database holds, by the verb in Python."""
    import duckdb

    table = duckdb.read_csv("rows.csv")
    models = {"truth": "truth", "models": "one,two,three"}
    calls: dict[str, Callable[[], Any]] = {
        "assess": lambda: hf.assess(hf.read(table, truth="truth", predicted="one")),
        "gate": lambda: hf.gate(hf.read(table, truth="truth", predicted="one"), at_most=0.5),
        "compare": lambda: hf.compare(hf.read_models(table, **models)),
        "threshold": lambda: hf.threshold(
            hf.read(table, truth="truth", score="score"), positive="a", sensitivity_at_least=0.1
        ),
        "panel": lambda: hf.panel(hf.read_models(table, **models)),
        "committee": lambda: hf.committee(hf.read_models(table, **models)),
    }
    verb = command.split()[0]
    if "--sequential" in command or verb not in calls:
        trained = "What is trained on is read into this process; give a file, or a frame."
        return trained if verb == "cross-assess" else "A stream is read in its order, and a database keeps none."
    try:
        calls[verb]()
    except HoldfastError as error:
        return str(error)
    return ""
