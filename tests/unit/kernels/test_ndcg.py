"""Tests for `forebear.kernels.ndcg`: the compiled loops against the readable reference."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import ArrayLike, NDArray

from forebear.errors import InputError
from forebear.kernels.ndcg import (
    ideal_dcgs,
    ndcg_by_query,
    ndcg_sums_after_steps,
    summed_discounts,
    summed_weights,
)
from forebear.learning.dataset import FusionDataset
from forebear.learning.stochastic_search import FusedScores
from forebear_lab.evaluation.measures.ndcg import expected_ndcg, ideal_dcg

seeds = st.integers(0, 2**32 - 1)
cutoffs = st.integers(1, 12)


class Data:
    """Random queries of up to 12 records; few distinct scores, so that ties are common."""

    def __init__(self, seed: int, cutoff: int) -> None:
        random = np.random.default_rng(seed)
        sizes = random.integers(0, 13, size=8)
        self.offsets = np.concatenate(([0], np.cumsum(sizes)))
        count = int(self.offsets[-1])
        self.scores = random.integers(-3, 4, size=count) / 4
        self.gains = random.choice([0.0, 0.0, 0.0, 1.0, 2.0], size=count)
        self.fires = random.random(count) < random.random()
        self.cutoff = cutoff
        self.discounts = summed_discounts(12, cutoff=cutoff)
        self.ideals = ideal_dcgs(self.gains, self.offsets, self.discounts)

    def reference(self, scores: NDArray[np.float64]) -> list[float]:
        """Return each query's NDCG as the readable function has it."""
        bounds = zip(self.offsets[:-1], self.offsets[1:], strict=True)
        return [
            expected_ndcg(scores[a:b].tolist(), self.gains[a:b].tolist(), cutoff=self.cutoff)
            for a, b in bounds
        ]

    def by_query(self) -> NDArray[np.float64]:
        return ndcg_by_query(self.scores, self.gains, self.offsets, self.ideals, self.discounts)


@given(seeds, cutoffs)
@settings(deadline=None)
def test_each_query_has_the_value_of_the_reference(seed: int, cutoff: int) -> None:
    data = Data(seed, cutoff)

    np.testing.assert_allclose(data.by_query(), data.reference(data.scores), atol=1e-12)


@given(seeds, cutoffs)
@settings(deadline=None)
def test_each_query_has_the_ideal_of_the_reference(seed: int, cutoff: int) -> None:
    data = Data(seed, cutoff)

    expected = [
        ideal_dcg(part.tolist(), cutoff=cutoff) for part in np.split(data.gains, data.offsets[1:-1])
    ]
    np.testing.assert_allclose(data.ideals, expected, atol=1e-12)


@given(seeds, cutoffs)
@settings(deadline=None)
def test_each_step_has_the_sum_of_the_reference(seed: int, cutoff: int) -> None:
    data = Data(seed, cutoff)
    steps = np.array([-1.5, -0.25, 0.0, 0.1, 0.25, 7.0])

    sums = ndcg_sums_after_steps(
        data.scores,
        data.fires,
        data.gains,
        data.offsets,
        data.ideals,
        data.discounts,
        data.by_query(),
        steps,
    )

    expected = [sum(data.reference(data.scores + data.fires * step)) for step in steps]
    np.testing.assert_allclose(sums, expected, atol=1e-10)


@given(seeds)
@settings(deadline=None)
def test_scores_are_the_sums_of_weights(seed: int) -> None:
    random = np.random.default_rng(seed)
    features, weights = random.random((9, 5)) < 0.5, random.integers(-64, 64, size=5) / 64

    scores = summed_weights(np.ascontiguousarray(features.T), weights)

    assert scores.tolist() == (features @ weights).tolist()


def test_ranks_beyond_the_cutoff_add_no_discount() -> None:
    sums = summed_discounts(4, cutoff=2)

    np.testing.assert_allclose(sums, [0, 1, 1 + 1 / np.log2(3)] + [1 + 1 / np.log2(3)] * 2)


NAMES = ("baptism", "burial", "census")
grids = st.sampled_from([None, 1, 64])


