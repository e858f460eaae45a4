"""Every Python that may install the package can run it, as far as reading the code tells: no name that went away."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
MODULES = (  # gone since 3.12, and since 3.13
    *("asynchat", "asyncore", "distutils", "imp", "smtpd"),
    *("aifc", "audioop", "cgi", "cgitb", "chunk", "crypt", "imghdr", "lib2to3", "mailcap", "msilib", "nis", "nntplib"),
    *("ossaudiodev", "pipes", "sndhdr", "spwd", "sunau", "telnetlib", "uu", "xdrlib"),
)
NAMES = (  # gone since 3.12 to 3.14, or warned of there, which is an error in the tests
    *("ast.Num", "ast.Str", "ast.Bytes", "ast.NameConstant", "ast.Ellipsis", "assertEquals"),
    *("datetime.utcnow", "datetime.utcfromtimestamp", "importlib.abc.Traversable", "importlib.abc.ResourceReader"),
    *(
        "locale.getdefaultlocale",
        "locale.resetlocale",
        "pkgutil.find_loader",
        "pkgutil.get_loader",
        "pkgutil.ImpImporter",
    ),
    *("re.template", "shutil.ExecError", "typing.io", "typing.re", "typing.ByteString"),
    *("asyncio.get_child_watcher", "asyncio.set_child_watcher", "collections.abc.ByteString", "unittest.makeSuite"),
    *("webbrowser.MacOSX", "pty.master_open", "sqlite3.version"),
)
GONE = re.compile(
    rf"^\s*(?:import|from)\s+(?:{'|'.join(MODULES)})\b|\b(?:{'|'.join(map(re.escape, NAMES))})\b", re.MULTILINE
)


def test_no_name_is_used_that_a_newer_python_has_lost() -> None:
    files = [path for folder in ("src", "studies", "docs", "benchmarks") for path in (ROOT / folder).rglob("*.py")]
    assert len(files) > 300
    found = {path.name: GONE.findall(path.read_text(encoding="utf-8")) for path in files}
    assert {name: names for name, names in found.items() if names} == {}


def test_the_search_finds_what_it_looks_for() -> None:
    assert GONE.search("    import distutils.util\n")
    assert GONE.search("now = datetime.utcnow()")
    assert not GONE.search("import importlib\n# imp, and an import of chunks\n")


def test_the_linter_reads_the_code_as_the_lowest_python_does() -> None:
    lowest = PROJECT["project"]["requires-python"].removeprefix(">=")
    assert PROJECT["tool"]["ruff"]["target-version"] == "py" + lowest.replace(".", "")
    assert f"Programming Language :: Python :: {lowest}" in PROJECT["project"]["classifiers"]
