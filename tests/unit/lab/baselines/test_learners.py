"""Tests for the baselines: each against a value by hand or by brute force, and all learn."""

import builtins
import math
from itertools import product

import numpy as np
import pytest

from forebear.errors import InputError
from forebear.learning.dataset import FusionDataset
from forebear_lab.baselines.ada_rank import AdaRank, choice_weight
from forebear_lab.baselines.ascents import FusedAscent
from forebear_lab.baselines.cossock_zhang import CossockZhang, _Loss
from forebear_lab.baselines.fuser import MeasuredLists
from forebear_lab.baselines.lambda_merge import GatedNetwork, LambdaMerge
from forebear_lab.baselines.list_net import ListLoss, ListNet
from forebear_lab.baselines.networks import Adam, Network, lambda_pulls
from forebear_lab.baselines.rank_boost import (
    RankBoost,
    list_thresholds,
    pair_merits,
    steps_of,
)
from forebear_lab.baselines.rank_net import OpponentSampler, RankNet
from forebear_lab.baselines.rank_svm_weights import RankSvmWeights
from forebear_lab.baselines.trees import LambdaMart, Mart, RandomForest, sparse_columns

LEARNERS = [
    CossockZhang(seed=1),
    FusedAscent(seed=1),
    LambdaMart(seed=1, trees=15),
    LambdaMerge(seed=1, rounds=60),
    ListNet(seed=1),
    ListNet(seed=1, target="shares"),
    Mart(seed=1, trees=15),
    RandomForest(seed=1, trees=15),
    RankBoost(seed=1, rounds=200),
    RankNet(seed=1, rounds=120),
    RankSvmWeights(seed=1),
]


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda one: type(one).__name__)
def test_a_learner_does_better_than_raw_scores_on_queries_it_has_not_seen(
    learner, make_lists
) -> None:
    train, test = make_lists(queries=150, seed=1), make_lists(queries=150, seed=2)
    measured = MeasuredLists(test)

    fitted = learner.fit(train)

    assert measured.ndcg(fitted.score(test)).mean() > measured.ndcg(test.scores).mean() + 0.05
    assert fitted.curve[-1].train > measured.ndcg(test.scores).mean()
    assert fitted.settings


@pytest.mark.parametrize("learner", [FusedAscent(seed=4), RankNet(seed=4, rounds=5)])
def test_the_same_seed_gives_the_same_scores(learner, make_lists) -> None:
    dataset = make_lists(queries=20)

    first, second = (learner.fit(dataset).score(dataset) for _ in range(2))

    np.testing.assert_array_equal(first, second)


def _slope(function, point: np.ndarray) -> np.ndarray:
    steps = np.eye(point.size) * 1e-6
    return np.array([(function(point + s) - function(point - s)) / 2e-6 for s in steps])


@pytest.mark.parametrize("target", ["softmax", "shares"])
def test_the_gradient_of_listnet_is_its_slope(target, make_lists) -> None:
    loss = ListLoss(make_lists(queries=5), target)
    point = np.array([0.3, -0.2, 0.5])

    _, gradient = loss.value(point)

    np.testing.assert_allclose(gradient, _slope(lambda w: loss.value(w)[0], point), atol=1e-6)


def test_listnets_loss_at_0_is_the_log_of_the_number_of_records(two_lists) -> None:
    loss = ListLoss(two_lists, "softmax")

    assert loss.value(np.zeros(2))[0] == pytest.approx(math.log(5))


def test_the_gradient_of_the_regression_is_its_slope(make_lists) -> None:
    loss = _Loss(make_lists(queries=5), top=3, threshold=0.1)
    point = np.linspace(-0.2, 0.4, 6)

    _, gradient = loss.value(point)

    slope = _slope(lambda parameters: loss.value(parameters)[0], point)
    np.testing.assert_allclose(gradient, slope, rtol=1e-4, atol=1e-4)


def test_adarank_weighs_a_choice_by_how_right_it_is() -> None:
    assert choice_weight(np.array([0.5, 0.5]), np.array([0.6, 0.2])) == pytest.approx(
        0.5 * math.log(1.4 / 0.6)
    )


def test_adarank_takes_the_better_of_two_lists_first(two_lists) -> None:
    fitted = AdaRank(seed=1, rounds=1).fit(two_lists)

    # alone, B puts its relevant record first and ties the rest; A puts its own second
    assert fitted.weights["A"] == 0
    assert fitted.weights["B"] > 0


