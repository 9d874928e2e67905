"""Tests for `forebear_lab.evaluation.measures.entropy`."""

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forebear.errors import InputError
from forebear_lab.evaluation.measures.entropy import (
    cumulative_entropy,
    entropy,
    entropy_of_list,
    greatest_entropy,
    ideal_cumulative_entropy,
    nce,
    supplied_cumulative_entropy,
)

type_lists = st.lists(st.sampled_from("ABCD"), max_size=30)
supplies = st.lists(st.integers(0, 6), min_size=1, max_size=5)
TOY_LISTS = ("AABBBCCC", "ABCDABCD", "AABBCCDD")


def test_the_entropy_of_three_and_one_is_that_of_the_paper() -> None:
    assert entropy([3, 1]) == pytest.approx(0.8113, abs=5e-5)
    assert entropy_of_list("AAAB") == entropy([3, 1])


def test_the_entropy_of_a_list_does_not_look_beyond_the_cutoff() -> None:
    assert entropy_of_list("AABBB", cutoff=2) == 0.0


@pytest.mark.parametrize(("types", "expected"), [("AABB", 1.9183), ("ABAB", 2.9183)])
def test_cumulative_entropy_agrees_with_the_paper(types: str, expected: float) -> None:
    assert cumulative_entropy(types) == pytest.approx(expected, abs=5e-5)


def test_the_greatest_entropy_of_five_records_of_three_types_is_that_of_the_paper() -> None:
    assert greatest_entropy(5, type_count=3) == pytest.approx(1.5219, abs=5e-5)


@pytest.mark.parametrize(
    ("length", "type_count", "expected"), [(8, 4, 12.3754), (100, 8, 290.46), (100, 20, 405.00)]
)
def test_the_ideal_agrees_with_known_values(length: int, type_count: int, expected: float) -> None:
    assert ideal_cumulative_entropy(length, type_count=type_count) == pytest.approx(
        expected, abs=5e-3
    )


@pytest.mark.parametrize("type_count", [1, 2, 3])
@pytest.mark.parametrize("length", range(7))
def test_no_list_beats_the_ideal(length: int, type_count: int) -> None:
    every_list = product(range(type_count), repeat=length)

    best = max(cumulative_entropy(types) for types in every_list)

    assert ideal_cumulative_entropy(length, type_count=type_count) == pytest.approx(best)


@pytest.mark.parametrize("supply", [(3, 1, 1), (4, 0, 2), (1, 1, 1), (5, 1, 0)])
def test_no_list_of_the_records_there_are_beats_the_supplied_ideal(supply: tuple[int, ...]) -> None:
    for length in range(1, sum(supply) + 1):
        every_list = product(range(len(supply)), repeat=length)
        possible = (
            types
            for types in every_list
            if all(count <= supply[name] for name, count in Counter(types).items())
        )

        best = max(cumulative_entropy(types) for types in possible)

        assert supplied_cumulative_entropy(length, supply=supply) == pytest.approx(best)


def test_an_ideal_over_no_types_is_a_mistake() -> None:
    with pytest.raises(InputError, match="needs at least 1 type, not 0"):
        ideal_cumulative_entropy(3, type_count=0)


def test_a_list_longer_than_its_supply_is_a_mistake() -> None:
    with pytest.raises(InputError, match="a list of 3 records cannot be made of 2 records"):
        supplied_cumulative_entropy(3, supply=[1, 1])


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """The best allocation, and the entropy of each relaxation that was visited."""

    entropy: float
    counts: tuple[int, ...]
    visits: tuple[float, ...]


def search_greatest_entropy(length: int, *, type_count: int) -> Search:
    """Find the greatest entropy of a list, with every step of the search.

    >>> search = search_greatest_entropy(5, type_count=3)
    >>> search.counts, [round(entropy, 3) for entropy in search.visits]
    ((1, 2, 2), [1.585, 1.0, 0.0, 0.722, 0.971, 1.522, 1.571, 1.371, 0.922])
    """
    state = _State(length=length, type_count=type_count)
    state.branch(())
    return Search(entropy=state.best, counts=state.counts, visits=tuple(state.visits))


def relaxed_entropy(fixed: tuple[int, ...], *, length: int, type_count: int) -> float:
    """Return the greatest entropy if the types that are not fixed may have fractions."""
    free = type_count - len(fixed)
    shares = [count / length for count in fixed]
    shares += [(length - sum(fixed)) / length / free] * free
    return math.fsum(share * math.log2(1 / share) for share in shares if share)


@dataclass(slots=True, kw_only=True)
class _State:
    length: int
    type_count: int
    best: float = 0.0
    counts: tuple[int, ...] = ()
    visits: list[float] = field(default_factory=list)
    evaluated: set[tuple[int, ...]] = field(default_factory=set)

    def branch(self, fixed: tuple[int, ...]) -> None:
        """Visit the relaxation where the first types have these counts, and those below it."""
        free, rest = self.type_count - len(fixed), self.length - sum(fixed)
        whole = rest % free == 0
        counts = tuple(sorted((*fixed, *[rest // free] * free)))
        if whole and counts in self.evaluated:
            return
        entropy = relaxed_entropy(fixed, length=self.length, type_count=self.type_count)
        self.visits.append(entropy)
        if whole:
            self._keep(counts, entropy)
        elif entropy > self.best:
            for count in range(rest + 1):
                self.branch((*fixed, count))

    def _keep(self, counts: tuple[int, ...], entropy: float) -> None:
        self.evaluated.add(counts)
        if entropy > self.best or not self.counts:
            self.best, self.counts = entropy, counts


lengths = st.integers(1, 10)
type_counts = st.integers(1, 5)


def allocations(length: int, type_count: int) -> Iterator[tuple[int, ...]]:
    if type_count == 1:
        yield (length,)
        return
    for first in range(length + 1):
        for rest in allocations(length - first, type_count - 1):
            yield (first, *rest)


def test_five_records_of_three_types_are_searched_as_the_paper_does() -> None:
    search = search_greatest_entropy(5, type_count=3)

    visited = [1.585, 1, 0, 0.722, 0.971, 1.522, 1.571, 1.371, 0.922]
    assert search.visits == pytest.approx(visited, abs=5e-4)
    assert sorted(search.counts) == [1, 2, 2]
    assert search.entropy == pytest.approx(1.5219, abs=5e-5)


@given(lengths, type_counts)
@settings(deadline=None)
def test_claim_1_the_even_allocation_is_the_best(length: int, type_count: int) -> None:
    best = max(entropy(counts) for counts in allocations(length, type_count))

    assert greatest_entropy(length, type_count=type_count) == pytest.approx(best)


@given(lengths, type_counts)
@settings(deadline=None)
def test_branch_and_bound_finds_what_claim_1_says(length: int, type_count: int) -> None:
    search = search_greatest_entropy(length, type_count=type_count)

    assert search.entropy == pytest.approx(greatest_entropy(length, type_count=type_count))
    assert entropy(search.counts) == pytest.approx(search.entropy)
    assert max(search.counts) - min(search.counts) <= 1


@given(lengths, type_counts, st.data())
@settings(deadline=None)
def test_claim_2_a_relaxation_is_at_least_as_good_as_anything_below_it(
    length: int, type_count: int, data: st.DataObject
) -> None:
    counts = data.draw(st.sampled_from(list(allocations(length, type_count))))
    fixed = counts[: data.draw(st.integers(0, type_count - 1))]

    relaxed = relaxed_entropy(fixed, length=length, type_count=type_count)

    assert relaxed >= entropy(counts) - 1e-12
    assert relaxed <= math.log2(type_count) + 1e-12


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
