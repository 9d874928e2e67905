"""Why was a record found?  Its best persona and the clauses that fired, read off a hit.

The cluster says which records are best and by which score.  Everything else is worked out
here from the terms that each hit brings along, and so is the score once more: a difference
would mean that what was searched is not what was stored.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from forebear.errors import StorageError
from forebear.search.record_search.ranked_list import Hit, ListSearch
from forebear.search.record_search.score import Bits, clause_bits, compile_clauses, scores
from forebear.storage.opensearch.answers import Json
from forebear.storage.opensearch.documents import PackedPersona, unpack
from forebear.storage.opensearch.queries import Formula, score_from


def read_hits(search: ListSearch, candidates: Formula, found: Sequence[Json]) -> Iterator[Hit]:
    """Yield the hits, each under its best persona, with the clauses that fired."""
    records = [unpack(hit["fields"]["pb"][0]) for hit in found]
    passing = [
        (row, persona)
        for row, (_, personas) in enumerate(records)
        for persona in personas
        if _passes(search, candidates, persona)
    ]
    bits = _bits(search, [persona for _, persona in passing])
    totals = scores(bits, search.weights)
    best: dict[int, int] = {}
    for number, (row, _) in enumerate(passing):
        if row not in best or totals[number] > totals[best[row]]:
            best[row] = number
    for row, hit in enumerate(found):
        key = records[row][0]
        told = score_from(hit["sort"][0], search.weights)
        if row not in best or totals[best[row]] != told:
            raise StorageError(
                f"the cluster ranked {key!r} by {told} 64ths of a bit, its terms say otherwise",
                hint="run `forebear check`",
            )
        yield Hit(
            record_key=key,
            position=passing[best[row]][1].position,
            score=int(totals[best[row]]),
            fired=tuple(search.clauses[j].name for j in np.flatnonzero(bits[best[row]])),
        )


def _passes(search: ListSearch, candidates: Formula, persona: PackedPersona) -> bool:
    return (
        candidates.holds(persona.terms)
        and not any(condition.isdisjoint(persona.terms) for condition in search.gate.required)
        and not any(clause.fires_on(persona.terms) for clause in search.gate.excluded)
    )


def _bits(search: ListSearch, personas: Sequence[PackedPersona]) -> Bits:
    asked = {
        term
        for clause in search.clauses
        for condition in (*clause.wanted, clause.unwanted)
        for term in condition
    }
    ids = {term: number for number, term in enumerate(asked)}
    held = [[ids[term] for term in persona.terms & asked] for persona in personas]
    bounds = np.cumsum([0, *map(len, held)])
    numbers = np.array([number for row in held for number in row], dtype=np.int64)
    return clause_bits(compile_clauses(search.clauses, ids), numbers, bounds)
