"""Rule 11: what a kind of record never tells must not be asked of it.

A birth names no spouse and a directory no parents, so a gap there would only be a constant
penalty.  On births and baptisms what is said of spouse and children serves the parents' own
views: a mother's other husband speaks against the record, but that none is named does not.
"""

from forebear.search.expansion.catalog import CatalogRow

# Whom a record type never names beside the person it is about.
NEVER_NAMED: dict[str, frozenset[str]] = {
    "birth": frozenset({"spouse", "child", "couple"}),
    "baptism": frozenset({"spouse", "child", "couple"}),
    "residence": frozenset({"father", "mother", "parents"}),
}


def is_asked(row: CatalogRow) -> bool:
    """Say whether a clause may be asked: no record is lowered for what its type never has."""
    return row.kind != "absent" or row.subject not in NEVER_NAMED.get(row.record_type, frozenset())
