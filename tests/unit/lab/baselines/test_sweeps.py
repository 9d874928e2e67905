"""Tests for the exact sweep and the two learners that use it."""

import numpy as np
import pytest

from forebear_lab.baselines.fuser import MeasuredLists
from forebear_lab.baselines.sweeps import TwoLists, VogtSweep, WuCombiner, best_shift


def _ndcg_sum(queries: list[TwoLists], shift: float, cutoff: int) -> float:
    total = 0.0
    for one in queries:
        scores = np.concatenate((one.fixed, one.moved + shift))
        worths = np.concatenate((one.fixed_worths, one.moved_worths))
        ranked = worths[np.argsort(-scores, kind="stable")][:cutoff]
        total += float((ranked / np.log2(2 + np.arange(ranked.size))).sum())
    return total


def _random_queries(seed: int) -> list[TwoLists]:
    random = np.random.default_rng(seed)
    queries = []
    for _ in range(6):
        sizes = random.integers(0, 6, 2)
        parts = [np.sort(random.normal(0, 2, size))[::-1] for size in sizes]
        worths = [(random.random(size) < 0.4) * random.random() for size in sizes]
        queries.append(
            TwoLists(fixed=parts[0], fixed_worths=worths[0], moved=parts[1], moved_worths=worths[1])
        )
    return queries


@pytest.mark.parametrize("cutoff", [3, 100])
@pytest.mark.parametrize("seed", range(8))
def test_no_shift_of_a_fine_grid_beats_the_sweep(seed: int, cutoff: int) -> None:
    queries = _random_queries(seed)

    shift, value = best_shift(queries, cutoff=cutoff)

    best = max(_ndcg_sum(queries, t, cutoff) for t in np.linspace(-12, 12, 481) + 1e-7)
    assert value == pytest.approx(_ndcg_sum(queries, shift, cutoff))
    assert value >= best - 1e-12


def test_nothing_to_cross_leaves_a_list_where_it_is() -> None:
    assert best_shift([]) == (0.0, 0.0)


@pytest.mark.parametrize("learner", [VogtSweep(seed=1), WuCombiner(seed=1)])
def test_lists_on_unlike_scales_are_brought_together(learner, make_lists) -> None:
    dataset = make_lists(queries=80)
    measured = MeasuredLists(dataset)

    fitted = learner.fit(dataset)

    raw = measured.ndcg(dataset.scores).mean()
    assert measured.ndcg(fitted.score(dataset)).mean() > raw + 0.1
    weights = list(fitted.weights.values())
    assert weights == sorted(weights, reverse=True)  # the scales rise by factors of 4


def test_two_lists_are_swept_alike_by_both(make_lists) -> None:
    dataset = make_lists(queries=50, lists=2)
    measured = MeasuredLists(dataset)

    values = [
        measured.ndcg(learner.fit(dataset).score(dataset)).mean()
        for learner in (VogtSweep(seed=1), WuCombiner(seed=1))
    ]

    assert values[0] == pytest.approx(values[1])
