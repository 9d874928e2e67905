"""Tests for `forebear_lab.kernels.fused_order`: merging against sorting."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from forebear_lab.kernels.fused import fused_order

seeds = st.integers(0, 2**32 - 1)


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
