"""Who is hidden from a viewer, and which terms only hidden personas have?

Hidden personas are few beside the others, so what is counted for the public is what is counted
for all, less them; and the year that opens a record is a term like any other, so time passing
needs no rewrite.  Masked personas stand for the others of their record, for the public of the
years before all of it opens; the owner never sees them.
"""

import numpy as np
from pyroaring import BitMap

from forebear.records.privacy import Viewer
from forebear.search.terms.term import value_of
from forebear.storage.sqlite.connection import Connection
from forebear.storage.sqlite.personas import read_personas
from forebear.storage.sqlite.postings import Postings
from forebear.storage.sqlite.records import PUBLIC, UNTIL


def hidden_personas(postings: Postings, viewer: Viewer) -> BitMap:
    """Return the personas that a viewer may not see."""
    ended = [n for n, year in _years(postings, UNTIL) if viewer.may_see(year)]
    if viewer.is_owner:
        return postings.of_ids(ended)
    closed = [n for n, year in _years(postings, PUBLIC) if not viewer.may_see(year)]
    return postings.of_ids([*ended, *closed])


def _years(postings: Postings, marker: str) -> list[tuple[int, int]]:
    """Return the numbers of the terms with a marker, each with its year."""
    return [(number, int(value_of(term))) for number, term in postings.terms_of(marker)]


def terms_only_of(hidden: BitMap, connection: Connection, postings: Postings) -> frozenset[int]:
    """Return the numbers of the terms that only these personas have."""
    # Of each term, by its number.
    hidden_bearers = np.bincount(read_personas(connection, hidden).terms)
    bearers = np.zeros_like(hidden_bearers)
    counted = postings.each_of(np.flatnonzero(hidden_bearers).tolist())
    for term, personas in counted.items():
        bearers[term] += len(personas)
    return frozenset(np.flatnonzero((hidden_bearers > 0) & (hidden_bearers == bearers)).tolist())
