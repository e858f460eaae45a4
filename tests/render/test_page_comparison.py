"""The page of a comparison as a file: the verdict first, every pair and model, names that stay data, and its size."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest

import holdfast as hf
from holdfast.claims import Guarantee
from holdfast.render.kinds import headline_of
from holdfast.render.outline.comparison import MOST_AMONG, verdict_and_more
from holdfast.render.page import page_html
from holdfast.render.phrases import estimate_and_limits, p_value
from tests.render.contests import HOSTILE, best_first, compared, over_datasets, over_folds, rivals, scored
from tests.render.test_page import Read


class Tables(HTMLParser):
    """The cells of every table, by the id or the label of what holds it."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.rows: dict[str, list[list[str]]] = {}
        self.name, self.inside = "", False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        if known.get("role") == "region":
            self.name = known["aria-label"] or ""
        elif tag == "tr":
            self.rows.setdefault(self.name, []).append([])
        elif tag in ("td", "th"):
            self.rows[self.name][-1].append("")
            self.inside = True

    def handle_endtag(self, tag: str) -> None:
        self.inside = self.inside and tag not in ("td", "th")

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.rows[self.name][-1][-1] += data


KINDS: list[Any] = [
    lambda: rivals(2),
    lambda: rivals(2, margin=0.05),
    lambda: rivals(5),
    lambda: rivals(12, 200),
    scored,
    over_folds,
    lambda: over_folds("higher", 2),
    over_datasets,
    lambda: over_datasets(2, 10, rope=0.01),
]


@pytest.mark.crossing(3)
@pytest.mark.parametrize("made", KINDS)
def test_every_kind_of_comparison_has_a_page_with_its_verdict_on_top(made: Any) -> None:
    report = made()
    html = page_html(report)
    page = Read(html)
    assert page.open == []
    assert page.visible.startswith(str(headline_of(report)))
    assert str(report.verdict).lower() in page.visible[:300].lower()
    assert len(html.encode()) < 2_000_000
    ids = [attributes["id"] for tag, attributes in page.tags if tag == "h2"]
    assert ids == ["assumed", "pictures", "tables", "methods", "provenance"]
    assert not page.all("form")  # a verdict is made at one confidence
    assert page.data["levels"] is None
    assert len(page.data["charts"]) == len(report.charts)
    for sentence in report.details["notes"]:
        assert " ".join(sentence.replace("`", "").split()) in page.visible
    for value in report.provenance.values():
        assert str(value) in page.visible
    for claim in report.claims:
        assert str(claim.source) in page.visible


def test_limits_of_the_headline_are_outward_and_it_says_how_firmly_they_hold() -> None:
    report = rivals(2)
    said = Read(page_html(report)).visible[:1_500]
    claim = report["error-rate-difference"]
    lower, upper = (float(number) / 100 for number in re.findall(r"(-?[\d.]+) %", said)[1:3])
    assert claim.lower - 0.001 < lower <= claim.lower < claim.upper <= upper < claim.upper + 0.001
    assert "this holds at every sample size" in said


@pytest.mark.parametrize(
    ("made", "more"),
    [
        (lambda: rivals(5), "With 95 % confidence this is so; it holds at every sample size."),
        (lambda: rivals(12, 200), "With 95 % confidence the best is among these; it holds at every sample size."),
        (
            lambda: rivals(5, test="asymptotic"),
            "With 95 % confidence this is so.",
        ),
        (over_folds, ""),
        (lambda: rivals(3, 40, spread=0.0), ""),
    ],
)
def test_of_many_models_the_headline_says_how_firmly_it_holds(made: Any, more: str) -> None:
    report = made()
    verdict, beside = verdict_and_more(report, compared(report))
    assert beside == more
    assert (report.verdict.about.guarantee is Guarantee.FINITE) != (report.verdict.about.guarantee.sentence in verdict)


def test_nothing_is_promised_where_nothing_is_proven() -> None:
    assert "Nothing here is proven. Even as a guide" in Read(page_html(over_folds())).visible
    assert "right as often as they promise" in Read(page_html(rivals(2))).visible


def test_every_pair_stands_in_the_table() -> None:
    report = rivals(5)
    rows = Tables(page_html(report)).rows["Each pair"][1:]
    assert len(rows) == 10
    for row, pair in zip(rows, report.details["pairs"], strict=True):
        claim = report["error-rate-difference", (pair["first"], pair["second"])]
        assert row == [
            f"{pair['first']} − {pair['second']}",
            f"{pair['won']} : {pair['lost']}",
            *estimate_and_limits(claim),
            p_value(pair["adjusted_p"]),
            pair["outcome"],
        ]
        assert float(row[4]) >= pair["adjusted_p"]


def test_every_model_stands_in_the_table_best_first() -> None:
    report = rivals(5)
    rows = Tables(page_html(report)).rows["Each model"][1:]
    assert [row[0] for row in rows] == best_first(report)
    for name, estimate, limits, best in rows:
        assert (estimate, limits) == estimate_and_limits(report["error-rate", name])
        assert (best == "may be the best") == (name in report.details["may_be_best"])


def test_one_pair_has_every_answer_in_every_measure() -> None:
    report = scored()
    rows = Tables(page_html(report)).rows["Differences"][1:]
    lines = [line for line in report.whole if line.against]
    assert [row[1:4] for row in rows] == [[*estimate_and_limits(line.claim), line.claim.method] for line in lines]
    assert {line.measure for line in lines} >= {"error-rate-difference", "brier-difference"}


