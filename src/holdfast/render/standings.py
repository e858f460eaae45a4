"""Who stands where in a comparison: its models and pairs in one shape, whatever it was that compared them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from holdfast.claims import Claim, Guarantee

if TYPE_CHECKING:
    from holdfast.report import Line, Report

OPEN = ("not settled", "no difference")


class Pair(NamedTuple):
    """Two models, what is said of the first, and the claims about its difference from the second."""

    first: str
    second: str
    outcome: str
    p: float  # adjusted for all pairs
    claims: list[Claim]  # that of the deciding method first
    won: int | None = None
    lost: int | None = None


class Belief(NamedTuple):
    """Bayes' answer about a pair: the chances that either is better by more than the rope, and that neither is."""

    first: str
    second: str
    shares: tuple[float | None, float | None, float | None]  # first better, equal, second better
    rope: float


def measure_of(report: Report) -> str:
    """Of which measure the difference decides."""
    return "rank" if "ranks" in report.details else report.verdict.about.measure


def named_measure(report: Report) -> str:
    """That measure in words, and of which class."""
    return "rank" if "ranks" in report.details else report.verdict.about.name


def better_of(report: Report) -> str:
    """Whether higher or lower values of that measure are better."""
    return "lower" if "ranks" in report.details else report.verdict.about.better


def differences_of(report: Report) -> list[Line]:
    """The lines about that difference, by every method, pair by pair; of several classes, of the one that decides."""
    measure = f"{measure_of(report)}-difference"
    lines = [line for line in report.whole if line.measure == measure and line.against is not None]
    return [line for line in lines if line.label == lines[0].label]


def told_line(report: Report) -> Line | None:
    """Of two models, the line whose interval goes with the verdict: by the method that decided, or a guaranteed one."""
    if len(report.details["models"]) > 2 or "ranks" in report.details:
        return None
    lines = differences_of(report)
    decided = [line for line in lines if line.claim.method == report.verdict.rule]
    firm = [line for line in lines if line.claim.guarantee is Guarantee.FINITE]
    return next(iter([*decided, *firm, *lines]), None)


def pairs_of(report: Report) -> list[Pair]:
    """All pairs, in the order of the report."""
    claims: dict[tuple[str | None, str | None], list[Claim]] = {}
    for line in differences_of(report):
        claims.setdefault((line.model, line.against), []).append(line.claim)
    told = report.details["pairs"] if "pairs" in report.details else _pairs_of_tests(report.details["tests"])
    return [
        Pair(
            pair["first"],
            pair["second"],
            pair["outcome"],
            pair["adjusted_p"],
            claims.get((pair["first"], pair["second"]), []),
            pair.get("won"),
            pair.get("lost"),
        )
        for pair in told
    ]


def _pairs_of_tests(tests: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What the deciding test, which tells an outcome, and the counts of another one say of each pair."""
    counts = {(test["first"], test["second"]): test for test in tests if "won" in test}
    deciding = [(test, counts[test["first"], test["second"]]) for test in tests if "outcome" in test]
    return [
        {**test, "adjusted_p": test["adjusted"], "won": counted["won"], "lost": counted["lost"]}
        for test, counted in deciding
    ]


class Tier(NamedTuple):
    """Models of which none is shown to beat another, each beaten by one of the tier before."""

    place: int
    models: list[str]  # the best here first


def tiers_of(report: Report) -> list[Tier]:
    """Of very many models, the tiers they are in, the first tier first; none where every pair is told."""
    found: dict[int, list[str]] = {}
    for row in report.details.get("standing", ()):
        found.setdefault(row["tier"], []).append(row["model"])
    return [Tier(place, found[place]) for place in sorted(found)]


def number_of_pairs(report: Report) -> int:
    """How many pairs there are, told one by one or not."""
    every = report.details.get("all_pairs")
    return int(every["number"]) if every else len(pairs_of(report))


def number_settled(report: Report) -> int:
    """Of how many pairs something is shown."""
    every = report.details.get("all_pairs")
    if every:
        return sum(times for outcome, times in every["outcomes"].items() if outcome not in OPEN)
    return sum(pair.outcome not in OPEN for pair in pairs_of(report))


def best_first(report: Report) -> list[str]:
    """The models by how well they did here, which is no verdict."""
    details = report.details
    if "standing" in details:
        return [row["model"] for row in details["standing"]]
    if "ranks" in details:
        values = dict(details["ranks"])
    elif "folds" in details:
        way = 1 if details["folds"]["better"] == "lower" else -1
        values = {model: way * mean for model, mean in details["folds"]["means"].items()}
    else:
        values = _standing(report)
    return sorted(details["models"], key=lambda model: (values[model] is None, values[model] or 0.0))


def _standing(report: Report) -> dict[str, Any]:
    """Of each model, how much worse than the others it was: by its own line, or by its differences from them."""
    models: list[str] = report.details["models"]
    own = {line.model: line.claim.estimate for line in own_lines(report) if line.measure == measure_of(report)}
    if own:
        return {model: own.get(model) for model in models}
    worse, way = dict.fromkeys(models, 0.0), 1 if better_of(report) == "lower" else -1
    for pair, claims in ((pair, pair.claims) for pair in pairs_of(report) if pair.claims):
        gap = way * float(claims[0].estimate or 0.0)
        worse[pair.first] += gap
        worse[pair.second] -= gap
    return worse


def own_lines(report: Report) -> list[Line]:
    """What is claimed of each model by itself."""
    return [line for line in report.whole if line.against is None and line.model is not None]


def delta_of(report: Report) -> float:
    """The chance that the verdict is wrong."""
    details = report.details
    told = details.get("simultaneous") or details.get("critical_difference")
    return float(told["delta"] if told else differences_of(report)[0].claim.delta)


def firmness(report: Report) -> Guarantee:
    """How firmly the verdict holds: as the method or the test does that decided."""
    methods = {line.claim.method: line.claim.guarantee for line in differences_of(report)}
    if report.verdict.rule in methods:
        return methods[report.verdict.rule]
    return Guarantee(deciding_test(report)["guarantee"])


def deciding_test(report: Report) -> Mapping[str, Any]:
    """The test of no difference whose p-values the pairs have."""
    if "test" in report.details:
        told: Mapping[str, Any] = report.details["test"]
        return told
    return next(test for test in tests_of(report) if "first" in test)  # the deciding one comes first


def tests_of(report: Report) -> list[Mapping[str, Any]]:
    """Every test that was made: of all models at once, and of each pair, then with its names."""
    pairs = report.details.get("pairs", ())
    of_pairs = [{"first": p["first"], "second": p["second"], **test} for p in pairs for test in p.get("tests", ())]
    return [*report.details.get("tests", ()), *of_pairs]


def beliefs_of(report: Report) -> list[Belief]:
    """Bayes' answer about each pair, where it was asked for."""
    names = ("first_better", "equivalent", "second_better")
    found = [Belief(row["first"], row["second"], _three(row, names), row["rope"]) for row in _practical(report)]
    names = ("first", "equal", "second") if better_of(report) == "lower" else ("second", "equal", "first")
    for pair in report.details.get("pairs", ()):
        if told := pair.get("posterior"):  # of smaller and larger results, whichever is better
            found.append(Belief(pair["first"], pair["second"], _three(told, names), told["rope"]))
    return found


def _practical(report: Report) -> Sequence[Mapping[str, Any]]:
    return report.details.get("practical") or ()


def _three(told: Mapping[str, Any], names: tuple[str, str, str]) -> tuple[float | None, float | None, float | None]:
    first, equal, second = (told[name] for name in names)
    return first, equal, second
