"""Tests for `forebear_lab.learning.line_search`: exact, whichever grid it is held against."""

from collections.abc import Callable

import numpy as np
import pytest

from forebear.errors import InputError
from forebear.learning.coordinate_ascent import mean_ndcg, ndcg_of_scores
from forebear.learning.dataset import RankingDataset
from forebear_lab.learning.line_search import LineSearch

MakesRanking = Callable[..., RankingDataset]
START = np.random.default_rng(0).normal(size=8)


@pytest.mark.parametrize("binary", [True, False])
@pytest.mark.parametrize("feature", range(8))
def test_the_gain_told_for_a_step_is_what_taking_it_gains(
    planted_features: MakesRanking, feature: int, binary: bool
) -> None:
    data = planted_features(1, binary=binary)
    line = LineSearch(data, START, cutoff=10)
    before = line.value

    step, gain = line.best_step(feature, spread=line.spread)
    line.take(feature, step)

    assert before == pytest.approx(mean_ndcg(data, START, cutoff=10), abs=1e-9)
    assert line.value - before == pytest.approx(gain, abs=1e-9)
    moved = ndcg_of_scores(data, data.features @ line.weights, cutoff=10)
    assert line.value == pytest.approx(moved, abs=1e-9)


@pytest.mark.parametrize("binary", [True, False])
def test_no_step_of_any_grid_beats_the_one_found(
    planted_features: MakesRanking, binary: bool
) -> None:
    data = planted_features(2, queries=5, binary=binary)
    line = LineSearch(data, START, cutoff=100, bins=100_000)

    for feature in range(8):
        step, gain = line.best_step(feature, spread=line.spread)
        best = line.value + gain
        for tried in np.linspace(-1.5, 1.5, 61) * line.spread:
            weights = line.weights.copy()
            weights[feature] += tried
            assert mean_ndcg(data, weights) <= best + 1e-9, (feature, step)


def test_a_bound_weight_stops_at_zero(planted_features: MakesRanking) -> None:
    data = planted_features(3)
    line = LineSearch(data, START, cutoff=100)

    step, gain = line.best_step(3, spread=line.spread, sign=1)  # its hidden weight is -2

    assert line.weights[3] + step == 0.0
    assert gain > 0


def test_a_weight_at_its_bound_stays_there(planted_features: MakesRanking) -> None:
    start = START.copy()
    start[3] = 0.0
    line = LineSearch(planted_features(3), start, cutoff=100)

    assert line.best_step(3, spread=line.spread, sign=1)[0] >= 0.0
    assert line.best_step(0, spread=line.spread, sign=-1)[0] <= -line.weights[0]


def test_a_feature_that_never_varies_has_no_step() -> None:
    data = RankingDataset.from_queries(["a", "b"], [("q", [[1, 0], [1, 1]], [1, 0])])
    line = LineSearch(data, np.array([0.5, 0.5]), cutoff=100)

    assert line.best_step(0, spread=1.0) == (0.0, 0.0)


def test_a_dataset_without_queries_is_refused() -> None:
    with pytest.raises(InputError, match="without queries"):
        LineSearch(RankingDataset.from_queries(["a"], []), np.ones(1), cutoff=100)
