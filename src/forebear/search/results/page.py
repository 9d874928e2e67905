"""A page of results: some hits of the one list, and how many there are of each type.

A rank is a place in the one list.  A record that is identical with a better one, or tells of the
same event, is shown with it and leaves its own rank empty, so ranks mean the same on every page.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from forebear.search.hits import Hit, Hits
from forebear.search.record_search.ranked_list import ListState, RankedList
from forebear.search.results.cursor import Cursor
from forebear.search.results.duplicates import Duplicates

DEFAULT_PAGE_SIZE = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class ListCount:
    """How much of a list there is, and how far to trust the number."""

    name: str
    record_type: str
    shown: int  # in the fused list
    records: int  # candidates in all
    excluded: int
    state: ListState
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultPage:
    """What is shown at once."""

    hits: tuple[Hit, ...]
    ranks: tuple[int, ...]  # of the hits, from 1
    counts: tuple[ListCount, ...]
    number: int
    size: int
    total: int
    is_last: bool
    next_cursor: Cursor | None = None  # None on the last page


def make_page(
    fused: Hits,
    lists: Sequence[RankedList],
    *,
    number: int = 1,
    size: int = DEFAULT_PAGE_SIZE,
    cursor: Cursor | None = None,
    duplicates: Duplicates | None = None,
) -> ResultPage:
    """Return one page: that behind a cursor, if it has passed records, else by number from 1."""
    before = cursor.rank if cursor else 0
    rest = cursor.rest(fused) if cursor and before else fused
    start = 0 if before else (number - 1) * size
    is_last = start + size >= len(rest)
    shown = [
        (rank, hit)
        for rank, hit in enumerate(rest[start : start + size], start=before + start + 1)
        if duplicates is None or not duplicates.is_repeat(hit)
    ]
    return ResultPage(
        hits=tuple(hit for _, hit in shown),
        ranks=tuple(rank for rank, _ in shown),
        counts=tuple(count_list(ranked) for ranked in lists),
        number=before // size + 1 if before else number,
        size=size,
        total=len(fused),
        is_last=is_last,
        next_cursor=cursor.pass_over(rest[: start + size]) if cursor and not is_last else None,
    )


def count_list(ranked: RankedList) -> ListCount:
    """Return how much of a list there is."""
    return ListCount(
        name=ranked.name,
        record_type=ranked.record_type,
        shown=len(ranked.hits),
        records=ranked.records,
        excluded=ranked.excluded,
        state=ranked.state,
        message=ranked.message,
    )
