"""The rows that a ledger commits to: by hashes that only the holder of the key can tell from chance."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b, sha256
from pathlib import Path

from holdfast.errors import HoldfastError
from holdfast.files import write_secret
from holdfast.wording import counted, quoted, some

SIZE = 16  # bytes of a hash, of which two that differ are alike never
KEY_SIZE = 32


@dataclass(frozen=True, eq=False)
class Key:
    """A secret that makes hashes of rows: without it nobody can try out labels."""

    secret: bytes

    @property
    def mark(self) -> str:
        """What tells that it is this key, and says nothing of it."""
        return self.hash(b"mark").hex()

    def hash(self, kind: bytes, *parts: str) -> bytes:
        """The hash of some texts, of one kind."""
        digest = blake2b(key=self.secret, digest_size=SIZE, person=b"holdfast " + kind[:7])
        for part in parts:
            coded = part.encode("utf-8", "surrogatepass")
            digest.update(len(coded).to_bytes(8, "little") + coded)
        return digest.digest()

    def place(self, id_: str) -> bytes:
        """Which row it is."""
        return self.hash(b"id", id_)

    def row(self, id_: str, truth: str | None) -> bytes:
        """The row with its label; one without a label is like no other."""
        return self.hash(b"row", id_, "" if truth is None else f"={truth}")


Rows = Mapping[bytes, bytes]  # by the hash of its id, the hash of each row


@dataclass(frozen=True)
class Overlap:
    """How rows at hand compare with those committed to, by their ids alone."""

    same: int
    missing: int  # committed, and not at hand
    more: int  # at hand, and not committed
    twice: int  # at hand again

    @property
    def exact(self) -> bool:
        return not (self.missing or self.more or self.twice)

    def __str__(self) -> str:
        told = [f"{counted(self.same, 'row')} of them {'is' if self.same == 1 else 'are'} there"]
        told += [f"{counted(self.missing, 'row')} missing"] * bool(self.missing)
        told += [f"{counted(self.more, 'row')} more that it does not know"] * bool(self.more)
        told += [f"{counted(self.twice, 'row')} that come again"] * bool(self.twice)
        return ", ".join(told)


def committed(key: Key, ids: Sequence[str], truths: Sequence[str | None]) -> dict[bytes, bytes]:
    """The rows to commit to; each is known by its id, and has a label."""
    if not ids:
        raise HoldfastError("There are no rows to commit to.")
    if empty := sum(truth is None for truth in truths):
        raise HoldfastError(
            f"{counted(empty, 'row')} of {len(ids):,} without a label: a ledger commits to labelled rows."
        )
    rows = {key.place(id_): key.row(id_, truth) for id_, truth in zip(ids, truths, strict=True)}
    if len(rows) < len(ids):
        seen: set[str] = set()
        again = [id_ for id_ in ids if id_ in seen or seen.add(id_)]  # type: ignore[func-returns-value]
        raise HoldfastError(
            f"{counted(len(again), 'row')} with an id that came before, such as {some(list(dict.fromkeys(again)))}; "
            "each row needs one of its own."
        )
    return rows


def root_of(rows: Rows) -> str:
    """One fingerprint of all rows, whatever their order."""
    digest = sha256(b"holdfast ledger rows 1\n")
    for place in sorted(rows):
        digest.update(place + rows[place])
    return digest.hexdigest()


def overlap(key: Key, rows: Rows, ids: Iterable[str]) -> Overlap:
    """How many rows are the committed ones, by their ids alone."""
    places = [key.place(id_) for id_ in ids]
    known = {*places}
    same = len(known & rows.keys())
    return Overlap(same, len(rows) - same, len(known) - same, len(places) - len(known))


def changed(key: Key, rows: Rows, ids: Sequence[str], truths: Sequence[str | None]) -> int:
    """Of the committed rows that are there, how many have another label: for the holder of the key alone."""
    pairs = zip(ids, truths, strict=True)
    return sum(rows.get(key.place(id_), own) != own for id_, truth in pairs for own in [key.row(id_, truth)])


def fingerprint(columns: Mapping[str, Sequence[object]]) -> str:
    """One number for predictions, whatever the order of rows; no truth goes into it."""
    names = sorted(columns)
    digest = sha256(b"holdfast ledger predictions 1\n")
    rows = sorted("\x1f".join(map(repr, row)) for row in zip(*(columns[name] for name in names), strict=True))
    for text in (*names, *rows):
        coded = text.encode("utf-8", "surrogatepass")
        digest.update(len(coded).to_bytes(8, "little") + coded)
    return digest.hexdigest()


# ---- The file of the key


def key_beside(truth_file: str | os.PathLike[str]) -> Path:
    """Where the key is looked for unless another file is named."""
    return Path(f"{os.fspath(truth_file)}.key")


def read_key(path: str | os.PathLike[str]) -> Key:
    """The key that a file holds."""
    try:
        text = Path(path).read_text(encoding="ascii").strip()
        secret = bytes.fromhex(text)
    except FileNotFoundError:
        raise HoldfastError(
            f"There is no key {quoted(os.fspath(path), 200)}: it was written where the ledger was opened, beside the "
            "labels; name it by key= (--key)."
        ) from None
    except OSError as error:
        raise HoldfastError(f"Cannot read the key {quoted(os.fspath(path), 200)}: {error.strerror}.") from None
    except ValueError:
        secret = b""
    if len(secret) != KEY_SIZE:
        raise HoldfastError(f"{quoted(os.fspath(path), 200)} is no key of a ledger; name it by key= (--key).")
    return Key(secret)


def key_at(path: str | os.PathLike[str]) -> Key:
    """The key of the file, or a new one that only its owner can read."""
    secret = secrets.token_bytes(KEY_SIZE)
    return Key(secret) if write_secret(path, f"{secret.hex()}\n".encode()) else read_key(path)
