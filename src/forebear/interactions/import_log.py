"""How does a log that was written as UBI become part of the log of an archive?

Searches go in one by one, each before its actions, so an import that was interrupted is continued
by repeating it.  Queries of other programs are searched here: only then is it known which clauses
fire on their records.
"""

from collections.abc import Callable, Sequence, Set
from pathlib import Path

from forebear.errors import QueryError
from forebear.interactions.events import WHOLE_SEARCH, Action, LoggedSearch
from forebear.interactions.log import InteractionLog
from forebear.interactions.ubi import (
    EVENTS,
    QUERIES,
    UbiImport,
    UbiQuery,
    read_event,
    read_lines,
    read_search,
)

SearchHere = Callable[[UbiQuery], LoggedSearch]
Present = Callable[[Sequence[str]], Set[str]]  # those of these records that the archive has


def import_log(
    log: InteractionLog, folder: Path, *, search_here: SearchHere, present: Present
) -> UbiImport:
    """Add the searches and actions of UBI files to a log."""
    actions, lines = _read_actions(folder / EVENTS)
    logged, searched, events, there, skipped = 0, 0, 0, 0, 0
    for search in list(read_lines(folder / QUERIES, read_search)):
        done = actions.get(search.id, [])
        if log.search(search.id) is not None:
            there += 1
            lines -= len(done)
            continue
        if isinstance(search, UbiQuery):
            try:
                entry = search_here(search)
            except QueryError:
                skipped += 1
                continue
            records = present([action.record_key for action in done]) | {WHOLE_SEARCH}
            done = [action for action in done if action.record_key in records]
            searched += 1
        else:
            entry = search
            logged += 1
        log.add_search(entry)
        log.add_actions(done)
        events += len(done)
    return UbiImport(
        searches=logged,
        searched=searched,
        events=events,
        present=there,
        skipped=skipped + lines - events,
    )


def _read_actions(path: Path) -> tuple[dict[str, list[Action]], int]:
    """Return the actions of each search in a file, and how many lines it has."""
    actions: dict[str, list[Action]] = {}
    lines = 0
    for action in read_lines(path, read_event):
        lines += 1
        if action is not None:
            actions.setdefault(action.search_id, []).append(action)
    return actions, lines
