"""What was drawn, in an order that neither the rows nor the names of clusters decide, and a number for all of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from holdfast.errors import InvalidEvidence
from holdfast.evidence import Array, Integers
from holdfast.evidence.draws import Draws
from holdfast.numerics.arrays import distinct, sort_in_place
from holdfast.predictions.coded import spelled
from holdfast.predictions.design import Design, Prevalence, class_mix
from holdfast.tally.rows import Kinds, Rows, mix, seed_of
from holdfast.wording import brief, listed, quoted

WHOLE = 2.0**-16  # what weights are told apart by in a fingerprint: sums of them differ in the last places


@dataclass(frozen=True, eq=False)
class Order:
    """The draws, in an order that neither the rows nor the names of clusters decide, unless they were drawn in one."""

    draws: Draws
    draw: Integers  # of each kind
    weight: Array
    words: NDArray[np.uint64]  # one for what each draw holds

    @classmethod
    def of(cls, rows: Rows, kinds: Kinds, words: NDArray[np.uint64], groups: Sequence[Integers] = ()) -> Order:
        held, design = rows.predictions.columns, rows.predictions.design
        clustered, weighed = "cluster" in held, "weight" in held
        weight = kinds.sums["weight"] if weighed else kinds.times.astype(np.float64)
        stratum, names = _strata(rows, kinds)
        # What a kind of rows is: its labels, how many there are, what they weigh, and where they were drawn.
        each = words ^ kinds.times.view(np.uint64) if clustered else words.copy()
        mix(each)
        if weighed:
            wholes = weight / WHOLE
            each ^= np.rint(wholes, out=wholes).astype(np.int64).view(np.uint64)
            mix(each)
        if names:
            each ^= np.array([seed_of(name) for name in names], np.uint64)[stratum]
            mix(each)
        if clustered:
            draw, times = distinct(kinds["cluster"].codes)[1], None
        else:
            draw, times = np.arange(kinds.times.size), kinds.times.astype(np.float64)
            weight = weight / times
        number = int(draw.max(initial=-1)) + 1
        whole = np.zeros(number, np.uint64)
        np.add.at(whole, draw, each)
        if kinds.first is None or not clustered:
            order = _by_content(whole, draw, each, groups)
        else:
            first = np.full(number, np.iinfo(np.int64).max)
            np.minimum.at(first, draw, kinds.first)
            order = np.argsort(first)
        rank = np.empty(number, np.int64)
        rank[order] = np.arange(number)
        of_draw = np.zeros(number, np.int64)
        if names:
            of_draw[draw] = stratum
        if names and clustered and np.any(of_draw[draw] != stratum):
            where, option = (
                ("classes", "sampling= (--sampling)") if design.by_class else ("strata", "strata= (--strata)")
            )
            raise InvalidEvidence(
                f"A cluster of {brief(rows.predictions.source)} has rows of several {where}, so that clusters cannot "
                f"have been drawn within them: repair them, or leave out {option}."
            )
        counts = np.ones(number) if times is None else times
        factor = factors(design, names, of_draw, counts, weighed) if names else np.ones(1)
        weight = weight * factor[stratum] if names else weight
        draws = Draws(
            counts[order],
            of_draw[order] if names else None,
            factor[of_draw[order]] if names else None,
            design.most(held),
            design.most_of_row(held),
            rows=not weighed and (not clustered or design.max_cluster == 1),
            ordered=design.order is not None,
            assumes=design.assumes(held),
            caps=design.caps(held),
        )
        if clustered:
            design.check_cap(int(np.bincount(draw, kinds.times).max(initial=0)))
        return cls(draws, rank[draw], weight, whole[order])

    def fingerprint(self, whole: str, divisions: Sequence[tuple[Sequence[str], Integers]]) -> str:
        """That of all rows, and a word for what each draw holds: neither names nor order matter."""
        digest = sha256(bytes.fromhex(whole) + b"draws\n" + np.sort(self.words).astype("<u8").tobytes())
        for names, group in divisions:
            digest.update("\n".join(f"{len(name)} {name}" for name in names).encode("utf-8", "surrogatepass"))
            words = self.words[self.draw] ^ np.array([seed_of(name) for name in names], np.uint64)[group]
            mix(words)
            sort_in_place(words)
            digest.update(words.astype("<u8", copy=False).data)
        return digest.hexdigest()


def _by_content(
    whole: NDArray[np.uint64], draw: Integers, each: NDArray[np.uint64], groups: Sequence[Integers]
) -> Integers:
    """Draws by the words for what they hold; those that hold the same by which groups it is of.

    Sums over the draws of a group have zeros for all others: where these stand would else change the last digit.
    """
    order = np.argsort(whole, kind="stable")
    alike = np.diff(whole[order], prepend=~whole[order[:1]]) == 0
    alike[:-1] |= alike[1:]
    if not groups or not alike.any():
        return order
    words = each.copy()
    for codes in groups:
        words ^= codes.astype(np.int64).view(np.uint64)
        mix(words)
    of_groups = np.zeros(whole.size, np.uint64)
    np.add.at(of_groups, draw, words)
    tied = order[alike]
    order[alike] = tied[np.lexsort((of_groups[tied], whole[tied]))]
    return order


def _strata(rows: Rows, kinds: Kinds) -> tuple[Integers, list[str]]:
    """The stratum of each kind, counted from 0, and what the strata are called: their names, or those of classes."""
    by_class = rows.predictions.design.by_class
    if "stratum" in kinds.columns and by_class:
        raise InvalidEvidence(
            "Rows that were drawn within strata and within classes would need to know how frequent each class is in "
            "each stratum: make a stratum of each of both, or leave out one of strata= (--strata) and sampling= "
            "(--sampling)."
        )
    if not ("stratum" in kinds.columns or by_class):
        return np.zeros(kinds.times.size, np.int64), []
    column = kinds["truth" if by_class else "stratum"].compact()
    names = [spelled(value) for value in column.distinct]
    order = sorted({*names})  # several spellings may be one class
    return column.placed([order.index(name) for name in names], 0), order


def factors(design: Design, names: Sequence[str], stratum: Integers, times: Array, weighed: bool) -> Array:
    """What undoes how many draws were made of each stratum, the largest being 1; ones where weights do."""
    shares = _class_shares(names, design.prevalence) if design.by_class else _shares(design, names, weighed)
    if shares is None:
        return np.ones(len(names))
    each = np.array(shares) / np.bincount(stratum, times, len(names))
    return np.asarray(each / each.max())


def _shares(design: Design, names: Sequence[str], weighed: bool) -> list[float] | None:
    """How frequent each stratum is; None where the weights of rows say it."""
    if design.shares is None:
        if not weighed:
            raise InvalidEvidence(
                "Strata need to know how frequent each is in the population: give shares= (--strata-shares), or "
                "weights that undo how many rows were drawn of each, by weights= (--weight)."
            )
        return None
    stated = {spelled(name): float(share) for name, share in design.shares.items()}
    if strange := [name for name in names if name not in stated]:
        raise InvalidEvidence(
            f"shares= (--strata-shares) says nothing of the stratum {quoted(strange[0])}; it names {listed([*stated])}."
        )
    if unseen := [name for name in stated if name not in names]:
        raise InvalidEvidence(
            f"No row is of the stratum {quoted(unseen[0])}, which is {stated[unseen[0]]:.6g} of the population: "
            "nothing is known of it. Draw some of it, or state the shares of a population without it."
        )
    return [stated[name] for name in names]


def _class_shares(names: Sequence[str], prevalence: Prevalence | None) -> list[float] | None:
    """How frequent each class is, from what was stated; None where nothing was."""
    if prevalence is None:
        return None
    mix = class_mix(names, prevalence)
    return [mix[name] for name in names]
