"""What is logged of a visitor's search, and does it still find the same?

Whole lists take tens of kilobytes, and of most searches nothing is ever attached.  So a visitor's
search is logged in a compact form: the query, its options, the model, the counter of the archive's
changes, one hash of all clauses, and the first page with its record types.  When a record of it is
attached or voted on, the search is repeated.  If the archive, the clauses and the first page are
the same, the result is the same, and the whole lists are logged then.  Otherwise the lists that
the visitor saw are lost: the entry is marked, and nothing is learned from it.
"""

from dataclasses import replace

from forebear.interactions.events import LoggedSearch

FIRST_PAGE = 20  # records


def compact_entry(search: LoggedSearch) -> LoggedSearch:
    """Return the compact form of a search."""
    shown = search.shown[:FIRST_PAGE]
    return replace(
        search,
        entry="compact",
        shown=shown,
        types=_types(search, shown),
        teams=search.teams[:FIRST_PAGE],
        total=len(search.shown),
        lists=(),
    )


def completed_entry(compact: LoggedSearch, repeated: LoggedSearch | None) -> LoggedSearch:
    """Return a compact entry with the lists of the repeated search, or marked if it differs.

    ``repeated`` is None if the search could not be repeated.
    """
    if repeated is None or _traits(compact) != _traits(compact_entry(repeated)):
        return replace(compact, entry="changed")
    return replace(repeated, at=compact.at, searcher=compact.searcher, none=compact.none)


def _traits(search: LoggedSearch) -> tuple[object, ...]:
    """Return what two searches of the same query share if they found the same."""
    made_with = search.model, search.change, search.catalog, search.trial
    return *made_with, search.shown, search.types, search.teams, search.total


def _types(search: LoggedSearch, shown: tuple[str, ...]) -> tuple[str, ...]:
    type_of = {key: listed.record_type for listed in search.lists for key in listed.records}
    return tuple(type_of[key] for key in shown)
