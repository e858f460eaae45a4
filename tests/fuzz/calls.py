"""Calls drawn at random: everything public, with up to three arguments that make no sense."""

from __future__ import annotations

import inspect
import random
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import holdfast as hf
from tests.cli.test_names import FILES
from tests.fuzz.trial import Trial, in_folder

TRUTH, PREDICTED = ["yes", "no"] * 12, ["yes", "no", "yes", "yes"] * 6
SCORES = [0.9, 0.1, 0.4, 0.6] * 6
MODELS = {"a": PREDICTED, "b": TRUTH[:12] + PREDICTED[12:], "c": TRUTH}
GROUPS, CLUSTERS = {"site": ["x", "y", "z"] * 8}, [i // 3 for i in range(24)]
X, Y = np.arange(48.0).reshape(24, 2) % 7, np.array(TRUTH)
TABLE = "id,truth,predicted,score,site\n" + "".join(f"{i},{i % 2},{i % 3 % 2},0.{i % 9},{i % 3}\n" for i in range(24))
HOSTILE: list[Callable[[], Any]] = [
    *(lambda value=value: value for value in (3, -1, 0, 1.5, float("nan"), float("inf"), 10**400, True, None, 1j)),
    *(lambda value=value: value for value in ("x", "", "\x1b[31mred\u202e\n", b"x", "nan", "é" * 500, Path("nowhere"))),
    *(list, dict, tuple, object, set),
    *(
        lambda: [None],
        lambda: [[]],
        lambda: {"x": 3},
        lambda: {3: []},
        lambda: ["x", 3],
        lambda: [1, 2],
        lambda: {1, 2},
    ),
    *(lambda: np.arange(3), lambda: np.array(0.5), lambda: np.array([["a", "b"]]), lambda: np.array([], object)),
    *(lambda: (value for value in (1, 2)), lambda: abs, lambda: int, lambda: np.float64(0.5), lambda: range(24)),
    *(lambda: [float("nan")] * 24, lambda: ["x\n\x1b[2J"] * 24, lambda: [0.5] * 23, lambda: np.zeros((24, 2))),
    *(lambda: hf.Counts(1, 9), lambda: hf.Counts([1, 2], 9), lambda: hf.Losses([0.1, 0.2])),
]


def learner() -> Any:
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(max_depth=1)


def good(folder: Path) -> list[tuple[Callable[..., Any], dict[str, Any]]]:
    """Everything public with arguments that make sense, some of it several times."""
    names = ("rows.csv", "models.csv", "folds.csv", "costs.csv", "gate.toml", "run.json")
    files = {name: folder / name for name in names}
    files["rows.csv"].write_text(TABLE, encoding="utf-8")
    files["run.json"].write_text(FILES["run.json"], encoding="utf-8")
    files["models.csv"].write_text("truth,a,b\n" + "y,y,n\nn,n,n\n" * 6, encoding="utf-8")
    files["folds.csv"].write_text("fold,a,b\n" + "".join(f"{i},0.{i}1,0.{9 - i}\n" for i in range(8)), encoding="utf-8")
    files["costs.csv"].write_text("predicted \\ actual,no,yes\nno,0,5\nyes,1,0\n", encoding="utf-8")
    files["gate.toml"].write_text(
        '[[conditions]]\nmeasure = "recall"\nlabel = "yes"\nat_least = 0.1\n', encoding="utf-8"
    )
    read = {name: str(path) for name, path in files.items()}
    panel = hf.read_models(read["models.csv"])
    scores = hf.Scores(SCORES, [label == "yes" for label in TRUTH])
    trained = {"estimator": learner(), "X": X, "y": Y, "engine": "serial"}
    costs = hf.Costs([[0, 5], [1, 0]], ["no", "yes"], rows="predicted")
    book = {"address": folder / "tests.db", "key": folder / "labels.key"}
    if not book["address"].exists():
        hf.Ledger.open(**book, truth=TRUTH, ids=range(24), gates=1_000)
    return [
        (hf.Ledger, book),
        (hf.Ledger.open, {**book, "truth": TRUTH, "ids": range(24), "gates": 3, "promotions": 1}),
        (hf.assess, {"truth": TRUTH, "predicted": PREDICTED}),
        (hf.assess, {"truth": TRUTH, "predicted": PREDICTED, "score": SCORES, "positive": "yes", "bins": 3}),
        (hf.assess, {"truth": TRUTH, "predicted": PREDICTED, "groups": GROUPS, "by": ["site"], "costs": costs}),
        (hf.assess, {"truth": TRUTH, "predicted": PREDICTED, "clusters": CLUSTERS, "max_cluster": 3}),
        (hf.assess, {"correct": [True, False] * 12, "ids": CLUSTERS, "pass_at": [1, 2]}),
        (hf.assess, {"truth": TRUTH, "predicted": PREDICTED, "method": "bca", "only": "kappa", "resamples": 50}),
        (hf.assess_estimator, {"estimator": learner().fit(X, Y), "X": X, "y": Y}),
        (hf.gate, {"truth": TRUTH, "predicted": PREDICTED, "at_most": 0.3}),
        (hf.gate, {"truth": TRUTH, "predicted": PREDICTED, "measure": "recall", "label": "yes", "at_least": 0.1}),
        (hf.gate, {"truth": TRUTH, "predicted": PREDICTED, "conditions": [{"measure": "error-rate", "at_most": 0.2}]}),
        (hf.compare, {"truth": TRUTH, "predicted": MODELS}),
        (hf.compare, {"truth": TRUTH, "predicted": MODELS, "clusters": CLUSTERS}),
        (hf.compare, {"truth": TRUTH, "predicted": MODELS, "only": "f1", "positive": "yes", "margin": 0.1}),
        (hf.compare, {"correct": {"a": [True, False] * 12, "b": [True] * 24}, "require": "better"}),
        (hf.compare_datasets, {"table": {"a": [1.0, 2.0, 3.0, 4.0], "b": [2.0, 1.0, 5.0, 3.0]}, "samples": 100}),
        (hf.threshold, {"truth": TRUTH, "score": SCORES, "positive": "yes", "precision_at_least": 0.2}),
        (hf.panel, {"truth": TRUTH, "predicted": MODELS}),
        (hf.committee, {"truth": TRUTH, "predicted": MODELS}),
        (hf.panel, {"truth": TRUTH, "predicted": MODELS, "clusters": CLUSTERS, "max_cluster": 3}),
        (hf.committee, {"truth": TRUTH, "predicted": MODELS, "vote": "weighted", "share": [1, 2, 3]}),
        (hf.infer, {"target": ["y", "n"] * 6, "cores": panel, "unlabelled": {"a": ["y", "n"] * 6, "b": ["n"] * 12}}),
        (hf.bound, {"evidence": hf.Counts(1, 9)}),
        (hf.bound, {"evidence": hf.Losses([0.1, 0.2]), "method": "betting"}),
        (hf.every_bound, {"evidence": hf.Counts(1, 9)}),
        (hf.p_value, {"evidence": hf.Counts(1, 9), "null": 0.5}),
        (hf.plan, {"at_most": 0.1}),
        (hf.plan, {"half_width": 0.1, "expect": 0.2}),
        (hf.plan, {"wins": 0.3, "losses": 0.1}),
        (hf.monitor, {"at_most": 0.1}),
        (hf.sequential, {"margin": 0.1}),
        (hf.verify, {"method": "wilson", "n": 5}),
        (hf.verify, {"method": "betting", "n": 5, "repeats": 100}),
        (hf.coverage, {"method": "wilson", "n": 5, "rates": [0.1, 0.5]}),
        (hf.coverage_curves, {"methods": ["wilson"], "sizes": [5], "rates": [0.1, 0.5]}),
        (hf.worst_coverage, {"method": "wilson", "n": 5}),
        (hf.cross_assess, {**trained, "folds": 3}),
        (hf.decompose, {**trained, "rounds": 3}),
        (hf.learning_curve, {**trained, "train_shares": [0.5]}),
        (hf.roc, {"scores": scores}),
        (hf.precision_recall, {"scores": scores}),
        (hf.read, {"source": read["rows.csv"], "by": "site"}),
        (hf.read, {"source": read["run.json"], "missing": "wrong"}),
        (hf.doctor, {"source": read["run.json"]}),
        (hf.read_models, {"source": read["models.csv"], "models": ["a", "b"]}),
        (hf.read_folds, {"source": read["folds.csv"], "measure": "error-rate", "better": "lower"}),
        (hf.read_costs, {"path": read["costs.csv"]}),
        (hf.read_conditions, {"path": read["gate.toml"]}),
        (hf.read_unlabelled, {"source": read["models.csv"], "panel": panel}),
        (hf.Counts, {"k": 1, "n": 9}),
        (hf.Losses, {"values": [0.1, 0.2]}),
        (hf.Losses.from_moments, {"n": 9, "mean": 0.1, "s2": 0.01}),
        (hf.Scores, {"values": SCORES, "positive": [True, False] * 12}),
        (hf.Contingency, {"table": [[1, 2], [3, 4]], "labels": ["a", "b"], "rows": "actual"}),
        (hf.Costs, {"matrix": [[0, 1], [2, 0]], "labels": ["a", "b"], "rows": "predicted"}),
        (
            hf.Design,
            {"clusters": [1, 1, 2], "max_cluster": 2, "strata": ["a", "a", "b"], "shares": {"a": 0.5, "b": 0.5}},
        ),
        (hf.Folds, {"values": {"a": [0.1, 0.2], "b": [0.2, 0.3]}}),
        (hf.Panel, {"predictions": MODELS, "truth": TRUTH}),
        (lambda errors, n: hf.monitor().update(errors=errors, n=n), {"errors": 1, "n": 9}),
        (lambda first, second: hf.sequential().update(first=first, second=second), {"first": 1, "second": 0}),
        (lambda method: hf.methods() and hf.bound(hf.Counts(1, 9), method), {"method": "wilson"}),
        (lambda measure: hf.measures() and hf.assess(TRUTH, PREDICTED, only=measure), {"measure": "recall"}),
    ]


RESULTS = {  # what verbs answer with, and names that stand for themselves: nobody needs to make one
    *(
        "Answer",
        "Assumption",
        "Bound",
        "Claim",
        "Coverage",
        "CrossAssessment",
        "Curve",
        "Decision",
        "Duel",
        "Guarantee",
    ),
    *("HoldfastError", "Line", "Measure", "Monitor", "PValue", "Plan", "Predictions", "Report", "Source", "Threshold"),
    *("Verdict", "displays", "testing", "measures", "methods", "Procedure", "procedures"),
}


def calls(folder: Path, number: int, seed: int) -> Iterator[tuple[Callable[..., Any], dict[str, Any], str]]:
    """So many calls, each with one to three arguments replaced, and how each would be written."""
    chance, known = random.Random(seed), good(folder)
    for _ in range(number):
        public, arguments = chance.choice(known)
        names = _parameters(public)
        given = {**arguments}
        for name in chance.sample(names, min(chance.choice((1, 1, 2, 3)), len(names))):
            value = chance.choice(HOSTILE)()
            if not (name == "progress" and callable(value)):  # what a caller's function does is the caller's
                given[name] = value
        replaced = {name: value for name, value in given.items() if arguments.get(name, given) is not value}
        called = getattr(public, "__qualname__", str(public))
        yield public, given, f"{called}({', '.join(f'{name}={value!r:.60}' for name, value in replaced.items())})"


def _parameters(public: Callable[..., Any]) -> list[str]:
    parameters = inspect.signature(public).parameters.values()
    return [each.name for each in parameters if each.kind is not inspect.Parameter.VAR_KEYWORD]


def attempt(public: Callable[..., Any], given: dict[str, Any]) -> str | None:
    """What is wrong with how the call ended; nothing after an answer or an error of ours."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.filterwarnings("ignore", "These are plain intervals")  # said to whoever asks for them
            public(**given)
    except hf.HoldfastError as error:
        message = str(error)
        return None if message.isprintable() and len(message) > 15 else f"said {message!r:.200}"
    except Exception as error:
        return f"{type(error).__name__}: {error!s:.120}"
    return None


def tried_calls(seed: int, number: int) -> Trial:
    """Calls of one seed, in a folder of their own: some of what is hostile is the name of a folder to be made."""
    trial = Trial("calls")
    with in_folder() as folder:
        for public, given, written in calls(folder, number, seed):
            trial.tried.update(("calls", f"of {getattr(public, '__name__', public)}"))
            if problem := attempt(public, given):
                trial.wrong.append(f"{written}: {problem}")
    return trial
