"""A directory that finished splits are kept in as they come: Parquet for the predictions, JSON for what they are of.

Nothing in it is ever run or unpickled.
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import numpy as np

from holdfast.errors import HoldfastError
from holdfast.predictions.spelling import spelled
from holdfast.predictions.wording import brief
from holdfast.training.fit import WAYS, Fit, Work
from holdfast.training.given import fingerprint

if TYPE_CHECKING:
    import polars as pl

    from holdfast.training.fits import Fits

PLAN, ALL = "plan.json", "predictions.parquet"
PART = re.compile(r"parts-(\d+)\.parquet")
OURS = re.compile(rf"{PLAN}|{ALL}|{PART.pattern}|\..*\.partial")
OFTEN = 1.0  # seconds between two parts: splits that take longer are written one by one


@dataclass
class Store:
    """The finished splits of one piece of work, and those that are about to be written."""

    path: Path
    work: Work
    finished: dict[int, Fit] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    next_part: int = 0
    _new: dict[int, Fit] = field(default_factory=dict)
    _written: float = field(default_factory=monotonic)

    @classmethod
    def open(cls, path: str | os.PathLike[str], work: Work) -> Store:
        """A new store, or one of the same work with what it holds; anything else is refused."""
        store = cls(Path(path), work)
        try:
            store.path.mkdir(parents=True, exist_ok=True)
            names = sorted(entry.name for entry in store.path.iterdir())
        except OSError as error:
            raise _unusable(store.path, error) from error
        strange = next((name for name in names if not OURS.fullmatch(name)), None)
        if strange is not None or (names and PLAN not in names and any(map(PART.fullmatch, names))):
            told = f"which holds {strange!r}" if strange is not None else f"which holds parts but no {PLAN}"
            raise HoldfastError(
                f"The store {str(store.path)!r}, {told}, is not one of this library. Give a new or an empty directory."
            )
        said = described(work)
        if PLAN in names:
            store._compare(said)
            store._read(names)
        else:
            store._write(PLAN, lambda partial: partial.write_text(json.dumps(said, indent=1), encoding="utf-8"))
        return store

    def add(self, split: int, fit: Fit) -> None:
        """Keep a finished split; it is on the disk after a second at most, or once it is flushed."""
        self._new[split] = fit
        if monotonic() - self._written > OFTEN:
            self.flush()

    def flush(self) -> None:
        """Write what is not on the disk yet."""
        if self._new:
            frame = _part(self._new, self.work)
            self._write(f"parts-{self.next_part:05d}.parquet", frame.write_parquet)
            self.next_part += 1
            self.finished |= self._new
            self._new = {}
        self._written = monotonic()

    def finish(self, fits: Fits) -> None:
        """All predictions in one file, for others to read."""
        self._write(ALL, fits.frame().write_parquet)

    def _write(self, name: str, write: Any) -> None:
        """Under another name first: a file that is there is whole."""
        partial = self.path / f".{name}.{os.getpid()}.partial"
        try:
            write(partial)
            partial.replace(self.path / name)
        except OSError as error:
            raise _unusable(self.path, error) from error

    def _compare(self, said: dict[str, Any]) -> None:
        advice = "Give another directory, or ask for the same work again."
        try:
            held = json.loads((self.path / PLAN).read_text(encoding="utf-8"))
            held_versions, versions = held.pop("versions"), said["versions"]
        except (OSError, ValueError, KeyError, AttributeError, TypeError) as error:
            raise HoldfastError(f"{str(self.path / PLAN)!r} cannot be read ({brief(error)}). {advice}") from error
        differing = list(_differences(held, {name: value for name, value in said.items() if name != "versions"}))
        if differing:
            more = f", and {len(differing) - 4:,} more" if len(differing) > 4 else ""
            raise HoldfastError(
                f"The store {str(self.path)!r} holds other work: {'; '.join(differing[:4])}{more}. {advice}"
            )
        if held_versions != versions:
            self.notes.append(
                f"Some splits were fitted before, with {_listed(held_versions)}; the others with {_listed(versions)}."
            )

    def _read(self, names: list[str]) -> None:
        import polars as pl

        for name in names:
            matched = PART.fullmatch(name)
            if matched is None:
                continue
            self.next_part = max(self.next_part, int(matched[1]) + 1)
            try:
                self.finished |= _fits(pl.read_parquet(self.path / name), self.work)
            except (pl.exceptions.PolarsError, OSError, ValueError) as error:
                self.notes.append(f"{name} in the store cannot be read ({brief(error)}); its splits are fitted again.")


def described(work: Work) -> dict[str, Any]:
    """What the work is, so that other work is told apart from it: ready for JSON."""
    from importlib.metadata import version

    kind = type(work.learner)
    return {
        "format": 1,
        "plan": work.plan.to_dict(),
        "estimator": f"{kind.__module__}:{kind.__qualname__}",
        "parameters": {name: _said(value) for name, value in sorted(work.learner.get_params(deep=True).items())},
        "classes": [spelled(label) for label in work.labels.tolist()],
        "data": fingerprint(work.X, work.labels, work.codes),
        "seed": int(work.seed),
        "scores": work.scores,
        "versions": {name: version(name) for name in ("holdfast", "scikit-learn", "numpy")},
    }


def _said(value: Any) -> str:
    """A parameter in words that are the same in the next process; long ones by their SHA-256."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    text = re.sub(r" at 0x[0-9a-fA-F]+", "", repr(value))
    return text if len(text) <= 200 else f"{text[:100]}... {sha256(text.encode('utf-8', 'replace')).hexdigest()}"


