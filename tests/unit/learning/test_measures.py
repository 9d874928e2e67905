"""Tests for `forebear.learning.measures`, against the scalar measures and scikit-learn."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import ndcg_score

from forebear.errors import InputError
from forebear.learning.measures import (
    compare,
    k_folds,
    nce_of_arrays,
    ndcg_of_arrays,
    pair_differences,
    split_groups,
)
from forebear_lab.evaluation.measures.entropy import Ideal, nce
from forebear_lab.evaluation.measures.ndcg import Gain, expected_ndcg, ideal_dcg

seeds = st.integers(0, 2**32 - 1)
cutoffs = st.none() | st.integers(1, 12)


class Queries:
    """Some random queries; few distinct scores, so that ties are common."""

    def __init__(self, seed: int, *, least: int = 0) -> None:
        random = np.random.default_rng(seed)
        self.offsets = np.cumsum([0, *random.integers(least, 13, size=6)])
        count = int(self.offsets[-1])
        self.scores = random.integers(-3, 4, size=count) / 4
        self.distinct = random.permutation(count) / 8
        self.grades = random.choice([0, 0, 0, 1, 2], size=count)
        self.types = random.integers(0, 4, size=count)
        self.spare = random.integers(0, 3, size=(6, 5))

    def split(self, values: np.ndarray) -> list[list[float]]:
        return [part.tolist() for part in np.split(values, self.offsets[1:-1])]


@given(seeds, cutoffs)
@settings(deadline=None)
def test_ndcg_from_arrays_is_the_scalar_one(seed: int, cutoff: int | None) -> None:
    data = Queries(seed)

    values = ndcg_of_arrays(data.scores, data.grades, data.offsets, cutoff=cutoff)

    lists = zip(data.split(data.scores), data.split(data.grades), strict=True)
    expected = [expected_ndcg(scores, grades, cutoff=cutoff) for scores, grades in lists]
    np.testing.assert_allclose(values, expected, atol=1e-12)


@pytest.mark.parametrize("gain", ["linear", "exponential"])
@given(seed=seeds, cutoff=cutoffs)
@settings(deadline=None, max_examples=30)
def test_ndcg_is_that_of_scikit_learn(seed: int, cutoff: int | None, gain: Gain) -> None:
    data = Queries(seed, least=2)

    values = ndcg_of_arrays(data.scores, data.grades, data.offsets, cutoff=cutoff, gain=gain)

    for value, scores, grades in zip(
        values, data.split(data.scores), data.split(data.grades), strict=True
    ):
        gains = [float(g if gain == "linear" else 2**g - 1) for g in grades]
        assert value == pytest.approx(ndcg_score([gains], [scores], k=cutoff))


def test_documents_that_were_judged_elsewhere_are_in_the_ideal_given() -> None:
    values = ndcg_of_arrays([2.0, 1.0], [1, 0], [0, 2], ideals=[ideal_dcg([1, 1])])

    assert values == pytest.approx([1 / ideal_dcg([1, 1])])


@pytest.mark.parametrize("score_type", [np.float32, np.float64, np.int64])
@pytest.mark.parametrize("grade_type", [np.int8, np.bool_, np.float32])
def test_numbers_of_any_type_are_taken(score_type: type, grade_type: type) -> None:
    scores, grades = np.array([1, 3, 2], score_type), np.array([0, 1, 1], grade_type)

    assert ndcg_of_arrays(scores, grades, [0, 3]) == pytest.approx([1.0])


def test_a_relevant_document_without_a_score_is_refused() -> None:
    with pytest.raises(InputError, match="a score that is not a number"):
        ndcg_of_arrays([np.nan, 1.0], [1, 0], [0, 2])


def test_ideals_that_do_not_fit_are_refused() -> None:
    with pytest.raises(InputError, match="1 ideals for 2 queries"):
        ndcg_of_arrays([1.0, 1.0], [1, 1], [0, 1, 2], ideals=[1.0])


@pytest.mark.parametrize("ideal", ["paper", "hits", "supply"])
@pytest.mark.parametrize("given_supply", [False, True])
@given(seed=seeds, cutoff=cutoffs)
@settings(deadline=None, max_examples=30)
def test_nce_from_arrays_is_the_scalar_one(
    seed: int, cutoff: int | None, ideal: Ideal, given_supply: bool
) -> None:
    data = Queries(seed)
    lists = data.split(data.types)
    supply = data.spare + [[types.count(name) for name in range(5)] for types in lists]

    values = nce_of_arrays(
        data.types,
        data.offsets,
        type_count=5,
        cutoff=cutoff,
        ideal=ideal,
        supply=supply if given_supply else None,
    )

    expected = [
        nce(
            types,
            type_count=5,
            cutoff=cutoff,
            ideal=ideal,
            supply=dict(enumerate(supply[query].tolist())) if given_supply else None,
        )
        for query, types in enumerate(lists)
    ]
    np.testing.assert_allclose(values, expected, atol=1e-12)


@pytest.mark.parametrize("offsets", [[], [0, 1], [1, 2], [0, 2, 1, 2], [[0, 2]]])
def test_offsets_that_do_not_fit_are_refused(offsets: list[int]) -> None:
    with pytest.raises(InputError, match="do not divide 2 documents"):
        ndcg_of_arrays([1.0, 2.0], [0, 1], offsets)


def test_grades_that_do_not_fit_are_refused() -> None:
    with pytest.raises(InputError, match="2 scores but 1 grades"):
        ndcg_of_arrays([1.0, 2.0], [0], [0, 2])


@pytest.mark.parametrize(
    ("type_count", "message"), [(None, "how many types"), (1, "2 types in the list, but only 1")]
)
def test_types_that_could_not_appear_are_refused(type_count: int | None, message: str) -> None:
    with pytest.raises(InputError, match=message):
        nce_of_arrays([0, 1], [0, 2], type_count=type_count)


def test_more_of_a_type_than_there_is_is_refused() -> None:
    with pytest.raises(InputError, match="more records of a type than its supply"):
        nce_of_arrays([0, 0], [0, 2], ideal="supply", supply=[[1, 5]])


QUERIES = [f"q{number}" for number in range(200)]


def named(values: list[float]) -> dict[str, float]:
    return dict(zip(QUERIES, values, strict=False))


def noise(seed: int, center: float) -> list[float]:
    draws = np.random.default_rng(seed).standard_normal(len(QUERIES))
    return [center + 0.1 * float(draw) for draw in draws]


def test_the_difference_is_the_mean_over_queries_of_after_minus_before() -> None:
    comparison = compare(named([0.1, 0.5]), named([0.4, 0.6]), seed=1)

    assert comparison.difference == pytest.approx(0.2)
    assert comparison.query_count == 2


def test_the_interval_of_the_mean_is_that_of_the_normal_approximation() -> None:
    after = noise(3, 0.05)
    error = np.std(after) / np.sqrt(len(after))

    comparison = compare(named([0.0] * 200), named(after), seed=1)

    assert comparison.low == pytest.approx(np.mean(after) - 1.96 * error, abs=0.1 * error)
    assert comparison.high == pytest.approx(np.mean(after) + 1.96 * error, abs=0.1 * error)


def test_a_clear_difference_is_decided_and_mere_noise_is_not() -> None:
    nothing = named([0.0] * 200)

    assert compare(nothing, named(noise(3, 0.05)), seed=1).decided
    assert not compare(nothing, named(noise(4, 0.0)), seed=1).decided


def test_the_same_seed_gives_the_same_interval_whatever_the_order_of_queries() -> None:
    before, after = named(noise(1, 0.5)), named(noise(2, 0.5))
    backwards = dict(reversed(after.items()))

    assert compare(before, after, seed=7) == compare(before, backwards, seed=7)


def test_many_queries_are_resampled_in_parts_that_make_one_answer() -> None:
    values = {f"q{number}": float(number % 2) for number in range(10_000)}
    nothing = dict.fromkeys(values, 0.0)

    comparison = compare(nothing, values, seed=1, resamples=1000)

    assert comparison.low == pytest.approx(0.5 - 1.96 * 0.005, abs=0.001)


def test_rankings_measured_on_different_queries_are_refused() -> None:
    with pytest.raises(InputError, match="only one of the two rankings was measured on query 'q1'"):
        compare({"q0": 1.0}, {"q0": 1.0, "q1": 0.5}, seed=1)


def test_no_queries_are_refused() -> None:
    with pytest.raises(InputError, match="no query to compare on"):
        compare({}, {}, seed=1)


@pytest.mark.parametrize(("resamples", "confidence"), [(0, 0.95), (10, 0.0), (10, 1.0)])
def test_settings_that_give_no_interval_are_refused(resamples: int, confidence: float) -> None:
    with pytest.raises(InputError, match="give no interval"):
        compare({"q": 1.0}, {"q": 1.0}, seed=1, resamples=resamples, confidence=confidence)


def test_a_query_without_a_group_is_refused() -> None:
    with pytest.raises(InputError, match="query 'q1' has no group"):
        pair_differences(named([0, 0]), named([1, 1]), {"q0": "smith"})


def test_the_mean_over_groups_is_that_over_queries() -> None:
    after = named([1.0, 0.0, 0.5])
    groups = {"q0": "a", "q1": "a", "q2": "b"}

    assert pair_differences(dict.fromkeys(after, 0.0), after, groups).mean == pytest.approx(0.5)


def test_queries_that_belong_together_make_the_interval_wider() -> None:
    family = np.random.default_rng(1).standard_normal(20)
    after = named(np.repeat(family, 10).tolist())
    groups = {query: str(number // 10) for number, query in enumerate(after)}

    alone = compare(dict.fromkeys(after, 0.0), after, seed=1)
    grouped = compare(dict.fromkeys(after, 0.0), after, seed=1, groups=groups)

    assert grouped.difference == pytest.approx(alone.difference)
    ratio = (grouped.high - grouped.low) / (alone.high - alone.low)
    assert ratio == pytest.approx(np.sqrt(10), rel=0.1)
    assert (grouped.query_count, grouped.group_count) == (200, 20)


keys = st.lists(st.sampled_from("abcdefgh"), min_size=2, max_size=40).filter(
    lambda chosen: len(set(chosen)) > 1
)


@given(keys, st.floats(0.05, 0.95), st.integers(0, 1000))
def test_every_position_is_on_one_side_and_every_group_too(
    chosen: list[str], share: float, seed: int
) -> None:
    kept, held = split_groups(chosen, share, seed)

    assert sorted([*kept, *held]) == list(range(len(chosen)))
    assert {chosen[i] for i in kept}.isdisjoint({chosen[i] for i in held})
    assert len(kept)
    assert len(held)


def test_about_the_share_is_held_out() -> None:
    families = [f"family {number % 60}" for number in range(300)]

    _, held = split_groups(families, 1 / 3, seed=5)

    assert len(held) == 100


def test_the_seed_decides() -> None:
    families = [str(number) for number in range(50)]
    first, again, other = (split_groups(families, 0.3, seed)[1].tolist() for seed in (1, 1, 2))

    assert first == again
    assert first != other


@pytest.mark.parametrize("share", [0.0, 1.0, -0.5])
def test_a_share_of_nothing_or_all_is_refused(share: float) -> None:
    with pytest.raises(InputError, match="share to hold out"):
        split_groups(["a", "b"], share, seed=1)


def test_one_group_cannot_be_split() -> None:
    with pytest.raises(InputError, match="1 group"):
        split_groups(["a", "a"], 0.5, seed=1)


@given(keys, st.integers(2, 4), st.integers(0, 1000))
def test_every_position_is_held_out_in_one_fold_with_its_group(
    chosen: list[str], count: int, seed: int
) -> None:
    count = min(count, len(set(chosen)))

    folds = k_folds(chosen, count, seed)

    assert len(folds) == count
    assert sorted(place for _, held in folds for place in held) == list(range(len(chosen)))
    for kept, held in folds:
        assert len(held)
        assert {chosen[place] for place in kept}.isdisjoint({chosen[place] for place in held})


def test_folds_are_about_of_one_size() -> None:
    families = [f"family {number % 40}" for number in range(200)]

    assert [len(held) for _, held in k_folds(families, 4, seed=3)] == [50, 50, 50, 50]


@pytest.mark.parametrize("count", [1, 3])
def test_folds_without_a_group_each_are_refused(count: int) -> None:
    with pytest.raises(InputError, match="2 queries or groups of queries cannot make"):
        k_folds(["a", "b", "a"], count, seed=1)
