"""The formulas of section 22.3, tried on worlds small enough to sum over, and its votes, enumerated."""

from __future__ import annotations

from itertools import product

import numpy as np

from holdfast.evidence.pools.decomposition import squared
from holdfast.evidence.ranking.forecasts import Posteriors
from holdfast.measures.costs import posterior_loss
from studies.checks import Check, statement

CLOSE = 1e-12
MOST_VOTERS = 10
LABELS = ("a", "b", "c", "d")


def expected_loss_checks(seed: int) -> list[Check]:
    """(22.13) and what follows: the expected zero-one loss of an answer, and which answer has the least."""
    draw = np.random.default_rng([seed, 1])
    posterior = draw.dirichlet(np.ones(len(LABELS)), 500)
    by_answer = posterior @ (1 - np.eye(len(LABELS)))  # (22.13): the sum over y of L(y, c) P(y | x), for each answer c
    best = posterior.argmax(axis=1)
    believed = float(posterior_loss(Posteriors(posterior, best, LABELS)).mean)
    return [
        statement(
            "(22.13)",
            "the expected zero-one loss of the answer c_i is 1 - P(c_i|x)",
            bool(np.abs(by_answer - (1 - posterior)).max() < CLOSE),
            f"{posterior.size:,} sums of (22.13), for random posteriors of four classes",
        ),
        statement(
            "section 22.3",
            "it is least for the class with the largest posterior probability, which also minimises the error rate",
            bool((by_answer.argmin(axis=1) == best).all() and abs(by_answer.min(axis=1).mean() - believed) < CLOSE),
            "the same sums, and `posterior_loss`; of the error rate it is the expected one, on a given test set "
            "another answer may do better",
        ),
    ]


class World:
    """Five points, two classes at random on each, and seven training sets, each with a model: all sums are finite."""

    def __init__(self, seed: int) -> None:
        draw = np.random.default_rng([seed, 2])
        self.point, self.training = draw.dirichlet(np.ones(5)), draw.dirichlet(np.ones(7))
        self.positive = draw.random(5)  # P(y = 1 | x)
        self.model = draw.normal(size=(5, 7))
        self.best = 2 * self.positive - 1  # E[y | x]
        self.mean = self.model @ self.training  # E_D[M(x, D)]

    def of_y(self, negative: np.ndarray, positive: np.ndarray) -> np.ndarray:
        """The mean over y of what it is at y = -1 and at y = 1, by point."""
        return ((1 - self.positive) * negative.T + self.positive * positive.T).T

    @property
    def losses(self) -> np.ndarray:
        """E_y[(y - M)² | x, D]."""
        return self.of_y((-1 - self.model) ** 2, (1 - self.model) ** 2)

    @property
    def noise(self) -> np.ndarray:
        return self.of_y((-1 - self.best) ** 2, (1 - self.best) ** 2)

    @property
    def squared_error(self) -> np.ndarray:
        return (self.model - self.best[:, None]) ** 2

    @property
    def variance(self) -> np.ndarray:
        return (self.model - self.mean[:, None]) ** 2 @ self.training

    @property
    def squared_bias(self) -> np.ndarray:
        return (self.mean - self.best) ** 2

    @property
    def loss(self) -> float:
        return float(self.point @ self.losses @ self.training)


def decomposition_checks(seed: int) -> list[Check]:
    """(22.14) to (22.16), on a world whose expectations are finite sums."""
    world = World(seed)
    noise, variance, bias = (float(world.point @ each) for each in (world.noise, world.variance, world.squared_bias))
    unsquared = float(world.point @ np.abs(world.mean - world.best))
    copied = noise + variance
    return [
        statement(
            "(22.14)",
            "expected squared loss at x for one training set = var(y|x) + squared error of M(x, D)",
            bool(np.abs(world.losses - world.noise[:, None] - world.squared_error).max() < CLOSE),
            "summed over y at 5 points for 7 training sets; the mixed term is 0",
        ),
        statement(
            "(22.15)",
            "expected squared error at x over training sets = variance + bias",
            bool(np.abs(world.squared_error @ world.training - world.variance - world.squared_bias).max() < CLOSE),
            "summed over the training sets; what it calls bias is the bias squared",
        ),
        statement(
            "(22.16)",
            "expected squared loss = noise + E[(M - E_D[M])²], named “average bias”",
            abs(world.loss - copied) < CLOSE,
            f"summed over points, labels and training sets: {world.loss:.4f}, not {copied:.4f}",
            right="noise + average variance E[(M - E_D[M])²] + average squared bias E[(E_D[M] - E_y[y|x])²]",
            why="The text that we have lost a term between two braces: the next sentence names three",
        ),
        statement(
            "section 22.3",
            "expected squared loss = noise + average bias + average variance",
            abs(world.loss - noise - bias - variance) < CLOSE,
            f"{noise:.4f} + {bias:.4f} + {variance:.4f} = {world.loss:.4f}, the bias squared at each point (without "
            f"the square it would be {unsquared:.4f})",
        ),
        _estimated(seed),
    ]


