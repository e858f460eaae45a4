"""A gate against a baseline: what it may get wrong, counted out over every outcome; files, groups and designs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from scipy.stats import multinomial

import holdfast as hf
from holdfast.catalog import find
from holdfast.errors import HoldfastError, UnfitMethod
from holdfast.evidence import Counts, Losses
from holdfast.evidence.pairs.paired import Paired
from holdfast.report import Answer, Decision
from holdfast.verbs.gate import decide
from holdfast.verbs.gate.conditions import Condition
from holdfast.verbs.gate.more_data import Settling
from tests.cli import conftest as shell
from tests.shapes import validate

run = shell.run  # a fixture
SHAPE = json.loads((Path(hf.__file__).parent / "schemas" / "decision-1.json").read_text(encoding="utf-8"))
RNG = np.random.default_rng(4)
N = 900
TRUTH = RNG.choice(["a", "b"], N)
NEW, OLD = (np.where(RNG.random(N) < rate, RNG.choice(["a", "b"], N), TRUTH) for rate in (0.1, 0.14))
NEW_SCORE, OLD_SCORE = (np.clip(0.4 * (TRUTH == "a") + 0.6 * RNG.random(N), 0, 1) for _ in range(2))
SUBJECT = RNG.choice(["art", "law"], N, p=[0.4, 0.6])
PATIENT = RNG.integers(0, 250, N)
WEIGHT = RNG.choice([1.0, 3.0], N)
STRATUM = np.where(PATIENT % 2 == 0, "even", "odd")
SHARES = {"even": 0.3, "odd": 0.7}


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without asking how many more examples are needed."""
    monkeypatch.setattr(decide, "settling", lambda *_: Settling(None))


def outcomes(n: int) -> list[tuple[int, int]]:
    """On how many of n rows only the new model was right, and on how many only the old one."""
    return [(won, lost) for won in range(n + 1) for lost in range(n + 1 - won)]


def answers(won: int, lost: int, n: int) -> tuple[list[bool], list[bool]]:
    """Right or wrong of the new model and of the old one."""
    both = n - won - lost
    return [True] * won + [False] * lost + [True] * both, [False] * won + [True] * lost + [True] * both


def chances(n: int, won: float, lost: float) -> list[float]:
    return multinomial.pmf([(w, k, n - w - k) for w, k in outcomes(n)], n, (won, lost, 1 - won - lost)).tolist()


# ---- The promise, over every outcome


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize(
    ("margin", "measure"), [(0.0, "error-rate"), (0.1, "error-rate"), (0.4, "error-rate"), (0.1, "accuracy")]
)
def test_either_answer_is_false_with_at_most_delta_where_the_difference_is_the_margin(
    margin: float, measure: str
) -> None:
    n, delta = 9, 0.2
    proven, refuted = [], []
    for won, lost in outcomes(n):
        new, old = answers(won, lost, n)
        decision = hf.gate(correct=new, baseline=old, measure=measure, margin=margin, delta=delta)
        assert decision.claim is not None
        assert decision.claim.method == "paired-fisher"
        proven.append(decision.answer is Answer.PROVEN)
        refuted.append(decision.answer is Answer.REFUTED)
    false_proofs, false_refutations = [], []
    for won_alone in np.linspace(0.0, (1 - margin) / 2, 25):  # whatever else is true of both models
        each = np.array(chances(n, won_alone, won_alone + margin))
        false_proofs.append(each @ proven)
        false_refutations.append(each @ refuted)
    assert max(false_proofs) <= delta
    assert max(false_refutations) <= delta
    assert max(false_proofs) > delta / 10  # nor is the promise kept by saying nothing
    assert max(false_refutations) > delta / 10