def test_rankboosts_merit_is_the_weighted_share_of_pairs(two_lists) -> None:
    right = np.array([[0.0, 1.0, 1.0]])  # one relevant record in steps 1 and 2 each
    wrong = np.array([[2.0, 1.0, 0.0]])
    heights = np.array([0.1, -0.2, 0.4])

    merits = pair_merits(heights, right, wrong)

    weights = {
        (r, w): right[0, r] * wrong[0, w] * math.exp(heights[w] - heights[r])
        for r, w in product(range(3), repeat=2)
    }
    total = sum(weights.values())
    expected = [
        sum(v * ((r == step) - (w == step)) for (r, w), v in weights.items()) / total
        for step in range(3)
    ]
    np.testing.assert_allclose(merits, expected)


def test_a_step_counts_the_thresholds_below_a_score(two_lists) -> None:
    borders = np.array([[2.5, 5.0], [0.5, np.inf]])

    np.testing.assert_array_equal(steps_of(two_lists, borders), [2, 1, 0, 3 + 1, 3 + 1])
    assert list_thresholds(two_lists, 4).shape == (2, 4)


def test_the_gradient_of_a_network_is_its_slope() -> None:
    random = np.random.default_rng(1)
    network = Network(inputs=3, hidden=2)
    rows, pulls = random.normal(size=(4, 3)), random.normal(size=4)
    point = network.start(random)

    gradient = network.gradient(point, rows, pulls)

    slope = _slope(lambda parameters: float(pulls @ network.predict(parameters, rows)), point)
    np.testing.assert_allclose(gradient, slope, atol=1e-6)


def test_adam_goes_down_a_bowl() -> None:
    adam, point = Adam(2, rate=0.1), np.array([3.0, -2.0])

    for _ in range(300):
        point = adam.step(point, 2 * point)

    assert np.abs(point).max() < 0.01


def test_rivals_are_irrelevant_records_of_the_same_query(make_lists) -> None:
    dataset = make_lists(queries=10)
    bounds = dataset.offsets[:: len(dataset.list_names)]

    better, worse = OpponentSampler(dataset).sample(20, np.random.default_rng(1))

    assert (dataset.labels[better] > 0).all()
    assert (dataset.labels[worse] == 0).all()
    sides = [np.searchsorted(bounds, rows, side="right") for rows in (better, worse)]
    np.testing.assert_array_equal(*sides)


def test_a_pair_pulls_by_the_ndcg_that_swapping_it_changes() -> None:
    scores, labels = np.array([2.0, 1.0]), np.array([0, 1])

    pulls = lambda_pulls(scores, labels, np.array([0, 2]))

    changed = 1 - 1 / math.log2(3)
    doubt = 1 / (1 + 1.0 / 2.0)  # 1 / (1 + s_r / s_o)
    np.testing.assert_allclose(pulls, [changed * doubt, -changed * doubt])


def test_the_gradient_of_the_merge_is_the_slope_of_log_scores(make_lists) -> None:
    dataset = make_lists(queries=4)
    merge = GatedNetwork(dataset, hidden=2)
    random = np.random.default_rng(2)
    point = merge.start(random) + random.normal(0, 0.1, merge.start(random).size)
    inputs, pulls = merge.inputs(dataset), random.normal(size=dataset.scores.size)

    gradient = merge.gradient(point, inputs, pulls)

    slope = _slope(lambda p: float(pulls @ np.log(merge.predict(p, inputs))), point)
    np.testing.assert_allclose(gradient, slope, rtol=1e-4, atol=1e-5)


def test_trees_see_one_column_a_list(two_lists) -> None:
    expected = [[8, 0], [4, 0], [2, 0], [0, 3], [0, 1]]

    np.testing.assert_array_equal(sparse_columns(two_lists).toarray(), expected)


def test_a_missing_lightgbm_is_reported_with_its_remedy(
    make_lists, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = builtins.__import__

    def without(name: str, *rest: object) -> object:
        if name == "lightgbm":
            raise ImportError(name)
        return original(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)

    with pytest.raises(InputError, match=r"pip install 'forebear\[lab\]'"):
        Mart(seed=1).fit(make_lists(queries=5))


def test_ascent_finds_what_a_grid_of_two_weights_finds(make_lists) -> None:
    dataset = make_lists(queries=60, lists=2)
    measured = MeasuredLists(dataset)

    fitted = FusedAscent(seed=1).fit(dataset)

    def at(shift: float) -> float:
        return float(measured.ndcg(np.log2(dataset.scores) + shift * _second(dataset)).mean())

    best = max(at(shift) for shift in np.linspace(-6, 6, 601) + 1e-9)
    assert measured.ndcg(fitted.score(dataset)).mean() >= best - 0.02


def _second(dataset: FusionDataset) -> np.ndarray:
    return (dataset.lists_of_records() == 1).astype(float)
