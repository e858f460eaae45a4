"""The site, built once a run, strictly, into a folder that all workers see."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import DOCS
from tests.needs import module


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    for needed in ("sphinx", "myst_parser", "furo", "sklearn"):
        module(needed)
    folder = tmp_path_factory.getbasetemp()
    if os.environ.get("PYTEST_XDIST_WORKER"):
        folder = folder.parent  # of the whole run
    built = folder / "site"
    with (folder / "site.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # whoever comes second waits and finds it built
        if not built.exists():
            words = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html"]
            words += ["-d", str(folder / "read"), str(DOCS), str(folder / "html")]
            done = subprocess.run(words, capture_output=True, text=True)
            assert done.returncode == 0, done.stdout + done.stderr
            (folder / "html").rename(built)
    return built
