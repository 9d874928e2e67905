"""What was shown and what was done: the log's values.

The whole lists are logged, not only the first page, with the clause bits of every hit: the
ranking is trained on up to a hundred records of each list, as in the paper.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from forebear.search.searcher import SearchResult

ActionKind = Literal["attach", "reject"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ShownList:
    """One ranked list as it was answered."""

    name: str
    record_type: str
    state: str
    clauses: tuple[str, ...]
    records: tuple[str, ...]
    scores: tuple[int, ...]
    bits: NDArray[np.bool_]  # one row a record, one column a clause


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownSearch:
    """A search and its answer."""

    id: str
    at: str  # UTC, ISO 8601
    query: str  # as JSON
    model: str
    viewer: str
    shown: tuple[str, ...]  # the fused list, best first
    lists: tuple[ShownList, ...]
    searcher: str = ""  # a pseudonym, if anything is known of them
    options: Mapping[str, Any] = field(default_factory=dict)  # with which it was made
    relaxed: tuple[str, ...] = ()  # what was asked less strictly, in words


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """What somebody did with a record they were shown."""

    search_id: str
    record_key: str
    kind: ActionKind
    rank: int | None  # in the fused list; None if the record was not in it
    at: str
    reason: str = ""


def shown_search(
    result: SearchResult,
    *,
    search_id: str,
    at: str,
    query: str,
    viewer: str,
    searcher: str = "",
) -> ShownSearch:
    """Return what is logged of a result."""
    return ShownSearch(
        id=search_id,
        at=at,
        query=query,
        model=result.model.name,
        viewer=viewer,
        shown=tuple(hit.hit.record_key for hit in result.fused),
        lists=tuple(
            ShownList(
                name=ranked.name,
                record_type=ranked.record_type,
                state=ranked.state,
                clauses=ranked.clauses,
                records=tuple(hit.record_key for hit in ranked.hits),
                scores=tuple(hit.score for hit in ranked.hits),
                bits=_bits(ranked.clauses, [hit.fired for hit in ranked.hits]),
            )
            for ranked in result.lists
        ),
        searcher=searcher,
        options=result.options.to_json(),
        relaxed=tuple(map(str, result.relaxed)),
    )


def _bits(clauses: tuple[str, ...], fired: list[tuple[str, ...]]) -> NDArray[np.bool_]:
    columns = {clause: column for column, clause in enumerate(clauses)}
    bits = np.zeros((len(fired), len(clauses)), dtype=np.bool_)
    for row, names in enumerate(fired):
        bits[row, [columns[name] for name in names]] = True
    return bits
