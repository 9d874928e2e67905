"""Tests for `forebear.kernels.fused_ndcg`: ranks by binary search against ranks by sorting."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import ArrayLike, NDArray

from forebear.errors import InputError
from forebear.learning.dataset import FusionDataset
from forebear.learning.fused_scores import FusedScores
from forebear_lab.evaluation.measures.ndcg import expected_ndcg

NAMES = ("baptism", "burial", "census")
seeds = st.integers(0, 2**32 - 1)
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
    ("weights", "message"), [([1.0, 0.0, 1.0], "turned around"), ([1.0], "1 weights for 3 lists")]
)
def test_weights_that_cannot_multiply_are_refused(weights: list[float], message: str) -> None:
    scores = FusedScores(random_lists(np.random.default_rng(1), grid=None, positive=True))

    with pytest.raises(InputError, match=message):
        scores.weighted_value(np.array(weights))
