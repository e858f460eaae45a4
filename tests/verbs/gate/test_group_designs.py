"""A gate in groups under every design: what it may get wrong, that a group is its rows, conditions by group."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

import holdfast as hf
from holdfast.claims import Guarantee
from holdfast.errors import HoldfastError, UnfitMethod
from holdfast.report import Answer, Decision
from holdfast.verbs.gate import decide
from holdfast.verbs.gate.more_data import Settling
from tests.cli import conftest as shell

run = shell.run  # a fixture
RNG = np.random.default_rng(22)
N = 600
TRUTH = RNG.choice(["a", "b"], N)
PREDICTED = np.where(RNG.random(N) < 0.15, RNG.choice(["a", "b"], N), TRUTH)
SCORE = np.clip(0.35 * (TRUTH == "a") + 0.65 * RNG.random(N), 0, 1)
SUBJECT = RNG.choice(["art", "law"], N, p=[0.4, 0.6])
COUNTRY = RNG.choice(["de", "fr"], N)
PATIENT = RNG.integers(0, 150, N)
WEIGHT = RNG.choice([1.0, 2.0, 4.0], N)
COSTS = hf.Costs([[0, 1], [3, 0]], labels=["a", "b"], rows="predicted")
DESIGNS: dict[str, dict[str, Any]] = {
    "rows": {},
    "clusters": {"clusters": PATIENT, "max_cluster": 15},
    "clusters without a cap": {"clusters": PATIENT},
    "weights": {"weights": WEIGHT, "max_weight": 4.0},
    "weights without a cap": {"weights": WEIGHT},
    "weighted clusters": {"clusters": PATIENT, "max_cluster": 15, "weights": WEIGHT, "max_weight": 4.0},
}
MEASURES = {
    "error-rate": 0.4,
    "recall": 0.95,
    "f1": 0.95,
    "macro-f1": 0.95,
    "mcc": 0.9,
    "auc": 0.95,
    "log-loss": 0.9,
    "brier": 0.3,
    "expected-cost": 1.0,
}


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without asking how many more examples are needed, which takes longer than to decide."""
    monkeypatch.setattr(decide, "settling", lambda *_: Settling(None))


def filtered(design: dict[str, Any], kept: Any) -> dict[str, Any]:
    return {name: value[kept] if isinstance(value, np.ndarray) else value for name, value in design.items()}


def by_group(decision: Decision) -> dict[str | None, Decision]:
    return {leaf.group: leaf for leaf in decision.leaves()}


@pytest.mark.crossing(10)
@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("design", DESIGNS)
def test_a_group_is_its_rows(measure: str, design: str) -> None:
    asked: dict[str, Any] = {"measure": measure, "at_most": MEASURES[measure], "positive": "a"}
    if measure == "expected-cost":
        asked["costs"] = COSTS
    whole = hf.gate(TRUTH, PREDICTED, SCORE, groups={"subject": SUBJECT}, **asked, **DESIGNS[design])
    for group in ("art", "law"):
        here = group == SUBJECT
        alone = hf.gate(TRUTH[here], PREDICTED[here], SCORE[here], **asked, **filtered(DESIGNS[design], here))
        part = by_group(whole)[f"subject={group}"]
        assert part.claim is not None
        assert alone.claim is not None
        assert part.claim.estimate == pytest.approx(alone.claim.estimate, abs=1e-12)
        if part.answer not in (Answer.REFUTED, Answer.CONTRADICTED):  # refutations share delta
            assert part.claim.upper == pytest.approx(alone.claim.upper, abs=1e-9)
        assert (part.claim.guarantee, part.claim.assumes) == (alone.claim.guarantee, alone.claim.assumes)


def test_strata_and_classes_keep_the_shares_of_the_population() -> None:
    stratum = np.where(PATIENT % 2 == 0, "even", "odd")
    for design in (
        {"strata": stratum, "shares": {"even": 0.3, "odd": 0.7}},
        {"sampling": "by-class", "prevalence": {"a": 0.2}},
    ):
        parts = by_group(hf.gate(TRUTH, PREDICTED, at_most=0.4, groups={"subject": SUBJECT}, **design))
        for group in ("art", "law"):
            here = group == SUBJECT
            of = stratum if "strata" in design else TRUTH
            shares = design.get("shares", {"a": 0.2, "b": 0.8})
            wrong, held = (TRUTH != PREDICTED) & here, here
            sums = [
                [shares[name] * np.mean(each[of == name]) for name in shares] for each in (wrong, held)
            ]  # of all rows of a stratum, those of no group too
            claim = parts[f"subject={group}"].claim
            assert claim is not None
            assert claim.estimate == pytest.approx(sum(sums[0]) / sum(sums[1]))
            assert claim.guarantee is Guarantee.FINITE