@pytest.mark.long
@pytest.mark.usefixtures("hurried")
def test_in_groups_too_over_every_outcome_of_both() -> None:
    # All of it is proven only if the group is whose difference is just the margin, whatever the other one does; and
    # any refutation where both differences are just the margin is false.
    n, margin, delta = 5, 0.4, 0.4
    group = {"g": np.repeat(["x", "y"], n)}
    number = len(outcomes(n))
    proven, refuted = np.zeros((number, number), bool), np.zeros((number, number), bool)
    for (i, one), (j, other) in product(enumerate(outcomes(n)), repeat=2):
        new, old = (a + b for a, b in zip(answers(*one, n), answers(*other, n), strict=True))
        decision = hf.gate(correct=new, baseline=old, margin=margin, groups=group, delta=delta)
        assert [leaf.group for leaf in decision.leaves()] == [None, "g=x", "g=y"]
        proven[i, j] = decision.answer is Answer.PROVEN
        refuted[i, j] = decision.answer is Answer.REFUTED
    for won_alone in (0.0, 0.1, 0.29):
        at_margin = np.array(chances(n, won_alone, won_alone + margin))
        for won, lost in ((1.0, 0.0), (0.5, 0.1), (0.0, 0.0), (0.3, 0.3)):
            beside = np.array(chances(n, won, lost))
            assert at_margin @ proven @ beside <= delta
            assert beside @ proven @ at_margin <= delta
        assert at_margin @ refuted @ at_margin <= delta
    assert np.array(chances(n, 0.0, margin)) @ proven @ np.array(chances(n, 1.0, 0.0)) > delta / 10
    assert at_margin @ refuted @ at_margin > delta / 100


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize("runs", [60, pytest.param(300, marks=pytest.mark.long)])
def test_by_clusters_a_false_proof_is_seldom_too(runs: int) -> None:
    # Whole clusters of up to three rows go wrong with either model; the difference over all rows is just the margin.
    rng, margin, delta = np.random.default_rng(3), 0.2, 0.2
    found = {"squares": 0, "influence": 0}
    for _ in range(runs):
        cluster = np.repeat(np.arange(60), rng.integers(1, 4, 60))
        fate = rng.choice(3, 60, p=[0.1, 0.1 + margin, 0.8 - margin])[cluster]
        new, old = fate != 1, fate != 0
        for method in found:
            how: dict[str, Any] = {"clusters": cluster, "max_cluster": 3, "method": method, "accept": "large-n"}
            found[method] += bool(hf.gate(correct=new, baseline=old, margin=margin, delta=delta, **how))
    assert found["squares"] / runs <= delta
    assert delta / 4 < found["influence"] / runs <= delta + 3 * np.sqrt(delta * (1 - delta) / runs)


# ---- The same numbers by other ways


def test_the_claim_is_that_of_the_counts_and_of_a_comparison() -> None:
    new, old = NEW == TRUTH, OLD == TRUTH
    won, lost = int(np.sum(new & ~old)), int(np.sum(old & ~new))
    decision = hf.gate(TRUTH, NEW, baseline=OLD, margin=0.02)
    counts = find("paired-fisher")(Paired(won=won, lost=lost, n=N), 0.05, "upper")
    assert decision.claim is not None
    assert decision.claim.upper == pytest.approx(float(counts.upper))
    assert decision.claim.estimate == pytest.approx((lost - won) / N)
    beside = hf.compare(TRUTH, {"new": NEW, "old": OLD}, margin=0.02, require="not-worse").decision
    assert beside.answer is decision.answer
    assert beside.claim is not None
    assert beside.claim.upper == pytest.approx(decision.claim.upper)
    assert decision.condition == "error-rate at most 0.02 worse than the baseline"
    assert (decision.at_most, decision.at_least) == (0.02, None)


def test_where_more_is_better_it_is_the_lower_limit() -> None:
    error = hf.gate(TRUTH, NEW, baseline=OLD, margin=0.02)
    accuracy = hf.gate(TRUTH, NEW, baseline=OLD, margin=0.02, measure="accuracy")
    assert (accuracy.at_most, accuracy.at_least) == (None, -0.02)
    assert accuracy.claim is not None
    assert error.claim is not None
    assert accuracy.claim.lower == pytest.approx(-float(error.claim.upper))
    assert accuracy.answer is error.answer


