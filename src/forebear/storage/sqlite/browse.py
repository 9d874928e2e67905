"""Which records pass a gate, in the order of their source, and how do they spread over facets?

Nothing is scored or narrowed here.  A record counts once, whatever personas of it pass.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from pyroaring import BitMap

from forebear.records.privacy import Viewer
from forebear.search.expansion.catalog import Clause
from forebear.search.facets import (
    FACET_FIELDS,
    FacetKey,
    ListFacets,
    count_facets,
    facet_of,
)
from forebear.search.record_search.ranked_list import ListSearch
from forebear.search.store import CollectionRow, cut_rows, is_whole_collection
from forebear.storage.columns import Personas
from forebear.storage.sqlite.checksums import require_sound, sound_terms
from forebear.storage.sqlite.connection import Connection
from forebear.storage.sqlite.find import SqliteFinder
from forebear.storage.sqlite.gate import ConditionCache, GateBitmaps
from forebear.storage.sqlite.postings import Postings
from forebear.storage.sqlite.records import RECORD

# Records that are public since this year or longer are one run of the index `records_in_order`.
# The number is part of the index; change both, with a migration.
SETTLED_YEAR = 2025
FEW_PERSONAS = 2_000  # whose rows are read and sorted
FEW_COUNTED = 20_000  # personas, of which the terms are read
WALKED_ROWS = 500  # at a time


class SqliteBrowser(SqliteFinder):
    """Finds the best records of lists, and counts and lists all that pass a gate."""

    def facets(self, searches: Sequence[ListSearch], *, viewer: Viewer) -> list[ListFacets]:
        """Count, for each list, everything that passes its gate, never narrowed."""
        with self._connection.snapshot():
            return [self._facets(search, viewer) for search in searches]

    def _facets(self, search: ListSearch, viewer: Viewer) -> ListFacets:
        gated = self._passing(search, viewer)
        possible = BitMap(gated)
        cache = self._conditions.current()
        for clause in search.gate.excluded:
            possible -= firing(clause, cache)
        records, counts = count_records(
            self._personas(possible), possible, self._connection, self._postings
        )
        return ListFacets(
            name=search.name,
            record_type=search.record_type,
            records=records,
            candidates=len(possible),
            excluded=len(gated) - len(possible),
            counts=counts,
        )

    def _passing(self, search: ListSearch, viewer: Viewer) -> BitMap:
        cache = self._conditions.current()
        return GateBitmaps(cache, [search], hidden=cache.hidden(viewer)).passing(search)

    def browse(
        self,
        search: ListSearch,
        *,
        viewer: Viewer,
        limit: int,
        after: CollectionRow | None = None,
        before: CollectionRow | None = None,
    ) -> list[CollectionRow]:
        """Return records that pass a gate and that the viewer may see, in the source's order."""
        with self._connection.snapshot():
            if is_whole_collection(search):
                runs = self._runs(search, viewer)
                return self._read_runs(runs, limit=limit, after=after, before=before)
            passing = self._passing(search, viewer)
            if len(passing) <= FEW_PERSONAS:
                rows = self._rows_of(passing)
                return cut_rows(rows, limit=limit, after=after, before=before)
            return self._walk(search, viewer, passing, limit=limit, after=after, before=before)

    def _runs(self, search: ListSearch, viewer: Viewer) -> list[tuple[str, int, int]]:
        """Return the runs of the index of rows: a collection, a year, the last year to be seen."""
        runs = []
        for name in search.collections:
            years = self._connection.rows(
                "SELECT public_year FROM record_counts WHERE collection = ?", (name,)
            )
            seen = [year for (year,) in years if viewer.may_see(year)]
            runs += [(name, run, max(seen)) for run in {max(year, SETTLED_YEAR) for year in seen}]
        return runs

    def _read_runs(
        self,
        runs: Iterable[tuple[str, int, int]],
        *,
        limit: int,
        after: CollectionRow | None,
        before: CollectionRow | None,
    ) -> list[CollectionRow]:
        """Return the rows after or before a row, read from each run and merged."""
        way, order = ("<", "DESC") if before else (">", "ASC")
        start = before or after
        rows = [
            self._sound_row(row)
            for run in runs
            for row in self._connection.rows(
                f"{RECORD} FROM records r WHERE collection = ?"
                f" AND max(public_year, {SETTLED_YEAR}) = ? AND public_year <= ?"
                f" AND (position, key) {way} (?, ?)"
                f" ORDER BY position {order}, key {order} LIMIT ?",
                (*run, *(start.place if start else ("", "")), limit),
            )
        ]
        return cut_rows(rows, limit=limit, after=after, before=before)

    def _sound_row(self, row: Sequence[Any]) -> CollectionRow:
        """Return a row of `RECORD`, refused if it is damaged: its year says who may see it."""
        require_sound(self._connection, "records", row)
        return CollectionRow(position=row[6], record_key=row[1])

    def _rows_of(self, personas: BitMap) -> list[CollectionRow]:
        numbers = set(self._personas(personas).records.tolist())
        rows = self._connection.rows_in(f"{RECORD} FROM records r WHERE r.id IN", list(numbers))
        return [self._sound_row(row) for row in rows]

    def _walk(
        self,
        search: ListSearch,
        viewer: Viewer,
        passing: BitMap,
        *,
        limit: int,
        after: CollectionRow | None,
        before: CollectionRow | None,
    ) -> list[CollectionRow]:
        """Return rows of a large part of a collection: walk through it until there are enough."""
        runs = self._runs(search, viewer)
        rows: list[CollectionRow] = []
        while len(rows) < limit:
            chunk = self._read_runs(runs, limit=WALKED_ROWS, after=after, before=before)
            if not chunk:
                break
            keys = [row.record_key for row in chunk]
            personas = self._connection.rows_in(
                "SELECT p.id, r.key FROM personas p JOIN records r ON r.id = p.record"
                " WHERE r.key IN",
                keys,
            )
            present = {key for number, key in personas if number in passing}
            matches = [row for row in chunk if row.record_key in present]
            if before:
                rows, before = [*matches, *rows], chunk[0]
            else:
                rows, after = [*rows, *matches], chunk[-1]
        return rows[-limit:] if before else rows[:limit]


