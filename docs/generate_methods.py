"""Write docs/methods.md from the catalog: `python docs/generate_methods.py [FILE]`."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent, fill

from holdfast import Counts, Guarantee, Losses, methods, worst_coverage
from holdfast.catalog import Bound
from holdfast.render.numbers import rounded
from holdfast.verify.drawn import pairs

SIZES = (30, 200)
DELTA = 0.05
WIDTH = 110
KNIFE_EDGE = 1e-9  # many methods cover exactly 95 %: the last digit of the machine must not decide the page
NEEDS = {
    "s2": "the variance, where losses are given by their moments",
    "values": "every single loss",
    "levels": "losses that are multiples of one over a number declared beforehand",
    "errors": "the errors of each model",
    "one model": "results of one model, not differences of two",
    "random folds": "folds made without looking at the labels",
    "random folds of fixed sizes": "folds made without looking at the labels or at what the models said",
}

INTRODUCTION = f"""\
# Methods

Generated from the catalog by `make docs`; do not edit. `holdfast methods NAME` shows the same entry. The
sources are keys of [references.bib](references.bib) and places in those works.

How firmly a method's limits hold:

{chr(10).join(f"- **{guarantee}**: it {guarantee.sentence}." for guarantee in Guarantee)}

Worst coverage is the smallest chance, over every true error rate, that the limit is right. It is computed by
enumerating all counts, for 95 % upper limits on 0/1 losses, and is rounded down. Where it is below 0.95, the
rate at which that happens stands beside it."""


def page() -> str:
    """The whole page."""
    catalog = methods()
    rows = [
        f"| [{m.name}](#{m.name.lower()}) | {', '.join(m.aliases)} | {_takes(m)} | {m.guarantee} |" for m in catalog
    ]
    index = "\n".join(["| method | also called | takes | guarantee |", "|---|---|---|---|", *rows])
    return "\n\n".join([INTRODUCTION, index, *(_section(m) for m in catalog)]) + "\n"


def _section(method: Bound) -> str:
    facts = {
        "also called": ", ".join(method.aliases),
        "takes": _takes(method),
        "needs": ", ".join([*([NEEDS[method.needs]] if method.needs else []), *(f"`{p}=`" for p in method.parameters)]),
        "sides": "" if method.one_sided else "both only: its ends are not limits by themselves",
        "guarantee": f"{method.guarantee}: it {method.guarantee.sentence}",
        "source": str(method.source),
        "assumes": "; ".join(method.assumes),
        "worst coverage": _coverage(method),
    }
    lines = [fill(f"- {name}: {fact}", WIDTH, subsequent_indent="  ") for name, fact in facts.items() if fact]
    return "\n\n".join([f"## {method.name}", fill(method.summary, WIDTH), "\n".join(lines), *notes(method.upper)])


def _takes(method: Bound) -> str:
    return " or ".join(sorted(kind.__name__ for kind in method.takes))


def _coverage(method: Bound) -> str:
    if method.parameters:
        return ""
    if Counts not in method.takes:
        drawn = Losses in method.takes or pairs(method)
        return "not enumerable; " + (f"`holdfast verify {method.name}` simulates it" if drawn else "tried in the tests")
    found = [worst_coverage(method, n, delta=DELTA, side="upper" if method.one_sided else "both") for n in SIZES]
    shown = [
        f"{rounded(each.coverage + KNIFE_EDGE, 4, 'down')} at n = {each.n}{_place(each.at, each.kept)}"
        for each in found
    ]
    return ", ".join(shown) + ("" if method.one_sided else " (of the two-sided interval)")


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
    return fill(re.sub(r":math:`([^`]*)`", r"$`\1`$", block), WIDTH, break_long_words=False, break_on_hyphens=False)


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("methods.md")
    target.write_text(page(), encoding="utf-8")
