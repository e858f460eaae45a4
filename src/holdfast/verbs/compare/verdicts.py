"""From p-values and intervals to a verdict in words: one rule, which every verdict names.

Without a margin a test of no difference decides; with one, where the interval of the difference lies. An undecided
verdict says "not settled", "no difference" or "equivalent", and a decided one none of these.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from holdfast.claims import Claim
from holdfast.evidence import Array, Integers
from holdfast.report.verdict import ERRORS, OUTCOMES, Outcome, Subject, Verdict, spoken

MOST_NAMED = 5  # models of a sentence
SMALLEST = 1e-300  # p-value that is written out
CODE: dict[Outcome, int] = {outcome: code for code, outcome in enumerate(OUTCOMES)}


def tested(worse: Array, p: Array, delta: float, same: Array) -> Integers:
    """What a test says of each pair, as the place in `OUTCOMES`; see `by_test`."""
    decided = (p <= delta) & (worse != 0)
    return _coded((same, "no difference"), (decided & (worse < 0), "better"), (decided, "worse"))


def located(lower: Array, upper: Array, margin: float) -> Integers:
    """What the interval of how much worse the first of each pair is says of it, as the place in `OUTCOMES`."""
    return _coded(
        ((-margin < lower) & (upper < margin), "equivalent"),
        (upper < 0, "better"),
        (lower > 0, "worse"),
        ((margin > 0) & (upper < margin), "not inferior"),
        ((margin > 0) & (lower > -margin), "not superior"),
    )


def _coded(*says: tuple[Array, Outcome]) -> Integers:
    """The first that is so of each pair; where none is, it is not settled."""
    conditions, outcomes = zip(*says, strict=True)
    codes = [np.int8(CODE[outcome]) for outcome in outcomes]
    return np.select([np.asarray(each) for each in conditions], codes, np.int8(CODE["not settled"]))


def by_test(
    first: str, second: str, worse: float, p: float, delta: float, rule: str, same: bool, about: Subject = ERRORS
) -> Verdict:
    """Whether two models differ at all.

    Parameters
    ----------
    worse
        By how much the first was the worse one here: of error rates, and of whatever is better lower, first minus
        second.
    same
        Whether no example tells the two apart.

    Examples
    --------
    >>> print(by_test("alpha", "beta", -0.02, 0.003, 0.05, "mcnemar-exact", same=False))
    alpha is better than beta: it errs less often (p = 0.003).
    """
    if same:
        return not_parted(first, second, rule, about=about)
    pair = (first, second)
    first, second = spoken(pair)
    how = p_in_words(p, delta) + (f" by {rule}{about.proviso}" if about.proviso else "")
    outcome = OUTCOMES[int(tested(np.asarray(worse), np.asarray(p), delta, np.asarray(same)))]
    if outcome == "not settled":
        sentence = f"Which of {first} and {second} is better{about.inside} is not settled ({how})."
    else:
        better, other = (first, second) if outcome == "better" else (second, first)
        sentence = f"{better} is better than {other}: {about.because} ({how})."
    return Verdict(sentence, outcome=outcome, rule=rule, models=pair, about=about)


def not_parted(first: str, second: str, rule: str, margin: float = 0.0, about: Subject = ERRORS) -> Verdict:
    """Of two models that no example tells apart."""
    sentence = f"{' and '.join(spoken((first, second)))}: no difference seen, for no example tells them apart (p = 1)."
    return Verdict(sentence, outcome="no difference", rule=rule, margin=margin, models=(first, second), about=about)


def by_interval(first: str, second: str, claim: Claim, margin: float, about: Subject = ERRORS) -> Verdict:
    """Where the interval of the difference lies, against zero and a margin on either side of it.

    Examples
    --------
    >>> from holdfast.bounds.paired import paired_fisher
    >>> from holdfast.evidence.pairs.paired import Paired
    >>> print(by_interval("new", "old", paired_fisher(Paired(10, 11, 4000)), 0.01))
    new and old are equivalent within the margin of 0.01.
    """
    lower, upper = float(claim.lower), float(claim.upper)
    if about.better == "higher":
        lower, upper = -upper, -lower  # from here on, how much worse the first is
    pair = (first, second)
    first, second = spoken(pair)
    outcome = OUTCOMES[int(located(np.asarray(lower), np.asarray(upper), margin))]
    beyond = f"{about.inside} by {margin:g} or more"
    sentences: dict[Outcome, str] = {
        "equivalent": f"{first} and {second} are equivalent{about.inside} within the margin of {margin:g}",
        "better": f"{first} is better than {second}: {about.because}",
        "worse": f"{second} is better than {first}: {about.because}",
        "not inferior": f"{first} is not worse than {second}{beyond}",
        "not superior": f"{second} is not worse than {first}{beyond}",
        "not settled": f"Whether {first} is worse than {second}{beyond} is not settled"
        if margin
        else f"Which of {first} and {second} is better{about.inside} is not settled",
    }
    why = f" (the interval is that of {claim.method}{about.proviso})" if about.proviso else ""
    sentence = f"{sentences[outcome]}{why}."
    return Verdict(sentence, outcome=outcome, rule=claim.method, margin=margin, models=pair, about=about)


def of_many(models: Sequence[str], may_be_best: Sequence[str], pairs: Sequence[Verdict], rule: str) -> Verdict:
    """Which of many models is the best, as far as the data tell.

    Of `pairs` it only matters which outcomes there are, among the models that may be the best and among all.
    """
    margin, about = (pairs[0].margin, pairs[0].about) if pairs else (0.0, ERRORS)
    names = dict(zip(models, spoken(models), strict=True))
    foremost = [names[model] for model in may_be_best]
    by = f" (by {rule}{about.proviso})." if about.proviso else "."

    def verdict(sentence: str, outcome: Outcome) -> Verdict:
        return Verdict(sentence, outcome=outcome, rule=rule, margin=margin, models=may_be_best, about=about)

    if pairs and all(pair.outcome == "no difference" for pair in pairs):
        return verdict(f"no difference seen among {len(models)} models: no example tells them apart.", "no difference")
    within = f"equivalent{about.inside} within the margin of {margin:g}"
    if pairs and all(pair.outcome == "equivalent" for pair in pairs):
        return verdict(f"All {len(models)} models are {within}{by}", "equivalent")
    if len(may_be_best) == 1:
        sentence = f"{foremost[0]} is the best of the {len(models)} models{about.inside}: each other one is beaten{by}"
        return verdict(sentence, "better")
    if {pair.outcome for pair in pairs if {*pair.models} <= {*may_be_best}} == {"equivalent"}:
        return verdict(f"{_named(foremost, 'and')} are {within}: each other one is beaten{by}", "equivalent")
    which = f"Which of the {len(models)} models is the best{about.inside} is not settled"
    return verdict(f"{which}: it may be {_named(foremost, 'or')}{by}", "not settled")


def unbeaten(models: Sequence[str], pairs: Sequence[Verdict]) -> list[str]:
    """The models that no verdict calls the worse one of a pair, in their order.

    Where the verdicts are of intervals that hold together, the best is among them: it is missing only if one fails.
    """
    beaten = {
        verdict.models[verdict.outcome == "better"] for verdict in pairs if verdict.outcome in ("better", "worse")
    }
    return [name for name in models if name not in beaten]


def may_be_best(beaten: Array, delta: float) -> Array:
    """Which models no other one beats, given the p-value of "the row's model is no better than the column's".

    Each is tested against all others at an equal part of delta. That the true best is dropped takes one of the tests
    in which it is the one to be beaten: with all of them at delta / (M - 1) the chance is at most delta.

    Examples
    --------
    >>> may_be_best(np.array([[1.0, 0.001, 0.2], [1.0, 1.0, 1.0], [0.9, 0.01, 1.0]]), 0.05)
    array([ True, False,  True])
    """
    number = len(beaten)
    others = np.where(np.eye(number, dtype=bool), 1.0, beaten)
    return np.asarray(others.min(axis=0, initial=1.0) > delta / max(number - 1, 1))


def tiers(beats: Array) -> Integers:
    """The tier of each model, from 1 on, given whether the row's model is shown to beat the column's.

    No model of a tier beats another one of it, and each is beaten by one of the tier before.

    Examples
    --------
    >>> tiers(np.array([[0, 0, 1], [0, 0, 0], [0, 0, 0]], bool))
    array([1, 1, 2])
    """
    tier, above, number = np.zeros(len(beats), np.int64), beats.sum(axis=0), 0
    while (last := np.flatnonzero((above == 0) & (tier == 0))).size:
        number += 1
        tier[last] = number
        above = above - beats[last].sum(axis=0)
    return tier


def _named(models: Sequence[str], last: str) -> str:
    """Some models of a sentence, and how many more there are."""
    named, rest = [*models[:MOST_NAMED]], len(models) - MOST_NAMED
    return f"{', '.join(named)} and {rest} more" if rest > 0 else f"{', '.join(named[:-1])} {last} {named[-1]}"


def p_in_words(p: float, delta: float) -> str:
    """A p-value with enough digits to see on which side of delta it is.

    Examples
    --------
    >>> p_in_words(0.0123, 0.05), p_in_words(0.05004, 0.05), p_in_words(5e-324, 0.05)
    ('p = 0.012', 'p = 0.05004', 'p < 1e-300')
    """
    if p < SMALLEST:
        return f"p < {SMALLEST:g}"
    digits = next((text for text in (f"{p:.2g}", f"{p:.6g}") if (float(text) <= delta) == (p <= delta)), repr(p))
    return f"p = {digits}"