def test_a_model_beside_itself_differs_by_nothing_and_swapping_turns_the_difference() -> None:
    same = hf.gate(TRUTH, NEW, baseline=NEW, margin=0.01)
    assert same.claim is not None
    assert same.claim.estimate == 0
    one, other = hf.gate(TRUTH, NEW, baseline=OLD, margin=0), hf.gate(TRUTH, OLD, baseline=NEW, margin=0)
    assert one.claim is not None
    assert other.other is not None
    assert one.claim.upper == pytest.approx(-float(other.other.lower))


DESIGNS: dict[str, dict[str, Any]] = {
    "rows": {},
    "clusters": {"clusters": PATIENT, "max_cluster": 15},
    "clusters without a cap": {"clusters": PATIENT},
    "weights": {"weights": WEIGHT, "max_weight": 3.0},
    "weighted clusters": {"clusters": PATIENT, "max_cluster": 15, "weights": WEIGHT, "max_weight": 3.0},
}


STRATA: dict[str, Any] = {"strata": STRATUM, "shares": SHARES}


@pytest.mark.crossing(7)
@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize("measure", ["error-rate", "recall", "f1", "macro-f1", "mcc", "auc", "brier"])
@pytest.mark.parametrize("design", DESIGNS)
def test_a_group_is_its_rows(measure: str, design: str) -> None:
    asked: dict[str, Any] = {"measure": measure, "margin": 0.9, "positive": "a"}
    scores = (NEW_SCORE, OLD_SCORE)
    how = DESIGNS[design]
    whole = hf.gate(
        TRUTH, NEW, scores[0], baseline=OLD, baseline_score=scores[1], groups={"subject": SUBJECT}, **asked, **how
    )
    for part in whole.leaves():
        here = np.ones(N, bool) if part.group is None else part.group.removeprefix("subject=") == SUBJECT
        expected = alone_claim(asked, how, here)
        assert part.claim is not None
        assert part.claim.estimate == pytest.approx(expected.estimate, abs=1e-12)
        assert (part.claim.lower, part.claim.upper) == pytest.approx((expected.lower, expected.upper), abs=1e-9)
        assert part.claim.guarantee is expected.guarantee


def alone_claim(asked: dict[str, Any], design: dict[str, Any], here: Any) -> Any:
    kept = {name: value[here] if isinstance(value, np.ndarray) else value for name, value in design.items()}
    decision = hf.gate(
        TRUTH[here], NEW[here], NEW_SCORE[here], baseline=OLD[here], baseline_score=OLD_SCORE[here], **asked, **kept
    )
    return decision.claim


def test_strata_keep_the_shares_of_the_population() -> None:
    decision = hf.gate(TRUTH, NEW, baseline=OLD, margin=0.1, groups={"subject": SUBJECT}, **STRATA)
    worse = (NEW != TRUTH).astype(float) - (OLD != TRUTH)
    for part in decision.leaves():
        here = np.ones(N, bool) if part.group is None else part.group.removeprefix("subject=") == SUBJECT
        above, below = (
            sum(share * np.mean(each[name == STRATUM]) for name, share in SHARES.items())
            for each in (worse * here, here)
        )
        assert part.claim is not None
        assert part.claim.estimate == pytest.approx(above / below)
        assert part.claim.method == "strata-bets"


# ---- Several conditions


