"""How do the candidates of a list spread?  Each record counts once, whatever personas pass."""

from collections import defaultdict

import numpy as np
from pyroaring import BitMap

from forebear.search.expansion.catalog import Clause
from forebear.search.facets import FACET_FIELDS, FacetKey, count_facets, facet_of
from forebear.storage.columns import Personas
from forebear.storage.sqlite.checksums import sound_terms
from forebear.storage.sqlite.conditions import ConditionCache
from forebear.storage.sqlite.connection import Connection
from forebear.storage.sqlite.postings import Postings

FEW_PERSONAS = 20_000  # of which the terms are read


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
    if len(personas) <= FEW_PERSONAS:
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
