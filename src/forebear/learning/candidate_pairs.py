"""How do records of one person agree, and those of others?  Pairs from an archive's own personas.

An archive describes the same people many times.  Searching for a sample of its personas, each in
the words of its record and with that record excluded, shows how records agree without anyone
having judged them.  Each list is searched twice: with the persona's own gate for candidates, and
with another persona's gate for random pairs, which agree by chance alone, except in what the
archive's people have in common.

Only the first branch of the gate is used, by the names.  Whoever came in by a date or a place would
agree in those by construction, and make them look worthless.

Only what happens once in a life is queried with its date: two records of one woman give the same
birth, but hardly the same day in court, so other events give only a place of residence.
"""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from forebear.kernels.ndcg import Integers
from forebear.records.collections import RecordList
from forebear.records.privacy import Viewer
from forebear.records.record import Record
from forebear.search.expansion.catalog import load_catalog
from forebear.search.expansion.expand import Expansion, expand
from forebear.search.expansion.facts import gather_facts
from forebear.search.expansion.gate import Gate
from forebear.search.hits import NO_HITS, Hits
from forebear.search.model import Model
from forebear.search.query.from_persona import query_from_persona
from forebear.search.query.person_query import LifeEvent, PersonQuery
from forebear.search.record_search.ranked_list import ListSearch
from forebear.search.store import SearchStore

MAX_CANDIDATES = 300  # of a query and list; a right record is hardly ever ranked lower
RANDOM_PAIRS = 60  # of a query and list
RETRIES = 4  # keys drawn per persona, because some have no whole name
# A marriage too, for most people; a second one is rarer than a namesake.
ONCE_IN_A_LIFE = frozenset({"birth", "baptism", "marriage", "death", "burial"})
MAX_RELATIVES = 20  # a bigger household is a ship or a workhouse

Bits = NDArray[np.bool_]
Progress = Callable[[str], None]


class SampledStore(SearchStore, Protocol):
    """A storage that can be searched and samples its records."""

    def draw_keys(self, collection: str, count: int, *, seed: int) -> list[str]:
        """Return random keys of records of a collection, some perhaps twice."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidatePairs:
    """Pairs of a query and a persona of one record type: a row per pair, a column per clause."""

    clauses: tuple[str, ...]
    bits: Bits  # which clauses fire on a candidate
    owners: Integers  # the query of each row
    random_bits: Bits  # the same for random pairs
    random_owners: Integers
    queried: Bits  # which clauses each query has, one row per query


@dataclass(frozen=True, slots=True, kw_only=True)
class SampledQuery:
    """A persona's query, and the records of its household."""

    query: PersonQuery
    household: frozenset[str]


