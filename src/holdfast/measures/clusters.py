"""Rates of clusters, and of questions that were asked several times."""

from __future__ import annotations

import numpy as np

from holdfast.catalog import measure
from holdfast.claims import Source
from holdfast.errors import HoldfastError, InvalidEvidence
from holdfast.evidence import Array, Counts, Losses, shown
from holdfast.evidence.clusters import Clusters


@measure(
    better="higher",
    unit="index",
    out_of="all",
    label_is="samples",
    needs_labels=False,
    source=Source("chen2021", "(1)"),
    aliases=("pass@k",),
)
def pass_at_k(questions: Clusters, k: int) -> Counts | Losses:
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
    >>> print(pass_at_k(Clusters(Counts([7], [10])), k=5).mean.round(4))
    0.9167
    >>> pass_at_k(Clusters(Counts([5, 3, 0], [5, 5, 5])), k=5)
    Counts(k=2, n=3)
    """
    failed = all_wrong(questions, k)
    if exactly(questions, k):
        return Counts(np.count_nonzero(failed == 0, axis=-1), questions.n)
    return Losses(np.sort(failed, axis=-1)).mirror()


def exactly(questions: Clusters, k: int) -> bool:
    """Whether every question has just k samples: then pass@k of each is yes or no, whatever the answers are."""
    return bool(np.all(questions.parts.n == k))


def all_wrong(questions: Clusters, k: int) -> Array:
    """For each question the chance that k of its samples are all wrong, in the order of the questions."""
    if isinstance(k, bool) or not isinstance(k, (int, np.integer)) or k < 1:
        raise HoldfastError(f"pass@k needs k, a whole number from 1 on; got {shown(k)}.")
    wrong, samples = questions.parts.k, questions.parts.n
    if fewer := int(np.count_nonzero(samples < k)):
        raise InvalidEvidence(
            f"pass@{k} needs {k} or more samples of every question; {fewer:,} of the {samples.size:,} questions have "
            f"fewer, one of them {int(samples.min()):,}. Ask for a smaller k, or draw more samples."
        )
    # Questions alike are worked out once.
    pairs, which = np.unique(np.stack([wrong.reshape(-1), samples.reshape(-1)]), axis=1, return_inverse=True)
    drawn = np.arange(k)[:, np.newaxis]
    failed = np.prod(np.maximum(pairs[0] - drawn, 0) / (pairs[1] - drawn), axis=0)[which]
    return np.asarray(failed.reshape(wrong.shape))
