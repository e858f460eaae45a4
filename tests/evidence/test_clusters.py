"""Evidence in clusters: what is refused, what the means are, and drawing clusters again against plain loops."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import bdtr, bdtrc

from holdfast.errors import InvalidEvidence
from holdfast.evidence import Contingency, Counts, Overlap, Weighted
from holdfast.evidence.clusters import LARGEST_CAP, ByClusters, ByManyClusters, Clustered, Clusters, _kinds
from holdfast.measures.agreement import mcc
from holdfast.measures.averages import weighted_f1
from holdfast.measures.rates import f1, recall

BY_CHANCE = 1e-6


def some_clusters(number: int = 12, seed: int = 0) -> Contingency:
    """Of which a half are alike."""
    tables = np.random.default_rng(seed).poisson(0.8, (number, 3, 3)) + 1
    tables[number // 2 :] = 4 * np.eye(3, dtype=int) + 1
    return Contingency(tables, ["a", "b", "c"], rows="predicted")


# ---- Events and trials of each cluster


def test_every_example_weighs_the_same_in_the_mean_and_every_cluster_in_the_shares() -> None:
    clusters = Clusters(Counts([0, 4, 1], [1, 8, 1]))
    assert clusters.mean == 0.5
    assert clusters.complement == 0.5
    assert clusters.n == 3
    assert clusters.shares.values.tolist() == [0.0, 0.5, 1.0]
    assert clusters.mirror().mean == 0.5
    assert clusters.mirror().parts.k.tolist() == [1, 4, 0]


def test_the_mirror_adds_up_to_one_and_keeps_the_cap() -> None:
    clusters = Clusters(Counts([[0, 1], [2, 0]], [[3, 1], [2, 1]]), most=4)
    assert (clusters.mean + clusters.mirror().mean).tolist() == [1, 1]
    assert clusters.mirror().most == 4
    pair = clusters.both_ends()
    assert pair is not None
    assert pair.mean.tolist() == [clusters.mean.tolist(), clusters.mirror().mean.tolist()]
    assert Clusters(Counts(np.zeros(20_000, int), 1)).both_ends() is None


def test_a_cluster_without_a_trial_counts_but_has_no_share() -> None:
    clusters = Clusters(Counts([0, 1], [0, 2]), most=2)
    assert clusters.mean == 0.5
    with pytest.raises(InvalidEvidence, match="without a trial"):
        _ = clusters.shares
    assert not Clusters(Counts([0], [0])).known


def test_units_are_those_of_the_counts() -> None:
    assert Clusters(Overlap([1], [2])).units(np.asarray(0.5)) == pytest.approx(2 / 3)


def test_one_count_is_no_clusters() -> None:
    with pytest.raises(InvalidEvidence, match="one count a cluster"):
        Clusters(Counts(1, 2))


@pytest.mark.parametrize("most", [0, -1, 2.5, "ten", True, LARGEST_CAP + 1])
def test_a_cap_is_a_whole_number(most: object) -> None:
    with pytest.raises(InvalidEvidence, match="whole number from 1"):
        Clusters(Counts([0], [1]), most=most)  # type: ignore[arg-type]


def test_a_cluster_beyond_the_cap_is_refused() -> None:
    with pytest.raises(InvalidEvidence, match="holds 12 examples, more than the 11"):
        Clusters(Counts([0, 0], [3, 12]), most=11)
    assert Clusters(Counts([0, 0], [3, 12]), most=12).most == 12


# ---- Tables of clusters


def test_the_table_is_that_of_all_examples() -> None:
    each = some_clusters()
    table = Clustered.of(each)
    assert table.table.tolist() == each.table.sum(axis=0).tolist()
    assert (table.clusters, sorted(table.alike.tolist())) == (12, [1] * 6 + [6])


def test_the_order_of_the_clusters_leaves_no_trace() -> None:
    each = some_clusters()
    turned = each.again(each.cells[2][::-1])
    draws = [ByClusters.read(mcc, Clustered.of(some))[0].resampled(50, 3).tolist() for some in (each, turned)]
    assert draws[0] == draws[1]


def test_kinds_are_the_same_however_they_are_found() -> None:
    times = np.random.default_rng(1).integers(0, 3, (200, 4))
    quick, slow = _kinds(times), np.unique(times, axis=0, return_counts=True)
    assert quick[0].tolist() == slow[0].tolist()
    assert quick[1].tolist() == slow[1].tolist()
    large = times * 2**40  # as one number a row would not fit
    assert _kinds(large)[0].tolist() == (slow[0] * 2**40).tolist()


def test_two_clusters_are_drawn_as_two_coins_fall() -> None:
    each = Contingency([[[5, 0], [0, 0]], [[0, 0], [3, 0]]], rows="predicted")
    runs = 4000
    drawn = np.concatenate([stack.errors for stack in Clustered.of(each).redrawn(np.random.default_rng(2), runs)])
    assert set(drawn.tolist()) == {0, 3, 6}
    for value, chance in ((0, 0.25), (3, 0.5), (6, 0.25)):
        seen = int(np.sum(drawn == value))
        assert min(bdtr(seen, runs, chance), bdtrc(seen - 1, runs, chance)) > BY_CHANCE


def test_drawing_kinds_is_drawing_clusters() -> None:
    each = some_clusters(8)
    table, runs = Clustered.of(each), 4000
    (reading,) = ByClusters.read(lambda some: Counts(some.errors, some.n), table)
    generator = np.random.default_rng(3)
    chosen = generator.integers(0, 8, (runs, 8))
    plain = each.errors[chosen].sum(axis=-1) / each.n[chosen].sum(axis=-1)
    ours = reading.draws(np.random.default_rng(4), runs)
    error = plain.std() * np.sqrt(2 / runs)
    assert ours.mean() == pytest.approx(plain.mean(), abs=5 * error)
    assert ours.std() == pytest.approx(plain.std(), rel=0.1)


@pytest.mark.parametrize("kind", [ByClusters, ByManyClusters])
def test_the_standard_error_is_that_of_leaving_out_each_cluster(kind: type[ByClusters]) -> None:
    each = some_clusters()
    (reading,) = kind.read(mcc, Clustered.of(each))
    whole = each.table
    left = []
    for i in range(len(whole)):
        found = mcc(Contingency(np.delete(whole, i, axis=0).sum(axis=0), each.labels, rows="predicted"))
        left.append(float(found.mean))
    spread = np.sum((np.array(left) - np.mean(left)) ** 2)
    assert reading.standard_error == pytest.approx(np.sqrt(11 / 12 * spread), rel=1e-9)
    assert reading.n == 12


def test_classes_are_read_one_by_one() -> None:
    table = Clustered.of(some_clusters())
    for measure in (recall, f1):
        whole = measure(table)
        for place, reading in zip((2, 0), ByClusters.read(measure, table, [2, 0]), strict=True):
            assert reading.units(reading.mean) == pytest.approx(float(whole.units(whole.mean)[place]))
            values, times = reading.left_out()
            assert values.shape == times.shape == (7,)


def test_the_mirror_still_draws_clusters() -> None:
    (reading,) = ByClusters.read(weighted_f1, Clustered.of(some_clusters()))
    turned = reading.mirror()
    assert type(turned) is ByClusters
    assert turned.n == 12
    assert turned.standard_error == pytest.approx(reading.standard_error)
    assert turned.mean + reading.mean == pytest.approx(1)


def test_many_clusters_are_a_smooth_quantity() -> None:
    (reading,) = ByManyClusters.read(mcc, Clustered.of(some_clusters()))
    assert isinstance(reading, Weighted)


def test_what_is_unknown_stays_unknown() -> None:
    each = Contingency([[[2, 0], [0, 0]], [[1, 0], [0, 0]]], ["a", "b"], rows="predicted")
    (of_b,) = ByClusters.read(recall, Clustered.of(each), [1])
    assert not of_b.known
    assert np.isnan(of_b.standard_error)
