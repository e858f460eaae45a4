"""A model beside the one before it, on the same rows: a panel of two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from holdfast.evidence.pools.panel import Panel
from holdfast.predictions import Predictions
from holdfast.tally.panel.long_tables import panel_of_joined
from holdfast.tally.panel.panel import panel_of_columns

MODELS = ("new", "baseline")
ROLES = {"predicted": "model_0", "correct": "model_0", "baseline": "model_1", "score": "score_0"}
ROLES |= {"baseline_score": "score_1"}
GRADED = {"value": "value_0", "baseline": "value_1"}  # where answers may be partly right
KEPT = ("truth", "cluster", "weight", "stratum")


def panel_of_baseline(rows: Predictions, *, positive: object = None, labels: Sequence[object] | None = None) -> Panel:
    """The panel of rows that have the answers of the model before in a column `baseline`, beside those of the new one.

    Its scores are looked at where both models have some.
    """
    held = rows.columns
    scored = {"score", "baseline_score"} <= {*held}
    kept = [name for name in held if name in KEPT or name.startswith("by_")]
    roles = GRADED if "value" in held else ROLES
    kept += [name for name in roles if name in held and (scored or "score" not in name)]
    frame = rows.frame.select(*kept).rename({name: roles[name] for name in kept if name in roles})
    made = replace(rows, frame=frame, columns=tuple(roles.get(name, name) for name in kept), group_names=MODELS)
    return panel_of_columns(
        made, passes="correct" in held, by=rows.group_names, grading=rows.grading, positive=positive, labels=labels
    )


def panel_of_two(
    new: Predictions, baseline: Predictions, *, positive: object = None, labels: Sequence[object] | None = None
) -> Panel:
    """The panel of two tables of rows, joined by their `id`; how they were drawn, the first says."""
    both = [rows.without_scores() for rows in (new, baseline)]
    if all("score" in rows.columns for rows in (new, baseline)):
        both = [new, baseline]
    return panel_of_joined(both, MODELS, positive=positive, labels=labels)
