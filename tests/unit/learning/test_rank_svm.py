"""Tests for `forebear.learning.rank_svm`."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray

from forebear.errors import InputError
from forebear.learning.dataset import FusionDataset
from forebear.learning.rank_svm import RankSvm, fit_pairs


def shifted_lists(seed: int, queries: int = 200) -> FusionDataset:
    """Make lists of which the second is scored 3 bits too high, and the third 1 too low."""
    random = np.random.default_rng(seed)

    def one_list(error: float) -> tuple[ArrayLike, ArrayLike]:
        labels = (random.random(15) < 0.1).astype(np.int64)
        return 2 * labels + random.normal(size=15) + error, labels

    names = {"a": 0.0, "b": 3.0, "c": -1.0}
    return FusionDataset.from_lists(
        list(names),
        [
            (f"q{n}", {name: one_list(error) for name, error in names.items()})
            for n in range(queries)
        ],
    )


def test_the_shifts_undo_what_was_wrong_with_the_lists() -> None:
    shifts = RankSvm(seed=1).fit(shifted_lists(1))

    np.testing.assert_allclose(shifts[1:] - shifts[0], [-3, 1], atol=0.4)


def test_the_weights_are_where_the_loss_is_least() -> None:
    random = np.random.default_rng(2)
    pairs = random.normal(0.3, 1, size=(200, 3))

    def loss(weights: NDArray[np.float64]) -> float:
        short = np.maximum(0, 1 - pairs @ weights)
        return float(weights @ weights / 2 + 5 * np.mean(short**2))

    fitted = fit_pairs(pairs, cost=5.0)

    nearby = fitted + 0.01 * random.normal(size=(50, 3))
    assert all(loss(fitted) <= loss(weights) for weights in nearby)


def test_the_seed_decides_which_pairs_are_drawn() -> None:
    lists = shifted_lists(3, queries=50)
    first, again, other = (
        RankSvm(seed=seed, query_count=20, opponents=5).fit(lists) for seed in (1, 1, 2)
    )

    assert first.tolist() == again.tolist()
    assert first.tolist() != other.tolist()


def test_weights_undo_what_was_wrong_with_positive_scores() -> None:
    lists = shifted_lists(4)
    positive = replace(lists, scores=np.exp2(lists.scores / 4))

    weights = RankSvm(seed=1).fit_weights(positive)

    assert weights.mean() == pytest.approx(1)
    assert weights[1] < weights[0] < weights[2]


def test_a_list_that_would_be_turned_around_gets_a_small_weight() -> None:
    lists = FusionDataset.from_lists(
        ["a", "b"], [(f"q{n}", {"a": ([2.0, 1.0], [1, 0]), "b": ([9.0], [0])}) for n in range(9)]
    )

    weights = RankSvm(seed=1).fit_weights(lists)

    assert 0 < weights[1] <= weights[0] / 10


def test_scores_that_mislead_give_no_shifts() -> None:
    lists = FusionDataset.from_lists(
        ["a", "b"], [(f"q{n}", {"a": ([2.0, 1.0], [0, 1]), "b": ([2.0], [0])}) for n in range(5)]
    )

    assert RankSvm(seed=1).fit(lists).tolist() == [0.0, 0.0]


def test_lists_without_a_pair_give_no_shifts() -> None:
    lists = FusionDataset.from_lists(["a"], [("q", {"a": ([1.0], [1])})])

    assert RankSvm(seed=1).fit(lists).tolist() == [0.0]


def test_a_machine_without_queries_is_refused() -> None:
    with pytest.raises(InputError, match="at least 1 query"):
        RankSvm(seed=1, query_count=0).fit(shifted_lists(1, queries=2))


@pytest.mark.parametrize("cost", [0.01, 1.0, 100.0])
def test_weights_are_those_of_scikit_learns_linear_svm_on_pairs(cost: float) -> None:
    from sklearn.svm import LinearSVC

    random = np.random.default_rng(5)
    differences = random.normal([0.8, 0.3, -0.2, 0.0, 0.1], 1.0, (400, 5))
    # A classifier needs two classes, so every other pair is reversed.  Without an intercept this
    # is the same problem.
    signs = np.where(np.arange(400) % 2, 1.0, -1.0)
    machine = LinearSVC(
        C=cost, loss="squared_hinge", fit_intercept=False, dual=False, tol=1e-8, max_iter=100_000
    ).fit(differences * signs[:, None], signs)

    weights = fit_pairs(differences, cost=cost * len(differences))

    np.testing.assert_allclose(weights, machine.coef_[0], rtol=1e-3, atol=1e-4)
