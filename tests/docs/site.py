"""The site, built once a session, strictly, into a folder of its own."""

from __future__ import annotations

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
    folder = tmp_path_factory.mktemp("site")
    built = folder / "html"
    words = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", "-d", str(folder / "read")]
    done = subprocess.run([*words, str(DOCS), str(built)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return built