def test_conditions_on_the_model_and_beside_several_baselines_are_one_statement() -> None:
    older = np.where(RNG.random(N) < 0.3, RNG.choice(["a", "b"], N), TRUTH)
    asked: list[dict[str, Any]] = [
        {"at_most": 0.1},
        {"margin": 0.02, "by": "subject"},
        {"margin": 0.0, "baseline": older, "name": "better than ever"},
        {"measure": "recall", "label": "b", "margin": 0.05, "group": "subject=law"},
    ]
    decision = hf.gate(TRUTH, NEW, baseline=OLD, conditions=asked, groups={"subject": SUBJECT})
    told = [[leaf.group for leaf in part.leaves()] for part in decision.parts]
    assert told == [[None], [None, "subject=art", "subject=law"], [None], ["subject=law"]]
    assert decision.rule == "intersection-union"
    assert decision.parts[2].answer is Answer.PROVEN
    assert decision.parts[2].condition.startswith("better than ever: error-rate at most 0 worse")
    one = hf.gate(TRUTH, NEW, at_most=0.1)
    assert decision.parts[0].claim is not None
    assert one.claim is not None
    assert decision.parts[0].claim.upper == one.claim.upper  # each at the whole delta
    usual = hf.gate(TRUTH, NEW, baseline=OLD, margin=0.02, conditions=[{}, {"measure": "recall", "label": "a"}])
    assert [part.condition for part in usual.parts] == [
        "error-rate at most 0.02 worse than the baseline",
        "recall of a at most 0.02 worse than the baseline",
    ]


def test_what_holds_for_large_n_decides_where_that_is_accepted() -> None:
    asked: dict[str, Any] = {"measure": "auc", "margin": 0.2, "positive": "a", "groups": {"subject": SUBJECT}}
    both: dict[str, Any] = {"baseline": OLD, "baseline_score": OLD_SCORE}
    decision = hf.gate(TRUTH, NEW, NEW_SCORE, **both, **asked)
    assert (decision.answer, decision.exit_code) == (Answer.SUPPORTED, 3)
    accepted = hf.gate(TRUTH, NEW, NEW_SCORE, **both, **asked, accept="large-n")
    assert (accepted.answer, accepted.exit_code) == (Answer.SUPPORTED, 0)


def test_looks_share_delta() -> None:
    looked = hf.gate(TRUTH, NEW, baseline=OLD, margin=0.02, looks=5)
    once = hf.gate(TRUTH, NEW, baseline=OLD, margin=0.02, delta=0.01)
    assert looked.claim is not None
    assert once.claim is not None
    assert looked.claim.upper == pytest.approx(float(once.claim.upper))


def test_more_rows_that_are_needed_settle_it() -> None:
    decision = hf.gate(TRUTH, NEW, baseline=OLD, margin=0.0)
    assert decision.answer is Answer.OPEN
    assert decision.needed is not None
    times = int(np.ceil(1 + decision.needed / N)) + 1
    again = hf.gate(np.tile(TRUTH, times), np.tile(NEW, times), baseline=np.tile(OLD, times), margin=0.0)
    assert again.answer is Answer.PROVEN


# ---- What is refused


