"""Which logged searches still mean what they meant when they were logged?

A logged bit says that a clause fired on a record.  It counts while the clause fires on the same
personas (its hash says so) and the collections of its list are still in that list.  A search that
has other bits is repeated before anything is learned from it, or skipped and counted.  So is one
whose lists were never logged.

Whole lists take tens of kilobytes, and of most searches nothing is ever attached.  So a visitor's
search is logged in a compact form: the query, its options, the model, the counter of the archive's
changes, one hash of all clauses, and the first page with its record types.  When a record of it is
attached or voted on, the search is repeated.  If the archive, the clauses and the first page are
the same, the result is the same, and the whole lists are logged then.  Otherwise the lists that
the visitor saw are lost: the entry is marked, and nothing is learned from it.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from forebear.errors import ForebearError
from forebear.interactions.events import JudgedSearch, LoggedSearch
from forebear.records.collections import RecordList
from forebear.search.expansion.clause_hashes import ClauseHashes

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


@dataclass(frozen=True, slots=True, kw_only=True)
class CurrentLog:
    """Judged searches whose bits all count."""

    judged: tuple[JudgedSearch, ...]
    repeated: int  # searches that were made again
    skipped: int  # searches that could not be, and are not in it


def is_current(search: LoggedSearch, hashes: ClauseHashes, lists: Iterable[RecordList]) -> bool:
    """Return whether every bit of a logged search counts with these clauses and lists."""
    list_of = {member: list_.name for list_ in lists for member in list_.collections}
    for logged in search.lists:
        of_type = hashes.get(logged.record_type, {})
        if logged.hashes != tuple(of_type.get(clause) for clause in logged.clauses):
            return False
        if any(list_of.get(member, logged.name) != logged.name for member in logged.collections):
            return False
    return True


def bring_up_to_date(
    judged: Sequence[JudgedSearch],
    hashes: ClauseHashes,
    lists: Sequence[RecordList],
    *,
    repeat: Callable[[LoggedSearch], LoggedSearch],
    progress: Callable[[str], None],
) -> CurrentLog:
    """Return the searches with current bits: as they were logged, or else repeated."""
    current: list[JudgedSearch] = []
    whole = [search for search in judged if search.search.entry == "whole"]
    repeated, skipped = 0, 0
    outdated = sum(not is_current(search.search, hashes, lists) for search in whole)
    for search in whole:
        if is_current(search.search, hashes, lists):
            current.append(search)
            continue
        try:
            current.append(replace(search, search=repeat(search.search)))
            repeated += 1
        except ForebearError:
            skipped += 1
        if (repeated + skipped) % 100 == 0 or repeated + skipped == outdated:
            progress(f"repeated {repeated + skipped:,} of {outdated:,} searches of other clauses")
    # Of the other entries it is not known what was seen.
    skipped += len(judged) - len(whole)
    return CurrentLog(judged=tuple(current), repeated=repeated, skipped=skipped)
