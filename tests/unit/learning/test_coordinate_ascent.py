"""Tests for `forebear.learning.coordinate_ascent` and the scores it moves."""

from itertools import pairwise

import numpy as np
import pytest

from forebear.errors import InputError
from forebear.learning.coordinate_ascent import (
    CoordinateAscent,
    LinearScores,
    candidate_weights,
    mean_ndcg,
)
from forebear.learning.dataset import RankingDataset

TOY = RankingDataset.from_queries(
    ["f1", "f2", "f3", "f4"],
    [("q", [[1, 0, 1, 0], [1, 0, 1, 1], [0, 1, 1, 1], [0, 0, 0, 0]], [1, 1, 0, 0])],
)


def planted(seed: int, queries: int = 60) -> RankingDataset:
    """Make records whose relevance depends on hidden weights, some of them negative."""
    random = np.random.default_rng(seed)
    hidden = np.array([3.0, 2.0, 1.0, -2.0, 0.0, 0.5, -1.0, 0.0])
    rows = []
    for number in range(queries):
        features = random.random((20, hidden.size)) < 0.4
        strength = features @ hidden + random.gumbel(size=20)
        rows.append((f"q{number}", features, strength >= np.sort(strength)[-2]))
    return RankingDataset.from_queries([f"f{number}" for number in range(8)], rows)


def test_equal_weights_have_the_tie_averaged_value_of_the_toy_data() -> None:
    assert mean_ndcg(TOY, np.full(4, 0.25)) == pytest.approx(0.8066, abs=5e-5)


def test_the_customized_start_is_perfect_on_the_toy_data_before_any_step() -> None:
    _, history = CoordinateAscent(seed=1, start="customized").fit(TOY)

    assert history.steps[0].move == "start"
    assert history.steps[0].train == pytest.approx(1.0)


def test_equal_weights_reach_the_best_order_of_the_toy_data() -> None:
    weights, history = CoordinateAscent(seed=1, start="uniform").fit(TOY)

    assert history.last.train == pytest.approx(1.0)
    assert weights.names == TOY.feature_names


@pytest.mark.parametrize("start", ["uniform", "customized"])
def test_training_improves_on_its_start_and_on_unseen_queries(start: str) -> None:
    train, test = planted(1), planted(2)

    weights, history = CoordinateAscent(seed=1, start=start).fit(train)

    assert history.last.train > history.steps[0].train + 0.05
    assert mean_ndcg(test, weights.values) > mean_ndcg(test, np.full(8, 1 / 8)) + 0.05
    assert weights.as_dict()["f3"] < 0 < weights.as_dict()["f0"]


def test_the_value_in_the_history_is_that_of_the_returned_weights() -> None:
    train = planted(3)

    weights, history = CoordinateAscent(seed=1).fit(train)

    assert max(step.train for step in history.steps) == mean_ndcg(train, weights.values)


def test_no_pass_loses_what_the_last_one_gained() -> None:
    _, history = CoordinateAscent(seed=1, tolerance=0.0).fit(planted(4))

    values = [step.train for step in history.steps]
    assert all(later >= earlier - 1e-6 for earlier, later in pairwise(values))


def test_the_value_does_not_depend_on_a_common_factor_of_the_weights() -> None:
    train = planted(5)
    weights = np.random.default_rng(5).normal(size=8)

    assert mean_ndcg(train, 17 * weights) == mean_ndcg(train, weights)


def test_a_weight_never_crosses_its_sign() -> None:
    signs = np.array([1, 1, 1, 1, -1, 1, -1, -1], np.int8)  # f3 wants to be negative

    weights, _ = CoordinateAscent(seed=1).fit(planted(1), signs=signs)

    assert (weights.values * signs >= 0).all()
    assert weights.values[3] == 0.0


def test_the_seed_decides_the_order_and_nothing_else_does() -> None:
    train = planted(6)
    first, again, other = (CoordinateAscent(seed=seed).fit(train)[0] for seed in (1, 1, 2))

    assert first.as_dict() == again.as_dict()
    assert first.as_dict() != other.as_dict()


def test_the_weights_are_those_that_did_best_on_the_validation_queries() -> None:
    train, validation = planted(7, queries=8), planted(8)

    weights, history = CoordinateAscent(seed=1, tolerance=0.0, max_passes=20).fit(
        train, validation=validation
    )

    best = max(step.validation or 0.0 for step in history.steps)
    assert mean_ndcg(validation, weights.values) == best