def _estimated(seed: int) -> Check:
    """As Example 22.12 must have it: K training sets, a single label for each point."""
    draw = np.random.default_rng([seed, 3])
    answers, truth = draw.choice([-1.0, 1.0], (10, 150), p=[0.3, 0.7]), draw.choice([-1.0, 1.0], 150)
    found = squared(answers, truth, [-1, 1])
    return statement(
        "section 22.3",
        "when comparing classifiers the noise can be ignored, and the rest is variance and bias",
        bool(
            np.abs(found.loss - found.bias - found.variance).max() < CLOSE
            and np.abs(found.loss - 4 * (answers != truth).mean(axis=0)).max() < CLOSE
        ),
        "`squared`: with one label a point the noise is inside the bias, and loss = bias + variance; for the classes "
        "±1 it is 4 × the zero-one loss",
    )


def vote_checks(seed: int) -> list[Check]:
    """The majority as the sign of a sum: for bagging, and, question 3, for boosting."""
    ties = {}
    same = {}
    for voters in range(1, MOST_VOTERS + 1):
        answers = np.array([*product((-1, 1), repeat=voters)])
        more = (answers == 1).sum(axis=1) - (answers == -1).sum(axis=1)
        total = answers.sum(axis=1)
        ties[voters] = int((total == 0).sum())
        same[voters] = bool((np.sign(more) == np.sign(total)).all())
    decided = all(number == 0 for number in ties.values())
    draw = np.random.default_rng([seed, 4])
    answers = np.array([*product((-1, 1), repeat=MOST_VOTERS)])
    weights = draw.exponential(size=(200, MOST_VOTERS))
    lead = weights @ (answers == 1).T - weights @ (answers == -1).T
    return [
        statement(
            "section 22.3.1",
            "for the classes ±1 majority voting is sign(ΣM_i(x))",
            all(same.values()) and decided,
            f"all answers of up to {MOST_VOTERS} models; K = {MOST_VOTERS} has {ties[MOST_VOTERS]} ties among "
            f"{2**MOST_VOTERS:,}",
            right="for odd K; at an even K a tie has the sign 0, which is neither class",
            why="The table of Example 22.13 has two even K",
        ),
        statement(
            "Q3",
            "show that the weighted majority of boosting is sign(Σα_tM_t(x))",
            bool(
                np.abs(lead - weights @ answers.T).max() < 1e-9
                and (np.sign(lead) == np.sign(weights @ answers.T)).all()
            ),
            "I(M = ±1) = (1 ± M)/2, so that the votes for +1 less those for -1 are Σα_tM_t: compared for all answers "
            f"of {MOST_VOTERS} models and {len(weights)} random weights; it takes α without ties",
        ),
    ]


def truth_checks() -> list[Check]:
    """Question 1, by a training set that says both of one point: every classifier is tried."""
    truth = np.array([1, -1])  # of the same x
    every = [np.array([answer, answer]) for answer in (1, -1)]
    accuracy = max(float((each == truth).mean()) for each in every)
    coverage = max(min(float((each[truth == label] == label).mean()) for label in (1, -1)) for each in every)
    how = "two training points at the same place with different labels: every classifier tried"
    return [
        statement(
            "Q1 (a)",
            "“must have 100 % accuracy on the training dataset”: false",
            accuracy < 1,
            f"{how}, the best has {100 * accuracy:.0f} %; and one that has it, has often learnt the noise",
        ),
        statement(
            "Q1 (b)",
            "“must have 100 % coverage (overall) on the training dataset”: false",
            coverage < 1,
            f"{how}, none covers both classes. Coverage is recall in section 22.1, so that this is (a) once more",
        ),
    ]
