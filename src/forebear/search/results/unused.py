"""Which facts of a query does no clause read?  They are named, so that nobody trusts in them."""

from collections.abc import Iterator
from functools import cache

from forebear.search.expansion.catalog import load_catalog
from forebear.search.query.person_query import PersonQuery


def unused_facts(query: PersonQuery) -> tuple[str, ...]:
    """Return the facts that are understood, but that no clause of the catalog needs."""
    return tuple(dict.fromkeys(word for word in _details(query) if word not in _needed()))


def _details(query: PersonQuery) -> Iterator[str]:
    """Yield the facts beyond names, dates and places, by the catalog's words."""
    for word in ("organization", "identifier", "occupation", "religion"):
        if getattr(query, word):
            yield word
    for relative in query.relatives:
        yield from (
            f"{relative.kind}.{word}"
            for word in ("occupation", "birthplace")
            if getattr(relative, word)
        )


@cache
def _needed() -> frozenset[str]:
    rows = (row for rows in load_catalog().values() for row in rows)
    return frozenset(word for row in rows for need in row.needs for word in need)
