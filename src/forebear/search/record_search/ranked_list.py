"""What is searched in one list, and which of its records are the best?

Narrowing says which candidates are scored when too many would be, by the same rule for every
storage: give up branches from the last to the second while more than the limit remain and not none;
then add the refinements one by one, skipping one that would leave none.  If even then more
remain, they are all scored: slow, but never cut blindly.

A record may have several personas among the candidates; it is in the list once, under the best of
them (the first on the record, where they tie), and that is decided before the cut.  Records
of equal score are ordered by their tie keys.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, Self, TypeVar

import numpy as np

from forebear.search.expansion.catalog import Clause
from forebear.search.expansion.gate import Gate
from forebear.search.hits import NO_HITS, Hits, Ints, RankedListInfo

# complete: every candidate was scored.  narrowed: the gate let in too many and was
# narrowed.  partial: a part of the storage did not answer, and the message says which.
# failed: the storage could not answer; the other lists stand.
ListState = Literal["complete", "narrowed", "partial", "failed"]
DATED_TYPES = frozenset({"census"})  # whose hits have a year
YEAR_FIELD = "event.year"


@dataclass(frozen=True, slots=True, kw_only=True)
class ListSearch:
    """What is searched in one list: its collections, its gate, its clauses and their weights."""

    name: str
    record_type: str
    collections: tuple[str, ...]
    gate: Gate
    clauses: tuple[Clause, ...]
    weights: tuple[int, ...]  # one a clause, in 64ths of a bit

    @property
    def info(self) -> RankedListInfo:
        """Return what the hits of the list have in common."""
        return RankedListInfo(
            name=self.name,
            record_type=self.record_type,
            clauses=tuple([clause.name for clause in self.clauses]),
            collections=self.collections,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedList:
    """The answer of one list."""

    name: str
    record_type: str
    hits: Hits = NO_HITS
    candidates: int = 0  # personas scored
    records: int = 0  # different records among them
    excluded: int = 0  # personas left out because the dates make it impossible
    state: ListState = "complete"
    message: str = ""  # why it failed or how it was narrowed
    seconds: float = 0.0  # its share, where lists were searched together
    clauses: tuple[str, ...] = ()  # the names of all that were compared


def year_of(terms: Iterable[str], record_type: str) -> int | None:
    """Return the year of a hit of this type with these terms, if hits of the type have one."""
    if record_type not in DATED_TYPES:
        return None
    start = f"{YEAR_FIELD}="
    years = [text.removeprefix(start) for text in terms if text.startswith(start)]
    return max(map(int, years), default=None)


def failed_list(search: ListSearch, message: str) -> RankedList:
    """Return the result of a list that could not be searched, and why."""
    return RankedList(
        name=search.name, record_type=search.record_type, state="failed", message=message
    )


class PersonaSet(Protocol):
    """A set of personas: a bitmap or a plain set."""

    def __or__(self, other: Self, /) -> Self: ...

    def __and__(self, other: Self, /) -> Self: ...

    def __len__(self) -> int: ...


S = TypeVar("S", bound=PersonaSet)


def narrow(branches: Sequence[S], refinements: Sequence[S], *, limit: int) -> tuple[S, int]:
    """Return the candidates, and how many steps of narrowing it took."""
    open_branches = list(branches)
    candidates = _union(open_branches)
    steps = 0
    while len(candidates) > limit and len(open_branches) > 1:
        open_branches.pop()
        fewer = _union(open_branches)
        if not len(fewer):
            break
        candidates = fewer
        steps += 1
    for refinement in refinements:
        if len(candidates) <= limit:
            break
        refined = candidates & refinement
        if len(refined):
            candidates = refined
            steps += 1
    return candidates, steps


def _union(sets: Sequence[S]) -> S:
    union = sets[0]
    for other in sets[1:]:
        union = union | other
    return union


def rank_records(scores: Ints, ties: Ints, positions: Ints, *, top: int) -> Ints:
    """Return which personas are in the list, best first.

    ``ties`` has the tie key of each persona's record, which also tells records apart;
    ``positions`` the persona's position on its record.
    """
    best, _ = rank_lists(np.zeros_like(scores), scores, ties, positions, top=top)
    return best


def rank_lists(
    lists: Ints, scores: Ints, ties: Ints, positions: Ints, *, top: int
) -> tuple[Ints, Ints]:
    """Return which personas are in their lists, list by list and the best first.

    ``lists`` has the number of each persona's list.  Returned is also how many different records
    each list has, of which it has the ``top`` ones.
    """
    order = np.lexsort((positions, ties, -scores, lists))
    by_record = np.argsort(ties[order], kind="stable")
    in_order = order[by_record]
    is_first = np.ones(len(order), np.bool_)
    is_first[1:] = ties[in_order[1:]] != ties[in_order[:-1]]
    is_first[1:] |= lists[in_order[1:]] != lists[in_order[:-1]]
    firsts = np.zeros(len(order), np.bool_)
    firsts[by_record] = is_first
    best: Ints = order[firsts]
    records = np.bincount(lists[best]) if len(best) else np.zeros(0, np.int64)
    places = np.arange(len(best)) - np.repeat(np.cumsum(records) - records, records)
    return best[places < top], records