@pytest.mark.parametrize("way", ["at_most", "at_least"])
@pytest.mark.usefixtures("hurried")
def test_clusters_of_one_are_decided_on_as_rows_are_over_every_outcome(way: str) -> None:
    # Two ways to the same answers: by the tables of all groups at once, and by what was drawn. All errors of both
    # groups are gone through, so that the chances of a false answer are exact.
    n, limit, delta = 6, 0.4, 0.25
    group = np.repeat(["x", "y"], n)
    clusters: dict[str, Any] = {"clusters": np.arange(2 * n), "max_cluster": 1}
    proven, refuted = np.zeros((n + 1, n + 1), bool), np.zeros((n + 1, n + 1), bool)
    for x, y in product(range(n + 1), repeat=2):
        right = np.concatenate([np.arange(n) >= x, np.arange(n) >= y])
        asked: dict[str, Any] = {"measure": "error-rate", way: limit, "delta": delta, "groups": {"g": group}}
        table, drawn = hf.gate(correct=right, **asked), hf.gate(correct=right, **asked, **clusters)
        assert [leaf.answer for leaf in table.leaves()] == [leaf.answer for leaf in drawn.leaves()], (x, y)
        assert table.hold_together == drawn.hold_together
        proven[x, y], refuted[x, y] = drawn.answer is Answer.PROVEN, drawn.answer is Answer.REFUTED
    at_limit = binom.pmf(np.arange(n + 1), n, limit)
    for rate in (0.0, 0.2, limit, 0.7, 1.0):  # of the other group, which may keep the limit or not
        other = binom.pmf(np.arange(n + 1), n, rate)
        assert at_limit @ proven @ other <= delta
    assert at_limit @ refuted @ at_limit <= delta
    assert max(at_limit @ proven @ binom.pmf(np.arange(n + 1), n, rate) for rate in (0.0, 1.0)) > delta / 8
    assert at_limit @ refuted @ at_limit > delta / 8


@pytest.mark.long
@pytest.mark.usefixtures("hurried")
def test_a_condition_missed_in_one_group_of_clusters_is_seldom_called_proven() -> None:
    # Of 40 clusters of up to four rows, in which rows of both groups err together; one group errs just as often as is
    # allowed, the other never.
    rng, runs, limit, delta, proven = np.random.default_rng(1), 300, 0.3, 0.2, 0
    for _ in range(runs):
        size = rng.integers(1, 5, 40)
        cluster = np.repeat(np.arange(40), size)
        group = rng.choice(["x", "y"], cluster.size)
        bad = rng.random(40) < limit  # all rows of a cluster
        right = ~(bad[cluster] & (group == "x"))
        how: dict[str, Any] = {"clusters": cluster, "max_cluster": 4, "groups": {"g": group}}
        proven += bool(hf.gate(correct=right, at_most=limit, delta=delta, **how))
    assert proven / runs <= delta
    assert proven  # nor is the promise kept by saying nothing


# ---- Conditions that say where they hold


def test_conditions_say_by_which_columns_and_in_which_group() -> None:
    asked = [
        {"at_most": 0.4, "by": "subject"},
        {"measure": "recall", "label": "a", "at_least": 0.5, "group": "country=fr"},
        {"measure": "accuracy", "at_least": 0.5, "by": ["subject", "country"]},
        {"measure": "mcc", "at_least": 0.2},
        {"measure": "auc", "label": "a", "at_least": 0.5, "by": []},
    ]
    groups = {"subject": SUBJECT, "country": COUNTRY}
    decision = hf.gate(TRUTH, PREDICTED, SCORE, conditions=asked, groups=groups, clusters=PATIENT, max_cluster=15)
    told = [[leaf.group for leaf in part.leaves()] for part in decision.parts]
    assert told == [
        ["subject=art", "subject=law"],
        ["country=fr"],
        [f"subject={s}, country={c}" for s, c in product(("art", "law"), ("de", "fr"))],
        [None],
        [None],
    ]
    here = COUNTRY == "fr"
    alone = hf.gate(
        TRUTH[here],
        PREDICTED[here],
        measure="recall",
        label="a",
        at_least=0.5,
        clusters=PATIENT[here],
        max_cluster=15,
    )
    assert alone.claim is not None
    assert decision.parts[1].claim is not None
    assert decision.parts[1].claim.lower == pytest.approx(alone.claim.lower)
    assert decision.parts[1].condition == "recall of a at least 0.5, country=fr"


