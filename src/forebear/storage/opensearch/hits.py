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
from forebear.search.record_search.rank import tie_key
from forebear.search.record_search.ranked_list import Hit, ListSearch, year_of
from forebear.search.record_search.score import Bits, clause_bits, compile_conditions, scores
from forebear.search.terms.fields import PersonaTerms
from forebear.storage.opensearch.answers import Json
from forebear.storage.opensearch.documents import PackedPersona, unpack
from forebear.storage.opensearch.queries import Formula, score_from

Row = tuple[str, PackedPersona]  # a persona with its record's key


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredRecords:
    """All records that pass a gate, the best first."""

    hits: tuple[Hit, ...]
    gated: int  # personas that pass the gate
    possible: int  # and that no date makes impossible


def score_records(search: ListSearch, candidates: Formula, found: Sequence[Json]) -> ScoredRecords:
    """Return what passes a gate, of all records with a persona that does."""
    gated = [row for row in _personas(found) if _is_gated(search, candidates, row[1].terms)]
    possible = [row for row in gated if not _is_excluded(search, row[1].terms)]
    hits = _best(search, possible).values()
    ordered = sorted(hits, key=lambda hit: (-hit.score, tie_key(hit.record_key)))
    return ScoredRecords(hits=tuple(ordered), gated=len(gated), possible=len(possible))


def read_hits(search: ListSearch, candidates: Formula, found: Sequence[Json]) -> Iterator[Hit]:
    """Yield the hits that the cluster ranked, each under its best persona."""
    keys = []
    rows = []
    for each in found:
        key, personas = unpack(each["fields"]["pb"][0])
        keys.append(key)
        rows += [
            (key, persona)
            for persona in personas
            if _is_gated(search, candidates, persona.terms)
            and not _is_excluded(search, persona.terms)
        ]
    best = _best(search, rows)
    for key, each in zip(keys, found, strict=True):
        told = score_from(each["sort"][0], search.weights)
        hit = best.get(key)
        if hit is None or hit.score != told:
            raise StorageError(
                f"the cluster ranked {key!r} by {told} 64ths of a bit, its terms say otherwise",
                hint="run `forebear check`",
            )
        yield hit


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


def _best(search: ListSearch, rows: Sequence[Row]) -> dict[str, Hit]:
    """Return each record's hit: its best persona, the first on the record where they tie."""
    if not rows:
        return {}
    bits = _bits(search, [persona.terms for _, persona in rows])
    totals = scores(bits, search.weights).tolist()
    best: dict[str, int] = {}
    for number, (key, _) in enumerate(rows):
        if key not in best or totals[number] > totals[best[key]]:
            best[key] = number
    return {
        key: Hit(
            record_key=key,
            position=rows[number][1].position,
            score=totals[number],
            fired=tuple(search.clauses[j].name for j in np.flatnonzero(bits[number])),
            year=year_of(rows[number][1].terms, search.record_type),
        )
        for key, number in best.items()
    }


def _bits(search: ListSearch, personas: Sequence[PersonaTerms]) -> Bits:
    known: PersonaTerms = frozenset().union(*personas)
    ids = {term: number for number, term in enumerate(known)}

    def numbers_of(condition: Condition) -> list[int]:
        return sorted(ids[term] for term in condition & known)

    bounds = np.cumsum([0, *map(len, personas)])
    numbers = np.array([ids[term] for terms in personas for term in terms], dtype=np.int64)
    return clause_bits(compile_conditions(search.clauses, numbers_of), numbers, bounds)
