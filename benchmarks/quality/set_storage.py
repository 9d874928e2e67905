"""The memory storage for a large world: the same answers from postings in plain sets.

`MemoryStorage` tests every clause on every persona, which takes minutes a query with 200,000 of
them.  Here each term has its set of personas, and everything is a union, an intersection or
a difference of Python sets: neither bitmaps nor arrays nor a cluster's index, so a fault in
those shows as a difference.  With ``--plain`` the parity benchmark compares it with the original.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable

from forebear.search.expansion.catalog import Clause, Condition
from forebear.search.hits import Hits, keyed_hits, tie_key
from forebear.search.record_search.ranked_list import ListSearch
from forebear.storage.memory import MemoryStorage, Position

MAX_HELD = 3_000  # conditions whose personas are cached, enough for a few searches
FEW = 5_000  # personas that are faster to test one by one


class SetStorage(MemoryStorage):
    """An archive's records in memory, with postings."""

    def __init__(self) -> None:
        super().__init__()
        self._postings: dict[str, set[Position]] = {}
        self._held: dict[Condition, set[Position]] = {}

    def _changed(self) -> None:
        super()._changed()
        self._postings, self._held = {}, {}

    def _holders(self, condition: Condition) -> set[Position]:
        """Return the personas that have any term of a condition; not to be changed."""
        if not self._postings:
            postings = defaultdict(set)
            for who, terms in self._personas.items():
                for term in terms:
                    postings[term].add(who)
            self._postings = dict(postings)
        if len(self._held) > MAX_HELD:
            self._held = {}
        if condition not in self._held:
            none: set[Position] = set()
            self._held[condition] = none.union(
                *(self._postings[term] for term in condition if term in self._postings)
            )
        return self._held[condition]

    def _holding(
        self, conditions: Iterable[Condition], among: Iterable[Position]
    ) -> frozenset[Position]:
        holding = frozenset(among)
        for condition in conditions:
            holding &= self._holders(condition)
        return holding

    def _firing(self, clause: Clause, among: frozenset[Position]) -> frozenset[Position]:
        if len(among) <= FEW:
            return frozenset(who for who in among if clause.fires_on(self._personas[who]))
        held = [among & self._holders(condition) for condition in clause.any_of]
        if clause.least >= len(held):
            firing = frozenset(among.intersection(*held))
        else:
            counts = Counter(who for holders in held for who in holders)
            firing = frozenset(who for who, count in counts.items() if count >= clause.least)
        return firing - self._holders(clause.none_of)

    def _possible(self, search: ListSearch, candidates: Iterable[Position]) -> list[Position]:
        gated = frozenset(candidates)
        return list(gated.difference(*(self._firing(c, gated) for c in search.gate.excluded)))

    def _score(self, search: ListSearch, candidates: Iterable[Position]) -> Hits:
        among = frozenset(candidates)
        scores = dict.fromkeys(among, 0)
        fired = {who: [False] * len(search.clauses) for who in among}
        for number, (clause, weight) in enumerate(zip(search.clauses, search.weights, strict=True)):
            for who in self._firing(clause, among):
                scores[who] += weight
                fired[who][number] = True
        best: dict[str, Position] = {}
        for who in sorted(among):
            if who[0] not in best or scores[who] > scores[best[who[0]]]:
                best[who[0]] = who
        keys = sorted(best, key=lambda key: (-scores[best[key]], tie_key(key)))
        return keyed_hits(
            search.info,
            keys=keys,
            positions=[best[key][1] for key in keys],
            scores=[scores[best[key]] for key in keys],
            fired=[fired[best[key]] for key in keys],
        )