def _part(fits: dict[int, Fit], work: Work) -> pl.DataFrame:
    """The rows of some splits: how each was predicted, by the place of its label, and scored."""
    import polars as pl

    frames = []
    for split, fit in fits.items():
        columns: dict[str, Any] = {"row": work.plan.test(split), "predicted": fit.predicted}
        for i in range(_width(work)):
            columns[f"score_{i}"] = None if fit.scores is None else fit.scores.reshape(len(fit.predicted), -1)[:, i]
        frames.append(
            pl.DataFrame(columns, schema_overrides={f"score_{i}": pl.Float64 for i in range(_width(work))}).select(
                pl.lit(split, pl.Int64).alias("split"),
                pl.all(),
                pl.lit(fit.seconds).alias("seconds"),
                pl.lit(fit.scored_by or "").alias("scored_by"),
                pl.lit(fit.note).alias("note"),
            )
        )
    return pl.concat(frames)


def _width(work: Work) -> int:
    return 0 if not work.scores else 1 if len(work.labels) == 2 else len(work.labels)


def _fits(frame: pl.DataFrame, work: Work) -> dict[int, Fit]:
    """The splits that a part holds; a ValueError if it cannot be one of this work."""
    names = [f"score_{i}" for i in range(_width(work))]
    if frame.columns != ["split", "row", "predicted", *names, "seconds", "scored_by", "note"]:
        raise ValueError("it has other columns than a part")
    found = {}
    for (split,), rows in frame.partition_by("split", as_dict=True, maintain_order=True).items():
        seconds, way, note = rows.select("seconds", "scored_by", "note").row(0)
        predicted = rows["predicted"].to_numpy()
        if not 0 <= int(split) < len(work.plan) or not np.array_equal(
            rows["row"].to_numpy(), work.plan.test(int(split))
        ):
            raise ValueError(f"it holds other rows than split {split}")
        if predicted.dtype != np.int32 or predicted.min() < 0 or predicted.max() >= len(work.labels):
            raise ValueError("it holds predictions that are no labels")
        scores = rows.select(names).to_numpy() if way else None
        if way not in ("", *WAYS) or (scores is not None and (scores.dtype != np.float64 or np.isnan(scores).any())):
            raise ValueError("it holds scores that are no numbers")
        if scores is not None:
            scores = np.ascontiguousarray(scores[:, 0] if len(names) == 1 else scores)
        found[int(split)] = Fit(predicted, scores, way or None, float(seconds), str(note))
    return found


def _differences(held: Any, asked: Any, name: str = "") -> Any:
    """What the store has otherwise than it is asked for, in words."""
    if isinstance(held, dict) and isinstance(asked, dict):
        for key in sorted({*held, *asked}):
            yield from _differences(held.get(key), asked.get(key), f"{name} {key}".strip())
    elif held != asked:
        yield f"{name} is {brief(json.dumps(held), 60)} there and {brief(json.dumps(asked), 60)} here"


def _listed(versions: Any) -> str:
    return ", ".join(f"{name} {number}" for name, number in versions.items())


def _unusable(path: Path, error: OSError) -> HoldfastError:
    return HoldfastError(
        f"The store {str(path)!r} cannot be used ({brief(error.strerror or error)}). Give a directory to write to."
    )
