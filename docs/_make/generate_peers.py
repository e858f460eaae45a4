"""Write docs/peers.md from what the benchmarks printed: `python docs/_make/generate_peers.py [FILE]`."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import NamedTuple

DOCS = Path(__file__).parents[1]
RESULTS = DOCS.parent / "benchmarks" / "results"
TITLES = {
    "agreement": "Which of many models answer alike",
    "auc": "The area under the curve, with its interval",
    "betting": "A betting interval",
    "bootstrap": "The bootstrap of a table",
    "clopper_pearson": "A million exact intervals",
    "compare": "All pairs of many models",
    "coverage_curves": "Coverage curves",
    "designs": "Clusters, weights and groups at once",
    "groups": "A hundred thousand groups",
    "inference": "The error of a vote, from unlabelled inputs",
    "learners": "The set covering machine",
    "page": "From a report to its page",
    "report": "Ten million rows to a whole report",
    "small": "Small files",
    "squares": "Limits into which no order enters",
    "startup": "Start-up",
    "tightness": "How tight the limits are",
    "training": "Cross-validation",
    "widths": "How wide the intervals are that answer",
}


class Headline(NamedTuple):
    """One line of the table: what was done, beside whom, and where its ratio stands in the raw output."""

    result: str
    job: str
    peer: str
    ratio: str  # a pattern; its group is how many times as long the peer takes
    inverse: bool = False  # or how many times as long we take


HEADLINES = (
    Headline("report", "10,000,000 rows with text labels to a whole report", "pandas and scikit-learn, numbers without "
             "intervals", r"with text labels, (\d+) times as long"),
    Headline("report", "the same with integer codes", "pandas and scikit-learn", r"integer codes (\d+) times as long"),
    Headline("bootstrap", "10,000 resamples of four measures, 100,000 rows, 2 classes", "`scipy.stats.bootstrap` of "
             "scikit-learn's functions", r"scikit-learn's functions +\d+ +ratio +([\d,]+)x"),
    Headline("bootstrap", "the same", "`scipy.stats.bootstrap` of counts by `bincount`",
             r"by bincount +\d+ +ratio +([\d,]+)x"),
    Headline("auc", "AUC of 10,000,000 scores, with DeLong's interval", "`roc_auc_score`, the bare number",
             r"probabilities +10000000 .* (\d+\.\d) +\S+ +\S+$"),
    Headline("auc", "2,000 bootstrap resamples of an AUC, n = 100,000", "a loop over `roc_auc_score`",
             r"^probabilities +[\d.]+ +[\d.]+ +(\d+) "),
    Headline("clopper_pearson", "1,000,000 exact intervals", "`scipy.special`", r"^scipy.special +[\d.]+ +([\d.]+)"),
    Headline("clopper_pearson", "the same", "statsmodels", r"^statsmodels +[\d.]+ +([\d.]+)"),
    Headline("betting", "a betting interval of 10,000 losses", "a grid of 1,001 means, as confseq has it",
             r"^ +10000 .* (\d+)x"),
    Headline("coverage_curves", "coverage curves: 191 sizes, 1,000 rates, 3 methods", "loops over `binom.pmf`",
             r"ratio +(\d+)"),
    Headline("agreement",
             "disagreements of all 1,999,000 pairs of 2,000 models, two labels, from a table with a column for each",
             "`pairwise_distances` of scikit-learn", r"by input, pairwise_distances .* and (\d+) times as long"),
    Headline("agreement", "the same from an array with a row for each", "the same",
             r"by model, pairwise_distances .* and (\d+) times as long"),
    Headline("agreement", "the same where every answer is the toss of a coin", "the same",
             r"coins: .*\n.*\n *by model, pairwise_distances .* and (\d+) times as long"),
    Headline("compare", "disagreements of 1,225 pairs on 1,000,000 items", "a loop over pairs",
             r"loop over pairs.*; (\d+) times as long"),
    Headline("training", "ten folds of 50,000 rows with 2 workers, logistic regression",
             "`cross_validate` of scikit-learn",
             r"LogisticRegression[\s\S]*?times cross_validate, 2 workers +[\d.]+ +([\d.]+)", inverse=True),
    Headline("training", "the same with naive Bayes", "the same",
             r"GaussianNB[\s\S]*?times cross_validate, 2 workers +[\d.]+ +([\d.]+)", inverse=True),
    Headline("training", "the same with 1 worker", "`cross_val_predict`, which only predicts",
             r"GaussianNB[\s\S]*?times cross_val_predict, 1 worker +[\d.]+ +([\d.]+)", inverse=True),
)  # fmt: skip

INTRODUCTION = """\
# Beside other tools

