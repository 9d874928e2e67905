"""Which personas of the records that the cluster returned pass a gate, and how do they score?

A hit brings the numbers of its personas' terms along, and everything is computed from those, by
the score that all storages share.  Where the cluster says which records are best and by which
score, the score is computed all the same: a difference would mean that what was searched is not
what was stored.
"""

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import Self

import numpy as np
from numpy.typing import NDArray

from forebear.errors import StorageError
from forebear.search.expansion.catalog import Clause, Condition
from forebear.search.hits import NO_HITS, NO_YEAR, Hits, Ints, list_hits
from forebear.search.record_search.ranked_list import DATED_TYPES, ListSearch, narrow, rank_records
from forebear.search.record_search.score import Bits, clause_bits, compile_conditions, scores
from forebear.storage.opensearch.cluster import Json
from forebear.storage.opensearch.documents import term_number, unpack
from forebear.storage.opensearch.queries import Branches, score_from

TermNumbers = NDArray[np.uint64]

MAX_CONDITIONS = 20_000  # whose numbers are cached; some searches' worth
LOW_BITS = np.uint64(0xFFFF)


class ConditionNumbers:
    """The numbers of the terms of each condition, computed once."""

    def __init__(self) -> None:
        self._numbers: dict[Condition, TermNumbers] = {}

    def of(self, condition: Condition) -> TermNumbers:
        """Return the numbers of the condition's terms."""
        numbers = self._numbers.get(condition)
        if numbers is None:
            if len(self._numbers) >= MAX_CONDITIONS:
                self._numbers = {}
            numbers = np.frombuffer(b"".join(map(term_number, condition)), "<u8")
            self._numbers[condition] = numbers
        return numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class Personas:
    """The personas of some records, as columns."""

    keys: list[str]  # of the records
    collections: dict[str, int]  # the numbers of their collections
    collection: Ints
    record: Ints  # which of the records
    position: Ints
    tie: Ints
    year: Ints
    terms: TermNumbers  # of one persona after the other
    bounds: Ints

    def __len__(self) -> int:
        return len(self.record)

    def are_of(self, collections: Iterable[str]) -> Bits:
        """Return of each persona whether its record is of one of these collections."""
        numbers = [self.collections[name] for name in collections if name in self.collections]
        return np.isin(self.collection, numbers)

    def take(self, rows: Ints) -> "Personas":
        """Return some of the personas, by their row numbers."""
        counts = np.diff(self.bounds)[rows]
        bounds = np.concatenate([[0], np.cumsum(counts)])
        # Where each term of the chosen personas is among all terms.
        places = np.arange(bounds[-1]) + np.repeat(self.bounds[rows] - bounds[:-1], counts)
        return replace(
            self,
            collection=self.collection[rows],
            record=self.record[rows],
            position=self.position[rows],
            tie=self.tie[rows],
            year=self.year[rows],
            terms=self.terms[places],
            bounds=bounds,
        )

    def fired(self, clauses: Sequence[Clause], numbers: ConditionNumbers) -> Bits:
        """Return one row a persona and one column a clause: which clauses fire."""
        if not clauses or not len(self):
            return np.zeros((len(self), len(clauses)), np.bool_)
        conditions = dict.fromkeys(
            condition
            for clause in clauses
            for condition in (*clause.any_of, clause.none_of)
            if condition
        )
        of_condition = [numbers.of(condition) for condition in conditions]
        words, places = np.unique(np.concatenate(of_condition), return_inverse=True)
        ids = array("i", places.astype(np.int32).tobytes())
        ends = accumulate(map(len, of_condition), initial=0)
        spans = dict(zip(conditions, pairwise(ends), strict=True))
        compiled = compile_conditions(clauses, lambda condition: ids[slice(*spans[condition])])
        return clause_bits(compiled, *self._numbered_by(words))

    def held(self, conditions: Sequence[Condition], numbers: ConditionNumbers) -> Bits:
        """Return one row a persona and one column a condition: which conditions hold."""
        held = np.zeros((len(self), len(conditions)), np.bool_)
        columns = [column for column, condition in enumerate(conditions) if condition]
        tests = [Clause(name="", kind="term", any_of=(conditions[at],)) for at in columns]
        held[:, columns] = self.fired(tests, numbers)
        return held

    def passing(self, branches: Branches, numbers: ConditionNumbers) -> Bits:
        """Return one row a persona and one column a branch: of which all conditions hold."""
        conditions = list(dict.fromkeys(condition for branch in branches for condition in branch))
        columns = {condition: column for column, condition in enumerate(conditions)}
        held = self.held(conditions, numbers)
        passing = np.ones((len(self), len(branches)), np.bool_)
        for at, branch in enumerate(branches):
            passing[:, at] = held[:, [columns[condition] for condition in branch]].all(axis=1)
        return passing

    def _numbered_by(self, words: TermNumbers) -> tuple[Ints, Ints]:
        """Return the terms that are among these words, by their places there, and the bounds."""
        # Few terms are; most of the others have other lowest bits than all words.
        has_low_bits = np.zeros(int(LOW_BITS) + 1, np.bool_)
        has_low_bits[words & LOW_BITS] = True
        maybe = np.flatnonzero(has_low_bits[self.terms & LOW_BITS])
        terms = self.terms[maybe]
        places = np.minimum(np.searchsorted(words, terms), max(0, len(words) - 1))
        is_word = words[places] == terms if len(words) else np.zeros(0, np.bool_)
        return places[is_word], np.searchsorted(maybe[is_word], self.bounds)


