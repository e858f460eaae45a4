"""Predictions on inputs without labels, laid out like those of a panel and in its labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from os import PathLike
from typing import Any

import numpy as np

from holdfast.errors import InvalidEvidence
from holdfast.evidence import NO_ANSWER
from holdfast.evidence.pools.panel import Panel, Unlabelled
from holdfast.predictions import Missing, Predictions
from holdfast.predictions.arrays import read_labels
from holdfast.predictions.coded import Held
from holdfast.predictions.rows import check_lengths, translated
from holdfast.tally.labels import ordered, spellings, truth_as_one
from holdfast.tally.panel.panel import columns_by_name, held_table, placed, seen
from holdfast.tally.rows import mix, seed_of
from holdfast.wording import brief, listed, quoted

COUNTED = {"0", "1"}


def unlabelled_of_arrays(
    panel: Panel, predicted: object, target: object = None, *, missing: Missing = "refuse"
) -> Unlabelled:
    """What the panel's models said on further inputs: by their names, or rows of a table in the panel's order.

    Examples
    --------
    >>> from holdfast.tally.panel.panel import panel_of_arrays
    >>> panel = panel_of_arrays(["x", "y"], {"a": ["x", "x"], "b": ["y", "y"]})
    >>> more = unlabelled_of_arrays(panel, {"b": ["x", "y", "z"], "a": ["x", "x", "y"]})
    >>> more.labels, more.predicted.tolist()
    (('x', 'y', 'z'), [[0, 0, 1], [0, 1, 2]])
    """
    by_name = _by_name(panel, predicted)
    with translated("the arrays"):
        columns = {
            f"model_{place}": read_labels(f"the model {quoted(name)}", by_name[name])
            for place, name in enumerate(panel.models)
        }
        if target is not None:
            columns["target"] = read_labels("the target", target)
    check_lengths(columns, {f"model_{i}": f"the model {quoted(name, 20)}" for i, name in enumerate(panel.models)})
    rows = Predictions(Held(columns), tuple(columns), missing=missing, source="the unlabelled inputs")
    return unlabelled_of_columns(rows, panel)


def _by_name(panel: Panel, predicted: object) -> Mapping[str, Any]:
    if isinstance(predicted, (str, PathLike)):
        raise InvalidEvidence(
            f"unlabelled= takes predictions, not the name of a file; read it with hf.read_unlabelled("
            f"{quoted(str(predicted))}, panel)."
        )
    if (given := columns_by_name(predicted)) is not None:
        if left := [name for name in panel.models if name not in given]:
            raise InvalidEvidence(
                f"unlabelled= (--unlabelled) holds no predictions of the model {quoted(left[0])}; every "
                f"model of the panel needs some."
            )
        return given
    table = np.asarray(predicted)
    if table.ndim != 2 or len(table) != len(panel.models):
        raise InvalidEvidence(
            f"unlabelled= takes predictions by the names of the models, or a row for each of the "
            f"{len(panel.models):,} models; got shape {table.shape}."
        )
    return dict(zip(panel.models, table, strict=True))


def unlabelled_of_columns(rows: Predictions, panel: Panel) -> Unlabelled:
    """The columns `model_0`, `model_1` ..., in the order of the panel's models, and perhaps `target`."""
    if not panel.labels:
        raise InvalidEvidence("These answers are only known as right or wrong; on unlabelled inputs they say nothing.")
    source = rows.source
    held = rows.frame if isinstance(rows.frame, Held) else held_table(rows.fetch(rows.frame))
    if not held.height:
        raise InvalidEvidence(f"There are no rows in {brief(source)}: there is nothing to speak about.")
    names = [f"model_{place}" for place in range(len(panel.models))]
    names += ["target"] if "target" in held.columns else []
    columns = [held.labels(name) for name in names]
    known = {int(label): label for label in panel.labels} if {*panel.labels} <= COUNTED else {}
    _, *spelled = truth_as_one(known, *(spellings(name, c.distinct) for name, c in zip(names, columns, strict=True)))
    new = ordered(seen(spelled) - {*panel.labels}, None)
    if len(new) == len(seen(spelled)):
        raise InvalidEvidence(
            f"No label of {brief(source, 80)}, such as {quoted(new[0])}, is one of the panel's: "
            f"{listed([*panel.labels], 120)}. Do both write them alike?"
        )
    labels = (*panel.labels, *new)
    codes = np.stack(placed(columns, spelled, {label: place for place, label in enumerate(labels)}))
    codes, labels, notes = _complete(codes, labels, rows.missing, source, [*panel.models, "the target"])
    if new:
        notes.append(f"Among the unlabelled inputs only, some model says {listed(new, 120)}.")
    own, target = codes[: len(panel.models)], codes[-1] if len(codes) > len(panel.models) else None
    return Unlabelled(
        panel.models,
        labels,
        own,
        target,
        _fingerprint(codes, labels, [*panel.models, "target"][: len(codes)]),
        tuple(notes),
    )


def _complete(
    codes: Any, labels: tuple[str, ...], way: Missing, source: str, models: Sequence[str]
) -> tuple[Any, tuple[str, ...], list[str]]:
    """The codes once what is missing was refused, dropped or made an answer that is wrong whatever the label."""
    gone = codes < 0
    if not gone.any():
        return codes, labels, []
    inputs, number = gone.any(axis=0), codes.shape[1]
    lost = int(np.count_nonzero(inputs))
    lack = "lacks" if lost == 1 else "lack"
    reason = f"{lost:,} of {number:,} unlabelled inputs {lack} an answer, such as row {int(np.argmax(inputs)) + 1:,}"
    if way == "refuse" or (way == "drop" and lost == number):
        worst = models[int(np.argmax(gone.any(axis=1)))]
        raise InvalidEvidence(
            f"In {brief(source, 80)} {reason} (of {quoted(worst, 24)}). Repair them, or say "
            'missing="drop" (--missing drop) or missing="wrong" (--missing wrong).'
        )
    if way == "drop":
        return codes[:, ~inputs], labels, [f"Left out: {reason}. The claims are about the others."]
    labels = labels if NO_ANSWER in labels else (*labels, NO_ANSWER)
    wrong = codes.dtype.type(labels.index(NO_ANSWER))
    return np.where(gone, wrong, codes), labels, [f"{reason[0].upper()}{reason[1:]}: these answers count as wrong."]


def _fingerprint(codes: Any, labels: Sequence[str], names: Sequence[str]) -> str:
    """The same for the same answers, whatever the order of the inputs: a word for each of them, added up."""
    words = np.zeros(codes.shape[1], np.uint64)
    for name, row in zip(names, codes, strict=True):
        words += np.array([seed_of(f"{len(name)} {name}: {label}") for label in labels], np.uint64)[row]
    mix(words)
    turned = (words << np.uint64(32) | words >> np.uint64(32)) * words
    digest = sha256(b"holdfast unlabelled 1\n")
    digest.update(np.array([words.size, np.add.reduce(words), np.add.reduce(turned)], "<u8").tobytes())
    return digest.hexdigest()
