"""Why a verb does not take an option that others have: which theorem is missing, or why it would make no sense."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from holdfast.errors import HoldfastError

if TYPE_CHECKING:
    import rich_click as click

DESIGN = (
    *("--by", "--cluster", "--max-cluster", "--sampling", "--prevalence", "--weight", "--max-weight", "--inclusion"),
    *("--strata", "--strata-shares"),
)
CREDIT = ("--value", "--range", "--levels")
DRAWN = ("--html", "--chart")
MODIFIERS = (
    *(*DESIGN, *CREDIT, *DRAWN),
    *("--score", "--simultaneous", "--looks", "--sequential", "--margin", "--missing", "--json"),
)
_CLUSTERS_ON_A_STREAM = (
    "a bet is settled once its draw is complete, and rows of a cluster that may still grow are never that. Give one "
    "outcome for each cluster when it is closed"
)
_RATIO_ON_A_STREAM = (
    "a weighted rate is a ratio of two means, and the bets here are on one mean of outcomes whose range is known"
)
_EXAMINED = "it says what a log holds, and claims nothing of the model"
_GRID = "a catalog lists what there is, whatever the data"
_NO_ROWS = "there are no rows yet, of which it could say anything"
_BARE = "counts and losses are bare numbers; `holdfast assess` takes rows, and how they were drawn"
_ONE_LOOK = "whoever trains once looks once: all folds are there when the answer is made"
_ORDER_OF_FOLDS = (
    "limits that hold at every moment need outcomes that come one after the other, and folds test all rows at once"
)
_NO_PICTURE = "it prints a line or two, and there is nothing to draw; --json is for whoever draws"
_ONE_MODEL = "a margin is what two models may differ by, and here there is one. {}"
_TWO_MODELS = _ONE_MODEL.format("`holdfast gate --baseline` and `holdfast compare` take two")
_TWO_LEARNERS = _ONE_MODEL.format("`holdfast compare` takes two")
_SHOWN = "what was written is shown as it is; the command that wrote it takes the option"
_VERIFIED = "a method is tried on samples that are drawn here, one row a draw"
_VOTES = "a vote counts labels, and a score has no say in it; `holdfast compare` and `holdfast assess` take scores"

_EVERY: dict[str, Mapping[tuple[str, ...], str]] = {  # by verb: options, and why it does not take them
    "assess": {
        ("--sequential",): (
            "a report of every measure has limits for one size of the test set, and for most of them, such as f1 and "
            "auc, no limit that holds at every moment is known. `holdfast gate --sequential` and `holdfast monitor` "
            "follow a rate; --looks K allows so many looks"
        ),
        ("--margin",): _TWO_MODELS,
    },
    "gate": {},
    "compare": {},
    "threshold": {
        ("--sequential",): (
            "which threshold is chosen changes with every look, and no limit is known that holds at every moment for a "
            "threshold chosen anew; --looks K allows so many looks"
        ),
        ("--margin",): "the limit itself is what is asked for, by --sensitivity-at-least and the like",
        CREDIT: "a threshold tells two classes apart: an answer is then right or wrong",
    },
    "panel": {
        ("--sequential",): (
            "its limits are for many models on one set of examples, and none of them is known to hold at every moment; "
            "`holdfast compare --sequential` follows two"
        ),
        ("--margin",): (
            "which models may be the best is told without one; `holdfast compare --margin` tells pairs apart by a "
            "margin"
        ),
        ("--score",): _VOTES.replace("a vote counts labels", "it counts errors of labels"),
        CREDIT: (
            "what unlabelled inputs prove, and how far models lie apart, rests on answers that are right or wrong; "
            "`holdfast compare --value` takes partial credit"
        ),
    },
    "committee": {
        ("--sequential",): (
            "its limits are for one set of examples, and none of them is known to hold at every moment; follow the "
            "votes themselves by `holdfast monitor`"
        ),
        ("--margin",): "there is one vote, and nothing that it could differ from; `holdfast compare` takes two models",
        ("--score",): _VOTES,
        CREDIT: "a vote elects one label, which is right or wrong: there is no partial credit to count",
    },
    "cross-assess": {
        ("--sequential",): _ORDER_OF_FOLDS,
        ("--looks",): _ONE_LOOK,
        ("--margin",): _TWO_LEARNERS,
        ("--score",): "scores are those that the learner gives, and are looked at where it gives any",
        CREDIT: "a classifier is trained on labels, and its answers are right or wrong",
        ("--cluster", "--max-cluster"): "rows that stay together are named by --group, and the most of them by "
        "--max-group: folds are made so that none is cut in two",
        ("--inclusion", "--strata", "--strata-shares"): (
            "folds are random samples of rows drawn one by one or in groups; of folds of strata, whose shares vary "
            "from fold to fold, no limit is known that holds whatever the learner. Weights are taken, by --weight"
        ),
    },
    "monitor": {
        ("--by",): "a monitor follows one stream; run one for each group, at its part of what may go wrong",
        ("--cluster", "--max-cluster"): _CLUSTERS_ON_A_STREAM,
        ("--weight", "--max-weight", "--inclusion"): _RATIO_ON_A_STREAM,
        ("--sampling", "--prevalence", "--strata", "--strata-shares"): (
            "rows come in their order, and of what strata or classes the next ones are nobody has chosen"
        ),
        ("--score",): "outcomes are followed, not scores; a loss of each score can be, by --losses",
        CREDIT: "partial credit is followed as a loss, by --losses, --low and --high",
        ("--simultaneous",): "it makes one statement, which holds at every moment",
        ("--looks",): "one may always look: the limits hold at every moment",
        ("--sequential",): "it always is: the limits hold at every moment",
        ("--margin",): _ONE_MODEL.format("`compare --sequential` follows two"),
        ("--missing",): (
            "a stream that skips outcomes by what they would have been proves nothing of those that it skips; drop or "
            "repair them before"
        ),
        DRAWN: _NO_PICTURE,
    },
    "plan": {
        (*DESIGN, *CREDIT, "--score", "--missing"): _NO_ROWS,
        ("--simultaneous",): "a plan is for one statement; plan each of several at its part of what may go wrong",
        ("--looks",): "plan at the confidence of a single look: with K looks, what may go wrong is divided by K",
        ("--sequential",): "it is for tests of one size; whoever stops when there is enough needs no plan",
        ("--margin",): "two models are planned for by --wins and --losses, the shares that one alone gets right",
        DRAWN: _NO_PICTURE,
    },
    "bound": {
        (*DESIGN, "--value", "--score", "--missing"): _BARE,
        ("--range",): "the range of losses is given by --low and --high",
        ("--simultaneous",): "it makes one statement; with several, divide what may go wrong by their number",
        ("--looks",): "with K looks, divide what may go wrong by K, by --confidence",
        ("--sequential",): "name a method that holds at every moment, such as --method beta-binomial",
        ("--margin",): _TWO_MODELS,
        DRAWN: _NO_PICTURE,
    },
    "verify": {
        (*DESIGN, *CREDIT, "--score", "--missing", "--margin"): _VERIFIED,
        ("--simultaneous", "--looks", "--sequential"): "it tries one promise at a time, that of the method",
        ("--html",): "it prints what was tried; --chart draws it",
    },
    "ledger": {
        tuple(each for each in MODIFIERS if each not in (*DRAWN, "--json")): (
            "it tells what was asked of a test set, and asks nothing of the rows; the gate that asks takes the option"
        )
    },
    "doctor": {tuple(each for each in MODIFIERS if each != "--json"): _EXAMINED},
    "show": {tuple(each for each in MODIFIERS if each not in (*DRAWN, "--json")): _SHOWN},
    **{name: {tuple(each for each in MODIFIERS if each != "--json"): _GRID} for name in ("methods", "measures")},
}
_TRAINED = {
    ("--sequential",): _ORDER_OF_FOLDS,
    ("--looks",): _ONE_LOOK,
    ("--margin",): _TWO_LEARNERS,
    ("--score",): "scores are those that the learner gives",
    CREDIT: "a classifier is trained on labels, and its answers are right or wrong",
}
_EVERY["decompose"] = {
    **_TRAINED,
    DESIGN: (
        "bias and variance of a loss are averages over training sets, made of rows that are drawn one by one; of "
        "training sets that are drawn otherwise the decomposition is not known"
    ),
    ("--simultaneous",): "its parts add up to one loss, which is all that is claimed",
}
_EVERY["learning-curve"] = {
    **_TRAINED,
    DESIGN: (
        "each point of the curve is a hold-out of rows that are drawn one by one; `holdfast cross-assess` takes "
        "groups and weights"
    ),
    ("--simultaneous",): "each point is claimed on its own; divide what may go wrong by their number",
}


def reason(verb: str | None, option: str) -> str | None:
    """Why the verb does not take the option, if another verb does."""
    reasons = _EVERY.get(verb or "", {})
    return next((why for options, why in reasons.items() if option in options), None)


# ---- What goes with only one way to compare

FILES = ("files", "models", "separator", "confidence", "as_json")  # what every way to compare takes
TAKES = {
    "--datasets": ("datasets", "model", "score", "better", "missing", "only", "margin", "seed", "page", "charts"),
    "--folds": ("folds", "model", "score", "better", "only", "margin", "method", "page", "charts"),
    "--sequential": (
        "sequential",
        "growing",
        "as_new",
        "state",
        "wait",
        "id_",
        "losses",
        "weight",
        "max_weight",
        "truth",
        "labels",
        "pass_fail",
        "margin",
        "missing",
        "every",
        "page",
        "charts",
    ),
}
UNREQUIRED = {
    "--datasets": "examples drawn at random would prove it, and data sets seldom are; leave it out.",
    "--folds": "folds share training examples, so that nothing is proven by them; leave it out.",
    "--sequential": "a stream exits by its verdict, 0 if the first model is better, 1 if the second is, 3 while it is "
    "open; with --margin not inferior and equivalent exit with 0 too. Leave it out.",
}
UNFIXED = "and a stream that may stop anywhere fixes no such number. Compare once, without --sequential."
# Why a stream does not take an option: what mathematics says, and what to do instead.
NOT_ON_STREAMS = {
    "cluster": "rows of a cluster depend on each other, and a bet is settled only once its cluster is whole. Give a "
    "row per cluster: the mean loss of each model in it, by --losses 0,1, and how many rows it holds by --weight, with "
    "the most that one can as --max-weight; without weights each cluster counts once.",
    "max_cluster": "a stream takes a row per cluster: the mean loss of each model in it, by --losses 0,1, and how many "
    "rows it holds by --weight, with the most that one can as --max-weight.",
    "inclusion": "a row counts for one over its chance: give that in a column, by --weight, and the most by "
    "--max-weight.",
    "strata": f"known shares are undone by how many rows were drawn of each stratum, {UNFIXED}",
    "strata_shares": f"known shares are undone by how many rows were drawn of each stratum, {UNFIXED}",
    "sampling": f"how frequent classes are is undone by how many rows were drawn of each, {UNFIXED}",
    "prevalence": f"how frequent classes are is undone by how many rows were drawn of each, {UNFIXED}",
    "by": "every group is a stream of its own. Follow the rows of each with a --state of its own, at a --confidence "
    "that gives each an equal part of what may go wrong if all are to hold together.",
    "simultaneous": "a stream has one claim, which holds at all times. Several streams hold together if each has an "
    "equal part of what may go wrong, by --confidence.",
    "looks": "a stream may be looked at as often as one likes. Leave it out.",
    "score": "what is read off scores ranks rows against each other, and a bet is on one row at a time. Give columns "
    "of what each probability lost, by --losses LOW,HIGH; compare AUC without --sequential, with --looks.",
    "only": "a bet is on what one row adds: on right and wrong, or on a loss, by --losses LOW,HIGH. Compare other "
    "measures without --sequential, with --looks.",
    "value": "a stream is told what answers lose. Give what each falls short by, with --losses LOW,HIGH.",
    "unpaired": "a bet is on two answers to the same row, and rows of one model alone have none. Compare without "
    "--sequential.",
}


def refuse_idle(stated: Sequence[click.Parameter]) -> None:
    """Refuse options that the chosen way to compare cannot honour."""
    names = {option.name for option in stated}
    for way, takes in TAKES.items():
        if way.removeprefix("--") in names:
            for option in stated:
                if option.name == "fail_unless":
                    raise HoldfastError(f"--fail-unless cannot be asked beside {way}: {UNREQUIRED[way]}")
                if way == "--sequential" and (why := NOT_ON_STREAMS.get(option.name or "")) is not None:
                    raise HoldfastError(f"{option.opts[0]} cannot be asked beside --sequential: {why}")
                if option.name not in (*FILES, *takes):
                    raise HoldfastError(f"{option.opts[0]} says nothing beside {way}; leave it out.")
            return
    for option in stated:
        if option.name in ("growing", "as_new", "state", "wait", "losses", "every", "better"):
            beside = "--datasets or --folds" if option.name == "better" else "--sequential"
            raise HoldfastError(f"{option.opts[0]} says something only beside {beside}.")