@pytest.mark.parametrize("made", [over_folds, lambda: over_datasets(4, 14, rope=0.01)])
def test_every_test_is_named_with_its_source(made: Any) -> None:
    report = made()
    html = page_html(report)
    page, tables = Read(html), Tables(html).rows
    tests = [*report.details.get("tests", ()), *report.details.get("pairs", [{}])[0].get("tests", ())]
    for test in tests:
        assert f"{test['test']} " in page.visible
        assert test["source"] in page.visible
        assert test["null"] in page.visible
    header, *rows = tables["Every test"]
    assert len(rows) == len(compared(report).pairs)
    assert header[1] in report.verdict.rule  # the test that decides stands first
    assert len(tables["Bayes' probabilities"]) == len(rows) + 1


@pytest.mark.long
def test_of_very_many_pairs_those_among_the_best_are_shown() -> None:
    report = rivals(50)
    html = page_html(report)
    assert len(html.encode()) < 2_000_000
    rows = Tables(html).rows["Each pair"][1:]
    assert len(rows) == MOST_AMONG * (MOST_AMONG - 1) // 2
    among = set(best_first(report)[:MOST_AMONG])
    assert {name for row in rows for name in row[0].split(" − ")} == among
    said = f"The {len(rows)} pairs among the {MOST_AMONG} models that did best here; all 1,225 are in the JSON."
    assert said in Read(html).visible
    assert len(json.loads(report.to_json())["pairs"]) == 1_225


def test_names_are_data_never_markup() -> None:
    report = rivals(7, names=HOSTILE).with_command(HOSTILE[1])
    html = page_html(report)
    page, plain = Read(html), Read(page_html(rivals(7)))
    assert "<script>alert" not in html
    assert not page.all("img")
    assert [tag for tag, _ in page.tags].count("script") == [tag for tag, _ in plain.tags].count("script") == 3
    assert page.open == []
    for name in HOSTILE[:4]:
        assert name in page.visible
    assert "x" * 39 + "…" in page.visible
    assert "x" * 100 not in page.visible
    assert not {"\x00", "\u202e"} & set(page.visible)
    data = page.texts["script"][0]
    assert not {"<", "&"} & set(data)
    assert len(html.encode()) < 2_000_000


@pytest.mark.long
def test_fifty_long_names_stay_below_the_limit() -> None:
    names = tuple(f"{place} {'a model with a very long name ' * 40}" for place in range(50))
    html = page_html(rivals(50, 60, names=names))
    assert len(html.encode()) < 2_000_000
    assert len(Read(html).visible.split("What this rests on")[0]) < 1_500


def test_the_strip_shows_the_difference_where_it_is() -> None:
    report = rivals(2, margin=0.05)
    claim, html = report["error-rate-difference"], page_html(report)
    top = float(re.findall(r'text-anchor="end">([\d.]+) %', html)[0]) / 100
    (bar,) = re.findall(r'class="range" x="([\d.]+)%" width="([\d.]+)%"', html)
    assert float(bar[0]) == pytest.approx(50 + 50 * float(claim.lower) / top, abs=0.01)
    assert float(bar[1]) == pytest.approx(50 * float(claim.width) / top, abs=0.01)
    (shade,) = re.findall(r'class="margin" x="([\d.]+)%" width="([\d.]+)%"', html)
    assert [float(end) for end in shade] == pytest.approx([50 - 50 * 0.05 / top, 100 * 0.05 / top], abs=0.01)
    assert "← model 1 better" in Read(html).visible
    assert 'class="margin"' not in page_html(rivals(2))
    higher = Read(page_html(over_folds("higher", 2))).visible
    assert "← model 2 better" in higher
    assert "model 1 better →" in higher


def test_identical_models_are_no_difference() -> None:
    answers = [0, 1] * 30
    page = Read(page_html(hf.compare(answers, {"a": answers, "b": answers})))
    assert "no difference seen" in page.visible[:200]
    assert "p = 1" in page.visible[:200]


def test_p_values_are_rounded_up_and_never_nothing() -> None:
    assert [p_value(p) for p in (1.0, 0.0500101, 0.05, 0.99999)] == ["1", "0.0501", "0.0500", "1.0000"]
    assert [p_value(p) for p in (8.07e-16, 5e-324, 0.0)] == ["9e-16", "5e-324", "5e-324"]


# ---- In a notebook


@pytest.mark.parametrize("made", [*KINDS, lambda: rivals(50), lambda: rivals(7, names=HOSTILE)])
def test_a_notebook_shows_the_verdict_and_whose_claims_they_are(made: Any) -> None:
    report = made()
    html = report._repr_html_()
    page = Read(html)
    assert page.open == []
    assert page.visible.startswith(str(headline_of(report)))
    rows = [row for table in Tables(html).rows.values() for row in table]
    assert len(rows) <= 61
    assert len(rows) - 1 <= len(report.whole)
    assert rows[0][1] == "model"
    if len(report.whole) > len(rows) - 1:
        assert f"... and {len(report.whole) - len(rows) + 1:,} more claims" in page.visible
    assert not {"script", "img"} & {tag for tag, _ in page.tags}
    assert max(len(cell) for row in rows for cell in row) < 100


def test_a_notebook_shows_the_numbers_of_each_claim() -> None:
    report = rivals(2)
    rows = Tables(report._repr_html_()).rows[""][1:]
    told = {(row[0], row[1], row[-2]): row[2] for row in rows}
    for line in report.whole:
        whose = line.model if line.against is None else f"{line.model} − {line.against}"
        assert told[line.measure, whose or "", line.claim.method] == estimate_and_limits(line.claim)[0]
    assert {row[-1] for row in rows} == {Guarantee.FINITE.sentence, Guarantee.ASYMPTOTIC.sentence}
