"""Write docs/methods.md from the catalog: `python docs/_make/generate_methods.py [FILE]`."""

from __future__ import annotations

import inspect
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent, fill
from typing import Any

from holdfast import Counts, Guarantee, methods, worst_coverage
from holdfast.catalog import AnyProcedure, Bound, procedures
from holdfast.render.phrases import rounded
from holdfast.verify.learners import needs_folds
from measure_coverage import FILE, REPEATS, N, simulated
from widths import width

sys.path.insert(0, str(Path(__file__).parents[2]))
from tests.tries import trials

DOCS = Path(__file__).parents[1]
SIZES = (30, 200)
DELTA = 0.05
WIDTH = 110
KNIFE_EDGE = 1e-9  # many methods cover exactly 95 %: the last digit of the machine must not decide the page
NEEDS = {
    "s2": "the variance, where losses are given by their moments",
    "values": "every single loss",
    "draws": "every single loss, or the counts of every cluster and the most that one can hold",
    "capped draws": "what each draw adds, and the most that one can weigh, stated beforehand",
    "smooth": "an estimate that small changes of the weights change in proportion",
    "kinked": "a largest value over thresholds",
    "terms": "rates that it is a sum of, each with the most that a draw can weigh",
    "levels": "losses that are multiples of one over a number declared beforehand",
    "errors": "the errors of each model",
    "one model": "results of one model, not differences of two",
    "random folds": "folds made without looking at the labels",
    "random folds of fixed sizes": "folds made without looking at the labels or at what the models said",
}

IN_ORDER = ", if the draws stand in the order in which they were drawn and that is said; else HEURISTIC"

INTRODUCTION = f"""\
# Methods

Generated from the catalog by `make docs`; do not edit. `holdfast methods NAME` shows the same entry. The
sources are keys of [references.bib](references.bib) and places in those works.

How firmly a method's limits hold:

{chr(10).join(f"- **{guarantee}**: it {guarantee.sentence}." for guarantee in Guarantee)}

Worst coverage is the smallest chance, over every true error rate, that the limit is right. It is computed by
enumerating all counts, for 95 % upper limits on 0/1 losses, and is rounded down. Where it is below 0.95, the
rate at which that happens stands beside it. What cannot be enumerated is simulated, with the laws and the seed of
`holdfast verify`; 95 % intervals are then tried on both sides.

Tried says which tests count how often the limits are wrong: *enumerated*, over all samples that can be drawn from
some law; *simulated*, on samples drawn with a seed; or *on paper*, where the argument of the source is all there is.
For methods that hold only as the sample grows, or have no proof, the tests show how far they may be trusted. Every
FINITE method has such a test, which declares it (`@tries`), and a law sees to that.

The width is that of the 95 % interval, rounded up, on the same evidence for all methods that take it. Where a measure
is named, it is that of 200 examples: the table [[90, 20], [10, 80]], or a ranking in three grades of 80 and 120."""


WIDTHS = """\
## How wide the defaults are, and were

As `benchmarks/widths.py` printed it: the mean width over seeded samples, in parts of 3.92 true standard deviations of
the estimate, of what answered before and of what answers now, and the bar that the benchmark holds it against.
[Decision 0019](decisions/0019-tight-with-a-proof.md) says why."""
RESULTS = DOCS.parent / "benchmarks" / "results"


def widths() -> str:
    """The table of the benchmark, without its machine and its times."""
    _, table, *_ = (RESULTS / "widths.txt").read_text(encoding="utf-8").strip().split("\n\n")
    return f"{WIDTHS}\n\n```text\n{table}\n```"


PROCEDURES = """\
## Procedures

What is claimed or tested by other ways than a formula from evidence to a limit: a search for a threshold, a programme
over cores, a sequence of bets, a test of no difference. Some verb follows each by itself; none can be chosen as a
method. Whatever any output names as a method, a test or a rule stands above or here, and a law sees to that. A claim is
never firmer than its entry, and assumes what the methods do that it rests on."""


def page() -> str:
    """The whole page."""
    catalog = methods()
    rows = [
        f"| [{m.name}](#{m.name.lower()}) | {', '.join(m.aliases)} | {_takes(m)} | {m.guarantee} | {_ways(m)} |"
        for m in catalog
    ]
    index = "\n".join(["| method | also called | takes | guarantee | tried |", "|---|---|---|---|---|", *rows])
    sections = [
        widths(),
        *(_section(m) for m in catalog),
        PROCEDURES,
        _procedures(),
        *(_procedure(p) for p in procedures()),
    ]
    return "\n\n".join([INTRODUCTION, index, *sections]) + "\n"


def _procedures() -> str:
    rows = [f"| [{p.name}](#{p.name}) | {p.guarantee} | {_ways(p)} |" for p in procedures()]
    return "\n".join(["| procedure | guarantee | tried |", "|---|---|---|", *rows])