def read_personas(hits: Iterable[Json]) -> Personas:
    """Return the personas of the records that the cluster returned."""
    keys: list[str] = []
    record: list[int] = []
    position: list[int] = []
    tie: list[int] = []
    year: list[int] = []
    terms: list[bytes] = []
    for hit in hits:
        key, tie_of_key, personas = unpack(hit["fields"]["pb"][0])
        for position_of_persona, last_year, numbers in personas:
            record.append(len(keys))
            position.append(position_of_persona)
            tie.append(tie_of_key)
            year.append(NO_YEAR if last_year is None else last_year)
            terms.append(numbers)
        keys.append(key)
    collections: dict[str, int] = {}
    of_record = np.array(
        [collections.setdefault(key.partition(":")[0], len(collections)) for key in keys], np.int64
    )
    records = np.array(record, np.int64)
    return Personas(
        keys=keys,
        collections=collections,
        collection=of_record[records],
        record=records,
        position=np.array(position, np.int64),
        tie=np.array(tie, np.int64),
        year=np.array(year, np.int64),
        terms=np.frombuffer(b"".join(terms), "<u8"),
        bounds=np.cumsum([0, *(len(numbers) // 8 for numbers in terms)]),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredList:
    """The best records of a list, and how many there were."""

    search: ListSearch
    hits: Hits
    gated: int  # personas that pass the gate
    possible: int  # and that no date makes impossible
    records: int
    steps: int = 0  # of narrowing


def score_lists(
    searches: Sequence[ListSearch], personas: Personas, numbers: ConditionNumbers, *, top: int
) -> list[ScoredList]:
    """Return the best records of lists that share a gate, of all records that may pass it."""
    gate = searches[0].gate
    passing = personas.passing(tuple(branch.conditions for branch in gate.branches), numbers)
    is_allowed = personas.held(gate.required, numbers).all(axis=1)
    gated = np.flatnonzero(passing.any(axis=1) & is_allowed)
    personas, passing = personas.take(gated), passing[gated]
    clauses = {
        id(clause): clause
        for search in searches
        for clause in (*search.clauses, *search.gate.excluded)
    }
    fired = personas.fired(list(clauses.values()), numbers)
    columns = {clause: column for column, clause in enumerate(clauses)}
    scored = []
    for search in searches:
        of_list = personas.are_of(search.collections)
        rows, steps = of_list, 0
        if np.count_nonzero(of_list) > search.gate.limit:
            refined = personas.held(gate.refinements, numbers)
            candidates, steps = narrow(
                [_Rows(of_list & column) for column in passing.T],
                [_Rows(of_list & column) for column in refined.T],
                limit=search.gate.limit,
            )
            rows = candidates.bits
        chosen = np.flatnonzero(rows)
        bits = fired[chosen]
        result = _rank(search, personas.take(chosen), bits, columns, top)
        scored.append(replace(result, steps=steps))
    return scored


def read_hits(
    search: ListSearch, branches: Branches, ranked: Sequence[Json], numbers: ConditionNumbers
) -> Hits:
    """Return the hits that the cluster ranked, each under its best persona."""
    personas = read_personas(ranked)
    is_allowed = personas.held(search.gate.required, numbers).all(axis=1)
    is_gated = personas.passing(branches, numbers).any(axis=1) & is_allowed
    personas = personas.take(np.flatnonzero(is_gated))
    clauses = {id(clause): clause for clause in (*search.clauses, *search.gate.excluded)}
    columns = {clause: column for column, clause in enumerate(clauses)}
    fired = personas.fired(list(clauses.values()), numbers)
    hits = _rank(search, personas, fired, columns, len(ranked)).hits
    scored = dict(zip(hits.record_keys(), hits.score.tolist(), strict=True))
    for key, hit in zip(personas.keys, ranked, strict=True):
        score = score_from(hit["sort"][0], search.weights)
        if scored.get(key) != score:
            raise StorageError(
                f"the cluster ranked {key!r} by {score} 64ths of a bit, its terms say otherwise",
                hint="run `forebear check`",
            )
    return hits


def _rank(
    search: ListSearch, personas: Personas, fired: Bits, columns: dict[int, int], top: int
) -> ScoredList:
    """Return each record once, the best first: under its best persona, or the first of these."""
    excluded = [columns[id(clause)] for clause in search.gate.excluded]
    possible = np.flatnonzero(~fired[:, excluded].any(axis=1))
    bits = fired[possible].take([columns[id(clause)] for clause in search.clauses], axis=1)
    totals = scores(bits, search.weights)
    ties, positions = personas.tie[possible], personas.position[possible]
    ranked = rank_records(totals, ties, positions, top=len(possible))
    best = ranked[:top]
    rows = possible[best]
    keys = personas.keys
    info = replace(search.info, keys=lambda records, _: [keys[record] for record in records])
    hits = list_hits(
        info,
        record=personas.record[rows],
        position=positions[best],
        tie=ties[best],
        score=totals[best],
        fired=np.packbits(bits[best], axis=1),
        year=personas.year[rows] if search.record_type in DATED_TYPES else None,
    )
    return ScoredList(
        search=search,
        hits=hits if len(rows) else NO_HITS,
        gated=len(personas),
        possible=len(possible),
        records=len(ranked),
    )


@dataclass(frozen=True, slots=True)
class _Rows:
    """A set of personas: a bit for each."""

    bits: Bits

    def __or__(self, other: Self) -> Self:
        return type(self)(self.bits | other.bits)

    def __and__(self, other: Self) -> Self:
        return type(self)(self.bits & other.bits)

    def __len__(self) -> int:
        return int(np.count_nonzero(self.bits))