def test_without_a_word_it_is_all_columns_crossed_and_by_names_some() -> None:
    groups = {"subject": SUBJECT, "country": COUNTRY}
    crossed = hf.gate(TRUTH, PREDICTED, at_most=0.4, groups=groups)
    assert len(crossed.parts) == 4
    chosen = hf.gate(TRUTH, PREDICTED, at_most=0.4, groups=groups, by="country")
    assert [part.group for part in chosen.parts] == ["country=de", "country=fr"]
    own = [{"at_most": 0.4}, {"measure": "mcc", "at_least": 0.1, "by": "subject"}]
    mixed = hf.gate(TRUTH, PREDICTED, conditions=own, groups=groups)
    assert [[leaf.group for leaf in part.leaves()] for part in mixed.parts] == [[None], ["subject=art", "subject=law"]]
    both = hf.gate(TRUTH, PREDICTED, conditions=own, groups=groups, by="country")
    assert [leaf.group for leaf in both.parts[0].leaves()] == ["country=de", "country=fr"]


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        ("no column of groups named 'topic'", {"conditions": [{"at_most": 0.1, "by": "topic"}]}),
        ("no group named 'subject=lore'", {"conditions": [{"at_most": 0.1, "group": "subject=lore"}]}),
        ("such as 'subject=law'", {"conditions": [{"at_most": 0.1, "group": "law"}]}),
        ("takes the name of a column of groups", {"conditions": [{"at_most": 0.1, "by": 3}]}),
        ("takes the name of a column of groups", {"at_most": 0.1, "by": ["subject", "subject"]}),
        ("have no columns of groups", {"at_most": 0.1, "by": "subject", "groups": None}),
        ("prevalence=", {"at_most": 0.1, "sampling": "by-class"}),
        ("no class named 'a'", {"measure": "calibration", "at_most": 0.5, "label": "a"}),
    ],
)
def test_what_cannot_be_asked_in_groups_is_refused_in_words(words: str, asked: dict[str, Any]) -> None:
    with pytest.raises(HoldfastError, match=words):
        hf.gate(TRUTH, PREDICTED, SCORE, **{"groups": {"subject": SUBJECT}, "positive": "a", **asked})


def test_very_many_groups_are_decided_on_by_their_tables_and_else_up_to_a_thousand() -> None:
    group = {"g": np.arange(1_200).repeat(2)}
    right = np.ones(2_400, bool)
    assert len(hf.gate(correct=right, at_most=0.9, groups=group).parts) == 1_000
    with pytest.raises(HoldfastError, match="1,200 groups, and up to 1,000 are decided on"):
        hf.gate(correct=right, at_most=0.9, groups=group, clusters=np.arange(2_400), max_cluster=2)


def test_what_would_not_hold_at_every_moment_is_not_called_sequential() -> None:
    for design in ({"clusters": PATIENT}, {"weights": WEIGHT, "max_weight": 4.0}):
        with pytest.raises(UnfitMethod, match="sequential"):
            hf.gate(TRUTH, PREDICTED, at_most=0.4, groups={"subject": SUBJECT}, sequential=True, **design)
    with pytest.raises(UnfitMethod, match="sequential"):
        hf.gate(value=RNG.random(N), at_most=0.6, groups={"subject": SUBJECT}, sequential=True)


def test_a_method_that_is_named_decides_in_each_group() -> None:
    how: dict[str, Any] = {"clusters": PATIENT, "max_cluster": 15, "groups": {"subject": SUBJECT}, "at_most": 0.4}
    named = hf.gate(TRUTH, PREDICTED, method="influence", **how)
    assert {leaf.claim.method for leaf in named.leaves() if leaf.claim is not None} == {"influence"}
    assert named.answer is Answer.SUPPORTED
    assert not named
    assert hf.gate(TRUTH, PREDICTED, method="influence", accept="large-n", **how)
    with pytest.raises(UnfitMethod):
        hf.gate(TRUTH, PREDICTED, method="wilson", **how)


def test_conditions_of_a_file_name_their_groups(tmp_path: Path, run: shell.Run) -> None:
    lines = (f"{t},{p},{s},p{c}" for t, p, s, c in zip(TRUTH, PREDICTED, SUBJECT, PATIENT, strict=True))
    (tmp_path / "p.csv").write_text("\n".join(["truth,predicted,subject,patient", *lines]) + "\n", encoding="utf-8")
    text = '[[condition]]\nat_most = 0.4\nby = "subject"\n\n[[condition]]\nat_most = 0.5\ngroup = "subject=law"\n'
    (tmp_path / "g.toml").write_text(text, encoding="utf-8")
    words = ("--cluster", "patient", "--max-cluster", "15", "--conditions", "g.toml")
    answer = run("gate", "p.csv", *words)
    assert answer.code == 0, answer.out + answer.err
    assert "error-rate at most 0.5" in answer.out
    only = [f"{t},{p},{s},p{c}" for t, p, s, c in zip(TRUTH, PREDICTED, SUBJECT, PATIENT, strict=True) if s == "law"]
    (tmp_path / "law.csv").write_text("\n".join(["truth,predicted,subject,patient", *only]) + "\n", encoding="utf-8")
    alone = hf.gate(hf.read("law.csv", cluster="patient"), at_most=0.5, max_cluster=15)
    whole = hf.gate(
        hf.read("p.csv", cluster="patient", by="subject"),
        conditions=[{"at_most": 0.4, "by": "subject"}, {"at_most": 0.5, "group": "subject=law"}],
        max_cluster=15,
    )
    assert whole.parts[1].claim is not None
    assert alone.claim is not None
    assert whole.parts[1].claim.upper == pytest.approx(alone.claim.upper)