def random_lists(
    random: np.random.Generator, *, grid: int | None, positive: bool = False
) -> FusionDataset:
    def one_list() -> tuple[ArrayLike, ArrayLike]:
        size = random.integers(0, 9)
        scores = random.normal(0, 2, size)
        if grid:
            scores = np.round(scores * grid) / grid
        if positive:
            scores = np.abs(scores) + 0.5
        return scores, random.choice([0, 0, 0, 1, 2], size=size)

    return FusionDataset.from_lists(
        NAMES, [(f"q{number}", {name: one_list() for name in NAMES}) for number in range(6)]
    )


def sorted_values(dataset: FusionDataset, fused: NDArray[np.float64], cutoff: int) -> list[float]:
    """Return each query's NDCG as the readable measure has it, over all its lists."""
    bounds = dataset.offsets[3:-1:3]
    parts = zip(np.split(fused, bounds), np.split(dataset.labels, bounds), strict=True)
    return [
        expected_ndcg(scores.tolist(), labels.tolist(), cutoff=cutoff) for scores, labels in parts
    ]


@given(seeds, st.integers(1, 20), grids)
@settings(deadline=None)
def test_the_fused_value_is_that_of_the_sorted_union(
    seed: int, cutoff: int, grid: int | None
) -> None:
    random = np.random.default_rng(seed)
    dataset = random_lists(random, grid=grid)
    shifts = random.normal(0, 1, 3) if grid is None else random.integers(-3, 4, 3) / grid

    values = FusedScores(dataset, cutoff=cutoff).by_query(shifts)

    fused = dataset.scores + shifts[dataset.lists_of_records()]
    np.testing.assert_allclose(values, sorted_values(dataset, fused, cutoff), atol=1e-12)


@given(seeds, grids)
@settings(deadline=None)
def test_positive_scores_are_multiplied_as_published(seed: int, grid: int | None) -> None:
    random = np.random.default_rng(seed)
    dataset = random_lists(random, grid=grid, positive=True)
    weights = random.choice([0.5, 1.0, 1.5, 2.0], size=3)

    values = FusedScores(dataset, cutoff=5).by_query_weighted(weights)

    fused = dataset.scores * weights[dataset.lists_of_records()]
    np.testing.assert_allclose(values, sorted_values(dataset, fused, 5), atol=1e-12)


@given(seeds)
@settings(deadline=None)
def test_each_query_may_have_shifts_of_its_own(seed: int) -> None:
    random = np.random.default_rng(seed)
    dataset = random_lists(random, grid=4)
    rows = random.integers(-4, 5, (6, 3)) / 4

    values = FusedScores(dataset, cutoff=7).by_query(rows)

    sizes = np.diff(dataset.offsets[::3])
    fused = dataset.scores + rows[np.repeat(np.arange(6), sizes), dataset.lists_of_records()]
    np.testing.assert_allclose(values, sorted_values(dataset, fused, 7), atol=1e-12)


def test_scores_in_32_bits_give_the_same_values() -> None:
    random = np.random.default_rng(3)
    dataset = random_lists(random, grid=64)
    narrow = replace(dataset, scores=dataset.scores.astype(np.float32))
    shifts = np.array([0.25, -0.5, 0.0])

    values = FusedScores(narrow).by_query(shifts)

    assert values.tolist() == FusedScores(dataset).by_query(shifts).tolist()


def test_relevant_records_that_no_list_found_count_in_the_ideal() -> None:
    lists = FusionDataset.from_lists(["a"], [("q", {"a": ([1.0], [1])})])
    missing = replace(lists, unfound={0: (1,)})

    value = FusedScores(missing).value(np.zeros(1))

    assert value == pytest.approx(1 / (1 + 1 / np.log2(3)))
    assert FusedScores(missing.take([0])).value(np.zeros(1)) == value


@pytest.mark.parametrize(
    ("weights", "message"), [([1.0, 0.0, 1.0], "reversed"), ([1.0], "1 weights for 3 lists")]
)
def test_weights_that_cannot_multiply_are_refused(weights: list[float], message: str) -> None:
    scores = FusedScores(random_lists(np.random.default_rng(1), grid=None, positive=True))

    with pytest.raises(InputError, match=message):
        scores.weighted_value(np.array(weights))
