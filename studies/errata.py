"""docs/errata.md: what is printed in the five documents and does not hold, made of the studies' checks.

And what we printed ourselves and print no more.
"""

from __future__ import annotations

from pathlib import Path

from studies.checks import Check, Status, counted, of_status
from studies.pages import read_checks, table

INTRODUCTION = """\
# Errata: where the five documents are wrong

Written by `make studies` from the checks of all [studies](studies/index.md); do not edit. Each line is something that a
document prints and that a computation does not confirm: what is printed, what is right, how we know and, where it can
be told, how the slip came about. Where other tools are wrong stands in [other-tools.md](other-tools.md), and
what we printed ourselves and print no more at the [end](#ourselves)."""


def errata(folder: Path) -> str:
    """The page, from what the studies left in the folder."""
    parts = [INTRODUCTION]
    every: list[Check] = []
    for file in sorted(folder.glob("*.json")):
        title, checks = read_checks(file)
        every += checks
        wrong = of_status(checks, Status.DIFFERS)
        heading = f"## {title}\n\n[The study](studies/{file.stem}.md): {counted(checks)}."
        parts.append("\n\n".join([heading, table(HEADER, map(_row, wrong))] if wrong else [heading]))
    parts.insert(1, f"Of {len(every)} things checked in all: {counted(every)}.")
    return "\n\n".join([*parts, OURS, table(OUR_HEADER, OUR_ROWS)]) + "\n"


OURS = """\
## Ourselves

What earlier releases of Holdfast printed and this one does not, and why."""
OUR_HEADER = ("what", "before", "now", "why")
OUR_ROWS = (
    (
        "losses, means of clusters, partial credit, and their paired differences",
        "`betting`, in an order that the sample itself decides, as holding at every sample size",
        "`squares`, in which no order enters; `betting` holds so with `--order drawn` alone",
        "no theorem covers an order that the sample decides, and the best of several orders misses more often than is "
        "promised ([which method answers](decisions/0002-which-method-answers.md))",
    ),
    (
        "area under the ROC curve, Gini",
        "`auc-bentkus`",
        "`auc-matchings`, up to 5,000 examples of the smaller class",
        "both hold, and the new one is narrower ([tight, with a proof](decisions/0019-tight-with-a-proof.md))",
    ),
    ("MCC, kappa", "`box`, of limits of both recalls", "`fisher-region`", "both hold, and the new one is narrower"),
    (
        "progressive validation",
        "`progressive`",
        "`progressive-mixture`, whose stakes depend on n and delta alone",
        "both hold, and the new one is narrower; a stake that follows the risk in question is fair for none",
    ),
    ("`threshold`: its method", "`union`", "`bayes-union`", "one name stood for two formulas"),
)


HEADER = ("place", "what", "printed", "right", "how we know", "how it can have come about")


def _row(check: Check) -> tuple[str, ...]:
    return check.place, check.what, check.printed, check.found, check.how, check.why or "–"
