"""Where the numbers come from: the methods with their sources, and the data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from holdfast.claims import Assumption, Guarantee
from holdfast.render.page.assumed import first_assumed
from holdfast.render.page.layout import BADGE
from holdfast.report.facts.kind import Kind
from holdfast.wording import printable

if TYPE_CHECKING:
    from holdfast.report import Report


def methods(report: Report) -> Iterator[dict[str, Any]]:
    """Each method that answered: for which measures, on whose word, and what it takes for granted."""
    told = [(c.method, c.measure, c) for c in report.claims]
    told += [(f"band of the {printable(name, 60)} curve", curve.y_is, curve) for name, curve in report.curves.items()]
    found: dict[tuple[str, Guarantee, str], tuple[dict[str, None], dict[Assumption, None]]] = {}
    for method, measure, claim in told:
        measures, sentences = found.setdefault((method, claim.guarantee, str(claim.source)), ({}, {}))
        measures[measure] = None
        sentences.update(dict.fromkeys(claim.assumes))
    first = first_assumed(report.claims)
    for (method, guarantee, source), (measures, sentences) in found.items():
        alike = set(first) <= set(sentences)
        yield {
            "alike": alike,
            "method": method,
            "badge": BADGE[guarantee],
            "source": source,
            "measures": ", ".join(measures),
            "assumes": [str(sentence) for sentence in sentences if not (alike and sentence in first)],
        }


def provenance(report: Report) -> list[tuple[str, str]]:
    known = dict(report.provenance)
    titles = {
        "fingerprint": "State, SHA-256" if report.kind is Kind.DUEL else "Data, SHA-256",
        "examples": "Examples",
        "rows": "Rows",
        "version": "Holdfast",
        "command": "Command",
        "seed": "Seed",
    }
    first = [(title, known.pop(key)) for key, title in titles.items() if key in known]
    rest = [(key.capitalize(), value) for key, value in known.items()]
    return [(title, f"{value:,}" if title in ("Examples", "Rows") else str(value)) for title, value in (*first, *rest)]
