"""What is said of the project around the code: one version, and metadata that name what there is."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import holdfast as hf

ROOT = Path(__file__).parents[1]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = SETTINGS["project"]
CITATION = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
HOOKS = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
WORKFLOW = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")


def test_the_version_stands_in_the_package_and_the_citation_names_it() -> None:
    assert "version" not in PROJECT
    assert PROJECT["dynamic"] == ["version"]
    source = (ROOT / SETTINGS["tool"]["hatch"]["version"]["path"]).read_text(encoding="utf-8")
    assert re.findall(r'^__version__ = "(.*)"$', source, re.MULTILINE) == [hf.__version__]
    assert re.findall(r"^version: (.*)$", CITATION, re.MULTILINE) == [hf.__version__]


def test_the_citation_says_what_the_metadata_say() -> None:
    assert f"license: {PROJECT['license']}\n" in CITATION
    assert [f"  - name: {author['name']}" in CITATION for author in PROJECT["authors"]] == [True]


@pytest.mark.parametrize(
    "topic", ["Environment", "Framework", "Intended Audience", "Operating System", "Topic", "Typing"]
)
def test_the_classifiers_are_complete(topic: str) -> None:
    assert any(classifier.startswith(f"{topic} :: ") for classifier in PROJECT["classifiers"])


def test_what_the_metadata_name_exists() -> None:
    assert all((ROOT / file).is_file() for file in (PROJECT["readme"], *PROJECT["license-files"]))
    assert not any("License ::" in classifier for classifier in PROJECT["classifiers"])  # the SPDX expression says it


def test_hooks_and_workflow_run_what_the_makefile_and_ci_do() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    tools = {
        word
        for line in re.findall(r"^check:.*\n((?:\t.*\n)+)", makefile, re.MULTILINE)
        for word in re.findall(r"\$\(BIN\)/(\w+)", line)
    }
    assert {Path(entry).name for entry in re.findall(r"entry: (\S+)", HOOKS)} == tools
    assert ".ci/run" in WORKFLOW
    assert (ROOT / ".ci" / "run").is_file()
    lowest = PROJECT["requires-python"].removeprefix(">=")
    assert f'python-version: "{lowest}"' in WORKFLOW
