"""Record search in the file: the gate on bitmaps, the score in numpy."""

import time
from collections.abc import Iterator

import numpy as np
from pyroaring import BitMap

from forebear.records.privacy import Viewer
from forebear.search.expansion.clauses import Condition
from forebear.search.record_search.facets import ListFacets
from forebear.search.record_search.narrow import narrow
from forebear.search.record_search.rank import rank_records
from forebear.search.record_search.ranked_list import Hit, ListSearch, RankedList
from forebear.search.record_search.score import Bits, Ints, clause_bits, compile_conditions, scores
from forebear.search.terms.fields import COLLECTION, terms
from forebear.storage.sqlite.asked import AskedConditions
from forebear.storage.sqlite.connection import Connection
from forebear.storage.sqlite.facets import count_records, firing
from forebear.storage.sqlite.hidden import hidden_personas
from forebear.storage.sqlite.postings import Postings


class SqliteFinder:
    """Finds the best records of a list."""

    lists_at_once = 1  # the work is Python's own, and one thread's
    list_seconds = 60.0

    def __init__(self, connection: Connection, postings: Postings) -> None:
        self._connection = connection
        self._postings = postings
        self._asked = AskedConditions(connection, postings)

    def find(self, search: ListSearch, *, viewer: Viewer, top: int) -> RankedList:
        """Return the best records the viewer may see, each once, under its best persona."""
        started = time.perf_counter()
        with self._connection.snapshot():
            candidates, steps = self._candidates(search, viewer)
            rows, bits = self._score(search, candidates)
            excluded = _excluded(search, bits)
            rows, bits = rows[~excluded], bits[~excluded]
            hits = self._rank(search, rows, bits, top)
        return RankedList(
            name=search.name,
            record_type=search.record_type,
            hits=hits,
            candidates=len(rows),
            records=len(np.unique(rows[:, 2])),
            excluded=int(excluded.sum()),
            state="narrowed" if steps else "complete",
            message=f"narrowed in {steps} steps" if steps else "",
            seconds=time.perf_counter() - started,
            clauses=tuple(clause.name for clause in search.clauses),
        )

    def candidates(self, search: ListSearch, *, viewer: Viewer) -> tuple[BitMap, int]:
        """Return the personas that the gate lets in, and in how many steps it was narrowed."""
        with self._connection.snapshot():
            return self._candidates(search, viewer)

    def term_numbers(self, condition: Condition) -> list[int]:
        """Return the numbers of the condition's terms that the archive has."""
        return sorted(self._postings.ids(condition).values())

    def facets(self, search: ListSearch, *, viewer: Viewer) -> ListFacets:
        """Return how everything that passes the gate spreads, never narrowed."""
        with self._connection.snapshot():
            gated = BitMap.union(*self._branches(search, self._allowed(search, viewer)))
            possible = BitMap(gated)
            for clause in search.gate.excluded:
                possible -= firing(clause, self._postings)
            records, counts = count_records(possible, self._connection, self._postings)
        return ListFacets(
            name=search.name,
            record_type=search.record_type,
            records=records,
            candidates=len(possible),
            excluded=len(gated) - len(possible),
            counts=counts,
        )

    def _candidates(self, search: ListSearch, viewer: Viewer) -> tuple[BitMap, int]:
        allowed = self._allowed(search, viewer)
        branches = self._branches(search, allowed)
        gated = BitMap.union(*branches)
        if len(gated) <= search.gate.limit:
            return gated, 0
        refinements = [allowed & self._asked.holding(way) for way in search.gate.refinements]
        return narrow(branches, refinements, limit=search.gate.limit)

    def _allowed(self, search: ListSearch, viewer: Viewer) -> BitMap:
        self._asked.prepare(_gate_conditions(search))
        holding = self._asked.holding
        allowed = holding(terms(COLLECTION, search.collections)) - self._hidden(viewer)
        for condition in search.gate.required:
            allowed &= holding(condition)
        return allowed

    def _branches(self, search: ListSearch, allowed: BitMap) -> list[BitMap]:
        """Return the personas of each way in; the rarest facts first, for they leave least."""
        branches = []
        for branch in search.gate.branches:
            ways = [self._asked.holding(condition) for condition in branch.conditions]
            branches.append(BitMap.intersection(*sorted([allowed, *ways], key=len)))
        return branches

    def _hidden(self, viewer: Viewer) -> BitMap:
        return hidden_personas(self._connection, self._postings, viewer)

    def _score(self, search: ListSearch, candidates: BitMap) -> tuple[Ints, Bits]:
        """Return a row (record, position, tie key) and the clause bits of each candidate."""
        if not candidates:
            return np.zeros((0, 3), np.int64), np.zeros((0, len(search.clauses)), np.bool_)
        self._asked.prepare(
            condition
            for clause in search.clauses
            for condition in (*clause.wanted, clause.unwanted)
            if condition
        )
        found = list(
            self._connection.rows_in(
                "SELECT record, position, tie, terms FROM personas WHERE id IN", list(candidates)
            )
        )
        personas = np.frombuffer(b"".join(blob for *_, blob in found), dtype=np.int32)
        bounds = np.cumsum([0, *(len(blob) // 4 for *_, blob in found)])
        rows = np.array([row[:3] for row in found], dtype=np.int64).reshape(-1, 3)
        compiled = compile_conditions(search.clauses, self._asked.numbers)
        return rows, clause_bits(compiled, personas.astype(np.int64), bounds)

    def _rank(self, search: ListSearch, rows: Ints, bits: Bits, top: int) -> tuple[Hit, ...]:
        totals = scores(bits, search.weights)
        best = rank_records(totals, rows[:, 2], rows[:, 1], top=top)
        keys = dict(
            self._connection.rows_in(
                "SELECT id, key FROM records WHERE id IN", rows[best, 0].tolist()
            )
        )
        names = [clause.name for clause in search.clauses]
        return tuple(
            Hit(
                record_key=keys[record],
                position=position,
                score=score,
                fired=tuple([name for name, bit in zip(names, fired, strict=True) if bit]),
            )
            for record, position, score, fired in zip(
                rows[best, 0].tolist(),
                rows[best, 1].tolist(),
                totals[best].tolist(),
                bits[best].tolist(),
                strict=True,
            )
        )


def _gate_conditions(search: ListSearch) -> Iterator[Condition]:
    gate = search.gate
    yield terms(COLLECTION, search.collections)
    yield from gate.required
    yield from gate.refinements
    for branch in gate.branches:
        yield from branch.conditions


def _excluded(search: ListSearch, bits: Bits) -> Bits:
    names = {clause.name for clause in search.gate.excluded}
    columns = [i for i, clause in enumerate(search.clauses) if clause.name in names]
    return np.asarray(bits[:, columns].any(axis=1), dtype=np.bool_)
