"""Candidate pairs: what the clauses say of an archive's records, seen from its own personas.

Personas are drawn from every collection and asked for (``persona_query``), their own record
left out.  Each list then answers twice: with the candidates of the persona's own gate, and
with those of another persona's gate.  The second are pairs at random: nothing but chance makes
them agree, except in what the archive's people have in common.

Only the gate's first way in counts, by the names.  Whoever came in through a date or a place
would agree in those by construction, and make them look like nothing.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from forebear.learning.persona_query import persona_query
from forebear.records.collections import RecordList
from forebear.records.privacy import Viewer
from forebear.search.expansion.catalog import load_catalog
from forebear.search.expansion.expand import Expansion, expand
from forebear.search.expansion.facts import gather_facts
from forebear.search.expansion.gate import Gate
from forebear.search.expansion.knowledge import KnowledgeSource
from forebear.search.model import Model
from forebear.search.query.person_query import PersonQuery
from forebear.search.record_search.ranked_list import Hit, ListSearch
from forebear.search.record_search.storage import RecordStorage

MOST_CANDIDATES = 300  # of a query and list; a right record is hardly ever ranked lower
RANDOM_PAIRS = 60  # of a query and list
RETRIES = 4  # draws for each persona wanted, where some have no whole name

Bits = NDArray[np.bool_]
Ints = NDArray[np.int64]
Progress = Callable[[str], None]


class RecordDraws(Protocol):
    """A storage that gives records at random."""

    def draw_keys(self, collection: str, count: int, *, seed: int) -> list[str]:
        """Return keys of records of a collection, drawn at random, some perhaps twice."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidatePairs:
    """Pairs of a query and a persona of one record type, a row each, a column a clause."""

    clauses: tuple[str, ...]
    bits: Bits  # which clauses fire on a candidate
    owners: Ints  # the query of each row
    random_bits: Bits  # the same of pairs at random
    random_owners: Ints
    asked: Bits  # which clauses each query asks, a row a query


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnQuery:
    """A persona's query, and the records that are its own."""

    query: PersonQuery
    own: frozenset[str]


def draw_queries(
    storage: RecordStorage,
    draws: RecordDraws,
    lists: Sequence[RecordList],
    *,
    count: int,
    viewer: Viewer,
    seed: int,
) -> list[DrawnQuery]:
    """Return about so many personas as queries, as many of one record type as of another."""
    found = []
    for record_list in lists:
        share = -(-count // (len(lists) * len(record_list.collections)))
        for collection in record_list.collections:
            keys = draws.draw_keys(collection, share * RETRIES, seed=seed)
            chosen = random.Random(f"{seed}/{collection}")
            drawn = (_draw(storage, key, viewer, chosen) for key in dict.fromkeys(keys))
            whole = [one for one in drawn if one is not None]
            found += whole[:share]
    random.Random(seed).shuffle(found)
    return found


def _draw(
    storage: RecordStorage, key: str, viewer: Viewer, chosen: random.Random
) -> DrawnQuery | None:
    group = storage.group_of(key, viewer=viewer)
    record = next((each for each in group if each.key == key), None)
    if record is None or not record.personas:
        return None
    query = persona_query(record, chosen.randrange(len(record.personas)), group)
    own = frozenset(each.key for each in group)
    return None if query is None else DrawnQuery(query=query, own=own)


@dataclass(frozen=True, slots=True, kw_only=True)
class PairCollector:
    """Asks an archive's lists for the personas drawn from it."""

    storage: RecordStorage
    knowledge: KnowledgeSource
    lists: Sequence[RecordList]
    model: Model  # decides which candidates are kept where there are very many
    viewer: Viewer

    def collect(
        self, queries: Sequence[DrawnQuery], progress: Progress = lambda _: None
    ) -> dict[str, CandidatePairs]:
        """Return the pairs of each record type."""
        parts: dict[str, list[_Part]] = {each.record_type: [] for each in self.lists}
        gates: dict[str, Gate] = {}  # of the query before: a stranger's
        step = max(1, len(queries) // 10)
        for number, drawn in enumerate(queries):
            if number % step == 0:
                progress(f"{number} of {len(queries)} personas asked for")
            facts = gather_facts(drawn.query, self.knowledge.known_to(self.viewer))
            for each in self.lists:
                expansion = expand(facts, each.record_type)
                if expansion is None or not expansion.gate.branches:
                    continue
                gate = replace(expansion.gate, branches=expansion.gate.branches[:1])
                parts[each.record_type].append(
                    _Part(
                        asked=tuple(clause.name for clause in expansion.clauses),
                        hits=self._candidates(each, expansion, gate, drawn),
                        random_hits=self._strangers(each, expansion, gates.get(each.name)),
                    )
                )
                gates[each.name] = gate
        return {record_type: _pairs(record_type, found) for record_type, found in parts.items()}

    def _candidates(
        self, each: RecordList, expansion: Expansion, gate: Gate, drawn: DrawnQuery
    ) -> tuple[Hit, ...]:
        weights = [self.model.weight(each.record_type, clause.name) for clause in expansion.clauses]
        hits = self._find(each, expansion, gate, weights, top=MOST_CANDIDATES)
        return tuple(hit for hit in hits if hit.record_key not in drawn.own)

    def _strangers(
        self, each: RecordList, expansion: Expansion, gate: Gate | None
    ) -> tuple[Hit, ...]:
        if gate is None:
            return ()
        # Nothing weighs anything, so the hash of a record's key decides which are kept.
        weights = [0] * len(expansion.clauses)
        return self._find(each, expansion, replace(gate, excluded=()), weights, top=RANDOM_PAIRS)

    def _find(
        self,
        each: RecordList,
        expansion: Expansion,
        gate: Gate,
        weights: Sequence[int],
        *,
        top: int,
    ) -> tuple[Hit, ...]:
        search = ListSearch(
            name=each.name,
            record_type=each.record_type,
            collections=each.collections,
            gate=gate,
            clauses=expansion.clauses,
            weights=tuple(weights),
        )
        return self.storage.find(search, viewer=self.viewer, top=top).hits


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """What one query found in the lists of one record type."""

    asked: tuple[str, ...]
    hits: tuple[Hit, ...]
    random_hits: tuple[Hit, ...]


def _pairs(record_type: str, parts: Sequence[_Part]) -> CandidatePairs:
    clauses = tuple(row.clause for row in load_catalog()[record_type])
    columns = {name: column for column, name in enumerate(clauses)}
    asked = _rows((part.asked for part in parts), columns)
    return CandidatePairs(
        clauses=clauses,
        bits=_rows((hit.fired for part in parts for hit in part.hits), columns),
        owners=_owners([len(part.hits) for part in parts]),
        random_bits=_rows((hit.fired for part in parts for hit in part.random_hits), columns),
        random_owners=_owners([len(part.random_hits) for part in parts]),
        asked=asked,
    )


def _rows(names: Iterator[tuple[str, ...]], columns: Mapping[str, int]) -> Bits:
    found = list(names)
    rows = np.zeros((len(found), len(columns)), dtype=np.bool_)
    for number, each in enumerate(found):
        rows[number, [columns[name] for name in each]] = True
    return rows


def _owners(sizes: Sequence[int]) -> Ints:
    return np.repeat(np.arange(len(sizes), dtype=np.int64), sizes)