Generated from the README and `benchmarks/results/` by `make docs`; do not edit. `make bench` measures it all again, on
your machine. Where other tools give wrong answers is [another page](other-tools.md)."""

DIFFERENCES = """\
"Inside" means used within another procedure, not offered by itself. For 0 errors in 100 the default calls of
Holdfast and scipy give an upper limit of 0.0362 and that of statsmodels 0, because its default is the normal
approximation; `method="beta"` gives the exact interval. At ordinary sizes the exact limits of all three agree
to many digits; at 3 errors in 10^12 the lower limit of scipy's `binomtest` is 0 where 6.2e-13 is right. (Run
with scipy 1.17.1 and statsmodels 0.15.0; the rest of the table is from a survey of the tools.) If all you
need is one exact interval in Python, scipy is enough. Quantiles and many kinds of intervals that hold while data
keep arriving are what confseq is for, prediction sets for single examples what MAPIE is for."""

COSTS = """\
## What it costs

Every ratio was measured within one run, on the same data: it says how many times as long the other one takes. Where it
gives less, such as a number without an interval, the line says so. What would have taken hours was scaled up from a
part of it; the raw outputs, which stand below, say where."""


def page() -> str:
    """The whole page."""
    outputs = {file.stem: file.read_text(encoding="utf-8") for file in sorted(RESULTS.glob("*.txt"))}
    rows = [f"| {line.job} | {line.peer} | **{found(line, outputs)}** |" for line in HEADLINES]
    table = "\n".join(["| job | beside | times as long |", "|---|---|--:|", *rows])
    machine = max((text.partition("\n")[0] for text in outputs.values()), key=len)
    costs = [COSTS, f"Measured with {machine}.", table, "## The raw outputs"]
    return "\n\n".join([INTRODUCTION, _abilities(), *costs, *map(_section, outputs.items())]) + "\n"


def _abilities() -> str:
    """The README's table of what each tool can do, and what it does not say."""
    readme = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    section = re.search(r"^## Beside other tools\n\n(.*?\|)\n\n", readme, re.MULTILINE | re.DOTALL)
    if section is None:
        raise SystemExit("README.md has no section `Beside other tools` with a table.")
    return f"## What each does\n\n{section[1]}\n\n{DIFFERENCES}"


def found(line: Headline, outputs: dict[str, str]) -> str:
    """The ratio as it was printed; the first one, where there are several."""
    match = re.search(line.ratio, outputs[line.result], re.MULTILINE)
    if match is None:
        raise SystemExit(f"benchmarks/results/{line.result}.txt does not say how {line.peer} did at: {line.job}.")
    if line.inverse:
        return f"{1 / float(match[1]):.2g}"
    return f"{int(match[1]):,}" if match[1].isdigit() else match[1]


def _section(output: tuple[str, str]) -> str:
    name, text = output
    body = text.partition("\n")[2].strip("\n")
    title = TITLES.get(name, name.replace("_", " ").capitalize())
    return f"### {title}\n\nWhat `benchmarks/{name}.py` printed:\n\n```text\n{body}\n```"


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else DOCS / "peers.md"
    target.write_text(page(), encoding="utf-8")
