"""Tests for `forebear_lab.learning.ascent`."""

from collections.abc import Callable

import numpy as np
import pytest

from forebear.errors import InputError
from forebear.learning.coordinate_ascent import CoordinateAscent, mean_ndcg, ndcg_of_scores
from forebear.learning.dataset import RankingDataset, TrainingStep
from forebear.learning.starts import STARTS
from forebear_lab.learning.ascent import ExactAscent, LineSearch

MakesRanking = Callable[..., RankingDataset]


@pytest.mark.parametrize("start", STARTS)
def test_every_start_leads_to_weights_that_rank_unseen_queries(
    planted_features: MakesRanking, start: str
) -> None:
    weights, history = ExactAscent(seed=1, start=start).fit(planted_features(1))

    test = planted_features(2)
    assert mean_ndcg(test, weights.values) > mean_ndcg(test, np.full(8, 1 / 8)) + 0.1
    assert weights.as_dict()["f3"] < 0 < weights.as_dict()["f0"]
    assert history.ended == "tolerance"


def test_without_smoothing_it_reaches_at_least_what_ranklibs_steps_reach(
    planted_features: MakesRanking,
) -> None:
    train = planted_features(3)
    exact = ExactAscent(seed=1, start="uniform", smoothing=(0.0,), least_gain=0.0, tolerance=1e-6)

    _, history = exact.fit(train)

    stepped = CoordinateAscent(seed=1, start="uniform", tolerance=1e-6).fit(train)[1]
    assert history.last.train > stepped.last.train - 0.01
    assert history.last.evaluations < stepped.last.evaluations / 10


def test_shrinking_windows_end_without_any(planted_features: MakesRanking) -> None:
    train = planted_features(4)
    one = ExactAscent(seed=1, start="uniform", smoothing=(0.5,), least_gain=0.0).fit(train)[1]

    many = ExactAscent(seed=1, start="uniform", smoothing=(0.5, 0.1, 0.0), least_gain=0.0)

    assert many.fit(train)[1].last.train >= one.last.train


def test_real_features_are_learned_too(planted_features: MakesRanking) -> None:
    weights, history = ExactAscent(seed=1, start="uniform").fit(planted_features(5, binary=False))

    assert mean_ndcg(planted_features(6, binary=False), weights.values) > 0.75
    assert history.last.train > history.steps[0].train + 0.1


def test_the_value_in_the_history_is_that_of_the_returned_weights(
    planted_features: MakesRanking,
) -> None:
    train = planted_features(7)

    weights, history = ExactAscent(seed=1).fit(train)

    assert mean_ndcg(train, weights.values) == pytest.approx(history.last.train, abs=1e-9)


def test_a_weight_never_crosses_its_sign(planted_features: MakesRanking) -> None:
    signs = np.array([1, 1, 1, 1, -1, 1, -1, -1], np.int8)  # f3 wants to be negative

    weights, _ = ExactAscent(seed=1, start="uniform").fit(planted_features(1), signs=signs)

    assert (weights.values * signs >= 0).all()
    assert weights.values[3] == 0.0


def test_the_seed_decides_the_order_and_nothing_else_does(planted_features: MakesRanking) -> None:
    train = planted_features(8)
    first, again, other = (
        ExactAscent(seed=seed, start="uniform").fit(train)[0].as_dict() for seed in (1, 1, 2)
    )

    assert first == again
    assert first != other


def test_the_weights_are_those_that_did_best_on_the_validation_queries(
    planted_features: MakesRanking,
) -> None:
    train, validation = planted_features(9, queries=8), planted_features(10)
    learner = ExactAscent(seed=1, start="uniform", smoothing=(0.0,), least_gain=0.0, tolerance=-1.0)

    weights, history = learner.fit(train, validation=validation)

    best = max(step.validation or 0.0 for step in history.steps)
    assert mean_ndcg(validation, weights.values) == pytest.approx(best, abs=1e-9)
    assert history.ended == "validation"


def test_training_stops_after_the_passes_allowed_and_tells_each(
    planted_features: MakesRanking,
) -> None:
    steps: list[TrainingStep] = []

    _, history = ExactAscent(seed=1, tolerance=-1.0, max_passes=3).fit(
        planted_features(1), progress=steps.append
    )

    assert history.ended == "max_passes"
    assert [step.move for step in history.steps] == ["start", "pass 1", "pass 2", "pass 3"]
    assert tuple(steps) == history.steps


def test_validation_on_other_features_is_refused(planted_features: MakesRanking) -> None:
    other = RankingDataset.from_queries(["a"], [("q", [[1], [0]], [1, 0])])

    with pytest.raises(InputError, match="other features"):
        ExactAscent(seed=1).fit(planted_features(1), validation=other)


START = np.random.default_rng(0).normal(size=8)


@pytest.mark.parametrize("binary", [True, False])
@pytest.mark.parametrize("feature", range(8))
def test_the_gain_reported_for_a_step_is_what_taking_it_gains(
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
