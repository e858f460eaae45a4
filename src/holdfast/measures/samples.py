"""How often questions that were asked several times are answered: by one of the answers, or by all."""

from __future__ import annotations

import numpy as np

from holdfast.catalog import measure
from holdfast.claims import Source
from holdfast.errors import HoldfastError, InvalidEvidence
from holdfast.evidence import Array, Counts, Integers, Losses, shown
from holdfast.evidence.counts import Samples


def some_right(questions: Samples, k: int) -> Array:
    """For each question the chance that one of k of its samples is right, in the order of the questions."""
    return 1.0 - _chance_of_all(questions, questions.each.k, k)


def all_right(questions: Samples, k: int) -> Array:
    """For each question the chance that k of its samples are all right, in the order of the questions."""
    return _chance_of_all(questions, questions.each.n - questions.each.k, k)


@measure(
    better="higher",
    unit="index",
    out_of="all",
    label_is="samples",
    needs_labels=False,
    of_question=some_right,
    source=Source("chen2021", "(1)"),
    aliases=("pass@k",),
)
def pass_at_k(questions: Samples, k: int) -> Counts | Losses:
    r"""The chance that one of k samples answers a question, over the questions.

    Notes
    -----
    For a question with n samples, s of them wrong, the chance that k of these samples are all wrong is

    .. math:: \binom{s}{k} \Big/ \binom{n}{k} = \prod_{i < k} \frac{s - i}{n - i}

    and one minus it is an unbiased estimate of pass@k for that question, provided that its samples are exchangeable
    and that their number was fixed before any was drawn: whoever samples until an answer is right has no estimate. It
    lies in [0, 1], and the mean is over the questions. With just k samples of every question it is 0 or 1, and the
    questions that are answered are counted.

    Examples
    --------
    >>> print(pass_at_k(Samples(Counts([7], [10])), k=5).mean.round(4))
    0.9167
    >>> pass_at_k(Samples(Counts([5, 3, 0], [5, 5, 5])), k=5)
    Counts(k=2, n=3)
    """
    return _over_questions(questions, some_right(questions, k), k)


@measure(
    better="higher",
    unit="index",
    out_of="all",
    label_is="samples",
    needs_labels=False,
    of_question=all_right,
    source=Source("yao2024", "pass^k"),
    aliases=("pass^k", "pass-hat-k"),
)
def pass_all_k(questions: Samples, k: int) -> Counts | Losses:
    r"""The chance that all of k samples answer a question, over the questions: whether one can rely on it.

    Notes
    -----
    For a question with n samples, c of them right,

    .. math:: \binom{c}{k} \Big/ \binom{n}{k} = \prod_{i < k} \frac{c - i}{n - i}

    is an unbiased estimate of the chance that k samples of it are all right (pass^k), under the same conditions as for
    pass@k. At k = 1 both are the share of right answers; pass@k rises in k, and this falls.

    Examples
    --------
    >>> print(pass_all_k(Samples(Counts([3], [10])), k=2).mean.round(4))
    0.4667
    >>> pass_all_k(Samples(Counts([5, 3, 0], [5, 5, 5])), k=5)
    Counts(k=1, n=3)
    """
    return _over_questions(questions, all_right(questions, k), k)


def exactly(questions: Samples, k: int) -> bool:
    """Whether every question has just k samples: then each is a yes or a no, whatever the answers are."""
    return bool(np.all(questions.each.n == k))


def _over_questions(questions: Samples, chances: Array, k: int) -> Counts | Losses:
    if exactly(questions, k):
        return Counts(np.count_nonzero(chances == 1.0, axis=-1), np.asarray(questions.each.n.shape[-1]))
    return Losses(np.sort(1.0 - chances, axis=-1)).mirror()


def _chance_of_all(questions: Samples, hits: Integers, k: int) -> Array:
    """The chance that k samples of each question are all hits."""
    if isinstance(k, bool) or not isinstance(k, (int, np.integer)) or k < 1:
        raise HoldfastError(f"pass@k needs k, a whole number from 1 on; got {shown(k)}.")
    samples = questions.each.n
    if fewer := int(np.count_nonzero(samples < k)):
        raise InvalidEvidence(
            f"pass@{k} needs {k} or more samples of every question; {fewer:,} of the {samples.size:,} questions have "
            f"fewer, one of them {int(samples.min()):,}. Ask for a smaller k, or draw more samples."
        )
    # Questions alike are worked out once.
    pairs, which = np.unique(np.stack([hits.reshape(-1), samples.reshape(-1)]), axis=1, return_inverse=True)
    drawn = np.arange(k)[:, np.newaxis]
    chance = np.prod(np.maximum(pairs[0] - drawn, 0) / (pairs[1] - drawn), axis=0)[which]
    return np.asarray(chance.reshape(samples.shape))
