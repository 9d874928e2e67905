"""Record search in the file: the gate on bitmaps, the score in numpy.

The lists of a search ask for much the same, so they are searched together, in one snapshot:
what they share is read and worked out once, and their answers are of one moment.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress

import numpy as np
from pyroaring import BitMap

from forebear.errors import StorageError
from forebear.records.privacy import Viewer
from forebear.search.expansion.catalog import Clause, Condition
from forebear.search.record_search.facets import ListFacets
from forebear.search.record_search.makers import maker
from forebear.search.record_search.rank import rank_records
from forebear.search.record_search.ranked_list import (
    DATED_TYPES,
    Hit,
    ListSearch,
    RankedList,
    failed_list,
)
from forebear.search.record_search.score import Bits, Ints, clause_bits, compile_conditions, scores
from forebear.storage.sqlite.asked import AskedConditions, ConditionCache
from forebear.storage.sqlite.checksums import raise_damaged, sound_keys
from forebear.storage.sqlite.connection import Connection
from forebear.storage.sqlite.facets import count_records, firing
from forebear.storage.sqlite.gate import OpenGates
from forebear.storage.sqlite.personas import read_personas
from forebear.storage.sqlite.postings import Postings

MOST_TOGETHER = 40_000  # personas scored at once; their terms must fit in memory

make_hit = maker(Hit)


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
            scored = [
                each for some in _in_portions(gated) for each in self._score(some, cache, top)
            ]
            keys = self._keys(scored)
        seconds = (time.perf_counter() - started) / max(1, len(searches))
        return [each.answer(keys, seconds) for each in scored]

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
        self, gated: Sequence["_Gated"], cache: ConditionCache, top: int
    ) -> Iterator["_Scored"]:
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
        for each in gated:
            own = [columns[id(clause)] for clause in each.search.clauses] if each.candidates else []
            rows = personas.rows_of(each.candidates)
            scored = _rank(each, personas.about[rows], bits[rows].take(own, axis=1), top)
            if each.search.record_type in DATED_TYPES and scored.records:
                years = _last_years(personas, rows[scored.rows], cache.event_years())
                scored = replace(scored, years=years)
            yield scored

    def _personas(self, wanted: BitMap) -> "_Personas":
        stored = read_personas(self._connection, wanted)
        return _Personas(
            numbers=stored.numbers,
            about=np.stack([stored.records, stored.positions, stored.ties], axis=1),
            terms=np.frombuffer(b"".join(stored.terms), np.int32),
            bounds=np.cumsum([0, *(len(blob) // 4 for blob in stored.terms)]),
        )

    def _keys(self, scored: Sequence["_Scored"]) -> dict[int, str]:
        """Return the keys of the records."""
        numbers = {number for each in scored for number in each.records}
        rows = self._connection.rows_in(
            "SELECT id, key, checksum FROM records WHERE id IN", list(numbers)
        )
        keys = sound_keys(self._connection, rows)
        if len(keys) < len(numbers):
            raise_damaged(self._connection, "the key of a record")
        return keys


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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scored:
    """What a list answers, but for the keys of its records."""

    gated: _Gated
    candidates: int
    excluded: int
    records_in_all: int
    records: list[int]  # the best first, and so are the others
    positions: list[int]
    scores: list[int]
    fired: bytes  # a byte for each clause of each of the best
    rows: Ints  # of the best among the candidates
    years: list[int | None] | None = None  # of the best, where hits have a year

    def answer(self, keys: dict[int, str], seconds: float) -> RankedList:
        """Return the ranked list."""
        search, steps = self.gated.search, self.gated.steps
        names = tuple([clause.name for clause in search.clauses])
        width = len(names)
        years = self.years or [None] * len(self.records)
        return RankedList(
            name=search.name,
            record_type=search.record_type,
            hits=tuple(
                [
                    make_hit(
                        record_key=keys[record],
                        position=position,
                        score=score,
                        fired=tuple(compress(names, self.fired[at * width : (at + 1) * width])),
                        year=year,
                    )
                    for at, (record, position, score, year) in enumerate(
                        zip(self.records, self.positions, self.scores, years, strict=True)
                    )
                ]
            ),
            candidates=self.candidates,
            records=self.records_in_all,
            excluded=self.excluded,
            state="narrowed" if steps else "complete",
            message=f"narrowed in {steps} steps" if steps else "",
            seconds=seconds,
            clauses=names,
        )


def _last_years(personas: _Personas, rows: Ints, years: Mapping[int, int]) -> list[int | None]:
    """Return the last year of the event of each record; ``years`` are those of terms."""
    last_years: list[int | None] = []
    for first, last in zip(
        personas.bounds[rows].tolist(), personas.bounds[rows + 1].tolist(), strict=True
    ):
        numbers = years.keys() & set(personas.terms[first:last].tolist())
        last_years.append(max((years[number] for number in numbers), default=None))
    return last_years


def _rank(gated: _Gated, about: Ints, bits: Bits, top: int) -> _Scored:
    search = gated.search
    names = {clause.name for clause in search.gate.excluded}
    impossible = [i for i, clause in enumerate(search.clauses) if clause.name in names]
    left_out = 0
    rows: Ints = np.arange(len(bits))
    if impossible and len(bits):
        possible = ~bits[:, impossible].any(axis=1)
        left_out = int(len(bits) - possible.sum())
        about, bits, rows = about[possible], bits[possible], rows[possible]
    if not len(bits):
        return _Scored(
            gated=gated,
            candidates=0,
            excluded=left_out,
            records_in_all=0,
            records=[],
            positions=[],
            scores=[],
            fired=b"",
            rows=np.zeros(0, np.int64),
        )
    totals = scores(bits, search.weights)
    ranked = rank_records(totals, about[:, 2], about[:, 1], top=len(bits))
    best = ranked[:top]
    return _Scored(
        gated=gated,
        candidates=len(bits),
        excluded=left_out,
        records_in_all=len(ranked),
        records=about[best, 0].tolist(),
        positions=about[best, 1].tolist(),
        scores=totals[best].tolist(),
        fired=bits[best].tobytes(),
        rows=rows[best],
    )


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
