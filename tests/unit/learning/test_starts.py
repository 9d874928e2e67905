"""Tests for `forebear.learning.starts` and the two starts with files of their own."""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from forebear.errors import InputError
from forebear.learning.coordinate_ascent import mean_ndcg
from forebear.learning.dataset import RankingDataset
from forebear.learning.starts import (
    frequency_weights,
    log_odds_weights,
    random_weights,
    ridge_weights,
    softmax_weights,
    start_weights,
    uniform_weights,
)

MakesRanking = Callable[..., RankingDataset]
TOY_FEATURES = np.array([[1, 0, 1, 0], [1, 0, 1, 1], [0, 1, 1, 1], [0, 0, 0, 0]], dtype=bool)
TOY_RELEVANT = np.array([True, True, False, False])


def test_the_toy_data_of_the_paper_gives_the_weights_of_the_paper() -> None:
    weights = frequency_weights(TOY_FEATURES, TOY_RELEVANT)

    np.testing.assert_allclose(weights, [1, 0, 2 / 3, 0.5])
    np.testing.assert_allclose(TOY_FEATURES @ weights, [5 / 3, 13 / 6, 7 / 6, 0])


def test_a_feature_that_never_fires_starts_in_the_middle() -> None:
    weights = frequency_weights(np.zeros((3, 1), dtype=bool), np.array([True, False, True]))

    np.testing.assert_allclose(weights, [0.5])


def test_a_feature_that_speaks_against_a_record_starts_one_lower() -> None:
    signs = np.array([1, -1, -1, 1], np.int8)

    weights = frequency_weights(TOY_FEATURES, TOY_RELEVANT, signs)

    np.testing.assert_allclose(weights, [1, -1, -1 / 3, 0.5])


def test_equal_weights_sum_to_one_and_take_the_signs() -> None:
    np.testing.assert_allclose(uniform_weights(4), [0.25] * 4)
    np.testing.assert_allclose(uniform_weights(2, np.array([1, -1], np.int8)), [0.5, -0.5])


def test_random_weights_come_from_the_seed_and_take_the_signs() -> None:
    first, again, other = (random_weights(50, seed) for seed in (1, 1, 2))
    signs = np.where(np.arange(50) % 2, 1, -1)

    assert first.tolist() == again.tolist() != other.tolist()
    assert -1 <= first.min() < 0 < first.max() <= 1
    assert (random_weights(50, 1, signs) * signs > 0).all()


def test_the_log_odds_of_the_toy_data() -> None:
    weights = log_odds_weights(TOY_FEATURES, TOY_RELEVANT)

    # with one firing and two records more: 3/4 to 1/4, 1/4 to 2/4, 3/4 to 2/4, 2/4 to 2/4
    np.testing.assert_allclose(weights, np.log2([3, 1 / 2, 3 / 2, 1]))


@pytest.mark.parametrize("start", ["customized", "log_odds"])
def test_starts_that_count_firings_refuse_real_numbers(
    planted_features: MakesRanking, start: str
) -> None:
    with pytest.raises(InputError, match=f"the {start} start counts how often features fire"):
        start_weights(start, planted_features(1, binary=False), None, seed=1)


def test_a_start_has_no_weight_against_its_sign(planted_features: MakesRanking) -> None:
    signs = np.array([1, 1, 1, 1, -1, -1, -1, -1])

    weights = start_weights("ridge", planted_features(1), signs, seed=1)

    assert (weights * signs >= 0).all()
    assert weights[3] == 0.0


@pytest.mark.parametrize("binary", [True, False])
@pytest.mark.parametrize("start", ["ridge", "softmax"])
def test_convex_starts_rank_unseen_queries_well(
    planted_features: MakesRanking, start: str, binary: bool
) -> None:
    weights = start_weights(start, planted_features(1, binary=binary), None, seed=1)

    assert mean_ndcg(planted_features(2, binary=binary), weights) > 0.7
    assert weights[3] < 0 < weights[0]


def pairs_loss(data: RankingDataset, weights: NDArray[np.float64]) -> float:
    """Return what the ridge is to make least, pair by pair."""
    total = 0.0
    for first, last in zip(data.offsets[:-1], data.offsets[1:], strict=True):
        x, y = data.features[first:last].astype(float), data.labels[first:last]
        for grade in (1, 2):
            better, worse = x[y >= grade], x[y < grade]
            if len(better) and len(worse):
                gaps = (better[:, None] - worse[None]) @ weights
                total += float(((1 - gaps) ** 2).mean())
    return total


def test_the_ridge_has_the_least_squared_shortfall_over_pairs_of_every_grade() -> None:
    random = np.random.default_rng(5)
    rows = [
        (f"q{n}", random.random((9, 4)) < 0.5, random.choice([0, 0, 1, 2], size=9))
        for n in range(12)
    ]
    data = RankingDataset.from_queries("abcd", [*rows, ("none", [[1, 0, 0, 0]], [0])])

    fitted = ridge_weights(data, ridge=1e-12)

    least = pairs_loss(data, fitted)
    nearby = fitted + 0.02 * random.normal(size=(40, 4))
    assert all(pairs_loss(data, weights) >= least - 1e-9 for weights in nearby)


def test_the_softmax_start_has_the_least_cross_entropy(planted_features: MakesRanking) -> None:
    data = planted_features(3, queries=20)

    def loss(weights: NDArray[np.float64]) -> float:
        scores = (data.features @ weights).reshape(20, 20)
        shares = data.labels.reshape(20, 20) / data.labels.reshape(20, 20).sum(1, keepdims=True)
        logs = scores - np.log(np.exp(scores).sum(1, keepdims=True))
        return float(-(shares * logs).sum() + 5.0 * weights @ weights)

    fitted = softmax_weights(data, ridge=10.0)

    random = np.random.default_rng(1)
    assert all(loss(fitted) <= loss(fitted + 0.05 * random.normal(size=8)) for _ in range(40))


@pytest.mark.parametrize("learn", [ridge_weights, softmax_weights])
def test_a_dataset_without_relevant_records_gives_no_weights(
    learn: Callable[[RankingDataset], NDArray[np.float64]],
) -> None:
    data = RankingDataset.from_queries(["a", "b"], [("q", [[1, 0], [0, 1]], [0, 0])])

    assert learn(data).tolist() == [0.0, 0.0]


def test_other_numbers_than_signs_are_refused() -> None:
    with pytest.raises(InputError, match="signs must be 2 numbers, each 1 or -1"):
        uniform_weights(2, np.array([1, 0], np.int8))


def test_labels_for_other_records_are_refused() -> None:
    with pytest.raises(InputError, match="4 records but 3 labels"):
        frequency_weights(TOY_FEATURES, TOY_RELEVANT[:3])
