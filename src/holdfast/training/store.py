"""A directory that finished splits are kept in as they come: Parquet for the predictions, JSON for what they are of.

Nothing in it is ever run or unpickled. A part is named after its checksum, which covers the work that it is of too:
what is not exactly what was written, for exactly this work, is not read.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import numpy as np

from holdfast.errors import HoldfastError
from holdfast.files import write_whole, written
from holdfast.predictions.coded import spelled
from holdfast.training.fit import Fit, Work
from holdfast.training.given import fingerprint
from holdfast.training.identity import changes, identity_of
from holdfast.wording import brief

if TYPE_CHECKING:
    from holdfast.training.fits import Fits


def packed(fits: dict[int, Fit], work: Work) -> bytes:
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
    content = BytesIO()
    pl.concat(frames).write_parquet(content)
    return content.getvalue()


def _width(work: Work) -> int:
    return 0 if not work.scores else 1 if len(work.labels) == 2 else len(work.labels)


def unpacked(content: bytes, work: Work) -> dict[int, Fit]:
    """The splits that were packed for this work; a ValueError where this version of Parquet's reader fails."""
    import polars as pl

    try:
        frame = pl.read_parquet(BytesIO(content))
    except pl.exceptions.PolarsError as error:
        raise ValueError(str(error)) from error
    names = [f"score_{i}" for i in range(_width(work))]
    fits = {}
    for (split,), rows in frame.partition_by("split", as_dict=True, maintain_order=True).items():
        seconds, way, note = rows.select("seconds", "scored_by", "note").row(0)
        scores = rows.select(names).to_numpy() if way else None
        if scores is not None:
            scores = np.ascontiguousarray(scores[:, 0] if len(names) == 1 else scores)
        fits[int(split)] = Fit(rows["predicted"].to_numpy(), scores, way or None, seconds, note)
    return fits


FORMAT = 2
PLAN, ALL = "plan.json", "predictions.parquet"
PART = re.compile(r"parts-(?P<number>\d+)(?:-(?P<checksum>[0-9a-f]{32}))?\.parquet")  # without one before format 2
OURS = re.compile(rf"{PLAN}|{ALL}|{PART.pattern}|\..*\.partial")
OFTEN = 1.0  # seconds between two parts: splits that take longer are written one by one
ADVICE = "Give another directory, or ask for the same work again."


@dataclass
class Store:
    """The finished splits of one piece of work, and those that are about to be written."""

    path: Path
    work: Work
    description: dict[str, Any]
    finished: dict[int, Fit] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    next_part: int = 0
    _new: dict[int, Fit] = field(default_factory=dict)
    _written: float = field(default_factory=monotonic)

    @classmethod
    def open(cls, path: str | os.PathLike[str], work: Work, depends_on: Iterable[Path] = ()) -> Store:
        """A new store, or one of the same work with what it holds; anything else is refused."""
        store = cls(Path(path), work, described(work, depends_on))
        try:
            store.path.mkdir(parents=True, exist_ok=True)
            names = sorted(entry.name for entry in store.path.iterdir())
        except OSError as error:
            raise _unusable(store.path, error) from error
        parts = [name for name in names if PART.fullmatch(name)]
        strange = next((name for name in names if not OURS.fullmatch(name)), None)
        if strange is not None or (parts and PLAN not in names):
            content = f"which holds {strange!r}" if strange is not None else f"which holds parts but no {PLAN}"
            raise HoldfastError(
                f"The store {str(store.path)!r}, {content}, is not one of this library. Give a new or an empty "
                "directory."
            )
        damage = store._compare(bool(parts)) if PLAN in names else None
        damaged = store._read(parts)
        if damage is not None:
            if not store.finished:
                raise HoldfastError(f"{str(store.path / PLAN)!r} cannot be read ({damage}). {ADVICE}")
            store.notes.append(f"{PLAN} in the store was damaged ({damage}); it is written anew.")
        for name in damaged:  # or they would be told again when they are fitted already
            with suppress(OSError):
                (store.path / name).unlink()
        if damage is not None or not parts:
            write_whole(store.path / PLAN, json.dumps(_signed(store.description), indent=1).encode())
        return store

    def add(self, split: int, fit: Fit) -> None:
        """Keep a finished split; it is on the disk after a second at most, or once it is flushed."""
        self._new[split] = fit
        if monotonic() - self._written > OFTEN:
            self.flush()

    def flush(self) -> None:
        """Write what is not on the disk yet."""
        if self._new:
            content = packed(self._new, self.work)
            write_whole(self.path / f"parts-{self.next_part:05d}-{self._checksum(content)}.parquet", content)
            self.next_part += 1
            self.finished |= self._new
            self._new = {}
        self._written = monotonic()

    def finish(self, fits: Fits) -> None:
        """All predictions in one file, for others to read."""
        with written(self.path / ALL) as file:
            fits.frame().write_parquet(file)

    def _compare(self, parts: bool) -> str | None:
        """Refuse a store of other work; of a plan that is not as it was written, what is wrong with it."""
        try:
            held = json.loads((self.path / PLAN).read_bytes())
        except OSError as error:
            raise _unusable(self.path, error) from error
        except (ValueError, RecursionError) as error:
            return brief(error)
        if not isinstance(held, dict) or held != _signed(held):
            if isinstance(held, dict) and held.get("format") == 1 and "checksum" not in held:
                raise HoldfastError(
                    f"The store {str(self.path)!r} was written by Holdfast 0.1, which kept neither checksums nor what "
                    "code its splits were fitted with. Give another directory, and fit them anew."
                )
            return "its checksum does not fit"
        if held["format"] != FORMAT:
            raise HoldfastError(
                f"The store {str(self.path)!r} was written by another version of Holdfast, in format "
                f"{held['format']}. Give another directory."
            )
        if parts and (differing := [*_reasons(held, self.description)]):
            more = f", and {len(differing) - 4:,} more" if len(differing) > 4 else ""
            raise HoldfastError(
                f"The store {str(self.path)!r} holds other work: {'; '.join(differing[:4])}{more}. {ADVICE}"
            )
        versions = self.description["versions"]
        if parts and held["versions"] != versions:
            self.notes.append(
                f"Some splits were fitted before, with {_listed(held['versions'])}; the others with "
                f"{_listed(versions)}."
            )
        return None

    def _read(self, names: list[str]) -> list[str]:
        """Take the splits of parts that are whole and of this work; the names of the others, which are told."""
        damaged = []
        for name in names:
            matched = PART.fullmatch(name)
            assert matched is not None  # that is how they were picked
            self.next_part = max(self.next_part, int(matched["number"]) + 1)
            try:
                content = (self.path / name).read_bytes()
                fits = self._checksum(content) == matched["checksum"]
                self.finished |= unpacked(content, self.work) if fits else {}
                reason = "" if fits else "its checksum does not fit"
                damaged += [] if fits else [name]
            except (OSError, ValueError) as error:
                reason = brief(getattr(error, "strerror", None) or error)
            if reason:
                self.notes.append(f"{name} in the store cannot be read ({reason}); its splits are fitted again.")
        return damaged

    def _checksum(self, content: bytes) -> str:
        """Of a part, and of the work that it is of."""
        return sha256(_canonical(_bound(self.description)) + content).hexdigest()[:32]


