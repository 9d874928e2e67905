"""What is logged of a search and of what people did with it, and what does that judge?

The whole lists are logged, not only the first page, with the clause bits of every hit: the
ranking is trained on up to a hundred records of each list, as in the paper.  A visitor's search
is logged in a compact form first (`forebear.interactions.current`).

An attachment judges a record as right.  Everything else of the lists counts as wrong, as in the
paper; a later action on the same record replaces an earlier one.  "maybe" keeps a record in view
and "detach" takes it back: neither judges it.  "undo" removes the action before it, and what came
before that counts again.  To open a record says nothing of it.  An anonymous vote is no action
until the owner releases it, and then it yields to all other actions on the record.

A search is complete when its searcher has looked at all of its records.  Its judgments from use
then do not depend on what was ranked first.
"""

import json
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from forebear.errors import InputError
from forebear.search.expansion.clause_hashes import ClauseHashes, catalog_hash, clause_hashes
from forebear.search.hits import NO_YEAR
from forebear.search.interleaved import teams_of
from forebear.search.record_search.ranked_list import DATED_TYPES, RankedList
from forebear.search.search_result import SearchResult

ActionKind = Literal["open", "attach", "reject", "maybe", "detach", "undo", "complete"]
VoteKind = Literal["attach", "reject"]
# Where a judgment comes from: a link that the owner imported, a search that was reviewed to its
# end, a result that was used, or an anonymous vote that the owner released.
Source = Literal["link", "complete", "use", "vote"]
WHOLE_SEARCH = ""  # the record of an action that is about the whole search
# What is logged of a search: everything, a compact entry, or one that cannot be completed any more.
Entry = Literal["whole", "compact", "changed"]
ANONYMOUS = "anonymous"  # who voted without an address


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
    gated: int = 0  # records that passed the gate; 0 in older entries
    years: tuple[int | None, ...] = ()  # of the records, in lists of DATED_TYPES


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
    entry: Entry = "whole"
    change: int | None = None  # the counter of the archive's changes; None in older entries
    catalog: str = ""  # one hash for all clauses: catalog_hash
    types: tuple[str, ...] = ()  # the record type of each record shown, in a compact entry
    total: int | None = None  # how many records the fused list has, where shown has fewer
    none: float | None = None  # how likely it is that no record is the right one
    trial: int | None = None  # of two models that were interleaved
    teams: str = ""  # then, for each record shown: A, the model in use, or B, its challenger

    @property
    def hits(self) -> int:
        """Return how many records the search found."""
        return len(self.shown) if self.total is None else self.total


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """What a person did with a record of a result, or with the whole search."""

    search_id: str
    record_key: str  # WHOLE_SEARCH for "complete" and for what undoes it
    kind: ActionKind
    rank: int | None  # in the fused list; None if the record was not in it
    at: str
    reason: str = ""
    source: Source = "use"


@dataclass(frozen=True, slots=True, kw_only=True)
class Vote:
    """What an anonymous visitor says of a record; it counts when the owner has released it."""

    searcher: str  # a pseudonym
    search_id: str
    record_key: str
    kind: VoteKind
    rank: int | None
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedSearch:
    """A logged search and the records attached from it."""

    search: LoggedSearch
    attached: frozenset[str]
    rejected: frozenset[str]
    sources: frozenset[Source] = frozenset()  # of these judgments
    maybe: frozenset[str] = frozenset()  # kept in view, and not judged
    is_complete: bool = False  # whether all of its records were looked at

    @property
    def is_judged(self) -> bool:
        """Return whether anything can be learned from it."""
        return bool(self.attached or self.rejected or self.is_complete)

    @property
    def judge(self) -> str:
        """Return the pseudonym of who judged it; "" for the owner.

        What the owner imported or did on the command line is the owner's.  A search with a vote
        is the voter's, whoever else judged it.
        """
        if "vote" in self.sources:
            return self.search.searcher or ANONYMOUS
        return "" if self.sources == {"link"} else self.search.searcher

    @property
    def is_independent(self) -> bool:
        """Return whether the judgments do not depend on the order in which records were shown.

        People attach what they see, and see what is ranked high.  Such judgments favor the model
        that ranked, so they cannot compare it with another.
        """
        if "vote" in self.sources:
            return False
        return "complete" in self.sources or self.sources == {"link"}


