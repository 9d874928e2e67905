"""Tests for `forebear.learning.measures`, against the readable measures and scikit-learn."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, ndcg_score

from forebear.errors import InputError
from forebear.learning.measures import nce_of_arrays, ndcg_of_arrays
from forebear_lab.evaluation.measures.dcg import Gain, ideal_dcg
from forebear_lab.evaluation.measures.nce import Ideal, nce
from forebear_lab.evaluation.measures.ndcg import expected_ndcg
from forebear_lab.evaluation.measures.relevance import average_precision

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
def test_ndcg_from_arrays_is_the_readable_one(seed: int, cutoff: int | None) -> None:
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


@given(seed=seeds)
@settings(deadline=None, max_examples=30)
def test_average_precision_is_that_of_scikit_learn(seed: int) -> None:
    data = Queries(seed, least=2)

    for scores, grades in zip(data.split(data.distinct), data.split(data.grades), strict=True):
        relevant = [grade > 0 for grade in grades]
        ranked = [relevant[row] for row in np.argsort(scores)[::-1]]
        if any(relevant):
            theirs = average_precision_score(relevant, scores)
            assert average_precision(ranked) == pytest.approx(theirs)


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
@pytest.mark.parametrize("told", [False, True])
@given(seed=seeds, cutoff=cutoffs)
@settings(deadline=None, max_examples=30)
def test_nce_from_arrays_is_the_readable_one(
    seed: int, cutoff: int | None, ideal: Ideal, told: bool
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
        supply=supply if told else None,
    )

    expected = [
        nce(
            types,
            type_count=5,
            cutoff=cutoff,
            ideal=ideal,
            supply=dict(enumerate(supply[query].tolist())) if told else None,
        )
        for query, types in enumerate(lists)
    ]
    np.testing.assert_allclose(values, expected, atol=1e-12)


@pytest.mark.parametrize("offsets", [[], [0, 1], [1, 2], [0, 2, 1, 2], [[0, 2]]])
def test_offsets_that_do_not_fit_are_refused(offsets: list[int]) -> None:
    with pytest.raises(InputError, match="do not part 2 documents"):
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