def described(work: Work, depends_on: Iterable[Path] = ()) -> dict[str, Any]:
    """What the work is, so that other work is told apart from it: ready for JSON."""
    from importlib.metadata import version

    kind = type(work.learner)
    parameters, code = identity_of(work.learner, depends_on)
    return {
        "format": FORMAT,
        "plan": work.plan.to_dict(),
        "estimator": f"{kind.__module__}:{kind.__qualname__}",
        "parameters": parameters,
        "code": code,
        "classes": [spelled(label) for label in work.labels.tolist()],
        "data": fingerprint(work.X, work.labels, work.codes),
        "types": _types(work.X),
        "seed": int(work.seed),
        "scores": work.scores,
        "versions": {name: version(name) for name in ("holdfast", "scikit-learn", "numpy")},
    }


def holds_splits(path: str | os.PathLike[str]) -> bool:
    """Whether finished splits of any work are kept there."""
    try:
        return any(PART.fullmatch(entry.name) for entry in Path(path).iterdir())
    except OSError:  # there is no such directory; what else is wrong with it is told by whoever writes there
        return False


def _types(X: Any) -> list[str]:  # scikit-learn's name
    """The types of a frame's columns, which the fingerprint of the values does not tell apart."""
    types = getattr(X, "dtypes", ())
    return [str(each) for each in types]


def _bound(description: dict[str, Any]) -> dict[str, Any]:
    """What must be the same for splits to be of the same work; that other versions were beside it is told."""
    return {name: value for name, value in description.items() if name not in ("versions", "checksum")}


def _canonical(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True).encode()


def _signed(plan: dict[str, Any]) -> dict[str, Any]:
    """With the checksum of all the rest."""
    rest = {name: value for name, value in plan.items() if name != "checksum"}
    return {**rest, "checksum": sha256(_canonical(rest)).hexdigest()}


def _reasons(held: dict[str, Any], asked: dict[str, Any]) -> Iterator[str]:
    """Why a store is not of the work that is asked for, in words; what became of its code first."""
    held, asked = _bound(held), _bound(asked)
    before, now = held.pop("code"), asked.pop("code")
    reasons = [*changes(before, now), *_differences(held, asked)]
    yield from reasons or (["a value inside the learner was changed"] if before != now else [])


def _differences(held: Any, asked: Any, name: str = "") -> Iterator[str]:
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
