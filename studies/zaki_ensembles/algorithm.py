"""Algorithm 22.5 as it is printed, line by line, and what it does; whether bagging is a special case of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from holdfast.learners.bagging import MajorityBagging
from holdfast.learners.boosting import ResamplingAdaBoost
from studies.checks import Check, statement
from studies.zaki_ensembles.printed import N

PLACE = "Algorithm 22.5"
SPECIAL = "Bagging as a Special Case of AdaBoost"
Train = Callable[[np.ndarray], np.ndarray]  # the rows of a sample -> answers on all points


@dataclass
class Ended:
    """What Algorithm 22.5 leaves: its models' answers, and the weights that it gave them on the way."""

    models: dict[int, np.ndarray] = field(default_factory=dict)
    votes: dict[int, float] = field(default_factory=dict)


def as_printed(rounds: int, truth: np.ndarray, train: Train, draw: np.random.Generator) -> Ended:
    """Lines 1 to 16, the slips included."""
    n = len(truth)
    weights = np.full(n, 1 / n)
    ended, t = Ended(), 1
    while t < rounds:
        sample = draw.choice(n, n, p=weights)
        ended.models[t] = train(sample)
        wrong = ended.models[t] != truth
        error = float(weights[wrong].sum())
        if not wrong.any():
            break
        if error < 0.5:
            ended.votes[t] = float(np.log((1 - error) / error))
            weights = np.where(wrong, weights * (1 - error) / error, weights)
            weights /= weights.sum()
            t += 1
    return ended


class Stumps:
    """Sixty points of a noisy band, and stumps trained on samples of them."""

    def __init__(self, seed: int) -> None:
        draw = np.random.default_rng([seed, 5])
        self.points = draw.normal(size=(60, 2))
        noisy = draw.random(60) < 0.1
        self.truth = np.where((np.abs(self.points[:, 0]) < 0.7) ^ noisy, 1, -1)

    def __call__(self, sample: np.ndarray) -> np.ndarray:
        stump = DecisionTreeClassifier(max_depth=1, random_state=0)
        return np.asarray(stump.fit(self.points[sample], self.truth[sample]).predict(self.points))


def algorithm_checks(seed: int) -> list[Check]:
    stumps = Stumps(seed)
    truth = stumps.truth
    trained = {rounds: len(as_printed(rounds, truth, stumps, _draw(seed)).votes) for rounds in (1, 2, 12)}
    ours = {
        rounds: len(ResamplingAdaBoost(n_estimators=rounds, random_state=seed).fit(stumps.points, truth))
        for rounds in (1, 12)
    }
    perfect = as_printed(9, truth, lambda sample: truth.copy(), _draw(seed))
    kept = ResamplingAdaBoost(DecisionTreeClassifier(), random_state=seed).fit(stumps.points[:2], [1, -1])
    boosted = as_printed(12, truth, stumps, _draw(seed))
    answers, votes = np.stack([*boosted.models.values()]), np.array([*boosted.votes.values()])
    unweighed = int((np.sign(votes @ answers) != np.sign(answers.sum(axis=0))).sum())
    bad = _bad_sample(stumps, seed)
    worse = -stumps(np.arange(len(truth)))
    errors = np.linspace(0.01, 0.49, 49)
    factor = (1 - errors) / errors
    return [
        statement(
            PLACE,
            "trains K classifiers (`while t < K`, from t = 1)",
            all(number == rounds for rounds, number in trained.items()),
            f"run as printed, with stumps: K = 1, 2, 12 give {trained[1]}, {trained[2]}, {trained[12]}",
            right=f"`while t ≤ K`; ResamplingAdaBoost trains {ours[1]} and {ours[12]} for K = 1 and 12",
        ),
        statement(
            PLACE,
            "if ε_t = 0 then break",
            len(perfect.votes) == len(perfect.models),
            f"run as printed, with a classifier that never errs: {len(perfect.votes)} classifiers have a weight",
            right="the classifier without error must be kept, and decide alone, before the loop ends; "
            f"ResamplingAdaBoost keeps {len(kept)}",
        ),
        statement(
            PLACE,
            "return {M₁, M₂, …, M_K}",
            unweighed == 0,
            f"without the α_t the combined classifier answers otherwise on {unweighed} of {len(truth)} points",
            right="return the α_t as well: the weighted vote needs them",
        ),
        statement(
            "section 22.3.1",
            "if ε_t ≥ 0.5, the method “returns to line 5 to try another data sample”",
            bool((stumps(bad) != stumps(bad.copy())).any()),
            "line 5 trains; on the sample that gave ε_t ≥ 0.5 it gives the same classifier again, for ever",
            right="line 4, which draws the sample; this is what the loop as printed does",
        ),
        statement(
            "section 22.3.1",
            "alternatively one can invert the predictions",
            bool(np.abs(np.log(errors / (1 - errors)) + np.log(factor)).max() < 1e-12)
            and bool(((-worse != truth).mean() + (worse != truth).mean()) == 1),
            "of two classes an inverted classifier errs with 1 - ε; its α is -α: a negative weight says the same",
        ),
        statement(
            "section 22.3.1",
            "w·exp{α_t I(M_t ≠ y)} leaves right points alone and multiplies wrong ones by 1/ε_t - 1",
            bool(np.abs(np.exp(np.log(factor)) - (1 / errors - 1)).max() < 1e-9),
            "both sides at 49 errors from 0.01 to 0.49",
        ),
        statement(
            "section 22.3.1",
            "the smaller ε_t, the greater the increment; near 0.5 there is only a small change",
            bool((np.diff(factor) < 0).all() and abs((1 - 0.4999) / 0.4999 - 1) < 0.001),
            "1/ε - 1 falls from 99 at ε = 0.01 to 1 at 0.5",
        ),
        statement(
            "section 22.3.1",
            "of k classes a random classifier is expected to err with (k - 1)/k",
            all(abs(float((1 - np.eye(k)).mean()) - (k - 1) / k) < 1e-12 for k in range(2, 11)),
            "counted over all pairs of answer and class, k = 2 to 10",
        ),
    ]


