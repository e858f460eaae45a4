"""`make studies`: every table, figure and worked example of the five documents, computed again, and one study of ours.

Writes docs/studies/ and, from the same checks, docs/errata.md. Interrupted, it goes on where it was.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path

from rich.progress import BarColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

from studies.errata import errata
from studies.pages import Page
from studies.runs import Run, opened

ROOT = Path(__file__).parents[1]
STUDIES = ("shah", "bax", "anguita", "slides", "zaki_measures", "zaki_ensembles", "reuse")


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m studies", description=__doc__)
    parser.add_argument("studies", nargs="*", metavar="STUDY", help=f"which: {', '.join(STUDIES)}; all by default")
    parser.add_argument("--data", type=Path, help="where the data sets lie that may not be shipped")
    parser.add_argument("--fetch", action="store_true", help="ask OpenML for those that are found nowhere")
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "studies", help="where the pages go")
    parser.add_argument("--fast", action="store_true", help="fewer repetitions: to see that it runs")
    asked = parser.parse_args(words)
    unknown = [name for name in asked.studies if name not in STUDIES]
    if unknown:
        parser.error(f"there is no study {unknown[0]!r}; there are {', '.join(STUDIES)}")
    if asked.data is not None and not asked.data.is_dir():
        parser.error(f"--data {asked.data} is no directory")
    store = opened(ROOT / ".studies" / ("fast" if asked.fast else "full"))
    columns = SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn()
    with Progress(*columns) as progress:
        task = progress.add_task("", total=len(asked.studies or STUDIES))
        for name in asked.studies or STUDIES:
            tell = partial(_told, progress, task, name)
            tell("begins")
            page = study(name)(Run(fast=asked.fast, data=asked.data, fetch=asked.fetch, store=store, tell=tell))
            page.write(asked.out)
            progress.advance(task)
        progress.update(task, description="done")
    if not asked.fast:
        (asked.out.parent / "errata.md").write_text(errata(asked.out), encoding="utf-8")
    shutil.rmtree(store, ignore_errors=True)
    return 0


def _told(progress: Progress, task: TaskID, name: str, text: str) -> None:
    progress.update(task, description=f"{name}: {text}")


def study(name: str) -> Callable[[Run], Page]:
    """The study of that name: a module here with one function `study`."""
    found: Callable[[Run], Page] = import_module(f"studies.{name}").study
    return found


if __name__ == "__main__":
    sys.exit(main())
