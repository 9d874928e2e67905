"""Claims 1 and 2 of "Ranking in Genealogy", and its worked example.

The appendix of the paper finds the greatest entropy of n records of K types by branch and bound:
fix how many records the first types have, one type after the other, and let the others share the
rest evenly, in fractions if needed.  That relaxation is at least as good as anything below the
branch (Claim 2), so a branch ends where the relaxation is whole, where it is no better than the
best so far, or where the same counts were visited in another order.  It takes exponential time;
`greatest_entropy` has the answer in closed form.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forebear_lab.evaluation.measures.entropy import entropy, greatest_entropy


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
