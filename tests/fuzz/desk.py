"""A folder of files such as people have, and such as nobody should have, for the command lines that are tried on it."""

from __future__ import annotations

import gzip
import hashlib
import os
from pathlib import Path

from tests.cli.test_names import FILES

ESCAPE = "\x1b[31mred\x1b]0;title\x07"
ROWS = b"a,a\nb,a\nb,b\n"
HOSTILE: dict[str, bytes] = {
    "nothing.csv": b"",
    "break.csv": b"\n\n\n",
    "bytes.csv": bytes(range(256)) * 4,
    "nul.csv": b"truth,predicted\na,\0\n\0,a\n",
    "latin.csv": "truth,predicted\né,é\nü,é\n".encode("latin-1"),
    "wide.csv": "truth,predicted\na,b\n".encode("utf-16"),
    "marked.csv": b"\xef\xbb\xbftruth,predicted\r\n" + ROWS.replace(b"\n", b"\r\n"),
    "ragged.csv": b"truth,predicted\na\na,b,c\n\n,\n",
    "open.csv": b'truth,predicted\n"a,b\n',
    "twice.csv": b"truth,truth,predicted,predicted\na,b,a,b\n",
    "unnamed.csv": b",,\na,b,c\n" * 3,
    "escape.csv": f'truth,predicted,"{ESCAPE}",score\n'.encode()
    + f'"{ESCAPE}",a,x,0.1\na,"{ESCAPE}",y,0.9\na,"x\ny",x,0.4\n'.encode() * 5,
    "proto.csv": b"truth,constructor,toString,__proto__\n" + b"a,a,b,b\nb,b,b,a\n" * 9,
    "script.csv": b"truth,predicted\n<script>alert(1)</script>,a\n&amp;,'\"\n" * 4,
    "numbers.csv": b"truth,predicted,score\n1,1.0,0.5\n0,nan,inf\n1e400,-0,-inf\n,,\n" * 4,
    "signs.csv": "truth,predicted\n\u202eabc,a\n\u2028,\u0085\n\U0001f600,\ufeff\n".encode() * 4,
    "alone.csv": b"truth,predicted\n\xed\xa0\x80,a\n",
    "many.csv": b"truth,predicted\n" + b"".join(b"l%d,l%d\n" % (i, i * 7 % 300) for i in range(300)),
    "long.txt": b"x" * 70_000 + b"\n1\n0\n",
    "outcomes.txt": b"1\n0\n0\n1\n0\n" * 6,
    "odd.txt": b'"1"\n1;0\n 1 \n+1\n1e0\n',
    "gates.toml": b"[[condition]]\nmeasure = 'error-rate'\nat_most = 0.9\n",
    "broken.toml": b"[[condition]\nmeasure = \n",
    "deep.toml": b".".join([b"a"] * 500) + b" = 1\n",
    "rows.json": b'[{"truth": "a", "predicted": "b"}, {"truth": 1}, [], null]',
    "nested.json": b"[" * 5000 + b"]" * 5000,
    "rows.ndjson": b'{"truth": "a", "predicted": "a"}\n{"truth": {"a": 1}, "predicted": "a"}\nnull\n',
    "cut.csv.gz": gzip.compress(b"truth,predicted\n" + ROWS * 99, mtime=0)[:-9],
    "rows.csv.gz": gzip.compress(b"truth,predicted\n" + ROWS * 9, mtime=0),
    "torn.parquet": b"PAR1" + b"\0" * 40 + b"PAR1",
    "torn.arrow": b"ARROW1\0\0" + b"\xff" * 60,
    "report.json": b'{"schema": "holdfast/report/1", "provenance": {"version": "<b>"}, "claims": [], "notes": 1e999}',
    "nan.json": b'{"schema": "holdfast/report/1", "provenance": {"version": NaN}, "claims": [-Infinity]}',
    "keys.json": b'{"schema": "holdfast/decision/1", "schema": 1, "\x1b[31m": {}, "claims": "<script>"}',
    "digits.json": b'{"schema": "holdfast/look/1", "n": ' + b"9" * 5000 + b"}",
    "lines.json": b'{"schema": "holdfast/duel/1"}\n{"schema": "holdfast/look/1"}\n',
    "state.json": b'{"holdfast": "monitor", "version": 1}',
    "file.db": b"SQLite format 3\0" + b"\0" * 84,
    "code.py": b"raise SystemExit('this was executed')\n",
}
NAMES = (*FILES, *HOSTILE)
ODD_NAMES = (
    ".",
    "..",
    "./",  # and not the root: who searches all folders there, takes as long as the machine has files
    "/dev/null",
    "nowhere.csv",
    "",
    " ",
    "~",
    "a\0b",
    "*.csv",
    "**",
    "[",
    "\x1b[31m.csv",
    "-",
    "-x",
)


def lay(folder: Path) -> None:
    """Put every file where it belongs."""
    for name, text in FILES.items():
        (folder / name).write_bytes(text.encode())
    for name, content in HOSTILE.items():
        (folder / name).write_bytes(content)


def state(folder: Path) -> dict[str, str]:
    """Every file below the folder, with what it holds."""
    return {
        os.fspath(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