@pytest.mark.parametrize(
    ("words", "given", "asked"),
    [
        (r"needs margin=", [TRUTH, NEW], {"baseline": OLD}),
        (r"needs margin=", [TRUTH, NEW], {"baseline": OLD, "at_most": 0.1}),
        (r"give that by baseline=", [TRUTH, NEW], {"margin": 0.1}),
        (r"from 0 to 1; got -0\.1", [TRUTH, NEW], {"baseline": OLD, "margin": -0.1}),
        (r"Did you mean 0\.02", [TRUTH, NEW], {"baseline": OLD, "margin": 2}),
        (r"make two conditions", [TRUTH, NEW], {"baseline": OLD, "margin": 0.1, "at_most": 0.1}),
        (r"neither more of it nor less", [TRUTH, NEW], {"baseline": OLD, "margin": 0.1, "measure": "prevalence"}),
        (r"rates of one model", [TRUTH, NEW], {"baseline": OLD, "margin": 0.1, "sequential": True}),
        (r"same length", [TRUTH, NEW], {"baseline": OLD[1:], "margin": 0.1}),
        (r"row by row; got 'old.csv'", [TRUTH, NEW], {"baseline": "old.csv", "margin": 0.1}),
        (r"on= joins", [TRUTH, NEW], {"at_most": 0.1, "on": "id"}),
        (r"on= joins files", [TRUTH, NEW], {"baseline": OLD, "margin": 0.1, "on": "id"}),
        (r"order= says nothing", [TRUTH, NEW], {"baseline": OLD, "margin": 0.1, "clusters": PATIENT, "order": "drawn"}),
        (
            r"give the predictions of both",
            [TRUTH, None, NEW_SCORE],
            {"baseline": OLD, "margin": 0.1, "operating_point": 0.5},
        ),
        (r"name it with label=", [TRUTH, NEW], {"baseline": OLD, "margin": 0.1, "measure": "recall"}),
        (r"no label named 'c'", [TRUTH, NEW], {"baseline": OLD, "margin": 0.1, "measure": "recall", "label": "c"}),
        (r"leave out the label", [TRUTH, NEW], {"baseline": OLD, "margin": 0.1, "label": "a"}),
        (r"scores of the positive one", [TRUTH, NEW], {"baseline": OLD, "margin": 0.1, "measure": "auc"}),
        (r"needs the rows", [Counts(1, 10)], {"margin": 0.1}),
        (r"has no baseline", [Losses([0.1, 0.2])], {"margin": 0.1}),
        (
            r"more than the 2 that were stated",
            [TRUTH, NEW],
            {"baseline": OLD, "margin": 0.1, "weights": WEIGHT, "max_weight": 2},
        ),
        (
            r"more than the 2 that were stated",
            [TRUTH, NEW],
            {"baseline": OLD, "margin": 0.1, "clusters": PATIENT, "max_cluster": 2},
        ),
        (r"speaks of clusters", [TRUTH, NEW], {"baseline": OLD, "margin": 0.1, "max_cluster": 2}),
        (r"outside of the range", [], {"value": NEW_SCORE, "baseline": [2.0] * len(NEW_SCORE), "margin": 0.1}),
        (r"would not decide", [TRUTH, NEW], {"baseline": OLD, "margin": 0.1, "method": "wilson"}),
    ],
)
def test_what_cannot_be_asked_is_refused_in_words(words: str, given: Sequence[Any], asked: dict[str, Any]) -> None:
    with pytest.raises((HoldfastError, UnfitMethod), match=words):
        hf.gate(*given, **asked)


def test_samples_of_one_question_are_drawn_together() -> None:
    question = np.arange(N) // 3
    sampled = hf.gate(TRUTH, NEW, baseline=OLD, margin=0.05, ids=question)
    clustered = hf.gate(TRUTH, NEW, baseline=OLD, margin=0.05, clusters=question)
    assert sampled.claim is not None
    assert clustered.claim is not None
    assert sampled.claim.upper == pytest.approx(float(clustered.claim.upper))
    assert sampled.claim.method == "squares"


# ---- Files


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """The answers of both models in files of their own, in other orders, and in one."""
    rows = [*zip(range(N), TRUTH, NEW, NEW_SCORE, OLD, OLD_SCORE, SUBJECT, PATIENT, WEIGHT, strict=True)]
    new = [f"i{i},{t},{p},{s:.17g},{g},p{c},{w},{STRATUM[i]}" for i, t, p, s, _, _, g, c, w in rows]
    old = [f"i{i},{p},{s:.17g}" for i, _, _, _, p, s, _, _, _ in (rows[k] for k in RNG.permutation(N))]
    one = [f"{t},{p},{s:.17g},{q},{r:.17g},{g},p{c},{w},{STRATUM[i]}" for i, t, p, s, q, r, g, c, w in rows]
    for name, header, lines in (
        ("new.csv", "id,truth,predicted,score,subject,patient,w,stratum", new),
        ("old.csv", "id,predicted,score", old),
        ("one.csv", "truth,predicted,score,old,old_score,subject,patient,w,stratum", one),
    ):
        (tmp_path / name).write_text("\n".join([header, *lines]) + "\n", encoding="utf-8")
    return tmp_path


def claims(decision: Decision) -> list[tuple[str | None, str, float, float]]:
    found = [(leaf.group, leaf.claim) for leaf in decision.leaves()]
    return [(group, c.method, float(c.lower), float(c.upper)) for group, c in found if c is not None]


