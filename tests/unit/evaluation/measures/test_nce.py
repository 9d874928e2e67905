"""Tests for `forebear.evaluation.measures.nce`."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forebear.errors import InputError
from forebear.evaluation.measures.nce import (
    cumulative_entropy,
    entropy,
    ideal_cumulative_entropy,
    nce,
)

type_lists = st.lists(st.sampled_from("ABCD"), max_size=30)
TOY_LISTS = ("AABBBCCC", "ABCDABCD", "AABBCCDD")


def test_the_entropy_of_three_and_one_is_that_of_the_paper() -> None:
    assert entropy([3, 1]) == pytest.approx(0.8113, abs=5e-5)


@pytest.mark.parametrize(("types", "expected"), [("AABB", 1.9183), ("ABAB", 2.9183)])
def test_cumulative_entropy_agrees_with_the_paper(types: str, expected: float) -> None:
    assert cumulative_entropy(types) == pytest.approx(expected, abs=5e-5)


def test_the_greatest_entropy_of_five_records_of_three_types_is_that_of_the_paper() -> None:
    greatest = ideal_cumulative_entropy(5, type_count=3) - ideal_cumulative_entropy(4, type_count=3)

    assert greatest == pytest.approx(1.5219, abs=5e-5)


@pytest.mark.parametrize(
    ("length", "type_count", "expected"), [(8, 4, 12.3754), (100, 8, 290.46), (100, 20, 405.00)]
)
def test_the_ideal_agrees_with_known_values(length: int, type_count: int, expected: float) -> None:
    assert ideal_cumulative_entropy(length, type_count=type_count) == pytest.approx(
        expected, abs=5e-3
    )


@pytest.mark.parametrize(
    ("types", "expected"), list(zip(TOY_LISTS, [0.6033, 1.0, 0.7253], strict=True))
)
def test_the_toy_lists_of_the_paper_by_its_own_definition(types: str, expected: float) -> None:
    assert nce(types, type_count=4) == pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize(
    ("types", "printed"), list(zip(TOY_LISTS, [0.0249, 0.0413, 0.0299], strict=True))
)
def test_the_printed_row_of_the_paper_is_our_numerator_over_300(types: str, printed: float) -> None:
    assert cumulative_entropy(types) / 300 == pytest.approx(printed, abs=5e-5)


@pytest.mark.parametrize("type_count", [1, 2, 3])
@pytest.mark.parametrize("length", range(7))
def test_no_list_beats_the_ideal(length: int, type_count: int) -> None:
    every_list = product(range(type_count), repeat=length)

    best = max(cumulative_entropy(types) for types in every_list)

    assert ideal_cumulative_entropy(length, type_count=type_count) == pytest.approx(best)


@given(type_lists)
def test_nce_lies_between_zero_and_one(types: list[str]) -> None:
    assert 0.0 <= nce(types, type_count=4) <= 1.0 + 1e-12


@given(type_lists)
def test_nce_does_not_depend_on_what_the_types_are_called(types: list[str]) -> None:
    renamed = [{"A": "census", "B": "birth", "C": "death", "D": "will"}[t] for t in types]

    assert nce(types, type_count=4) == pytest.approx(nce(renamed, type_count=4))


@pytest.mark.parametrize("types", ["", "A"])
def test_a_list_too_short_to_vary_is_as_varied_as_it_can_be(types: str) -> None:
    assert nce(types, type_count=4) == 1.0


def test_more_types_than_could_appear_is_a_mistake() -> None:
    with pytest.raises(InputError, match="3 types in the list"):
        nce("ABC", type_count=2)


def test_an_ideal_over_no_types_is_a_mistake() -> None:
    with pytest.raises(InputError, match="needs at least 1 type, not 0"):
        ideal_cumulative_entropy(3, type_count=0)
