"""Comparisons in each group, under every design: as if the examples of the group were all there are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import holdfast as hf
from holdfast.combine import bonferroni, sayable
from holdfast.errors import HoldfastError
from holdfast.report import Line, Report
from tests.cli.conftest import Run, run  # noqa: F401

N = 240
DESIGNS: dict[str, tuple[str, ...]] = {
    "rows": (),
    "clusters": ("clusters",),
    "capped clusters": ("clusters", "max_cluster"),
    "weights": ("weights",),
    "capped weights": ("weights", "max_weight"),
    "both": ("clusters", "max_cluster", "weights", "max_weight"),
}


def drawn(seed: int = 0) -> dict[str, Any]:
    generator = np.random.default_rng(seed)
    truth = generator.choice(["ill", "well"], N)
    wrong = np.where(truth == "ill", "well", "ill")
    said = {name: np.where(generator.random(N) < right, truth, wrong) for name, right in (("new", 0.9), ("old", 0.75))}
    scores = {
        name: np.clip((truth == "ill") * 0.3 + generator.random(N) * 0.7, 0, 1).round(3) for name in ("new", "old")
    }
    return {
        "truth": truth,
        "said": said,
        "scores": scores,
        "land": generator.choice(["FR", "DE", "IT"], N),
        "clusters": np.sort(generator.integers(0, 60, N)),
        "weights": generator.choice([0.5, 1.0, 2.0], N),
        "max_cluster": 12,
        "max_weight": 2.0,
    }


def compared(data: dict[str, Any], design: str, where: Any = slice(None), **options: Any) -> Report:
    keywords = {
        name: data[name][where] if isinstance(data[name], np.ndarray) else data[name] for name in DESIGNS[design]
    }
    said, scores = ({name: each[where] for name, each in data[kind].items()} for kind in ("said", "scores"))
    return hf.compare(data["truth"][where], said, scores, positive="ill", **keywords, **options)


def shown(lines: list[Line]) -> list[tuple[object, ...]]:
    return [
        (line.measure, line.label, line.claim.method, *map(float, (line.claim.lower, line.claim.upper)), line.claim.n)
        for line in lines
    ]


@pytest.mark.crossing(3)
@pytest.mark.parametrize("design", DESIGNS)
def test_a_group_is_its_examples_by_themselves(design: str) -> None:
    data, only = drawn(), ["error-rate", "recall", "f1", "auc", "brier"]
    whole = compared(data, design, groups={"land": data["land"]}, only=only)
    for land in ("FR", "DE", "IT"):
        alone = compared(data, design, data["land"] == land, only=only)
        there = [line for line in whole.whole if line.group == f"land={land}"]
        own = [line for line in alone.whole if line.against is not None]
        assert {line.measure for line in there} == {f"{name}-difference" for name in only}
        for one, other in zip(sorted(shown(there)), sorted(shown(own)), strict=True):
            assert one[:3] == other[:3]
            assert one[3:] == pytest.approx(other[3:], abs=1e-9), one[:3]


def test_what_is_said_of_a_group_is_where_its_interval_lies() -> None:
    data = drawn()
    for margin in (0.0, 0.05):
        report = compared(data, "rows", groups={"land": data["land"]}, margin=margin)
        for pair in report.facts.groups:
            claim = next(line.claim for line in report.whole if line.group == pair.group)
            lower, upper = float(claim.lower), float(claim.upper)
            if not margin:
                expected = "better" if upper < 0 else "worse" if lower > 0 else "not settled"
                assert pair.outcome == expected
            else:
                assert (pair.outcome in ("better", "not inferior", "equivalent")) == (upper < margin)
            assert pair.rule == claim.method
            assert pair.first in pair.verdict


def test_a_verdict_in_a_group_is_in_the_words_of_the_whole() -> None:
    data = drawn()
    errors = compared(data, "rows", groups={"land": data["land"]}).facts.groups
    assert any(pair.verdict == "new is better than old: it errs less often." for pair in errors)
    scored = compared(data, "rows", groups={"land": data["land"]}, only=["f1"]).facts.groups
    assert all(pair.verdict.count("of ill") == 1 for pair in scored)


def test_groups_hold_together_where_that_is_asked_for() -> None:
    data = drawn()
    third = float(sayable(bonferroni(np.asarray(0.05), 3)))
    alone = compared(data, "rows", groups={"land": data["land"]}, delta=third)
    together = compared(data, "rows", groups={"land": data["land"]}, simultaneous=True)
    limits = [
        [(float(line.claim.lower), float(line.claim.upper)) for line in report.whole if line.group is not None]
        for report in (alone, together)
    ]
    assert np.asarray(limits[0]) == pytest.approx(np.asarray(limits[1]), abs=1e-12)
    with pytest.raises(HoldfastError, match="speaks of groups"):
        compared(data, "rows", simultaneous=True)


def test_groups_say_nothing_of_the_whole() -> None:
    """The verdict, the pairs and the headline are those of all examples."""
    data = drawn()
    plain, grouped = compared(data, "rows"), compared(data, "rows", groups={"land": data["land"]})
    assert str(plain.verdict) == str(grouped.verdict)
    assert plain.facts.pairs == grouped.facts.pairs
    assert str(plain["error-rate-difference"]) == str(grouped["error-rate-difference"])
    assert str(plain).splitlines()[:9] == str(grouped).splitlines()[:9]


def test_ways_to_divide_are_named_and_may_be_several() -> None:
    data = drawn()
    halves = np.where(np.arange(N) % 2, "odd", "even")
    both = {"land": data["land"], "half": halves}
    report = compared(data, "rows", groups=both, by=["land", ("land", "half")])
    assert len({line.group for line in report.whole if line.group}) == 3 + 6
    assert "land=DE, half=odd" in {line.group for line in report.whole}
    with pytest.raises(HoldfastError, match=r"no column of groups named 'lnad'; did you mean 'land'"):
        compared(data, "rows", groups=both, by="lnad")


def test_a_report_with_groups_is_read_back() -> None:
    data = drawn()
    report = compared(data, "both", groups={"land": data["land"]}, only=["f1"])
    again = Report.from_json(report.to_json())
    assert again.to_json() == report.to_json()
    assert str(again) == str(report)
    assert {*report.to_frame()["group"].drop_nulls()} == {"land=FR", "land=DE", "land=IT"}


def test_a_part_of_delta_is_a_share_and_its_old_name_still_reads() -> None:
    data = drawn()
    new = compared(data, "rows", share={"new": 0.2, "old": 0.3})
    with pytest.warns(DeprecationWarning, match="called share= now"):
        old = hf.compare(data["truth"], data["said"], data["scores"], positive="ill", weights={"new": 0.2, "old": 0.3})
    assert shown([*new.whole]) == shown([*old.whole])
    with pytest.raises(HoldfastError, match="needs a part of delta for every model"):
        compared(data, "rows", share={"new": 0.2})
    with pytest.raises(HoldfastError, match="give one of them"):
        compared(data, "rows", share={"new": 0.2, "old": 0.3}) and hf.compare(
            data["truth"], data["said"], weights={"new": 0.2, "old": 0.3}, share={"new": 0.2, "old": 0.3}
        )


@pytest.mark.parametrize(
    ("design", "message"),
    [
        ({"max_cluster": 3}, "speaks of clusters"),
        ({"max_weight": 3}, "speaks of weights"),
        ({"shares": {"n": 1.0}}, "speaks of strata"),
        ({"weights": [-1.0] * N}, "weights are finite numbers"),
        ({"weights": [3.0] * N, "max_weight": 2}, "more than the 2"),
        ({"clusterz": [1] * N}, "Did you mean 'clusters'"),
    ],
)
def test_a_design_that_cannot_be_is_refused(design: dict[str, Any], message: str) -> None:
    data = drawn()
    with pytest.raises((HoldfastError, TypeError), match=message):
        hf.compare(data["truth"], data["said"], **design)


# ---- Files


def written(folder: Path) -> dict[str, Any]:
    data = drawn()
    frame = pl.DataFrame(
        {
            "item": np.arange(N),
            "truth": data["truth"],
            **data["said"],
            "land": data["land"],
            "site": data["clusters"],
            "w": data["weights"],
            "chance": 0.5 / data["weights"],
            "stratum": np.where(np.arange(N) % 3 == 0, "n", "s"),
        }
    )
    frame.write_csv(folder / "wide.csv")
    beside = ("item", "truth", "land", "site", "w", "chance", "stratum")
    long = frame.unpivot(["new", "old"], index=[*beside], variable_name="model", value_name="predicted")
    long.write_parquet(folder / "long.parquet")
    for name in ("new", "old"):
        kept = beside if name == "new" else ("item",)
        frame.select(*kept, pl.col(name).alias("predicted")).sample(fraction=1.0, shuffle=True, seed=1).write_csv(
            folder / f"{name}.csv"
        )
    return data


WIDE = ("wide.csv", "--models", "new,old")
LONG = ("long.parquet", "--id", "item")
JOINED = ("new.csv", "old.csv", "--on", "item")


@pytest.mark.crossing(3)
@pytest.mark.parametrize("source", [WIDE, LONG, JOINED], ids=["wide", "long", "joined"])
@pytest.mark.parametrize(
    ("words", "keywords"),
    [
        ("--cluster site --max-cluster 12", ("clusters", "max_cluster")),
        ("--weight w --max-weight 2", ("weights", "max_weight")),
        ("--cluster site --max-cluster 12 --weight w --max-weight 2", DESIGNS["both"]),
    ],
)
def test_files_say_the_same_as_arrays(
    source: tuple[str, ...],
    words: str,
    keywords: tuple[str, ...],
    tmp_path: Path,
    run: Run,  # noqa: F811
) -> None:
    data = written(tmp_path)
    answer = run("compare", *source, *words.split(), "--by", "land", "--json")
    assert answer.code == 0, answer.err
    read = Report.from_json(answer.out)
    made = hf.compare(
        data["truth"], data["said"], groups={"land": data["land"]}, **{name: data[name] for name in keywords}
    )
    for one, other in zip(shown([*read.whole]), shown([*made.whole]), strict=True):
        assert one[:3] == other[:3]
        assert one[3:] == pytest.approx(other[3:], abs=1e-12)


def test_chances_and_strata_of_files(tmp_path: Path, run: Run) -> None:  # noqa: F811
    data = written(tmp_path)
    answer = run("compare", *WIDE, "--inclusion", "chance", "--max-weight", "4", "--json")
    made = hf.compare(data["truth"], data["said"], inclusion=0.5 / data["weights"], max_weight=4)
    assert shown([*Report.from_json(answer.out).whole]) == shown([*made.whole])
    answer = run("compare", *WIDE, "--strata", "stratum", "--strata-shares", "n=0.2,s=0.8", "--json")
    strata = np.where(np.arange(N) % 3 == 0, "n", "s")
    made = hf.compare(data["truth"], data["said"], strata=strata, shares={"n": 0.2, "s": 0.8})
    assert shown([*Report.from_json(answer.out).whole]) == shown([*made.whole])


def test_a_column_of_weights_and_a_share_of_delta_are_told_apart(tmp_path: Path, run: Run) -> None:  # noqa: F811
    written(tmp_path)
    old = run("compare", *WIDE, "--weight", "new=0.2", "--weight", "old=0.3", "--json")
    new = run("compare", *WIDE, "--share", "new=0.2", "--share", "old=0.3", "--json")
    assert "--weight MODEL=PART is called --share now" in old.err
    assert [line["upper"] for line in pl.read_json(old.out.encode())["claims"][0]] == [
        line["upper"] for line in pl.read_json(new.out.encode())["claims"][0]
    ]
    assert run("compare", *WIDE, "--weight", "w", "--weight", "site").code == 2
    assert "None of the 2 tables has a column named 'nowhere'" in run("compare", *JOINED, "--by", "nowhere").err
