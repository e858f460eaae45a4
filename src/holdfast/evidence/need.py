"""What a method may need of its evidence beside its kind: a closed list, so that what nobody offers is refused."""

from __future__ import annotations

from enum import StrEnum

from holdfast.errors import UnknownName


class Need(StrEnum):
    """Something that some evidence offers and some does not."""

    VALUES = "values"  # each loss
    ONE_RANGE = "one range"  # the same for all examples, and not one for each
    S2 = "s2"  # the variance
    DRAWS = "draws"  # each draw, all alike, and the most that one can hold
    CAPPED = "capped draws"  # each draw, and the most that one can hold, though they may come of several strata
    SMOOTH = "smooth"  # that each draw changes the estimate in proportion to its weight
    KINKED = "kinked"  # or that it is a largest value, of which that is so only while it stays the largest
    TERMS = "terms"  # rates that it is a sum of, each with a limit of its own
    LEVELS = "levels"  # losses that are multiples of one over a number declared beforehand
    ERRORS = "errors"  # those of each model
    MIRROR = "mirror"  # the same evidence seen from the other end, for methods without a lower limit of their own
    ONE_MODEL = "one model"  # results of one model, not differences of two
    RANDOM_FOLDS = "random folds"  # made without looking at the labels
    FIXED_FOLDS = "random folds of fixed sizes"  # made without looking at the labels or at what the models said

    @classmethod
    def _missing_(cls, value: object) -> Need:
        raise UnknownName("need", value, [*map(str, cls)])
