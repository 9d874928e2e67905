"""What is logged of a search and of what people did with it, and what does that judge?

The whole lists are logged, not only the first page, with the clause bits of every hit: the
ranking is trained on up to a hundred records of each list, as in the paper.

An attachment judges a record as right.  Everything else of the lists counts as wrong, as in the
paper; a later action on the same record replaces an earlier one, so that a mistake can be undone.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from forebear.search.expansion.clause_hashes import ClauseHashes, clause_hashes
from forebear.search.searcher import SearchResult

ActionKind = Literal["attach", "reject"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LoggedList:
    """One ranked list as it was returned."""

    name: str
    record_type: str
    state: str
    clauses: tuple[str, ...]
    records: tuple[str, ...]
    scores: tuple[int, ...]
    bits: NDArray[np.bool_]  # one row a record, one column a clause
    hashes: tuple[str, ...] = ()  # what each clause fired on: clause_hashes
    collections: tuple[str, ...] = ()  # that formed the list


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedSearch:
    """A search and its result."""

    id: str
    at: str  # UTC, ISO 8601
    query: str  # as JSON
    model: str
    viewer: str
    shown: tuple[str, ...]  # the fused list, best first
    lists: tuple[LoggedList, ...]
    searcher: str = ""  # a pseudonym; "" for a searcher without identity
    options: Mapping[str, Any] = field(default_factory=dict)  # of the search
    relaxed: tuple[str, ...] = ()  # what was searched less strictly, in words


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """What a person did with a record of a result."""

    search_id: str
    record_key: str
    kind: ActionKind
    rank: int | None  # in the fused list; None if the record was not in it
    at: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedSearch:
    """A logged search and the records attached from it."""

    search: LoggedSearch
    attached: frozenset[str]
    rejected: frozenset[str]


def logged_search(
    result: SearchResult,
    *,
    search_id: str,
    at: str,
    query: str,
    viewer: str,
    searcher: str = "",
    hashes: ClauseHashes | None = None,
) -> LoggedSearch:
    """Return what is logged of a result.

    ``hashes`` say what the clauses fire on in this archive: by default as new terms are written.
    """
    hashes = hashes or clause_hashes()
    return LoggedSearch(
        id=search_id,
        at=at,
        query=query,
        model=result.model.name,
        viewer=viewer,
        shown=tuple(hit.hit.record_key for hit in result.fused),
        lists=tuple(
            LoggedList(
                name=ranked.name,
                record_type=ranked.record_type,
                state=ranked.state,
                clauses=ranked.clauses,
                records=tuple(hit.record_key for hit in ranked.hits),
                scores=tuple(hit.score for hit in ranked.hits),
                bits=_bits(ranked.clauses, [hit.fired for hit in ranked.hits]),
                hashes=tuple(hashes[ranked.record_type][name] for name in ranked.clauses),
                collections=result.collections_of(ranked.name),
            )
            for ranked in result.lists
        ),
        searcher=searcher,
        options=result.options.to_json(),
        relaxed=tuple(map(str, result.relaxed)),
    )


def judge(search: LoggedSearch, actions: Iterable[Action]) -> JudgedSearch:
    """Return a search with the last action on each of its records."""
    last = {action.record_key: action.kind for action in actions}
    return JudgedSearch(
        search=search,
        attached=frozenset(key for key, kind in last.items() if kind == "attach"),
        rejected=frozenset(key for key, kind in last.items() if kind == "reject"),
    )


def person_groups(judged: Sequence[JudgedSearch]) -> list[str]:
    """Return for each search the name of its group: the id of one of the group's searches.

    Searches for a man, his wife and his sister find the same baptisms and households.  If some
    of them trained a model and others tested it, the test would reward remembering.  So searches
    that attached a common record are one group, however many steps lie between.
    """
    leader: dict[str, str] = {}  # of searches and of records alike

    def find(item: str) -> str:
        while leader.setdefault(item, item) != item:
            item = leader[item]
        return item

    for search in judged:
        for record in sorted(search.attached):
            leader[find(f"record {record}")] = find(search.search.id)
    return [find(search.search.id) for search in judged]


def _bits(clauses: tuple[str, ...], fired: list[tuple[str, ...]]) -> NDArray[np.bool_]:
    columns = {clause: column for column, clause in enumerate(clauses)}
    bits = np.zeros((len(fired), len(clauses)), dtype=np.bool_)
    for row, names in enumerate(fired):
        bits[row, [columns[name] for name in names]] = True
    return bits
