"""Tests for `forebear_lab.evaluation.measures.nce`."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forebear.errors import InputError
from forebear_lab.evaluation.measures.entropy import (
    cumulative_entropy,
)
from forebear_lab.evaluation.measures.nce import nce

type_lists = st.lists(st.sampled_from("ABCD"), max_size=30)
supplies = st.lists(st.integers(0, 6), min_size=1, max_size=5)
TOY_LISTS = ("AABBBCCC", "ABCDABCD", "AABBCCDD")


def round_robin(supply: list[int]) -> list[int]:
    turns = range(max(supply, default=0))
    return [name for turn in turns for name, count in enumerate(supply) if count > turn]


@pytest.mark.parametrize(
    ("types", "expected"), list(zip(TOY_LISTS, [0.6033, 1.0, 0.7253], strict=True))
)
def test_the_toy_lists_of_the_paper_by_its_own_definition(types: str, expected: float) -> None:
    assert nce(types, type_count=4) == pytest.approx(expected, abs=5e-5)


def test_the_first_toy_list_holds_three_types_and_can_be_measured_by_them() -> None:
    assert nce(TOY_LISTS[0], type_count=3) == pytest.approx(0.7242, abs=5e-5)
    assert nce(TOY_LISTS[0], ideal="hits") == nce(TOY_LISTS[0], type_count=3)


@pytest.mark.parametrize(
    ("types", "printed"), list(zip(TOY_LISTS, [0.0249, 0.0413, 0.0299], strict=True))
)
def test_the_printed_row_of_the_paper_is_our_numerator_over_300(types: str, printed: float) -> None:
    assert cumulative_entropy(types) / 300 == pytest.approx(printed, abs=5e-5)


@given(supplies)
def test_the_round_robin_is_perfect_by_what_there_was(supply: list[int]) -> None:
    assert nce(round_robin(supply), ideal="supply") == pytest.approx(1.0)


@given(supplies)
def test_the_round_robin_of_endless_types_is_perfect_by_every_ideal(supply: list[int]) -> None:
    endless = [name for _ in range(4) for name in range(len(supply))]

    assert nce(endless, type_count=len(supply)) == 1.0
    assert nce(endless, ideal="hits") == 1.0
    assert nce(endless, ideal="supply") == 1.0


@given(type_lists, st.none() | st.integers(1, 12))
def test_the_ideals_ask_less_and_less(types: list[str], cutoff: int | None) -> None:
    paper = nce(types, type_count=4, cutoff=cutoff)
    hits = nce(types, ideal="hits", cutoff=cutoff)
    supply = nce(types, ideal="supply", cutoff=cutoff)

    assert 0.0 <= paper <= hits + 1e-12
    assert hits <= supply + 1e-12
    assert supply <= 1.0 + 1e-12


@given(type_lists)
def test_nce_does_not_depend_on_what_the_types_are_called(types: list[str]) -> None:
    renamed = [{"A": "census", "B": "birth", "C": "death", "D": "will"}[t] for t in types]

    assert nce(types, type_count=4) == pytest.approx(nce(renamed, type_count=4))


def test_records_that_were_not_shown_count_in_the_supply() -> None:
    assert nce("AAB", ideal="supply") < nce("ABA", ideal="supply")
    assert nce("ABA", ideal="supply", supply={"A": 2, "B": 1, "C": 4}) < 1.0


@pytest.mark.parametrize("types", ["", "A"])
def test_a_list_too_short_to_vary_is_as_varied_as_it_can_be(types: str) -> None:
    assert nce(types, type_count=4) == 1.0


def test_more_types_than_could_appear_is_a_mistake() -> None:
    with pytest.raises(InputError, match="3 types in the list"):
        nce("ABC", type_count=2)


def test_more_records_than_there_are_is_a_mistake() -> None:
    with pytest.raises(InputError, match="2 records of type 'A' in the list, but the supply has 1"):
        nce("AAB", ideal="supply", supply={"A": 1, "B": 4})


def test_the_ideal_of_the_paper_without_a_number_of_types_is_a_mistake() -> None:
    with pytest.raises(InputError, match="needs to know how many types"):
        nce("AB")
