"""A process that asks one gate after another, and prints what it was answered: to be killed, or to run beside others.

Its imports are loaded first, so that a kill hits a gate and not an import.
"""

from __future__ import annotations

import sys

from holdfast.ledger.book import Book


def main(address: str, gates: int, name: str) -> None:
    book = Book(address, wait=300)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    for number in range(gates):
        answer = book.ask(f"{name} {number}", ["c"], name, lambda level: False)
        sys.stdout.write(f"{answer.entry} {int(answer.proven)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