def vote_of(error: float) -> float:
    return float(np.log((1 - error) / error))


def _draw(seed: int) -> np.random.Generator:
    return np.random.default_rng([seed, 6])


def _bad_sample(train: Stumps, seed: int) -> np.ndarray:
    """A sample whose classifier is no better than guessing, where the points are weighted after a first round."""
    draw = np.random.default_rng([seed, 7])
    n = len(train.truth)
    weights = np.full(n, 1 / n)
    while True:
        sample = draw.choice(n, n, p=weights)
        wrong = train(sample) != train.truth
        error = weights[wrong].sum()
        if error >= 0.5:
            return sample
        weights = np.where(wrong, weights * (1 - error) / error, weights)
        weights /= weights.sum()


# Bagging as a special case


def after_one_round(wrong: int, n: int = N) -> np.ndarray:
    """The weights that Algorithm 22.5 gives n points after a classifier that errs on so many of them."""
    error = wrong / n
    weights = np.where(np.arange(n) < wrong, (1 - error) / error, 1.0) / n
    return np.asarray(weights / weights.sum())


def possible_rounds(n: int = N) -> Iterator[int]:
    """All numbers of errors with which the algorithm goes on: above 0 and below one half."""
    yield from range(1, (n + 1) // 2)


def special_case_checks(seed: int) -> list[Check]:
    stumps = Stumps(seed)
    bagged = MajorityBagging(DecisionTreeClassifier(max_depth=1), 11, random_state=seed).fit(
        stumps.points, stumps.truth
    )
    answers = np.stack([2 * model.predict(stumps.points) - 1 for model in bagged.estimators_])  # they learnt 0 and 1
    voted = {weight: np.sign(np.full(11, weight) @ answers) for weight in (1.0, 0.3, 7.0)}
    same = all((each == bagged.predict(stumps.points)).all() for each in voted.values())
    alike = [wrong for wrong in possible_rounds() if np.ptp(after_one_round(wrong)) < 1e-12]
    ones = [wrong for wrong in possible_rounds() if abs(vote_of(wrong / N) - 1) < 1e-12]
    least = min(float(after_one_round(wrong).max() / after_one_round(wrong).min()) for wrong in possible_rounds())
    return [
        statement(
            SPECIAL,
            "with w^t = 1/n and α_t = 1 in all rounds the prediction is simple majority voting",
            same,
            "sign(ΣαM) of eleven bagged stumps is the vote of MajorityBagging at all points; any other constant α > 0 "
            "does as well",
        ),
        statement(
            SPECIAL,
            "“Bagging can be considered as a special case of AdaBoost”",
            bool(alike and ones),
            f"of {N} points, every number of errors with 0 < ε < 0.5: after such a round the wrong points weigh at "
            f"least {least:.3f} times as much as the others, so that no run keeps w^t = 1/n; α = 1 would take ε = 1/(1 "
            f"+ e) = {1 / (1 + math.e):.4f} in every round, which in the first no number of points gives",
            right="of the same scheme, resampling by weights and a weighted vote, with both updates of AdaBoost taken "
            "out; a run of Algorithm 22.5 is bagging in its first round only",
        ),
    ]