@pytest.mark.crossing(3)
@pytest.mark.parametrize("measure", ["error-rate", "f1", "auc"])
@pytest.mark.parametrize("design", [*DESIGNS, "strata"])
def test_files_and_columns_say_what_arrays_say(files: Path, measure: str, design: str) -> None:
    drawn = STRATA if design == "strata" else DESIGNS[design]
    how = {name: value for name, value in drawn.items() if not isinstance(value, np.ndarray)}
    columns: dict[str, Any] = {"cluster": "patient"} if "clusters" in drawn else {}
    columns |= {"weight": "w"} if "weights" in drawn else {}
    columns |= {"strata": "stratum"} if "strata" in drawn else {}
    asked: dict[str, Any] = {"measure": measure, "margin": 0.02, "positive": "a"}
    arrays = hf.gate(
        TRUTH,
        NEW,
        NEW_SCORE,
        baseline=OLD,
        baseline_score=OLD_SCORE,
        groups={"subject": SUBJECT},
        **asked,
        **drawn,
    )
    joined = hf.gate(
        hf.read(files / "new.csv", id="id", by="subject", **columns),
        baseline=files / "old.csv",
        on="id",
        **asked,
        **how,
    )
    rows = hf.read(files / "one.csv", by="subject", baseline="old", baseline_score="old_score", **columns)
    single = hf.gate(rows, **asked, **how)
    expected = claims(arrays)
    for decision in (joined, single):
        found = claims(decision)
        assert [each[:2] for each in found] == [each[:2] for each in expected]
        assert [each[2:] for each in found] == [pytest.approx(each[2:], abs=1e-9) for each in expected]


def test_a_panel_of_two_models_is_taken_as_it_is(files: Path) -> None:
    panel = hf.read_models({"new": files / "new.csv", "old": files / "old.csv"}, on="id")
    expected = hf.gate(TRUTH, NEW, baseline=OLD, margin=0.02)
    assert claims(hf.gate(panel, margin=0.02)) == claims(expected)
    with pytest.raises(HoldfastError, match="is about one model"):
        hf.gate(panel, at_most=0.1)
    three = hf.Panel({"x": NEW, "y": OLD, "z": OLD}, TRUTH)
    with pytest.raises(HoldfastError, match="one baseline; this panel has 3 models"):
        hf.gate(three, margin=0.1)