def _procedure(procedure: AnyProcedure) -> str:
    facts = {
        "rests on": ", ".join(f"[{name}](#{name.lower()})" for name in procedure.rests_on),
        "guarantee": f"{procedure.guarantee}: it {procedure.guarantee.sentence}",
        "source": _cited(procedure),
        "assumes": "; ".join(procedure.assumes) or f"what {'these' if procedure.rests_on else 'its statements'} assume",
        "tried": _tried(procedure),
    }
    return _entry(f"### {procedure.name}", procedure.summary, facts, procedure.steps)


def _section(method: Bound) -> str:
    facts = {
        "also called": ", ".join(method.aliases),
        "takes": _takes(method),
        "needs": ", ".join([*([NEEDS[method.needs]] if method.needs else []), *(f"`{p}=`" for p in method.parameters)]),
        "sides": "" if method.one_sided else "both only: its ends are not limits by themselves",
        "guarantee": f"{method.guarantee}: it {method.guarantee.sentence}{IN_ORDER if method.in_order else ''}",
        "source": _cited(method),
        "assumes": "; ".join(method.to_dict()["assumes"]),
        "worst coverage": _coverage(method),
        "width": width(method),
        "tried": _tried(method),
    }
    return _entry(f"## {method.name}", method.summary, facts, method.upper)


def _entry(heading: str, summary: str, facts: dict[str, str], function: Callable[..., object]) -> str:
    lines = [_wrapped(f"- **{what}**: {fact}", subsequent_indent="  ") for what, fact in facts.items() if fact]
    return "\n\n".join([heading, fill(summary, WIDTH), "\n".join(lines), *notes(function)])


def _cited(entry: Bound | AnyProcedure) -> str:
    return f"[{entry.source}](references.md#{entry.source.key})"


def _takes(method: Bound) -> str:
    return " or ".join(sorted(kind.__name__ for kind in method.takes))


def _ways(method: Bound | AnyProcedure) -> str:
    """How its promise was tried, in a word or two."""
    return " and ".join(sorted({trial.how for trial in trials()[method.name]})) or "on paper"


def _tried(method: Bound | AnyProcedure) -> str:
    found = trials()[method.name]
    if not found:
        return "on paper only: no test here counts how often it is wrong"
    ways = {how: [f"`{trial.test}`" for trial in found if trial.how == how] for how in ("enumerated", "simulated")}
    return "; ".join(f"{how} by {', '.join(tests)}" for how, tests in ways.items() if tests)


def _coverage(method: Bound) -> str:
    if method.parameters:
        return "tried in the tests, by enumeration"
    if simulated(method):
        return _simulated(method, json.loads(FILE.read_text(encoding="utf-8"))[method.name])
    if needs_folds(method):
        return f"{_crossed(method)} at n = 200, simulated (the worst of [these learners](cross-validation.md))"
    if Counts not in method.takes:
        return "not enumerable; tried in the tests"
    found = [worst_coverage(method, n, delta=DELTA, side="upper" if method.one_sided else "both") for n in SIZES]
    shown = [
        f"{rounded(each.coverage + KNIFE_EDGE, 4, 'down')} at n = {each.n}{_place(each.at, each.kept)}"
        for each in found
    ]
    return ", ".join(shown) + ("" if method.one_sided else " (of the two-sided interval)")


def _simulated(method: Bound, found: dict[str, Any]) -> str:
    covered = rounded(1 - found["misses"] / REPEATS, 3, "down")
    laws = f"the worst of {found['laws']}, {REPEATS} samples each" if found["misses"] else f"all of {found['laws']}"
    law = f"{found['law']}: " if found["misses"] else ""
    return f"{covered} at n = {N}, simulated ({law}{laws}; `holdfast verify {method.name}`)"


def _crossed(method: Bound) -> str:
    """The least of a row of the page on cross-validation, which is generated, too."""
    page = (DOCS / "cross-validation.md").read_text(encoding="utf-8")
    row = next(line for line in page.splitlines() if line.startswith(f"| {method.name} |"))
    shares = [float(cell.strip(" *")) for cell in row.split("|")[3:-1]]
    return f"{min(shares) / 100:.3f}"


def _place(rate: float, kept: bool) -> str:
    return "" if kept else f" (rate {rate:.3g})"


def notes(function: Callable[..., object]) -> list[str]:
    """The Notes of the docstring, its equations as blocks of mathematics."""
    text = (inspect.getdoc(function) or "").partition("Notes\n-----\n")[2].partition("\nExamples\n")[0]
    if not text:
        return []
    blocks = re.split(r"\n\n(?! )|\n(?=\.\. math::)", text.strip())  # an equation goes on while it is indented
    return [_equation(block) if block.startswith(".. math::") else _prose(block) for block in blocks]


def _equation(block: str) -> str:
    first, _, rest = block.removeprefix(".. math::").partition("\n")
    return "\n".join(["```math", *filter(None, [first.strip(), dedent(rest).strip()]), "```"])


def _prose(block: str) -> str:
    return _wrapped(re.sub(r":math:`([^`]*)`", r"$`\1`$", block))


def _wrapped(text: str, **indents: str) -> str:
    """Links and equations stay in one piece."""
    return fill(text, WIDTH, break_long_words=False, break_on_hyphens=False, **indents)


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else DOCS / "methods.md"
    target.write_text(page(), encoding="utf-8")
