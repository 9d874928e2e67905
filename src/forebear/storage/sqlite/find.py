"""Which records of each list are the best?  The gate on bitmaps, the score on columns.

The lists of a search have much in common, so they are searched together, in one snapshot:
what they share is read and computed once, and their results are of one moment.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from pyroaring import BitMap

from forebear.errors import StorageError
from forebear.records.privacy import Viewer
from forebear.search.expansion.catalog import Clause, Condition
from forebear.search.hits import NO_YEAR, list_hits
from forebear.search.record_search import score
from forebear.search.record_search.ranked_list import (
    DATED_TYPES,
    ListSearch,
    RankedList,
    failed_list,
    rank_lists,
)
from forebear.search.record_search.score import (
    CompiledClauses,
    Ints,
    Matches,
    ScoredClauses,
    Terms,
    compile_conditions,
)
from forebear.storage import columns
from forebear.storage.columns import Personas, RunSums
from forebear.storage.sqlite.columns import ArchiveColumns, find_personas
from forebear.storage.sqlite.connection import Connection
from forebear.storage.sqlite.gate import ConditionCache, ConditionCaches, GateBitmaps
from forebear.storage.sqlite.postings import Postings
from forebear.storage.sqlite.records import RecordKeys

MAX_SCORED = 40_000  # personas at once; their terms and bits must fit in memory
MAX_SCORED_COMPILED = 1_000_000  # the loops need only the bits


@dataclass(frozen=True, slots=True)
class Loops:
    """The inner loops of scoring: readable ones in numpy, or compiled ones."""

    run_sums: RunSums
    match: Callable[[CompiledClauses, Terms, Ints, Ints], Matches]
    max_scored: int
    gather: bool  # whether terms must follow each other


NUMPY_LOOPS = Loops(columns.run_sums, score.match, MAX_SCORED, gather=True)


def compiled_loops() -> Loops:
    """Return the compiled loops, loading numba."""
    from forebear.kernels.scoring import run_sums
    from forebear.search.record_search.compiled_score import match

    return Loops(run_sums, match, MAX_SCORED_COMPILED, gather=False)


class SqliteFinder:
    """Finds the best records of lists."""

    def __init__(self, connection: Connection, postings: Postings, columns: ArchiveColumns) -> None:
        self._connection = connection
        self._postings = postings
        self._conditions = ConditionCaches(connection, postings)
        self._columns = columns
        self._loops = NUMPY_LOOPS

    def compile_loops(self) -> None:
        """Score with compiled loops from now on, unless the archive is small.

        To load them takes longer than some hundred searches.
        """
        with self._connection.snapshot():
            if self._columns.current() is None:
                return
        self._loops = compiled_loops()

    def find(self, searches: Sequence[ListSearch], *, viewer: Viewer, top: int) -> list[RankedList]:
        """Return the best records of each list that the viewer may see, each record once."""
        try:
            return self._find(searches, viewer, top)
        except StorageError as error:
            if len(searches) == 1:
                return [failed_list(searches[0], error.message)]
            # Searched one by one, only the lists that failed are reported as failed.
            return [self.find([search], viewer=viewer, top=top)[0] for search in searches]

    def _find(self, searches: Sequence[ListSearch], viewer: Viewer, top: int) -> list[RankedList]:
        """Search all lists in one snapshot."""
        started = time.perf_counter()
        with self._connection.snapshot():
            cache = self._conditions.current()
            gates = GateBitmaps(cache, searches, hidden=cache.hidden(viewer))
            gated = [_Gated(search, *gates.candidates(search)) for search in searches]
            keys = RecordKeys(self._connection)
            ranked = [
                list_
                for portion in _in_portions(gated, self._loops.max_scored)
                for list_ in self._score(portion, cache, keys, top)
            ]
        seconds = (time.perf_counter() - started) / max(1, len(searches))
        return [replace(list_, seconds=seconds) for list_ in ranked]

    def candidates(
        self, searches: Sequence[ListSearch], *, viewer: Viewer
    ) -> list[tuple[BitMap, int]]:
        """Return, for each list, the personas its gate lets in and how often it was narrowed."""
        with self._connection.snapshot():
            cache = self._conditions.current()
            gates = GateBitmaps(cache, searches, hidden=cache.hidden(viewer))
            return [gates.candidates(search) for search in searches]

    def term_numbers(self, condition: Condition) -> list[int]:
        """Return the numbers of the condition's terms that the archive has."""
        return sorted(self._postings.ids(condition).values())

    def _personas(self, chosen: BitMap) -> Personas:
        """Return personas by number; their terms may be anywhere in an array."""
        loops = self._loops
        usable = self._columns.current()
        return find_personas(self._connection, usable, chosen, loops.run_sums, gather=loops.gather)

    def _score(
        self, gated: Sequence["_Gated"], cache: ConditionCache, keys: RecordKeys, top: int
    ) -> Iterator[RankedList]:
        """Score the candidates of some lists: every clause of theirs on every persona, once."""
        clauses = _distinct(list_.search for list_ in gated if list_.candidates)
        cache.prepare(
            condition
            for clause in clauses.values()
            for condition in (*clause.any_of, clause.none_of)
            if condition
        )
        personas = self._personas(BitMap.union(*(list_.candidates for list_ in gated)))
        compiled = compile_conditions(tuple(clauses.values()), cache.numbers)
        matches = self._loops.match(compiled, personas.terms, personas.firsts, personas.counts)
        columns = {clause: column for column, clause in enumerate(clauses)}
        scored = [_scored_clauses(list_.search, columns) for list_ in gated]
        rows = [_rows_of(personas, list_.candidates) for list_ in gated]
        totals, possible = zip(*map(matches.scores, rows, scored), strict=True)
        remaining = [one[is_possible] for one, is_possible in zip(rows, possible, strict=True)]
        best, records = _rank(personas, remaining, totals, possible, top)
        years = cache.event_years()
        for number, list_ in enumerate(gated):
            chosen, score_of_chosen = best[number]
            yield _ranked_list(
                list_,
                personas.take(chosen),
                score_of_chosen,
                np.packbits(matches.bits(chosen, scored[number]), axis=1),
                years,
                keys,
                candidates=len(remaining[number]),
                records=records[number],
            )