def test_rows_are_joined_by_their_ids_or_refused(files: Path) -> None:
    new = hf.read(files / "new.csv", id="id")
    with pytest.raises(HoldfastError, match="joined by the item"):
        hf.gate(hf.read(files / "new.csv"), baseline=hf.read(files / "new.csv"), margin=0.1)
    few = (files / "old.csv").read_text(encoding="utf-8").splitlines()[: N // 2]
    (files / "few.csv").write_text("\n".join(few) + "\n", encoding="utf-8")
    with pytest.raises(HoldfastError, match="lack an answer"):
        hf.gate(new, baseline=files / "few.csv", on="id", margin=0.1)
    dropped = hf.gate(hf.read(files / "new.csv", id="id", missing="drop"), baseline=files / "few.csv", margin=0.1)
    assert dropped.claim is not None
    assert dropped.claim.n == N // 2 - 1


# ---- The command line


TOML = """
on = "id"
baseline = "old.csv"

[[condition]]
at_most = 0.15
by = "subject"

[[condition]]
margin = 0.1
by = "subject"

[[condition]]
name = "not worse than itself"
margin = 0.02
baseline = "new.csv"
"""


@pytest.mark.crossing(3)
@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("new.csv --baseline old.csv --on id --margin 0.1 --by subject", 0),
        ("new.csv --baseline old.csv --on id --margin 0 --by subject", 3),
        ("old_with_truth.csv --baseline bad.csv --on id --margin 0.05", 0),
        ("bad.csv --truth truth --baseline old_with_truth.csv --on id --margin 0.05", 1),
        ("one.csv --baseline-column old --margin 0.1 --by subject", 0),
        ("one.csv --baseline-column old --margin 0.3 --by subject --cluster patient --max-cluster 15", 0),
        ("one.csv --baseline-column old --margin 0.1 --weight w --max-weight 3", 0),
        ("one.csv --baseline-column old --baseline-score old_score --measure auc --positive a --margin 0.1", 3),
        (
            "one.csv --baseline-column old --baseline-score old_score --measure auc --positive a --margin 0.1 "
            "--accept large-n",
            0,
        ),
        ("new.csv --conditions gate.toml", 0),
        ("new.csv --baseline old.csv --on id", 2),
        ("new.csv --baseline old.csv --margin 0.1", 2),
        ("new.csv --margin 0.1", 2),
        ("new.csv --baseline nowhere.csv --on id --margin 0.1", 2),
        ("new.csv --baseline old.csv --on nothing --margin 0.1", 2),
        ("one.csv --baseline-column old --on id --margin 0.1", 2),
        ("one.csv --baseline-column nothing --margin 0.1", 2),
        ("one.csv --baseline-score old_score --margin 0.1", 2),
        ("new.csv --baseline old.csv --baseline-column predicted --on id --margin 0.1", 2),
    ],
)
def test_the_exit_code_is_the_answer(run: shell.Run, files: Path, words: str, code: int) -> None:
    (files / "gate.toml").write_text(TOML, encoding="utf-8")
    wrong = np.where(TRUTH == "a", "b", "a")
    for name, model in (("bad.csv", wrong), ("old_with_truth.csv", OLD)):
        lines = (
            f"i{i},{t},{p}" for i, t, p in zip(range(N), TRUTH, np.where(RNG.random(N) < 0.7, OLD, model), strict=True)
        )
        (files / name).write_text("\n".join(["id,truth,predicted", *lines]) + "\n", encoding="utf-8")
    answer = run("gate", *words.split())
    assert answer.code == code, answer.out + answer.err
    if code == 2:
        assert (answer.out, answer.err[:10]) == ("", "holdfast: ")
        assert "Traceback" not in answer.err
    else:
        assert answer.err == ""
        starts = {0: ("proven", "supported"), 1: ("refuted",), 3: ("not enough data", "supported")}[code]
        assert answer.out.startswith(starts)
        assert max(map(len, answer.out.splitlines())) <= 80


def test_json_junit_and_annotations_say_the_same(run: shell.Run, files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(files / "summary.md"))
    words = ["gate", "new.csv", "--baseline", "old.csv", "--on", "id", "--margin", "0", "--by", "subject"]
    told = json.loads(run(*words, "--json").out)
    validate(told, SHAPE)
    assert [part["group"] for part in told["parts"]] == [None, "subject=art", "subject=law"]
    assert {part["claim"]["measure"] for part in told["parts"]} == {"error-rate-difference"}
    assert (told["at_most"], told["exit_code"]) == (0.0, 3)
    answer = run(*words, "--junit", "out.xml", "--github")
    assert answer.code == 3
    suite = ElementTree.parse(files / "out.xml").getroot()[0]
    assert suite.get("tests") == "3"
    assert answer.out.count("::warning title=not enough data") + answer.out.count("::notice title=proven") == 3
    summary = (files / "summary.md").read_text(encoding="utf-8")
    assert summary.count("worse than the baseline") >= 3


def test_a_column_after_margin_is_still_read_with_a_note(run: shell.Run, tmp_path: Path) -> None:
    (tmp_path / "m.csv").write_text("m\n" + "1\n" * 60, encoding="utf-8")
    words = ("--measure", "hard-loss", "--at-most", "0.1")
    old, new = run("gate", "m.csv", "--margin", "m", *words), run("gate", "m.csv", "--margin-column", "m", *words)
    assert (old.code, new.code) == (0, 0)
    assert old.out.splitlines()[:3] == new.out.splitlines()[:3]
    assert "--margin COLUMN is called --margin-column now" in old.err
    assert new.err == ""


def test_a_condition_in_words() -> None:
    condition = Condition.checked("recall", label="b", margin=0.05, baseline="old.csv", name="fair")
    assert str(condition) == "fair: recall of b at most 0.05 worse than old.csv"
    assert condition.sides == ("lower", "upper")
