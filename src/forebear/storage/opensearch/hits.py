"""Why was a record found?  Its best persona and the clauses that fired, read off a hit.

A hit brings the terms of its personas along, and everything is worked out here from those.  Where
the cluster says which records are best and by which score, so is the score once more: a
difference would mean that what was searched is not what was stored.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from forebear.errors import StorageError
from forebear.search.expansion.catalog import Condition
from forebear.search.hits import NO_HITS, Hits, keyed_hits, tie_key
from forebear.search.record_search.rank import rank_records
from forebear.search.record_search.ranked_list import ListSearch, year_of
from forebear.search.record_search.score import Bits, clause_bits, compile_conditions, scores
from forebear.search.terms.term import PersonaTerms
from forebear.storage.opensearch.answers import Json
from forebear.storage.opensearch.documents import PackedPersona, unpack
from forebear.storage.opensearch.queries import Formula, score_from

Row = tuple[str, PackedPersona]  # a persona with its record's key


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredRecords:
    """All records that pass a gate, the best first."""

    hits: Hits
    gated: int  # personas that pass the gate
    possible: int  # and that no date makes impossible


def score_records(search: ListSearch, candidates: Formula, found: Sequence[Json]) -> ScoredRecords:
    """Return what passes a gate, of all records with a persona that does."""
    gated = [row for row in _personas(found) if _is_gated(search, candidates, row[1].terms)]
    possible = [row for row in gated if not _is_excluded(search, row[1].terms)]
    return ScoredRecords(hits=_best(search, possible), gated=len(gated), possible=len(possible))


def read_hits(search: ListSearch, candidates: Formula, found: Sequence[Json]) -> Hits:
    """Return the hits that the cluster ranked, each under its best persona."""
    rows = []
    ranked = []  # the key of each record, and its score in the cluster
    for each in found:
        key, personas = unpack(each["fields"]["pb"][0])
        ranked.append((key, score_from(each["sort"][0], search.weights)))
        rows += [
            (key, persona)
            for persona in personas
            if _is_gated(search, candidates, persona.terms)
            and not _is_excluded(search, persona.terms)
        ]
    hits = _best(search, rows)
    scored = dict(zip(hits.record_keys(), hits.score.tolist(), strict=True))
    for key, score in ranked:
        if scored.get(key) != score:
            raise StorageError(
                f"the cluster ranked {key!r} by {score} 64ths of a bit, its terms say otherwise",
                hint="run `forebear check`",
            )
    return hits


def _personas(found: Sequence[Json]) -> Iterator[Row]:
    for hit in found:
        key, personas = unpack(hit["fields"]["pb"][0])
        for persona in personas:
            yield key, persona


def _is_gated(search: ListSearch, candidates: Formula, terms: PersonaTerms) -> bool:
    return candidates.holds(terms) and not any(
        condition.isdisjoint(terms) for condition in search.gate.required
    )


def _is_excluded(search: ListSearch, terms: PersonaTerms) -> bool:
    return any(clause.fires_on(terms) for clause in search.gate.excluded)


def _best(search: ListSearch, rows: Sequence[Row]) -> Hits:
    """Return each record once, the best first: under its best persona, or the first of these."""
    if not rows:
        return NO_HITS
    bits = _bits(search, [persona.terms for _, persona in rows])
    totals = scores(bits, search.weights)
    ties = np.array([tie_key(key) for key, _ in rows], np.int64)
    positions = np.array([persona.position for _, persona in rows], np.int64)
    best = rank_records(totals, ties, positions, top=len(rows))
    personas = [rows[number] for number in best.tolist()]
    return keyed_hits(
        search.info,
        keys=[key for key, _ in personas],
        positions=[persona.position for _, persona in personas],
        scores=totals[best].tolist(),
        fired=bits[best],
        years=[year_of(persona.terms, search.record_type) for _, persona in personas],
    )


def _bits(search: ListSearch, personas: Sequence[PersonaTerms]) -> Bits:
    known: PersonaTerms = frozenset().union(*personas)
    ids = {term: number for number, term in enumerate(known)}

    def numbers_of(condition: Condition) -> list[int]:
        return sorted(ids[term] for term in condition & known)

    bounds = np.cumsum([0, *map(len, personas)])
    numbers = np.array([ids[term] for terms in personas for term in terms], dtype=np.int64)
    return clause_bits(compile_conditions(search.clauses, numbers_of), numbers, bounds)
