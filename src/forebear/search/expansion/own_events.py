"""Which events of a life does a kind of record tell of: a will, an ordination, a trial?"""

from functools import cache

from forebear.tables import read_table

ANY_EVENT = "any"  # the kind a search form gives an event of no stated kind


@cache
def own_kinds(record_type: str) -> tuple[str, ...]:
    """Return the kinds of event that a record type alone tells of.

    >>> own_kinds("divorce")
    ('divorce', 'annulment', 'separation')
    """
    return _table().get(record_type, ())


@cache
def every_own_kind() -> frozenset[str]:
    """Return the kinds of event that belong to some record type."""
    return frozenset(kind for kinds in _table().values() for kind in kinds)


@cache
def _table() -> dict[str, tuple[str, ...]]:
    rows = read_table("search/own_events")
    return {row["record_type"]: tuple(row["kinds"].split(";")) for row in rows}
