"""Which events of a life does a kind of record tell of: a will, an ordination, a trial?"""

import csv
from functools import cache
from importlib.resources import files

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
    text = files(__package__).joinpath("own_events.csv").read_text("utf-8")
    rows = csv.DictReader(text.splitlines())
    return {row["record_type"]: tuple(row["kinds"].split(";")) for row in rows}
