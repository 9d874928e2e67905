"""A ranked list: the best records of one list, each with its score and why it has it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from forebear.search.expansion.catalog import Clause
from forebear.search.expansion.gate import Gate
from forebear.search.hits import NO_HITS, Hits, RankedListInfo

# complete: every candidate was scored.  narrowed: the gate let in too many and was
# narrowed.  partial: a part of the storage did not answer, and the message says which.
# failed: the storage could not answer; the other lists stand.
ListState = Literal["complete", "narrowed", "partial", "failed"]
DATED_TYPES = frozenset({"census"})  # whose hits have a year
YEAR_FIELD = "event.year"


@dataclass(frozen=True, slots=True, kw_only=True)
class ListSearch:
    """What to ask of one list: its collections, its gate, its clauses and their weights."""

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
    clauses: tuple[str, ...] = ()  # names of all that were asked


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