def logged_search(
    result: SearchResult,
    *,
    search_id: str,
    at: str,
    query: str,
    viewer: str,
    searcher: str = "",
    hashes: ClauseHashes | None = None,
    change: int | None = None,
    trial: int | None = None,
) -> LoggedSearch:
    """Return what is logged of a result.

    ``hashes`` say what the clauses fire on in this archive: by default as new terms are written.
    ``change`` is the counter of the archive's changes when it was searched.
    """
    hashes = hashes or clause_hashes()
    return LoggedSearch(
        id=search_id,
        at=at,
        query=query,
        model=result.model.name,
        viewer=viewer,
        shown=tuple(result.fused.record_keys()),  # and so those of the lists are read
        lists=tuple(
            LoggedList(
                name=ranked.name,
                record_type=ranked.record_type,
                state=ranked.state,
                clauses=ranked.clauses,
                records=tuple(ranked.hits.record_keys()),
                scores=tuple(ranked.hits.score.tolist()),
                bits=ranked.hits.bits(),
                hashes=tuple(hashes[ranked.record_type][name] for name in ranked.clauses),
                collections=result.collections_of(ranked.name),
                gated=ranked.records,
                years=_years(ranked),
            )
            for ranked in result.lists
        ),
        searcher=searcher,
        options=result.options.to_json(),
        relaxed=tuple(map(str, result.relaxed)),
        change=change,
        catalog=catalog_hash(hashes),
        trial=trial,
        teams=teams_of(result),
    )


def judge(search: LoggedSearch, actions: Iterable[Action]) -> JudgedSearch:
    """Return a search with the last action on each of its records; votes yield to others."""
    last = last_actions(actions)
    is_complete = last.pop(WHOLE_SEARCH, None) is not None
    sources = {act.source for act in last.values() if act.kind in ("attach", "reject")}
    if is_complete:
        sources = sources - {"use"} | {"complete"}
    return JudgedSearch(
        search=search,
        attached=_records(last, "attach"),
        rejected=_records(last, "reject"),
        sources=frozenset(sources),
        maybe=_records(last, "maybe"),
        is_complete=is_complete,
    )


def check_action(record: str, kind: ActionKind, before: Iterable[Action]) -> None:
    """Refuse an action that means nothing after those before it on the same search."""
    if (record == WHOLE_SEARCH) != (kind == "complete") and kind != "undo":
        needed = "no record: the whole search is complete" if record else "a record"
        raise InputError(f"{kind} needs {needed}", hint="forebear attach SEARCH --complete")
    if kind in ("detach", "undo") and record not in last_actions(before):
        what = f"record {record}" if record else "the whole search"
        raise InputError(
            f"there is nothing to {kind}: nothing was done with {what}",
            hint="`forebear attach SEARCH RECORD` attaches a record",
        )


def last_actions(actions: Iterable[Action]) -> dict[str, Action]:
    """Return the action that counts for each record; none where all were undone."""
    counting: dict[str, list[Action]] = {}
    for action in sorted(actions, key=lambda action: action.source != "vote"):
        earlier = counting.setdefault(action.record_key, [])
        if action.kind == "undo":
            del earlier[-1:]
        elif action.kind != "open":
            earlier.append(action)
    return {record: several[-1] for record, several in counting.items() if several}


def _records(last: Mapping[str, Action], kind: ActionKind) -> frozenset[str]:
    return frozenset(record for record, action in last.items() if action.kind == kind)


def trust_searcher(judged: JudgedSearch, trusted: Container[str]) -> JudgedSearch:
    """Return a judged search as the owner's if its searcher is trusted; votes never are."""
    if "vote" in judged.sources or judged.search.searcher not in trusted:
        return judged
    return replace(judged, search=replace(judged.search, searcher=""))


def person_groups(judged: Sequence[JudgedSearch]) -> list[str]:
    """Return for each search the name of its group: the id of one of the group's searches.

    Searches for a man, his wife and his sister find the same baptisms and households.  If some
    of them trained a model and others tested it, the test would reward remembering.  So searches
    that attached a common record are one group, however many steps lie between, and so are those
    whose queries have one id: that of a person of a tree, or of a line of a file.
    """
    leader: dict[str, str] = {}  # of searches and of records alike

    def find(item: str) -> str:
        while leader.setdefault(item, item) != item:
            item = leader[item]
        return item

    for search in judged:
        for item in sorted(joining_items(search)):
            leader[find(item)] = find(search.search.id)
    return [find(search.search.id) for search in judged]


def joining_items(judged: JudgedSearch) -> set[str]:
    """Return what searches for one person have in common: attached records, the query's id."""
    items = {f"record {record}" for record in judged.attached}
    query = judged.search.query
    # Most queries have no id, and need not be read.
    if '"id"' in query and (query_id := json.loads(query).get("id")):
        items.add(f"query {query_id}")
    return items


def _years(ranked: RankedList) -> tuple[int | None, ...]:
    if ranked.record_type not in DATED_TYPES:
        return ()
    return tuple(None if year == NO_YEAR else year for year in ranked.hits.year.tolist())
