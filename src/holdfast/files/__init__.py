"""Files that are written: whole or not at all, by one at a time, and never in place of what is read."""

from holdfast.files.locks import WAIT, holding
from holdfast.files.whole import Identity, append_to, cannot_write, identity, write_secret, write_whole, written

__all__ = [
    "WAIT",
    "Identity",
    "append_to",
    "cannot_write",
    "holding",
    "identity",
    "write_secret",
    "write_whole",
    "written",
]
