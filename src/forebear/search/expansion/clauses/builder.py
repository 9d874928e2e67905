"""What builds a clause, and how is one built for a fact that is missing?

Rule 10: absence is not disagreement.  A gap counts only where records of the same collection,
decade and role normally have the fact: an index of births that names no mothers before 1911 is
silent, not different.
"""

from collections.abc import Callable

from forebear.search.expansion.catalog import CatalogRow, Clause, absent_clause
from forebear.search.expansion.query_facts import Facts

Builder = Callable[[CatalogRow, Facts], Clause | None]


def build_missing(row: CatalogRow, facts: Facts) -> Clause | None:
    """The query has the fact, records of this part usually do, this one does not."""
    if facts.needed(row) is None:
        return None
    return absent_clause(row, facts.knowledge.parts_with(frozenset(row.fields[:-1])))
