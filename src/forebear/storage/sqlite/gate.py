"""Which personas does the gate of each list let in?  On bitmaps.

The branches are the same for most lists of a search, so each is evaluated once, and a list takes
of it what lies in its collections.
"""

from collections.abc import Iterator, Sequence

from pyroaring import BitMap

from forebear.search.expansion.catalog import Branch, Condition
from forebear.search.record_search.ranked_list import ListSearch, narrow
from forebear.search.terms.term import COLLECTION, terms
from forebear.storage.sqlite.conditions import ConditionCache


class GateBitmaps:
    """The gates of the lists that are searched together, inside one snapshot."""

    def __init__(
        self, cache: ConditionCache, searches: Sequence[ListSearch], *, hidden: BitMap
    ) -> None:
        cache.prepare(condition for search in searches for condition in _conditions(search))
        self._cache = cache
        self._hidden = hidden
        # By identity: the lists of a search share their branches, which are long to compare.
        self._branches: dict[int, list[BitMap]] = {}
        self._unions: dict[int, BitMap] = {}

    def candidates(self, search: ListSearch) -> tuple[BitMap, int]:
        """Return the personas that are scored, and in how many steps they were narrowed."""
        allowed = self._allowed(search)
        gated = self._union(search.gate.branches) & allowed
        if len(gated) <= search.gate.limit:
            return gated, 0
        branches = [branch & allowed for branch in self._evaluated(search.gate.branches)]
        refinements = [
            allowed & self._cache.holding(condition) for condition in search.gate.refinements
        ]
        return narrow(branches, refinements, limit=search.gate.limit)

    def passing(self, search: ListSearch) -> BitMap:
        """Return all personas that pass the gate, however many they are."""
        return self._union(search.gate.branches) & self._allowed(search)

    def _allowed(self, search: ListSearch) -> BitMap:
        holding = self._cache.holding
        allowed = holding(terms(COLLECTION, search.collections))
        if self._hidden:
            allowed = allowed - self._hidden
        for condition in search.gate.required:
            allowed = allowed & holding(condition)
        return allowed

    def _union(self, branches: tuple[Branch, ...]) -> BitMap:
        union = self._unions.get(id(branches))
        if union is None:
            union = self._unions[id(branches)] = BitMap.union(*self._evaluated(branches))
        return union

    def _evaluated(self, branches: tuple[Branch, ...]) -> list[BitMap]:
        """Return the personas of each branch; the rarest facts first, for they leave least."""
        evaluated = self._branches.get(id(branches))
        if evaluated is None:
            holding = self._cache.holding
            evaluated = [
                BitMap.intersection(*sorted(map(holding, branch.conditions), key=len))
                for branch in branches
            ]
            self._branches[id(branches)] = evaluated
        return evaluated


def _conditions(search: ListSearch) -> Iterator[Condition]:
    gate = search.gate
    yield terms(COLLECTION, search.collections)
    yield from gate.required
    yield from gate.refinements
    for branch in gate.branches:
        yield from branch.conditions
