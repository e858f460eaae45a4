"""No limit with a proof can be fished for: to change a loss by next to nothing changes it by next to nothing."""

from __future__ import annotations

import numpy as np
import pytest

from holdfast.catalog import Bound, methods
from holdfast.claims import Guarantee
from holdfast.evidence import Evidence, Losses
from holdfast.evidence.pools.pool import Pool

VARIANTS = 40
STEP = 1e-6  # by which one loss is larger from one variant to the next


def variants(pool: bool) -> list[Evidence]:
    """One sample of grades, and the same with one of them a little larger each time."""
    losses = np.random.default_rng(1).choice(5, size=100, p=[0.4, 0.2, 0.2, 0.1, 0.1]) / 4
    place = int(np.flatnonzero(losses == 0.5)[0])
    made: list[Evidence] = []
    for number in range(VARIANTS):
        losses[place] = 0.5 + number * STEP
        made.append(Pool(Losses(losses.copy()), 100) if pool else Losses(losses.copy()))
    return made


def moves(bound: Bound) -> tuple[Guarantee, float]:
    """What the method promises of losses in no stated order, and how far its limits go from variant to variant."""
    samples = GRADES[Losses not in bound.takes]
    claims = [bound(sample, 0.05, "upper" if bound.one_sided else "both") for sample in samples]
    upper = np.array([claim.upper for claim in claims], float)
    return claims[0].guarantee, float(upper.max() - upper.min())


GRADES = {pool: variants(pool) for pool in (False, True)}
OF_LOSSES = [
    bound
    for bound in methods()
    if {Losses, Pool} & {*bound.takes}
    and bound.fits(GRADES[Losses not in bound.takes][0], "upper" if bound.one_sided else "both")
]


@pytest.mark.parametrize("bound", OF_LOSSES, ids=lambda bound: bound.name)
def test_what_has_a_proof_cannot_be_fished_for(bound: Bound) -> None:
    guarantee, moved = moves(bound)
    assert moved < 100 * VARIANTS * STEP or guarantee is Guarantee.HEURISTIC


def test_shuffles_can_be() -> None:
    """Which is why bets on losses in no stated order come without proof."""
    for name in ("betting", "star", "betting-pool"):
        bound = next(each for each in OF_LOSSES if each.name == name)
        guarantee, moved = moves(bound)
        assert (guarantee, moved > 0.01) == (Guarantee.HEURISTIC, True)
