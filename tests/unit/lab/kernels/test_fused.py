"""Tests for `forebear_lab.kernels.fused`: NDCG along a shift, and the fused order."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import ArrayLike

from forebear.learning.dataset import FusionDataset
from forebear.learning.stochastic_search import FusedScores
from forebear_lab.kernels.fused import fused_order
from forebear_lab.learning.fusion_search import FusedLineSearch

NAMES = ("a", "b", "c", "d")
seeds = st.integers(0, 2**32 - 1)


def random_lists(seed: int, *, grid: int | None) -> FusionDataset:
    random = np.random.default_rng(seed)

    def one_list() -> tuple[ArrayLike, ArrayLike]:
        size = random.integers(0, 8)
        scores = random.normal(0, 1, size)
        scores = np.round(scores * grid) / grid if grid else scores
        return scores, random.choice([0, 0, 0, 1, 2], size=size)

    return FusionDataset.from_lists(
        NAMES, [(f"q{n}", {name: one_list() for name in NAMES}) for n in range(8)]
    )


@given(seeds, st.sampled_from([None, 4]), st.integers(1, 12), st.integers(0, 3))
@settings(deadline=None, max_examples=60)
def test_the_gain_reported_for_a_step_is_what_taking_it_gains(
    seed: int, grid: int | None, cutoff: int, name: int
) -> None:
    dataset = random_lists(seed, grid=grid)
    start = np.round(np.random.default_rng(seed).normal(0, 1, 4) * 4) / 4
    line = FusedLineSearch(dataset, start, cutoff=cutoff, bins=64)
    before = line.value

    step, gain = line.best_step(name, line.everywhere)
    line.take(name, step, line.everywhere)

    after = FusedScores(dataset, cutoff=cutoff).value(line.shifts[0])
    assert line.value == pytest.approx(after, abs=1e-12)
    assert after - before == pytest.approx(gain, abs=1e-12)


@given(seeds, st.integers(0, 3))
@settings(deadline=None, max_examples=40)
def test_no_step_of_any_grid_beats_the_one_found(seed: int, name: int) -> None:
    dataset = random_lists(seed, grid=None)
    scores = FusedScores(dataset)
    line = FusedLineSearch(dataset, np.zeros(4), cutoff=100, bins=20_000)

    step, _ = line.best_step(name, line.everywhere)

    best = scores.value(np.eye(4)[name] * step)
    tried = np.linspace(-1.9, 1.9, 41) * line.spread
    assert all(best >= scores.value(np.eye(4)[name] * t) - 1e-12 for t in tried)


@given(seeds)
@settings(deadline=None, max_examples=40)
def test_a_list_moves_only_in_the_queries_that_are_meant(seed: int) -> None:
    dataset = random_lists(seed, grid=4)
    marked = np.random.default_rng(seed).random(8) < 0.5
    rows = np.zeros((8, 4))
    line = FusedLineSearch(dataset, rows, cutoff=10, bins=64)
    numbers = line.numbers_of(marked)
    before = line.value

    step, gain = line.best_step(1, numbers)
    line.take(1, step, numbers)

    after = FusedScores(dataset, cutoff=10).value(line.shifts)
    assert after - before == pytest.approx(gain, abs=1e-12)
    assert not line.shifts[~marked].any()


def test_a_pull_makes_a_far_step_cost() -> None:
    lists = FusionDataset.from_lists(
        ["a", "b"], [("q", {"a": ([3.0, 2.0], [0, 0]), "b": ([0.0], [1])})]
    )
    line = FusedLineSearch(lists, np.zeros(2), cutoff=100)

    free, _ = line.best_step(1, line.everywhere)
    limited, _ = line.best_step(1, line.everywhere, pull=10.0)

    assert free > 2.0
    assert abs(limited) < 0.1


def random_cells(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:  # type: ignore[type-arg]
    """Make 5 queries of 3 lists: scores, offsets, shifts and where 6 records of each go."""
    random = np.random.default_rng(seed)
    offsets = np.concatenate(([0], np.cumsum(random.integers(0, 6, size=15))))
    scores = random.normal(size=offsets[-1])
    for cell in range(15):
        part = slice(offsets[cell], offsets[cell + 1])
        scores[part] = -np.sort(-scores[part])
    lengths = np.minimum(np.diff(offsets[::3]), 6)
    return scores, offsets, random.normal(size=(1, 3)), np.concatenate(([0], np.cumsum(lengths)))


@given(seeds)
@settings(deadline=None, max_examples=50)
def test_without_decay_the_order_is_that_of_the_fused_scores(seed: int) -> None:
    scores, offsets, shifts, bounds = random_cells(seed)

    order = fused_order(scores, offsets, shifts, bounds, 0.0)

    lists = np.repeat(np.arange(15) % 3, np.diff(offsets))
    fused = scores + shifts[0, lists]
    for query in range(5):
        first, last = offsets[query * 3], offsets[query * 3 + 3]
        expected = first + np.argsort(-fused[first:last])[:6]
        assert order[bounds[query] : bounds[query + 1]].tolist() == expected.tolist()


@given(seeds, st.floats(0.01, 3))
@settings(deadline=None, max_examples=50)
def test_with_decay_each_place_goes_to_the_best_that_is_left(seed: int, decay: float) -> None:
    scores, offsets, shifts, bounds = random_cells(seed)

    order = fused_order(scores, offsets, shifts, bounds, decay)

    for query in range(5):
        taken = [0, 0, 0]
        for record in order[bounds[query] : bounds[query + 1]]:
            heads = [offsets[query * 3 + name] + taken[name] for name in range(3)]
            values = [
                scores[head] + shifts[0, name] - decay * taken[name]
                if head < offsets[query * 3 + name + 1]
                else -np.inf
                for name, head in enumerate(heads)
            ]
            best = int(np.argmax(values))
            assert record == heads[best]
            taken[best] += 1
