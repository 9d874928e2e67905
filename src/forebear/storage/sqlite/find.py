"""Record search in the file: the gate on bitmaps, the score in numpy.

The lists of a search ask for much the same, so they are searched together, in one snapshot:
what they share is read and worked out once, and their answers are of one moment.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from pyroaring import BitMap

from forebear.errors import StorageError
from forebear.records.privacy import Viewer
from forebear.search.expansion.catalog import Clause, Condition
from forebear.search.hits import NO_YEAR, list_hits
from forebear.search.record_search.facets import ListFacets
from forebear.search.record_search.rank import rank_records
from forebear.search.record_search.ranked_list import (
    DATED_TYPES,
    ListSearch,
    RankedList,
    failed_list,
)
from forebear.search.record_search.score import Bits, Ints, clause_bits, compile_conditions, scores
from forebear.storage.sqlite.asked import AskedConditions, ConditionCache
from forebear.storage.sqlite.connection import Connection
from forebear.storage.sqlite.facets import count_records, firing
from forebear.storage.sqlite.gate import OpenGates
from forebear.storage.sqlite.keys import RecordKeys
from forebear.storage.sqlite.personas import read_personas
from forebear.storage.sqlite.postings import Postings

MOST_TOGETHER = 40_000  # personas scored at once; their terms must fit in memory


class SqliteFinder:
    """Finds the best records of lists."""

    def __init__(self, connection: Connection, postings: Postings) -> None:
        self._connection = connection
        self._postings = postings
        self._asked = AskedConditions(connection, postings)

    def find(self, searches: Sequence[ListSearch], *, viewer: Viewer, top: int) -> list[RankedList]:
        """Return the best records of each list that the viewer may see, each record once."""
        try:
            return self._find(searches, viewer, top)
        except StorageError as error:
            if len(searches) == 1:
                return [failed_list(searches[0], error.message)]
            # Searched one by one, the lists that failed are the only ones that say so.
            return [self.find([search], viewer=viewer, top=top)[0] for search in searches]

    def _find(self, searches: Sequence[ListSearch], viewer: Viewer, top: int) -> list[RankedList]:
        """Search all lists in one snapshot."""
        started = time.perf_counter()
        with self._connection.snapshot():
            cache = self._asked.current()
            gates = OpenGates(cache, searches, hidden=cache.hidden(viewer))
            gated = [_Gated(search, *gates.candidates(search)) for search in searches]
            keys = RecordKeys(self._connection)
            ranked = [
                list_
                for portion in _in_portions(gated)
                for list_ in self._score(portion, cache, keys, top)
            ]
        seconds = (time.perf_counter() - started) / max(1, len(searches))
        return [replace(list_, seconds=seconds) for list_ in ranked]

    def candidates(
        self, searches: Sequence[ListSearch], *, viewer: Viewer
    ) -> list[tuple[BitMap, int]]:
        """Return, for each list, the personas its gate lets in and how often it was narrowed."""
        with self._connection.snapshot():
            cache = self._asked.current()
            gates = OpenGates(cache, searches, hidden=cache.hidden(viewer))
            return [gates.candidates(search) for search in searches]

    def term_numbers(self, condition: Condition) -> list[int]:
        """Return the numbers of the condition's terms that the archive has."""
        return sorted(self._postings.ids(condition).values())

    def facets(self, searches: Sequence[ListSearch], *, viewer: Viewer) -> list[ListFacets]:
        """Count, for each list, everything that passes its gate, never narrowed."""
        with self._connection.snapshot():
            return [self._facets(search, viewer) for search in searches]

    def _facets(self, search: ListSearch, viewer: Viewer) -> ListFacets:
        gated = self._passing(search, viewer)
        possible = BitMap(gated)
        cache = self._asked.current()
        for clause in search.gate.excluded:
            possible -= firing(clause, cache)
        records, counts = count_records(possible, self._connection, self._postings)
        return ListFacets(
            name=search.name,
            record_type=search.record_type,
            records=records,
            candidates=len(possible),
            excluded=len(gated) - len(possible),
            counts=counts,
        )

    def _passing(self, search: ListSearch, viewer: Viewer) -> BitMap:
        cache = self._asked.current()
        return OpenGates(cache, [search], hidden=cache.hidden(viewer)).passing(search)

    def _score(
        self, gated: Sequence["_Gated"], cache: ConditionCache, keys: RecordKeys, top: int
    ) -> Iterator[RankedList]:
        """Score the candidates of some lists: every clause of theirs on every persona, once."""
        everybody = BitMap.union(*(each.candidates for each in gated))
        clauses = _distinct(each.search for each in gated if each.candidates)
        cache.prepare(
            condition
            for clause in clauses.values()
            for condition in (*clause.any_of, clause.none_of)
            if condition
        )
        personas = self._personas(everybody)
        compiled = compile_conditions(tuple(clauses.values()), cache.numbers)
        bits = clause_bits(compiled, personas.terms, personas.bounds)
        columns = {clause: column for column, clause in enumerate(clauses)}
        years = cache.event_years()
        for each in gated:
            rows = personas.rows_of(each.candidates)
            of_list = np.zeros((0, len(each.search.clauses)), np.bool_)
            if len(rows):
                of_list = bits[rows].take([columns[id(c)] for c in each.search.clauses], axis=1)
            yield _rank(each, personas, rows, of_list, years, keys, top)

    def _personas(self, wanted: BitMap) -> "_Personas":
        stored = read_personas(self._connection, wanted)
        return _Personas(
            numbers=stored.numbers,
            about=np.stack([stored.records, stored.positions, stored.ties], axis=1),
            terms=np.frombuffer(b"".join(stored.terms), np.int32),
            bounds=np.cumsum([0, *(len(blob) // 4 for blob in stored.terms)]),
        )


@dataclass(frozen=True, slots=True)
class _Gated:
    """A list, the personas that its gate lets in, and how far it was narrowed."""

    search: ListSearch
    candidates: BitMap
    steps: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Personas:
    """Personas as they are scored, in the order of their numbers."""

    numbers: Ints
    about: Ints  # a row each: record, position on it, tie key
    terms: Ints  # of one persona after the other
    bounds: Ints

    def rows_of(self, wanted: BitMap) -> Ints:
        """Return the rows of some of the personas, by their numbers."""
        asked = np.frombuffer(wanted.to_array(), np.uint32)
        rows: Ints = np.searchsorted(self.numbers, asked)
        return rows


def _last_years(personas: _Personas, rows: Ints, years: Mapping[int, int]) -> Ints:
    """Return the last year of the event of each persona; ``years`` are those of terms."""
    last_years = []
    for first, last in zip(
        personas.bounds[rows].tolist(), personas.bounds[rows + 1].tolist(), strict=True
    ):
        numbers = years.keys() & set(personas.terms[first:last].tolist())
        last_years.append(max((years[number] for number in numbers), default=NO_YEAR))
    return np.array(last_years, np.int64)


def _rank(
    gated: _Gated,
    personas: _Personas,
    rows: Ints,
    bits: Bits,
    years: Mapping[int, int],
    keys: RecordKeys,
    top: int,
) -> RankedList:
    """Return the best records of a list; ``rows`` and ``bits`` are of its candidates."""
    search, steps = gated.search, gated.steps
    possible = _possible(search, bits)
    rows, bits = rows[possible], bits[possible]
    records, positions, ties = personas.about[rows].T
    totals = scores(bits, search.weights)
    ranked = rank_records(totals, ties, positions, top=len(rows))
    best = ranked[:top]
    is_dated = search.record_type in DATED_TYPES
    info = replace(search.info, keys=keys)
    return RankedList(
        name=search.name,
        record_type=search.record_type,
        hits=list_hits(
            info,
            record=records[best],
            position=positions[best],
            tie=ties[best],
            score=totals[best],
            fired=np.packbits(bits[best], axis=1),
            year=_last_years(personas, rows[best], years) if is_dated else None,
        ),
        candidates=len(rows),
        records=len(ranked),
        excluded=len(gated.candidates) - len(rows),
        state="narrowed" if steps else "complete",
        message=f"narrowed in {steps} steps" if steps else "",
        clauses=info.clauses,
    )


def _possible(search: ListSearch, bits: Bits) -> Ints:
    """Return the rows of personas that no date makes impossible."""
    names = {clause.name for clause in search.gate.excluded}
    excluded = [number for number, clause in enumerate(search.clauses) if clause.name in names]
    possible: Ints = np.flatnonzero(~bits[:, excluded].any(axis=1))
    return possible


def _distinct(searches: Iterator[ListSearch]) -> dict[int, Clause]:
    """Return the clauses of all lists; by identity, for lists share theirs."""
    return {id(clause): clause for search in searches for clause in search.clauses}


def _in_portions(gated: Sequence[_Gated]) -> Iterator[list[_Gated]]:
    """Yield lists that are few enough personas to be scored together, or one list alone."""
    portion: list[_Gated] = []
    personas = 0
    for each in gated:
        if portion and personas + len(each.candidates) > MOST_TOGETHER:
            yield portion
            portion, personas = [], 0
        portion.append(each)
        personas += len(each.candidates)
    if portion:
        yield portion
