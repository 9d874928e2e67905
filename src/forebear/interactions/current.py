"""Which logged searches still mean what they meant when they were logged?

A logged bit says that a clause fired on a record.  It counts while the clause fires on the same
personas (its hash says so) and the collections of its list are still in that list.  A search that
has other bits is repeated before anything is learned from it, or skipped and counted.  So is one
whose lists were never logged.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from forebear.errors import ForebearError
from forebear.interactions.events import JudgedSearch, LoggedSearch
from forebear.records.collections import RecordList
from forebear.search.expansion.clause_hashes import ClauseHashes


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
