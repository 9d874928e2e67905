"""Tests for `forebear_lab.baselines.merging` and `probfuse`."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forebear.learning.dataset import FusionDataset
from forebear_lab.baselines.merging import (
    Cori,
    NormalizedMerge,
    RoundRobin,
    WeightedRrf,
    cori_scores,
    depths,
    inverse_square_ranks,
    list_priors,
    normalize,
    ranks_in_lists,
)
from forebear_lab.baselines.probfuse import ProbFuse, segment_chances

scored_lists = st.lists(st.integers(0, 6), min_size=1, max_size=4).map(
    lambda sizes: [
        {f"d{number}.{place}": 10.0 / (place + number + 1) for place in range(size)}
        for number, size in enumerate(sizes)
    ]
)


@pytest.mark.parametrize(
    ("norm", "expected"),
    [
        ("none", [8, 4, 2, 3, 1]),
        ("min_max", [1, 1 / 3, 0, 1, 0]),
        ("max", [1, 0.5, 0.25, 1, 1 / 3]),
        ("sum", [8 / 14, 4 / 14, 2 / 14, 0.75, 0.25]),
        ("rank", [1, 2 / 3, 1 / 3, 1, 0.5]),
    ],
)
def test_a_norm_puts_each_list_on_one_scale(
    two_lists: FusionDataset, norm: str, expected: list[float]
) -> None:
    np.testing.assert_allclose(normalize(two_lists, norm), expected)


def test_z_scores_have_mean_0_and_deviation_1_in_each_list(two_lists: FusionDataset) -> None:
    scores = normalize(two_lists, "z")

    for part in (scores[:3], scores[3:]):
        assert part.mean() == pytest.approx(0)
        assert part.std() == pytest.approx(1)


@pytest.mark.parametrize("norm", ["min_max", "z", "max"])
def test_a_list_of_equal_scores_is_at_the_top_of_the_scale(norm: str) -> None:
    lists = {"A": ([0.3, 0.3], [0, 1]), "B": ([5.0], [0])}
    dataset = FusionDataset.from_lists(("A", "B"), [("q", lists)])

    np.testing.assert_allclose(normalize(dataset, norm), [1, 1, 1])


def test_merging_raw_scores_leaves_them_as_they_are(two_lists: FusionDataset) -> None:
    merged = NormalizedMerge(norm="none").fit(two_lists).score(two_lists)

    np.testing.assert_array_equal(merged, two_lists.scores)


def test_inverse_square_ranks_by_hand() -> None:
    lists = [["a", "b"], ["b", "c"]]

    assert inverse_square_ranks(lists)["b"] == pytest.approx(2 * (1 / 4 + 1))
    assert inverse_square_ranks(lists, logarithmic=True)["a"] == pytest.approx(math.log(2))


@given(scored_lists)
def test_isr_and_round_robin_are_one_ranking_on_disjoint_lists(
    lists: list[dict[str, float]],
) -> None:
    documents = [list(scores) for scores in lists]

    weightings = [
        depths(documents),
        inverse_square_ranks(documents),
        inverse_square_ranks(documents, logarithmic=True),
    ]

    assert len({tuple(_groups(scores)) for scores in weightings}) == 1


def _groups(scores: dict[str, float]) -> list[frozenset[str]]:
    """Return the documents best first, those of equal score together."""
    values = sorted(set(scores.values()), reverse=True)
    return [frozenset(d for d, score in scores.items() if score == value) for value in values]


def test_the_round_robin_of_an_experiment_ranks_by_depth(two_lists: FusionDataset) -> None:
    scores = RoundRobin().fit(two_lists).score(two_lists)

    np.testing.assert_allclose(scores, [1 / 61, 1 / 62, 1 / 63, 1 / 61, 1 / 62])
    np.testing.assert_array_equal(ranks_in_lists(two_lists), [1, 2, 3, 1, 2])


@pytest.fixture
def one_sided() -> FusionDataset:
    """Two queries, both with a hit in A; only the first has list B, without a hit."""
    first = {"A": ([2.0, 1.0], [1, 0]), "B": ([3.0, 1.0], [0, 0])}
    second = {"A": ([2.0, 1.0], [0, 1])}
    return FusionDataset.from_lists(("A", "B"), [("q1", first), ("q2", second)])


def test_a_list_is_worth_the_share_of_queries_it_answers(one_sided: FusionDataset) -> None:
    np.testing.assert_allclose(list_priors(one_sided), [3 / 4, 1 / 3])


def test_weighted_rrf_is_prior_over_rank(one_sided: FusionDataset) -> None:
    scores = WeightedRrf().fit(one_sided).score(one_sided)

    np.testing.assert_allclose(scores[:4], [0.75 / 61, 0.75 / 62, 1 / 3 / 61, 1 / 3 / 62])


def test_cori_raises_a_score_by_its_collection() -> None:
    scores = cori_scores(np.array([1.0, 0.5]), np.array([1.0, 0.5]))

    np.testing.assert_allclose(scores, [1.0, (0.5 + 0.4 * 0.25) / 1.4])


def test_cori_ranks_the_better_list_first_at_equal_height(one_sided: FusionDataset) -> None:
    scores = Cori().fit(one_sided).score(one_sided)

    np.testing.assert_allclose(scores[:4], [1.0, 0.0, 1 / 1.4, 0.0])


def test_probfuse_estimates_the_chance_of_each_segment(one_sided: FusionDataset) -> None:
    chances = segment_chances(one_sided, 2)

    np.testing.assert_allclose(chances, [[0.5, 0.5], [0.0, 0.0]])


def test_probfuse_divides_by_the_segment(one_sided: FusionDataset) -> None:
    scores = ProbFuse(segments=2).fit(one_sided).score(one_sided)

    np.testing.assert_allclose(scores, [0.5, 0.25, 0, 0, 0.5, 0.25], atol=1e-8)
