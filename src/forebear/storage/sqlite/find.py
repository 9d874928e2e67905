"""Record search in the file: the gate on bitmaps, the score in numpy."""

import time

import numpy as np
from pyroaring import BitMap

from forebear.records.privacy import Viewer
from forebear.search.record_search.narrow import narrow
from forebear.search.record_search.rank import rank_records
from forebear.search.record_search.ranked_list import Hit, ListSearch, RankedList
from forebear.search.record_search.score import Bits, Ints, clause_bits, compile_clauses, scores
from forebear.search.terms.fields import COLLECTION, terms
from forebear.storage.sqlite.connection import Connection
from forebear.storage.sqlite.postings import Postings
from forebear.storage.sqlite.records import PUBLIC


class SqliteFinder:
    """Finds the best records of a list."""

    def __init__(self, connection: Connection, postings: Postings) -> None:
        self._connection = connection
        self._postings = postings

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

    def _candidates(self, search: ListSearch, viewer: Viewer) -> tuple[BitMap, int]:
        holding = self._postings.holding
        allowed = holding(terms(COLLECTION, search.collections)) - self._hidden(viewer)
        for condition in search.gate.required:
            allowed &= holding(condition)
        branches = []
        for branch in search.gate.branches:
            personas = allowed
            for condition in branch.conditions:
                personas = personas & holding(condition)
            branches.append(personas)
        if len(BitMap.union(*branches)) <= search.gate.limit:
            return BitMap.union(*branches), 0
        refinements = [allowed & holding(condition) for condition in search.gate.refinements]
        return narrow(branches, refinements, limit=search.gate.limit)

    def _hidden(self, viewer: Viewer) -> BitMap:
        if viewer.is_owner:
            return BitMap()
        years = self._connection.rows(
            "SELECT id, term FROM terms WHERE term >= ? AND term < ?", (f"{PUBLIC}=", f"{PUBLIC}>")
        )
        hidden = [
            number for number, term in years if not viewer.may_see(int(term.partition("=")[2]))
        ]
        return self._postings.of_ids(hidden)

    def _score(self, search: ListSearch, candidates: BitMap) -> tuple[Ints, Bits]:
        """Return a row (record, position, tie key) and the clause bits of each candidate."""
        found = list(
            self._connection.rows_in(
                "SELECT record, position, tie, terms FROM personas WHERE id IN", list(candidates)
            )
        )
        ids = self._postings.ids(
            term
            for clause in search.clauses
            for condition in (*clause.wanted, clause.unwanted)
            for term in condition
        )
        personas = np.frombuffer(b"".join(blob for *_, blob in found), dtype=np.int32)
        bounds = np.cumsum([0, *(len(blob) // 4 for *_, blob in found)])
        rows = np.array([row[:3] for row in found], dtype=np.int64).reshape(-1, 3)
        compiled = compile_clauses(search.clauses, ids)
        return rows, clause_bits(compiled, personas.astype(np.int64), bounds)

    def _rank(self, search: ListSearch, rows: Ints, bits: Bits, top: int) -> tuple[Hit, ...]:
        totals = scores(bits, search.weights)
        best = rank_records(totals, rows[:, 2], rows[:, 1], top=top)
        keys = dict(
            self._connection.rows_in(
                "SELECT id, key FROM records WHERE id IN", rows[best, 0].tolist()
            )
        )
        return tuple(
            Hit(
                record_key=keys[int(rows[i, 0])],
                position=int(rows[i, 1]),
                score=int(totals[i]),
                fired=tuple(search.clauses[j].name for j in np.flatnonzero(bits[i])),
            )
            for i in best
        )


def _excluded(search: ListSearch, bits: Bits) -> Bits:
    names = {clause.name for clause in search.gate.excluded}
    columns = [i for i, clause in enumerate(search.clauses) if clause.name in names]
    return np.asarray(bits[:, columns].any(axis=1), dtype=np.bool_)