def draw_queries(
    storage: SampledStore,
    lists: Sequence[RecordList],
    *,
    count: int,
    viewer: Viewer,
    seed: int,
) -> list[SampledQuery]:
    """Return about ``count`` personas as queries, as many of one record type as of another."""
    queries: list[SampledQuery] = []
    for record_list in lists:
        share = -(-count // (len(lists) * len(record_list.collections)))
        for collection in record_list.collections:
            keys = storage.draw_keys(collection, share * RETRIES, seed=seed)
            positions = random.Random(f"{seed}/{collection}")
            sampled = (_sample(storage, key, viewer, positions) for key in dict.fromkeys(keys))
            queries += [query for query in sampled if query is not None][:share]
    random.Random(seed).shuffle(queries)
    return queries


def _sample(
    storage: SearchStore, key: str, viewer: Viewer, positions: random.Random
) -> SampledQuery | None:
    group = storage.records([key], viewer=viewer, groups=True).get(key, ())
    record = next((member for member in group if member.key == key), None)
    if record is None or not record.personas:
        return None
    query = persona_query(record, positions.randrange(len(record.personas)), group)
    household = frozenset(member.key for member in group)
    return None if query is None else SampledQuery(query=query, household=household)


@dataclass(frozen=True, slots=True, kw_only=True)
class PairCollector:
    """Searches an archive's lists for a sample of its personas."""

    storage: SearchStore
    lists: Sequence[RecordList]
    model: Model  # decides which candidates are used where there are very many
    viewer: Viewer

    def collect(
        self, queries: Sequence[SampledQuery], progress: Progress = lambda _: None
    ) -> dict[str, CandidatePairs]:
        """Return the pairs of record_list record type."""
        parts: dict[str, list[_Part]] = {record_list.record_type: [] for record_list in self.lists}
        gates: dict[str, Gate] = {}  # of the previous query, another person's
        step = max(1, len(queries) // 10)
        for number, sampled in enumerate(queries):
            if number % step == 0:
                progress(f"searched for {number} of {len(queries)} personas")
            with self.storage.snapshot():
                facts = gather_facts(sampled.query, self.storage.knowledge(self.viewer))
                for record_list in self.lists:
                    expansion = expand(facts, record_list.record_type)
                    if expansion is None or not expansion.gate.branches:
                        continue
                    gate = replace(expansion.gate, branches=expansion.gate.branches[:1])
                    parts[record_list.record_type].append(
                        _Part(
                            queried=tuple(clause.name for clause in expansion.clauses),
                            hits=self._candidates(record_list, expansion, gate, sampled),
                            random_hits=self._random_hits(
                                record_list, expansion, gates.get(record_list.name)
                            ),
                        )
                    )
                    gates[record_list.name] = gate
        return {record_type: _pairs(record_type, of_type) for record_type, of_type in parts.items()}

    def _candidates(
        self, record_list: RecordList, expansion: Expansion, gate: Gate, sampled: SampledQuery
    ) -> Hits:
        names = [clause.name for clause in expansion.clauses]
        weights = self.model.weights_of(record_list.record_type, names)
        hits = self._find(record_list, expansion, gate, weights, top=MAX_CANDIDATES)
        return hits.take([key not in sampled.household for key in hits.record_keys()])

    def _random_hits(
        self, record_list: RecordList, expansion: Expansion, gate: Gate | None
    ) -> Hits:
        if gate is None:
            return NO_HITS
        # All weights are 0, so the hash of a record's key decides which are used.
        weights = [0] * len(expansion.clauses)
        return self._find(
            record_list, expansion, replace(gate, excluded=()), weights, top=RANDOM_PAIRS
        )

    def _find(
        self,
        record_list: RecordList,
        expansion: Expansion,
        gate: Gate,
        weights: Sequence[int],
        *,
        top: int,
    ) -> Hits:
        search = ListSearch(
            name=record_list.name,
            record_type=record_list.record_type,
            collections=record_list.collections,
            gate=gate,
            clauses=expansion.clauses,
            weights=tuple(weights),
        )
        return self.storage.find([search], viewer=self.viewer, top=top)[0].hits


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """The hits of one query in the lists of one record type."""

    queried: tuple[str, ...]
    hits: Hits
    random_hits: Hits


def _pairs(record_type: str, parts: Sequence[_Part]) -> CandidatePairs:
    clauses = tuple(row.clause for row in load_catalog()[record_type])
    columns = {name: column for column, name in enumerate(clauses)}
    queried = _rows((part.queried for part in parts), columns)
    return CandidatePairs(
        clauses=clauses,
        bits=_bits([part.hits for part in parts], columns),
        owners=_owners([len(part.hits) for part in parts]),
        random_bits=_bits([part.random_hits for part in parts], columns),
        random_owners=_owners([len(part.random_hits) for part in parts]),
        queried=queried,
    )


def _bits(parts: Sequence[Hits], columns: Mapping[str, int]) -> Bits:
    rows = [np.zeros((len(hits), len(columns)), dtype=np.bool_) for hits in parts]
    for bits, hits in zip(rows, parts, strict=True):
        bits[:, [columns[name] for name in hits.lists[0].clauses]] = hits.bits()
    return np.concatenate([np.zeros((0, len(columns)), np.bool_), *rows])


def _rows(fired: Iterator[tuple[str, ...]], columns: Mapping[str, int]) -> Bits:
    names_by_row = list(fired)
    rows = np.zeros((len(names_by_row), len(columns)), dtype=np.bool_)
    for number, names in enumerate(names_by_row):
        rows[number, [columns[name] for name in names]] = True
    return rows


def _owners(sizes: Sequence[int]) -> Integers:
    return np.repeat(np.arange(len(sizes), dtype=np.int64), sizes)


def persona_query(record: Record, position: int, group: Sequence[Record]) -> PersonQuery | None:
    """Return the query that finds a persona; None without a whole name.

    ``group`` holds the records of the household, the record itself among them.
    """
    persona = record.personas[position]
    if not any(name.given and name.surname for name in persona.names):
        return None
    others = [other for one in group if one.key != record.key for other in one.personas]
    if len(others) > MAX_RELATIVES:
        others = []
    household = structs.replace(record, personas=(*record.personas, *others))
    query = query_from_persona(household, position, query_id=f"{record.key}/{position}")
    return replace(query, events=tuple(_lasting(query.events)), source="")


def _lasting(events: Iterable[LifeEvent]) -> Iterator[LifeEvent]:
    """Yield what another record of the same person would have too."""
    for event in events:
        if event.kind in ONCE_IN_A_LIFE:
            yield event
        elif event.place is not None:
            yield LifeEvent(kind="residence", place=event.place)