def test_training_stops_when_validation_no_longer_improves() -> None:
    train, validation = planted(7, queries=8), planted(8)

    _, history = CoordinateAscent(seed=1, tolerance=-1.0, patience=2).fit(
        train, validation=validation
    )

    values = [step.validation or 0.0 for step in history.steps]
    assert history.ended == "validation"
    assert len(values) - 1 - int(np.argmax(values)) == 2


def test_training_stops_after_the_passes_allowed() -> None:
    _, history = CoordinateAscent(seed=1, tolerance=-1.0, max_passes=3).fit(planted(1))

    assert history.ended == "max_passes"
    assert [step.move for step in history.steps] == ["start", "pass 1", "pass 2", "pass 3"]


def test_training_stops_with_the_step_that_reaches_a_target() -> None:
    dataset = planted(1)
    _, whole = CoordinateAscent(seed=1, start="uniform").fit(dataset)
    target = whole.steps[1].train - 0.01

    weights, history = CoordinateAscent(seed=1, start="uniform", target=target).fit(dataset)

    assert history.ended == "target"
    assert history.last.train == pytest.approx(mean_ndcg(dataset, weights.values))
    assert target <= history.last.train
    assert history.last.evaluations < whole.steps[1].evaluations


def test_training_may_start_from_given_weights_which_the_signs_bound() -> None:
    start = np.array([-1.0, 1, 1, 1, 1, 1, 1, 1])
    signs = np.ones(8, np.int8)

    _, history = CoordinateAscent(seed=1, start=start).fit(planted(1), signs=signs)

    assert history.steps[0].train == mean_ndcg(planted(1), np.maximum(start, 0))


def test_the_steps_up_are_those_of_ranklib() -> None:
    up, down, out = candidate_weights(0.25)

    np.testing.assert_allclose(up[:3], [0.251, 0.253, 0.257], atol=1e-10)
    np.testing.assert_allclose(down[:3], [0.249, 0.247, 0.243], atol=1e-10)
    assert up.size == down.size == 25
    assert up[-1] == pytest.approx(0.25 + 0.001 * (2**25 - 1))
    assert out.tolist() == [0.0]


def test_a_small_weight_takes_steps_of_its_own_size_in_both_directions() -> None:
    up, down, _ = candidate_weights(0.001)

    np.testing.assert_allclose([up[0], down[0]], [0.00105, 0.00095], atol=1e-10)


def test_candidates_beyond_zero_are_zero_once() -> None:
    _, down, _ = candidate_weights(0.01, sign=1)

    np.testing.assert_allclose(down, [0.009, 0.007, 0.003, 0.0], atol=1e-10)


def test_a_weight_at_its_bound_can_only_leave_it_the_allowed_way() -> None:
    assert [part.size for part in candidate_weights(0.0, sign=-1)] == [25]
    assert all((part < 0).all() for part in candidate_weights(0.0, sign=-1))


def test_a_trial_has_the_value_that_taking_the_weight_would_give() -> None:
    train = planted(9)
    scores = LinearScores(train, np.random.default_rng(9).normal(size=8), cutoff=10)
    candidates = np.array([-0.51, 0.0, 0.13, 2.3])

    tried = scores.values_at(3, candidates)

    for candidate, value in zip(candidates, tried, strict=True):
        weights = scores.weights.copy()
        weights[3] = candidate
        assert mean_ndcg(train, weights, cutoff=10) == pytest.approx(value, abs=1e-9)


def test_an_unknown_start_is_refused() -> None:
    with pytest.raises(InputError, match="no start is called 'lucky'"):
        CoordinateAscent(seed=1, start="lucky").fit(TOY)


def test_given_weights_of_another_number_are_refused() -> None:
    with pytest.raises(InputError, match="3 weights to start from, but 4 features"):
        CoordinateAscent(seed=1, start=np.ones(3)).fit(TOY)


def test_validation_on_other_features_is_refused() -> None:
    with pytest.raises(InputError, match="other features"):
        CoordinateAscent(seed=1).fit(TOY, validation=planted(1))


def test_a_dataset_without_queries_is_refused() -> None:
    with pytest.raises(InputError, match="without queries"):
        CoordinateAscent(seed=1).fit(RankingDataset.from_queries(["a"], []))


def test_weights_of_another_number_cannot_be_measured() -> None:
    with pytest.raises(InputError, match="3 weights for 4 features"):
        mean_ndcg(TOY, np.ones(3))