def firing(clause: Clause, cache: ConditionCache) -> BitMap:
    """Return the personas on which a clause fires."""
    cache.prepare((*clause.any_of, clause.none_of))
    # at_least[n] are those for whom n of the conditions seen so far hold.
    at_least = [BitMap() for _ in range(clause.least + 1)]
    for condition in clause.any_of:
        holding = cache.holding(condition)
        for number in range(clause.least, 1, -1):
            at_least[number] |= at_least[number - 1] & holding
        at_least[1] |= holding
    return at_least[clause.least] - cache.holding(clause.none_of)


def count_records(
    personas: Personas, numbers: BitMap, connection: Connection, postings: Postings
) -> tuple[int, dict[str, dict[str, int]]]:
    """Return how many records these personas are of, and how the records spread.

    ``numbers`` are those of the personas.  The terms of a few are soon counted; for many it is
    quicker to intersect with every facet's bitmap, whose number grows with the archive's
    vocabulary and not with the personas.
    """
    if len(personas) <= FEW_COUNTED:
        return _count_in_terms(personas, connection)
    return _count_in_bitmaps(personas, numbers, postings)


def _count_in_terms(
    personas: Personas, connection: Connection
) -> tuple[int, dict[str, dict[str, int]]]:
    gathered = personas.gathered()
    records = np.repeat(gathered.records, gathered.counts)
    different, at = np.unique(gathered.terms, return_inverse=True)
    facets = _facets_of(connection, different.tolist())
    numbers = {facet: number for number, facet in enumerate(dict.fromkeys(facets.values()))}
    numbered = {term: numbers[facet] for term, facet in facets.items()}
    # The number of each term's facet, -1 where it gives none.
    given = np.array([numbered.get(term, -1) for term in different.tolist()], np.int64)[at]
    pairs = np.unique(given[given >= 0] << 40 | records[given >= 0])  # a record once in a facet
    counts = np.bincount(pairs >> 40, minlength=len(numbers))
    spread = {facet: int(counts[number]) for facet, number in numbers.items()}
    return len(np.unique(gathered.records)), count_facets(spread)


def _facets_of(connection: Connection, term_ids: list[int]) -> dict[int, FacetKey]:
    """Return the facet of each of these terms that gives one."""
    fields = " OR ".join(f"term >= '{field}=' AND term < '{field}>'" for field in FACET_FIELDS)
    rows = connection.rows_in(
        f"SELECT id, term, checksum FROM terms WHERE ({fields}) AND id IN", term_ids
    )
    facets = {number: facet_of(term) for number, term in sound_terms(connection, rows)}
    return {number: facet for number, facet in facets.items() if facet}


def _count_in_bitmaps(
    personas: Personas, numbers: BitMap, postings: Postings
) -> tuple[int, dict[str, dict[str, int]]]:
    counts: dict[FacetKey, int] = {}
    for facet, ids in _facet_terms(postings).items():
        having = np.array(postings.of_ids(ids) & numbers, dtype=np.int64)
        if len(having):
            counts[facet] = len(np.unique(personas.records[personas.rows_of(having)]))
    return len(np.unique(personas.records)), count_facets(counts)


def _facet_terms(postings: Postings) -> dict[FacetKey, list[int]]:
    """Return the numbers of the terms that give each facet value."""
    terms: defaultdict[FacetKey, list[int]] = defaultdict(list)
    for field in FACET_FIELDS:
        for number, term in postings.terms_of(field):
            if facet := facet_of(term):
                terms[facet].append(number)
    return terms
