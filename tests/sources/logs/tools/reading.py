"""One run of a log, for the tests of tools."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from holdfast.sources.logs.asked import Asked
from holdfast.sources.logs.reading import runs_of
from holdfast.sources.logs.run import Run
from holdfast.sources.opening import files_of


def run(path: Path, **asked: Any) -> Run:
    """The one run of a log."""
    (only,) = runs_of(files_of(path, None, Asked(**asked)))
    return only


def by_id(read: Run) -> dict[str, float]:
    return dict(zip(read.ids, read.scored.tolist(), strict=True))


def written(name: str, document: Any) -> Path:
    """A value as a file of JSON."""
    path = Path(mkdtemp()) / name
    path.write_text(json.dumps(document))
    return path
