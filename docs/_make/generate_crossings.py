"""Write docs/crossings.md, by trying every crossing: `python docs/_make/generate_crossings.py [FILE]`."""

from __future__ import annotations

import sys
from pathlib import Path

from crossings import BASES, MODIFIERS, SENSELESS, Trial, trials

DOCS = Path(__file__).parents[1]
HEAD = """<!-- Written by docs/_make/generate_crossings.py, which tries every command; do not edit. -->
# What goes with what

Users' problems come combined: clustered *and* grouped *and* scored *and* weighted. Every verb was tried with every
modifier, and three verbs with every pair of seven or eight, on 200 rows. **{works} of {number} crossings of one verb
and one modifier are answered**, and {pairs} of {all_pairs} pairs. What is not says why, below.

● answered; ○ refused, with the reason; a blank makes no sense for this verb, and says so where it is asked.

"""


def main() -> None:
    made = trials()
    single = {(each.verb, each.modifiers[0]): each for each in made if len(each.modifiers) == 1}
    pairs = [each for each in made if len(each.modifiers) == 2]
    counts = {"works": sum(each.works for each in single.values()), "number": len(single)}
    counts |= {"pairs": sum(each.works for each in pairs), "all_pairs": len(pairs)}
    lines = [HEAD.format(**counts), f"| | {' | '.join(MODIFIERS)} |", f"|---|{'---|' * len(MODIFIERS)}"]
    lines += [f"| **{verb}** | {' | '.join(_mark(single, verb, each) for each in MODIFIERS)} |" for verb in BASES]
    lines += ["", "## What is refused, and why", ""]
    lines += [_told(each) for each in made if not each.works]
    lines += ["", "## What makes no sense", ""]
    lines += [f"- **{verb}**, {modifier}: {reason}." for (verb, modifier), reason in SENSELESS.items()]
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else DOCS / "crossings.md"
    target.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _mark(single: dict[tuple[str, str], Trial], verb: str, modifier: str) -> str:
    if (verb, modifier) in SENSELESS:
        return ""
    return "●" if single[verb, modifier].works else "○"


def _told(trial: Trial) -> str:
    reason = trial.reason.partition(" See holdfast")[0].replace("<", "&lt;").rstrip()
    return f"- **{trial.verb}**, {' with '.join(trial.modifiers)}: {reason}"


if __name__ == "__main__":
    main()
