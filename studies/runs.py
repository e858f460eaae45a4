"""A run of the studies: what is there to read, what was computed before it was interrupted, and how far it is."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SHIPPED = HERE / "data"


@dataclass
class Run:
    """What a study may ask of whoever runs it."""

    fast: bool = False  # fewer repetitions and data sets, for the tests; no printed number hangs on it
    data: Path | None = None  # where the data sets are that may not be shipped
    fetch: bool = False  # whether those may be asked of OpenML that are found nowhere
    store: Path | None = None  # where finished pieces are kept, so that an interrupted run goes on
    tell: Callable[[str], object] = lambda text: None
    seed: int = 2026
    missing: set[str] = field(default_factory=set)

    def file(self, name: str) -> Path | None:
        """A file of data, shipped or from elsewhere; None, and noted as missing, where it is not to be had."""
        for folder in (SHIPPED, self.data):
            if folder is not None and (folder / name).exists():
                return folder / name
        self.missing.add(name)
        return None

    def kept(self, key: str, compute: Callable[[], Any]) -> Any:
        """What `compute` answers (anything JSON can hold), or answered before the run was interrupted."""
        if self.store is None:
            return compute()
        file = self.store / f"{hashlib.sha256(key.encode()).hexdigest()[:24]}.json"
        if file.exists():
            return json.loads(file.read_text(encoding="utf-8"))
        answer = compute()
        beside = file.with_suffix(".new")
        beside.write_text(json.dumps(answer), encoding="utf-8")
        beside.replace(file)
        return json.loads(json.dumps(answer))

    def steps(self, name: str, things: Iterable[Any]) -> Iterator[Any]:
        """The things, one by one, telling which is under way."""
        everything = list(things)
        for place, thing in enumerate(everything, 1):
            self.tell(f"{name} {place}/{len(everything)}")
            yield thing


def opened(folder: Path) -> Path:
    """The store of an interrupted run of these very studies, or an empty one: other code's answers do not count."""
    now = fingerprint()
    mark = folder / "fingerprint"
    if not mark.exists() or mark.read_text(encoding="utf-8") != now:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        mark.write_text(now, encoding="utf-8")
    return folder


def fingerprint() -> str:
    """Of all code that the numbers come from."""
    digest = hashlib.sha256()
    for file in sorted([*HERE.rglob("*.py"), *(HERE.parent / "src").rglob("*.py")]):
        digest.update(file.read_bytes())
    return digest.hexdigest()