@dataclass(frozen=True, slots=True)
class _Gated:
    """A list, the personas that its gate lets in, and how far it was narrowed."""

    search: ListSearch
    candidates: BitMap
    steps: int


def _scored_clauses(search: ListSearch, columns: Mapping[int, int]) -> ScoredClauses:
    names = {clause.name for clause in search.gate.excluded}
    # A list without candidates may have clauses that were not compiled.
    clauses = [columns.get(id(clause), 0) for clause in search.clauses]
    return ScoredClauses(
        clauses=np.array(clauses, np.int64),
        weights=np.array(search.weights, np.int64),
        excluding=np.array([clause.name in names for clause in search.clauses], np.bool_),
    )


def _rows_of(personas: Personas, candidates: BitMap) -> Ints:
    return personas.rows_of(np.frombuffer(candidates.to_array(), np.uint32).astype(np.int64))


def _rank(
    personas: Personas,
    rows: Sequence[Ints],
    totals: Sequence[Ints],
    possible: Sequence[NDArray[np.bool_]],
    top: int,
) -> tuple[list[tuple[Ints, Ints]], list[int]]:
    """Return the best rows of each list with their scores, and how many records it has."""
    count = len(rows)
    of_list = np.repeat(np.arange(count), [len(one) for one in rows])
    joined = np.concatenate(rows)
    scores = np.concatenate([t[p] for t, p in zip(totals, possible, strict=True)])
    best, records = rank_lists(
        of_list, scores, personas.ties[joined], personas.positions[joined], top=top
    )
    edges = np.searchsorted(of_list[best], np.arange(count + 1))
    chosen, chosen_scores = joined[best], scores[best]
    parts = [slice(*edges[number : number + 2].tolist()) for number in range(count)]
    counts = np.zeros(count, np.int64)
    counts[: len(records)] = records
    return [(chosen[part], chosen_scores[part]) for part in parts], counts.tolist()


def _last_years(personas: Personas, years: tuple[Ints, Ints]) -> Ints:
    """Return the last year of the event of each persona; ``years`` are those of terms."""
    numbers, of_term = years
    gathered = personas.gathered()
    last_years = np.full(len(gathered), NO_YEAR)
    if len(numbers):
        at = np.minimum(np.searchsorted(numbers, gathered.terms), len(numbers) - 1)
        is_year = numbers[at] == gathered.terms
        of_persona = np.repeat(np.arange(len(gathered)), gathered.counts)
        np.maximum.at(last_years, of_persona[is_year], of_term[at[is_year]])
    return last_years


def _ranked_list(
    gated: _Gated,
    best: Personas,
    scores: Ints,
    fired: NDArray[np.uint8],
    years: tuple[Ints, Ints],
    keys: RecordKeys,
    *,
    candidates: int,
    records: int,
) -> RankedList:
    search, steps = gated.search, gated.steps
    is_dated = search.record_type in DATED_TYPES
    info = replace(search.info, keys=keys)
    return RankedList(
        name=search.name,
        record_type=search.record_type,
        hits=list_hits(
            info,
            record=best.records,
            position=best.positions,
            tie=best.ties,
            score=scores,
            fired=fired,
            year=_last_years(best, years) if is_dated else None,
        ),
        candidates=candidates,
        records=records,
        excluded=len(gated.candidates) - candidates,
        state="narrowed" if steps else "complete",
        message=f"narrowed in {steps} steps" if steps else "",
        clauses=info.clauses,
    )


def _distinct(searches: Iterator[ListSearch]) -> dict[int, Clause]:
    """Return the clauses of all lists; by identity, for lists share theirs."""
    return {id(clause): clause for search in searches for clause in search.clauses}


def _in_portions(gated: Sequence[_Gated], max_scored: int) -> Iterator[list[_Gated]]:
    """Yield lists that are few enough personas to be scored together, or one list alone."""
    portion: list[_Gated] = []
    personas = 0
    for list_ in gated:
        if portion and personas + len(list_.candidates) > max_scored:
            yield portion
            portion, personas = [], 0
        portion.append(list_)
        personas += len(list_.candidates)
    if portion:
        yield portion
