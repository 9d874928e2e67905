"""Ranked lists for tests that need hits and no storage."""

from collections.abc import Mapping, Sequence
from typing import Any

from forebear.search.hits import RankedListInfo, keyed_hits
from forebear.search.record_search.ranked_list import RankedList


def make_list(
    name: str,
    scores: Mapping[str, int],
    *,
    record_type: str = "",
    clauses: Sequence[str] = (),
    fired: Mapping[str, Sequence[str]] | None = None,
    years: Mapping[str, int] | None = None,
    **more: Any,
) -> RankedList:
    """Return a list with the score of each record by its key, best first, as they are given.

    ``fired`` has the clauses that fired on a record, ``years`` the years of records.
    """
    info = RankedListInfo(
        name=name, record_type=record_type or name, clauses=tuple(clauses) or _names(fired)
    )
    of_record = fired or {}
    return RankedList(
        name=name,
        record_type=info.record_type,
        clauses=info.clauses,
        hits=keyed_hits(
            info,
            keys=list(scores),
            positions=[0] * len(scores),
            scores=list(scores.values()),
            fired=[[c in of_record.get(key, ()) for c in info.clauses] for key in scores],
            years=[(years or {}).get(key) for key in scores],
        ),
        **more,
    )


def _names(fired: Mapping[str, Sequence[str]] | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for names in (fired or {}).values() for name in names))
